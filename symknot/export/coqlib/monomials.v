(** * Monomials and term orders

    A monomial in n variables is the list of its n exponents. *)

Notation mono := (list nat).

Fixpoint times_mono (a b : mono) : mono := match a, b with i :: a', j :: b' => (i + j)%nat :: times_mono a' b' | _, _ => [] end.
Fixpoint over_mono (a b : mono) : mono := match a, b with i :: a', j :: b' => (i - j)%nat :: over_mono a' b' | _, _ => [] end.
Fixpoint lcm_mono (a b : mono) : mono := match a, b with i :: a', j :: b' => Nat.max i j :: lcm_mono a' b' | _, _ => [] end.
Fixpoint divides (a b : mono) : bool := match a, b with i :: a', j :: b' => (i <=? j)%nat && divides a' b' | _, _ => true end.
Definition same_mono (a b : mono) : bool := if list_eq_dec Nat.eq_dec a b then true else false.

Lemma same_mono_iff : forall a b, same_mono a b = true <-> a = b.
Proof. intros a b; unfold same_mono; destruct (list_eq_dec Nat.eq_dec a b); split; congruence. Qed.

Lemma times_length : forall a b, length a = length b -> length (times_mono a b) = length b.
Proof. induction a as [|i a IH]; intros [|j b] H; cbn in *; try congruence; rewrite IH; lia. Qed.

Lemma over_length : forall a b, length a = length b -> length (over_mono a b) = length b.
Proof. induction a as [|i a IH]; intros [|j b] H; cbn in *; try congruence; rewrite IH; lia. Qed.

Lemma lcm_length : forall a b, length a = length b -> length (lcm_mono a b) = length b.
Proof. induction a as [|i a IH]; intros [|j b] H; cbn in *; try congruence; rewrite IH; lia. Qed.

Lemma times_assoc : forall a b c, times_mono a (times_mono b c) = times_mono (times_mono a b) c.
Proof. induction a as [|i a IH]; intros [|j b] [|k c]; cbn; auto; rewrite IH, Nat.add_assoc; reflexivity. Qed.

Lemma times_one : forall n a, length a = n -> times_mono (repeat O n) a = a.
Proof. induction n as [|n IH]; intros [|i a] H; cbn in *; try congruence; rewrite IH; auto; lia. Qed.

Lemma times_is : forall d e m, length d = length e -> length e = length m ->
  same_mono (times_mono d e) m = divides d m && same_mono e (over_mono m d).
Proof.
  intros d e m H1 H2; apply eq_true_iff_eq; rewrite andb_true_iff, !same_mono_iff; revert e m H1 H2.
  induction d as [|i d IH]; intros [|j e] [|k m] H1 H2; cbn in *; try discriminate; [tauto|].
  specialize (IH e m ltac:(lia) ltac:(lia)); rewrite andb_true_iff, Nat.leb_le; split.
  - intro E; injection E as E1 E2; apply IH in E2; destruct E2 as [A B]; rewrite <- B; repeat split; auto; [lia|f_equal; lia].
  - intros [[A B] E]; injection E as E1 E2; f_equal; [lia|apply IH; auto].
Qed.

Lemma divides_times : forall d a, length d = length a -> divides d (times_mono a d) = true.
Proof. induction d as [|i d IH]; intros [|j a] H; cbn in *; auto; try discriminate; rewrite IH, andb_true_r by lia; apply Nat.leb_le; lia. Qed.

