r"""The recursion of vanishing component analysis, as data.

At degree t the products :math:`P_t = \{f g : f \in F_1, g \in F_{t-1}\}` (at degree 1
the variables themselves) and all earlier nonvanishing polynomials
:math:`F^{t-1} = F_0 \cup \dots \cup F_{t-1}` are combined linearly:

.. math:: F_t = F^{t-1} A_t + P_t B_t, \qquad G_t = F^{t-1} A'_t + P_t B'_t .

A `Layer` holds these coefficient matrices stacked (rows: first :math:`F^{t-1}`, then
:math:`P_t`); a `Recursion` is the list of layers.  Of all products only those with
linearly independent leading forms are kept: the others (fg and gf, and every syzygy)
are combinations of these plus polynomials of lower degree, so a direction in which a
candidate is identically zero never enters.

Values and derivatives come from running the recursion, which for one variable is the
Arnoldi iteration and keeps its digits at degrees where powers have lost all of them.
Beside that the coefficients over the monomials in :math:`y = F_1(x)`, in which every
polynomial of degree two or more can be written, are made when they are asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..ground.deadline import tell
from ..ground.few_numbers import sparse_times
from ..ground.linalg import independent_rows
from ..polynomials.monomials import monomials, padded
from ..polynomials.product_basis import product_basis

PRODUCTS_PER_FEW = 4
"""Products for each polynomial beyond which polynomials are few, and evaluated without forming the products.  Measured
on random recursions in 2 to 10 variables, degrees 2 to 5, 256 and 4096 points: that is faster from 2 on with
derivatives, and from 8 to 32 on for values alone."""


class Products(NamedTuple):
    """The products kept at a degree: factors ``F_1[left]`` and ``F_(t-1)[right]``.

    `combination` writes every product F_1 x F_(t-1) over the kept ones, up to lower
    degree (at degree 1: the identity on the variables).
    """

    left: np.ndarray
    right: np.ndarray
    combination: np.ndarray


class Values:
    """Values (n, .) and derivatives (n, d, .) of F, G and the products of the next degree.

    They are kept degree by degree and joined when asked for.

    Attributes
    ----------
    P, dP : array
        Of the products of the next degree; without columns unless these were asked for.
    """

    def __init__(self, points: np.ndarray, constant: float) -> None:
        n, d = points.shape
        self.F_parts, self.dF_parts = [np.full((n, 1), constant)], [np.zeros((n, d, 1))]
        self.G_parts, self.dG_parts = [np.zeros((n, 0))], [np.zeros((n, d, 0))]
        self.P, self.dP = np.zeros((n, 0)), np.zeros((n, d, 0))

    @property
    def F(self) -> np.ndarray:
        """Values of the polynomials that do not vanish, all degrees."""
        return np.concatenate(self.F_parts, axis=1)

    @property
    def G(self) -> np.ndarray:
        """Values of the vanishing polynomials, all degrees."""
        return np.concatenate(self.G_parts, axis=1)

    @property
    def dF(self) -> np.ndarray:
        """Derivatives of F."""
        return np.concatenate(self.dF_parts, axis=2)

    @property
    def dG(self) -> np.ndarray:
        """Derivatives of G."""
        return np.concatenate(self.dG_parts, axis=2)


@dataclass(frozen=True, eq=False)
class Layer:
    """One degree of the recursion.

    Attributes
    ----------
    products : Products
    F, G : (number of F so far + number of products, .) array
        Coefficients of the new polynomials.
    adjustable : (columns of F,) bool array
        False for polynomials that vanish within epsilon on the data but not on the knots.
    """

    products: Products
    F: np.ndarray
    G: np.ndarray
    adjustable: np.ndarray


@dataclass(frozen=True, eq=False)
class Recursion:
    """Polynomials of degree 0 to `degree` as a list of layers over `dimension` variables."""

    dimension: int
    constant: float
    layers: tuple[Layer, ...] = ()

    @property
    def degree(self) -> int:
        """The highest degree."""
        return len(self.layers)

    @cached_property
    def sizes(self) -> list[int]:
        """Number of polynomials in F_0, F_1, ..., F_t."""
        return [1] + [layer.F.shape[1] for layer in self.layers]

    @cached_property
    def G_degrees(self) -> np.ndarray:
        """Degree of every polynomial of G, in order."""
        return np.repeat(np.arange(1, self.degree + 1), [layer.G.shape[1] for layer in self.layers])

    @property
    def adjustable(self) -> np.ndarray:
        """Which polynomials of F may be added to a candidate of higher degree (never the constant)."""
        return np.concatenate([[False]] + [layer.adjustable for layer in self.layers])

    def as_json(self) -> dict[str, Any]:
        """The recursion as JSON data; `stored.stored_recursion` reads it."""
        return {"dimension": self.dimension, "constant": self.constant,
                "layers": [{"left": layer.products.left.tolist(), "right": layer.products.right.tolist(),
                            "F": _matrix_json(layer.F), "G": _matrix_json(layer.G),
                            "adjustable": layer.adjustable.tolist()} for layer in self.layers]}

    def with_layer(self, layer: Layer) -> Recursion:
        """The recursion with one more degree."""
        taller = replace(self, layers=self.layers + (layer,))
        taller.__dict__["below"] = self             # what it has worked out is not worked out again
        return taller

    @cached_property
    def below(self) -> Recursion:
        """The recursion without its highest degree."""
        return replace(self, layers=self.layers[:-1])

    def __getstate__(self) -> dict[str, Any]:
        """What has been worked out stays behind when it is pickled or copied."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def next_products(self) -> Products:
        """The products of the next degree whose leading forms are linearly independent."""
        if self.degree == 0:
            d = self.dimension
            return Products(np.arange(d), np.zeros(d, int), np.eye(d))
        first, last = self.sizes[1], self.sizes[-1]
        left, right = (index.ravel() for index in np.mgrid[:first, :last])
        if not len(left):
            return Products(left, right, np.zeros((0, 0)))
        if self.degree == 1:                       # each leading form is one monomial, which y_i y_j and y_j y_i share
            kept = np.flatnonzero(left <= right)
            place = np.zeros((first, first), int)
            place[left[kept], right[kept]] = place[right[kept], left[kept]] = np.arange(len(kept))
            return Products(left[kept], right[kept], np.eye(len(kept))[place.ravel()])
        forms = self._product_coefficients(left, right)[len(monomials(first, self.degree)):]
        kept, combination = independent_rows(forms.T)
        return Products(left[kept], right[kept], combination)

    def _product_coefficients(self, left, right):
        y = monomials(self.sizes[1], self.degree + 1)
        last = self.F_coefficients()[:, sum(self.sizes[:-1]):]
        out = np.zeros((len(y), len(left)))
        for i in range(self.sizes[1]):
            chosen = np.flatnonzero(left == i)
            out[y.times[i, : len(last), None], chosen] = last[:, right[chosen]]
        return out

    def basis_coefficients(self, products: Products) -> np.ndarray:
        """Coefficients over the monomials in y of all F, then of the products of the next degree."""
        return self._worked_out("over monomials", products, self._basis_coefficients)

    def _basis_coefficients(self, products):
        product = self._product_coefficients(products.left, products.right)
        return np.hstack([padded(self.F_coefficients(), len(product)), product])

    def _worked_out(self, what, products, make):
        """What `make` says about products, once for those asked about last."""
        known = self.__dict__.setdefault("_known", {})
        if what not in known or known[what][0] is not products:
            known[what] = products, make(products)
        return known[what][1]

    def F_coefficients(self) -> np.ndarray:
        """Coefficients of all of F over the monomials in y = F_1 (columns: polynomials)."""
        return self._coefficients[0]

    def G_coefficients(self) -> np.ndarray:
        """Coefficients over the monomials in y of G_2, G_3, ...; G_1 is linear in x, not in y."""
        return self._coefficients[1]

    @cached_property
    def _coefficients(self):
        if self.degree == 0:
            return np.array([[self.constant]]), np.zeros((1, 0))
        layer, below = self.layers[-1], self.below
        if self.degree == 1:
            y = monomials(self.sizes[1], 1)
            F = np.eye(len(y))
            F[0, 0] = self.constant
            return F, np.zeros((len(y), 0))
        basis = below.basis_coefficients(layer.products)
        F = np.hstack([padded(below.F_coefficients(), len(basis)), basis @ layer.F])
        G = np.hstack([padded(below.G_coefficients(), len(basis)), basis @ layer.G])
        return F, G

    @cached_property
    def over_products(self) -> tuple[np.ndarray, np.ndarray]:
        """Coefficients of all of F, and of G_2, G_3, ..., over the `ProductBasis` in y / constant (columns: polynomials)."""
        size = 1 + self.sizes[1]
        if self.degree == 1:
            return self.constant * np.eye(size), np.zeros((size, 0))
        layer, below = self.layers[-1], self.below
        candidates = below.candidates_over_products(layer.products)
        F, G = (padded(part, len(candidates)) for part in below.over_products)
        return np.hstack([F, sparse_times(candidates, layer.F)]), np.hstack([G, candidates @ layer.G])

    def candidates_over_products(self, products: Products) -> np.ndarray:
        """The same of E: of all F, then of the products of the next degree."""
        return self._worked_out("over products", products, self._candidates_over_products)

    def _candidates_over_products(self, products):
        F, basis = self.over_products[0], product_basis(self.sizes[1], self.degree + 1)
        out = np.zeros((len(basis), F.shape[1] + len(products.left)))
        out[: len(F), : F.shape[1]] = F
        last, own = self.constant * F[:, sum(self.sizes[:-1]):], out[:, F.shape[1]:]
        for i in range(self.sizes[1]):
            chosen = np.flatnonzero(products.left == i)
            own[:, chosen] = basis.times(i, last[:, products.right[chosen]])
        return out

    def evaluate(self, U: np.ndarray, products: Products | None = None, derivatives: bool = False,
                 combine: np.ndarray | None = None) -> Values:
        """Run the recursion on a block of points.

        Parameters
        ----------
        U : (n, d) array
        products : Products, optional
            Evaluate the products of the next degree too.
        derivatives : bool
        combine : array, optional
            With `products`: polynomials of the next degree as columns over F, then P;
            they are appended to G.

        Returns
        -------
        Values
        """
        out = Values(U, self.constant)
        tell(len(U) * (sum(self.sizes) + (len(products.left) if products else 0)) * (1 + 2 * U.shape[1] * derivatives))
        steps: list[tuple[Products, np.ndarray | None, np.ndarray | None]]
        steps = [(layer.products, layer.F, layer.G) for layer in self.layers]
        if products is not None:
            steps.append((products, None, combine))
        for degree, (chosen, F_new, G_new) in enumerate(steps, start=1):
            last = degree == len(steps) and products is not None and combine is None
            here = _Degree(U, out, degree, chosen, derivatives)
            if G_new is not None and G_new.shape[1]:
                value, slope = here.combined(G_new)
                out.G_parts.append(value)
                out.dG_parts.append(slope)
            if F_new is not None:
                value, slope = here.combined(F_new)
                out.F_parts.append(value)
                out.dF_parts.append(slope)
            if last:
                out.P, out.dP = here.products()
        return out


