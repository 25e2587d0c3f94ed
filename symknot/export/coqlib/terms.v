(** * Polynomials with real coefficients, as lists of terms *)

Notation rpoly := (list (list nat * R)).
Notation zterms := (list (list nat * Z)).

Fixpoint coefficient (p : rpoly) (m : mono) : R :=
  match p with [] => 0%R | (e, c) :: r => ((if same_mono e m then c else 0) + coefficient r m)%R end.

Definition real (p : zterms) : rpoly := map (fun t => (fst t, IZR (snd t))) p.
Definition multiple (c : R) (w : mono) (p : rpoly) : rpoly := map (fun t => (times_mono w (fst t), (c * snd t)%R)) p.
Definition in_n {A : Type} (n : nat) (p : list (mono * A)) : Prop := forall t, In t p -> length (fst t) = n.

Lemma coefficient_app : forall p q m, coefficient (p ++ q) m = (coefficient p m + coefficient q m)%R.
Proof. induction p as [|[e c] p IH]; intros; cbn; [ring|]; rewrite IH; ring. Qed.

Lemma coefficient_times : forall n c w p m, length w = n -> length m = n -> in_n n p ->
  coefficient (multiple c w p) m = if divides w m then (c * coefficient p (over_mono m w))%R else 0%R.
Proof.
  intros n c w p m Hw Hm; induction p as [|[e d] p IH]; intro Hp; [cbn; destruct divides; ring|].
  change (multiple c w ((e, d) :: p)) with ((times_mono w e, (c * d)%R) :: multiple c w p); cbn [coefficient].
  rewrite IH by (intros t Ht; apply Hp; right; exact Ht).
  assert (He : length e = n) by (apply (Hp (e, d)); left; reflexivity).
  rewrite times_is by congruence; destruct (divides w m); cbn [andb]; [destruct same_mono|]; ring.
Qed.

Lemma real_in_n : forall n p, in_n n p -> in_n n (real p).
Proof. intros n p H t Ht; apply in_map_iff in Ht; destruct Ht as [t' [<- Ht]]; apply H in Ht; exact Ht. Qed.

Lemma times_in_n : forall n c w p, length w = n -> in_n n p -> in_n n (multiple c w p).
Proof.
  intros n c w p Hw H t Ht; apply in_map_iff in Ht; destruct Ht as [t' [<- Ht]]; apply H in Ht; cbn; rewrite times_length; congruence.
Qed.

Lemma coefficient_none : forall p m, (forall t, In t p -> fst t <> m) -> coefficient p m = 0%R.
Proof.
  induction p as [|[e c] p IH]; intros m H; cbn; [reflexivity|]; rewrite IH by (intros t Ht; apply H; right; exact Ht).
  destruct (same_mono e m) eqn:E; [|ring]; apply same_mono_iff in E; exfalso; exact (H (e, c) (or_introl eq_refl) E).
Qed.

(** The coefficients of a polynomial as it is computed with. *)
Fixpoint coefficient_of {n : nat} : poly n -> mono -> Z :=
  match n with
  | O => fun c _ => c
  | S k => fun p e => match e with [] => 0%Z | i :: r => coefficient_of (nth i p zero) r end
  end.

Lemma coefficient_of_zero : forall n m, coefficient_of (@zero n) m = 0%Z.
Proof. induction n as [|n IH]; intros [|i m]; auto; cbn; destruct i; apply IH. Qed.

Lemma coefficient_of_add : forall n (p q : poly n) m, coefficient_of (add p q) m = (coefficient_of p m + coefficient_of q m)%Z.
Proof.
  induction n as [|n IH]; intros p q m; [reflexivity|]; destruct m as [|i m]; [reflexivity|].
  change (coefficient_of (nth i (@add (S n) p q) zero) m = (coefficient_of (nth i p zero) m + coefficient_of (nth i q zero) m)%Z).
  revert i q; induction p as [|a p IHp]; intros i q.
  - change (@add (S n) [] q) with q; destruct i; cbn [nth]; rewrite coefficient_of_zero; ring.
  - destruct q as [|b q].
    + change (@add (S n) (a :: p) []) with (a :: p); destruct i; cbn [nth]; rewrite coefficient_of_zero; ring.
    + change (@add (S n) (a :: p) (b :: q)) with (add a b :: @add (S n) p q); destruct i; cbn [nth]; [apply IH|apply IHp].
Qed.

Lemma coefficient_of_monomial : forall n c e m, length e = n -> length m = n ->
  coefficient_of (@monomial n c e) m = if same_mono e m then c else 0%Z.
Proof.
  induction n as [|n IH]; intros c [|i e] [|j m] H1 H2; try discriminate; [reflexivity|].
  change (coefficient_of (nth j (repeat (@zero n) i ++ [monomial c e]) zero) m = if same_mono (i :: e) (j :: m) then c else 0%Z).
  cbn in H1, H2; assert (E : same_mono (i :: e) (j :: m) = (i =? j)%nat && same_mono e m).
  { apply eq_true_iff_eq; rewrite andb_true_iff, !same_mono_iff, Nat.eqb_eq; split; [intro E; injection E; auto|intros [-> ->]; reflexivity]. }
  rewrite E; destruct (Nat.eqb_spec i j) as [->|D]; cbn [andb].
  - rewrite app_nth2; rewrite repeat_length; [|lia]; rewrite Nat.sub_diag; cbn [nth]; apply IH; lia.
  - replace (nth j (repeat (@zero n) i ++ [monomial c e]) zero) with (@zero n); [apply coefficient_of_zero|].
    destruct (Nat.lt_ge_cases j i) as [L|L].
    + rewrite app_nth1 by (rewrite repeat_length; exact L); symmetry; apply nth_repeat.
    + rewrite nth_overflow; [reflexivity|]; rewrite app_length, repeat_length; cbn; lia.
Qed.

Lemma coefficient_of_is_zero : forall n (p : poly n) m, is_zero p = true -> coefficient_of p m = 0%Z.
Proof.
  induction n as [|n IH]; intros p m H; [apply Z.eqb_eq in H; exact H|]; destruct m as [|i m]; [reflexivity|].
  change (coefficient_of (nth i p zero) m = 0%Z); destruct (nth_in_or_default i p zero) as [Hi| ->]; [|apply coefficient_of_zero].
  apply IH; change (forallb (@is_zero n) p = true) in H; rewrite forallb_forall in H; exact (H _ Hi).
Qed.

Lemma coefficient_of_terms : forall n (p : zterms) m, in_n n p -> length m = n ->
  IZR (coefficient_of (@of_terms n p) m) = coefficient (real p) m.
Proof.
  intros n p m Hp Hm; induction p as [|[e c] p IH].
  - cbn [of_terms fold_right real map coefficient]; rewrite coefficient_of_zero; reflexivity.
  - change (of_terms ((e, c) :: p)) with (add (@monomial n c e) (of_terms p)).
    rewrite coefficient_of_add, plus_IZR, IH by (intros t Ht; apply Hp; right; exact Ht).
    rewrite coefficient_of_monomial by (auto; apply (Hp (e, c)); left; reflexivity).
    change (real ((e, c) :: p)) with ((e, IZR c) :: real p); cbn [coefficient]; destruct same_mono; ring.
Qed.
