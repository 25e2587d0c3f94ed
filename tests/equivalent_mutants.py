"""Mutants that no test can notice, each with the reason: what `tests.mutants` leaves out of its count."""

ONE_WAY = "only chooses between two ways to the same singular values"
SAME_SOLUTION = "only chooses between two ways to the same solution"
JUDGING, SEARCH = "symknot/fitting/judging.py", "symknot/fitting/search.py"
JOINT = "symknot/sysid/motion/joint.py"
KRAWCZYK = "symknot/exact/krawczyk.py"
SUBSETS = "symknot/sysid/motion/subsets.py"
STARTS_AGAIN = "decides only which knots start again, and where they come to is taken only if it costs less"
STRUCTURE = "symknot/fitting/structure.py"
NEGATIVE_LENGTH = "numpy takes any negative length as -1"
NONE_IS_ZERO = "only where a column or variable is 0 everywhere, and stays so whatever it is divided by"
WITNESS = "a convention about witnesses of a proof; with the next value the same is found and proved"
MEMORY = "only says whether memory may be used again, or what is known to be finite is looked at"
TO_THE_BIT = "differs only where computed sums agree to the last bit, on which nothing may depend"
EQUIVALENT: dict[tuple[str, str], tuple[set[str] | None, str]] = {
    ("symknot/fitting/basis.py", "same = problem.knot_factor is problem.data_factor and np.abs("): (
        {"0.0 -> 1.0", "0 -> 1", "centred_on_knots[0] - basis[0] -> centred_on_knots[0] + basis[0]",
         "np.abs(centred_on_knots[0] - basis[0]).max(initial=0.0) < ROUNDING -> "
         "np.abs(centred_on_knots[0] - basis[0]).max(initial=0.0) <= ROUNDING"}, ONE_WAY),
    ("symknot/fitting/basis.py", "return F / np.where(norms > 0, norms, 1), adjustable"): (
        {"norms > 0 -> norms >= 0", "1 -> 2"}, "F has no polynomial of norm 0: what it has exceeds the tolerance"),
    ("symknot/fitting/basis.py", "if inverse is not None and tolerance * np.linalg.norm(inverse) < 1:"): (
        {"tolerance * np.linalg.norm(inverse) < 1 -> tolerance * np.linalg.norm(inverse) <= 1"}, TO_THE_BIT),
    ("symknot/polynomials/precise.py", "DIGITS = 50"): (None, "a convention; one digit more is right, too"),
    ("symknot/polynomials/precise.py", 'found = [_at(numbers, [Decimal(value) for value in row]) if'): (
        {"2 -> 3"}, "the third of a pair is not asked for"),
    ("symknot/polynomials/precise.py", 'return float("inf") if value > 0'): (
        {"value > 0 -> value >= 0", "0 -> 1"}, "what overflows is far from both"),
    ("symknot/fitting/pursuit.py", "quadratic = worst / noise <= (before / noise) ** 2"): (
        {"worst / noise <= (before / noise) ** 2 -> worst / noise < (before / noise) ** 2"}, TO_THE_BIT),
    ("symknot/fitting/pursuit.py", "return np.sqrt(mean) > FARTHEST_MEAN * epsilon"): (
        {"np.sqrt(mean) > FARTHEST_MEAN * epsilon -> np.sqrt(mean) >= FARTHEST_MEAN * epsilon"}, TO_THE_BIT),
    (SUBSETS, "SWEEPS_PER_INVERSE = 25"): ({"25 -> 26"}, "a convention about rounding; one sweep more loses no digit"),
    (SUBSETS, "self.table = dger("): ({"True -> False"}, MEMORY),
    (SUBSETS, "if self.sweeps > SWEEPS_PER_INVERSE:"): (
        {"self.sweeps > SWEEPS_PER_INVERSE -> self.sweeps >= SWEEPS_PER_INVERSE"}, "a convention about rounding, as above"),
    (SUBSETS, "NOTHING_NEW = 1e-9"): (None, "a convention, far above rounding and far below what data show"),
    (JOINT, "mine[:] = scipy.linalg.solve_triangular("): ({"False -> True"}, MEMORY),
    (JOINT, "return scipy.linalg.cholesky_banded("): ({"False -> True", "True -> False"}, MEMORY),
    ("symknot/fitting/rivals.py", "nothing = Settings(*strategies, None"): ({"0 -> 1"}, "what is not begun has no resets"),
    (SUBSETS, "b = np.where(np.diag(S) > NOTHING_NEW, pull / size, 0.0)"): (
        {"np.diag(S) > NOTHING_NEW -> np.diag(S) >= NOTHING_NEW"}, TO_THE_BIT),
    (SUBSETS, "moves = [([outside[i]], adding[i])"): ({"adding < within -> adding <= within"}, TO_THE_BIT),
    (SUBSETS, "moves += [([inside[k]], dropping[k])"): ({"dropping < within -> dropping <= within"}, TO_THE_BIT),
    (SUBSETS, "moves += [([inside[k], outside[i]], exchanging[i, k])"): (
        {"exchanging < within -> exchanging <= within"}, TO_THE_BIT),
    (SUBSETS, "self.S, self.b, self.penalty, self.mask, self.sweeps = S"): (None, "`_anew` sets it in the next line"),
    (SUBSETS, "if -rises[k] <= LEAST_GAIN:"): ({"-rises[k] <= LEAST_GAIN -> -rises[k] < LEAST_GAIN"}, TO_THE_BIT),
    (SUBSETS, "if -adding[best] > LEAST_GAIN or not"): (
        {"-adding[best] > LEAST_GAIN -> -adding[best] >= LEAST_GAIN"}, TO_THE_BIT),
    (SUBSETS, "if cost >= least - LEAST_GAIN:"): (
        {"cost >= least - LEAST_GAIN -> cost > least - LEAST_GAIN"}, TO_THE_BIT),
    (SUBSETS, "if cost < least - LEAST_GAIN:"): (
        {"cost < least - LEAST_GAIN -> cost <= least - LEAST_GAIN"}, TO_THE_BIT),
    (SUBSETS, "if gain <= LEAST_GAIN:"): ({"gain <= LEAST_GAIN -> gain < LEAST_GAIN"}, TO_THE_BIT),
    ("symknot/fitting/projection.py", "POLISHING_STEPS = 4"): ({"4 -> 5"}, "a convention; two steps are enough"),
    ("symknot/fitting/projection.py", "better = values_again + pull * away_again <"): (
        {"values_again + pull * away_again < (values + pull * away)[stuck] -> "
         "values_again + pull * away_again <= (values + pull * away)[stuck]"}, TO_THE_BIT),
    (KRAWCZYK, "if np.abs(step).max() <= SETTLED_STEP:"): (
        {"np.abs(step).max() <= SETTLED_STEP -> np.abs(step).max() < SETTLED_STEP"}, TO_THE_BIT),
    (JOINT, "if (len(factor) - 1) * (P + 1) < LEAST_BLOCKWISE:"): (None, SAME_SOLUTION),
    (JOINT, "LEAST_BLOCKWISE = 1000"): (None, SAME_SOLUTION),
    (JOINT, "SMALLEST_BLOCK = 64"): (None, SAME_SOLUTION),
    (JOINT, "return _solved(factor, _solved(factor, b.T.reshape(-1, 1)"): ({"1 -> 2"}, NEGATIVE_LENGTH),
    (JOINT, "quiet = change @ information @ change"): ({"1 -> 2"}, "without coefficients there is no change either"),
    (JOINT, "return float(np.sqrt(max(change @ information"): ({"1 -> 2"}, "without coefficients there is no change either"),
    (KRAWCZYK, "RADIUS_BITS = range(60, 19, -8)"): ({"8 -> 9"}, WITNESS),
    (KRAWCZYK, "SETTLED_STEP = 2.0**-80"): ({"80 -> 81"}, WITNESS),
    (KRAWCZYK, "CENTER_BITS = 100"): (None, WITNESS),
    (KRAWCZYK, "MOST_NEWTON_STEPS = 12"): (None, WITNESS),
    (KRAWCZYK, "SMALLEST_GRADIENT = 1e-7"): (None, "between what was measured at double zeros, 1.5e-8, and at true ones, 1e-6"),
    (KRAWCZYK, "PRECONDITIONER_BITS = 40"): (None, WITNESS),
    (KRAWCZYK, "PLANE_BITS = 20"): (None, WITNESS),
    (KRAWCZYK, "clipped = max(min(self.constant, 2 <<"): (
        {"2 -> 3"}, "more than 1 says that no zero is near, and 3 is surely a float, too"),
    (KRAWCZYK, "clear = sizes > largest"): (
        {"sizes > largest * max(RANK_TOLERANCE, FALSE_VALUE_PER_DISTANCE * off if rank is None else 0) -> "
         "sizes >= largest * max(RANK_TOLERANCE, FALSE_VALUE_PER_DISTANCE * off if rank is None else 0)"}, TO_THE_BIT),
    (KRAWCZYK, "if not np.abs(step).max() <= FARTHEST_MOVE:"): (
        {"np.abs(step).max() <= FARTHEST_MOVE -> np.abs(step).max() < FARTHEST_MOVE"}, TO_THE_BIT),
    (KRAWCZYK, "if max(abs(u - v) for u, v in zip(place, start)) >"): (
        {"max((abs(u - v) for u, v in zip(place, start))) > int(FARTHEST_MOVE * 2 ** CENTER_BITS) -> "
         "max((abs(u - v) for u, v in zip(place, start))) >= int(FARTHEST_MOVE * 2 ** CENTER_BITS)"}, TO_THE_BIT),
    (KRAWCZYK, "common = max(0, -min("): ({"0 -> 1"}, "another common denominator of the same numbers"),
    (KRAWCZYK, "return Fraction(1 << exponent) if exponent >= 0"): (
        {"exponent >= 0 -> exponent > 0"}, "2**0 is 1 either way"),
    ("symknot/fitting/projection.py", "EQUATION_TOLERANCE = 1e-15"): (None, "a convention; 14 digits are below rounding, too"),
    ("symknot/fitting/projection.py", "stuck = np.flatnonzero(values > pull * away"): (
        {"values > pull * away + EQUATION_TOLERANCE ** 2 -> values >= pull * away + EQUATION_TOLERANCE ** 2",
         "EQUATION_TOLERANCE ** 2 -> EQUATION_TOLERANCE * 2"}, STARTS_AGAIN),
    ("symknot/fitting/projection.py", 'away = np.einsum("nd,nd->n", knots - anchors, knots'): (
        {"knots - anchors -> knots + anchors"}, STARTS_AGAIN),
    (STRUCTURE, "LEAST_BY_SQUARES = 1e-5"): (None, "ten times as much leaves three digits: " + ONE_WAY),
    (STRUCTURE, "if least < LEAST_BY_SQUARES"): (
        {"least < LEAST_BY_SQUARES * np.sqrt(max(squares[-1], 0.0)) -> "
         "least <= LEAST_BY_SQUARES * np.sqrt(max(squares[-1], 0.0))", "0.0 -> 1.0"}, ONE_WAY),
    (STRUCTURE, "return values @ (unit @ turn[:, sizes > least])"): ({"sizes > least -> sizes >= least"}, TO_THE_BIT),
    (STRUCTURE, "return values @ (unit @ turn[:, squares > least**2])"): (
        {"squares > least ** 2 -> squares >= least ** 2"}, TO_THE_BIT),
    (STRUCTURE, "feet, slope_of = feet / np.where(size > 0, size, 1.0)"): ({"1.0 -> 10.0"}, NONE_IS_ZERO),
    (STRUCTURE, "kept = found.strong.reshape(-1)"): ({"1 -> 2"}, NEGATIVE_LENGTH),
    (STRUCTURE, "target = (found.distances * np.sqrt(weights)[:, None]).reshape(-1)"): ({"1 -> 2"}, NEGATIVE_LENGTH),
    (STRUCTURE, 'return np.einsum("nck,nf->nckf", turn, functions)'): ({"1 -> 2"}, NEGATIVE_LENGTH),
    (STRUCTURE, "tested = tested / np.where(sizes > 0, sizes, 1.0)"): ({"1.0 -> 10.0"}, NONE_IS_ZERO),
    (STRUCTURE, "chosen = np.flatnonzero(squares > OWN_SHARE**2)"): (
        {"squares > OWN_SHARE ** 2 -> squares >= OWN_SHARE ** 2"}, TO_THE_BIT),
    (STRUCTURE, "seen = share > SEEN_ALONG"): ({"share > SEEN_ALONG -> share >= SEEN_ALONG"}, TO_THE_BIT),
    (STRUCTURE, "each = along**2 / np.where(seen, share, 1.0)"): (
        {"1.0 -> 10.0"}, "where it is not seen, the mean takes its place"),
    (STRUCTURE, "tested = (tested / np.where(sizes > 0, sizes, 1.0))"): (
        {"1.0 -> 10.0", "sizes > 0 -> sizes >= 0", "sizes > RANK_SHARE * sizes.max(initial=0.0) -> "
         "sizes >= RANK_SHARE * sizes.max(initial=0.0)"},
        "functions vary by more than the noise: none is 0, or rounding to the bit"),
    (STRUCTURE, "if not mean or _score_test("): (
        {"_score_test(tested, target, np.arange(n), n, root[:, None]).chance >= LEVEL -> "
         "_score_test(tested, target, np.arange(n), n, root[:, None]).chance > LEVEL"}, TO_THE_BIT),
    (STRUCTURE, "for _ in range(2):"): ({"2 -> 3"}, "after two rounds columns are orthonormal to rounding"),
    (STRUCTURE, "kept = squares > RANK_SHARE**2 * squares[-1:]"): (
        {"1 -> 2", "-1 -> +1"}, "the largest is the last; of a single one it is not asked how large"),
    (STRUCTURE, "gram, lower = np.zeros("): ({"degree - 1 -> degree + 1"}, "more products than are asked for"),
    ("symknot/polynomials/vanishing.py", "if set(polynomial) <= set(self.standard_monomials):"): (
        None, "a polynomial in standard monomials is its own normal form: the other way computes the same"),
    ("symknot/fitting/knotting.py", "first = int(G_degrees[0]) if len(G_degrees)"): (
        {"len(F_sizes) - 1 -> len(F_sizes) + 1"}, "no group of F is of a higher degree than the last"),
    ("symknot/fitting/knotting.py", "starts = np.concatenate([[0], np.cumsum(F_sizes)])"): (
        {"0 -> 1"}, "where the constant starts is not asked for"),
    (JUDGING, "return value < HERMITE_MARGIN * granted"): (
        {"value < HERMITE_MARGIN * granted / np.sqrt(order) * before -> "
         "value <= HERMITE_MARGIN * granted / np.sqrt(order) * before"}, TO_THE_BIT),
    (JUDGING, "uneven = largest > width and"): (
        {"largest > width -> largest >= width"}, "a cluster just as wide as it may be stands clear either way"),
    (JUDGING, "return bool(np.sum(rest**2) < FEW_VALUED"): (
        {"np.sum(rest ** 2) < FEW_VALUED * np.sum(at.exact_slopes ** 2) -> "
         "np.sum(rest ** 2) <= FEW_VALUED * np.sum(at.exact_slopes ** 2)"}, TO_THE_BIT),
    (JUDGING, "return bool(seen[~self.noiseless].sum() > LEAST_ROOM"): (
        {"seen[~self.noiseless].sum() > LEAST_ROOM * seen.sum() -> seen[~self.noiseless].sum() >= LEAST_ROOM * seen.sum()"},
        TO_THE_BIT),
    (SEARCH, "seen = int(np.sum(values <= LARGEST_EPSILON"): (
        {"values <= LARGEST_EPSILON_OVER_NOISE * earlier.values[earlier.k - 1] -> "
         "values < LARGEST_EPSILON_OVER_NOISE * earlier.values[earlier.k - 1]"}, TO_THE_BIT),
    (SEARCH, "if values[k] < SMALLEST_GAP * values[k - 1] or"): (
        {"values[k] < SMALLEST_GAP * values[k - 1] -> values[k] <= SMALLEST_GAP * values[k - 1]",
         "values[k - 1] > loudest -> values[k - 1] >= loudest"}, TO_THE_BIT),
    (SEARCH, "if values[k] >= SMALLEST_GAP * values[k - 1] and"): (
        {"values[k] >= SMALLEST_GAP * values[k - 1] -> values[k] > SMALLEST_GAP * values[k - 1]",
         "values[k - 1] <= loudest -> values[k - 1] < loudest"}, TO_THE_BIT),
    (SEARCH, "if found.values[k] < SMALLEST_GAP * found.values[k - 1]"): (
        {"found.values[k] < SMALLEST_GAP * found.values[k - 1] -> found.values[k] <= SMALLEST_GAP * found.values[k - 1]",
         "found.values[k - 1] > loudest -> found.values[k - 1] >= loudest"}, TO_THE_BIT),
    (SEARCH, "return bool((quiet & found.involved & ~found.determined"): (
        {"found.noise * found.metric > rounding -> found.noise * found.metric >= rounding"}, TO_THE_BIT),
    (SEARCH, "MOST_COEFFICIENTS = 350"): (
        {"350 -> 351"}, "no degree beyond the second has 350 or 351 coefficients in any number of variables"),
    (SEARCH, "too_long = max_degree is None and"): (
        {"columns > MOST_COEFFICIENTS -> columns >= MOST_COEFFICIENTS"}, "the same"),
    (SEARCH, "clear_as_it_is = 0 < seen < len(values)"): (
        {"0 < seen < len(values) -> 0 <= seen < len(values)"}, "the smallest value is not 2.5 times the largest"),
    (SEARCH, "clear_as_it_is = 0 < seen < len(values) and"): (
        {"values[seen] >= WIDE_GAP * values[seen - 1] -> values[seen] > WIDE_GAP * values[seen - 1]"}, TO_THE_BIT),
}
"""(module, how a line of it begins) -> which changes of the line (None: all) no test can notice, and why."""
