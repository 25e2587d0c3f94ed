(** * Invariants: polynomials that keep their value along solutions of equations of motion *)

Lemma rsum_horner : forall m f g a, rsum m (fun i => f i + a * g i)%R = (rsum m f + a * rsum m g)%R.
Proof. induction m as [|m IH]; intros; cbn; [ring|]; rewrite (IH (fun i => f (S i)) (fun i => g (S i))); ring. Qed.

(** The chain rule. *)
Lemma eval_derivable : forall n (p : poly n) (x : nat -> R -> R) v t,
  (forall i, (i < n)%nat -> derivable_pt_lim (x i) t (v i)) ->
  derivable_pt_lim (fun s => eval p (fun i => x i s)) t (rsum n (fun i => eval (derivative i p) (fun j => x j t) * v i)%R).
Proof.
  induction n as [|n IH]; intros p x v t H; [apply derivable_pt_lim_const|].
  induction p as [|a p IHp].
  - replace (rsum (S n) _) with 0%R; [apply derivable_pt_lim_const|].
    symmetry; apply rsum_0; intros [|i] _; cbn; ring.
  - set (P := fun s => @eval (S n) p (fun i => x i s)) in *.
    assert (A := IH a (fun i => x (S i)) (fun i => v (S i)) t ltac:(intros i Hi; apply H; lia)).
    pose proof (derivable_pt_lim_plus _ _ _ _ _ A (derivable_pt_lim_mult _ _ _ _ _ (H O ltac:(lia)) IHp)) as D.
    match type of D with derivable_pt_lim _ _ ?l => set (l0 := l) in D end.
    replace (rsum (S n) _) with l0; [exact D|]; unfold l0; clear D l0 A IHp.
    cbn [rsum].
    change (derivative 0 (a :: p : poly (S n))) with (@add (S n) p (zero :: @derivative (S n) 0 p)).
    rewrite eval_add, eval_cons, eval_zero; fold (P t).
    rewrite (rsum_ext n (fun i => eval (@derivative (S n) (S i) (a :: p)) (fun j => x j t) * v (S i))%R
      (fun i => eval (derivative i a) (fun j => x (S j) t) * v (S i)
                + x O t * (eval (@derivative (S n) (S i) p) (fun j => x j t) * v (S i)))%R).
    2: { intros i _; change (@derivative (S n) (S i) (a :: p)) with (derivative i a :: @derivative (S n) (S i) p).
         rewrite eval_cons; ring. }
    rewrite rsum_horner; change (@eval (S n) p (fun i => x i t)) with (P t); ring.
Qed.