class _Degree:
    """Combinations of the polynomials of lower degree and the products of one degree."""

    def __init__(self, U, lower, degree, products, derivatives):
        self.U, self.degree, self.chosen, self.derivatives = U, degree, products, derivatives
        self.F, self.dF = lower.F_parts[:degree], lower.dF_parts[:degree]
        self.cached = None

    def products(self):
        """Values and derivatives of the products themselves."""
        if self.cached is None:
            self.cached = self._products()
        return self.cached

    def _products(self):
        n, d = self.U.shape
        if self.degree == 1:
            return self.U, np.broadcast_to(np.eye(d), (n, d, d)) if self.derivatives else None
        left, right = self.F[1][:, self.chosen.left], self.F[-1][:, self.chosen.right]
        if not self.derivatives:
            return left * right, None
        slopes = self.dF[-1][:, :, self.chosen.right] * left[:, None, :]
        slopes += self.dF[1][0][:, self.chosen.left] * right[:, None, :]      # F_1 is linear: one slope for all
        return left * right, slopes

    def combined(self, coefficients):
        """Values and derivatives of the polynomials with these coefficients over F, then products."""
        lower = sum(part.shape[1] for part in self.F)
        own, k = coefficients[lower:], coefficients.shape[1]
        if self.degree == 1:
            values = self.U @ own + self.F[0] @ coefficients[:1]
            return values, np.broadcast_to(own, (len(values), *own.shape)) if self.derivatives else None
        few = PRODUCTS_PER_FEW * k < len(own) and self.cached is None
        values, slopes = self._through_factors(own) if few else self._through_products(own)
        row = 0
        for part, slope in zip(self.F, self.dF):
            share = coefficients[row: row + part.shape[1]]
            row += part.shape[1]
            if part.shape[1] and share.any():
                values = values + part @ share
                slopes = slopes + slope @ share if self.derivatives else None
        return values, slopes

    def _through_products(self, own):
        values, slopes = self.products()
        return values @ own, slopes @ own if self.derivatives else None

    def _through_factors(self, own):
        """The same for few polynomials, as bilinear forms in the factors: no product is formed."""
        first, last = self.F[1], self.F[-1]
        l, r, k = first.shape[1], last.shape[1], own.shape[1]
        form = np.zeros((l, r, k))
        np.add.at(form, (self.chosen.left, self.chosen.right), own)
        by_first = (last @ form.transpose(1, 0, 2).reshape(r, l * k)).reshape(len(last), l, k)
        values = np.einsum("nl,nlk->nk", first, by_first)
        if not self.derivatives:
            return values, None
        by_last = (first @ form.reshape(l, r * k)).reshape(len(first), r, k)
        return values, self.dF[1][0] @ by_first + self.dF[-1] @ by_last


def _matrix_json(array):
    return {"shape": list(array.shape), "entries": array.ravel().tolist()}
