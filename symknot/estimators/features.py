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

from ..results.ideal import Ideal
from ..symbolic.polynomial import Polynomial, compiled_for
from .discriminative import Contrast, ContrastPolynomial
from .naming import Units, feature_name
from .per_class import absolute


class ClassFeatures:
    """Features of these ideals, one for each class, and of the variables if they are wanted.

    Attributes
    ----------
    labels : list
        The classes.
    ideals : list of Ideal or Contrast
    used : list of int arrays
        For each class, places in its `polynomials` that are features.
    units : Units
        In which equations too long to be written out are told.
    own : int array
        Variables that are features themselves.
    power : float
        Of the absolute values.
    """

    def __init__(self, labels: Sequence[Any], ideals: Sequence[Ideal | Contrast], used: Sequence[np.ndarray],
                 own: np.ndarray, units: Units, power: float = 1.0) -> None:
        self.labels, self.ideals, self.units, self.power = list(labels), list(ideals), units, power
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
                             self.units, self.power)

    def names(self, variables: Sequence[str]) -> list[str]:
        """A name for each that people can read, all different."""
        return [*self._names_of_polynomials, *(str(variables[j]) for j in self.own)]

    @cached_property
    def _names_of_polynomials(self):
        raised = "" if self.power == 1 else f"**{self.power:g}"
        return [f"{label}: {feature_name(ideal.polynomials[place], place, self.units)}{raised}"
                for label, ideal, places in zip(self.labels, self.ideals, self.used) for place in places]