(** The derivative of [p] along x' = as / bs, as one fraction. *)
Fixpoint lie {n : nat} (p : poly n) (i : nat) (fs : list (poly n * poly n)) : poly n * poly n :=
  match fs with
  | [] => (zero, constant 1)
  | (a, b) :: r => let (u, v) := lie p (S i) r in (add (mul u b) (mul (mul v (derivative i p)) a), mul v b)
  end.

Definition conserved {n : nat} (p : poly n) (fs : list (poly n * poly n)) (c : Z) (hs gs : list (poly n)) : bool :=
  (length fs =? n)%nat && negb (c =? 0)%Z && same (scale c (fst (lie p 0 fs))) (combination hs gs).

(** [x] solves x' = as / bs at the time t. *)
Definition solves {n : nat} (fs : list (poly n * poly n)) (x : nat -> R -> R) (t : R) : Prop :=
  forall i a b, nth_error fs i = Some (a, b) ->
    eval b (fun j => x j t) <> 0%R /\ derivable_pt_lim (x i) t (eval a (fun j => x j t) / eval b (fun j => x j t))%R.

(** Where the derivative's numerator is a combination of what is zero, the derivative along a solution is zero. *)
Theorem derivative_sound : forall n (p : poly n) fs c hs gs, conserved p fs c hs gs = true ->
  forall (x : nat -> R -> R) (t : R), solves fs x t -> (forall g, In g gs -> eval g (fun j => x j t) = 0%R) ->
  derivable_pt_lim (fun s => eval p (fun j => x j s)) t 0%R.
Proof.
  intros n p fs c hs gs H x t S0 G0.
  apply andb_prop in H; destruct H as [H H3]; apply andb_prop in H; destruct H as [len Hc].
  apply Nat.eqb_eq in len; apply negb_true_iff, Z.eqb_neq in Hc.
  set (y := fun j => x j t).
  set (v := fun i => match nth_error fs i with Some (a, b) => (eval a y / eval b y)%R | None => 0%R end).
  replace 0%R with (rsum n (fun i => eval (derivative i p) y * v i)%R).
  { apply eval_derivable; intros i Hi; unfold v.
    destruct (nth_error fs i) as [[a b]|] eqn:E; [apply (S0 i a b E)|apply nth_error_None in E; lia]. }
  assert (F : forall l k, (forall i, nth_error l i = nth_error fs (k + i)) ->
            eval (snd (lie p k l)) y <> 0%R /\
            (eval (fst (lie p k l)) y =
             eval (snd (lie p k l)) y * rsum (length l) (fun i => eval (derivative (k + i) p) y * v (k + i)%nat))%R).
  { induction l as [|[a b] l IH]; intros k E; cbn [lie length rsum].
    - cbn [fst snd]; rewrite eval_zero, eval_constant; split; [lra|ring].
    - destruct (IH (S k)) as [N0 N1]; [intro i; rewrite Nat.add_succ_comm; apply (E (S i))|].
      destruct (lie p (S k) l) as [u w]; cbn [fst snd] in *.
      pose proof (E O) as E0; rewrite Nat.add_0_r in E0; cbn in E0; symmetry in E0.
      destruct (S0 k a b E0) as [B _]; fold y in B; change (eval b y <> 0%R) in B.
      rewrite eval_add, !eval_mul, N1; split; [apply Rmult_integral_contrapositive_currified; assumption|].
      rewrite Nat.add_0_r; assert (V : v k = (eval a y / eval b y)%R) by (unfold v; rewrite E0; reflexivity).
      rewrite (rsum_ext (length l) (fun i => eval (derivative (k + S i) p) y * v (k + S i)%nat)%R
                 (fun i => eval (derivative (S k + i) p) y * v (S k + i)%nat)%R)
        by (intros i _; rewrite (Nat.add_succ_comm k i); reflexivity).
      rewrite V; field; exact B. }
  destruct (F fs O ltac:(intro; reflexivity)) as [N0 N1]; rewrite len in N1.
  apply same_sound with (x := y) in H3.
  rewrite eval_scale, (combination_vanishes n hs gs y G0) in H3.
  apply Rmult_integral in H3; destruct H3 as [H3|H3]; [apply eq_IZR in H3; contradiction|].
  rewrite H3 in N1; symmetry in N1; apply Rmult_integral in N1; destruct N1 as [N1|N1]; [contradiction|exact N1].
Qed.

(** What has the derivative zero is constant. *)
Lemma constant_where_flat : forall (f : R -> R) start finish, (start <= finish)%R ->
  (forall t, (start <= t <= finish)%R -> derivable_pt_lim f t 0%R) -> f finish = f start.
Proof.
  intros f start finish [order|E] D; [|rewrite E; reflexivity].
  destruct (MVT_cor2 f (fun _ => 0%R) start finish order D) as [m [E Hm]]; lra.
Qed.

Lemma derivable_same : forall f g t l, (forall s, f s = g s) -> derivable_pt_lim f t l -> derivable_pt_lim g t l.
Proof.
  intros f g t l E D eps He; destruct (D eps He) as [d Hd]; exists d; intros h H0 Hh; rewrite <- !E; apply Hd; assumption.
Qed.
