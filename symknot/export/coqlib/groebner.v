(** * Groebner bases: Buchberger's criterion

    A polynomial with real coefficients is a list of terms.  The theorem at the end: if every S-polynomial of G is a
    combination of G whose products all lead below the least common multiple of the two leading monomials, then the leading
    monomial of every polynomial in the ideal of G is a multiple of the leading monomial of an element of G. *)

(** ** Combinations: a piece is a coefficient, a monomial and an element of G; its top is where its product leads. *)

Definition lead (g : zterms) : mono := match g with [] => [] | (e, _) :: _ => e end.
Definition lead_coefficient (g : zterms) : Z := match g with [] => 0%Z | (_, c) :: _ => c end.

Notation piece := (R * list nat * list (list nat * Z))%type.
Definition top (t : piece) : mono := match t with (_, w, g) => times_mono w (lead g) end.
Definition product (t : piece) : rpoly := match t with (c, w, g) => multiple c w (real g) end.
Definition total (L : list piece) : rpoly := flat_map product L.
Definition raised (c : R) (d : mono) (L : list piece) : list piece :=
  map (fun t => match t with (b, w, g) => ((c * b)%R, times_mono d w, g) end) L.

(** An element of a basis: in n variables, with its leading term first. *)
Definition led (n : nat) (k : term_order) (g : zterms) : Prop :=
  in_n n g /\ length (lead g) = n /\ lead_coefficient g <> 0%Z /\ forall t, In t (tl g) -> smaller k (fst t) (lead g).

Section Basis.
Variables (n : nat) (k : term_order) (G : list zterms).
Hypothesis G_led : forall g, In g G -> led n k g.

Definition valid (t : piece) : Prop := match t with (_, w, g) => In g G /\ length w = n end.
Definition lower (m : mono) (L : list piece) : Prop := forall t, In t L -> valid t /\ smaller k (top t) m.

Lemma top_length : forall t, valid t -> length (top t) = n.
Proof. intros [[c w] g] [Hg Hw]; cbn; destruct (G_led g Hg) as [_ [Hl _]]; rewrite times_length; congruence. Qed.

Lemma product_in_n : forall t, valid t -> in_n n (product t).
Proof. intros [[c w] g] [Hg Hw]; apply times_in_n; [exact Hw|]; apply real_in_n, (G_led g Hg). Qed.

Lemma total_in_n : forall L, (forall t, In t L -> valid t) -> in_n n (total L).
Proof.
  intros L H t Ht; apply in_flat_map in Ht; destruct Ht as [p [Hp Ht]]; exact (product_in_n p (H p Hp) t Ht).
Qed.

Lemma total_app : forall L M m, coefficient (total (L ++ M)) m = (coefficient (total L) m + coefficient (total M) m)%R.
Proof. intros L M m; unfold total; rewrite flat_map_app; apply coefficient_app. Qed.

Lemma total_cons : forall t L m, coefficient (total (t :: L)) m = (coefficient (product t) m + coefficient (total L) m)%R.
Proof. intros t L m; cbn [total flat_map]; apply coefficient_app. Qed.

Lemma times_times : forall c d b w p, multiple c d (multiple b w p) = multiple (c * b) (times_mono d w) p.
Proof.
  intros c d b w p; unfold multiple; rewrite map_map; apply map_ext; intros [e a]; cbn [fst snd]; rewrite times_assoc; f_equal; ring.
Qed.

Lemma total_raised : forall c d L, total (raised c d L) = multiple c d (total L).
Proof.
  intros c d L; induction L as [|[[b w] g] L IH]; [reflexivity|].
  change (total (raised c d ((b, w, g) :: L))) with (multiple (c * b) (times_mono d w) (real g) ++ total (raised c d L)).
  change (total ((b, w, g) :: L)) with (multiple b w (real g) ++ total L); rewrite IH, <- times_times; symmetry; apply map_app.
Qed.

