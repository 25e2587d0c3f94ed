r"""How many polynomials are constant along the runs, degree by degree, and which of them are new.

For monomials :math:`\varphi` (no constant) at states with noise of covariance :math:`\Sigma_i`, values are centred
in each run; then the generalised eigenvalues of their scatter against that of their noise,
:math:`\sum_i w_i J_i^T \Sigma_i J_i`, are 1 for an invariant and larger for all else (`nullspace`).  *Values* are
the square roots.  What "near 1" means follows from how well the data can tell:

*Held-out.*  Many coefficients make the smallest value smaller than it should be.  So the runs are cut into
`FOLDS` consecutive blocks each, and a combination is measured on blocks that it was not fitted to.

*Sampling.*  If the errors were independent at :math:`n_2` points, a mean square scatters by
:math:`\sqrt{2 / n_2}`; fitting m coefficients to :math:`n_1` points raises a held-out mean square by about
:math:`m / (n_1 - m)`.  Smoothed states overlap: :math:`n_1` and :math:`n_2` count what is left
(`States.independent`).  The limit for the mean square is :math:`1 + m/(n_1 - m) + 3 \sqrt{2/n_2}`, and `NOISE_MISFIT`
more, for noise that is not exactly what it was taken for.

*Contrast.*  A value near 1 says that a combination changes less than its own noise.  That is a discovery only
if the others do change: the next value must be `spectrum.WIDE_GAP` times as large, the ratio at which the rest of the
package, too, believes a gap by itself; times the ratio of the edges between which k values scatter,
:math:`1 \pm \sqrt{k / (n_1 - m)}`.  Where noise hides all motion, every value is near 1 and nothing is found.
Nor is anything if a value stands between, too large for noise and too small to be clear of it: combinations with
that one are constant enough to be mistaken for those without it, and cannot be told from them by a few terms.

If the noise is unknown (maps), it is taken as the same share of every variable's size; values are then known up to
a common factor, which the smallest ones determine if they stand clear: the same ratio decides.

*Undecided.*  What held-out values cannot tell may still be there: fitted to runs that are too few for m coefficients, the best
combinations are not those that stay constant on other blocks.  But if j independent ones are invariant, the j smallest
eigenvalues of *all* the data are no larger than the largest mean square in their span (Courant and Fischer).  Of one that is
:math:`1 + 3 \sqrt{2 / n_2}` at most, but for one time in 740; the largest over a span is about
:math:`(1 + \sqrt{j / n_2})^2`, for which `NOISE_MISFIT` on top of it leaves room while j is less than a seventieth of
:math:`n_2`.  So the number of eigenvalues up to there bounds that of invariants from above, whether there is a gap or not:
where it is 0, a degree is decided; where it is not, more runs decide it.

*New.*  Products of invariants are invariants.  The span of all those of the present degree has a reduced echelon form;
its pivots are left out of the candidates, which loses nothing: whatever else is invariant can be reduced by them.
Likewise multiples of constraints, which take one value in all runs.  So do (g - h_1) ... (g - h_R) and its multiples
for the R levels of an invariant, which is no discovery either.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
import scipy.linalg

from ...fitting.hypothesis import LOUDEST_NOISE
from ...fitting.search import WIDE_GAP
from ...ground.linalg import SMALLEST_DIVISOR, column_sizes, svd, unit_columns
from ...polynomials.evaluation import evaluate_monomials
from ...polynomials.monomials import monomials
from ..motion.nullspace import REWEIGHTINGS, VARIANCE_FLOOR
from ..runs.smooth_states import SMALLEST_NOISE, States
from .level_sets import reduced_rows

Polynomial = dict[tuple[int, ...], float]
"""Exponents -> coefficient."""

FOLDS = 5
"""Blocks that each run is cut into: fits to four fifths of the data are nearly as good as to all.  A convention."""
NOISE_MISFIT = 0.25
"""Excess of a mean square that an imperfect idea of the noise may explain (12 per cent in the noise itself)."""
SURE_ERRORS = 3.0
"""Standard errors that chance exceeds once in 740 times."""
UNSEEN_NOISE = 1e-7
"""Combinations with less noise than this share of the largest have none: they are constant to rounding, of which half
the digits are left in a mean square."""
MOMENT_RIDGE = 1e-12
"""Share of the mean added to the diagonal of the noise's moments: above the rounding of the sums in them."""
LARGEST_EDGE = 0.8
"""Of the edges 1 +- e between which values scatter: beyond it there are too few points for the ratio to mean anything,
and it is taken as 9."""


