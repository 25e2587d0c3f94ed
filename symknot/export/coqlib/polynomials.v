(** * Polynomials with whole coefficients

    A polynomial in n variables is a list of polynomials in the n - 1 later ones: its coefficients of the powers
    1, x, x^2, ... of the first variable.  Whole numbers are all that is computed with; [eval] says what they mean
    over the real numbers. *)

From Coq Require Import ZArith List Bool Reals Lra Lia.
Import ListNotations.

(** The same whole numbers, for long ones among data: Coq makes a number of their digits only when it computes with it. *)
Set Warnings "-abstract-large-number".
Declare Scope long_scope.
Delimit Scope long_scope with long.
Number Notation Z Z.of_num_int Z.to_num_int (abstract after 1000000) : long_scope.

Fixpoint poly (n : nat) : Type := match n with O => Z | S k => list (poly k) end.

Definition point (l : list R) : nat -> R := fun i => nth i l 0%R.

(** Variables that are multiplied by units. *)
Definition stretched (l : list Z) (x : nat -> R) : nat -> R :=
  fun i => match nth_error l i with Some q => (IZR q * x i)%R | None => x i end.

(** The value at x, whose first coordinate is x 0. *)
Fixpoint eval {n : nat} : poly n -> (nat -> R) -> R :=
  match n with
  | O => fun c _ => IZR c
  | S k => fun p x => fold_right (fun a s => (eval a (fun i => x (S i)) + x O * s)%R) 0%R p
  end.

Fixpoint is_zero {n : nat} : poly n -> bool :=
  match n with
  | O => fun c => Z.eqb c 0
  | S k => fun p => forallb (@is_zero k) p
  end.

Fixpoint add {n : nat} : poly n -> poly n -> poly n :=
  match n with
  | O => Z.add
  | S k => fix go p q := match p, q with
                         | [], _ => q
                         | _, [] => p
                         | a :: p', b :: q' => add a b :: go p' q'
                         end
  end.

Fixpoint scale {n : nat} (c : Z) : poly n -> poly n :=
  match n with
  | O => Z.mul c
  | S k => map (@scale k c)
  end.

Definition zero {n : nat} : poly n := match n with O => 0%Z | S k => [] end.

Fixpoint mul {n : nat} : poly n -> poly n -> poly n :=
  match n with
  | O => Z.mul
  | S k => fix go p q := match p with
                         | [] => []
                         | a :: p' => @add (S k) (map (mul a) q) (zero :: go p' q)
                         end
  end.

Lemma eval_cons : forall n (a : poly n) (p : poly (S n)) x,
  @eval (S n) (a :: p) x = (eval a (fun i => x (S i)) + x O * @eval (S n) p x)%R.
Proof. reflexivity. Qed.

Lemma eval_ext : forall n (p : poly n) x y, (forall i, (i < n)%nat -> x i = y i) -> eval p x = eval p y.
Proof.
  induction n as [|n IH]; intros p x y H; [reflexivity|].
  induction p as [|a p IHp]; [reflexivity|].
  rewrite !eval_cons, IHp, (H O) by lia.
  rewrite (IH a (fun i => x (S i)) (fun i => y (S i))); [reflexivity|].
  intros i Hi; apply H; lia.
Qed.

Lemma is_zero_sound : forall n (p : poly n) x, is_zero p = true -> eval p x = 0%R.
Proof.
  induction n as [|n IH]; intros p x H.
  - apply Z.eqb_eq in H; change (IZR p = 0%R); rewrite H; reflexivity.
  - induction p as [|a p IHp]; [reflexivity|].
    apply andb_prop in H; destruct H as [Ha Hp].
    rewrite eval_cons, (IH a _ Ha), (IHp Hp); ring.
Qed.

Lemma eval_zero : forall n x, eval (@zero n) x = 0%R.
Proof. destruct n; reflexivity. Qed.

Lemma eval_add : forall n (p q : poly n) x, eval (add p q) x = (eval p x + eval q x)%R.
Proof.
  induction n as [|n IH]; intros p q x; [apply plus_IZR|].
  revert q; induction p as [|a p IHp]; intros [|b q]; try (cbn; ring).
  change (@add (S n) (a :: p) (b :: q)) with (add a b :: @add (S n) p q).
  rewrite !eval_cons, IH, IHp; ring.
Qed.