(** The terms of a product are its top and monomials below it. *)
Lemma product_terms : forall t e, valid t -> In e (product t) -> fst e = top t \/ smaller k (fst e) (top t).
Proof.
  intros [[c w] g] e [Hg Hw] He; destruct (G_led g Hg) as [Hn [Hl [_ Hb]]].
  apply in_map_iff in He; destruct He as [e' [<- He]]; apply in_map_iff in He; destruct He as [e'' [<- He]]; cbn.
  destruct g as [|[a b] g]; [destruct He|]; destruct He as [<-|He]; [left; reflexivity|right].
  apply below_times; [rewrite Hw; apply Hn; right; exact He|congruence|apply Hb, He].
Qed.

Lemma product_above : forall t m, valid t -> smaller k (top t) m -> coefficient (product t) m = 0%R.
Proof.
  intros t m V H; apply coefficient_none; intros e He E; subst m.
  destruct (product_terms t e V He) as [D|D]; [rewrite D in H; exact (below_irrefl _ _ H)|].
  exact (below_irrefl _ _ (below_trans _ _ _ _ H D)).
Qed.

Lemma product_top : forall c w g, valid (c, w, g) ->
  coefficient (product (c, w, g)) (top (c, w, g)) = (c * IZR (lead_coefficient g))%R.
Proof.
  intros c w g [Hg Hw]; destruct (G_led g Hg) as [Hn [Hl [H0 Hb]]]; destruct g as [|[a b] g]; [cbn in H0; congruence|].
  change (product (c, w, (a, b) :: g)) with ((times_mono w a, (c * IZR b)%R) :: multiple c w (real g)).
  cbn [coefficient top lead]; replace (same_mono (times_mono w a) (times_mono w a)) with true by (symmetry; apply same_mono_iff; reflexivity).
  rewrite coefficient_none; [cbn; ring|]; intros e He; apply in_map_iff in He; destruct He as [e' [<- He]].
  apply in_map_iff in He; destruct He as [e'' [<- He]]; cbn [fst]; intro E.
  assert (B : smaller k (times_mono w (fst e'')) (times_mono w a)).
  { apply below_times; [rewrite Hw; apply Hn; right; exact He|cbn in Hl; congruence|exact (Hb _ He)]. }
  rewrite E in B; exact (below_irrefl _ _ B).
Qed.

Lemma total_above : forall L m, lower m L -> coefficient (total L) m = 0%R.
Proof.
  induction L as [|t L IH]; intros m H; [reflexivity|]; rewrite total_cons, IH by (intros s Hs; apply H; right; exact Hs).
  destruct (H t (or_introl eq_refl)) as [V B]; rewrite product_above by assumption; ring.
Qed.

(** The S-polynomial of g and h, up to a factor, is a combination whose products lead below the least common multiple. *)
Definition reduces (g h : zterms) : Prop :=
  let l := lcm_mono (lead g) (lead h) in exists c Q, (c <> 0)%R /\ lower l Q /\ forall m, length m = n ->
  (c * (IZR (lead_coefficient h) * coefficient (multiple 1 (over_mono l (lead g)) (real g)) m
        - IZR (lead_coefficient g) * coefficient (multiple 1 (over_mono l (lead h)) (real h)) m))%R = coefficient (total Q) m.

Lemma lcm_comm : forall a b, lcm_mono a b = lcm_mono b a.
Proof. induction a as [|i a IH]; intros [|j b]; cbn; auto; rewrite IH, Nat.max_comm; reflexivity. Qed.

Lemma reduces_comm : forall g h, reduces g h -> reduces h g.
Proof.
  intros g h [c [Q [Hc [HQ E]]]]; exists (- c)%R, Q; rewrite (lcm_comm (lead h)); split; [lra|split; [exact HQ|]].
  intros m Hm; rewrite <- (E m Hm); ring.
Qed.

Hypothesis all_reduce : forall g h, In g G -> In h G -> g = h \/ reduces g h.

Lemma scaled_product : forall c w g m, In g G -> length w = n -> length m = n ->
  coefficient (product (c, w, g)) m = (c * coefficient (product (1%R, w, g)) m)%R.
Proof.
  intros c w g m Hg Hw Hm; destruct (G_led g Hg) as [Hn _]; unfold product.
  rewrite !(coefficient_times n) by (auto; apply real_in_n, Hn); destruct divides; ring.
Qed.

(** Two pieces with the same top: the first is a multiple of the second's product, and something lower. *)
Lemma exchange : forall b v g c w h, valid (b, v, g) -> valid (c, w, h) -> top (b, v, g) = top (c, w, h) ->
  exists a Q, lower (top (c, w, h)) Q /\ forall m, length m = n ->
  coefficient (product (b, v, g)) m = (a * coefficient (product (1%R, w, h)) m + coefficient (total Q) m)%R.
Proof.
  intros b v g c w h [Hg Hv] [Hh Hw] T; destruct (G_led g Hg) as [Gn [Gl [G0 _]]]; destruct (G_led h Hh) as [Hn [Hl [H0 _]]].
  cbn [top] in T; destruct (common_multiple (lead g) (lead h) v w ltac:(congruence) ltac:(congruence) ltac:(congruence) T)
    as [L0 [L1 L2]]; set (l := lcm_mono (lead g) (lead h)) in *; set (d := over_mono (times_mono v (lead g)) l) in *.
  assert (Ll : length l = n) by (unfold l; rewrite lcm_length; congruence).
  assert (Ld : length d = n) by (unfold d; rewrite over_length; [exact Ll|]; rewrite times_length; congruence).
  destruct (all_reduce g h Hg Hh) as [E|[s [Q [Hs [HQ E]]]]].
  - subst h; exists b, []; split; [intros t []|]; intros m Hm; cbn [total flat_map coefficient]; rewrite Rplus_0_r.
    assert (W : v = w).
    { rewrite <- L1, <- L2; reflexivity. }
    rewrite <- W; apply scaled_product; assumption.
  - apply not_0_IZR in G0; apply not_0_IZR in H0; fold l in HQ, E.
    exists (b * IZR (lead_coefficient g) / IZR (lead_coefficient h))%R, (raised (b / (s * IZR (lead_coefficient h))) d Q); split.
    + intros t Ht; apply in_map_iff in Ht; destruct Ht as [[[q u] f] [<- Ht]]; destruct (HQ _ Ht) as [[Hf Hu] B].
      split; [split; [exact Hf|rewrite times_length; congruence]|]; cbn [top] in *; rewrite <- T, <- L0, <- times_assoc.
      destruct (G_led f Hf) as [_ [Fl _]]; apply below_times; [rewrite times_length; congruence|congruence|exact B].
    + intros m Hm; rewrite total_raised.
      assert (VQ : in_n n (total Q)) by (apply total_in_n; intros t Ht; apply HQ; exact Ht).
      rewrite (coefficient_times n _ d) by assumption.
      assert (A : forall f u c', In f G -> length u = n -> coefficient (multiple c' (times_mono d u) (real f)) m =
                if divides d m then (c' * coefficient (multiple 1 u (real f)) (over_mono m d))%R else 0%R).
      { intros f u c' Hf Hu; rewrite <- (coefficient_times n c' d (multiple 1 u (real f)));
          [|exact Ld|exact Hm|apply times_in_n; [exact Hu|apply real_in_n, (G_led f Hf)]].
        rewrite times_times, Rmult_1_r; reflexivity. }
      cbn [product]; rewrite <- L1, <- L2; rewrite !A by (auto; rewrite over_length; congruence).
      destruct (divides d m); [|ring]; rewrite <- E by (rewrite over_length; congruence); field; auto.
Qed.

(** Pieces with the same top make at most one, and something lower. *)
Lemma gather : forall m0 T, (forall t, In t T -> valid t /\ top t = m0) ->
  exists one Q, (one = [] \/ exists t, one = [t] /\ valid t /\ top t = m0) /\ lower m0 Q /\ forall m, length m = n ->
  coefficient (total T) m = (coefficient (total one) m + coefficient (total Q) m)%R.
Proof.
  intros m0; induction T as [|t T IH]; intros H.
  - exists [], []; split; [left; reflexivity|split; [intros t []|]]; intros; cbn; ring.
  - destruct IH as [one [Q [O1 [HQ E]]]]; [intros s Hs; apply H; right; exact Hs|].
    destruct (H t (or_introl eq_refl)) as [V Tt]; destruct O1 as [->|[[[c w] h] [-> [Vs Ts]]]].
    + exists [t], Q; split; [right; exists t; auto|split; [exact HQ|]].
      intros m Hm; rewrite !total_cons, E by exact Hm; cbn [total flat_map coefficient]; ring.
    + destruct t as [[b v] g]; destruct (exchange b v g c w h V Vs ltac:(congruence)) as [a [Q' [HQ' E']]]; rewrite Ts in HQ'.
      exists [((c + a)%R, w, h)], (Q' ++ Q); split; [right; eexists; split; [reflexivity|split; [exact Vs|exact Ts]]|split].
      * intros s Hs; apply in_app_or in Hs; destruct Hs; [apply HQ'|apply HQ]; assumption.
      * intros m Hm; destruct Vs as [Hh Hw]; rewrite total_cons, E, E', total_app, !total_cons by exact Hm.
        rewrite (scaled_product (c + a)), (scaled_product c) by assumption; cbn [total flat_map coefficient]; ring.
Qed.

Lemma highest : forall L, L <> [] -> exists t, In t L /\ forall s, In s L -> top s = top t \/ smaller k (top s) (top t).
Proof.
  induction L as [|t L IH]; intro H; [congruence|]; destruct L as [|u L].
  - exists t; split; [left; reflexivity|]; intros s [<-|[]]; left; reflexivity.
  - destruct IH as [x [Hx Mx]]; [discriminate|].
    destruct (below_total k (top t) (top x)) as [E|[B|B]].
    + exists x; split; [right; exact Hx|]; intros s [<-|Hs]; [left; exact E|apply Mx, Hs].
    + exists x; split; [right; exact Hx|]; intros s [<-|Hs]; [right; exact B|apply Mx, Hs].
    + exists t; split; [left; reflexivity|]; intros s [<-|Hs]; [left; reflexivity|right].
      destruct (Mx s Hs) as [E|C]; [rewrite E; exact B|exact (below_trans _ _ _ _ C B)].
Qed.

Definition leading (f : rpoly) (m : mono) : Prop :=
  length m = n /\ coefficient f m <> 0%R /\ forall m', length m' = n -> coefficient f m' <> 0%R -> m' = m \/ smaller k m' m.

Lemma combination_leads : forall m0, length m0 = n -> forall L,
  (forall t, In t L -> valid t /\ (top t = m0 \/ smaller k (top t) m0)) ->
  (forall m, length m = n -> coefficient (total L) m = 0%R) \/
  exists m, leading (total L) m /\ exists g w, In g G /\ length w = n /\ m = times_mono w (lead g).
Proof.
  apply (below_descends k n (fun m0 => forall L, (forall t, In t L -> valid t /\ (top t = m0 \/ smaller k (top t) m0)) -> (_ : Prop))).
  intros m0 Hm0 IH L HL.
  set (here := filter (fun t => same_mono (top t) m0) L); set (rest := filter (fun t => negb (same_mono (top t) m0)) L).
  assert (Split : forall m, coefficient (total L) m = (coefficient (total here) m + coefficient (total rest) m)%R).
  { intro m; unfold here, rest; clear; induction L as [|t L IH]; [cbn; ring|]; cbn [filter].
    rewrite total_cons, IH; destruct (same_mono (top t) m0); cbn [negb]; rewrite total_cons; ring. }
  destruct (gather m0 here) as [one [Q [O1 [HQ E]]]].
  { intros t Ht; apply filter_In in Ht; destruct Ht as [Ht S]; split; [apply HL, Ht|apply same_mono_iff, S]. }
  assert (HR : lower m0 rest).
  { intros t Ht; apply filter_In in Ht; destruct Ht as [Ht S]; destruct (HL t Ht) as [V [T|B]]; [|auto].
    apply same_mono_iff in T; rewrite T in S; discriminate. }
  assert (HQR : lower m0 (Q ++ rest)) by (intros t Ht; apply in_app_or in Ht; destruct Ht; [apply HQ|apply HR]; assumption).
  assert (Low : (forall m, length m = n -> coefficient (total L) m = coefficient (total (Q ++ rest)) m) ->
    (forall m, length m = n -> coefficient (total L) m = 0%R) \/
    exists m, leading (total L) m /\ exists g w, In g G /\ length w = n /\ m = times_mono w (lead g)).
  { intro Same; destruct (Q ++ rest) as [|t0 M] eqn:EM; [left; intros m Hm; rewrite Same by exact Hm; reflexivity|].
    destruct (highest (t0 :: M)) as [t [Ht Mt]]; [discriminate|]; destruct (HQR t Ht) as [V B].
    destruct (IH (top t) (top_length t V) B (t0 :: M)) as [Z|[m [[Lm [Nm Um]] D]]].
    - intros s Hs; split; [apply HQR, Hs|apply Mt, Hs].
    - left; intros m Hm; rewrite Same by exact Hm; apply Z, Hm.
    - right; exists m; split; [|exact D]; split; [exact Lm|split; [rewrite Same by exact Lm; exact Nm|]].
      intros m' Hm' N; apply Um; [exact Hm'|rewrite <- Same by exact Hm'; exact N]. }
  destruct O1 as [->|[[[c w] h] [-> [[Hh Hw] Tt]]]].
  - apply Low; intros m Hm; rewrite Split, E, total_app by exact Hm; cbn [total flat_map coefficient]; ring.
  - destruct (Req_dec c 0) as [Z|N].
    + apply Low; intros m Hm; rewrite Split, E, total_app, total_cons, scaled_product, Z by assumption.
      cbn [total flat_map coefficient]; ring.
    + right; exists m0; split; [|exists h, w; repeat split; auto].
      assert (C : forall m, length m = n -> coefficient (total L) m =
                  (coefficient (product (c, w, h)) m + coefficient (total (Q ++ rest)) m)%R).
      { intros m Hm; rewrite Split, E, total_app, total_cons by exact Hm; cbn [total flat_map coefficient]; ring. }
      split; [exact Hm0|split].
      * rewrite C, total_above, <- Tt, product_top by (auto; split; assumption); rewrite Rplus_0_r.
        apply Rmult_integral_contrapositive_currified; [exact N|]; apply not_0_IZR, (G_led h Hh).
      * intros m Hm Nm; destruct (below_total k m m0) as [->|[B|B]]; auto; exfalso; apply Nm; rewrite C by exact Hm.
        rewrite product_above by (try (split; assumption); rewrite Tt; exact B).
        rewrite total_above; [ring|]; intros t Ht; destruct (HQR t Ht) as [V Bt]; split; [exact V|exact (below_trans _ _ _ _ Bt B)].
Qed.
End Basis.

(** ** The theorem, and what is computed for it *)

(** [f] is a sum of multiples of elements of G, with real coefficients. *)
Definition in_ideal (n : nat) (G : list zterms) (f : rpoly) : Prop :=
  exists L : list piece, (forall t, In t L -> valid n G t) /\ forall m, length m = n -> coefficient f m = coefficient (total L) m.

(** What a Groebner basis is: the leading monomial of whatever is in the ideal is a multiple of that of an element. *)
Definition groebner_basis (n : nat) (k : term_order) (G : list zterms) : Prop :=
  forall f m, in_ideal n G f -> leading n k f m -> exists g, In g G /\ divides (lead g) m = true.

Definition is_led (n : nat) (k : term_order) (g : zterms) : bool :=
  forallb (fun t => (length (fst t) =? n)%nat) g && negb (lead_coefficient g =? 0)%Z
  && forallb (fun t => is_smaller k (fst t) (lead g)) (tl g).

Definition whole_times (c : Z) (w : mono) (p : zterms) : zterms := map (fun t => (times_mono w (fst t), (c * snd t)%Z)) p.

(** The pieces of a combination: each quotient's terms with its element of the basis. *)
Definition pieces (quotients G : list zterms) : list (Z * mono * zterms) :=
  flat_map (fun qg => map (fun t => (snd t, fst t, snd qg)) (fst qg)) (combine quotients G).

(** c times the S-polynomial is the combination, whose products lead below the least common multiple. *)
Definition s_reduces (n : nat) (k : term_order) (G : list zterms) (g h : zterms) (c : Z) (quotients : list zterms) : bool :=
  let l := lcm_mono (lead g) (lead h) in let P := pieces quotients G in
  negb (c =? 0)%Z
  && forallb (fun t => match t with (_, w, f) => (length w =? n)%nat && is_smaller k (times_mono w (lead f)) l end) P
  && is_zero (@of_terms n (whole_times (c * lead_coefficient h) (over_mono l (lead g)) g
       ++ whole_times (- (c * lead_coefficient g)) (over_mono l (lead h)) h
       ++ flat_map (fun t => match t with (a, w, f) => whole_times (- a) w f end) P)).

Fixpoint pairs (G : list zterms) : list (zterms * zterms) :=
  match G with [] => [] | g :: r => map (fun h => (g, h)) r ++ pairs r end.

Fixpoint all_pairs_reduce (n : nat) (k : term_order) (G : list zterms) (ps : list (zterms * zterms))
    (qs : list (Z * list zterms)) : bool :=
  match ps, qs with
  | [], [] => true
  | (g, h) :: ps', (c, hs) :: qs' => s_reduces n k G g h c hs && all_pairs_reduce n k G ps' qs'
  | _, _ => false
  end.

Definition buchberger (n : nat) (k : term_order) (G : list zterms) (qs : list (Z * list zterms)) : bool :=
  forallb (is_led n k) G && all_pairs_reduce n k G (pairs G) qs.

Lemma is_led_sound : forall n k g, is_led n k g = true -> led n k g.
Proof.
  intros n k g H; unfold is_led in H; rewrite !andb_true_iff, !forallb_forall in H; destruct H as [[H1 H2] H3].
  assert (N : in_n n g) by (intros t Ht; apply Nat.eqb_eq, H1, Ht); split; [exact N|].
  apply negb_true_iff, Z.eqb_neq in H2; split; [|split; [exact H2|]].
  - destruct g as [|[e c] g]; [cbn in H2; congruence|]; apply (N (e, c)); left; reflexivity.
  - intros t Ht; apply is_below_iff, H3, Ht.
Qed.

Lemma real_whole_times : forall c w p, real (whole_times c w p) = multiple (IZR c) w (real p).
Proof. intros c w p; unfold real, whole_times, multiple; rewrite !map_map; apply map_ext; intros [e a]; cbn; rewrite mult_IZR; reflexivity. Qed.

Lemma s_reduces_sound : forall n k G g h c qs, (forall f, In f G -> led n k f) -> In g G -> In h G ->
  s_reduces n k G g h c qs = true -> reduces n k G g h.
Proof.
  intros n k G g h c qs HG Hg Hh H; unfold s_reduces in H; rewrite !andb_true_iff, forallb_forall in H; destruct H as [[H1 H2] H3].
  destruct (HG g Hg) as [Gn [Gl _]]; destruct (HG h Hh) as [Hn [Hl _]].
  set (l := lcm_mono (lead g) (lead h)) in *; assert (Ll : length l = n) by (unfold l; rewrite lcm_length; congruence).
  assert (Ug : length (over_mono l (lead g)) = n) by (rewrite over_length; congruence).
  assert (Uh : length (over_mono l (lead h)) = n) by (rewrite over_length; congruence).
  apply negb_true_iff, Z.eqb_neq, not_0_IZR in H1; set (P := pieces qs G) in *.
  assert (PG : forall a w f, In (a, w, f) P -> In f G /\ length w = n /\ smaller k (times_mono w (lead f)) l).
  { intros a w f Hp; specialize (H2 _ Hp); cbn in H2; rewrite andb_true_iff, Nat.eqb_eq, is_below_iff in H2; split; [|exact H2].
    apply in_flat_map in Hp; destruct Hp as [[q f'] [Hq Ht]]; apply in_map_iff in Ht; destruct Ht as [t [E _]].
    injection E as _ _ <-; exact (in_combine_r _ _ _ _ Hq). }
  exists (IZR c), (map (fun t => match t with (a, w, f) => (IZR a, w, f) end) P); split; [exact H1|split].
  - intros t Ht; apply in_map_iff in Ht; destruct Ht as [[[a w] f] [<- Ht]]; destruct (PG a w f Ht) as [A [B C]]; repeat split; auto.
  - intros m Hm; fold l.
    set (S := flat_map (fun t => match t with (a, w, f) => whole_times (- a) w f end) P) in *.
    assert (TS : coefficient (real S) m = (- coefficient (total (map (fun t => match t with (a, w, f) => (IZR a, w, f) end) P)) m)%R
                 /\ in_n n S).
    { unfold S; clear - PG HG Hm; induction P as [|[[a w] f] P IH]; [split; [cbn; ring|intros t []]|].
      destruct IH as [IH1 IH2]; [intros; apply (PG a0); right; assumption|].
      destruct (PG a w f (or_introl eq_refl)) as [A [B _]]; destruct (HG f A) as [Fn _]; split.
      - cbn [flat_map map]; rewrite total_cons; unfold real at 1; rewrite map_app, coefficient_app; fold (real (whole_times (- a) w f)).
        unfold real at 1 in IH1; rewrite IH1, real_whole_times; cbn [product]; rewrite !(coefficient_times n) by (auto; apply real_in_n, Fn).
        rewrite opp_IZR; destruct divides; ring.
      - intros t Ht; cbn [flat_map] in Ht; apply in_app_or in Ht; destruct Ht as [Ht|Ht]; [|exact (IH2 t Ht)].
        apply in_map_iff in Ht; destruct Ht as [t' [<- Ht]]; apply Fn in Ht; cbn; rewrite times_length; congruence. }
    destruct TS as [TS SN]; apply coefficient_of_is_zero with (m := m) in H3; apply (f_equal IZR) in H3.
    rewrite coefficient_of_terms in H3; [|intros t Ht|exact Hm].
    + unfold real in H3; rewrite !map_app, !coefficient_app in H3; fold (real S) in H3; rewrite TS in H3.
      match type of H3 with (coefficient ?u m + (coefficient ?v m + _))%R = _ =>
        change u with (real (whole_times (c * lead_coefficient h) (over_mono l (lead g)) g)) in H3;
        change v with (real (whole_times (- (c * lead_coefficient g)) (over_mono l (lead h)) h)) in H3 end.
      rewrite !real_whole_times in H3; rewrite !(coefficient_times n) in H3
        by (assumption || (apply real_in_n; assumption)).
      rewrite !(coefficient_times n) by (assumption || (apply real_in_n; assumption)).
      rewrite opp_IZR, !mult_IZR in H3; destruct (divides (over_mono l (lead g)) m), (divides (over_mono l (lead h)) m);
        apply Rminus_diag_uniq; (etransitivity; [|exact H3]); ring.
    + apply in_app_or in Ht; destruct Ht as [Ht|Ht]; [|apply in_app_or in Ht; destruct Ht as [Ht|Ht]; [|exact (SN t Ht)]];
        apply in_map_iff in Ht; destruct Ht as [t' [<- Ht]]; [apply Gn in Ht|apply Hn in Ht]; cbn;
        rewrite times_length; congruence.
Qed.

Theorem buchberger_sound : forall n k G qs, buchberger n k G qs = true -> groebner_basis n k G.
Proof.
  intros n k G qs H f m [L [VL E]] [Lm [Nm Um]]; apply andb_prop in H; destruct H as [H1 H2].
  assert (HG : forall g, In g G -> led n k g) by (intros g Hg; apply is_led_sound; rewrite forallb_forall in H1; apply H1, Hg).
  assert (R2 : forall ps, (forall g h, In (g, h) ps -> In g G /\ In h G) -> forall qs, all_pairs_reduce n k G ps qs = true ->
               forall g h, In (g, h) ps -> reduces n k G g h).
  { clear - HG; induction ps as [|[g h] ps IH]; intros I qs H g' h' Hp; [destruct Hp|].
    destruct qs as [|[c hs] qs]; [discriminate|]; cbn in H; apply andb_prop in H; destruct H as [H1 H2].
    destruct Hp as [Hp|Hp]; [injection Hp as <- <-|apply (IH ltac:(intros; apply I; right; assumption) qs H2 g' h' Hp)].
    destruct (I g h (or_introl eq_refl)); apply (s_reduces_sound n k G g h c hs); assumption. }
  assert (PI : forall M g h, In (g, h) (pairs M) -> In g M /\ In h M).
  { induction M as [|x M IH]; intros g h Hp; [destruct Hp|]; cbn in Hp; apply in_app_or in Hp; destruct Hp as [Hp|Hp].
    - apply in_map_iff in Hp; destruct Hp as [y [Ey Hy]]; injection Ey as <- <-; split; [left; reflexivity|right; exact Hy].
    - destruct (IH g h Hp); split; right; assumption. }
  assert (PA : forall M g h, In g M -> In h M -> g = h \/ In (g, h) (pairs M) \/ In (h, g) (pairs M)).
  { induction M as [|x M IH]; intros g h Hg Hh; [destruct Hg|]; destruct Hg as [<-|Hg]; destruct Hh as [<-|Hh]; cbn; auto.
    - right; left; apply in_or_app; left; apply in_map; exact Hh.
    - right; right; apply in_or_app; left; apply in_map; exact Hg.
    - destruct (IH g h Hg Hh) as [A|[A|A]]; auto; [right; left|right; right]; apply in_or_app; right; exact A. }
  assert (All : forall g h, In g G -> In h G -> g = h \/ reduces n k G g h).
  { intros g h Hg Hh; destruct (PA G g h Hg Hh) as [A|[A|A]]; [left; exact A|right|right; apply reduces_comm];
      apply (R2 (pairs G) (PI G) qs H2); exact A. }
  destruct L as [|t0 L']; [exfalso; apply Nm; rewrite E by exact Lm; reflexivity|].
  destruct (highest k (t0 :: L')) as [t [Ht Mt]]; [discriminate|].
  destruct (combination_leads n k G HG All (top t) (top_length n k G HG t (VL t Ht)) (t0 :: L')) as [Z|[m' [[Lm' [Nm' Um']] [g [w [Hg [Hw Em]]]]]]].
  - intros s Hs; split; [apply VL, Hs|apply Mt, Hs].
  - exfalso; apply Nm; rewrite E by exact Lm; apply Z, Lm.
  - assert (m = m').
    { rewrite <- E in Nm' by exact Lm'; rewrite E in Nm by exact Lm.
      destruct (Um m' Lm' Nm') as [A|A]; [auto|]; destruct (Um' m Lm Nm) as [B|B]; [auto|].
      exfalso; exact (below_irrefl _ _ (below_trans _ _ _ _ A B)). }
    exists g; split; [exact Hg|]; subst m m'; apply divides_times; destruct (HG g Hg) as [_ [Gl _]]; congruence.
Qed.
