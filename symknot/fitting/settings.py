"""The options of a fit, checked once, in inside units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..ground.checks import fraction_of_one, positive_number, strategy, whole_number
from ..ground.errors import InvalidOption
from ..reading.points import Points
from .knotting import Knotting
from .normalization import Normalization
from .penalty import Penalty
from .projection import Projection
from .revision import Tolerances
from .spectrum import Gap, Spectrum, degree_limit, spectrum_of

DEFAULT_DELTA = 1e-9
"""Default tolerance on the knots, in units of the data's spread: a convention, which a projection reaches with digits
to spare (`projection.EQUATION_TOLERANCE`)."""
DEFAULT_RESETS = 10
"""Resets of the loop at most, by default: a convention; with the default cooling eta is then a thousandth of
epsilon."""
DEFAULT_COOLING = 0.5
"""Factor by which eta is lowered, by default: a convention."""
REPEATS_OF_EXACT_DATA = 4
"""Noisy measurements do not repeat; points that occur this often, on average, are exact: a convention."""
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

    `epsilon` is None where it was to be found and was not.
    """

    normalization: Normalization
    knotting: Knotting
    epsilon: float | None
    delta: float
    max_degree: int | None
    max_resets: int
    cooling: float
    gap: Gap | None = None

    @property
    def tolerances(self) -> Tolerances:
        """What the pursuit holds the equations to."""
        assert self.epsilon is not None
        return Tolerances(self.epsilon, self.delta, self.cooling)


def checked_settings(inside: Points, strategies: tuple[Normalization, Knotting], epsilon: Any, delta: Any,
                     max_degree: Any, max_resets: Any, cooling: Any) -> tuple[Settings, Spectrum | None]:
    """`Settings` from the options of `symknot.fit`, and the spectrum where epsilon had to be found."""
    normalization, knotting = strategies
    max_degree = degree_limit(max_degree)
    max_resets = whole_number("max_resets", max_resets, 0)
    cooling = fraction_of_one("cooling", cooling)
    delta = DEFAULT_DELTA if delta is None else positive_number("delta", delta) / inside.unit
    spectrum = None
    if isinstance(epsilon, str):
        if epsilon != "auto":
            raise InvalidOption("epsilon", epsilon, "a positive number or 'auto'")
        if not normalization.residual_is_distance:
            raise InvalidOption("epsilon", epsilon, f"a positive number with normalization={normalization.name!r}, "
                                "whose epsilon is no noise level")
        spectrum = spectrum_of(inside, max_degree)
        tolerance = DELTAS_OF_EXACT_DATA * delta if inside.repeats >= REPEATS_OF_EXACT_DATA else None
        if spectrum.gap:
            tolerance = spectrum.gap.epsilon / inside.unit
            if tolerance <= delta:
                raise InvalidOption("delta", delta * inside.unit,
                                    f"smaller than epsilon, found to be {spectrum.gap.epsilon:.3g}")
    else:
        tolerance = positive_number("epsilon", epsilon) / inside.unit
        if tolerance <= delta:
            raise InvalidOption("epsilon", epsilon, f"larger than delta = {delta * inside.unit:.3g}")
    settings = Settings(normalization, knotting, tolerance, delta, max_degree, max_resets, cooling,
                        spectrum.gap if spectrum else None)
    return settings, spectrum
