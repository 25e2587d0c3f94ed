r"""Lack of fit: do the residuals of equations depend on where along the variety a point lies?

If equations g are true, the signed distances :math:`u_i` of the points from them have mean zero
wherever the point lies.  If they are too simple (a plane for a mild bend, a conic for a quartic),
the mean of :math:`u_i` is a function of the position :math:`z_i`, the foot of the point on the variety.
The functions tested are the polynomials of up to two degrees more than g: adding :math:`c\,q` to an
equation changes the distances by :math:`c\,q(z_i) / |\nabla g|`, so this is the score test of a
higher degree against this one.  All that the degree of g itself can change is projected out first,
so g need not be the best fit of its degree.

Three things keep the test honest for any noise.

*Positions, not noise.*  z itself is noisy.  A polynomial that varies over the points by little
more than the noise (a further equation of the variety, a multiple of g) is no function of the
position; those whose root-mean-square value is below `POSITION_OVER_NOISE` times the noise times
their root-mean-square slope are left out.

*Any distribution.*  The covariance of the scores is summed up from their own squares (White 1980), so
noise may differ from point to point, and need not be normal.

*Curvature.*  Noise along a bent variety has a mean effect, to second order half of
the noise's variance times the second derivative; it is measured by differences and taken off.  What
higher orders leave is small but not zero, so with very many points any curved truth would be
rejected: structure counts only from `LEAST_STRUCTURE` of the residuals' variance on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import fdtrc

from ..ground.lapack import root_of_definite, solve_lower, solve_upper, symmetric_eigen, triangle
from ..ground.linalg import ascending_svd, inverse_form, whitening
from ..ground.neighbours import nearest_neighbours
from ..polynomials.evaluation import derivative_table, monomial_rows
from ..polynomials.monomials import count
from .noise import Normals
from .work import call, search_operations

LEVEL = 1e-3
"""Level of the test: a convention; once in a thousand times a true equation is rejected."""
LEAST_STRUCTURE = 0.1
"""Share of the residuals' variance that structure must explain to count: a convention.  Derived for comparison: the mean
effects of third and fourth order are below 1 % for noise up to a tenth of the radius of curvature."""
DEGREES_ABOVE = 2
"""Degrees above the equations' own whose polynomials are tested: a convention; even functions need the second."""
POSITION_OVER_NOISE = 1.5
"""Times the noise that a function must vary over the points to tell positions apart: a convention."""
NEIGHBOURS = 3
"""Neighbours that tell where a point lies: a convention."""
POINTS_PER_FUNCTION = 10
"""Points for each tested function: a convention; with fewer the covariance of the scores is not known."""
MOST_MULTIPLICATIONS = 5e9
"""Multiplications that the slopes of the tested functions may take, a second or two; more functions than that are not
tested.  A convention."""
OWN_SHARE = 0.05
"""Share of a tested function that must be left when all that the equations' own degree can change is projected out: a
convention, far above rounding."""
PRODUCT = 0.25
"""Multiplications that could be done elsewhere in the time of one of those of large matrices: measured, 0.2 to 0.4."""
SEEN_ALONG = 0.1
"""Share of a variable's noise that a normal must see to tell its size: a convention."""
SMALLEST_LOCAL = 1e-4
"""Share of the mean variance below which a local one is not believed: a convention, a hundredth of the noise."""
SMALLEST_REST = 0.1
"""Share of a residual that is taken to be left at least: a convention."""
DEPENDENT_SCORES = 1e-12
"""Share of the largest variance of a score below which a direction has none: a convention, some thousand roundings."""
LEAST_BY_SQUARES = 1e-5
"""Share of the largest variation from which on one is told by its square.  Derived: rounding of squares is some 1e-14 of the
largest, which leaves four digits of it."""
RANK_SHARE = 1e-7
"""Share of the largest singular value below which a direction is rounding: squares of less have no digits left."""


class Structure(NamedTuple):
    """Outcome of the test.

    Attributes
    ----------
    chance : float
        Probability of so much structure if there is none (1 where nothing could be tested).
    share : float
        Share of the residuals' variance that it explains, beyond chance.
    functions : int
        How many functions of the position were tested.
    """

    chance: float = 1.0
    share: float = 0.0
    functions: int = 0

    @property
    def rejects(self) -> bool:
        """Whether the equations are too simple."""
        return self.chance < LEVEL and self.share > LEAST_STRUCTURE


