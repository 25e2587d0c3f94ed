(** * Polynomials whose zeros are exactly some points

    [standard] are as many monomials as there are points; the matrix T of their values (row: monomial, column: point, each
    column multiplied by the point's denominators) is invertible, since [inverse] nearly inverts it.  The [basis] vanishes on
    the points.  Each step shows how a product of a variable and a standard monomial is, where the basis is zero, a
    combination of monomials that were reached before.  So at a common zero x of the basis every monomial that was
    reached has the value sum_k w_k m(p_k), with weights w that belong to x alone; and x is one of the points. *)

Lemma finite_bound : forall n (w s : nat -> R), (forall i, (i < n)%nat -> (0 < s i)%R) ->
  exists M, (0 <= M)%R /\ forall i, (i < n)%nat -> (Rabs (w i) <= s i * M)%R.
Proof.
  intros n w s Hs; induction n as [|n IH]; [exists 0%R; split; [lra|intros; lia]|].
  destruct IH as [M [HM H]]; [intros; apply Hs; lia|].
  pose proof (Hs n ltac:(lia)) as Hn; pose proof (Rabs_pos (w n)) as P.
  assert (Q : (0 <= Rabs (w n) / s n)%R) by (unfold Rdiv; apply Rmult_le_pos; [exact P|left; apply Rinv_0_lt_compat, Hn]).
  exists (M + Rabs (w n) / s n)%R; split; [lra|]; intros i Hi.
  destruct (Nat.eq_dec i n) as [->|E].
  - replace (s n * (M + Rabs (w n) / s n))%R with (s n * M + Rabs (w n))%R by (field; lra).
    assert (0 <= s n * M)%R by (apply Rmult_le_pos; lra); lra.
  - pose proof (H i ltac:(lia)); pose proof (Hs i Hi).
    assert (0 <= s i * (Rabs (w n) / s n))%R by (apply Rmult_le_pos; lra); lra.
Qed.

Lemma dot_minus : forall row u v, dot row (fun i => u i - v i)%R = (dot row u - dot row v)%R.
Proof.
  induction row as [|c row IH]; intros u v; cbn; [ring|].
  rewrite (IH (fun i => u (S i)) (fun i => v (S i))); ring.
Qed.

Lemma dot_scaled : forall row w c, dot row (fun i => w i / c)%R = (dot row w / c)%R.
Proof.
  induction row as [|a row IH]; intros w c; cbn; [unfold Rdiv; ring|].
  rewrite (IH (fun i => w (S i))); unfold Rdiv; ring.
Qed.

(** If [right_inverse] nearly inverts T from the right, T maps onto everything. *)
Lemma surjective_rows : forall n T right_inverse den s, injective_rows n right_inverse T den s = true ->
  forall v : nat -> R, exists w, forall i, (i < n)%nat -> dot (nth i T []) w = v i.
Proof.
  intros n T Nm den s H v.
  apply andb_prop in H; destruct H as [H H4]; apply andb_prop in H; destruct H as [H H3].
  apply andb_prop in H; destruct H as [H1 H2].
  apply Z.ltb_lt in H1; apply Nat.eqb_eq in H2; rewrite forallb_forall in H3, H4.
  assert (D : (0 < IZR den)%R) by (apply IZR_lt; exact H1).
  set (S := fun i => IZR (nth i s 0%Z)).
  assert (S0 : forall i, (i < n)%nat -> (0 < S i)%R) by (intros i Hi; apply IZR_lt, Z.ltb_lt, H3, nth_In; lia).
  set (E := fun i => @add 1 (unit_row i den) (@scale 1 (-1) (@combined 1 (nth i T []) Nm))).
  assert (E0 : forall i, (i < n)%nat -> (2 * IZR (weighted (E i) s) <= IZR den * S i)%R).
  { intros i Hi; specialize (H4 i ltac:(apply in_seq; lia)); apply Z.leb_le, IZR_le in H4; rewrite !mult_IZR in H4; exact H4. }
  destruct (finite_bound n v S S0) as [M [HM bound]].
  set (y := fun (z : nat -> R) j => (S j * z j)%R).
  set (N := fun (z : nat -> R) i => ((v i + dot (E i) (y z) / IZR den) / S i)%R).
  assert (part : forall i u z d, (i < n)%nat -> (0 <= d)%R -> near n d u z ->
            (Rabs (dot (E i) (y u) - dot (E i) (y z)) <= IZR den * S i * (d / 2))%R).
  { intros i u z d Hi Hd Huz; rewrite <- dot_minus.
    assert (W : (Rabs (dot (E i) (fun j => y u j - y z j)) <= IZR (weighted (E i) s) * d)%R).
    { apply dot_weighted; [exact Hd|]; intro j; unfold y; destruct (lt_dec j n) as [Hj|Hj].
      - replace (S j * u j - S j * z j)%R with (S j * (u j - z j))%R by ring.
        rewrite Rabs_mult, (Rabs_right (S j)) by (apply Rle_ge; left; apply S0, Hj).
        apply Rmult_le_compat_l; [left; apply S0, Hj|apply Huz, Hj].
      - unfold S; rewrite nth_overflow by lia.
        replace (0 * u j - 0 * z j)%R with 0%R by ring; rewrite Rabs_R0; lra. }
    specialize (E0 i Hi).
    assert (2 * IZR (weighted (E i) s) * (d / 2) <= IZR den * S i * (d / 2))%R by (apply Rmult_le_compat_r; lra); lra. }
  assert (contracts : forall u z d, bounded n (2 * M) u -> bounded n (2 * M) z -> (0 <= d)%R -> near n d u z ->
            near n (/ 2 * d) (N u) (N z)).
  { intros u z d _ _ Hd Huz i Hi; pose proof (part i u z d Hi Hd Huz) as P; specialize (S0 i Hi); unfold N.
    replace ((v i + dot (E i) (y u) / IZR den) / S i - (v i + dot (E i) (y z) / IZR den) / S i)%R
      with ((dot (E i) (y u) - dot (E i) (y z)) * / (IZR den * S i))%R by (field; split; lra).
    assert (Q : (0 < IZR den * S i)%R) by (apply Rmult_lt_0_compat; assumption).
    rewrite Rabs_mult, (Rabs_right (/ (IZR den * S i))) by (apply Rle_ge; left; apply Rinv_0_lt_compat, Q).
    apply Rmult_le_reg_r with (r := (IZR den * S i)%R); [exact Q|].
    rewrite Rmult_assoc, Rinv_l by lra; lra. }
  assert (stays : forall u, bounded n (2 * M) u -> bounded n (2 * M) (N u)).
  { intros u Hu i Hi; specialize (bound i Hi); pose proof (S0 i Hi) as Si.
    assert (P : (Rabs (dot (E i) (y u) - dot (E i) (y (fun _ => 0%R))) <= IZR den * S i * (2 * M / 2))%R).
    { apply part; [exact Hi|lra|]; intros j Hj; rewrite Rminus_0_r; apply Hu, Hj. }
    rewrite (dot_ext0 (E i) (y (fun _ => 0%R))) in P by (intro; unfold y; ring); rewrite Rminus_0_r in P.
    unfold N; replace ((v i + dot (E i) (y u) / IZR den) / S i)%R
      with ((v i * IZR den + dot (E i) (y u)) * / (IZR den * S i))%R by (field; split; lra).
    assert (Q : (0 < IZR den * S i)%R) by (apply Rmult_lt_0_compat; assumption).
    rewrite Rabs_mult, (Rabs_right (/ (IZR den * S i))) by (apply Rle_ge; left; apply Rinv_0_lt_compat, Q).
    apply Rmult_le_reg_r with (r := (IZR den * S i)%R); [exact Q|]; rewrite Rmult_assoc, Rinv_l by lra.
    rewrite Rmult_1_r; eapply Rle_trans; [apply Rabs_triang|]; rewrite Rabs_mult, (Rabs_right (IZR den)) by lra.
    assert (Rabs (v i) * IZR den <= S i * M * IZR den)%R by (apply Rmult_le_compat_r; lra); lra. }
  destruct (fixed_point n N (/ 2) (2 * M) ltac:(lra) ltac:(lra) stays contracts) as [z [_ F]].
  exists (fun k => dot (nth k Nm []) (y z) / IZR den)%R; intros i Hi; specialize (F i Hi); pose proof (S0 i Hi) as Si.
  unfold N in F; apply Rmult_eq_compat_r with (r := S i) in F.
  unfold Rdiv in F at 1; rewrite Rmult_assoc, Rinv_l, Rmult_1_r in F by lra.
  assert (V : dot (E i) (y z) = (IZR den * y z i - dot (nth i T []) (fun k => dot (nth k Nm []) (y z)))%R).
  { unfold E; rewrite dot_add, dot_scale, dot_unit.
    assert (Q : dot (@combined 1 (nth i T []) Nm) (y z) = dot (nth i T []) (fun k => dot (nth k Nm []) (y z)))
      by exact (dot_combined _ Nm (y z)).
    rewrite Q; ring. }
  rewrite dot_scaled; rewrite V in F; unfold y at 1 in F.
  apply Rmult_eq_reg_r with (r := IZR den); [|lra]; unfold Rdiv in F |- *; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  apply Rmult_eq_compat_r with (r := IZR den) in F; rewrite Rmult_plus_distr_r, Rmult_assoc, Rinv_l in F by lra; lra.
Qed.

Fixpoint times (a b : list nat) : list nat :=
  match a, b with [], _ => b | _, [] => a | i :: a', j :: b' => (i + j)%nat :: times a' b' end.

Lemma times_value : forall a b x, monomial_value (times a b) x = (monomial_value a x * monomial_value b x)%R.
Proof.
  induction a as [|i a IH]; intros [|j b] x; cbn [times monomial_value]; try ring.
  rewrite IH, pow_add; ring.
Qed.

Fixpoint one_variable (j : nat) : list nat := match j with O => [1%nat] | S k => 0%nat :: one_variable k end.

Lemma one_variable_value : forall j x, monomial_value (one_variable j) x = x j.
Proof. induction j as [|j IH]; intro x; cbn; [ring|]; rewrite (IH (fun i => x (S i))); ring. Qed.

Definition known (u : list nat) (l : list (list nat)) : bool := if in_dec (list_eq_dec Nat.eq_dec) u l then true else false.

Fixpoint reached (basis : list (list (list nat * Z))) (steps : list (list nat * nat)) (l : list (list nat)) : option (list (list nat)) :=
  match steps with
  | [] => Some l
  | (w, k) :: rest =>
      match nth k basis [] with
      | (a, c) :: tail => if negb (c =? 0)%Z && forallb (fun t => known (times w (fst t)) l) tail
                          then reached basis rest (times w a :: l) else None
      | [] => None
      end
  end.

Definition value {n : nat} (m : list nat) (l : list (Z * Z * nat)) : Z :=
  match whole_value (@monomial n 1 m) l with Some v => v | None => 0%Z end.

Definition values (n : nat) (points : list (list (Z * Z * nat))) (m : list nat) : list Z := map (@value n m) points.

Definition fits (n : nat) (m : list nat) (l : list (Z * Z * nat)) : bool :=
  (length m <=? n)%nat && match whole_value (@monomial n 1 m) l with Some _ => true | None => false end.

Definition exact_points (n : nat) (points : list (list (Z * Z * nat))) (standard : list (list nat))
  (basis : list (list (list nat * Z))) (steps : list (list nat * nat)) (inverse : list (list Z)) (den : Z) (s r : list Z) : bool :=
  let T := map (values n points) standard in
  forallb positive_denominators points && (length standard =? length points)%nat &&
  forallb (fun m => forallb (fits n m) points) standard &&
  forallb (in_variables n) basis && vanish_at_all points (map (@of_terms n) basis) &&
  injective_rows (length points) T inverse den s && injective_rows (length points) inverse T den r &&
  match reached basis steps standard with
  | Some l => known (repeat 0%nat n) l && forallb (fun m => forallb (fun j => known (times m (one_variable j)) l) (seq 0 n)) standard
  | None => false
  end.

Fixpoint functional (n : nat) (points : list (list (Z * Z * nat))) (w : nat -> R) (f : (nat -> R) -> R) : R :=
  match points with
  | [] => 0%R
  | l :: r => (denominators n l * w O * f (point (coordinates l)) + functional n r (fun k => w (S k)) f)%R
  end.

Lemma functional_linear : forall n points w f g a b,
  functional n points w (fun p => a * f p + b * g p)%R = (a * functional n points w f + b * functional n points w g)%R.
Proof. intros n points; induction points as [|l r IH]; intros; cbn; [ring|]; rewrite IH; ring. Qed.

Lemma functional_ext : forall n points w f g, (forall l, In l points -> f (point (coordinates l)) = g (point (coordinates l))) ->
  functional n points w f = functional n points w g.
Proof.
  intros n points; induction points as [|l r IH]; intros w f g H; cbn; [reflexivity|].
  rewrite (H l), (IH _ f g); [reflexivity| |left; reflexivity]; intros; apply H; right; assumption.
Qed.

Lemma values_functional : forall n points w m (h : (nat -> R) -> R),
  forallb positive_denominators points = true -> forallb (fits n m) points = true ->
  dot (values n points m) (fun k => match nth_error points k with Some l => w k * h (point (coordinates l)) | None => 0 end)%R
  = functional n points w (fun p => h p * monomial_value m p)%R.
Proof.
  intros n points; induction points as [|l r IH]; intros w m h P F; [reflexivity|].
  apply andb_prop in P; destruct P as [P Pr]; apply andb_prop in F; destruct F as [F Fr].
  apply andb_prop in F; destruct F as [Fm F]; apply Nat.leb_le in Fm.
  cbn [values map dot functional nth_error]; fold (values n r m).
  specialize (IH (fun k => w (S k)) m h Pr Fr); cbn beta in IH; rewrite <- IH.
  unfold value; destruct (whole_value (@monomial n 1 m) l) as [v|] eqn:V; [|discriminate F].
  apply whole_value_sound in V; [|exact P]; rewrite V, eval_monomial by exact Fm; ring.
Qed.

Lemma terms_functional : forall n points w u (g : list (list nat * Z)),
  functional n points w (fun p => monomial_value u p * terms_value g p)%R
  = fold_right (fun t a => IZR (snd t) * functional n points w (monomial_value (times u (fst t))) + a)%R 0%R g.
Proof.
  intros n points w u g; induction g as [|[e c] g IH]; cbn [fold_right fst snd].
  - rewrite (functional_ext n points w _ (fun p => 0 * monomial_value u p + 0 * monomial_value u p)%R) by (intros; cbn; ring).
    rewrite functional_linear; ring.
  - rewrite <- IH, (functional_ext n points w _ (fun p => IZR c * monomial_value (times u e) p
                       + 1 * (monomial_value u p * terms_value g p))%R).
    + rewrite functional_linear; ring.
    + intros l _; rewrite times_value; cbn [terms_value]; ring.
Qed.

Lemma terms_at : forall u (g : list (list nat * Z)) x, (monomial_value u x * terms_value g x)%R
  = fold_right (fun t a => IZR (snd t) * monomial_value (times u (fst t)) x + a)%R 0%R g.
Proof.
  intros u g x; induction g as [|[e c] g IH]; cbn [fold_right fst snd terms_value]; [ring|].
  rewrite <- IH, times_value; ring.
Qed.

Lemma known_in : forall u l, known u l = true -> In u l.
Proof. intros u l; unfold known; destruct (in_dec _ u l); [auto|discriminate]. Qed.

Lemma reached_sound : forall n points w x (basis : list (list (list nat * Z))),
  (forall g l, In g basis -> In l points -> terms_value g (point (coordinates l)) = 0%R) ->
  (forall g, In g basis -> terms_value g x = 0%R) ->
  forall steps l l', reached basis steps l = Some l' ->
  (forall u, In u l -> monomial_value u x = functional n points w (monomial_value u)) ->
  forall u, In u l' -> monomial_value u x = functional n points w (monomial_value u).
Proof.
  intros n points w x basis P X steps; induction steps as [|[u0 k] steps IH]; intros l l' H K u Hu.
  - inversion H; subst; apply K, Hu.
  - cbn in H; destruct (nth k basis []) as [|[a c] tail] eqn:G; [discriminate H|].
    destruct (negb (c =? 0)%Z && forallb (fun t => known (times u0 (fst t)) l) tail) eqn:C; [|discriminate H].
    apply andb_prop in C; destruct C as [Cc Ct]; apply negb_true_iff, Z.eqb_neq in Cc; rewrite forallb_forall in Ct.
    assert (In_g : In ((a, c) :: tail) basis).
    { rewrite <- G; apply nth_In; destruct (lt_dec k (length basis)) as [Hk|Hk]; [exact Hk|].
      rewrite nth_overflow in G by lia; discriminate G. }
    apply (IH (times u0 a :: l) l' H); [|exact Hu].
    intros v [<-|Hv]; [|apply K, Hv].
    pose proof (terms_at u0 ((a, c) :: tail) x) as A; rewrite (X _ In_g), Rmult_0_r in A; cbn [fold_right fst snd] in A.
    pose proof (terms_functional n points w u0 ((a, c) :: tail)) as B.
    rewrite (functional_ext n points w _ (fun p => 0 * 1 + 0 * 1)%R), (functional_linear n points w (fun _ => 1%R) (fun _ => 1%R)) in B
      by (intros l0 Hl0; rewrite (P _ l0 In_g Hl0); ring).
    cbn [fold_right fst snd] in B.
    assert (E : fold_right (fun t s => IZR (snd t) * monomial_value (times u0 (fst t)) x + s)%R 0%R tail
              = fold_right (fun t s => IZR (snd t) * functional n points w (monomial_value (times u0 (fst t))) + s)%R 0%R tail).
    { clear A B G In_g; induction tail as [|t tail IHt]; [reflexivity|]; cbn [fold_right].
      rewrite IHt by (intros; apply Ct; right; assumption).
      rewrite (K (times u0 (fst t))) by (apply known_in, Ct; left; reflexivity); reflexivity. }
    rewrite E in A; assert (Q : (IZR c <> 0)%R) by (apply not_0_IZR, Cc).
    apply Rmult_eq_reg_l with (r := IZR c); [lra|exact Q].
Qed.

Lemma all_zero_or_not : forall n (w : nat -> R), (forall k, (k < n)%nat -> w k = 0%R) \/ exists k, (k < n)%nat /\ w k <> 0%R.
Proof.
  induction n as [|n IH]; intro w; [left; intros; lia|].
  destruct (IH w) as [H|[k [Hk Wk]]]; [|right; exists k; split; [lia|exact Wk]].
  destruct (Req_dec (w n) 0) as [E|E]; [left|right; exists n; split; [lia|exact E]].
  intros k Hk; destruct (Nat.eq_dec k n) as [->|D]; [exact E|apply H; lia].
Qed.

Theorem exact_points_sound : forall n points standard basis steps inverse den s r,
  exact_points n points standard basis steps inverse den s r = true ->
  forall x, (forall g, In g basis -> eval (@of_terms n g) x = 0%R) <->
            (exists l, In l points /\ forall i, (i < n)%nat -> x i = point (coordinates l) i).
Proof.
  intros n points standard basis steps inverse den s r H x.
  apply andb_prop in H; destruct H as [H H8]; apply andb_prop in H; destruct H as [H H7].
  apply andb_prop in H; destruct H as [H H6]; apply andb_prop in H; destruct H as [H H5].
  apply andb_prop in H; destruct H as [H H4]; apply andb_prop in H; destruct H as [H H3].
  apply andb_prop in H; destruct H as [H1 H2]; apply Nat.eqb_eq in H2.
  set (T := map (values n points) standard) in *; set (m := length points) in *.
  assert (V : forall g l, In g basis -> In l points -> eval (@of_terms n g) (point (coordinates l)) = 0%R).
  { intros g l Hg Hl; apply (vanish_at_all_sound n points (map (@of_terms n) basis) H5 l); [exact Hl|apply in_map; exact Hg]. }
  rewrite forallb_forall in H4; split.
  2: { intros [l [Hl E]] g Hg; rewrite (eval_ext n _ x (point (coordinates l)) E); apply V; assumption. }
  intro X.
  destruct (surjective_rows m T inverse den r H7 (fun i => monomial_value (nth i standard []) x)) as [w W].
  assert (row : forall i, (i < m)%nat -> nth i T [] = values n points (nth i standard [])).
  { intros i Hi; unfold T; rewrite (nth_indep _ [] (values n points [])) by (rewrite map_length; lia).
    rewrite map_nth; reflexivity. }
  assert (F : forall i, (i < m)%nat -> forallb (fits n (nth i standard [])) points = true).
  { intros i Hi; rewrite forallb_forall in H3; apply H3, nth_In; lia. }
  set (w0 := fun k => match nth_error points k with Some _ => w k | None => 0%R end).
  assert (cut : forall ps (f : list (Z * Z * nat) -> Z) u, dot (map f ps) u =
            dot (map f ps) (fun k => match nth_error ps k with Some _ => u k | None => 0%R end)).
  { induction ps as [|l ps IH]; intros f u; [reflexivity|]; cbn [map dot nth_error]; rewrite (IH f (fun k => u (S k))); reflexivity. }
  assert (K0 : forall u, In u standard -> monomial_value u x = functional n points w (monomial_value u)).
  { intros u Hu; destruct (In_nth standard u [] Hu) as [i [Hi <-]]; assert (Hm : (i < m)%nat) by lia.
    specialize (W i Hm); rewrite row in W by exact Hm; rewrite <- W; unfold values; rewrite cut.
    rewrite (functional_ext n points w _ (fun p => 1 * monomial_value (nth i standard []) p)%R) by (intros; ring).
    rewrite <- (values_functional n points w (nth i standard []) (fun _ => 1%R) H1 (F i Hm)).
    assert (Y : forall l u v, (forall k, u k = v k) -> dot l u = dot l v).
    { induction l as [|a l IHl]; intros u v Huv; cbn; [reflexivity|]; rewrite Huv, (IHl _ (fun k => v (S k))); auto. }
    apply Y; intro k; destruct (nth_error points k); ring. }
  destruct (reached basis steps standard) as [known_ones|] eqn:R0; [|discriminate H8].
  apply andb_prop in H8; destruct H8 as [H8 H9]; apply known_in in H8; rewrite forallb_forall in H9.
  assert (K : forall u, In u known_ones -> monomial_value u x = functional n points w (monomial_value u)).
  { apply (reached_sound n points w x basis) with (steps := steps) (l := standard); try assumption.
    - intros g l Hg Hl; rewrite <- (eval_of_terms n g) by (apply H4, Hg); apply V; assumption.
    - intros g Hg; rewrite <- (eval_of_terms n g) by (apply H4, Hg); apply X, Hg. }
  assert (Z0 : forall j, (j < n)%nat -> forall k l, nth_error points k = Some l -> (w k * (point (coordinates l) j - x j))%R = 0%R).
  { intros j Hj.
    set (u := fun k => match nth_error points k with Some l => (w k * (point (coordinates l) j - x j))%R | None => 0%R end).
    assert (U : forall k, u k = 0%R).
    { apply (injective_rows_sound m T inverse den s H6).
      - intros i Hi; unfold u; destruct (nth_error points i) eqn:E; [|reflexivity].
        assert (i < length points)%nat by (apply nth_error_Some; rewrite E; discriminate); unfold m in Hi; lia.
      - intro i; destruct (lt_dec i m) as [Hi|Hi].
        2: { rewrite nth_overflow by (unfold T; rewrite map_length; lia); reflexivity. }
        rewrite row by exact Hi; unfold u.
        rewrite (values_functional n points w (nth i standard []) (fun p => p j - x j)%R H1 (F i Hi)).
        rewrite (functional_ext n points w _ (fun p => 1 * monomial_value (times (nth i standard []) (one_variable j)) p
                   + (- x j) * monomial_value (nth i standard []) p)%R)
          by (intros; rewrite times_value, one_variable_value; ring).
        assert (Hs : In (nth i standard []) standard) by (apply nth_In; lia).
        rewrite functional_linear, <- (K0 _ Hs), <- K.
        + rewrite times_value, one_variable_value; ring.
        + apply known_in; specialize (H9 _ Hs); rewrite forallb_forall in H9; apply H9, in_seq; lia. }
    intros k l E; specialize (U k); unfold u in U; rewrite E in U; exact U. }
  destruct (all_zero_or_not m w) as [A|[k [Hk Wk]]].
  - exfalso; specialize (K _ H8).
    assert (One : monomial_value (repeat 0%nat n) x = 1%R).
    { clear; revert x; induction n as [|n IH]; intro x; cbn; [reflexivity|]; rewrite IH; ring. }
    assert (Nothing : forall ps u f, (forall k, (k < length ps)%nat -> u k = 0%R) -> functional n ps u f = 0%R).
    { induction ps as [|l ps IH]; intros u f Hu; cbn; [reflexivity|].
      rewrite (Hu O) by (cbn; lia); rewrite IH; [ring|]; intros; apply (Hu (S k)); cbn; lia. }
    rewrite One, Nothing in K by exact A; lra.
  - destruct (nth_error points k) as [l|] eqn:E; [|apply nth_error_None in E; unfold m in Hk; lia].
    exists l; split; [exact (nth_error_In _ _ E)|]; intros i Hi.
    specialize (Z0 i Hi k l E); apply Rmult_integral in Z0; destruct Z0 as [Z0|Z0]; [contradiction|lra].
Qed.
