r"""The nearest polynomial that vanishes exactly on rational points.

Let V hold the values of all monomials up to a degree at the rational knots.  The polynomials
that vanish there are the null space of V; `exact_linear.null_space` gives it as one vector per free
monomial, so a polynomial in it is :math:`c' = \sum_j a_j n_j` where :math:`a_j` is simply the
coefficient of the j-th free monomial.  Those on a smaller support are the null space of fewer
columns.  The nearest one to c minimises

.. math:: \sum_i w_i (g' - g)(x_i)^2 + \rho^2 |c' - c|^2

over a, in floats and in the fit's own centred and scaled variables: the mean square of the
change on the data plus, so that it has one answer, a small multiple of the change of the
coefficients.  Where the data are not at hand they are taken to be the knots plus noise, which
adds :math:`\sigma^2 |\nabla (g' - g)|^2` at each knot.  Then each a is rounded to a simple
rational number.  Whatever the rounding, c' is in the null space: g' vanishes exactly.

The support is that of g, or before that the sparser one of g's readable form.  Where nothing on
it vanishes on the knots, or only something far from g, all monomials up to its degree are
taken; where that is not enough, the degree is raised.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np
import sympy

from ..fitting.fitted import Fitted
from ..fitting.settings import DEFAULT_DELTA
from ..ground.deadline import Deadline
from ..ground.errors import NoExactPolynomial
from ..ground.exact_linear import null_space
from ..ground.linalg import least_squares, unit_columns
from ..polynomials.equation import Equation
from ..polynomials.evaluation import evaluate_monomials
from ..polynomials.monomials import monomials
from ..polynomials.terms import Exponents, Terms, digits_of_long_numbers, monomial_values
from ..symbolic.readable import inside_polynomial
from .rational import Rationalization

COEFFICIENT_WEIGHT = 1e-3
"""Weight of the coefficients' change beside the change on the data, relative to the largest of the latter: it only
decides between polynomials that the data cannot tell apart.  A convention."""
ROUNDING_CHANGES = (0.1, 0.01)
"""Shares of its residual by which rounding may change a polynomial; the second where the first would break a limit.
Derived: added in squares, a tenth is 0.5 %."""
FINEST_CHANGE = DEFAULT_DELTA
"""... or by this share of its size, whichever is larger: what knots are held to."""
NOTICED_GROWTH = 1.1
"""Factor by which a residual may grow and be as good as before: its own standard error with 50 points is a tenth."""
MOST_RAISED_DEGREES = 2
"""Degrees to go up where no polynomial of the degree vanishes on the knots: a convention."""
SUPPORTS = SPARSER, SAME, WHOLE, RAISED = "sparser", "same", "degree", "raised"


class Change:
    """Measures polynomials on the data, in the variables of the fit.

    Parameters
    ----------
    fitted : Fitted
    points : (n, d) array, optional
        The data in the user's variables; else knots and noise stand for them.
    """

    def __init__(self, fitted: Fitted, points: np.ndarray | None = None) -> None:
        self.fitted = fitted
        if points is None:
            self.at, weights = fitted.inside(fitted.knots), fitted.knot_weights
            self.noise = float(np.sqrt(fitted.noise_off_knots))
        else:
            self.at, self.noise = fitted.inside(points), 0.0
            weights = np.ones(len(self.at))
        self.weights = weights / weights.sum()

    def coefficients(self, polynomials: Sequence[Terms], degree: int) -> np.ndarray:
        """(m, number) float coefficients in the fit's variables of exact polynomials."""
        exponents = monomials(len(self.fitted.names), degree).exponents
        index = {tuple(e): a for a, e in enumerate(exponents.tolist())}
        columns = np.zeros((len(exponents), len(polynomials)))
        for column, terms in zip(columns.T, polynomials):
            places, values, size = inside_polynomial(terms, self.fitted)
            column[[index[tuple(e)] for e in places.tolist()]] = values * float(size)
        return columns

    def rows(self, degree: int) -> np.ndarray:
        """A matrix whose product with such coefficients has the root-mean-square on the data as its norm."""
        values, slopes = evaluate_monomials(self.at, monomials(len(self.fitted.names), degree).exponents)
        parts = [values * np.sqrt(self.weights)[:, None]]
        if self.noise:
            wide = slopes * (self.noise * np.sqrt(self.weights))[:, None, None]
            parts.append(wide.reshape(-1, slopes.shape[2]))
        return np.vstack(parts)

    def size(self, terms: Terms) -> float:
        """Root-mean-square of a polynomial on the data."""
        degree = max(map(sum, terms))
        return float(np.linalg.norm(self.rows(degree) @ self.coefficients([terms], degree)))

    def slope(self, terms: Terms) -> float:
        """Root-mean-square of its gradient."""
        exponents, values, size = inside_polynomial(terms, self.fitted)
        slopes = evaluate_monomials(self.at, exponents)[1] @ (values * float(size))
        return float(np.sqrt(self.weights @ np.sum(slopes**2, axis=1)))

    def residual(self, terms: Terms, as_distance: bool) -> float:
        """In the units of epsilon: as a distance, or as the polynomial's own size."""
        size = self.size(terms)
        if as_distance:
            slope = self.slope(terms)
            return self.fitted.unit * size / slope if slope else np.inf
        return size * float(np.sqrt(self.fitted.mass))


