r"""Points at which functions have their true values.

A solver takes sin for any function with the relations it was told: what it proves of all of them holds for sin, but a point
that it finds need not exist.  Where every equation gives one further variable (:math:`b\, x' = a`), a choice of the arguments
gives all other values; whether the claim fails there is seen with `DIGITS` digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from itertools import product as all_choices
from typing import Any

import mpmath

from ..export.system import FunctionLetter
from ..polynomials.terms import Terms

DIGITS = 50
"""Decimal digits with which functions are evaluated: a convention."""
MARGIN = 1e-30
"""How far a claim must fail: far above the rounding of `DIGITS` digits, for values of usual size."""
TRIED_ARGUMENTS = tuple(map(Fraction, ("1", "-1", "2", "-2", "1/2", "-1/2", "3", "-3", "0")))
"""Values of arguments that are tried, after the solver's own: a convention."""
MOST_TRIED = 2000
"""Choices that are tried: below a second."""
TRUE: dict[str, Callable[[Any], Any]] = {
    "sin": mpmath.sin, "cos": mpmath.cos, "exp": mpmath.exp, "log": mpmath.log, "sqrt": mpmath.sqrt, "tanh": mpmath.tanh,
    "1/x": lambda x: 1 / x}
"""Functions whose values are known here."""
FAILS: dict[str, Callable[[Any], bool]] = {
    "=": lambda value: abs(value) > MARGIN, "!=": lambda value: False, "<=": lambda value: value > MARGIN,
    "<": lambda value: value > MARGIN, ">=": lambda value: value < -MARGIN, ">": lambda value: value < -MARGIN}


def refuting_point(names: Sequence[str], equations: Sequence[Terms], claim: tuple[Terms, str],
                   functions: Sequence[FunctionLetter], found: Mapping[str, Any],
                   box: Sequence[tuple[Fraction, Fraction]] | None = None) -> dict[str, Any] | None:
    """A point at which the equations hold and the claim fails, functions being what they are called.

    Parameters
    ----------
    names, equations, claim, functions, box
        As for `asking.ask_real`.
    found : mapping of str to number
        The solver's point, which is tried first.

    Returns
    -------
    dict, or None
        Exact where a coordinate was chosen, else a float; None where none of the points tried is one.
    """
    if any(letter.function not in TRUE for letter in functions):
        return None
    letters = {letter.place for letter in functions}
    targets = _targets(equations, letters | {letter.argument for letter in functions}, len(names))
    free = [k for k in range(len(names)) if k not in letters and k not in targets]
    with mpmath.workdps(DIGITS):
        for choice in _choices([Fraction(found[names[k]]) for k in free]):
            values = _completed(dict(zip(free, choice)), equations, functions, len(names))
            if values is None or not FAILS[claim[1]](_value(claim[0], values)):
                continue
            if box is None or all(_real(low) <= _real(values[k]) <= _real(high) for k, (low, high) in enumerate(box)):
                return {name: values[k] if k in free else float(values[k]) for k, name in enumerate(names)}
    return None


def _targets(equations: Sequence[Terms], taken: set[int], size: int) -> set[int]:
    """For each equation the last variable, not `taken`, in which it is linear: what it gives."""
    found: set[int] = set()
    for terms in equations:
        for k in reversed(range(size)):
            if k not in taken and k not in found and max((e[k] for e in terms), default=0) == 1:
                found.add(k)
                break
    return found


def _choices(first: Sequence[Fraction]) -> Iterator[tuple[Fraction, ...]]:
    yield tuple(first)
    yield from islice(all_choices(TRIED_ARGUMENTS, repeat=len(first)), MOST_TRIED)


def _completed(known: dict[int, Any], equations: Sequence[Terms], functions: Sequence[FunctionLetter],
               size: int) -> list[Any] | None:
    """All values, or None where a function has none, or an equation does not hold or gives nothing."""
    for letter in functions:
        try:
            value = TRUE[letter.function](_real(known[letter.argument]))
        except (ZeroDivisionError, ValueError, KeyError):
            return None
        if not isinstance(value, mpmath.mpf) or not mpmath.isfinite(value):
            return None
        known[letter.place] = value
    waiting = list(equations)
    while waiting:
        left = []
        for terms in waiting:
            unknown = sorted({k for e in terms for k in range(size) if e[k] and k not in known})
            if not unknown:
                if abs(_value(terms, known)) > MARGIN:
                    return None
            elif len(unknown) > 1 or max(e[unknown[0]] for e in terms) > 1:
                left.append(terms)
            else:
                k = unknown[0]
                slope = _value({(*e[:k], 0, *e[k + 1:]): value for e, value in terms.items() if e[k]}, known)
                if abs(slope) <= MARGIN:
                    return None
                known[k] = -_value({e: value for e, value in terms.items() if not e[k]}, known) / slope
        if len(left) == len(waiting):
            return None
        waiting = left
    return [known[k] for k in range(size)] if len(known) == size else None


def _value(terms: Terms, values: Any) -> Any:
    total = mpmath.mpf(0)
    for exponents, coefficient in terms.items():
        part = _real(coefficient)
        for k, e in enumerate(exponents):
            if e:
                part *= _real(values[k]) ** e
        total += part
    return total


def _real(value: Any) -> Any:
    return mpmath.mpf(value.numerator) / value.denominator if isinstance(value, Fraction) else value