@dataclass(frozen=True, eq=False)
class HeldOutValues:
    """Values of the best combinations of some monomials.

    Attributes
    ----------
    values : (m,) array
        Held-out, ascending in those of the fit.
    combinations : (m, m) array
        Columns, over the monomials that were looked at.
    limit : float
        What a value may be if noise is all there is.
    left : float
        Independent points less coefficients.
    fitted : (m,) array
        Values on the data that the combinations were fitted to, ascending.
    fitted_limit : float
        What such a value may be if noise is all there is.
    """

    values: np.ndarray
    combinations: np.ndarray
    limit: float
    left: float
    fitted: np.ndarray
    fitted_limit: float

    @property
    def most(self) -> int:
        """How many invariants there may be at most, told apart or not."""
        return int(np.sum(self.fitted <= self.fitted_limit))

    def count(self) -> int:
        """How many are invariants."""
        return leading(self.values, self.limit, self.left)

    def apart(self) -> tuple[int, float | None]:
        """How many stand clear of all others, though they may vary more than noise explains, and the largest value.

        None does if that value is so large that it would be clear of any invariant.
        """
        for k in range(1, len(self.values)):
            largest, ratio = float(self.values[:k].max()), contrast(k, self.left)
            if largest >= ratio * self.limit:
                break
            if self.values[k:].min() >= ratio * max(largest, 1.0):
                return k, largest
        return 0, None

    def count_unscaled(self) -> tuple[int, float | None]:
        """How many are, if the noise is not known, and the noise then."""
        values = np.maximum(self.values, SMALLEST_NOISE)
        for k in range(1, len(values)):
            noise = float(np.sqrt(np.mean(values[:k] ** 2)))
            if noise <= LOUDEST_NOISE and leading(values / noise, self.limit, self.left) == k:
                return k, noise
        return 0, None


def contrast(k: int, left: float) -> float:
    """How much larger than k values that belong together the next one is to be."""
    edge = min(np.sqrt(k / max(left, 1.0)), LARGEST_EDGE)
    return WIDE_GAP * (1 + edge) / (1 - edge)


def leading(values: np.ndarray, limit: float, left: float) -> int:
    """How many of the first values are near 1, if the next is clearly larger; else 0.

    Examples
    --------
    >>> leading(np.array([0.9, 1.1, 14.0, 20.0]), 1.2, 300), leading(np.array([0.9, 1.1, 1.5, 20.0]), 1.2, 300)
    (2, 0)
    >>> leading(np.array([0.9, 1.1]), 1.2, 300), leading(np.array([1.0, 3.0]), 1.2, 10)
    (0, 0)
    """
    near = values <= limit
    k = len(values) if near.all() else int(np.argmin(near))
    if k in (0, len(values)):
        return 0
    return k if values[k:].min() >= contrast(k, left) * max(values[:k].max(), 1.0) else 0


def values_of(states: States, group: np.ndarray, exponents: np.ndarray) -> HeldOutValues:
    """Values of the combinations of some monomials, each centred in its group.

    Parameters
    ----------
    states : States
    group : (n,) int array
    exponents : (m, d) int array

    Returns
    -------
    HeldOutValues
    """
    return _fitted_values(states, group, exponents, held_out=True)


def most_invariants(states: States, group: np.ndarray, exponents: np.ndarray) -> tuple[int, float]:
    """How many combinations may keep one value in each group at most, and what a value may be if noise is all there is."""
    found = _fitted_values(states, group, exponents, held_out=False)
    return found.most, found.fitted_limit


