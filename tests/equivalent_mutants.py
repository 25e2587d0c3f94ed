"""Mutants that no test can notice, each with the reason: what `tests.mutants` leaves out of its count."""

ONE_WAY = "only chooses between two ways to the same singular values"
SAME_SOLUTION = "only chooses between two ways to the same solution"
JOINT = "symknot/sysid/motion/joint.py"
KRAWCZYK = "symknot/exact/krawczyk.py"
SUBSETS = "symknot/sysid/motion/subsets.py"
TO_THE_BIT = "differs only where computed sums agree to the last bit, on which nothing may depend"
EQUIVALENT: dict[tuple[str, str], tuple[set[str] | None, str]] = {
    ("symknot/fitting/basis.py", "if problem.knot_factor is problem.data_factor and np.abs("): (None, ONE_WAY),
    ("symknot/fitting/basis.py", "return F / np.where(norms > 0, norms, 1), adjustable"): (
        {"norms > 0 -> norms >= 0", "1 -> 2"}, "F has no polynomial of norm 0: what it has exceeds the tolerance"),
    ("symknot/fitting/pursuit.py", "quadratic = worst / noise <= (before / noise) ** 2"): (
        {"worst / noise <= (before / noise) ** 2 -> worst / noise < (before / noise) ** 2"}, TO_THE_BIT),
    ("symknot/fitting/pursuit.py", "return weights @ np.sum(steps**2, axis=1) > steps.shape[1]"): (
        {"weights @ np.sum(steps ** 2, axis=1) > steps.shape[1] * (FARTHEST_MEAN * epsilon) ** 2 * weights.sum() -> "
         "weights @ np.sum(steps ** 2, axis=1) >= steps.shape[1] * (FARTHEST_MEAN * epsilon) ** 2 * weights.sum()"},
        TO_THE_BIT),
    (SUBSETS, "SWEEPS_PER_INVERSE = 25"): ({"25 -> 26"}, "a convention about rounding; one sweep more loses no digit"),
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
    (JOINT, "return _solved(factor, _solved(factor, b.T.reshape(-1, 1)"): ({"1 -> 2"}, "numpy takes any negative length as -1"),
    (JOINT, "quiet = change @ information @ change"): ({"1 -> 2"}, "without coefficients there is no change either"),
    (JOINT, "return float(np.sqrt(max(change @ information"): ({"1 -> 2"}, "without coefficients there is no change either"),
}
"""(module, how a line of it begins) -> which changes of the line (None: all) no test can notice, and why."""
