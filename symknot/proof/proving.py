r"""Why a polynomial follows from others: cofactors, found by a computer algebra system and checked here.

From :math:`g^k = \sum_i h_i p_i` with any polynomials h it follows that g is zero wherever all p are.  The cofactors h are
found by Singular, Macaulay2 or sympy and multiplied out again here, so that no program is trusted; what is printed for Coq
or Lean is checked there once more.  A power k above 1 is needed where the p do not generate a radical ideal.

Over the complex numbers the converse holds (Hilbert): if g is zero wherever all p are, some power has cofactors.  Over the
real numbers g may be zero at all real zeros without that; an SMT solver is asked then, for a proof or for a point that
refutes the claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

from ..engines import engine as find_engine
from ..engines.arithmetic import is_one
from ..engines.process import DEFAULT_TIMEOUT
from ..export.methods import Exports
from ..export.statements import Membership
from ..export.system import System
from ..ground.deadline import Deadline
from ..ground.errors import EngineMissing, InvalidOption, NotProved
from ..ground.wording import counted, visible
from ..polynomials.conversion import poly_of, shown, terms_of
from ..polynomials.parsing import relation_from_text
from ..polynomials.plain import power, product
from ..polynomials.symbols import safe_symbols
from ..polynomials.terms import Terms
from .asking import REFUTED, ask_real, point_text
from .checking import check_with_coq

HIGHEST_POWER = 12
"""Power of a goal up to which cofactors are looked for, once it is known that some power has them: a convention."""
LONGEST_TITLE = 200
"""Characters of a goal that a file's title repeats: a line or two."""
WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, eq=False)
class Proof(Exports):
    """Cofactors that show that a polynomial is zero wherever others are; made by `prove`.

    Attributes
    ----------
    names : tuple of str
    hypotheses : tuple of dict
        Exponent tuple -> Fraction.
    goal : dict
    cofactors : tuple of dict
        One per hypothesis: goal^power is the sum of cofactor times hypothesis.
    power : int
    engine : str
        Who found them.
    variables : tuple of sympy.Symbol
    """

    names: tuple[str, ...]
    hypotheses: tuple[Terms, ...]
    goal: Terms
    cofactors: tuple[Terms, ...]
    power: int
    engine: str
    variables: tuple[sympy.Symbol, ...]

    def holds(self) -> bool:
        """Whether the identity is true: multiplied out here, in exact arithmetic."""
        total: dict = {}
        for factor, terms in zip(self.cofactors, self.hypotheses, strict=True):
            for exponents, value in product(factor, terms).items():
                total[exponents] = total.get(exponents, Fraction(0)) + value
        return {e: value for e, value in total.items() if value} == power(self.goal, self.power)

    def check(self, timeout: float | None = DEFAULT_TIMEOUT) -> bool:
        """Whether Coq accepts the proof."""
        return all(finding.accepted for finding in check_with_coq(self._system(), timeout))

    def _system(self) -> System:
        goal = self._shown(self.goal)
        said = goal if len(goal) <= LONGEST_TITLE else f"{goal[:LONGEST_TITLE]}..."
        text = f"a proof: {said} = 0 follows from {counted(len(self.hypotheses), 'equation')}"
        return System(self.names, self.hypotheses, title=text,
                      statements=(Membership(self.goal, self.cofactors, self.power),))

    def _shown(self, terms):
        return shown(terms, self.variables)

    def __str__(self) -> str:
        used = [(k, terms) for k, terms in enumerate(self.cofactors, start=1) if terms]
        goal = self._shown(self.goal)
        left = goal if self.power == 1 else f"({goal})**{self.power}"
        lines = [f"{goal} = 0 follows:", f"  {left}"]
        lines += [f"    {'=' if place == 0 else '+'} ({self._shown(terms)}) * p{k}" for place, (k, terms) in enumerate(used)]
        lines += ["    = 0"] * (not used)
        lines += ["where" if used else "for every value of the variables"]
        lines += [f"  p{k} = {self._shown(self.hypotheses[k - 1])}" for k, _ in used]
        return visible("\n".join(lines))

    def __repr__(self) -> str:
        return f"<Proof: {visible(self._shown(self.goal))} = 0 from {counted(len(self.hypotheses), 'equation')}>"