Lemma eval_scale : forall n c (p : poly n) x, eval (scale c p) x = (IZR c * eval p x)%R.
Proof.
  induction n as [|n IH]; intros c p x; [apply mult_IZR|].
  induction p as [|a p IHp]; [cbn; ring|].
  change (@scale (S n) c (a :: p)) with (scale c a :: @scale (S n) c p).
  rewrite !eval_cons, IH, IHp; ring.
Qed.

Lemma eval_mul : forall n (p q : poly n) x, eval (mul p q) x = (eval p x * eval q x)%R.
Proof.
  induction n as [|n IH]; intros p q x; [apply mult_IZR|].
  induction p as [|a p IHp]; [cbn; ring|].
  change (@mul (S n) (a :: p) q) with (@add (S n) (map (mul a) q) (zero :: @mul (S n) p q)).
  rewrite eval_add, !eval_cons, eval_zero, IHp.
  assert (E : @eval (S n) (map (mul a) q) x = (eval a (fun i => x (S i)) * @eval (S n) q x)%R).
  { clear IHp. induction q as [|b q IHq]; [cbn; ring|].
    change (map (mul a) (b :: q)) with (mul a b :: map (mul a) q).
    rewrite !eval_cons, IH, IHq; ring. }
  rewrite E; ring.
Qed.

Definition same {n : nat} (p q : poly n) : bool := is_zero (add p (scale (-1) q)).

Lemma same_sound : forall n (p q : poly n) x, same p q = true -> eval p x = eval q x.
Proof.
  intros n p q x H; apply is_zero_sound with (x := x) in H.
  rewrite eval_add, eval_scale in H; lra.
Qed.

(** A combination of polynomials, each with its factor (cofactor). *)
Fixpoint combination {n : nat} (factors generators : list (poly n)) : poly n :=
  match factors, generators with
  | h :: hs, g :: gs => add (mul h g) (combination hs gs)
  | _, _ => zero
  end.

Lemma combination_vanishes : forall n (hs gs : list (poly n)) x,
  (forall g, In g gs -> eval g x = 0%R) -> eval (combination hs gs) x = 0%R.
Proof.
  intros n hs; induction hs as [|h hs IH]; intros gs x H; [apply eval_zero|].
  destruct gs as [|g gs]; [apply eval_zero|]; cbn.
  rewrite eval_add, eval_mul, (H g), IH; [ring| |left; reflexivity].
  intros; apply H; right; assumption.
Qed.

Lemma combination_sound : forall n c (goal : poly n) hs gs x,
  same (scale c goal) (combination hs gs) = true -> (c <> 0)%Z ->
  (forall g, In g gs -> eval g x = 0%R) -> eval goal x = 0%R.
Proof.
  intros n c goal hs gs x H Hc Hg.
  apply same_sound with (x := x) in H.
  rewrite eval_scale, (combination_vanishes n hs gs x Hg) in H.
  apply Rmult_integral in H; destruct H as [H|H]; [|exact H].
  apply eq_IZR in H; contradiction.
Qed.

Fixpoint power {n : nat} (p : poly n) (k : nat) : poly n :=
  match k with O => p | S j => mul p (power p j) end.

Lemma power_zero : forall n (p : poly n) k x, eval (power p k) x = 0%R -> eval p x = 0%R.
Proof.
  intros n p k x; induction k as [|k IH]; cbn; [auto|].
  rewrite eval_mul; intro H; apply Rmult_integral in H; destruct H; auto.
Qed.