def _fitted_values(states, group, exponents, held_out):
    """The same; `values` are the fitted ones where no held-out ones are wanted."""
    phi, slopes = evaluate_monomials(states.points, exponents)
    size = column_sizes(phi)
    noise = slopes / size * np.sqrt(states.variance)[:, :, None]
    basis = _measurable(noise)
    phi, noise = phi / size @ basis, noise @ basis
    weights = np.ones(len(phi))
    for turn in range(REWEIGHTINGS + 1):
        centred = _centred(phi, weights, group)
        squares, combinations = _eigenpairs(*_moments(centred, noise, weights))
        if turn < REWEIGHTINGS:
            variance = np.sum((noise @ combinations[:, 0]) ** 2, axis=1)
            floor = VARIANCE_FLOOR * variance.mean()
            if floor <= SMALLEST_DIVISOR:                # exact data: all points count alike
                break
            weights = 1 / np.maximum(variance, floor)
            weights /= weights.mean()
    n1, n2 = states.independent
    m = basis.shape[1]
    noisy = 1 + SURE_ERRORS * np.sqrt(2 / n2) + NOISE_MISFIT
    limit, fitted = np.sqrt(noisy + m / max(n1 - m, 1)), np.sqrt(np.maximum(squares, 0.0))
    return HeldOutValues(_held_out(states, centred, noise, weights) if held_out else fitted,
                         basis @ combinations / size[:, None], float(limit), float(n1 - m), fitted, float(np.sqrt(noisy)))


def _measurable(noise):
    """Combinations in which noise is white, (m, r), without those in which there is none.

    Where a gradient vanishes, as that of (g - h)^2 does if g is constant to rounding, so does the scatter: 0 / 0.
    """
    rows, size = unit_columns(noise.reshape(-1, noise.shape[2]))
    _, values, vectors = svd(np.linalg.qr(rows, mode="r"))
    kept = values >= UNSEEN_NOISE * values[0]
    return vectors[kept].T / np.where(values > 0, values, 1.0)[kept] / size[:, None]


def _centred(phi, weights, group):
    out = np.empty_like(phi)
    for r in range(int(group.max()) + 1):
        rows = group == r
        out[rows] = phi[rows] - weights[rows] @ phi[rows] / weights[rows].sum()
    return out


def _weighted(centred, noise, weights):
    """Rows whose squares add up to the scatter of the values, and to that of their noise."""
    root = np.sqrt(weights)
    return centred * root[:, None], (noise * root[:, None, None]).reshape(-1, noise.shape[2])


def _moments(centred, noise, weights):
    """Scatter of the values and of their noise."""
    return [rows.T @ rows for rows in _weighted(centred, noise, weights)]


def _eigenpairs(scatter, spread):
    """Mean squares and combinations, the most constant first; the noise is about white, and safe to divide by."""
    m = len(spread)
    return scipy.linalg.eigh(scatter, spread + MOMENT_RIDGE * (np.trace(spread) / m or 1.0) * np.eye(m))


def _held_out(states, centred, noise, weights):
    """Values of the combinations fitted to all but one block of each run, on that block."""
    fold = np.concatenate([np.arange(part.stop - part.start) * FOLDS // (part.stop - part.start)
                           for part in states.pieces])
    blocks = [(centred[fold == f], noise[fold == f], weights[fold == f])
              for f in np.unique(fold)]                 # short runs do not reach all of them
    moments = [_moments(*block) for block in blocks]
    whole = sum(spread for _, spread in moments)
    squares, m = np.zeros(centred.shape[1]), centred.shape[1]
    for f, block in enumerate(blocks):
        # added up, not subtracted from the whole, which would leave rounding where one block has nearly all of it
        others = [sum(part) for part in zip(*(moments[g] for g in range(len(blocks)) if g != f))]
        C = _eigenpairs(*(others or moments[f]))[1]
        C = C / np.sqrt(np.maximum(np.sum(C * (whole @ C), axis=0), np.finfo(float).tiny))
        values, spread = (rows @ C for rows in _weighted(*block))
        # squares add up to the mean square over the span of the first 1, 2, ... combinations; R is a Cholesky factor
        # that no rounding can spoil, and the rows of the ridge stand for what the block does not see
        ridge = np.sqrt(MOMENT_RIDGE * (np.sum(spread**2) / m or 1.0))
        R = np.linalg.qr(np.vstack([spread, ridge * np.eye(m)]), mode="r")
        squares += block[2].sum() * np.sum(scipy.linalg.solve_triangular(R, values.T, trans="T") ** 2, axis=1)
    return np.sqrt(squares / weights.sum())


