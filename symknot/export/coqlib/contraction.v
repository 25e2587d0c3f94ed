(** * Contractions have one fixed point (Banach), in n dimensions and the maximum norm *)

Section Contraction.

Variables (n : nat) (N : (nat -> R) -> nat -> R) (L B : R).

Definition bounded (u : nat -> R) : Prop := forall i, (i < n)%nat -> (Rabs (u i) <= B)%R.
Definition near (d : R) (u v : nat -> R) : Prop := forall i, (i < n)%nat -> (Rabs (u i - v i) <= d)%R.

Hypothesis L_range : (0 <= L < 1)%R.
Hypothesis B_range : (0 <= B)%R.
Hypothesis stays : forall u, bounded u -> bounded (N u).
Hypothesis contracts : forall u v d, bounded u -> bounded v -> (0 <= d)%R -> near d u v -> near (L * d) (N u) (N v).

Fixpoint iterate (k : nat) : nat -> R := match k with O => fun _ => 0%R | S j => N (iterate j) end.

Definition tail (k : nat) : R := (L ^ k * (2 * B / (1 - L)))%R.

Lemma iterate_bounded : forall k, bounded (iterate k).
Proof.
  induction k as [|k IH]; [|apply stays, IH].
  intros i _; cbn; rewrite Rabs_R0; exact B_range.
Qed.

Lemma tail_step : forall k, (tail k = L ^ k * (2 * B) + tail (S k))%R.
Proof. intro k; unfold tail; cbn [pow]; field; lra. Qed.

Lemma pow_L : forall k, (0 <= L ^ k)%R.
Proof. intro k; apply pow_le; lra. Qed.

Lemma tail_positive : forall k, (0 <= tail k)%R.
Proof.
  intro k; unfold tail, Rdiv; apply Rmult_le_pos; [apply pow_L|].
  apply Rmult_le_pos; [lra|]; left; apply Rinv_0_lt_compat; lra.
Qed.

Lemma step_near : forall k, near (L ^ k * (2 * B)) (iterate k) (iterate (S k)).
Proof.
  induction k as [|k IH].
  - intros i Hi; rewrite pow_O, Rmult_1_l.
    pose proof (iterate_bounded 0 i Hi); pose proof (iterate_bounded 1 i Hi).
    eapply Rle_trans; [apply Rabs_triang|]; rewrite Rabs_Ropp; lra.
  - change (L ^ S k)%R with (L * L ^ k)%R; rewrite Rmult_assoc.
    apply (contracts (iterate k) (iterate (S k))); try apply iterate_bounded; [|exact IH].
    apply Rmult_le_pos; [apply pow_L|lra].
Qed.

Lemma far_near : forall j k i, (i < n)%nat -> (Rabs (iterate k i - iterate (k + j) i) <= tail k - tail (k + j))%R.
Proof.
  induction j as [|j IH]; intros k i Hi.
  - rewrite Nat.add_0_r; unfold Rminus; rewrite !Rplus_opp_r, Rabs_R0; lra.
  - rewrite Nat.add_succ_r.
    replace (iterate k i - iterate (S (k + j)) i)%R
      with ((iterate k i - iterate (k + j) i) + (iterate (k + j) i - iterate (S (k + j)) i))%R by ring.
    eapply Rle_trans; [apply Rabs_triang|].
    pose proof (IH k i Hi); pose proof (step_near (k + j) i Hi); pose proof (tail_step (k + j)); lra.
Qed.

Lemma later_near : forall k m i, (i < n)%nat -> (k <= m)%nat -> (Rabs (iterate k i - iterate m i) <= tail k)%R.
Proof.
  intros k m i Hi H; replace m with (k + (m - k))%nat by lia.
  eapply Rle_trans; [apply far_near, Hi|]; pose proof (tail_positive (k + (m - k))); lra.
Qed.

Lemma tail_small : forall e, (0 < e)%R -> exists k, (tail k < e)%R.
Proof.
  intros e He; assert (A : (0 < 2 * B / (1 - L) + 1)%R).
  { assert (0 <= 2 * B / (1 - L))%R; [|lra].
    unfold Rdiv; apply Rmult_le_pos; [lra|]; left; apply Rinv_0_lt_compat; lra. }
  destruct (pow_lt_1_zero L) with (y := (e / (2 * B / (1 - L) + 1))%R) as [k Hk].
  - rewrite Rabs_right; lra.
  - apply Rdiv_lt_0_compat; assumption.
  - exists k; specialize (Hk k (le_n k)); pose proof (pow_L k) as P; rewrite Rabs_right in Hk by lra.
    apply Rmult_lt_compat_r with (r := (2 * B / (1 - L) + 1)%R) in Hk; [|exact A].
    unfold Rdiv in Hk at 2; rewrite Rmult_assoc, Rinv_l, Rmult_1_r in Hk by lra.
    unfold tail; lra.
