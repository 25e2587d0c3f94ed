r"""From points to what a fit starts with: their metric, their weights, and the equations that stand clear.

`find_equations` searches the points (`search`), first trusting all of them.  If some lie far from what was found, or the
answer rests on points without neighbours, it searches again with redescending weights (`outliers`), until
the weights stay.  Then the points are brought into the metric of the noise that was found.  Where that
noise is larger in one place than in another, or equations had to be bent for want of a gap, it may be proportional to the
values: if a search that takes it so finds equations that stand clear, with noise that is then the same everywhere, or
more nearly so, these are taken.

Linear equations of a cloud are one thing more.  A normal cloud is a normal cloud in every direction: nothing in it
tells an equation seen through noise from mere correlation.  So linear equations of points that a test of normality
(Shapiro and Wilk, each variable and each principal direction, together at `TREND_LEVEL`) does not reject are called a
*trend*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..ground.errors import InvalidOption, WorkLimit
from ..ground.linalg import whitening
from ..polynomials.monomials import count
from ..reading.points import Points, read_points
from .coordinates import Coordinates
from .hypothesis import cluster_width
from .judging import WIDE_GAP, Searched
from .outliers import far_away, named, standardised, tukey
from .planes import TREND_NOISE, Planes, is_normal_cloud, planes_of
from .robust import MUCH_LOUDER, robust_search
from .runners_up import runners_up
from .sampled import ROUNDING_SHARE
from .search import FURTHEST_CARRIED_DEGREE, LARGEST_EPSILON_OVER_NOISE, bent_rival, search_as_far, search_sample
from .spectrum import Gap, Spectrum, SpectrumDegree, degree_limit
from .work import search_limit

MOST_POINTS = 4000
"""Points that the search looks at.  Derived: a root-mean-square over so many is known to 1.1 %, and more only take
longer."""
POINTS_PER_COEFFICIENT = 2
"""... or, where variables are many, so many for each coefficient up to `search.FURTHEST_CARRIED_DEGREE`: a convention; half of
them are left over to tell the noise."""
REPEATS_OF_EXACT_DATA = 4
"""Noisy measurements do not repeat; points that occur this often, on average, are exact: a convention."""
EXACT_EPSILON = 1e-6
"""Largest epsilon, as a share of the spread, for data that are exact: a convention."""
LOSSES = ("auto", "squares", "robust")
"""Names of the losses."""


@dataclass(frozen=True, eq=False)
class Finding:
    """What the search came to, and the points as a fit should take them.

    Attributes
    ----------
    points : Points
        In the metric of the noise; outliers left out.
    spectrum : Spectrum
    searched : Searched
    coordinates : Coordinates
        Those of the search.
    before : Points
        The points as they were.
    noise_log_errors : (d,) array
        Standard errors of the logarithm of each variable's noise; infinite where the data do not say.
    outliers : int array
        Input rows.
    is_trend : bool
    rivals : tuple of Finding
        Other descriptions, which the evidence does not rule out beyond doubt (`runners_up`).
    case : str
        Of a rival: the evidence for and against it, in words.
    unfinished : str
        What there was no work left for, in words; empty where all was searched.
    """

    points: Points
    spectrum: Spectrum
    searched: Searched
    coordinates: Coordinates
    before: Points
    noise_log_errors: np.ndarray
    outliers: np.ndarray
    is_trend: bool
    rivals: tuple[Finding, ...] = ()
    unfinished: str = ""
    case: str = ""

    @property
    def doubt(self) -> str:
        """Why equations may not be the last word though no further ones are in sight; empty where nothing says so."""
        found = self.searched.found
        if found is None:
            return ""
        if self.searched.is_bent:
            return (f"no gap speaks for these equations, only that none of degree {found.degree - 1} fit; some of a higher "
                    "degree may fit as well: give max_degree to say that these are the ones, or bring more points")
        if found.unevenness > WIDE_GAP:
            return (f"the noise would be {found.unevenness:.2g} times as large in one place as in another: some points may lie "
                    "on no equation, or noise differs that much; give noise for each number if it is known")
        return ""

    @property
    def gap_as_fitted(self) -> Gap | None:
        """The gap in the values that the fit has, for which noise is the same at all points."""
        gap, found = self.spectrum.gap, self.searched.found
        if gap is None or found is None:
            return gap
        larger = _largest(found, np.ones_like(found.at.sample.pattern)) / _largest(found, found.at.sample.pattern)
        return replace(gap, noise=larger * gap.noise, below=larger * gap.below, above=larger * gap.above,
                       epsilon=larger * gap.epsilon)

    def bent_values(self) -> np.ndarray | None:
        """Values at `points` of equations that were bent out of simpler ones, where such were found."""
        found = self.searched.found
        if found is None or not self.searched.is_bent:
            return None
        values = self.points.values * (self.points.scale / self.before.scale)
        return found.evaluated((values - self.coordinates.centre) / self.coordinates.spreads)


def spectrum(points: Any, max_degree: int | None = None, *, noise: str | Sequence[float] | np.ndarray | None = "auto",
             weights: Sequence[float] | np.ndarray | None = None, names: Sequence | None = None) -> Spectrum:
    """Noise-normalised spectrum of the data, degree by degree.

    Parameters
    ----------
    points : array, nested list, DataFrame or path of a data file
    max_degree : int, optional
        Highest degree to look at; by default as far as the number of points carries.
    noise, weights, names
        As in `symknot.fit`.

    Returns
    -------
    Spectrum

    Examples
    --------
    >>> import numpy as np
    >>> t = np.linspace(0, 6.2, 200)
    >>> noise = 0.01 * np.random.default_rng(0).normal(size=(200, 2))
    >>> found = spectrum(np.c_[np.cos(t), np.sin(t)] + noise)
    >>> found.gap.degree, found.gap.count, round(found.gap.noise, 2)
    (2, 1, 0.01)
    """
    max_degree = degree_limit(max_degree)
    numbers, mode = noise_option(noise)
    return spectrum_of(read_points(points, names=names, noise=numbers, weights=weights), max_degree, mode)


def spectrum_of(points: Points, max_degree: int | None, noise: str) -> Spectrum:
    """The spectrum of points; of many variables that of their linear equations, then that of what is on their planes."""
    planes = planes_of(points, noise, "auto")
    if planes is None:
        return find_equations(points, max_degree, noise).spectrum
    return planes_first(planes, spectrum_of(planes.reduced(), max_degree, "given"))


def planes_first(planes: Planes, on_them: Spectrum | None) -> Spectrum:
    """The spectrum of linear equations, followed by that of the points on their planes."""
    unit, k, later = planes.points.unit, planes.count, on_them.gap if on_them is not None else None
    values, degrees = np.sort(planes.values) * unit, () if on_them is None else on_them.degrees
    left = planes.points.effective_count - len(values)
    first = SpectrumDegree(1, values, left, planes.points.effective_count)
    if degrees:
        first = replace(first, values=np.concatenate([values[:k], degrees[0].values]))
    below, above = float(values[k - 1]), float(values[k])
    if planes.noise == 0:
        below, epsilon = 0.0, float(min(EXACT_EPSILON * unit, np.sqrt(ROUNDING_SHARE * unit * above)))
    else:
        epsilon = float(np.sqrt(below * min(above, below * LARGEST_EPSILON_OVER_NOISE**2)))
    gap = Gap(1, k, planes.noise * unit, below, above, epsilon, 1)
    if later is not None:
        count = k + (later.count if later.degree == 1 else 0)
        gap = replace(gap, count=count, epsilon=max(epsilon, later.epsilon), last_degree=max(later.last_degree, 1))
    return Spectrum((first, *degrees[1:]), gap, unit)


def noise_option(noise: Any) -> tuple[Any, str]:
    """The option `noise` as numbers (or None) and one of "auto", "relative" and "given"; None stands for "auto".

    Examples
    --------
    >>> noise_option("auto"), noise_option("equal"), noise_option([1, 2])
    ((None, 'auto'), (None, 'given'), ([1, 2], 'given'))
    """
    if isinstance(noise, str):
        if noise not in ("auto", "equal", "relative"):
            raise InvalidOption("noise", noise, "'auto', 'equal', 'relative', or standard deviations")
        return None, "given" if noise == "equal" else noise
    return noise, "auto" if noise is None else "given"


def checked_loss(loss: Any) -> str:
    """The option `loss`."""
    if not isinstance(loss, str) or loss not in LOSSES:
        raise InvalidOption("loss", loss, f"one of {', '.join(map(repr, LOSSES))}")
    return loss


def find_equations(points: Points, max_degree: int | None = None, noise: str = "auto", loss: str = "auto") -> Finding:
    """Search the points; see the module's text.

    Parameters
    ----------
    points : Points
    max_degree : int or None
    noise : {"auto", "relative", "given"}
        "given" keeps the metric that the points have.
    loss : {"auto", "squares", "robust"}
    """
    n = len(points.values)
    carried = count(len(points.names), min(max_degree or FURTHEST_CARRIED_DEGREE, FURTHEST_CARRIED_DEGREE))
    most = max(MOST_POINTS, POINTS_PER_COEFFICIENT * carried)
    rows = np.arange(n) if n <= most else np.linspace(0, n - 1, most).astype(int)
    looked_at = np.isin(np.arange(n), rows)
    coordinates = Coordinates.of(points, noise, looked_at)
    noisy = points.repeats < REPEATS_OF_EXACT_DATA
    shares, outliers, again, bent = np.ones(n), np.zeros(n, bool), None, None
    with search_limit(len(points.names)).ruling("search"):
        searched = search_as_far(coordinates.sample(rows, points.weights[rows]), max_degree, coordinates.metric, noisy)
        unfinished = searched.unfinished
        try:
            if noise == "auto" and not unfinished:
                noise, searched, coordinates = _of_relative_noise(searched, coordinates, points, rows, max_degree)
            if noisy and loss != "squares" and not unfinished:
                again = robust_search(searched, coordinates, points, noise, rows, max_degree, loss == "robust")
                searched, coordinates = again or (searched, coordinates)
            bent = bent_rival(searched, coordinates.metric) if noisy and not unfinished else None
        except WorkLimit:
            unfinished = "whether other noise or a few points far off explain more was not searched to the end"
    if noisy and loss != "squares":
        if searched.found is not None:
            distances, freedom = standardised(searched.found, coordinates.values, coordinates.pattern)
            far = far_away(distances, freedom)
            if again is not None or not far[rows].any():       # else distances do not tell errors from the rest
                shares = (~far).astype(float) if again is None else tukey(distances, freedom)
                outliers = far | named(distances, freedom)
    found = _finding(points, coordinates, searched, shares, outliers)
    return replace(found, unfinished=unfinished, rivals=tuple(
        replace(_finding(points, coordinates, other, shares, outliers), case=case)
        for other, case in runners_up(searched, bent)))


def _of_relative_noise(plain, coordinates, points, rows, max_degree):
    """Kind of noise, search and coordinates: with noise proportional to the values, where that explains more."""
    if plain.found is None or not (plain.is_bent or plain.found.unevenness > 1):
        return "auto", plain, coordinates
    own = Coordinates.of(points, "relative", np.isin(np.arange(len(points.values)), rows))
    sample = own.sample(rows, points.weights[rows])
    relative = search_sample(sample, plain.found.degree, None)        # what is of higher degree explains no more
    if _explains_more(relative, plain):
        relative = search_sample(sample, max_degree, None)
    return ("relative", relative, own) if _explains_more(relative, plain) else ("auto", plain, coordinates)


def _explains_more(relative, plain):
    """Whether equations whose noise is proportional to the values have more even noise, and are no fewer, higher or louder;
    of equations that were bent it explains more only if there are more, or noise that would be far from even is even then."""
    one, other = relative.found, plain.found
    if one is None or relative.is_bent:
        return False
    unsure = plain.is_bent and other.unevenness > WIDE_GAP and one.unevenness == 1
    if not unsure and (one.loudness > MUCH_LOUDER * other.loudness or (plain.is_bent and one.k <= other.k)):
        return False
    return (one.degree, -one.k) <= (other.degree, -other.k) and (one.unevenness == 1 or one.unevenness < other.unevenness)


def _finding(points, coordinates, searched, shares, outliers):
    found, d = searched.found, len(points.names)
    fixed = coordinates.metric is not None
    metric = coordinates.metric if fixed else np.ones(d) if found is None else found.metric
    raw = metric * coordinates.spreads * points.scale / (points.scale / points.unit if fixed else 1.0)
    unit = float(np.sqrt(np.mean((raw / raw.max()) ** 2))) * float(raw.max())
    inside = points.weighted(shares)
    if not fixed:
        inside = inside.measured_in(raw / unit)
    rows = tuple(_row(at, metric, unit) for at in searched.degrees)
    errors = np.full(d, np.inf)
    if found is not None and not fixed:
        errors = np.where(found.determined, found.levels.errors, np.inf)
    named_rows = np.flatnonzero((points.row_of >= 0) & outliers[points.row_of])
    return Finding(inside, Spectrum(rows, _gap(searched, unit, inside.unit), inside.unit), searched, coordinates, points,
                   errors, named_rows, _is_trend(searched))


def _largest(found, pattern):
    """Largest value of the equations, over their slopes in units of noise that differs from point to point."""
    values, root = found.evaluated(found.at.sample.values), np.sqrt(found.at.sample.weights)
    steps = (found.slopes * (found.metric * pattern * root[:, None])[:, :, None]).reshape(-1, found.k)
    return float(np.linalg.norm(values * root[:, None] @ whitening(steps.T @ steps), 2))


def _row(at, metric, unit):
    values = np.concatenate([np.zeros(at.exact), at.spectrum(metric)[0]]) * unit
    return SpectrumDegree(at.degree, values, at.left, at.sample.count)


def _gap(searched: Searched, unit: float, spread: float) -> Gap | None:
    """The gap of what was found, in the user's units."""
    found = searched.found
    if found is None:
        return _exact_gap(searched, unit, spread)
    below, before = float(found.values[found.k - 1]), searched.raw_value_before(found)
    above = before if searched.is_bent or found.k >= len(found.values) else float(found.values[found.k])
    degree, k = found.degree, found.k
    if searched.beginning is not None:
        at, k = searched.beginning
        degree, before = at.degree, float(at.spectrum(found.metric)[0][k])
    reach = min(above, before, below * LARGEST_EPSILON_OVER_NOISE**2)
    widening = found.unevenness * found.width / cluster_width(found.k, found.at.left)
    return Gap(degree, k, found.noise * unit, below * unit, above * unit, float(np.sqrt(below * reach)) * unit,
               found.degree, float(widening), int(searched.quiet.sum()))


def _exact_gap(searched, unit, spread):
    """Equations that hold to rounding, on more points than they have coefficients: no accident."""
    at = searched.exact
    if at is None:
        return None
    values = at.spectrum(np.ones(len(at.grams)))[0]
    above = float(values[0]) * unit if len(values) else spread
    return Gap(at.degree, at.exact, 0.0, 0.0, above,
               float(min(EXACT_EPSILON * spread, np.sqrt(ROUNDING_SHARE * spread * above))))


def _is_trend(searched):
    """Whether linear equations may be mere correlation."""
    found = searched.found
    if found is None or found.degree > 1 or found.loudness * np.sqrt(len(found.metric)) < TREND_NOISE:
        return False
    return is_normal_cloud(found.at.sample.values, found.at.sample.weights)