@dataclass(frozen=True, eq=False)
class ExactPolynomial(Equation):
    """A polynomial with rational coefficients, and how it came from one of the fit.

    Attributes
    ----------
    terms : dict
        Exponent tuple -> Fraction.
    source : dict
        The polynomial it replaces, the same way.
    support : {"sparser", "same", "degree", "raised"}
        Whether the monomials of the readable form were enough, or those of the source, or all
        up to its degree were needed, or even the degree was raised.
    residual_before, residual : float
        Of source and terms on the data, in epsilon's units.
    variables : tuple of sympy.Symbol
    names : tuple of str
    """

    terms: Terms
    source: Terms
    support: str
    residual_before: float
    residual: float
    variables: tuple[sympy.Symbol, ...]
    names: tuple[str, ...]

    @property
    def digits(self) -> dict[Exponents, int]:  # type: ignore[override]
        """Significant digits of coefficients that are too long to be shown exactly."""
        return digits_of_long_numbers(self.terms)

    @cached_property
    def coefficient_change(self) -> float:
        """Largest change of a coefficient, as a share of the source's largest coefficient."""
        zero = Fraction(0)
        change = max(abs(self.terms.get(e, zero) - self.source.get(e, zero)) for e in {**self.terms, **self.source})
        return float(change / max(abs(value) for value in self.source.values()))