Qed.

Lemma coordinate_cauchy : forall i, (i < n)%nat -> Cauchy_crit (fun k => iterate k i).
Proof.
  intros i Hi e He; destruct (tail_small (e / 2)) as [k Hk]; [lra|].
  exists k; intros a b Ha Hb; unfold R_dist.
  replace (iterate a i - iterate b i)%R with ((iterate k i - iterate b i) - (iterate k i - iterate a i))%R by ring.
  eapply Rle_lt_trans; [apply Rabs_triang|]; rewrite Rabs_Ropp.
  pose proof (later_near k a i Hi Ha); pose proof (later_near k b i Hi Hb); lra.
Qed.

Definition limit (i : nat) : R :=
  match lt_dec i n with
  | left H => proj1_sig (R_complete _ (coordinate_cauchy i H))
  | right _ => 0%R
  end.

Lemma limit_is : forall i, (i < n)%nat -> Un_cv (fun k => iterate k i) (limit i).
Proof.
  intros i Hi; unfold limit; destruct (lt_dec i n) as [H|H]; [|contradiction].
  destruct (R_complete _ (coordinate_cauchy i H)); assumption.
Qed.

Lemma limit_close : forall U l a d k, Un_cv U l -> (forall m, (k <= m)%nat -> Rabs (a - U m) <= d)%R -> (Rabs (a - l) <= d)%R.
Proof.
  intros U l a d k HU H; apply le_epsilon; intros e He.
  destruct (HU e He) as [m Hm]; specialize (Hm (max m k) ltac:(lia)); specialize (H (max m k) ltac:(lia)).
  unfold R_dist in Hm; replace (a - l)%R with ((a - U (max m k)) + (U (max m k) - l))%R by ring.
  eapply Rle_trans; [apply Rabs_triang|]; lra.
Qed.

Lemma limit_bounded : bounded limit.
Proof.
  intros i Hi; rewrite <- Rabs_Ropp; replace (- limit i)%R with (0 - limit i)%R by ring.
  apply (limit_close _ _ _ _ O (limit_is i Hi)); intros m _; replace (0 - iterate m i)%R with (- iterate m i)%R by ring.
  rewrite Rabs_Ropp; apply iterate_bounded, Hi.
Qed.

Lemma limit_near : forall k, near (tail k) (iterate k) limit.
Proof. intros k i Hi; apply (limit_close _ _ _ _ k (limit_is i Hi)); intros; apply later_near; assumption. Qed.

Theorem fixed_point : exists v, bounded v /\ forall i, (i < n)%nat -> N v i = v i.
Proof.
  exists limit; split; [exact limit_bounded|]; intros i Hi.
  apply Rminus_diag_uniq, cond_eq; intros e He; rewrite Rminus_0_r.
  destruct (tail_small (e / 2)) as [k Hk]; [lra|].
  pose proof (contracts _ _ _ (iterate_bounded k) limit_bounded (tail_positive k) (limit_near k) i Hi) as A.
  pose proof (limit_near (S k) i Hi) as C; pose proof (tail_step k); pose proof (pow_L k).
  assert (0 <= L ^ k * (2 * B))%R by (apply Rmult_le_pos; lra).
  assert (L * tail k <= 1 * tail k)%R by (apply Rmult_le_compat_r; [apply tail_positive|lra]).
  replace (N limit i - limit i)%R with ((iterate (S k) i - limit i) - (N (iterate k) i - N limit i))%R by (cbn; ring).
  eapply Rle_lt_trans; [apply Rabs_triang|]; rewrite Rabs_Ropp; lra.
Qed.

Theorem fixed_point_unique : forall u v, bounded u -> bounded v ->
  (forall i, (i < n)%nat -> N u i = u i) -> (forall i, (i < n)%nat -> N v i = v i) ->
  forall i, (i < n)%nat -> u i = v i.
