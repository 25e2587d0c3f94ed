r"""Where VCA's many features come from: zero polynomials, redundant ones, the degree and epsilon, each turned on and off.

The paper's Table 1 gives VCA thousands of features.  Here VCA as published (`symknot.family.classical`) runs on each class of a
training part, standardized as in `symknot.paper.protocol`, for several epsilons, and what it finds is counted in four ways:

everything
    all vanishing combinations of candidates, as VCA returns them;
without zero ones
    those that are no zero polynomial;
without redundant ones
    those that are no combination of multiples of the ones of lower degree, zero or not;
neither
    what is left without both, as `symknot.vca` returns.

A zero polynomial is a combination of multiples of anything, so the third number is the fourth: redundant ones are counted among
those that are not zero, and zero ones are put back.

Epsilon is a share of the spread, times the root of the number of points: the paper's norm is a sum.  Without a limit degrees
end where nothing is left that does not vanish; beyond `MOST_MONOMIALS` monomials they end before, and the table says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from sklearn.preprocessing import StandardScaler

from ..family.classical import vanishing_by_degree
from ..family.comparing import REDUNDANT_SHARE
from ..fitting.redundancy import essential_and_redundant
from ..polynomials.monomials import count
from .datasets import NAMES, load_dataset
from .protocol import split
from .tables import PUBLISHED, Cell

EPSILONS = (0.7, 0.1, 0.01)
"""Root-mean-squares, in standard deviations of the variables: what cross-validation likes (`symknot.paper.protocol.Grid`), and
what leaves hardly anything but what must vanish."""
DEGREES = (2, 3, None)
"""Highest degrees: that of the tables, one more, and none."""
HIGHEST, MOST_MONOMIALS = 6, 1500
"""Where degrees end without a limit, and before: a decomposition of a larger matrix takes minutes."""


class Counts(NamedTuple):
    """Vanishing polynomials of all classes.

    Attributes
    ----------
    everything, nonzero, essential, neither : int
        As VCA returns them; without zero ones; without redundant ones; without both.
    degree : float
        Mean degree of everything.
    reached : int
        The highest degree that was looked at.
    ended : bool
        Whether higher degrees have no candidates.
    """

    everything: int
    nonzero: int
    essential: int
    neither: int
    degree: float
    reached: int
    ended: bool


def counts(X: np.ndarray, y: np.ndarray, epsilon: float, max_degree: int | None) -> Counts:
    """What VCA finds on the classes of standardized samples.

    Examples
    --------
    >>> angle = np.linspace(0, 6.2, 100)
    >>> circle = np.c_[np.cos(angle), np.sin(angle)]
    >>> counts(circle, np.zeros(100), 1e-6, 3)
    Counts(everything=4, nonzero=3, essential=2, neither=1, degree=2.5, reached=3, ended=False)
    """
    highest = HIGHEST if max_degree is None else max_degree
    while highest > 1 and count(X.shape[1], highest) > MOST_MONOMIALS:
        highest -= 1
    rows = [_of_class(X[y == label], epsilon, highest) for label in np.unique(y)]
    zero, nonzero, neither, degrees = (sum(row[k] for row in rows) for k in range(4))
    return Counts(zero + nonzero, nonzero, zero + neither, neither, degrees / max(zero + nonzero, 1),
                  max(row[4] for row in rows), all(row[5] for row in rows))


def _of_class(X, epsilon, highest):
    zero, nonzero, neither, degrees = 0, 0, 0, 0
    earlier, earlier_degrees = np.zeros((1, 0)), np.zeros(0, dtype=int)
    for layer in vanishing_by_degree(X, epsilon * np.sqrt(len(X)), highest):
        new = layer.coefficients
        earlier = np.vstack([earlier, np.zeros((len(new) - len(earlier), earlier.shape[1]))])
        _, fresh = essential_and_redundant(earlier, earlier_degrees, new, layer.degree, X.shape[1], REDUNDANT_SHARE)
        zero, nonzero, neither = zero + layer.zero_count, nonzero + new.shape[1], neither + fresh
        degrees += layer.degree * (layer.zero_count + new.shape[1])
        earlier = np.hstack([earlier, new])
        earlier_degrees = np.append(earlier_degrees, np.full(new.shape[1], layer.degree))
    return zero, nonzero, neither, degrees, layer.degree, layer.last


def run_contrast(names: Sequence[str] = NAMES, seed: int = 0) -> dict[tuple[str, float, int | None], Counts]:
    """The counts on the training part of one split: (data set, epsilon, highest degree) -> counts."""
    found = {}
    for name in names:
        X, y, _, _ = split(*load_dataset(name), seed, 0)
        X = StandardScaler().fit_transform(X)
        for epsilon in EPSILONS:
            for degree in DEGREES:
                found[name, epsilon, degree] = counts(X, y, epsilon, degree)
    return found


def contrast_text(found: dict[tuple[str, float, int | None], Counts]) -> str:
    """The counts as Markdown, the paper's number of features beside them."""
    head = ["data (the paper's VCA)", "epsilon", "degree", "everything", "no zero ones", "no redundant ones", "neither",
            "mean degree"]
    lines = [head, ["---"] * len(head)]
    for (name, epsilon, limit), of in found.items():
        paper = PUBLISHED[name, "vca"]
        degree = f"at most {limit}" if limit else f"any ({of.reached} reached{'' if of.ended else ', not the end'})"
        lines.append([f"{name} ({paper['features']:.0f}, degree {paper['degree']:.1f})", f"{epsilon:g}", degree,
                      *map(str, of[:4]), f"{of.degree:.1f}"])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def contrast_cells(found: dict[tuple[str, float, int | None], Counts]) -> list[Cell]:
    """The same as cells of a table."""
    return [Cell(name, f"epsilon {epsilon:g}, degree {limit or 'any'}", quantity, float(value), 0.0, 1,
                 float(PUBLISHED[name, "vca"]["features"]) if quantity == "everything" else float("nan"))
            for (name, epsilon, limit), of in found.items() for quantity, value in zip(Counts._fields[:5], of[:5])]
