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

Definition stretched (l : list Z) (x : nat -> R) : nat -> R :=
  fun i => match nth_error l i with Some q => (IZR q * x i)%R | None => x i end.

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

(** ** Matrices of whole numbers, by rows *)

Fixpoint dot (row : list Z) (w : nat -> R) : R :=
  match row with [] => 0%R | c :: r => (IZR c * w O + dot r (fun i => w (S i)))%R end.

Fixpoint combined {n : nat} (row : list Z) (rows : list (poly n)) : poly n :=
  match row, rows with c :: r, p :: ps => add (scale c p) (combined r ps) | _, _ => zero end.

Definition unit_row (i : nat) (c : Z) : poly 1 := repeat 0%Z i ++ [c].

Fixpoint weighted (row s : list Z) : Z :=
  match row, s with c :: r, a :: s' => (Z.abs c * a + weighted r s')%Z | _, _ => 0%Z end.

Lemma dot_add : forall a b w, dot (@add 1 a b) w = (dot a w + dot b w)%R.
Proof.
  induction a as [|x a IH]; intros [|y b] w; try (cbn; ring).
  change (@add 1 (x :: a) (y :: b)) with ((x + y)%Z :: @add 1 a b); cbn [dot]; rewrite IH, plus_IZR; ring.
Qed.

Lemma dot_scale : forall c a w, dot (@scale 1 c a) w = (IZR c * dot a w)%R.
Proof.
  intros c a; induction a as [|x a IH]; intro w; [cbn; ring|].
  change (@scale 1 c (x :: a)) with ((c * x)%Z :: @scale 1 c a); cbn [dot]; rewrite IH, mult_IZR; ring.
Qed.

Lemma dot_ext0 : forall row w, (forall i, w i = 0%R) -> dot row w = 0%R.
Proof. induction row as [|c row IH]; intros w H; cbn; [reflexivity|]; rewrite H, IH; [ring|intro; apply H]. Qed.

Lemma dot_combined : forall row (rows : list (poly 1)) w, dot (combined row rows) w = dot row (fun k => dot (nth k rows zero) w).
Proof.
  induction row as [|c row IH]; intros [|r rows] w; try reflexivity.
  - symmetry; apply dot_ext0; intros [|k]; reflexivity.
  - cbn [combined]; rewrite dot_add, dot_scale, IH; reflexivity.
Qed.

Lemma eval_combined : forall n row (ps : list (poly n)) x, eval (combined row ps) x = dot row (fun k => eval (nth k ps zero) x).
Proof.
  intro n; induction row as [|c row IH]; intros [|p ps] x; cbn [combined]; try apply eval_zero.
  - rewrite eval_zero; symmetry; apply dot_ext0; intros [|k]; apply eval_zero.
  - rewrite eval_add, eval_scale, IH; reflexivity.
Qed.

Lemma dot_unit : forall i c w, dot (unit_row i c) w = (IZR c * w i)%R.
Proof.
  unfold unit_row; induction i as [|i IH]; intros c w; cbn; [ring|].
  change (dot (repeat 0%Z i ++ [c])) with (dot (unit_row i c)) in *; unfold unit_row; rewrite IH; ring.
Qed.

Lemma dot_weighted : forall row s w M, (0 <= M)%R ->
  (forall i, (Rabs (w i) <= IZR (nth i s 0%Z) * M)%R) -> (Rabs (dot row w) <= IZR (weighted row s) * M)%R.
Proof.
  induction row as [|c row IH]; intros [|a s] w M HM H; cbn [dot weighted].
  - rewrite Rabs_R0; lra.
  - rewrite Rabs_R0; lra.
  - assert (Z0 : forall i, w i = 0%R).
    { intro i; specialize (H i); destruct i; cbn in H; rewrite Rmult_0_l in H;
        pose proof (Rabs_pos (w O)); apply Rabs_eq_0 || idtac;
        match goal with |- w ?j = _ => pose proof (Rabs_pos (w j)); destruct (Req_dec (w j) 0) as [E|E]; [exact E|];
          pose proof (Rabs_pos_lt _ E); lra end. }
    rewrite (Z0 O), (dot_ext0 row (fun i => w (S i))) by (intro; apply Z0).
    rewrite Rmult_0_r, Rplus_0_l, Rabs_R0; lra.
  - rewrite plus_IZR, mult_IZR, abs_IZR.
    eapply Rle_trans; [apply Rabs_triang|]; rewrite Rabs_mult.
    pose proof (H O) as H0; cbn in H0.
    pose proof (IH s (fun i => w (S i)) M HM (fun i => H (S i))).
    assert (Rabs (IZR c) * Rabs (w O) <= Rabs (IZR c) * (IZR a * M))%R by (apply Rmult_le_compat_l; [apply Rabs_pos|lra]).
    lra.
Qed.

