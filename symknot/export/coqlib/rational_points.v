(** * Rational points, made whole

    Numbers stay short where each variable is multiplied by a common denominator of its coordinates, [ds]: the points become
    whole, and a polynomial, multiplied by the powers [top] of these denominators, has whole coefficients there too. *)
Fixpoint enlarged (ds : list Z) (l : list (Z * Z * nat)) : list (Z * Z * nat) :=
  match ds, l with d :: ds', (a, q, m) :: r => ((a * (d / q))%Z, 1%Z, m) :: enlarged ds' r | _, _ => [] end.

Fixpoint enlarges (n : nat) (ds : list Z) (l : list (Z * Z * nat)) : bool :=
  match n, ds, l with
  | O, _, _ => true
  | S k, d :: ds', (a, q, m) :: r => (0 <? d)%Z && (0 <? q)%Z && (d / q * q =? d)%Z && enlarges k ds' r
  | _, _, _ => false
  end.

Lemma enlarged_sound : forall n ds l x, enlarges n ds l = true -> forall i, (i < n)%nat ->
  x i = point (coordinates l) i <-> stretched ds x i = point (coordinates (enlarged ds l)) i.
Proof.
  induction n as [|n IH]; intros ds l x H i Hi; [lia|].
  destruct ds as [|d ds]; [discriminate H|]; destruct l as [|[[a q] m] l]; [discriminate H|].
  cbn [enlarges] in H; apply andb_prop in H; destruct H as [H H4]; apply andb_prop in H; destruct H as [H H3].
  apply andb_prop in H; destruct H as [H1 H2]; apply Z.ltb_lt, IZR_lt in H1; apply Z.ltb_lt, IZR_lt in H2.
  apply Z.eqb_eq in H3; destruct i as [|i].
  - change (x O = (IZR a / IZR q)%R <-> (IZR d * x O = IZR (a * (d / q)) / 1)%R).
    apply (f_equal IZR) in H3; rewrite mult_IZR in H3; rewrite mult_IZR, <- H3.
    assert (D : (IZR (d / q) <> 0)%R) by (intro E; rewrite E, Rmult_0_l in H3; lra).
    split; intro E; [rewrite E; field; lra|].
    apply Rmult_eq_reg_l with (r := (IZR (d / q) * IZR q)%R); [rewrite E; field; lra|].
    apply Rmult_integral_contrapositive_currified; [exact D|lra].
  - exact (IH ds l (fun j => x (S j)) H4 i ltac:(lia)).
Qed.

Fixpoint missing_powers (ds : list Z) (top e : list nat) : Z :=
  match ds, top, e with d :: ds', m :: top', i :: e' => (d ^ Z.of_nat (m - i) * missing_powers ds' top' e')%Z | _, _, _ => 1%Z end.

Fixpoint below (ds : list Z) (top e : list nat) : bool :=
  match ds, top, e with
  | d :: ds', m :: top', i :: e' => (0 <? d)%Z && (i <=? m)%nat && below ds' top' e'
  | [], [], [] => true
  | _, _, _ => false
  end.

Fixpoint all_powers (ds : list Z) (top : list nat) : R :=
  match ds, top with d :: ds', m :: top' => (IZR d ^ m * all_powers ds' top')%R | _, _ => 1%R end.

Definition enlarged_terms (ds : list Z) (top : list nat) (g : list (list nat * Z)) : list (list nat * Z) :=
  map (fun t => (fst t, (missing_powers ds top (fst t) * snd t)%Z)) g.

Lemma below_sound : forall ds top e x, below ds top e = true -> all_powers ds top <> 0%R /\
  (IZR (missing_powers ds top e) * monomial_value e (stretched ds x) = all_powers ds top * monomial_value e x)%R.
Proof.
  induction ds as [|d ds IH]; intros [|m top] [|i e] x H; try discriminate H; [cbn; split; [lra|ring]|].
  cbn [below] in H; apply andb_prop in H; destruct H as [H H3]; apply andb_prop in H; destruct H as [H1 H2].
  apply Z.ltb_lt, IZR_lt in H1; apply Nat.leb_le in H2; destruct (IH top e (fun j => x (S j)) H3) as [A B].
  cbn [all_powers missing_powers monomial_value]; split.
  - apply Rmult_integral_contrapositive_currified; [apply pow_nonzero; lra|exact A].
  - change (fun j => stretched (d :: ds) x (S j)) with (stretched ds (fun j => x (S j))).
    change (stretched (d :: ds) x O) with (IZR d * x O)%R.
    rewrite mult_IZR, <- pow_IZR, Rpow_mult_distr.
    replace (IZR d ^ m)%R with (IZR d ^ (m - i) * IZR d ^ i)%R by (rewrite <- pow_add; f_equal; lia).
    replace (IZR d ^ (m - i) * IZR (missing_powers ds top e) * (IZR d ^ i * x O ^ i * monomial_value e (stretched ds (fun j => x (S j)))))%R
      with (IZR d ^ (m - i) * IZR d ^ i * x O ^ i * (IZR (missing_powers ds top e) * monomial_value e (stretched ds (fun j => x (S j)))))%R by ring.
    rewrite B; ring.
