"""Questions over the real numbers, decided by z3 or cvc5: does an inequality follow from equations; if not, where does it
fail.

The solver is given the equations and the opposite of the claim.  That nothing satisfies both (``unsat``) proves the claim; a
point that does (``sat``) refutes it.  Solvers may give up, and time may be up: then nothing is known.

Functions such as sin are any functions with some of their relations to the solver (`export.smtlib`): a proof is one, but what
refutes a claim must be a point at which they have their true values (`confirming`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from ..engines.process import DEFAULT_TIMEOUT, Limits
from ..engines.provers import SOLVERS, locate_prover, run_solver
from ..export.smtlib import RULES, box_facts, declarations, relation
from ..export.system import FunctionLetter
from ..ground.errors import EngineError, EngineMissing, InvalidOption, TimeLimit
from ..ground.wording import visible
from ..polynomials.numerals import rational_text
from ..polynomials.parsing import polynomial_from_text
from ..polynomials.terms import Terms
from .confirming import refuting_point

PROVED, REFUTED, UNKNOWN = "proved", "refuted", "unknown"
OPPOSITE = {"=": "!=", "!=": "=", "<=": ">", ">": "<=", "<": ">=", ">=": "<"}
LONGEST_SHOWN = 24
"""Characters of an exact coordinate in a sentence; longer ones are shown as decimals."""


@dataclass(frozen=True)
class RealAnswer:
    """What a solver found out about a claim.

    Attributes
    ----------
    status : {"proved", "refuted", "unknown"}
    point : dict of str to Fraction or float
        Where the claim fails while the equations hold, or, where it says that there is a point, that point; exact where the
        coordinate is rational.
    engine : str
    words : str
        Why nothing is known.
    """

    status: str
    point: Mapping[str, Fraction | float] = field(default_factory=dict)
    engine: str = ""
    words: str = ""

    def __bool__(self) -> bool:
        return self.status == PROVED

    def __str__(self) -> str:
        if self.status == REFUTED and not self.point:
            return f"refuted by {self.engine}"
        if self.status == REFUTED:
            return f"refuted at {point_text(self.point)} (by {self.engine})"
        if self.status == UNKNOWN:
            return f"unknown: {self.words}"
        return f"proved by {self.engine}" + (f": {point_text(self.point)}" if self.point else "")


def ask_real(names: Sequence[str], equations: Sequence[Terms], claim: tuple[Terms, str], engine: str = "auto",
             timeout: float | None = DEFAULT_TIMEOUT, box: Sequence[tuple[Fraction, Fraction]] | None = None,
             functions: Sequence[FunctionLetter] = ()) -> RealAnswer:
    """Whether a relation holds at every real common zero of the equations.

    Parameters
    ----------
    names : sequence of str
    equations : sequence of dict
        Exponent tuple -> Fraction; each is to be zero.
    claim : (dict, str)
        A polynomial and a sign, one of =, !=, <, <=, >, >=, to compare it with 0.
    engine : {"auto", "z3", "cvc5"}
    timeout : float or None
        Seconds.
    box : sequence of (low, high), optional
        Only points in it count: for each variable its lowest and highest value.
    functions : sequence of FunctionLetter
        Variables that are functions of others.

    Returns
    -------
    RealAnswer
    """
    safe = RULES.safe_names(names)
    terms, sign = claim
    facts = [relation(equation, "=", safe) for equation in equations]
    if box is not None:
        facts += box_facts([(low + high) / 2 for low, high in box], [(high - low) / 2 for low, high in box], safe)
    answer = _decided(names, [*facts, relation(terms, OPPOSITE[sign], safe)], engine, timeout, (REFUTED, PROVED), functions)
    if answer.status != REFUTED or not functions:
        return answer
    point = refuting_point(names, equations, claim, functions, answer.point, box)
    return _not_sure(answer.engine, functions) if point is None else replace(answer, point=point)


def ask_near(names: Sequence[str], equations: Sequence[Terms], points: Sequence[Sequence[Fraction]], radius: Fraction,
             engine: str = "auto", timeout: float | None = DEFAULT_TIMEOUT,
             functions: Sequence[FunctionLetter] = ()) -> RealAnswer:
    """Whether the equations have a real common zero within a distance of at least one of the points.

    Parameters
    ----------
    names, equations, engine, timeout, functions
        As for `ask_real`.
    points : sequence of sequence of Fraction
        At least one.
    radius : Fraction
        The distance, Euclidean; a zero at exactly this distance counts.

    Returns
    -------
    RealAnswer
        "proved" with such a zero as its `point`; "refuted" when there is none.

    Examples
    --------
    >>> circle = {(2, 0): Fraction(1), (0, 2): Fraction(1), (0, 0): Fraction(-1)}
    >>> print(ask_near(["x", "y"], [circle], [(Fraction(2), Fraction(0))], Fraction(1)).status)
    proved
    """
    safe = RULES.safe_names(names)
    balls = [relation(_ball(point, radius), "<=", safe) for point in points]
    facts = [relation(equation, "=", safe) for equation in equations]
    facts.append(balls[0] if len(balls) == 1 else f"(or {' '.join(balls)})")
    answer = _decided(names, facts, engine, timeout, (PROVED, REFUTED), functions)
    return _not_sure(answer.engine, functions) if functions and answer.status == PROVED else answer


def _not_sure(engine, functions):
    words = ", ".join(dict.fromkeys(visible(letter.function) for letter in functions))
    return RealAnswer(UNKNOWN, engine=engine, words=f"{engine} knows only some relations of {words}; with functions that have "
                      "these it finds a point, but none was found at which they have their true values")


def _ball(center, radius):
    """Squared distance from the center, less that of its rim."""
    size = len(center)
    terms = {(0,) * size: sum(a * a for a in center) - radius**2}
    for j, a in enumerate(center):
        terms |= {tuple(e * int(i == j) for i in range(size)): value for e, value in ((1, -2 * a), (2, Fraction(1)))}
    return {exponents: Fraction(value) for exponents, value in terms.items() if value}


def _decided(names, facts, engine, timeout, meaning, functions):
    """The answer to whether a point satisfies all facts: `meaning` is the status if one does, and if none does."""
    safe = RULES.safe_names(names)
    script = "(set-option :produce-models true)\n" + declarations(safe, facts, functions) + "(check-sat)\n"
    used, limits = _engine(engine), Limits.checked(timeout)
    try:
        status = run_solver(used, script, limits).split()[:1]
        if status == ["sat"]:
            asked = "".join(f"(get-value ({name}))\n" for name in safe)
            decimals = "(set-option :pp.decimal true)\n(set-option :pp.decimal_precision 30)\n" + asked if used == "z3" else ""
            text = run_solver(used, script + asked + decimals, limits)
            return RealAnswer(meaning[0], dict(zip(names, _point(text, len(names)))), used)
    except TimeLimit as error:
        return RealAnswer(UNKNOWN, engine=used, words=str(error))
    if status == ["unsat"]:
        return RealAnswer(meaning[1], engine=used)
    if status == ["unknown"]:
        return RealAnswer(UNKNOWN, engine=used, words=f"{used} gave up")
    raise EngineError(f"{used}: unexpected answer {' '.join(status)[:80]!r}")


def _engine(name: str) -> str:
    if name != "auto":
        if name not in SOLVERS:
            raise InvalidOption("engine", name, f"one of auto, {', '.join(SOLVERS)}")
        return name
    for solver in SOLVERS:
        try:
            locate_prover(solver)
        except EngineMissing:
            continue
        return solver
    raise EngineMissing('neither z3 nor cvc5 was found: pip install "symknot[smt]"')


def point_text(point: Mapping[str, Any]) -> str:
    """A point in words.

    Examples
    --------
    >>> point_text({"x": Fraction(1, 2), "y": 1.4142135623730951})
    'x = 1/2, y = 1.4142135623731 (about)'
    """
    return ", ".join(f"{name} = {_coordinate(value)}" for name, value in point.items())


def _coordinate(value):
    if isinstance(value, Fraction) and len(text := rational_text(value)) <= LONGEST_SHOWN:
        return text
    return f"{float(value):.14g} (about)"


_TOKEN = re.compile(r"[()]|[^\s()]+")
_ALGEBRAIC = re.compile(r"\(_ real_algebraic_number <(.*), \((\S+), (\S+)\)>\)")
"""How cvc5 writes a root of a polynomial in x between two rational numbers."""
BISECTIONS = 80
"""Halvings of such an interval: from any of usual size to below what a double tells apart."""


def _point(text: str, count: int) -> list[Fraction | float]:
    """The coordinates that ``get-value`` printed, one to a line: exact where they are rational, else decimals."""
    lines = [line for line in text.splitlines() if line.startswith("((")]
    found: list[Fraction | float] = []
    for place, line in enumerate(lines[:count]):
        later = lines[place + count] if len(lines) == 2 * count else ""
        value = _number(_value_in(line))
        if value is None:
            value = _root(line) if _ALGEBRAIC.search(line) else _decimal(_value_in(later)) if later else None
        if value is not None:
            found.append(value)
    if len(found) < count:
        raise EngineError(f"a solver's point cannot be read: {text[:200]!r}")
    return found


def _value_in(line):
    """The value of ``((name value))`` as nested lists."""
    tree = _tree(_TOKEN.findall(line), 0)[0]
    return tree[0][1] if len(tree) == 1 and len(tree[0]) == 2 else ""


def _tree(tokens, position):
    if tokens[position] != "(":
        return tokens[position], position + 1
    found, position = [], position + 1
    while position < len(tokens) and tokens[position] != ")":
        part, position = _tree(tokens, position)
        found.append(part)
    return found, position + 1


def _number(tree):
    """A rational number: 1.0, (- 1.0), (/ 1.0 2.0); None for anything else."""
    if isinstance(tree, str):
        return Fraction(tree) if re.fullmatch(r"-?\d+(\.\d+)?", tree) else None
    parts = [_number(part) for part in tree[1:]]
    if None in parts or tree[:1] not in (["-"], ["/"]) or len(parts) != (1 if tree[0] == "-" else 2):
        return None
    return -parts[0] if tree[0] == "-" else parts[0] / parts[1]


def _decimal(tree):
    """A decimal number, perhaps cut off (``1.41?``)."""
    if isinstance(tree, list):
        inner = _decimal(tree[-1]) if tree[:1] == ["-"] and len(tree) == 2 else None
        return None if inner is None else -inner
    found = re.fullmatch(r"(-?\d+(\.\d+)?)\??", tree)
    return None if found is None else float(found[1])


def _root(line):
    """The root of a polynomial in x that lies alone in an interval."""
    text, *ends = _ALGEBRAIC.search(line).groups()
    terms, (low, high) = polynomial_from_text(text, ["x"]), map(Fraction, ends)

    def value(x):
        return sum(c * x ** e[0] for e, c in terms.items())
    rising = value(high) > value(low)
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        low, high = (low, middle) if (value(middle) > 0) == rising else (middle, high)
    return float(low)
