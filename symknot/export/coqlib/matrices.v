(** * Matrices of whole numbers, by rows *)

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