(** A rational point: for each variable a numerator, a positive denominator, and the highest power that occurs; the
    value is computed in whole numbers, multiplied by the denominators' powers. *)
Definition horner {A : Type} (value : A -> option Z) (a q : Z) : list A -> nat -> option Z :=
  fix go p m := match p with
  | [] => Some 0%Z
  | c :: p' =>
      match value c, m with
      | None, _ => None
      | Some v, O => match p' with [] => Some v | _ => None end
      | Some v, S j => match go p' j with
                       | Some s => Some (Z.pow q (Z.of_nat m) * v + a * s)%Z
                       | None => None
                       end
      end
  end.

Fixpoint whole_value {n : nat} : poly n -> list (Z * Z * nat) -> option Z :=
  match n with
  | O => fun c _ => Some c
  | S k => fun p l => match l with
                      | [] => None
                      | (a, q, m) :: rest => horner (fun c => whole_value c rest) a q p m
                      end
  end.

(** A rational point as real coordinates. *)
Fixpoint coordinates (l : list (Z * Z * nat)) : list R :=
  match l with [] => [] | (a, q, _) :: r => (IZR a / IZR q)%R :: coordinates r end.

Fixpoint denominators (n : nat) (l : list (Z * Z * nat)) : R :=
  match n, l with S k, (_, q, m) :: r => (IZR q ^ m * denominators k r)%R | _, _ => 1%R end.

Definition positive_denominators (l : list (Z * Z * nat)) : bool :=
  forallb (fun c => match c with (_, q, _) => Z.ltb 0 q end) l.

Lemma denominators_nonzero : forall n l, positive_denominators l = true -> denominators n l <> 0%R.
Proof.
  induction n as [|n IH]; intros [|[[a q] m] r] H; cbn; try lra.
  apply andb_prop in H; destruct H as [Hq Hr].
  apply Rmult_integral_contrapositive_currified; [|apply IH; exact Hr].
  apply pow_nonzero; apply Z.ltb_lt in Hq; apply not_0_IZR; lia.
Qed.

Lemma whole_value_sound : forall n (p : poly n) l v,
  positive_denominators l = true -> whole_value p l = Some v ->
  IZR v = (denominators n l * eval p (point (coordinates l)))%R.
Proof.
  induction n as [|n IH]; intros p l v Hd H.
  - cbn in H; inversion H; cbn; ring.
  - destruct l as [|[[a q] m] rest]; [discriminate H|].
    apply andb_prop in Hd; destruct Hd as [Hq Hr].
    assert (Q0 : (IZR q <> 0)%R) by (apply Z.ltb_lt in Hq; apply not_0_IZR; lia).
    change (horner (fun c => whole_value c rest) a q p m = Some v) in H; revert m v H.
    induction p as [|c p IHp]; intros m v H.
    + inversion H; cbn; ring.
    + rewrite eval_cons; change (fun i => point (coordinates ((a, q, m) :: rest)) (S i)) with (point (coordinates rest)).
      change (point (coordinates ((a, q, m) :: rest)) 0%nat) with (IZR a / IZR q)%R.
      cbn [horner] in H.
      destruct (whole_value c rest) as [w|] eqn:W; [|discriminate H].
      apply IH in W; [|exact Hr].
      destruct m as [|m].
      * destruct p; [|discriminate H].
        inversion H; subst; rewrite W; cbn; ring.
      * match type of H with context [match ?g with Some _ => _ | None => _ end] => destruct g as [s|] eqn:G end;
          [|discriminate H].
        apply IHp in G.
        assert (V : v = (Z.pow q (Z.of_nat (S m)) * w + a * s)%Z) by congruence.
        rewrite V, plus_IZR, !mult_IZR, <- pow_IZR, W, G.
        change (point (coordinates ((a, q, m) :: rest))) with (point (coordinates ((a, q, S m) :: rest))).
        cbn [denominators]; cbn [pow]; field; exact Q0.
Qed.

Definition vanishes {n : nat} (l : list (Z * Z * nat)) (p : poly n) : bool :=
  positive_denominators l && match whole_value p l with Some v => Z.eqb v 0 | None => false end.

Lemma vanishes_sound : forall n (p : poly n) l, vanishes l p = true -> eval p (point (coordinates l)) = 0%R.
Proof.
  intros n p l H; apply andb_prop in H; destruct H as [Hd H].
  destruct (whole_value p l) as [v|] eqn:V; [|discriminate H].
  apply Z.eqb_eq in H; apply whole_value_sound in V; [|exact Hd].
  rewrite H in V; symmetry in V; apply Rmult_integral in V; destruct V as [V|V]; [|exact V].
  exfalso; exact (denominators_nonzero n l Hd V).
Qed.

Definition vanish_at_all {n : nat} (points : list (list (Z * Z * nat))) (polys : list (poly n)) : bool :=
  forallb (fun l => forallb (vanishes l) polys) points.

Lemma vanish_at_all_sound : forall n points (polys : list (poly n)), vanish_at_all points polys = true ->
  forall l p, In l points -> In p polys -> eval p (point (coordinates l)) = 0%R.
Proof.
  intros n points polys H l p Hl Hp; apply vanishes_sound.
  unfold vanish_at_all in H; rewrite forallb_forall in H; specialize (H l Hl).
  rewrite forallb_forall in H; exact (H p Hp).
Qed.

Fixpoint constant {n : nat} (c : Z) : poly n := match n with O => c | S k => [constant c] end.

Lemma eval_constant : forall n c x, eval (@constant n c) x = IZR c.
Proof. induction n as [|n IH]; intros c x; [reflexivity|]; cbn; rewrite IH; ring. Qed.

Fixpoint rsum (m : nat) (f : nat -> R) : R := match m with O => 0%R | S k => (f O + rsum k (fun i => f (S i)))%R end.

Lemma rsum_ext : forall m f g, (forall i, (i < m)%nat -> f i = g i) -> rsum m f = rsum m g.
Proof.
  induction m as [|m IH]; intros f g H; [reflexivity|]; cbn; rewrite (H O) by lia.
  rewrite (IH (fun i => f (S i)) (fun i => g (S i))); [reflexivity|]; intros; apply H; lia.
Qed.

Lemma rsum_0 : forall m f, (forall i, (i < m)%nat -> f i = 0%R) -> rsum m f = 0%R.
Proof.
  induction m as [|m IH]; intros f H; [reflexivity|]; cbn; rewrite (H O) by lia.
  rewrite IH; [ring|]; intros; apply H; lia.
Qed.

(** ** From terms: exponents, and a coefficient *)

Fixpoint monomial {n : nat} (c : Z) (e : list nat) : poly n :=
  match n with
  | O => c
  | S k => match e with [] => [monomial c []] | i :: r => repeat zero i ++ [monomial c r] end
  end.

Definition of_terms {n : nat} (terms : list (list nat * Z)) : poly n :=
  fold_right (fun t p => add (monomial (snd t) (fst t)) p) zero terms.

Fixpoint monomial_value (e : list nat) (x : nat -> R) : R :=
  match e with [] => 1%R | i :: r => (x O ^ i * monomial_value r (fun j => x (S j)))%R end.

Fixpoint terms_value (terms : list (list nat * Z)) (x : nat -> R) : R :=
  match terms with [] => 0%R | (e, c) :: r => (IZR c * monomial_value e x + terms_value r x)%R end.

Definition in_variables (n : nat) (terms : list (list nat * Z)) : bool :=
  forallb (fun t => (length (fst t) <=? n)%nat) terms.

Lemma eval_monomial : forall n c e x, (length e <= n)%nat -> eval (@monomial n c e) x = (IZR c * monomial_value e x)%R.
Proof.
  induction n as [|n IH]; intros c e x H.
  - destruct e; [cbn; ring|cbn in H; lia].
  - destruct e as [|i r].
    + change (@eval (S n) [monomial c []] x = (IZR c * monomial_value [] x)%R).
      rewrite eval_cons, IH by (cbn; lia); cbn; ring.
    + change (@eval (S n) (repeat zero i ++ [monomial c r]) x = (IZR c * monomial_value (i :: r) x)%R).
      induction i as [|i IHi].
      * change (@eval (S n) [monomial c r] x = (IZR c * monomial_value (0%nat :: r) x)%R).
        rewrite eval_cons, IH by (cbn in H; lia); cbn; ring.
      * change (@eval (S n) (zero :: (repeat zero i ++ [monomial c r])) x = (IZR c * monomial_value (S i :: r) x)%R).
        rewrite eval_cons, eval_zero, IHi by (cbn in H |- *; lia); cbn [monomial_value]; cbn [pow]; ring.
Qed.

Lemma eval_of_terms : forall n terms x, in_variables n terms = true -> eval (@of_terms n terms) x = terms_value terms x.
Proof.
  intros n terms x; induction terms as [|[e c] r IH]; intro H; [apply eval_zero|].
  apply andb_prop in H; destruct H as [He Hr]; apply Nat.leb_le in He.
  change (of_terms ((e, c) :: r)) with (add (@monomial n c e) (of_terms r)); cbn [terms_value].
  rewrite eval_add, IH, eval_monomial; [reflexivity|exact He|exact Hr].
Qed.

(** The partial derivative by the variable i. *)
Fixpoint derivative {n : nat} : nat -> poly n -> poly n :=
  match n with
  | O => fun _ _ => 0%Z
  | S k => fun i => match i with
    | O => fix go p := match p with [] => [] | _ :: p' => @add (S k) p' (zero :: go p') end
    | S j => map (@derivative k j)
    end
  end.
