"""Why a sample got its class, in equations.

An equation of a class holds for a sample as well as for the class itself if its value
there is of the size it has on the class's training points.  That size, the
root-mean-square, is the equation's sigma; a sample that breaks an equation of a class by
many sigma does not look like that class.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ground.wording import counted
from ..polynomials.terms import constant_apart, shown_expression

HOLDS = 2.0
"""Sigmas within which an equation counts as obeyed."""
DIGITS = 3
LONGEST_TEXT = 160
EXACT = 1e-9
"""Least sigma, as a share of the class's spread: data that obey an equation exactly would have none."""


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

    label: object
    polynomials: tuple
    values: np.ndarray
    sigmas: np.ndarray

    @property
    def held(self):
        """How many equations hold within two sigma."""
        return int(np.sum(self.sigmas <= HOLDS))

    def __str__(self):
        count = len(self.polynomials)
        if not count:
            return f"class {self.label!r}: no equation"
        lines = [f"class {self.label!r}: {self.held} of {counted(count, 'equation')} hold{'s' * (count == 1)} "
                 f"within {HOLDS:g} sigma"]
        if count > 1:
            lines.append(f"  best obeyed, {self._line(0)}")
        lines.append(f"  largest violation, {self._line(count - 1)}")
        return "\n".join(lines)

    def _line(self, place):
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

    predicted: object
    evidence: tuple

    def __getitem__(self, label):
        """The evidence of one class."""
        for one in self.evidence:
            if one.label == label:
                return one
        raise KeyError(label)

    def __str__(self):
        return "\n".join([f"predicted {self.predicted!r}", *map(str, self.evidence)])


def evidence_for(label, ideal, polynomials, x):
    """The `ClassEvidence` of a sample, d numbers, for one class."""
    values = np.array([g(x) for g in polynomials])
    with np.errstate(over="ignore"):
        sigmas = np.abs(values) / np.array([_sigma(g, ideal) for g in polynomials])
    order = np.argsort(sigmas, kind="stable")
    return ClassEvidence(label, tuple(polynomials[i] for i in order), values[order], sigmas[order])


def _sigma(polynomial, ideal):
    """Root-mean-square of a polynomial on the training points."""
    root = np.sqrt(np.sum(ideal.assignment >= 0)) if ideal.normalization == "vca" else 1.0
    return max(polynomial.residual / root, EXACT * ideal.unit)


def _equation(polynomial):
    sides = constant_apart(polynomial.terms)
    text = " = ".join(str(shown_expression(side, {}, polynomial.variables, DIGITS)) for side in sides)
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:LONGEST_TEXT].rsplit(' ', 1)[0]} ... ({counted(len(polynomial.terms), 'term')})"