(** What divides both of two monomials' multiples: with u a = v b = m, the monomial m is d lcm(a, b), and u = d (lcm / a). *)
Lemma common_multiple : forall a b u v, length a = length b -> length u = length a -> length v = length b ->
  times_mono u a = times_mono v b -> let l := lcm_mono a b in let d := over_mono (times_mono u a) l in
  times_mono d l = times_mono u a /\ times_mono d (over_mono l a) = u /\ times_mono d (over_mono l b) = v.
Proof.
  induction a as [|i a IH]; intros [|j b] [|k u] [|l v] H1 H2 H3 E; cbn in *; try discriminate; auto.
  injection E as E1 E2; destruct (IH b u v ltac:(lia) ltac:(lia) ltac:(lia) E2) as [A [B C]]; rewrite A, B, C.
  repeat split; f_equal; lia.
Qed.

(** ** Term orders: monomials are compared by sums of exponents, the first that differ decide. *)

Inductive term_order := lex | grlex | grevlex.

Fixpoint degree_of (e : mono) : nat := match e with [] => O | i :: r => (i + degree_of r)%nat end.

Fixpoint sums (e : mono) : list nat := match e with [] => [] | i :: r => map (Nat.add i) (sums r) ++ [i] end.

Definition key (k : term_order) (e : mono) : list nat :=
  match k with lex => e | grlex => degree_of e :: e | grevlex => sums e end.

Fixpoint compare_keys (a b : list nat) : comparison :=
  match a, b with
  | i :: a', j :: b' => match Nat.compare i j with Eq => compare_keys a' b' | c => c end
  | [], [] => Eq
  | [], _ => Lt
  | _, [] => Gt
  end.

Definition smaller (k : term_order) (a b : mono) : Prop := compare_keys (key k a) (key k b) = Lt.
Definition is_smaller (k : term_order) (a b : mono) : bool :=
  match compare_keys (key k a) (key k b) with Lt => true | _ => false end.

Lemma is_below_iff : forall k a b, is_smaller k a b = true <-> smaller k a b.
Proof. intros; unfold is_smaller, smaller; destruct compare_keys; split; congruence. Qed.

Lemma compare_same : forall a b, compare_keys a b = Eq -> a = b.
Proof.
  induction a as [|i a IH]; intros [|j b] H; cbn in H; try discriminate; auto.
  destruct (Nat.compare_spec i j); try discriminate; subst; f_equal; auto.
Qed.

Lemma compare_refl : forall a, compare_keys a a = Eq.
Proof. induction a as [|i a IH]; cbn; [reflexivity|]; rewrite Nat.compare_refl; exact IH. Qed.

Lemma compare_opp : forall a b, compare_keys b a = CompOpp (compare_keys a b).
Proof.
  induction a as [|i a IH]; intros [|j b]; cbn; auto.
  rewrite (Nat.compare_antisym i j); destruct (Nat.compare i j); cbn; auto.
Qed.

Lemma compare_trans : forall a b c, compare_keys a b = Lt -> compare_keys b c = Lt -> compare_keys a c = Lt.
Proof.
  induction a as [|i a IH]; intros [|j b] [|k c] H1 H2; cbn in *; try discriminate; auto.
  destruct (Nat.compare_spec i j) as [E|E|E]; try discriminate; destruct (Nat.compare_spec j k) as [F|F|F]; try discriminate;
    destruct (Nat.compare_spec i k) as [G|G|G]; try lia; auto; eapply IH; eauto.
Qed.

Lemma compare_times : forall c a b, length a = length c -> length b = length c ->
  compare_keys (times_mono c a) (times_mono c b) = compare_keys a b.
Proof.
  induction c as [|k c IH]; intros [|i a] [|j b] H1 H2; cbn in *; try discriminate; auto.
  rewrite IH by lia; destruct (Nat.compare_spec i j); destruct (Nat.compare_spec (k + i) (k + j)); try lia; auto.
Qed.

Lemma sums_length : forall e, length (sums e) = length e.
Proof. induction e as [|i e IH]; cbn; [reflexivity|]; rewrite app_length, map_length, IH; cbn; lia. Qed.

Lemma times_app : forall a b c d, length a = length b -> times_mono (a ++ c) (b ++ d) = times_mono a b ++ times_mono c d.
Proof. induction a as [|i a IH]; intros [|j b] c d H; cbn in *; try discriminate; auto; rewrite IH; auto; lia. Qed.

Lemma times_map : forall a b i j, times_mono (map (Nat.add i) a) (map (Nat.add j) b) = map (Nat.add (i + j)) (times_mono a b).
Proof. induction a as [|k a IH]; intros [|l b] i j; cbn; auto; rewrite IH; f_equal; lia. Qed.

Lemma sums_times : forall a b, length a = length b -> sums (times_mono a b) = times_mono (sums a) (sums b).
Proof.
  induction a as [|i a IH]; intros [|j b] H; cbn in *; try discriminate; auto.
  rewrite IH, times_app, times_map by (rewrite ?map_length, ?sums_length; lia); reflexivity.
Qed.

Lemma sums_inj : forall a b, sums a = sums b -> a = b.
Proof.
  induction a as [|i a IH]; intros b H.
  - destruct b as [|j b]; [reflexivity|]; cbn in H; symmetry in H; apply app_eq_nil in H; destruct H; discriminate.
  - destruct b as [|j b]; cbn in H; [apply app_eq_nil in H; destruct H; discriminate|].
    apply app_inj_tail in H; destruct H as [H E]; subst; f_equal; apply IH.
    revert H; generalize (sums a) (sums b); induction l as [|x l IHl]; intros [|y l'] H; cbn in H; try discriminate; auto.
    injection H as H1 H2; f_equal; [lia|auto].
Qed.

Lemma sum_times : forall a b, length a = length b -> degree_of (times_mono a b) = (degree_of a + degree_of b)%nat.
Proof. induction a as [|i a IH]; intros [|j b] H; cbn in *; try discriminate; auto; rewrite IH; lia. Qed.

Lemma key_times : forall k a b, length a = length b -> key k (times_mono a b) = times_mono (key k a) (key k b).
Proof. intros [| |] a b H; cbn; [reflexivity|rewrite sum_times; auto|apply sums_times; auto]. Qed.

Lemma key_length : forall k a b, length a = length b -> length (key k a) = length (key k b).
Proof. intros [| |] a b H; cbn; rewrite ?sums_length; auto. Qed.

Lemma key_inj : forall k a b, key k a = key k b -> a = b.
Proof. intros [| |] a b H; cbn in H; [exact H|injection H; auto|apply sums_inj; exact H]. Qed.

Lemma below_trans : forall k a b c, smaller k a b -> smaller k b c -> smaller k a c.
Proof. intros k a b c; apply compare_trans. Qed.

Lemma below_irrefl : forall k a, ~ smaller k a a.
Proof. intros k a; unfold smaller; rewrite compare_refl; discriminate. Qed.

Lemma below_times : forall k c a b, length a = length c -> length b = length c -> smaller k a b ->
  smaller k (times_mono c a) (times_mono c b).
Proof. intros k c a b H1 H2; unfold smaller; rewrite !key_times, compare_times by (try apply key_length; congruence); auto. Qed.

Lemma below_total : forall k a b, a = b \/ smaller k a b \/ smaller k b a.
Proof.
  intros k a b; unfold smaller; rewrite (compare_opp (key k a)); destruct (compare_keys (key k a) (key k b)) eqn:E; cbn; auto.
  left; apply (key_inj k), compare_same, E.
Qed.

(** Every descent ends. *)
Lemma keys_descend : forall n, well_founded (fun a b => length a = n /\ length b = n /\ compare_keys a b = Lt).
Proof.
  induction n as [|n IH].
  - intros b; constructor; intros a [H1 [H2 H]]; destruct a, b; discriminate.
  - intros b; constructor; intros a [Ha [_ _]]; destruct a as [|i a]; [discriminate|]; cbn in Ha; injection Ha as Ha.
    revert a Ha; induction i as [i IHi] using (well_founded_induction lt_wf); intros a.
    induction a as [a IHa] using (well_founded_induction IH); intro Ha.
    constructor; intros [|j c] [Hc [_ H]]; [discriminate|]; cbn in Hc; injection Hc as Hc; cbn in H.
    destruct (Nat.compare_spec j i) as [E|E|E]; try discriminate; [subst; apply IHa; auto|apply IHi; auto].
Qed.

Lemma below_descends : forall k n (P : mono -> Prop),
  (forall m, length m = n -> (forall m', length m' = n -> smaller k m' m -> P m') -> P m) -> forall m, length m = n -> P m.
Proof.
  intros k n P H m Hm.
  pose proof (keys_descend (length (key k m))) as W.
  assert (Q : forall a, forall m', length m' = n -> key k m' = a -> P m').
  { induction a as [a IH] using (well_founded_induction W); intros m' Hm' E; apply H; auto; intros m'' Hm'' B.
    apply (IH (key k m'')); auto; subst a; repeat split; [| |exact B]; apply key_length; congruence. }
  apply (Q (key k m)); auto.
Qed.
