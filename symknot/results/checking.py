"""Is a result what it says?  Its numbers once more, from its final terms, in 50 digits or exactly.

What a computation says about its equations (residuals, values on knots, forms that agree) comes out of the recursion of
the fit, in floats.  A `Check` compares one such statement with what `polynomials.precise` makes of the final terms:
nothing is shared but the terms and the points.  Where there are many points, a sample is recomputed in 50 digits.

*What is allowed.*  Floats know values near the data to rounding times the spread of the data; forms of an equation are
made to agree to 1e-12 of its largest value there (`symbolic.polynomial.RIGHT_BITS`).  A check fails beyond `AGREEMENT` of that
value or of `LEAST_VALUE` of the spread, whichever is larger: a thousand times more than is promised, and far less than
any noise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
import sympy

from ..ground.errors import Status
from ..polynomials.precise import precise_values
from ..polynomials.terms import Exponents

AGREEMENT = 1e-9
"""Share of the largest value by which two computations of it may differ: a convention, see the module's text."""
SAMPLE = 16
"""Points, and as many knots, at which values are recomputed: a convention, some milliseconds for the terms that people read."""
MOST_TERMS = 300
"""Terms of all equations together that are recomputed when a result is made: a convention; writing them out and recomputing
`SAMPLE_AT_ONCE` values of them takes some 20 ms.  Equations beyond it are checked on request."""
SAMPLE_AT_ONCE = 8
"""Points, and as many knots, at which values are recomputed when a result is made: a convention."""
TERM_DIGITS = 1e-24
"""Share of the sum of its terms' sizes to which a value can be known, from terms of 27 digits: with some to spare."""


Checked = TypeVar("Checked")


@dataclass(frozen=True)
class Check:
    """One statement about a result, and what became of it.

    Attributes
    ----------
    what : str
    difference : float
        Between what the result says and what was recomputed.
    allowed : float
        The largest that rounding explains.
    """

    what: str
    difference: float
    allowed: float

    @property
    def ok(self) -> bool:
        """Whether they agree; no number agrees with nothing."""
        return bool(self.difference <= self.allowed)

    def __str__(self) -> str:
        words = "holds" if self.ok else "DOES NOT HOLD"
        return f"{self.what}: {words} (off by {self.difference:.1e}, allowed {self.allowed:.1e})"


@dataclass(frozen=True)
class Checks:
    """What `check` of a result found.

    Attributes
    ----------
    each : tuple of Check
    """

    each: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """Whether all hold."""
        return all(check.ok for check in self.each)

    @property
    def failed(self) -> tuple[Check, ...]:
        """Those that do not."""
        return tuple(check for check in self.each if not check.ok)

    def __str__(self) -> str:
        return "\n".join(map(str, self.each)) or "nothing to check: there is no equation"


def refutation(checks: Iterable[Check]) -> str:
    """What does not hold, in words, with what to do about it; empty where all of them hold."""
    failed = next((check for check in checks if not check.ok), None)
    return "" if failed is None else f"{Status.NOT_CONFIRMED.advice}; {failed}"


def confirmed(result: Checked, checks: Iterable[Check]) -> Checked:
    """A result that is about to be returned; with `Status.NOT_CONFIRMED`, and the reason, where one of these does not hold."""
    wrong = refutation(checks)
    changed: Any = result
    return replace(changed, status=Status.NOT_CONFIRMED, message=wrong) if wrong else result


def sampled(count: int, most: int = SAMPLE) -> np.ndarray:
    """Rows of a sample, evenly spread; all of them when they are few."""
    return np.arange(count) if count <= most else np.linspace(0, count - 1, most).astype(int)


def same_values(what: str, terms: Mapping[Exponents, Fraction], points: np.ndarray, values: np.ndarray, scale: float) -> Check:
    """Whether values at points are those of the terms; `scale` is what they are compared with at least."""
    precise = precise_values(terms, points)
    off = np.abs(precise.values - values)
    largest = float(np.max(np.abs(precise.values), initial=scale))
    known = TERM_DIGITS * float(np.max(precise.sizes, initial=0.0))
    return Check(what, float(np.max(off, initial=0.0)), AGREEMENT * largest + known)


def same_number(what: str, stated: float, recomputed: float, scale: float, rounding: float = 0.0) -> Check:
    """Whether a stated number is the recomputed one; `scale` as in `same_values`, `rounding` what was lost before.

    Numbers that are not finite are no statement that holds.
    """
    if not np.isfinite([stated, recomputed, scale]).all():
        return Check(what, np.inf, 0.0)
    return Check(what, abs(stated - recomputed), AGREEMENT * max(abs(recomputed), scale) + rounding)


def exactly(what: str, wrong: int) -> Check:
    """A statement without rounding, that is wrong in so many places."""
    return Check(what, float(wrong), 0.0)


def same_expression(what: str, expr: sympy.Expr, variables: Iterable[sympy.Symbol], terms: Mapping[Exponents, Fraction],
                    points: np.ndarray, scale: float = 0.0) -> Check:
    """Whether a sympy expression has the values of the terms at points; a rational one has the same coefficients."""
    poly = sympy.Poly(expr, *variables)
    own = {tuple(map(int, exponents)): Fraction(int(number.p), int(number.q))
           for exponents, number in ((e, sympy.Rational(c)) for e, c in poly.terms()) if number}
    if all(coefficient.is_Rational for coefficient in poly.coeffs()):
        given = {exponents: value for exponents, value in terms.items() if value}
        return exactly(what, sum(own.get(e) != given.get(e) for e in {*own, *given}))
    return same_values(what, terms, points, precise_values(own, points).values, scale)


def numbered(what: str, place: int) -> str:
    """The statement about one of several equations."""
    return f"equation {place + 1}: {what}"