Qed.

Lemma enlarged_terms_sound : forall ds top g x, forallb (fun t => below ds top (fst t)) g = true ->
  (terms_value (enlarged_terms ds top g) (stretched ds x) = all_powers ds top * terms_value g x)%R.
Proof.
  intros ds top g x; induction g as [|[e c] g IH]; intro H; [cbn; ring|].
  cbn [forallb fst] in H; apply andb_prop in H; destruct H as [H1 H2]; destruct (below_sound ds top e x H1) as [_ B].
  unfold enlarged_terms in *; cbn [map terms_value fst snd]; rewrite (IH H2), mult_IZR, (Rmult_comm (IZR _) (IZR c)), Rmult_assoc, B; ring.
Qed.

Definition exact_rational_points (n : nat) (ds : list Z) (top : list nat) (points : list (list (Z * Z * nat)))
  (standard : list (list nat)) (basis : list (list (list nat * Z))) (steps : list (list nat * nat))
  (inverse : list (list Z)) (den : Z) (s r : list Z) : bool :=
  forallb (enlarges n ds) points && (length ds =? n)%nat && forallb (forallb (fun t => below ds top (fst t))) basis &&
  forallb (in_variables n) basis &&
  exact_points n (map (enlarged ds) points) standard (map (enlarged_terms ds top) basis) steps inverse den s r.

Theorem exact_rational_points_sound : forall n ds top points standard basis steps inverse den s r,
  exact_rational_points n ds top points standard basis steps inverse den s r = true ->
  forall x, (forall p, In p (map (@of_terms n) basis) -> eval p x = 0%R) <->
            (exists l, In l points /\ forall i, (i < n)%nat -> x i = point (coordinates l) i).
Proof.
  intros n ds top points standard basis steps inverse den s r H x.
  apply andb_prop in H; destruct H as [H H5]; apply andb_prop in H; destruct H as [H H4].
  apply andb_prop in H; destruct H as [H H3]; apply andb_prop in H; destruct H as [H1 H2].
  rewrite forallb_forall in H1, H3, H4.
  assert (same_zeros : forall g, In g basis -> eval (@of_terms n g) x = 0%R <->
            eval (@of_terms n (enlarged_terms ds top g)) (stretched ds x) = 0%R).
  { intros g Hg; specialize (H3 g Hg); specialize (H4 g Hg).
    assert (V : in_variables n (enlarged_terms ds top g) = true).
    { unfold in_variables, enlarged_terms in *; rewrite forallb_forall in *; intros t Ht; apply in_map_iff in Ht.
      destruct Ht as [t' [<- Ht]]; exact (H4 t' Ht). }
    rewrite !eval_of_terms, enlarged_terms_sound by assumption.
    destruct g as [|[e c] g]; [cbn; split; intro; ring|].
    cbn [forallb fst] in H3; apply andb_prop in H3; destruct H3 as [H3 _]; destruct (below_sound ds top e x H3) as [A _].
    split; intro E; [rewrite E; ring|]; apply Rmult_integral in E; destruct E as [E|E]; [contradiction|exact E]. }
  pose proof (exact_points_sound _ _ _ _ _ _ _ _ _ H5 (stretched ds x)) as W; split.
  - intro X; destruct (proj1 W) as [l' [Hl E]].
    + intros g Hg; apply in_map_iff in Hg; destruct Hg as [g' [<- Hg]]; apply same_zeros, X, in_map; exact Hg.
    + apply in_map_iff in Hl; destruct Hl as [l [<- Hl]]; exists l; split; [exact Hl|]; intros i Hi.
      apply (enlarged_sound n ds l x (H1 l Hl) i Hi), E, Hi.
  - intros [l [Hl E]] p Hp; apply in_map_iff in Hp; destruct Hp as [g [<- Hg]]; apply same_zeros; [exact Hg|].
    apply (proj2 W); [|apply in_map; exact Hg]; exists (enlarged ds l); split; [apply in_map; exact Hl|].
    intros i Hi; apply (enlarged_sound n ds l x (H1 l Hl) i Hi), E, Hi.
Qed.
