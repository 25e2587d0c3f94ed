"""The options of a fit, checked once, in inside units."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ..ground.checks import fraction_of_one, positive_number, strategy, whole_number
from ..ground.errors import InvalidOption
from ..reading.points import Points
from .finding import REPEATS_OF_EXACT_DATA, Finding, checked_loss, find_equations
from .hypothesis import LOUDEST_NOISE
from .knotting import Knotting
from .normalization import Normalization
from .penalty import Penalty
from .projection import Projection
from .revision import Tolerances
from .search import COEFFICIENTS_PER_POINT
from .spectrum import Gap, degree_limit

DEFAULT_DELTA = 1e-9
"""Default tolerance on the knots, in units of the data's spread: a convention, which a projection reaches with digits
to spare (`projection.EQUATION_TOLERANCE`)."""
SMALLEST_DELTA = 4 * np.finfo(float).eps
"""Smallest tolerance on the knots that can be asked for, in the same units: what rounding leaves of an equation's value there.
Below it no knot settles, and eta would be halved for nothing, a thousand times down to 1e-300."""
DEFAULT_RESETS = 10
"""Resets of the loop at most, by default: a convention; with the default cooling eta is then a thousandth of
epsilon."""
DEFAULT_COOLING = 0.5
"""Factor by which eta is lowered, by default: a convention."""
EXACT_OVER_DELTA = 2.0
"""Times delta within which equations hold to rounding: a convention."""
DELTA_OVER_EPSILON = 1e-3
"""Largest default tolerance on the knots relative to an epsilon that was found: a convention."""
STANDARD_ERRORS_OF_EPSILON = 3.0
"""Standard errors by which a value may exceed a given noise level: a convention, once in 700 times."""
TOLERANCE = "tolerance"
"""Kind of noise that is none: epsilon is a tolerance, and nothing is searched."""
DELTAS_OF_EXACT_DATA = 1e3
"""The epsilon of such data, as a multiple of delta: a convention."""
KNOTTINGS: dict[str, type[Knotting]] = {"projection": Projection, "penalty": Penalty}


def knotting_of(given: str | Knotting | None) -> Knotting:
    """The knotting strategy of this short name, or the one given; `Projection()` for None.

    Examples
    --------
    >>> knotting_of("penalty")
    Penalty(weight=0.01, max_steps=30)
    """
    return Projection() if given is None else strategy("knotting", given, Knotting, KNOTTINGS)


@dataclass(frozen=True, eq=False)
class Settings:
    """Options of a fit after they have been checked; tolerances in inside units.

    Attributes
    ----------
    epsilon : float or None
        None where it was to be found and was not.
    gap : Gap or None
        The gap that epsilon lies in, where equations were found by the search.
    is_noise : bool
        Whether epsilon is the noise's standard deviation, as given, which values may exceed by chance.
    start : (n, k) array or None
        Values at the points of equations of the gap's degree that have no gap behind them.
    insists : bool
        Whether epsilon and a highest degree were given, so that the fit goes on to it, without what
        does not stand clear.
    pursues : bool
        Whether knots and equations are moved until they agree.
    """

    normalization: Normalization
    knotting: Knotting
    epsilon: float | None
    delta: float
    max_degree: int | None
    max_resets: int
    cooling: float
    gap: Gap | None = None
    is_noise: bool = False
    start: np.ndarray | None = None
    insists: bool = False
    pursues: bool = True

    @property
    def tolerances(self) -> Tolerances:
        """What the pursuit holds the equations to."""
        assert self.epsilon is not None
        return Tolerances(self.epsilon, self.delta, self.cooling)

    def at(self, degree: int, columns: int, count: float) -> Settings:
        """The settings of one degree.

        A noise level that was given is exceeded by chance, the more so the more coefficients and the fewer points there
        are (the edge of a random matrix's spectrum).  Before the degree at which the search found equations, only
        such count as hold to rounding; after the last of them, where variables have no noise, such as are no louder than
        those, but for that chance: in a metric that gives every variable some noise, polynomials in silent ones seem to
        have little.  In between, epsilon lies in a gap between values that were corrected for the coefficients fitted, and is
        taken back to what such values are on the points themselves: with 90 coefficients and 150 points two thirds.
        """
        if self.gap is not None and self.epsilon is not None and degree < self.gap.degree:
            return replace(self, epsilon=min(self.epsilon, EXACT_OVER_DELTA * self.delta))
        if self.gap is not None and self.epsilon is not None and degree > self.gap.last_degree and self.gap.silent:
            noise = self.epsilon * self.gap.below / self.gap.epsilon
            return replace(self, epsilon=min(self.epsilon, noise * self.gap.widening * sampling_factor(columns, count)))
        fitted = self.gap is not None and self.start is None and degree <= max(self.gap.degree, self.gap.last_degree)
        if fitted and self.epsilon is not None and columns <= COEFFICIENTS_PER_POINT * count:
            return replace(self, epsilon=self.epsilon * float(np.sqrt(1 - columns / count)))
        if not self.is_noise or self.epsilon is None:
            return self
        return replace(self, epsilon=self.epsilon * sampling_factor(columns, count), is_noise=False)


def sampling_factor(columns: int, count: float) -> float:
    """How many times larger than the noise the values of true equations may come out."""
    return 1 + float(np.sqrt(columns / count) + STANDARD_ERRORS_OF_EPSILON / np.sqrt(2 * count))


class Options(NamedTuple):
    """The options of `symknot.fit` that a search needs, checked."""

    epsilon: float | None
    delta: float | None
    max_degree: int | None
    max_resets: int
    cooling: float
    noise: str
    loss: str

    @property
    def says_more(self) -> bool:
        """Whether something is said that asks to go on regardless of work."""
        return self.epsilon is not None or self.max_degree is not None


def checked_options(normalization: Normalization, epsilon: Any, delta: Any, max_degree: Any, max_resets: Any,
                    cooling: Any, noise: str, loss: Any) -> Options:
    """`Options` from those of `symknot.fit`; epsilon None stands for "auto"."""
    if isinstance(epsilon, str):
        if epsilon != "auto":
            raise InvalidOption("epsilon", epsilon, "a positive number or 'auto'")
        if not normalization.residual_is_distance:
            raise InvalidOption("epsilon", epsilon, f"a positive number with normalization={normalization.name!r}, "
                                "whose epsilon is no noise level")
    number = None if isinstance(epsilon, str) else positive_number("epsilon", epsilon)
    if number is not None and noise == "relative":
        raise InvalidOption("epsilon", epsilon, "left out with noise='relative', whose size is estimated")
    delta = None if delta is None else positive_number("delta", delta)
    if delta is not None and number is not None and number <= delta:
        raise InvalidOption("epsilon", epsilon, f"larger than delta = {delta:.3g}")
    return Options(number, delta, degree_limit(max_degree), whole_number("max_resets", max_resets, 0),
                   fraction_of_one("cooling", cooling), noise, checked_loss(loss))


def searched_settings(inside: Points, strategies: tuple[Normalization, Knotting],
                      options: Options) -> tuple[Settings, Finding | None]:
    """`Settings`, and what the search found where there was one.

    A given epsilon that can be a noise level is kept; where the search finds equations at the first degree that has
    values within it, their gap says how many there are.
    """
    normalization, knotting = strategies
    settings = Settings(normalization, knotting, None, DEFAULT_DELTA, options.max_degree, options.max_resets,
                        options.cooling)
    if not normalization.residual_is_distance or options.noise == TOLERANCE:
        return replace(_given(settings, options, inside), is_noise=False), None
    if options.epsilon is None:
        finding = find_equations(inside, options.max_degree, options.noise, options.loss)
        return found_settings(settings, options, finding), finding
    settings = _given(settings, options, inside)
    if not settings.is_noise:
        return settings, None
    finding = find_equations(inside, options.max_degree, "given", options.loss)
    gap, fitted = finding.spectrum.gap, finding.gap_as_fitted
    if gap is not None and fitted is not None and _says_the_same(settings, finding, gap):
        epsilon = fitted.epsilon / inside.unit
        return replace(settings, epsilon=epsilon, gap=fitted, start=finding.bent_values(), is_noise=False,
                       insists=options.max_degree is not None), finding
    return settings, None


def _delta(options, inside):
    if options.delta is None:
        return DEFAULT_DELTA
    if options.delta < SMALLEST_DELTA * inside.unit:
        raise InvalidOption("delta", options.delta, f"at least {SMALLEST_DELTA * inside.unit:.2g}, the rounding of values of "
                            "data with this spread")
    return options.delta / inside.unit


def _given(settings, options, inside):
    epsilon = options.epsilon / inside.unit
    delta = _delta(options, inside)
    if options.delta is None:
        delta = min(delta, DELTA_OVER_EPSILON * epsilon)
    is_noise = settings.normalization.residual_is_distance and epsilon <= LOUDEST_NOISE
    return replace(settings, epsilon=epsilon, delta=delta, is_noise=is_noise)


def found_settings(settings: Settings, options: Options, finding: Finding) -> Settings:
    """Settings for an epsilon that is read off a gap."""
    inside, gap = finding.points, finding.gap_as_fitted
    delta = _delta(options, inside)
    epsilon = gap.epsilon / inside.unit if gap else None
    if gap is None and inside.repeats >= REPEATS_OF_EXACT_DATA:
        epsilon = DELTAS_OF_EXACT_DATA * delta
    if epsilon is not None and delta > DELTA_OVER_EPSILON * epsilon:
        if options.delta is not None and delta >= epsilon:
            raise InvalidOption("delta", options.delta, f"smaller than epsilon, found to be {epsilon * inside.unit:.3g}")
        delta = delta if options.delta is not None else DELTA_OVER_EPSILON * epsilon
    return replace(settings, epsilon=epsilon, delta=delta, gap=gap, start=finding.bent_values())


def _says_the_same(settings, finding, gap):
    """Whether the equations that stand clear are the first ones within a given epsilon."""
    unit = finding.points.unit
    if gap.noise == 0:
        return False
    for row in finding.spectrum.degrees:
        within = settings.epsilon * unit * sampling_factor(len(row.values), row.points)
        if row.degree == gap.degree:
            return gap.noise <= within
        if len(row.values) and row.values[0] <= within:
            return False
    return False
