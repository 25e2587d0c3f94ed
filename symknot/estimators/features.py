r"""The features of several classes side by side, and which of them are in use.

Of each class's polynomials the absolute values, :math:`|g(x)|`, or a power of them: a root tells nearly zero from small, and
far from farther hardly at all.  Then, on request, the variables themselves, for which side of an equation a sample lies on is
lost in :math:`|g|`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..ground.wording import counted
from ..polynomials.terms import constant_apart, shown_expression
from ..results.ideal import Ideal
from ..symbolic.polynomial import Polynomial, compiled_for
from .discriminative import Contrast, ContrastPolynomial
from .per_class import absolute

DIGITS = 3
"""Significant digits of a coefficient in an equation that explains: a convention, for the eye."""
LONGEST_NAME = 60
"""Characters of an equation in the name of a feature: a convention, what a column of a table can bear."""
LONGEST_TEXT = 160
"""Characters of an equation that an explanation shows: about two lines."""
NAME_DIGITS = 2
"""Significant digits of a coefficient in a name: a convention."""


class ClassFeatures:
    """Features of these ideals, one for each class, and of the variables if they are wanted.

    Attributes
    ----------
    labels : list
        The classes.
    ideals : list of Ideal or Contrast
    used : list of int arrays
        For each class, places in its `polynomials` that are features.
    own : int array
        Variables that are features themselves.
    power : float
        Of the absolute values.
    """

    def __init__(self, labels: Sequence[Any], ideals: Sequence[Ideal | Contrast], used: Sequence[np.ndarray],
                 own: np.ndarray, power: float = 1.0) -> None:
        self.labels, self.ideals, self.power = list(labels), list(ideals), power
        self.used, self.own = [np.asarray(places, dtype=int) for places in used], np.asarray(own, dtype=int)
        self._compiled = [ideal.only(places) if isinstance(ideal, Contrast) else
                          compiled_for(ideal, [ideal.in_order()[place] for place in places])
                          for ideal, places in zip(self.ideals, self.used)]

    @property
    def count(self) -> int:
        """How many there are."""
        return sum(map(len, self.used)) + len(self.own)

    @property
    def polynomials(self) -> dict[Any, tuple[Polynomial | ContrastPolynomial, ...]]:
        """Class -> its polynomials in use."""
        return {label: tuple(ideal.polynomials[place] for place in places)
                for label, ideal, places in zip(self.labels, self.ideals, self.used)}

    def values(self, X: np.ndarray) -> np.ndarray:
        """An (n, count) array."""
        parts = [absolute(compiled.values(X)) for compiled in self._compiled if len(compiled.columns)]
        return np.hstack([*(parts if self.power == 1 else [part**self.power for part in parts]), X[:, self.own]])

    def magnitudes(self, F: np.ndarray) -> np.ndarray:
        """Absolute values of the polynomials behind features F: they without the power, and without the variables."""
        G = F[:, : self.count - len(self.own)]
        return G if self.power == 1 else G ** (1 / self.power)

    def columns(self) -> list[np.ndarray]:
        """For each class, the columns that its polynomials are."""
        ends = np.cumsum([len(places) for places in self.used])
        return [np.arange(end - len(places), end) for places, end in zip(self.used, ends)]

    def only(self, columns: np.ndarray) -> ClassFeatures:
        """Those of the features that these columns are."""
        used = [places[np.isin(own, columns)] for places, own in zip(self.used, self.columns())]
        first = sum(map(len, self.used))
        return ClassFeatures(self.labels, self.ideals, used, self.own[np.isin(first + np.arange(len(self.own)), columns)],
                             self.power)

    def names(self, variables: Sequence[str]) -> list[str]:
        """A name for each that people can read, all different."""
        return [*self._names_of_polynomials, *(str(variables[j]) for j in self.own)]

    @cached_property
    def _names_of_polynomials(self):
        raised = "" if self.power == 1 else f"**{self.power:g}"
        return [f"{label}: {feature_name(ideal.polynomials[place], place)}{raised}"
                for label, ideal, places in zip(self.labels, self.ideals, self.used) for place in places]


def feature_name(polynomial: Polynomial | ContrastPolynomial, place: int) -> str:
    """The absolute value as text, ``g0 = |x**2 + y**2 - 1|``, or its degree and variables where that is long."""
    if polynomial.degree <= 2 and len(polynomial.terms) * len(" + x") - len(" + ") <= LONGEST_NAME:
        scale = max(polynomial.terms.values(), key=abs)
        terms = {e: value / scale for e, value in polynomial.terms.items()}
        text = str(shown_expression(terms, {}, polynomial.variables, NAME_DIGITS))
        if len(text) <= LONGEST_NAME:
            return f"g{place} = |{text}|"
    named = [str(v) for v, used in zip(polynomial.variables, np.any(list(polynomial.terms), axis=0)) if used]
    listed = ", ".join(named)
    listed = listed if len(listed) <= LONGEST_NAME else f"{counted(len(named), 'variable')}"
    return f"g{place} of degree {polynomial.degree} in {listed}"


def equation_text(polynomial: Polynomial | ContrastPolynomial) -> str:
    """The equation for an explanation: the largest coefficient 1, cut where it is long."""
    scale = max(polynomial.terms.values(), key=abs)
    sides = constant_apart({e: value / scale for e, value in polynomial.terms.items()})
    text = " = ".join(str(shown_expression(side, {}, polynomial.variables, DIGITS)) for side in sides)
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:LONGEST_TEXT].rsplit(' ', 1)[0]} ... ({counted(len(polynomial.terms), 'term')})"