Proof.
  intros u v Hu Hv Fu Fv.
  assert (A : forall k, near (L ^ k * (2 * B)) u v).
  { induction k as [|k IH]; intros i Hi.
    - rewrite pow_O, Rmult_1_l; pose proof (Hu i Hi); pose proof (Hv i Hi).
      eapply Rle_trans; [apply Rabs_triang|]; rewrite Rabs_Ropp; lra.
    - change (L ^ S k)%R with (L * L ^ k)%R; rewrite Rmult_assoc, <- (Fu i Hi), <- (Fv i Hi).
      apply contracts; try assumption; apply Rmult_le_pos; [apply pow_L|lra]. }
  intros i Hi; apply Rminus_diag_uniq, cond_eq; intros e He; rewrite Rminus_0_r.
  destruct (tail_small e He) as [k Hk]; eapply Rle_lt_trans; [apply (A k i Hi)|].
  pose proof (tail_step k); pose proof (tail_positive (S k)); lra.
Qed.

End Contraction.

(** What a map with L < 1 cannot enlarge is zero, measured in units of [s]. *)
Lemma shrinking : forall n (w s : nat -> R) L,
  (0 <= L < 1)%R -> (forall i, (i < n)%nat -> (0 < s i)%R) ->
  (forall M, (0 <= M)%R -> (forall i, (i < n)%nat -> (Rabs (w i) <= s i * M)%R) ->
             forall i, (i < n)%nat -> (Rabs (w i) <= s i * (L * M))%R) ->
  forall i, (i < n)%nat -> w i = 0%R.
Proof.
  intros n w s L HL Hs step.
  assert (exists M, (0 <= M)%R /\ forall i, (i < n)%nat -> (Rabs (w i) <= s i * M)%R) as [M [HM bound]].
  { clear step; induction n as [|n IH]; [exists 0%R; split; [lra|intros; lia]|].
    destruct IH as [M [HM H]]; [intros; apply Hs; lia|].
    pose proof (Hs n ltac:(lia)) as Hn; pose proof (Rabs_pos (w n)) as P.
    assert (Q : (0 <= Rabs (w n) / s n)%R).
    { unfold Rdiv; apply Rmult_le_pos; [exact P|left; apply Rinv_0_lt_compat, Hn]. }
    exists (M + Rabs (w n) / s n)%R; split; [lra|]; intros i Hi.
    destruct (Nat.eq_dec i n) as [->|E].
    - replace (s n * (M + Rabs (w n) / s n))%R with (s n * M + Rabs (w n))%R by (field; lra).
      assert (0 <= s n * M)%R by (apply Rmult_le_pos; lra); lra.
    - pose proof (H i ltac:(lia)); pose proof (Hs i Hi).
      assert (0 <= s i * (Rabs (w n) / s n))%R by (apply Rmult_le_pos; lra); lra. }
  assert (A : forall k i, (i < n)%nat -> (Rabs (w i) <= s i * (L ^ k * M))%R).
  { induction k as [|k IH]; intros i Hi; [rewrite pow_O, Rmult_1_l; apply bound, Hi|].
    change (L ^ S k)%R with (L * L ^ k)%R; rewrite Rmult_assoc; apply step; [|exact IH|exact Hi].
    apply Rmult_le_pos; [apply pow_le; lra|exact HM]. }
  intros i Hi; pose proof (Hs i Hi) as P; apply cond_eq; intros e He; rewrite Rminus_0_r.
  assert (T : (0 < s i * (M + 1))%R) by (apply Rmult_lt_0_compat; lra).
  destruct (pow_lt_1_zero L) with (y := (e / (s i * (M + 1)))%R) as [k Hk].
  - rewrite Rabs_right; lra.
  - apply Rdiv_lt_0_compat; assumption.
  - specialize (Hk k (le_n k)); assert (Q : (0 <= L ^ k)%R) by (apply pow_le; lra).
    rewrite Rabs_right in Hk by lra.
    apply Rmult_lt_compat_r with (r := (s i * (M + 1))%R) in Hk; [|exact T].
    unfold Rdiv in Hk; rewrite Rmult_assoc, Rinv_l, Rmult_1_r in Hk by lra.
    eapply Rle_lt_trans; [apply (A k i Hi)|].
    assert (0 <= L ^ k * s i)%R by (apply Rmult_le_pos; lra); lra.
Qed.
