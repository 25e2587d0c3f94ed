"""Why a sample got its class, in equations.

An equation of a class holds for a sample as well as for the class itself if its value
there is of the size it has on the class's training points.  That size, the
root-mean-square, is the equation's sigma; a sample that breaks an equation of a class by
many sigma does not look like that class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ground.wording import counted
from ..polynomials.terms import constant_apart, shown_expression
from ..results.ideal import Ideal
from ..symbolic.polynomial import Polynomial

HOLDS = 2.0
"""Sigmas within which an equation counts as obeyed: a convention, 95 % of the class's points if they are normal."""
DIGITS = 3
"""Significant digits of a coefficient in an explanation: a convention, for the eye."""
LONGEST_TEXT = 160
"""Characters of an equation that an explanation shows: about two lines."""
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
    polynomials : tuple of Polynomial
        Those of the class that the classifier uses, the best obeyed first.
    values : array
        Of the polynomials at the sample.
    sigmas : array
        ``|values|`` in units of each polynomial's root-mean-square on the class.
    """

    label: Any
    polynomials: tuple[Polynomial, ...]
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
        lines = [f"class {self.label!r}: {self.held} of {equations} within {HOLDS:g} sigma"]
        if count > 1:
            lines.append(f"  best obeyed, {self._line(0)}")
        lines.append(f"  largest violation, {self._line(count - 1)}")
        return "\n".join(lines)

    def _line(self, place: int) -> str:
        return (f"{self.sigmas[place]:.2g} sigma: {_equation(self.polynomials[place])}; "
                f"here the left side is off by {self.values[place]:.2g}")


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why a sample got its class; printed, it says so in equations.

    Attributes
    ----------
    predicted : object
        The class that was predicted.
    evidence : tuple of ClassEvidence
        For each class, the predicted one first.
    """

    predicted: Any
    evidence: tuple[ClassEvidence, ...]

    def __getitem__(self, label: Any) -> ClassEvidence:
        """The evidence of one class."""
        for one in self.evidence:
            if one.label == label:
                return one
        raise KeyError(label)

    def __str__(self) -> str:
        return "\n".join([f"predicted {self.predicted!r}", *map(str, self.evidence)])


def training_sigmas(ideal: Ideal, features: np.ndarray) -> np.ndarray:
    """Sigma of each equation of a class.

    Parameters
    ----------
    ideal : Ideal
        Of the class.
    features : (n, k) array
        Absolute values of the equations on the class's training points.
    """
    largest = np.max(features, axis=0, initial=np.finfo(float).tiny)       # squares of 1e200 overflow; of 1 they do not
    return np.maximum(largest * np.sqrt(np.mean((features / largest) ** 2, axis=0)), LEAST_SIGMA * ideal.unit)


def evidence_for(label: Any, polynomials: Sequence[Polynomial], sigmas: np.ndarray, x: np.ndarray) -> ClassEvidence:
    """The `ClassEvidence` of a sample, d numbers, for one class with these equations and their sigmas."""
    values = np.array([g(x) for g in polynomials])
    with np.errstate(over="ignore"):
        off = np.abs(values) / sigmas
    order = np.argsort(off, kind="stable")
    return ClassEvidence(label, tuple(polynomials[i] for i in order), values[order], off[order])


def _equation(polynomial: Polynomial) -> str:
    sides = constant_apart(polynomial.terms)
    text = " = ".join(str(shown_expression(side, {}, polynomial.variables, DIGITS)) for side in sides)
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:LONGEST_TEXT].rsplit(' ', 1)[0]} ... ({counted(len(polynomial.terms), 'term')})"