class Known:
    """Invariants and constraints found so far, as {exponents: coefficient} in units of the states' sizes."""

    def __init__(self, dimension: int):
        self.dimension = dimension
        self.invariants: list[Polynomial] = []
        self.constraints: list[Polynomial] = []
        self.levels: list[np.ndarray] = []

    def candidates(self, degree: int, size: Callable[[np.ndarray], np.ndarray], constraints_only: bool = False) -> np.ndarray:
        """Exponents of the monomials up to `degree` that are not pivots of what is known.

        Parameters
        ----------
        degree : int
        size : callable
            Exponents (m, d) to the sizes of those monomials on the data.
        constraints_only : bool
            Whether what is known is the constraints: another one may differ from an invariant by a number.
        """
        exponents = monomials(self.dimension, degree).exponents
        index = {tuple(e): i for i, e in enumerate(exponents.tolist())}
        rows = []
        for polynomial in self._multiples(self.constraints, degree) if constraints_only else self._consequences(degree):
            row = np.zeros(len(exponents))
            for e, c in polynomial.items():
                row[index[e]] = c
            rows.append(row)
        kept = np.ones(len(exponents), dtype=bool)
        kept[0] = False
        if rows:
            sizes = size(exponents[1:])
            kept[1 + reduced_rows(np.array(rows)[:, 1:], sizes)[1]] = False
        return exponents[kept]

    def _consequences(self, degree):
        """Products of invariants, and multiples of constraints, up to a degree."""
        degrees = [degree_of(g) for g in self.invariants]
        for number in range(1, degree + 1):
            for chosen in combinations_with_replacement(range(len(degrees)), number):
                if sum(degrees[i] for i in chosen) <= degree:
                    yield multiplied_out([self.invariants[i] for i in chosen])
        vanishing = list(self.constraints)
        constant = (0,) * self.dimension
        for g, levels in zip(self.invariants, self.levels):
            if degree_of(g) * len(levels) < degree:
                vanishing.append(multiplied_out([{**g, constant: -h} for h in levels]))
        yield from self._multiples(vanishing, degree)

    def _multiples(self, vanishing, degree):
        """Multiples of what is zero, up to a degree."""
        for g in vanishing:
            room = degree - degree_of(g)
            if room >= 0:
                for e in monomials(self.dimension, room).exponents.tolist():
                    yield multiplied_out([g, {tuple(e): 1.0}])


def degree_of(polynomial: Polynomial) -> int:
    """Total degree."""
    return max(sum(e) for e in polynomial)


def multiplied_out(polynomials: Sequence[Polynomial]) -> Polynomial:
    """Product of polynomials {exponents: coefficient}.

    Examples
    --------
    >>> multiplied_out([{(1, 0): 1.0, (0, 1): 1.0}, {(1, 0): 1.0, (0, 1): -1.0}])
    {(2, 0): 1.0, (1, 1): 0.0, (0, 2): -1.0}
    """
    total = polynomials[0]
    for other in polynomials[1:]:
        made: Polynomial = {}
        for e, a in total.items():
            for f, b in other.items():
                key = tuple(i + j for i, j in zip(e, f))
                made[key] = made.get(key, 0.0) + a * b
        total = made
    return total