def lack_of_fit(found: Normals, feet: np.ndarray, metric: np.ndarray, weights: np.ndarray, degree: int, noise: float,
                degrees_above: int = DEGREES_ABOVE) -> Structure:
    """Test equations of this degree.

    Parameters
    ----------
    found : Normals
        Distances of the points, the mean effect of curvature taken off.
    feet : (n, d) array
        Positions on the variety.
    metric : (d,) or (n, d) array
        Noise of each variable, up to the common factor `noise`.
    weights : (n,) array
    degree : int
    noise : float
    degrees_above : int
        How many degrees more the functions may have that are tested.
    """
    n, d = feet.shape
    if found.turn.shape[2] * count(d, degree + 1) > np.count_nonzero(found.strong) / 2:
        return Structure()
    rows, equations = np.count_nonzero(found.strong), found.turn.shape[2]
    changes = equations * count(d, degree)
    if n * d * count(d, degree + 1) ** 2 > MOST_MULTIPLICATIONS \
            or _products(rows, equations * count(d, degree + 1), changes) > search_operations(d):
        return Structure()
    call(2 * _products(rows, changes))
    size = np.sqrt(weights @ feet**2)
    feet, slope_of = feet / np.where(size > 0, size, 1.0), metric / np.where(size > 0, size, 1.0)
    own = _design(found, monomial_rows(feet.T, degree).T, weights)
    nearby = _of_neighbours(feet)
    kept = found.strong.reshape(-1)
    target = (found.distances * np.sqrt(weights)[:, None]).reshape(-1)[kept]
    point = np.repeat(np.arange(n), found.strong.shape[1])[kept]
    own = _orthonormal(own[kept])
    target = target - own @ (own.T @ target)
    worst = Structure()
    for above in range(1, degrees_above + 1):
        functions = count(d, degree + above)
        if found.turn.shape[2] * functions > len(target) / 2 or n * d * functions**2 > MOST_MULTIPLICATIONS:
            break
        if _products(len(target), found.turn.shape[2] * functions, own.shape[1]) > search_operations(d):
            break
        functions = _positions(nearby, slope_of, weights, degree + above, POSITION_OVER_NOISE * noise)
        tested = _design(found, functions, weights)[kept]
        call(_products(len(tested), tested.shape[1], own.shape[1]))
        sizes = np.linalg.norm(tested, axis=0)
        tested = tested / np.where(sizes > 0, sizes, 1.0)
        tested = tested - own @ (own.T @ tested)
        squares, vectors = np.linalg.eigh(tested.T @ tested)       # far cheaper than to decompose tall columns
        chosen = np.flatnonzero(squares > OWN_SHARE**2)[::-1][: n // POINTS_PER_FUNCTION]
        tested = tested @ (vectors[:, chosen] / np.sqrt(squares[chosen]))
        here = _score_test(tested, target, point, n, own)
        worst = here if here.chance < worst.chance else worst
    return worst


def _products(rows, columns, known=0):
    """Multiplications, about, by which columns are made orthonormal beside known ones: most are those of their products."""
    return PRODUCT * rows * columns * (columns + known)


def unevenness(found: Normals, feet: np.ndarray, metric: np.ndarray, weights: np.ndarray, noise: float) -> float:
    """How many times the residuals are larger in one place than in another: 1 where their size does not depend on it.

    Squares of the distances are regressed on linear and quadratic functions of the position (linear ones only where variables
    are many); where that explains
    something, at the level of the test, the ratio is that of its 90 % and 10 % quantiles.
    """
    few = len(feet) * count(feet.shape[1], 2) ** 2 <= MOST_MULTIPLICATIONS
    functions = _positions(feet, metric, weights, 2 if few else 1, POSITION_OVER_NOISE * noise)
    squares = [np.sum(found.distances**2, axis=1) / np.maximum(found.strong.sum(axis=1), 1)]
    # along each variable, too, relative to what equal noise would show there
    expected = np.sum(found.directions**2 * found.strong[:, :, None], axis=1)
    for along, share in zip(found.steps.T, expected.T):
        seen = share > SEEN_ALONG
        if seen.any():
            each = along**2 / np.where(seen, share, 1.0)
            squares.append(np.where(seen, each, weights[seen] @ each[seen] / weights[seen].sum()))
    tested = functions[:, ::-1][:, : len(weights) // POINTS_PER_FUNCTION] * np.sqrt(weights)[:, None]
    sizes = np.linalg.norm(tested, axis=0)                           # they are orthogonal, the largest last
    tested = (tested / np.where(sizes > 0, sizes, 1.0))[:, sizes > RANK_SHARE * sizes.max(initial=0.0)]
    return max(_unevenness(one, tested, weights) for one in squares)


def _unevenness(squares, tested, weights):
    n, root, mean = len(squares), np.sqrt(weights), weights @ squares
    target = root * (squares - mean)
    if not mean or _score_test(tested, target, np.arange(n), n, root[:, None]).chance >= LEVEL:
        return 1.0
    local = np.maximum(mean + tested @ (tested.T @ target) / root, SMALLEST_LOCAL * mean)
    low, high = np.quantile(local, [0.1, 0.9])
    return float(np.sqrt(high / low))


def _of_neighbours(feet):
    """The mean position of each point's nearest neighbours: where it lies, but for its own noise."""
    if len(feet) <= NEIGHBOURS:
        return feet
    near = nearest_neighbours(feet, NEIGHBOURS + 1)[1][:, 1:]
    return feet[near].mean(axis=1)


def _design(found, functions, weights):
    """Change of the distances by each function added to each equation: (n c, k functions)."""
    turn = found.turn * np.sqrt(weights)[:, None, None]
    return np.einsum("nck,nf->nckf", turn, functions).reshape(turn.shape[0] * turn.shape[1], -1)


def _orthonormal(columns):
    """Orthonormal columns with the same span, by the eigenvectors of their products, twice for rounding's sake."""
    for _ in range(2):
        squares, vectors = np.linalg.eigh(columns.T @ columns)
        kept = squares > RANK_SHARE**2 * squares[-1:].max(initial=0.0)
        columns = columns @ (vectors[:, kept] / np.sqrt(squares[kept]))
    return columns


def _positions(feet, slope_of, weights, degree, least):
    """Values of polynomials of at most this degree that vary by more than `least` of their slope, orthogonal over the weighted
    points, in the order of how much they vary."""
    rows = monomial_rows(feet.T, degree)
    call(rows.size * (len(rows) + feet.shape[1] * count(feet.shape[1], degree - 1)) / 2)
    scale = np.broadcast_to(slope_of, feet.shape) * np.sqrt(weights)[:, None]
    gram, lower = np.zeros((len(rows) - 1, len(rows) - 1)), rows[: count(feet.shape[1], degree - 1)]
    for place, factor, size in zip(*derivative_table(feet.shape[1], degree), scale.T):
        known = (lower * size**2) @ lower.T              # slopes are multiples of monomials of lower degree
        at = np.flatnonzero(factor[1:])
        gram[np.ix_(at, at)] += np.outer(factor[1:][at], factor[1:][at]) * known[np.ix_(place[1:][at], place[1:][at])]
    values = rows[1:].T - weights @ rows[1:].T
    unit = whitening(gram)
    if not unit.shape[1]:
        return values @ unit
    weighted = values * np.sqrt(weights)[:, None]
    squares, turn = symmetric_eigen(unit.T @ (weighted.T @ weighted) @ unit)
    if least < LEAST_BY_SQUARES * np.sqrt(max(squares[-1], 0.0)):     # squares have half the digits
        sizes, turn = ascending_svd(triangle(weighted) @ unit)
        return values @ (unit @ turn[:, sizes > least])
    return values @ (unit @ turn[:, squares > least**2])


def _score_test(tested, target, point, n, own):
    """Test orthonormal functions on residuals from the space spanned by `own`."""
    q, left = tested.shape[1], n - tested.shape[1] - own.shape[1]
    if not q or left < 1 or not target.any():
        return Structure()
    # a residual shows less of its own noise the more the fit follows it: divided by what is left (MacKinnon and White 1985)
    leverage = np.sum(own**2, axis=1) + np.sum(tested**2, axis=1)
    honest = target / np.maximum(1 - leverage, SMALLEST_REST)
    scores = tested * honest[:, None]
    if not np.array_equal(point, np.arange(n)):          # else it has one residual for each point
        each, scores = scores, np.zeros((n, q))
        np.add.at(scores, point, each)
    total = tested.T @ target
    statistic = _over_covariance(total, scores)
    chance = fdtrc(q, left, statistic / q * left / n)
    share = np.sum(total**2) / np.sum(target**2) - q / len(target)
    return Structure(float(chance), float(share), q)


def _over_covariance(total, scores):
    r"""``total @ inv(scores.T @ scores) @ total`` without directions that no score has.

    Where few points have scores, S of as many rows with total in its row space, it is :math:`|(S S^T)^{-1} S\,total|^2`.
    What all others together add to the covariance is less than what is left out in any case.
    """
    squares = np.einsum("nq,nq->n", scores, scores)
    seen = scores[squares * len(scores) > DEPENDENT_SCORES * squares.max(initial=0.0)]
    if len(seen) < len(total):
        root = root_of_definite(seen @ seen.T, len(seen) * DEPENDENT_SCORES)
        if root is not None:
            solved = solve_upper(root, solve_lower(root.T, seen @ total))
            return float(solved @ solved)
    return inverse_form(scores.T @ scores, total, DEPENDENT_SCORES)
