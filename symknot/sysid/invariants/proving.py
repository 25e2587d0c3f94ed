r"""Proof that polynomials are conserved by identified equations of motion.

Along :math:`x_i' = a_i / b_i` the derivative of a polynomial I is :math:`\sum_i \partial_i I\, a_i / b_i`, with the numerator
:math:`\sum_i \partial_i I\, a_i \prod_{k \ne i} b_k`.  Where that is the zero polynomial, I keeps its value along every
solution: in the exact numbers of the model, whatever the noise was.  On solutions along which other polynomials (constraints)
are zero it is enough that the numerator is a combination of them, with cofactors.  Where it is not even that, there is a state
at which I changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product as all_pairs
from math import prod
from typing import Any

import sympy

from ...engines import engine as find_engine
from ...engines.process import DEFAULT_TIMEOUT
from ...export.coq import value_at
from ...export.methods import Exports
from ...export.statements import Conservation
from ...export.system import System
from ...ground.deadline import Deadline
from ...ground.errors import EngineMissing, InvalidOption, NotProved
from ...ground.wording import counted, visible
from ...polynomials.conversion import expression_of, poly_of, shown, terms_of
from ...polynomials.numerals import rational_text
from ...polynomials.plain import product
from ...polynomials.terms import Exponents, Terms
from ...proof.asking import REFUTED, ask_real, point_text
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
    laws : tuple of dict
        What is zero along the solutions that are spoken of; none where they are all solutions.
    cofactors : tuple of tuple of dict
        For each invariant, one per law: the numerator of its derivative is the sum of cofactor times law.
    """

    names: tuple[str, ...]
    invariants: tuple[Terms, ...]
    field: Field
    variables: tuple[sympy.Symbol, ...]
    laws: tuple[Terms, ...] = ()
    cofactors: tuple[tuple[Terms, ...], ...] = ()

    def check(self, timeout: float | None = DEFAULT_TIMEOUT) -> bool:
        """Whether Coq accepts that each is constant along every solution."""
        return all(finding.accepted for finding in check_with_coq(self._system(), timeout))

    def _system(self) -> System:
        cofactors = self.cofactors or ((),) * len(self.invariants)
        return System(self.names, self.laws, title="invariants of identified equations of motion",
                      statements=tuple(Conservation(terms, self.field, factors)
                                       for terms, factors in zip(self.invariants, cofactors)))

    def __str__(self) -> str:
        where = " on which" if self.laws else ", exactly:"
        lines = [f"conserved along every solution{where}"]
        lines += [f"  {shown(terms, self.variables)} = 0" for terms in self.laws]
        lines += ["exactly:"] if self.laws else []
        lines += [f"  {shown(terms, self.variables)}" for terms in self.invariants]
        lines += ["of"]
        for variable, (above, below) in zip(self.variables, self.field):
            lines.append(f"  {variable}' = {expression_of(above, self.variables) / expression_of(below, self.variables)}")
        return visible("\n".join(lines))

    def __repr__(self) -> str:
        return f"<ConservationProof of {counted(len(self.invariants), 'invariant')} in {visible(', '.join(self.names))}>"


def prove_conserved(invariants: Any, model: Model, given: Any = (), *, engine: str = "auto",
                    timeout: float | None = DEFAULT_TIMEOUT) -> ConservationProof:
    """Prove that polynomials are constant along the solutions of identified equations of motion.

    Parameters
    ----------
    invariants : Conserved, str, sympy.Expr, or a sequence of the last two
        Of a `Conserved` its invariants.
    model : Model
        Of a flow, without inputs.
    given : sequence of str, sympy.Expr or constraints (``conserved(...).constraints``)
        Polynomials that are zero along the solutions: the statement is about these only.
    engine : str
        Who looks for cofactors where something is given; see `symknot.engines.engine`.
    timeout : float or None
        Seconds, for that.

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
    laws = tuple(_terms(law, names, variables, "given") for law in _each(given))
    found, cofactors, deadline = [], [], Deadline(timeout)
    for one in _each(invariants):
        terms = _terms(one, names, variables, "invariants")
        rate = lie_numerator(terms, field)
        factors = _cofactors(rate, laws, variables, engine, deadline) if rate and laws else ({},) * len(laws)
        if factors is None or rate and not laws:
            raise _changes(terms, (rate, field), laws, (names, variables), deadline)
        found.append(terms)
        cofactors.append(factors)
    if not found:
        raise InvalidOption("invariants", invariants, "at least one polynomial")
    return ConservationProof(names, tuple(found), field, variables, laws, tuple(cofactors))


def _terms(polynomial, names, variables, what):
    return _reordered(polynomial, names, what) if hasattr(polynomial, "terms") else terms_in(polynomial, variables, what)


def _cofactors(rate, laws, variables, engine, deadline):
    """Of the numerator of a derivative; None if it is not in the ideal of the laws."""
    found = find_engine(engine).cofactors([poly_of(law, variables) for law in laws], poly_of(rate, variables),
                                          variables=variables, timeout=deadline.left)
    return None if found is None else tuple(terms_of(factor, variables) for factor in found)


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


def _reordered(invariant: Any, names: Sequence[str], what: str) -> Terms:
    """The terms of an invariant of measured runs, in the order of the model's states."""
    missing = [name for name in invariant.names if name not in names]
    if missing:
        raise InvalidOption(what, missing[0], f"in the states of the model: {', '.join(names)}")
    places = [invariant.names.index(name) if name in invariant.names else None for name in names]
    return {tuple(0 if p is None else e[p] for p in places): value for e, value in invariant.terms.items()}


def _changes(terms, derivative, laws, where, deadline):
    """The error, with a state at which the polynomial changes; where laws are given, one at which they hold."""
    (names, variables), (rate, field) = where, derivative
    said = f"{shown(terms, variables)} is not conserved by the equations of motion"
    if laws:
        try:
            answer = ask_real(names, laws, (rate, "="), timeout=deadline.left)
        except EngineMissing:
            answer = None
        if answer is not None and answer.status == REFUTED:
            return NotProved(f"{said}: at {point_text(answer.point)}, where what is given holds, it changes", answer.point)
        return NotProved(f"{said} by cofactors: the numerator of its derivative is not in the ideal of what is given")
    for point in all_pairs(map(Fraction, TRIED_COORDINATES), repeat=len(names)):
        below = prod(value_at(b, point) for _, b in field)
        if below and (value := value_at(rate, point)):
            state = dict(zip(names, point))
            return NotProved(f"{said}: at {point_text(state)} its derivative is {rational_text(value / below)}", state)
    return NotProved(said)
