(** * Further polynomials that are zero where others are

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
