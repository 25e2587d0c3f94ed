r"""Proof that polynomials are conserved by identified equations of motion.

Along :math:`x_i' = a_i / b_i` the derivative of a polynomial I is :math:`\sum_i \partial_i I\, a_i / b_i`, with the numerator
:math:`\sum_i \partial_i I\, a_i \prod_{k \ne i} b_k`.  Where that is the zero polynomial, I keeps its value along every
solution: in the exact numbers of the model, whatever the noise was.  Where it is not, there is a state at which I changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product as all_pairs
from typing import Any

import sympy

from ...engines.process import DEFAULT_TIMEOUT
from ...export.coq import value_at
from ...export.methods import Exports
from ...export.statements import Conservation
from ...export.system import System
from ...ground.errors import InvalidOption, NotProved
from ...ground.wording import counted, visible
from ...polynomials.conversion import expression_of
from ...polynomials.parsing import product
from ...polynomials.terms import Exponents, Terms
from ...proof.asking import point_text
from ...proof.checking import check_with_coq
from ...proof.proving import terms_in
from ..motion.model import Model
from .conserved_result import Conserved

TRIED_COORDINATES = (1, 2, -1, 3, 0)
"""Coordinates of states at which a polynomial that is not zero is tried; some combination of so many shows it, for degrees
below their number (Schwartz and Zippel)."""

Field = tuple[tuple[Terms, Terms], ...]


@dataclass(frozen=True, eq=False)
class ConservationProof(Exports):
    """Polynomials that equations of motion conserve, exactly; made by `prove_conserved`.

    Attributes
    ----------
    names : tuple of str
        Of the states.
    invariants : tuple of dict
        Exponent tuple -> Fraction.
    field : tuple of (dict, dict)
        For each state, numerator and denominator of its derivative.
    variables : tuple of sympy.Symbol
    """

    names: tuple[str, ...]
    invariants: tuple[Terms, ...]
    field: Field
    variables: tuple[sympy.Symbol, ...]

    def check(self, timeout: float | None = DEFAULT_TIMEOUT) -> bool:
        """Whether Coq accepts that each is constant along every solution."""
        return all(finding.accepted for finding in check_with_coq(self._system(), timeout))

    def _system(self) -> System:
        return System(self.names, (), title="invariants of identified equations of motion",
                      statements=tuple(Conservation(terms, self.field) for terms in self.invariants))

    def __str__(self) -> str:
        lines = ["conserved along every solution, exactly:"]
        lines += [f"  {expression_of(terms, self.variables)}" for terms in self.invariants]
        lines += ["of"]
        for variable, (above, below) in zip(self.variables, self.field):
            lines.append(f"  {variable}' = {expression_of(above, self.variables) / expression_of(below, self.variables)}")
        return visible("\n".join(lines))

    def __repr__(self) -> str:
        return f"<ConservationProof of {counted(len(self.invariants), 'invariant')} in {visible(', '.join(self.names))}>"


def prove_conserved(invariants: Any, model: Model) -> ConservationProof:
    """Prove that polynomials are constant along the solutions of identified equations of motion.

    Parameters
    ----------
    invariants : Conserved, str, sympy.Expr, or a sequence of the last two
        Of a `Conserved` its invariants.
    model : Model
        Of a flow, without inputs.

    Returns
    -------
    ConservationProof
        To be printed, exported (``to_coq``, ``to_lean``), and checked by Coq (``check``).

    Raises
    ------
    NotProved
        One of them is not conserved; the message has a state at which it changes.
    """
    names, field = motion_field(model)
    variables = model.variables[:len(names)]
    found = []
    for given in _each(invariants):
        terms = _reordered(given, names) if hasattr(given, "terms") else terms_in(given, variables, "invariants")
        rate = lie_numerator(terms, field)
        if rate:
            raise _changes(terms, rate, (names, variables))
        found.append(terms)
    if not found:
        raise InvalidOption("invariants", invariants, "at least one polynomial")
    return ConservationProof(names, tuple(found), field, variables)


def motion_field(model: Model) -> tuple[tuple[str, ...], Field]:
    """The states of a flow, and their derivatives as fractions of exact polynomials."""
    if not isinstance(model, Model) or model.kind != "flow" or not model.targets:
        raise InvalidOption("model", repr(model), "equations of motion in continuous time (identify)")
    if model.field.functions or model.input_names:
        raise InvalidOption("model", repr(model), "without functions and inputs: proofs are about polynomials of the states")
    names, size = model.arguments, len(model.arguments)
    equations = {equation.target: equation for equation in model.polynomials}
    field = []
    for name in names:
        derivative = f"{name}'"
        if derivative in equations:
            field.append(_fraction(equations[derivative], size))
        elif derivative in names:                        # a velocity
            field.append(({tuple(int(other == derivative) for other in names): Fraction(1)}, {(0,) * size: Fraction(1)}))
        else:
            raise InvalidOption("model", repr(model), f"complete: it has no equation for {derivative}")
    return names, tuple(field)


def lie_numerator(terms: Terms, field: Field) -> dict[Exponents, Fraction]:
    """Of the derivative along the motion, over the product of all denominators."""
    above: dict[Exponents, Fraction] = {}
    below: dict[Exponents, Fraction] = {(0,) * len(field): Fraction(1)}
    for place, (a, b) in enumerate(field):
        slope = {(*e[:place], e[place] - 1, *e[place + 1:]): value * e[place] for e, value in terms.items() if e[place]}
        rest, own = product(above, b), product(product(below, slope), a)
        above = {e: value for e in {**rest, **own} if (value := rest.get(e, Fraction(0)) + own.get(e, Fraction(0)))}
        below = product(below, b)
    return above


def _fraction(equation, size):
    place = equation.names.index(equation.target)
    above = {e[:size]: -value for e, value in equation.terms.items() if not e[place]}
    below = {e[:size]: value for e, value in equation.terms.items() if e[place]}
    return above, below


def _each(invariants: Any) -> Iterable[Any]:
    if isinstance(invariants, Conserved):
        return invariants.invariants
    return [invariants] if isinstance(invariants, (str, sympy.Basic)) or hasattr(invariants, "terms") else list(invariants)


def _reordered(invariant: Any, names: Sequence[str]) -> Terms:
    """The terms of an invariant of measured runs, in the order of the model's states."""
    missing = [name for name in invariant.names if name not in names]
    if missing:
        raise InvalidOption("invariants", missing[0], f"in the states of the model: {', '.join(names)}")
    places = [invariant.names.index(name) if name in invariant.names else None for name in names]
    return {tuple(0 if p is None else e[p] for p in places): value for e, value in invariant.terms.items()}


def _changes(terms, rate, where):
    names, variables = where
    shown = expression_of(terms, variables)
    for point in all_pairs(map(Fraction, TRIED_COORDINATES), repeat=len(names)):
        value = value_at(rate, point)
        if value:
            state = dict(zip(names, point))
            return NotProved(f"{shown} is not conserved by the equations of motion: at {point_text(state)} it changes "
                             f"(its derivative there is a multiple of {value})", state)
    return NotProved(f"{shown} is not conserved by the equations of motion")