def prove(goal: Any, hypotheses: Any = (), *, engine: str = "auto", timeout: float | None = DEFAULT_TIMEOUT) -> Proof:
    """Prove that a polynomial is zero wherever others are.

    Parameters
    ----------
    goal : str, sympy.Expr or sympy.Poly
        Such as ``"x**4 - y**2"``, or an equation ``"x**4 = y**2"``; with rational coefficients.
    hypotheses : sequence of the same, or a result
        Of a result (`Ideal.exact`, ...) its exact equations: what follows from the laws found in data.
    engine : str
        Who looks for cofactors; see `symknot.engines.engine`.
    timeout : float or None
        Seconds.

    Returns
    -------
    Proof
        To be printed, exported (``to_coq``, ``to_lean``), and checked by Coq (``check``).

    Raises
    ------
    NotProved
        The goal does not follow; where a point refutes it, it is named.
    InvalidOption, EngineError, TimeLimit

    Examples
    --------
    >>> print(prove("x**4 = y**2", ["y - x**2"], engine="sympy"))
    x**4 - y**2 = 0 follows:
      x**4 - y**2
        = (-x**2 - y) * p1
    where
      p1 = -x**2 + y
    """
    names, variables, laws, aim = _read(goal, hypotheses)
    deadline = Deadline(timeout)
    asked = find_engine(engine)
    polys = [poly_of(terms, variables) for terms in laws]
    factors = asked.cofactors(polys, poly_of(aim, variables), variables=variables, timeout=deadline.left)
    exponent = 1
    if factors is None and is_one([terms_of(g, variables) for g in asked.saturate(
            polys, poly_of(aim, variables), variables=variables, timeout=deadline.left)] if any(laws) else []):
        while factors is None and exponent < HIGHEST_POWER:
            exponent += 1
            factors = asked.cofactors(polys, poly_of(power(aim, exponent), variables), variables=variables,
                                      timeout=deadline.left)
    if factors is None:
        letters = getattr(hypotheses, "function_letters", ())
        raise _not_proved((names, laws, aim, letters), deadline, exponent > 1)
    proof = Proof(names, laws, aim, tuple(terms_of(h, variables) for h in factors), exponent, asked.name, variables)
    if not proof.holds():
        raise NotProved(f"{asked.name} gave cofactors that are wrong; try another engine")
    return proof


def _not_proved(question, deadline, radical):
    """The error, with a real point that refutes the claim where a solver finds one."""
    if radical:
        return NotProved(f"the goal is zero wherever the hypotheses are, but cofactors were found for no power of it up to "
                         f"{HIGHEST_POWER}; raise timeout or add hypotheses")
    names, laws, aim, letters = question
    try:
        answer = ask_real(names, laws, (aim, "="), timeout=deadline.left, functions=letters)
    except EngineMissing:
        return NotProved("the goal does not follow: no power of it is in the ideal of the hypotheses (install z3 or cvc5 to "
                         "see a real point)")
    if answer.status == REFUTED:
        return NotProved(f"the goal is false: the hypotheses hold at {point_text(answer.point)}, the goal does not",
                         answer.point)
    why = {"proved": f"{answer.engine} finds it true at every real point, but not at every complex one, so that there are no "
                     "cofactors", "unknown": f"whether a real point refutes it is not known ({answer.words})"}
    return NotProved(f"no power of the goal is in the ideal of the hypotheses; {why[answer.status]}")


def _read(goal: Any, hypotheses: Any) -> tuple[tuple[str, ...], tuple[sympy.Symbol, ...], tuple[Terms, ...], Terms]:
    names, variables, laws = hypotheses_of(hypotheses, [goal])
    return names, variables, laws, terms_in(goal, variables, "goal")


def hypotheses_of(hypotheses: Any, goals: Iterable[Any] = ()) -> tuple[tuple[str, ...], tuple[sympy.Symbol, ...],
                                                                       tuple[Terms, ...]]:
    """Names, symbols and terms of what is given: a result, or equations; `goals` may have further variables then."""
    if hasattr(hypotheses, "polys") and hasattr(hypotheses, "variables"):
        variables = hypotheses.variables
        return hypotheses.names, variables, tuple(terms_of(poly, variables) for poly in hypotheses.polys)
    try:
        given = [hypotheses] if isinstance(hypotheses, (str, sympy.Basic)) else list(hypotheses)
    except TypeError:
        raise InvalidOption("hypotheses", hypotheses, "a list of equations or polynomials, or an exact result") from None
    variables = _variables([*given, *goals])
    return tuple(map(str, variables)), variables, tuple(terms_in(law, variables, "hypotheses") for law in given)


def terms_in(polynomial: Any, variables: Sequence[sympy.Symbol], what: str) -> Terms:
    """The terms of a polynomial that is given as text, an equation in text, or for sympy."""
    if isinstance(polynomial, str):
        terms, sign = relation_from_text(polynomial, [str(v) for v in variables], what)
        if sign != "=":
            raise InvalidOption(what, polynomial, "an equation or a polynomial; inequalities are for ask")
        return terms
    return terms_of(polynomial, variables, what)


def _variables(given: Iterable[Any]) -> tuple[sympy.Symbol, ...]:
    """Of texts every word, of expressions every symbol; by name."""
    symbols: dict[str, sympy.Symbol] = {}
    for polynomial in given:
        if isinstance(polynomial, str):
            words = sorted(set(WORD.findall(polynomial)))
            symbols = dict(zip(words, safe_symbols(words))) | symbols
        elif isinstance(polynomial, sympy.Poly):
            symbols |= {str(symbol): symbol for symbol in polynomial.gens}
        elif isinstance(polynomial, sympy.Basic):
            symbols |= {str(symbol): symbol for symbol in polynomial.free_symbols}
    if not symbols:
        symbols = {"x": sympy.Symbol("x")}
    return tuple(symbols[name] for name in sorted(symbols))
