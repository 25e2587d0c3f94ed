r"""Why a sample got its class, in equations.

*What decided.*  The predicted class won over the next one by a margin of decision values.  The share of feature j is what the
margin loses when the feature is set to its mean over the training data,

.. math:: s_j = m(F(x)) - m(F(x) \text{ with } F_j \to \bar F_j),

for a linear estimator its weight times how far the feature is from the mean: the shares and the margin of the mean sample
add up to the margin.  For others they are what each feature does alone.

*Which equations hold.*  An equation of a class holds for a sample as well as for the class itself if its value there is of
the size it has on the class's training points.  That size, the root-mean-square, is the equation's sigma; a sample that
breaks an equation of a class by many sigma does not look like that class.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ground.wording import counted
from ..results.ideal import Ideal
from ..showing.pictures import saved_or_drawn
from ..showing.reason_pictures import draw_reasons
from ..symbolic.polynomial import Polynomial
from .discriminative import Contrast, ContrastPolynomial
from .naming import Units, equation_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HOLDS = 2.0
"""Sigmas within which an equation counts as obeyed: a convention, 95 % of the class's points if they are normal."""
REASONS_SHOWN = 3
"""Features that a text shows: a convention; what follows is said as one sum."""
LEAST_SIGMA = 1e-9
"""Least sigma, as a share of the class's spread: data that obey an equation exactly would have none.  A convention,
the share that `fit` asks of its knots."""


@dataclass(frozen=True, eq=False)
class ClassEvidence:
    """How well one sample obeys the equations of one class.

    Attributes
    ----------
    label : object
        The class.
    polynomials : tuple of Polynomial or ContrastPolynomial
        Those of the class that the classifier uses, the best obeyed first.
    values : array
        Of the polynomials at the sample.
    sigmas : array
        ``|values|`` in units of each polynomial's root-mean-square on the class.
    """

    label: Any
    polynomials: tuple[Polynomial | ContrastPolynomial, ...]
    values: np.ndarray
    sigmas: np.ndarray

    @property
    def held(self) -> int:
        """How many equations hold within two sigma."""
        return int(np.sum(self.sigmas <= HOLDS))

    def __str__(self) -> str:
        count = len(self.polynomials)
        if not count:
            return f"class {self.label!r}: no equation"
        equations = f"{counted(count, 'equation')} hold{'s' * (count == 1)}"
        return f"class {self.label!r}: {self.held} of {equations} within {HOLDS:g} sigma"


@dataclass(frozen=True, eq=False)
class Reason:
    """What one feature did to a decision.

    Attributes
    ----------
    share : float
        Of the margin: positive for the predicted class, negative against it.
    name : str
        Of the feature.
    label : object
        The class whose equation it is; None for a variable.
    polynomial : Polynomial, ContrastPolynomial or None
    value : float
        Of the feature at the sample.
    sigmas : float
        The same in sigmas of the equation; NaN for a variable.
    units : Units
        In which equations too long to be written out are told.
    """

    share: float
    name: str
    label: Any
    polynomial: Polynomial | ContrastPolynomial | None
    value: float
    sigmas: float
    units: Units = field(repr=False)

    def __str__(self) -> str:
        if self.polynomial is None:
            return f"{self.share:+.2g}: {self.name} = {self.value:.4g}"
        equation = equation_text(self.polynomial, self.units)
        return f"{self.share:+.2g}: class {self.label!r}, {self.sigmas:.2g} sigma off {equation}"


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why a sample got its class; printed, it says so in equations.

    Attributes
    ----------
    predicted : object
        The class that was predicted.
    runner_up : object
        The next one; None where there is no other.
    margin : float
        By how much it won, in decision values (or logarithms of probabilities).
    reasons : tuple of Reason
        What each feature did, the most decisive first.
    evidence : tuple of ClassEvidence
        For each class, the predicted one first.
    """

    predicted: Any
    runner_up: Any
    margin: float
    reasons: tuple[Reason, ...]
    evidence: tuple[ClassEvidence, ...]

    def __getitem__(self, label: Any) -> ClassEvidence:
        """The evidence of one class."""
        for one in self.evidence:
            if one.label == label:
                return one
        raise KeyError(label)

    @property
    def rest(self) -> float:
        """What is left of the margin beside the reasons that are printed: other features, and the mean sample's margin."""
        return self.margin - sum(reason.share for reason in self.reasons[:REASONS_SHOWN])

    def __str__(self) -> str:
        if self.runner_up is None:
            return "\n".join([f"predicted {self.predicted!r}", *map(str, self.evidence)])
        shown = self.reasons[:REASONS_SHOWN]
        lines = [f"predicted {self.predicted!r} rather than {self.runner_up!r}, by {self.margin:.2g}",
                 *(f"  {reason}" for reason in shown)]
        others = len(self.reasons) - len(shown)
        lines.append(f"  {self.rest:+.2g}: " + (f"{counted(others, 'other feature')}, and " if others else "") + "the constant")
        return "\n".join([*lines, *map(str, self.evidence)])

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """Draw the shares of the most decisive features.

        Parameters
        ----------
        path : path-like, optional
            Write the picture there; the suffix decides the format.

        Returns
        -------
        matplotlib.figure.Figure
        """
        title = f"predicted {self.predicted!r} rather than {self.runner_up!r}"
        return saved_or_drawn(draw_reasons([(reason.name, reason.share) for reason in self.reasons], title), path)


def training_sigmas(ideal: Ideal | Contrast, features: np.ndarray) -> np.ndarray:
    """Sigma of each equation of a class.

    Parameters
    ----------
    ideal : Ideal or Contrast
        Of the class.
    features : (n, k) array
        Absolute values of the equations on the class's training points.
    """
    largest = np.max(features, axis=0, initial=np.finfo(float).tiny)       # squares of 1e200 overflow; of 1 they do not
    return np.maximum(largest * np.sqrt(np.mean((features / largest) ** 2, axis=0)), LEAST_SIGMA * ideal.unit)


def evidence_for(label: Any, polynomials: Sequence[Polynomial | ContrastPolynomial], sigmas: np.ndarray,
                 x: np.ndarray) -> ClassEvidence:
    """The `ClassEvidence` of a sample, d numbers, for one class with these equations and their sigmas."""
    values = np.array([g(x) for g in polynomials])
    with np.errstate(over="ignore"):
        off = np.abs(values) / sigmas
    order = np.argsort(off, kind="stable")
    return ClassEvidence(label, tuple(polynomials[i] for i in order), values[order], off[order])


def shares_of(scores: Callable[[np.ndarray], np.ndarray], f: np.ndarray,
              means: np.ndarray) -> tuple[int, int, float, np.ndarray]:
    """What each feature did: the best class, the next one, the margin between them, the share of each feature in it.

    Parameters
    ----------
    scores : callable
        Features (n, p) -> scores (n, classes), the larger the better.
    f : (p,) array
        Features of the sample.
    means : (p,) array
        Their means over the training data.
    """
    tried = np.tile(f, (len(f) + 1, 1))
    tried[np.arange(1, len(f) + 1), np.arange(len(f))] = means
    found = scores(tried)
    order = np.argsort(-found[0], kind="stable")
    margins = found[:, order[0]] - found[:, order[1]]
    return int(order[0]), int(order[1]), float(margins[0]), margins[0] - margins[1:]