(** [inverse] nearly inverts [matrix]: so what [matrix] maps to zero is zero. *)
Definition injective_rows (n : nat) (matrix inverse : list (list Z)) (den : Z) (s : list Z) : bool :=
  (0 <? den)%Z && (length s =? n)%nat && forallb (fun a => (0 <? a)%Z) s &&
  forallb (fun i => (2 * weighted (@add 1 (unit_row i den) (@scale 1 (-1) (@combined 1 (nth i inverse []) matrix))) s
                     <=? den * nth i s 0%Z)%Z) (seq 0 n).

Lemma injective_rows_sound : forall n matrix inverse den s, injective_rows n matrix inverse den s = true ->
  forall w, (forall i, (n <= i)%nat -> w i = 0%R) -> (forall k, dot (nth k matrix []) w = 0%R) -> forall i, w i = 0%R.
Proof.
  intros n matrix inverse den s H w far rows.
  apply andb_prop in H; destruct H as [H H4]; apply andb_prop in H; destruct H as [H H3].
  apply andb_prop in H; destruct H as [H1 H2].
  apply Z.ltb_lt in H1; apply Nat.eqb_eq in H2; rewrite forallb_forall in H3, H4.
  assert (D : (0 < IZR den)%R) by (apply IZR_lt; exact H1).
  assert (S0 : forall i, (i < n)%nat -> (0 < IZR (nth i s 0%Z))%R).
  { intros i Hi; apply IZR_lt, Z.ltb_lt, H3, nth_In; lia. }
  assert (A : forall i, (i < n)%nat -> w i = 0%R).
  { apply (shrinking n w (fun i => IZR (nth i s 0%Z)) (/ 2)); [lra|exact S0|].
    intros M HM bound i Hi.
    specialize (H4 i ltac:(apply in_seq; lia)); apply Z.leb_le, IZR_le in H4.
    set (row := @add 1 (unit_row i den) (@scale 1 (-1) (@combined 1 (nth i inverse []) matrix))) in *.
    assert (E : dot row w = (IZR den * w i)%R).
    { unfold row; rewrite dot_add, dot_scale, dot_unit, dot_combined, dot_ext0 by exact rows; ring. }
    assert (bound' : forall j, (Rabs (w j) <= IZR (nth j s 0%Z) * M)%R).
    { intro j; destruct (lt_dec j n) as [Hj|Hj]; [apply bound, Hj|].
      rewrite far, Rabs_R0, nth_overflow by lia; lra. }
    pose proof (dot_weighted row s w M HM bound') as W; rewrite E, Rabs_mult, (Rabs_right (IZR den)) in W by lra.
    rewrite !mult_IZR in H4.
    apply Rmult_le_reg_l with (r := IZR den); [exact D|].
    assert (2 * IZR (weighted row s) * M <= IZR den * IZR (nth i s 0%Z) * M)%R by (apply Rmult_le_compat_r; lra).
    lra. }
  intro i; destruct (lt_dec i n) as [Hi|Hi]; [apply A, Hi|apply far; lia].
Qed.

(** ** The test *)

Definition contracting {n : nat} (polys : list (poly n)) (C : list (list Z)) (den : Z) : bool :=
  (0 <? den)%Z && (length C =? n)%nat &&
  forallb (fun i => let h := add (scale den (variable i)) (scale (-1) (combined (nth i C []) polys)) in
                    (Z.abs (value_at_0 h) + slope h <? den)%Z) (seq 0 n).

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

(** ** Further polynomials that are zero where others are

    Each row of [U] has a factor for each polynomial in [hs], each row of [A] one for each in [fs]; together they add
    up to zero.  [C] nearly inverts [U] on the whole box; [grid] is [U] in the box's units. *)

Fixpoint zsum (m : nat) (f : nat -> Z) : Z := match m with O => 0%Z | S k => (f O + zsum k (fun i => f (S i)))%Z end.

Lemma rsum_dot : forall c m (u : nat -> nat -> R) w,
  rsum m (fun j => dot c (fun k => u k j) * w j)%R = dot c (fun k => rsum m (fun j => u k j * w j)%R).
Proof.
  induction c as [|a c IH]; intros m u w; [apply rsum_0; intros; cbn; ring|]; cbn [dot].
  rewrite <- (IH m (fun k => u (S k)) w).
  assert (L : forall m f g, (IZR a * rsum m f + rsum m g = rsum m (fun i => IZR a * f i + g i))%R).
  { induction m0 as [|m0 IHm]; intros f g; cbn; [ring|].
    rewrite <- (IHm (fun i => f (S i)) (fun i => g (S i))); ring. }
  rewrite L; apply rsum_ext; intros; ring.
Qed.

Lemma rsum_delta : forall m f i c, (i < m)%nat -> rsum m (fun j => IZR (if (i =? j)%nat then c else 0%Z) * f j)%R = (IZR c * f i)%R.
Proof.
  induction m as [|m IH]; intros f i c H; [lia|]; cbn [rsum]; destruct i as [|i]; cbn [Nat.eqb].
  - rewrite rsum_0; [ring|]; intros; cbn; ring.
  - rewrite (IH (fun j => f (S j)) i c) by lia; ring.
Qed.

Lemma rsum_minus : forall m f g, rsum m (fun i => f i - g i)%R = (rsum m f - rsum m g)%R.
Proof. induction m as [|m IH]; intros f g; cbn; [ring|]; rewrite IH; ring. Qed.

Lemma rsum_bound : forall m f z w M, (0 <= M)%R -> (forall j, (j < m)%nat -> (Rabs (f j) <= IZR (z j))%R) ->
  (forall j, (j < m)%nat -> (Rabs (w j) <= M)%R) -> (Rabs (rsum m (fun j => f j * w j)) <= IZR (zsum m z) * M)%R.
Proof.
  induction m as [|m IH]; intros f z w M HM Hf Hw; cbn; [rewrite Rabs_R0; lra|].
  rewrite plus_IZR; eapply Rle_trans; [apply Rabs_triang|]; rewrite Rabs_mult.
  pose proof (IH (fun j => f (S j)) (fun j => z (S j)) (fun j => w (S j)) M HM
    ltac:(intros; apply Hf; lia) ltac:(intros; apply Hw; lia)).
  assert (Rabs (f O) * Rabs (w O) <= IZR (z O) * M)%R by (apply Rmult_le_compat; try apply Rabs_pos; [apply Hf|apply Hw]; lia).
  lra.
Qed.

Lemma eval_combination : forall n (row hs : list (poly n)) x,
  eval (combination row hs) x = rsum (length hs) (fun j => eval (nth j row zero) x * eval (nth j hs zero) x)%R.
Proof.
  intros n row; induction row as [|a row IH]; intros [|h hs] x; try apply eval_zero.
  - cbn [combination]; rewrite eval_zero; symmetry; apply rsum_0.
    intros [|i] _; cbn [nth]; rewrite eval_zero; ring.
  - cbn [combination length rsum]; rewrite eval_add, eval_mul, IH; reflexivity.
Qed.

Definition entry {n : nat} (rows : list (list (poly n))) (k j : nat) : poly n := nth j (nth k rows []) zero.

Definition also_zero {n : nat} (box : list (Z * Z * Z)) (fs hs : list (poly n)) (A U grid : list (list (poly n)))
  (scale_of_U : Z) (C : list (list Z)) (den : Z) : bool :=
  let m := length hs in
  is_box n box && (0 <? den)%Z && (length grid =? m)%nat &&
  forallb (fun k => is_zero (add (combination (nth k A []) fs) (combination (nth k U []) hs))
                    && forallb (fun j => rescaled box (entry U k j) scale_of_U (entry grid k j)) (seq 0 m)) (seq 0 m) &&
  forallb (fun i => zsum m (fun j => size (add (constant (if (i =? j)%nat then den else 0%Z))
                                          (scale (-1) (combined (nth i C [])
                                            (map (fun row => shift (nth j row zero) (sides box)) grid))))) <? den)%Z (seq 0 m).

Theorem also_zero_sound : forall n box (fs hs : list (poly n)) A U grid c C den,
  also_zero box fs hs A U grid c C den = true ->
  forall x, inside box x -> (forall f, In f fs -> eval f x = 0%R) -> forall h, In h hs -> eval h x = 0%R.
Proof.
  intros n box fs hs A U grid c C den H x Hx Hf h Hh.
  set (m := length hs) in *.
  apply andb_prop in H; destruct H as [H H5]; apply andb_prop in H; destruct H as [H H4].
  apply andb_prop in H; destruct H as [H H3]; apply andb_prop in H; destruct H as [B D].
  apply Nat.eqb_eq in H3; apply Z.ltb_lt in D; rewrite forallb_forall in H4, H5; fold m in H3, H4, H5.
  assert (D' : (0 < IZR den)%R) by (apply IZR_lt; exact D).
  assert (D1 : (1 <= IZR den)%R) by (apply IZR_le; lia).
  set (t := to_unit_box box x); set (w := fun j => eval (nth j hs zero) x).
  assert (T : in_unit_box n t) by (apply to_inside; assumption).
  set (g := fun k j => eval (shift (entry grid k j) (sides box)) t).
  assert (R0 : forall k, (k < m)%nat -> rsum m (fun j => g k j * w j)%R = 0%R).
  { intros k Hk; specialize (H4 k ltac:(apply in_seq; lia)); apply andb_prop in H4; destruct H4 as [Hz Hg].
    apply is_zero_sound with (x := x) in Hz; rewrite eval_add, (combination_vanishes n _ fs x Hf), eval_combination in Hz.
    rewrite forallb_forall in Hg; fold m in Hz.
    rewrite (rsum_ext m _ (fun j => IZR c * (eval (nth j (nth k U []) zero) x * w j))%R).
    - assert (L : forall m f, (rsum m (fun i => IZR c * f i) = IZR c * rsum m f)%R).
      { induction m0 as [|m0 IHm]; intro f; cbn; [ring|]; rewrite IHm; ring. }
      rewrite L; fold w in Hz; unfold w in Hz |- *; rewrite Rplus_0_l in Hz; rewrite Hz; ring.
    - intros j Hj; specialize (Hg j ltac:(apply in_seq; lia)).
      unfold g, t; rewrite <- (rescaled_value n box _ c _ B Hg x); unfold entry; ring. }
  assert (W : forall j, (j < m)%nat -> w j = 0%R).
  { apply (shrinking m w (fun _ => 1%R) ((IZR den - 1) / IZR den)%R).
    - split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat, D']|].
      apply Rmult_lt_reg_r with (r := IZR den); [exact D'|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra.
    - intros; lra.
    - intros M HM bound i Hi; rewrite Rmult_1_l.
      specialize (H5 i ltac:(apply in_seq; lia)); apply Z.ltb_lt in H5.
      set (e := fun j => add (constant (if (i =? j)%nat then den else 0%Z)) (scale (-1) (combined (nth i C [])
                  (map (fun row => shift (nth j row zero) (sides box)) grid)))) in *.
      assert (V : forall j, eval (e j) t = (IZR (if (i =? j)%nat then den else 0%Z) - dot (nth i C []) (fun k => g k j))%R).
      { intro j; unfold e; rewrite eval_add, eval_scale, eval_constant, eval_combined.
        assert (X : forall k, eval (nth k (map (fun row => shift (nth j row zero) (sides box)) grid) zero) t = g k j).
        { intro k; unfold g, entry; destruct (lt_dec k (length grid)) as [Hk|Hk].
          - set (f := fun row => shift (nth j row zero) (sides box)).
            change (eval (nth k (map f grid) zero) t = eval (f (nth k grid [])) t).
            rewrite <- (map_nth f grid [] k), (nth_indep (map f grid) zero (f [])) by (rewrite map_length; exact Hk).
            reflexivity.
          - rewrite (nth_overflow grid) by lia; rewrite nth_overflow by (rewrite map_length; lia).
            rewrite eval_shift; destruct j; cbn [nth]; rewrite !eval_zero; reflexivity. }
        assert (Y : forall l u v, (forall k, u k = v k) -> dot l u = dot l v).
        { induction l as [|a l IHl]; intros u v Huv; cbn; [reflexivity|]; rewrite Huv, (IHl _ (fun k => v (S k))); auto. }
        rewrite (Y _ _ _ X); ring. }
      assert (S1 : (IZR den * w i)%R = rsum m (fun j => eval (e j) t * w j)%R).
      { rewrite (rsum_ext m _ (fun j => IZR (if (i =? j)%nat then den else 0%Z) * w j - dot (nth i C []) (fun k => g k j) * w j)%R)
          by (intros; rewrite V; ring).
        rewrite rsum_minus, rsum_delta, rsum_dot by exact Hi.
        rewrite dot_ext0; [ring|]; intro k; destruct (lt_dec k m) as [Hk|Hk]; [apply R0, Hk|].
        apply rsum_0; intros j Hj; unfold g, entry; rewrite (nth_overflow grid) by lia.
        rewrite eval_shift; destruct j; cbn [nth]; rewrite eval_zero; ring. }
      assert (S2 : (Rabs (rsum m (fun j => eval (e j) t * w j)) <= IZR (zsum m (fun j => size (e j))) * M)%R).
      { apply rsum_bound; [exact HM| |].
        - intros; apply size_bounds, T.
        - intros j Hj; specialize (bound j Hj); lra. }
      rewrite <- S1, Rabs_mult, (Rabs_right (IZR den)) in S2 by (apply Rle_ge; lra).
      assert (S3 : (IZR (zsum m (fun j => size (e j))) <= IZR den - 1)%R) by (rewrite <- minus_IZR; apply IZR_le; change (zsum m (fun j => size (e j)) < den)%Z in H5; lia).
      apply Rmult_le_reg_l with (r := IZR den); [exact D'|].
      replace (IZR den * ((IZR den - 1) / IZR den * M))%R with ((IZR den - 1) * M)%R by (field; lra).
      assert (IZR (zsum m (fun j => size (e j))) * M <= (IZR den - 1) * M)%R by (apply Rmult_le_compat_r; lra); lra. }
  destruct (In_nth hs h zero Hh) as [j [Hj <-]]; apply W, Hj.
Qed.
