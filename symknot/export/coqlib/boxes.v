(** * Boxes that hold exactly one zero (Krawczyk)

    A box of n variables is, for each, a center a/q and a half-width b/q.  In it x = (a + b t)/q with every |t| <= 1.
    All that is computed is computed with the polynomials' coefficients in t, in whole numbers. *)

Fixpoint variable {n : nat} (i : nat) : poly n :=
  match n with O => 0%Z | S k => match i with O => [zero; constant 1] | S j => [variable j] end end.

Fixpoint value_at_0 {n : nat} : poly n -> Z :=
  match n with O => fun c => c | S k => fun p => match p with [] => 0%Z | a :: _ => value_at_0 a end end.

(** Sum of the absolute coefficients; sum of these, each multiplied by its degree. *)
Fixpoint size {n : nat} : poly n -> Z :=
  match n with O => Z.abs | S k => fun p => fold_right (fun a s => (size a + s)%Z) 0%Z p end.

Fixpoint slope {n : nat} : poly n -> Z :=
  match n with
  | O => fun _ => 0%Z
  | S k => fix go p := match p with [] => 0%Z | a :: p' => (slope a + (go p' + @size (S k) p'))%Z end
  end.

Fixpoint shift {n : nat} : poly n -> list (Z * Z) -> poly n :=
  match n with
  | O => fun c _ => c
  | S k => fun p l => match l with
    | [] => p
    | (a, b) :: rest =>
        fold_right (fun c s => @add (S k) [shift c rest] (@add (S k) (@scale (S k) a s) (zero :: @scale (S k) b s))) [] p
    end
  end.

Fixpoint stretch {n : nat} : poly n -> list Z -> poly n :=
  match n with
  | O => fun c _ => c
  | S k => fun p l => match l with
    | [] => p
    | q :: rest => (fix go w p := match p with [] => [] | c :: p' => scale w (stretch c rest) :: go (w * q)%Z p' end) 1%Z p
    end
  end.

Lemma eval_variable : forall n i x, (i < n)%nat -> eval (@variable n i) x = x i.
Proof.
  induction n as [|n IH]; intros i x H; [lia|].
  destruct i as [|i]; cbn.
  - rewrite eval_zero, eval_constant; ring.
  - rewrite IH by lia; ring.
Qed.

Lemma size_positive : forall n (p : poly n), (0 <= size p)%Z.
Proof.
  induction n as [|n IH]; intro p; [apply Z.abs_nonneg|].
  induction p as [|a p IHp]; cbn; [lia|]; specialize (IH a); change (fold_right _ _ p) with (@size (S n) p); lia.
Qed.

Lemma slope_positive : forall n (p : poly n), (0 <= slope p)%Z.
Proof.
  induction n as [|n IH]; intro p; [cbn; lia|].
  induction p as [|a p IHp]; [cbn; lia|].
  change (slope (a :: p : poly (S n))) with (slope a + (@slope (S n) p + @size (S n) p))%Z.
  specialize (IH a); pose proof (size_positive (S n) p); lia.
Qed.

Lemma size_cons : forall n (a : poly n) (p : poly (S n)), @size (S n) (a :: p) = (size a + @size (S n) p)%Z.
Proof. reflexivity. Qed.

Lemma slope_cons : forall n (a : poly n) (p : poly (S n)),
  @slope (S n) (a :: p) = (slope a + (@slope (S n) p + @size (S n) p))%Z.
Proof. reflexivity. Qed.

Definition in_unit_box (n : nat) (u : nat -> R) : Prop := bounded n 1 u.

Lemma size_bounds : forall n (p : poly n) u, in_unit_box n u -> (Rabs (eval p u) <= IZR (size p))%R.
Proof.
  induction n as [|n IH]; intros p u H; [cbn; rewrite abs_IZR; lra|].
  induction p as [|a p IHp]; [cbn; rewrite Rabs_R0; lra|].
  rewrite eval_cons, size_cons, plus_IZR.
  eapply Rle_trans; [apply Rabs_triang|]; rewrite Rabs_mult.
  assert (A : (Rabs (eval a (fun i => u (S i))) <= IZR (size a))%R) by (apply IH; intros i Hi; apply H; lia).
  pose proof (H O ltac:(lia)) as H0; pose proof (Rabs_pos (@eval (S n) p u)) as P.
  assert (Rabs (u O) * Rabs (@eval (S n) p u) <= 1 * Rabs (@eval (S n) p u))%R by (apply Rmult_le_compat_r; lra); lra.
Qed.

Lemma slope_bounds : forall n (p : poly n) u v d, in_unit_box n u -> in_unit_box n v -> (0 <= d)%R -> near n d u v ->
  (Rabs (eval p u - eval p v) <= IZR (slope p) * d)%R.
Proof.
  induction n as [|n IH]; intros p u v d Hu Hv Hd H; [cbn; unfold Rminus; rewrite Rplus_opp_r, Rabs_R0; lra|].
  induction p as [|a p IHp]; [cbn; unfold Rminus; rewrite Rplus_opp_r, Rabs_R0; lra|].
  rewrite !eval_cons, slope_cons, !plus_IZR.
  set (P := @eval (S n) p) in *; set (A := eval a).
  replace (A (fun i => u (S i)) + u O * P u - (A (fun i => v (S i)) + v O * P v))%R
    with ((A (fun i => u (S i)) - A (fun i => v (S i))) + ((u O - v O) * P u + v O * (P u - P v)))%R by ring.
  eapply Rle_trans; [apply Rabs_triang|].
  assert (X : (Rabs (A (fun i => u (S i)) - A (fun i => v (S i))) <= IZR (slope a) * d)%R).
  { apply IH; try exact Hd; intros i Hi; [apply Hu|apply Hv|apply (H (S i))]; lia. }
  assert (Y : (Rabs ((u O - v O) * P u + v O * (P u - P v)) <= d * IZR (@size (S n) p) + IZR (@slope (S n) p) * d)%R).
  { eapply Rle_trans; [apply Rabs_triang|]; rewrite !Rabs_mult.
    pose proof (H O ltac:(lia)) as H0; pose proof (Hv O ltac:(lia)) as V0.
    pose proof (size_bounds (S n) p u Hu) as S0; fold P in S0.
    pose proof (Rabs_pos (P u)); pose proof (Rabs_pos (u O - v O)%R); pose proof (Rabs_pos (P u - P v)%R).
    assert (Rabs (u O - v O) * Rabs (P u) <= d * IZR (@size (S n) p))%R by (apply Rmult_le_compat; lra).
    assert (Rabs (v O) * Rabs (P u - P v) <= 1 * Rabs (P u - P v))%R by (apply Rmult_le_compat_r; lra); lra. }
  lra.
Qed.

Lemma value_at_0_bounds : forall n (p : poly n), eval p (fun _ => 0%R) = IZR (value_at_0 p).
Proof.
  induction n as [|n IH]; intro p; [reflexivity|].
  destruct p as [|a p]; [reflexivity|]; rewrite eval_cons, (IH a); cbn; ring.
Qed.

Definition affine (l : list (Z * Z)) (t : nat -> R) : nat -> R :=
  fun i => match nth_error l i with Some (a, b) => (IZR a + IZR b * t i)%R | None => t i end.

Lemma eval_shift : forall n (p : poly n) l t, eval (shift p l) t = eval p (affine l t).
Proof.
  induction n as [|n IH]; intros p l t; [reflexivity|].
  destruct l as [|[a b] rest]; [apply eval_ext; intros i _; unfold affine; destruct i; reflexivity|].
  induction p as [|c p IHp]; [reflexivity|].
  change (@shift (S n) (c :: p) ((a, b) :: rest)) with (@add (S n) [shift c rest]
    (@add (S n) (@scale (S n) a (@shift (S n) p ((a, b) :: rest))) (zero :: @scale (S n) b (@shift (S n) p ((a, b) :: rest))))).
  rewrite !eval_add, !eval_cons, !eval_scale, (eval_zero n), IHp, IH.
  change (affine ((a, b) :: rest) t O) with (IZR a + IZR b * t O)%R.
  change (fun i => affine ((a, b) :: rest) t (S i)) with (affine rest (fun i => t (S i))).
  change (@eval (S n) [] t) with 0%R; ring.
Qed.

Lemma eval_stretch : forall n (p : poly n) l x, eval (stretch p l) x = eval p (stretched l x).
Proof.
  induction n as [|n IH]; intros p l x; [reflexivity|].
  destruct l as [|q rest]; [apply eval_ext; intros i _; unfold stretched; destruct i; reflexivity|].
  set (go := fix go (w : Z) (p : list (poly n)) : list (poly n) := match p with [] => [] | c :: p' => scale w (stretch c rest) :: go (w * q)%Z p' end).
  change (@stretch (S n) p (q :: rest)) with (go 1%Z p).
  assert (A : forall w, @eval (S n) (go w p) x = (IZR w * @eval (S n) p (stretched (q :: rest) x))%R).
  { induction p as [|c p IHp]; intro w; [cbn; ring|].
    change (go w (c :: p)) with (scale w (stretch c rest) :: go (w * q)%Z p).
    rewrite !eval_cons, eval_scale, IH, IHp, mult_IZR.
    change (stretched (q :: rest) x O) with (IZR q * x O)%R.
    change (fun i => stretched (q :: rest) x (S i)) with (stretched rest (fun i => x (S i))); ring. }
  rewrite A; ring.
Qed.

(** ** The test *)

Definition contracting {n : nat} (polys : list (poly n)) (C : list (list Z)) (den : Z) : bool :=
  (0 <? den)%Z && (length C =? n)%nat &&
  forallb (fun i => let h := add (scale den (variable i)) (scale (-1) (combined (nth i C []) polys)) in
                    (Z.abs (value_at_0 h) + slope h <? den)%Z) (seq 0 n).

(** There is a point with the property, and any two points with it have the same n coordinates. *)
Definition exactly_one (n : nat) (property : (nat -> R) -> Prop) : Prop :=
  exists x, property x /\ forall y, property y -> forall i, (i < n)%nat -> y i = x i.

Lemma contracting_sound : forall n (polys : list (poly n)) C den inverse s,
  length polys = n -> contracting polys C den = true -> injective_rows n C inverse den s = true ->
  exactly_one n (fun t => in_unit_box n t /\ forall p, In p polys -> eval p t = 0%R).
Proof.
  intros n polys C den inverse s len H inj.
  apply andb_prop in H; destruct H as [H' H]; apply andb_prop in H'; destruct H' as [D lenC].
  apply Z.ltb_lt in D; apply Nat.eqb_eq in lenC; rewrite forallb_forall in H.
  assert (D' : (0 < IZR den)%R) by (apply IZR_lt; exact D).
  assert (D1 : (1 <= IZR den)%R) by (apply IZR_le; lia).
  set (h := fun i => add (scale den (variable i)) (scale (-1) (combined (nth i C []) polys))).
  set (N := fun (t : nat -> R) i => (eval (h i) t / IZR den)%R).
  set (L := ((IZR den - 1) / IZR den)%R).
  assert (Lr : (0 <= L < 1)%R).
  { unfold L; split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat, D']|].
    apply Rmult_lt_reg_r with (r := IZR den); [exact D'|].
    unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra. }
  assert (small : forall i, (i < n)%nat -> (IZR (Z.abs (value_at_0 (h i))) + IZR (slope (h i)) <= IZR den - 1)%R).
  { intros i Hi; specialize (H i ltac:(apply in_seq; lia)); apply Z.ltb_lt in H; fold (h i) in H.
    rewrite <- plus_IZR, <- minus_IZR; apply IZR_le; lia. }
  assert (contracts : forall u v d, bounded n 1 u -> bounded n 1 v -> (0 <= d)%R -> near n d u v -> near n (L * d) (N u) (N v)).
  { intros u v d Hu Hv Hd Huv i Hi; unfold N.
    replace (eval (h i) u / IZR den - eval (h i) v / IZR den)%R with ((eval (h i) u - eval (h i) v) * / IZR den)%R by (field; lra).
    rewrite Rabs_mult, (Rabs_right (/ IZR den)) by (left; apply Rinv_0_lt_compat, D').
    pose proof (slope_bounds n (h i) u v d Hu Hv Hd Huv) as X; specialize (small i Hi).
    assert (Y : (0 <= IZR (Z.abs (value_at_0 (h i))))%R) by (apply IZR_le; lia).
    assert (Z1 : (IZR (slope (h i)) * d <= (IZR den - 1) * d)%R) by (apply Rmult_le_compat_r; lra).
    replace (L * d)%R with ((IZR den - 1) * d * / IZR den)%R by (unfold L; field; lra).
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, D'|lra]. }
  assert (zero_in : bounded n 1 (fun _ => 0%R)) by (intros i _; rewrite Rabs_R0; lra).
  assert (stays : forall u, bounded n 1 u -> bounded n 1 (N u)).
  { intros u Hu i Hi; unfold N, Rdiv; rewrite Rabs_mult, (Rabs_right (/ IZR den)) by (left; apply Rinv_0_lt_compat, D').
    assert (X : (Rabs (eval (h i) u - eval (h i) (fun _ => 0%R)) <= IZR (slope (h i)) * 1)%R).
    { apply slope_bounds; try assumption; [lra|]; intros j Hj; rewrite Rminus_0_r; apply Hu, Hj. }
    rewrite value_at_0_bounds in X; specialize (small i Hi); rewrite abs_IZR in small.
    assert (Y : (Rabs (eval (h i) u) <= Rabs (IZR (value_at_0 (h i))) + IZR (slope (h i)))%R).
    { replace (eval (h i) u) with (IZR (value_at_0 (h i)) + (eval (h i) u - IZR (value_at_0 (h i))))%R by ring.
      eapply Rle_trans; [apply Rabs_triang|]; lra. }
    apply Rmult_le_reg_r with (r := IZR den); [exact D'|]; rewrite Rmult_assoc, Rinv_l by lra; lra. }
  assert (fixed : forall t, (forall i, (i < n)%nat -> N t i = t i) <-> (forall p, In p polys -> eval p t = 0%R)).
  { assert (value : forall t i, (i < n)%nat -> eval (h i) t = (IZR den * t i - dot (nth i C []) (fun k => eval (nth k polys zero) t))%R).
    { intros t i Hi; unfold h; rewrite eval_add, !eval_scale, eval_variable, eval_combined by exact Hi; ring. }
    intro t; split.
    - intros F p Hp.
      assert (W : forall k, eval (nth k polys zero) t = 0%R).
      { apply (injective_rows_sound n C inverse den s inj).
        - intros i Hi; rewrite nth_overflow by lia; apply eval_zero.
        - intro k; destruct (lt_dec k n) as [Hk|Hk]; [|rewrite nth_overflow by lia; reflexivity].
          specialize (F k Hk); unfold N in F; rewrite value in F by exact Hk.
          apply Rmult_eq_compat_r with (r := IZR den) in F.
          unfold Rdiv in F; rewrite Rmult_assoc, Rinv_l in F by lra; lra. }
      destruct (In_nth polys p zero Hp) as [k [_ <-]]; apply W.
    - intros Z0 i Hi; unfold N; rewrite value by exact Hi.
      rewrite dot_ext0; [field; lra|].
      intro k; destruct (lt_dec k (length polys)) as [Hk|Hk]; [apply Z0, nth_In, Hk|].
      rewrite nth_overflow by lia; apply eval_zero. }
  destruct (fixed_point n N L 1 Lr Rle_0_1 stays contracts) as [v [Hv Fv]].
  exists v; split; [split; [exact Hv|apply fixed, Fv]|].
  intros y [Hy Zy] i Hi; apply (fixed_point_unique n N L 1 Lr Rle_0_1 contracts); try assumption; apply fixed, Zy.
Qed.

(** ** Boxes in the user's variables *)

(** A box lists for each variable center, radius and unit: |x_i - center / unit| <= radius / unit. *)
Definition inside (box : list (Z * Z * Z)) (x : nat -> R) : Prop :=
  forall i a b q, nth_error box i = Some (a, b, q) -> (Rabs (x i - IZR a / IZR q) <= IZR b / IZR q)%R.

Definition is_box (n : nat) (box : list (Z * Z * Z)) : bool :=
  (length box =? n)%nat && forallb (fun c => match c with (_, b, q) => (0 <? b)%Z && (0 <? q)%Z end) box.

Definition sides (box : list (Z * Z * Z)) : list (Z * Z) := map (fun c => match c with (a, b, _) => (a, b) end) box.
Definition units (box : list (Z * Z * Z)) : list Z := map (fun c => match c with (_, _, q) => q end) box.

Definition from_unit_box (box : list (Z * Z * Z)) (t : nat -> R) : nat -> R :=
  fun i => match nth_error box i with Some (a, b, q) => ((IZR a + IZR b * t i) / IZR q)%R | None => t i end.
Definition to_unit_box (box : list (Z * Z * Z)) (x : nat -> R) : nat -> R :=
  fun i => match nth_error box i with Some (a, b, q) => ((IZR q * x i - IZR a) / IZR b)%R | None => x i end.

(** [g] is the polynomial [p], multiplied by [k], in variables that are [units] times as large. *)
Definition rescaled {n : nat} (box : list (Z * Z * Z)) (p : poly n) (k : Z) (g : poly n) : bool :=
  negb (k =? 0)%Z && same (scale k p) (stretch g (units box)).

Lemma box_entry : forall n box, is_box n box = true -> forall i, (i < n)%nat ->
  exists a b q, nth_error box i = Some (a, b, q) /\ (0 < IZR b)%R /\ (0 < IZR q)%R.
Proof.
  intros n box H i Hi; apply andb_prop in H; destruct H as [len H]; apply Nat.eqb_eq in len.
  destruct (nth_error box i) as [[[a b] q]|] eqn:E; [|apply nth_error_None in E; lia].
  exists a, b, q; rewrite forallb_forall in H; specialize (H _ (nth_error_In _ _ E)); cbn in H.
  apply andb_prop in H; destruct H as [Hb Hq]; apply Z.ltb_lt in Hb, Hq; repeat split; apply IZR_lt; assumption.
Qed.

Lemma rescaled_sound : forall n box (p : poly n) k g, is_box n box = true -> rescaled box p k g = true ->
  forall t, eval (shift g (sides box)) t = 0%R <-> eval p (from_unit_box box t) = 0%R.
Proof.
  intros n box p k g B H t; apply andb_prop in H; destruct H as [Hk H].
  apply negb_true_iff, Z.eqb_neq in Hk.
  apply same_sound with (x := from_unit_box box t) in H; rewrite eval_scale, eval_stretch in H.
  assert (E : eval g (stretched (units box) (from_unit_box box t)) = eval (shift g (sides box)) t).
  { rewrite eval_shift; apply eval_ext; intros i Hi.
    destruct (box_entry n box B i Hi) as [a [b [q [E [Hb Hq]]]]].
    unfold stretched, units, affine, sides, from_unit_box; rewrite !nth_error_map, E; cbn; field; lra. }
  rewrite E in H; rewrite <- H; split; intro A.
  - apply Rmult_integral in A; destruct A as [A|A]; [apply eq_IZR in A; contradiction|exact A].
  - rewrite A; ring.
Qed.

Lemma from_inside : forall n box t, is_box n box = true -> in_unit_box n t -> inside box (from_unit_box box t).
Proof.
  intros n box t B H i a b q E.
  assert (Hi : (i < n)%nat).
  { pose proof (nth_error_Some box i) as S0; rewrite E in S0; apply andb_prop in B; destruct B as [len _].
    apply Nat.eqb_eq in len; rewrite <- len; apply S0; discriminate. }
  destruct (box_entry n box B i Hi) as [a' [b' [q' [E' [Hb Hq]]]]]; rewrite E in E'; inversion E'; subst a' b' q'.
  unfold from_unit_box; rewrite E; specialize (H i Hi).
  replace ((IZR a + IZR b * t i) / IZR q - IZR a / IZR q)%R with ((IZR b * / IZR q) * t i)%R by (field; lra).
  assert (P : (0 < IZR b * / IZR q)%R) by (apply Rmult_lt_0_compat; [exact Hb|apply Rinv_0_lt_compat, Hq]).
  rewrite Rabs_mult, (Rabs_right (IZR b * / IZR q)) by lra.
  unfold Rdiv; rewrite <- (Rmult_1_r (IZR b * / IZR q)) at 2; apply Rmult_le_compat_l; lra.
Qed.

Lemma to_inside : forall n box x, is_box n box = true -> inside box x -> in_unit_box n (to_unit_box box x).
Proof.
  intros n box x B H i Hi; destruct (box_entry n box B i Hi) as [a [b [q [E [Hb Hq]]]]].
  specialize (H i a b q E); unfold to_unit_box; rewrite E.
  replace ((IZR q * x i - IZR a) / IZR b)%R with ((IZR q * / IZR b) * (x i - IZR a / IZR q))%R by (field; lra).
  assert (P : (0 < IZR q * / IZR b)%R) by (apply Rmult_lt_0_compat; [exact Hq|apply Rinv_0_lt_compat, Hb]).
  rewrite Rabs_mult, (Rabs_right (IZR q * / IZR b)) by lra.
  apply Rmult_le_compat_l with (r := (IZR q * / IZR b)%R) in H; [|lra].
  replace (IZR q * / IZR b * (IZR b / IZR q))%R with 1%R in H by (field; lra); exact H.
Qed.

Lemma from_to : forall n box x, is_box n box = true -> forall i, (i < n)%nat -> from_unit_box box (to_unit_box box x) i = x i.
Proof.
  intros n box x B i Hi; destruct (box_entry n box B i Hi) as [a [b [q [E [Hb Hq]]]]].
  unfold from_unit_box, to_unit_box; rewrite E; field; lra.
Qed.

Definition all_rescaled {n : nat} (box : list (Z * Z * Z)) (ps : list (poly n)) (gs : list (Z * poly n)) : bool :=
  is_box n box && (length ps =? length gs)%nat &&
  forallb (fun pg => match pg with (p, (k, g)) => rescaled box p k g end) (combine ps gs).

(** The gradient at 0: the Jacobian of the system, by rows, nearly inverts C. *)
Definition gradient {n : nat} (p : poly n) : list Z :=
  map (fun i => value_at_0 (derivative i p)) (seq 0 n).

Definition largest (row : list Z) : Z := fold_right (fun c m => Z.max (Z.abs c) m) 1%Z row.

Definition has_one_zero {n : nat} (box : list (Z * Z * Z)) (ps : list (poly n)) (gs : list (Z * poly n))
  (C : list (list Z)) (den : Z) : bool :=
  let polys := map (fun g => shift (snd g) (sides box)) gs in
  let J := map gradient polys in
  all_rescaled box ps gs && (length gs =? n)%nat && contracting polys C den && injective_rows n C J den (map largest J).

Lemma all_rescaled_sound : forall n box (ps : list (poly n)) gs, all_rescaled box ps gs = true ->
  is_box n box = true /\ forall t,
  (forall p, In p (map (fun g => shift (snd g) (sides box)) gs) -> eval p t = 0%R) <->
  (forall p, In p ps -> eval p (from_unit_box box t) = 0%R).
Proof.
  intros n box ps gs H; apply andb_prop in H; destruct H as [H H3]; apply andb_prop in H; destruct H as [B len].
  split; [exact B|]; intro t.
  apply Nat.eqb_eq in len; revert gs len H3; induction ps as [|p ps IH]; intros [|[k g] gs] len H3; try discriminate len.
  - split; intros _ ? [].
  - cbn in H3; apply andb_prop in H3; destruct H3 as [Hg H3].
    pose proof (rescaled_sound n box p k g B Hg t) as E; specialize (IH gs ltac:(cbn in len; lia) H3); cbn.
    split; intros A q [<-|Hq].
    + apply E, A; left; reflexivity.
    + apply IH; [|exact Hq]; intros; apply A; right; assumption.
    + apply E, A; left; reflexivity.
    + apply IH; [|exact Hq]; intros; apply A; right; assumption.
Qed.

Theorem one_zero : forall n box (ps : list (poly n)) gs C den, has_one_zero box ps gs C den = true ->
  exactly_one n (fun x => inside box x /\ forall p, In p ps -> eval p x = 0%R).
Proof.
  intros n box ps gs C den H; unfold has_one_zero in H.
  apply andb_prop in H; destruct H as [H inj]; apply andb_prop in H; destruct H as [H con].
  apply andb_prop in H; destruct H as [H len]; apply Nat.eqb_eq in len.
  apply all_rescaled_sound in H; destruct H as [B E].
  destruct (contracting_sound n _ C den _ _ (eq_trans (map_length _ gs) len) con inj) as [t [[Ht Zt] U]].
  exists (from_unit_box box t); split; [split; [apply (from_inside n); assumption|apply E, Zt]|].
  intros y [Iy Zy] i Hi.
  assert (Y : to_unit_box box y i = t i).
  { apply U; [split|exact Hi]; [apply to_inside; assumption|]; apply E; intros p Hp.
    rewrite (eval_ext n p _ y); [apply Zy, Hp|]; apply from_to, B. }
  rewrite <- (from_to n box y B i Hi); unfold from_unit_box; destruct (nth_error box i) as [[[a b] q]|]; rewrite Y; reflexivity.
Qed.

Lemma rescaled_value : forall n box (p : poly n) k g, is_box n box = true -> rescaled box p k g = true -> forall x,
  (IZR k * eval p x)%R = eval (shift g (sides box)) (to_unit_box box x).
Proof.
  intros n box p k g B H x; apply andb_prop in H; destruct H as [_ H].
  apply same_sound with (x := x) in H; rewrite eval_scale, eval_stretch in H; rewrite H, eval_shift.
  apply eval_ext; intros i Hi; destruct (box_entry n box B i Hi) as [a [b [q [E [Hb Hq]]]]].
  unfold stretched, units, affine, sides, to_unit_box; rewrite !nth_error_map, E; cbn; field; lra.
Qed.

(** ** How large a polynomial can be on a box: at most num/den *)

Definition at_most {n : nat} (box : list (Z * Z * Z)) (p : poly n) (k : Z) (g : poly n) (num den : Z) : bool :=
  is_box n box && rescaled box p k g && (0 <? den)%Z && (size (shift g (sides box)) * den <=? num * Z.abs k)%Z.

Theorem at_most_sound : forall n box (p : poly n) k g num den, at_most box p k g num den = true ->
  forall x, inside box x -> (Rabs (eval p x) <= IZR num / IZR den)%R.
Proof.
  intros n box p k g num den H x Hx.
  apply andb_prop in H; destruct H as [H H4]; apply andb_prop in H; destruct H as [H H3].
  apply andb_prop in H; destruct H as [B H]; pose proof (rescaled_value n box p k g B H x) as E.
  apply andb_prop in H; destruct H as [Hk _].
  apply negb_true_iff, Z.eqb_neq in Hk; apply Z.ltb_lt, IZR_lt in H3; apply Z.leb_le, IZR_le in H4.
  rewrite !mult_IZR, abs_IZR in H4.
  pose proof (size_bounds n (shift g (sides box)) _ (to_inside n box x B Hx)) as S0; rewrite <- E, Rabs_mult in S0.
  assert (K : (0 < Rabs (IZR k))%R) by (apply Rabs_pos_lt, not_0_IZR, Hk).
  apply Rmult_le_reg_l with (r := (Rabs (IZR k) * IZR den)%R); [apply Rmult_lt_0_compat; assumption|].
  replace (Rabs (IZR k) * IZR den * (IZR num / IZR den))%R with (IZR num * Rabs (IZR k))%R by (field; lra).
  assert (Rabs (IZR k) * Rabs (eval p x) * IZR den <= IZR (size (shift g (sides box))) * IZR den)%R
    by (apply Rmult_le_compat_r; lra); lra.
Qed.
