r"""Generators that tell classes apart: small on one class *and* large on the others.

Over the monomials m(x) of standardized variables up to a degree, a polynomial :math:`g = v^T m` has mean squares
:math:`v^T A_c v` on class c and :math:`v^T B_c v` on the other classes (each of which counts alike).  The generalised
eigenproblem

.. math:: A_c v = \lambda B_c v \tag{1}

has the polynomials with the smallest ratio of the two first.  Those with :math:`\sqrt\lambda` at most `contrast` are the
class's generators, each of root-mean-square 1 on the other classes.  A polynomial that vanishes on *all* classes, which
vanishing ideals are full of, has :math:`\lambda \approx 1` and is none of them.

The smallest eigenvalue of m monomials on n samples is too small, as the residual of a regression with m coefficients is: its
mean square is therefore taken over the :math:`n - m` degrees of freedom that are left, :math:`\lambda \to \lambda n / (n - m)`,
and the degree is lowered until m is at most half of the smallest class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import scipy.linalg

from ..ground.blocks import blocks
from ..polynomials.equation import Equation
from ..polynomials.evaluation import monomial_rows
from ..polynomials.monomials import count, monomials
from ..polynomials.symbols import safe_symbols
from ..polynomials.terms import Exponents, Terms, substitute_affine
from ..reading.names import checked_names
from ..reading.points import checked_points
from ..symbolic.polynomial import FITTED_DIGITS_SHOWN
from .per_class import spreads

CONTRAST = 0.5
"""Default largest ratio of root-mean-squares on the own class and on the others: a convention, a factor of two."""
MOST_MONOMIALS = 1000
"""Monomials at most; the degree is lowered until there are no more.  Derived: (1) takes their third power, a second or so."""
NEGLIGIBLE = 1e-10
"""Share of the largest moment that is added to those of the other classes, which (1) divides by: rounding."""


@dataclass(frozen=True, eq=False)
class Contrast:
    """Generators of one class against the others.

    Attributes
    ----------
    names : tuple of str
    center, scale : (d,) arrays
        Of the standardized variables.
    degree : int
    coefficients : (m, k) array
        Over all monomials of the standardized variables up to `degree`.
    ratios : (k,) array
        Root-mean-square on the class over that on the others, ascending.
    knots : (n, d) array
        The class's own points: these generators have no knots.
    """

    names: tuple[str, ...]
    center: np.ndarray
    scale: np.ndarray
    degree: int
    coefficients: np.ndarray
    ratios: np.ndarray
    knots: np.ndarray

    unit = 1.0
    message = "no polynomial is smaller on the class than on the others"

    @property
    def columns(self) -> np.ndarray:
        """Places of the generators."""
        return np.arange(self.coefficients.shape[1])

    def values(self, X: np.ndarray) -> np.ndarray:
        """Of the generators at points: an (n, k) array."""
        out = np.empty((len(X), self.coefficients.shape[1]))
        for rows in blocks(len(X), len(self.coefficients)):
            with np.errstate(over="ignore", invalid="ignore"):
                out[rows] = monomial_rows(((X[rows] - self.center) / self.scale).T, self.degree).T @ self.coefficients
        return out

    def only(self, places: Sequence[int] | np.ndarray) -> Contrast:
        """Some of the generators."""
        return replace(self, coefficients=self.coefficients[:, places], ratios=self.ratios[places])

    @cached_property
    def polynomials(self) -> tuple[ContrastPolynomial, ...]:
        """The generators in the variables as they were given, written out on demand."""
        return tuple(ContrastPolynomial(self, place) for place in self.columns.tolist())


class ContrastPolynomial(Equation):
    """One generator of a class against the others.

    Attributes
    ----------
    residual : float
        Its root-mean-square on the class over that on the others.
    """

    def __init__(self, contrast: Contrast, place: int) -> None:
        self._contrast, self._place = contrast, place
        self.names, self.variables = contrast.names, safe_symbols(contrast.names)
        self.residual = float(contrast.ratios[place])

    @cached_property
    def terms(self) -> Terms:  # type: ignore[override]
        """Coefficients in the user's variables: exponent tuple -> Fraction."""
        own = self._contrast
        exponents = [tuple(row) for row in monomials(len(self.names), own.degree).exponents.tolist()]
        stretch = [1 / Fraction(value) for value in own.scale.tolist()]
        shift = [-Fraction(c) / Fraction(s) for c, s in zip(own.center.tolist(), own.scale.tolist())]
        inside = {e: Fraction(value) for e, value in zip(exponents, own.coefficients[:, self._place].tolist()) if value}
        return {e: Fraction(float(value)) for e, value in substitute_affine(inside, stretch, shift).items()}

    @property
    def digits(self) -> dict[Exponents, int]:  # type: ignore[override]
        """Significant digits of each coefficient that are shown."""
        return dict.fromkeys(self.terms, FITTED_DIGITS_SHOWN)

    def __call__(self, X: Any) -> np.ndarray:
        """Values on the rows of X, an (n, d) array; one number for one point, of d numbers."""
        points, one = checked_points(X, self.names)
        values = self._contrast.only([self._place]).values(points)[:, 0]
        return values[0] if one else values


def contrasts(X: np.ndarray, codes: np.ndarray, names: list[str] | None, *, max_degree: int | None,
              contrast: float = CONTRAST) -> list[Contrast]:
    """The generators of each of the classes 0, 1, ... of `codes` against the others: equation (1).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> angle, codes = rng.uniform(0, 6.3, 200), np.repeat([0, 1], 100)
    >>> rings = np.c_[np.cos(angle), np.sin(angle)] * np.where(codes, 1.0, 0.5)[:, None]
    >>> found = contrasts(rings, codes, ["x", "y"], max_degree=2)
    >>> [bool(abs(c.values(rings[codes == k])[:, 0]).max() < 0.01) for k, c in enumerate(found)]
    [True, True]
    """
    d = X.shape[1]
    degree = max_degree or 2
    sizes = np.bincount(codes)
    while degree > 1 and count(d, degree) > min(MOST_MONOMIALS, sizes.min() / 2):
        degree -= 1
    center, scale, classes = X.mean(axis=0), spreads(X), len(sizes)
    moments = [_moments((X[codes == c] - center) / scale, degree) for c in range(classes)]
    called = checked_names(names, None, d)
    found = []
    for c in range(classes):
        others = [moments[k] for k in range(classes) if k != c]
        B = np.mean(others, axis=0) if others else np.eye(len(moments[c]))
        B = B + NEGLIGIBLE * np.trace(B) / len(B) * np.eye(len(B))
        ratios, vectors = scipy.linalg.eigh(moments[c], B)
        ratios = np.sqrt(np.maximum(ratios, 0.0) * sizes[c] / max(sizes[c] - len(B), 1))
        kept = np.flatnonzero(ratios <= contrast)
        found.append(Contrast(called, center, scale, degree, vectors[:, kept], ratios[kept], X[codes == c]))
    return found


def _moments(Z: np.ndarray, degree: int) -> np.ndarray:
    """Mean products of monomials over samples."""
    rows = monomial_rows(Z.T, degree)
    return rows @ rows.T / len(Z)