class VanishingSpace:
    """All polynomials up to a degree that vanish on rational knots.

    Parameters
    ----------
    knots : sequence of tuples of Fraction
    degree : int
    change : Change
    leading : collection of exponent tuples
        Monomials whose coefficients should be free to choose.
    deadline : Deadline, optional
    arithmetic : str, optional
        As in `exact_linear.solve`.
    """

    def __init__(self, knots: Sequence[tuple[Fraction, ...]], degree: int, change: Change,
                 leading: Collection[Exponents] = (), deadline: Deadline | None = None,
                 arithmetic: str | None = None) -> None:
        self.knots, self.degree, self.change, self.options = knots, degree, change, (deadline, arithmetic)
        monomial_list = [tuple(e) for e in monomials(len(knots[0]), degree).exponents.tolist()]
        last = [place for place, exponents in enumerate(monomial_list) if exponents in leading]
        pivots, free, self.table = null_space(monomial_values(monomial_list, knots), *self.options, last=last)
        self.pivots, self.free = ([monomial_list[place] for place in places] for places in (pivots, free))

    @cached_property
    def _inside(self):
        """Float coefficients of the vectors, one per column, in the fit's variables."""
        vectors = [{exponents: Fraction(1), **{p: -row[j] for p, row in zip(self.pivots, self.table) if row[j]}}
                   for j, exponents in enumerate(self.free)]
        return self.change.coefficients(vectors, self.degree)

    @cached_property
    def _heavy(self):
        rows = self.change.rows(self.degree)
        return np.vstack([rows, COEFFICIENT_WEIGHT * np.linalg.norm(rows, 2) * np.eye(rows.shape[1])]), len(rows)

    @cached_property
    def _whole_rows(self):
        """The table's rows as whole numbers, and their denominators."""
        denominators = [lcm(*(value.denominator for value in row)) for row in self.table]
        return [([value.numerator * (q // value.denominator) for value in row], q)
                for row, q in zip(self.table, denominators)]

    def within(self, support: Collection[Exponents] | None) -> list[dict[int, Fraction]]:
        """Combinations of the vectors with no other monomials (None: all), each as {free monomial's place: Fraction}."""
        if support is None:
            return [{j: Fraction(1)} for j in range(len(self.free))]
        places = {exponents: j for j, exponents in enumerate(self.free) if exponents in support}
        if not any(row[j] for p, row in zip(self.pivots, self.table) if p not in support for j in places.values()):
            return [{j: Fraction(1)} for j in places.values()]
        allowed = sorted(support, key=sum)
        last = [place for place, exponents in enumerate(allowed) if exponents in places]
        pivots, free, table = null_space(monomial_values(allowed, self.knots), *self.options, last=last)
        return [{places[allowed[column]]: Fraction(1),
                 **{places[allowed[p]]: -row[j] for p, row in zip(pivots, table) if row[j] and allowed[p] in places}}
                for j, column in enumerate(free)]

    def nearest(self, source: Terms, support: Collection[Exponents] | None, rule: Rationalization,
                pivot: Exponents | None, rounding: float = ROUNDING_CHANGES[0]) -> dict[Exponents, Fraction] | None:
        """Terms of the nearest polynomial on `support`; None if only zero vanishes there."""
        combinations = self.within(support)
        if not combinations:
            return None
        mixing = np.zeros((len(self.free), len(combinations)))
        for column, combination in zip(mixing.T, combinations):
            column[list(combination)] = [float(value) for value in combination.values()]
        heavy, data = self._heavy
        weighed, wanted = heavy @ (self._inside @ mixing), heavy @ self.change.coefficients([source], self.degree)[:, 0]
        weighed, sizes = unit_columns(weighed)
        amounts = least_squares(weighed, wanted) / sizes
        leads = [self.free[next(iter(combination))] for combination in combinations]
        if pivot is not None and pivot in leads and amounts[leads.index(pivot)]:
            amounts *= float(source[pivot]) / amounts[leads.index(pivot)]
        allowed = max(rounding * np.linalg.norm(wanted[:data]), FINEST_CHANGE * np.linalg.norm(wanted))
        rounded = rule.numbers(amounts.tolist(), (allowed / (np.sqrt(len(sizes)) * sizes)).tolist())
        weights: dict[int, Fraction] = {}
        for combination, amount in zip(combinations, rounded):
            for j, value in combination.items():
                weights[j] = weights.get(j, 0) + amount * value
        return self._polynomial(weights, pivot) or None

    def _polynomial(self, weights, pivot):
        """The combination of the vectors with these weights, the pivot first."""
        terms = {self.free[j]: weight for j, weight in weights.items() if weight}
        common = lcm(*(weight.denominator for weight in weights.values()))
        whole = {j: weight.numerator * (common // weight.denominator) for j, weight in weights.items() if weight}
        for exponents, (row, q) in zip(self.pivots, self._whole_rows):
            value = sum(row[j] * weight for j, weight in whole.items())
            if value:
                terms[exponents] = Fraction(-value, q * common)
        return {pivot: terms[pivot], **terms} if pivot in terms else terms


class NearestVanishing:
    """Replaces polynomials by the nearest ones that are zero at every one of `knots`.

    Parameters
    ----------
    knots : sequence of tuples of Fraction
    change : Change
    rule : Rationalization
    leading : collection of exponent tuples
        Monomials that lead polynomials to be replaced; their coefficients are kept.
    limit : float
        A residual up to this is good enough not to widen the support.
    as_distance : bool
        Whether residuals are distances.
    deadline : Deadline, optional
    arithmetic : str, optional
        As in `exact_linear.solve`.
    """

    def __init__(self, knots: Sequence[tuple[Fraction, ...]], change: Change, rule: Rationalization,
                 leading: Collection[Exponents] = (), limit: float = 0.0, as_distance: bool = True,
                 deadline: Deadline | None = None, arithmetic: str | None = None) -> None:
        self.knots, self.change, self.rule, self.leading = knots, change, rule, frozenset(leading)
        self.limit, self.as_distance = limit, as_distance
        self.deadline = deadline or Deadline()
        self.options = self.deadline, arithmetic
        self.spaces: dict[int, VanishingSpace] = {}

    def space(self, degree: int) -> VanishingSpace:
        """The `VanishingSpace` of this degree, made once."""
        if degree not in self.spaces:
            self.spaces[degree] = VanishingSpace(self.knots, degree, self.change, self.leading, *self.options)
        return self.spaces[degree]

    def replace(self, source: Terms, sparser: Collection[Exponents] | None = None) -> ExactPolynomial:
        """The nearest polynomial to `source` (exponent tuple -> Fraction, a leading one first).

        Parameters
        ----------
        source : dict
        sparser : collection of exponent tuples, optional
            A support to try first.

        Returns
        -------
        ExactPolynomial
        """
        degree = max(map(sum, source))
        before = self.change.residual(source, self.as_distance)
        best = None
        attempts: list[tuple[str, int, Collection[Exponents] | None]]
        attempts = [(SPARSER, degree, sparser)] if sparser is not None and len(sparser) < len(source) else []
        attempts += [(SAME, degree, source), (WHOLE, degree, None)]
        attempts += [(RAISED, degree + more, None) for more in range(1, MOST_RAISED_DEGREES + 1)]
        for support, highest, allowed in attempts:
            found = self._on_support(source, before, support, highest, allowed)
            if found is None:
                continue
            if best is None or found.residual < best.residual:
                best = found
            if best.residual <= max(self.limit, NOTICED_GROWTH * before) or support == WHOLE:
                return best
        if best is None:
            raise NoExactPolynomial(
                f"no polynomial of degree up to {degree + MOST_RAISED_DEGREES} vanishes on all {len(self.knots)} knots: "
                "they are too many for it; take route='equations', which keeps the equations and certifies the knots "
                "instead")
        return best

    def _on_support(self, source, before, support, degree, allowed):
        """The nearest one with these monomials, rounded more finely where it would break the limit; None without one."""
        pivot = next(iter(source))
        kept = pivot if pivot in self.leading else None
        for rounding in ROUNDING_CHANGES:
            self.deadline.check("exact polynomials near those of the fit")
            terms = self.space(degree).nearest(source, allowed, self.rule, kept, rounding)
            if terms is None:
                return None
            after = self.change.residual(terms, self.as_distance)
            if not before <= self.limit < after:
                break
        fitted = self.change.fitted
        return ExactPolynomial(terms, source, support, before, after, fitted.variables, fitted.names)
