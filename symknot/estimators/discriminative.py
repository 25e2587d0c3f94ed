r"""Generators that tell classes apart: small on one class *and* large on the others.

Over the monomials m(x) of standardized variables up to a degree, a polynomial :math:`g = v^T m` has mean squares
:math:`v^T A_c v` on class c and :math:`v^T B_c v` on the other classes (each of which counts alike).  The generalised
eigenproblem

.. math:: A_c v = \lambda B_c v \tag{1}

has the polynomials with the smallest ratio of the two first.  Those with :math:`\sqrt\lambda` at most `contrast` are the
class's generators, each of root-mean-square 1 on the other classes.  A polynomial that vanishes on *all* classes, which
vanishing ideals are full of, has :math:`\lambda \approx 1` and is none of them.

Of two classes that do not differ at all, (1) finds differences too: with m monomials, n samples of the one and n' of the other,
the smallest eigenvalue comes near (Wachter 1980, for normal samples)

.. math:: \lambda_0 = \Bigl(\frac{1 - \sqrt{y + y' - y y'}}{1 - y'}\Bigr)^2, \qquad y = m / n, \; y' = m / n'. \tag{2}

So ratios are taken relative to :math:`\sqrt{\lambda_0}`, and the degree is lowered until m is at most half of the smallest
class.

K. W. Wachter, *The limiting empirical measure of multiple discriminant ratios*, Annals of Statistics 8 (1980).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ..ground.blocks import blocks
from ..ground.linalg import fix_signs
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
NEGLIGIBLE = 1e-9
"""Share of the largest moment below which polynomials are zero on the other classes, so that (1) cannot divide by it: far above
rounding, which is at 1e-16 of a mean square."""


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
        Root-mean-square on the class over that on the others, ascending, relative to what chance makes of it (2).
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
        Its root-mean-square on the class over that on the others, relative to what chance makes of it.
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
              contrast: float = CONTRAST, sizes: np.ndarray | None = None) -> list[Contrast]:
    """The generators of each of the classes 0, 1, ... of `codes` against the others: equation (1).

    The samples may be parts of classes of such `sizes`, by which the degree is then lowered.

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
    seen = np.bincount(codes)
    while degree > 1 and count(d, degree) > min(MOST_MONOMIALS, (seen if sizes is None else sizes).min() / 2):
        degree -= 1
    center, scale, classes = X.mean(axis=0), spreads(X), len(seen)
    moments = [_moments((X[codes == c] - center) / scale, degree) for c in range(classes)]
    called = checked_names(names, None, d)
    found = []
    for c in range(classes):
        others = [moments[k] for k in range(classes) if k != c]
        B = np.mean(others, axis=0) if others else np.eye(len(moments[c]))
        ratios, vectors = smallest_ratios(moments[c], B)
        edge = chance_ratio(len(B), int(seen[c]), int(seen.sum() - seen[c]))
        ratios = np.sqrt(np.maximum(ratios, 0.0)) / edge if edge else np.full(len(ratios), np.inf)
        kept = np.flatnonzero(ratios <= contrast)
        found.append(Contrast(called, center, scale, degree, vectors[:, kept], ratios[kept], X[codes == c]))
    return found


def smallest_ratios(A: np.ndarray, B: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues of (1), ascending, and vectors v with ``v.T @ B @ v = 1``, also where B is singular.

    Polynomials that are zero on the other classes cannot be measured by B; they are added to the others so as to make A
    smallest, where A can measure them.

    Examples
    --------
    >>> values, vectors = smallest_ratios(np.array([[2.0, 1.0], [1.0, 1.0]]), np.diag([1.0, 0.0]))
    >>> values.round(9).tolist(), vectors.round(9).tolist()
    ([1.0], [[1.0], [-1.0]])
    """
    sizes = 1 / np.sqrt(np.maximum(np.diag(A + B), np.finfo(float).tiny))
    A, B = A * np.outer(sizes, sizes), B * np.outer(sizes, sizes)
    values, vectors = np.linalg.eigh(B)
    kept = values > NEGLIGIBLE * values[-1]
    W, N = vectors[:, kept] / np.sqrt(values[kept]), vectors[:, ~kept]
    free = np.linalg.pinv(N.T @ A @ N, rcond=NEGLIGIBLE, hermitian=True) @ (N.T @ A @ W)
    ratios, turned = np.linalg.eigh(W.T @ A @ W - (N.T @ A @ W).T @ free)
    found = sizes[:, None] * ((W - N @ free) @ turned)
    return ratios, fix_signs(found)


def chance_ratio(m: int, n: int, others: int) -> float:
    """The root of (2): the smallest ratio that m monomials have by chance on classes that do not differ; 0 for too few samples.

    Examples
    --------
    >>> round(chance_ratio(10, 60, 60), 3), round(chance_ratio(10, 10**6, 10**6), 2), chance_ratio(10, 8, 60)
    (0.537, 1.0, 0.0)
    """
    y, z = m / n, m / max(others, 1)
    return float((1 - np.sqrt(y + z - y * z)) / (1 - z)) if y < 1 and z < 1 else 0.0


def _moments(Z: np.ndarray, degree: int) -> np.ndarray:
    """Mean products of monomials over samples."""
    rows = monomial_rows(Z.T, degree)
    return rows @ rows.T / len(Z)
