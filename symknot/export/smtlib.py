"""SMT-LIB 2: questions over the real numbers for z3, cvc5 and other solvers.

Every number is written in full, as a decimal ``3.0`` or a quotient ``(/ 3.0 7.0)``, powers as products: no solver needs more
than the logic QF_NRA, nonlinear arithmetic of real numbers without quantifiers.

Where variables are functions of others (sin, exp, ... in equations of motion) the logic is QF_UFNRA, which has function symbols
that mean nothing by themselves: equal arguments give equal values, and what is true of the function, by algebra, is told at
each argument that occurs.  What follows then (``unsat``) is true; a point that is found (``sat``) need not be one.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..polynomials.numerals import integer_text
from ..polynomials.terms import Terms
from .names import Rules
from .registry import target
from .script import Comment, header
from .statements import UniqueZero
from .system import FunctionLetter, System

COMMENT = Comment(";")
RULES = Rules(frozenset("""
    BINARY DECIMAL HEXADECIMAL NUMERAL STRING as exists forall let match par assert and or not xor true false ite distinct Real
    Int Bool Array select store abs div mod exp sin cos tan pi sqrt to_real to_int is check push pop echo exit reset
    bvadd bvsub continued success sat unsat unknown model error""".split()))
CIRCLE = "(= (+ (* {sin} {sin}) (* {cos} {cos})) 1.0)"
FACTS = {"sin": (CIRCLE,), "cos": (CIRCLE,), "exp": ("(> {exp} 0.0)", "(>= {exp} (+ 1.0 {x}))"), "sqrt": ("(>= {sqrt} 0.0)",
         "(= (* {sqrt} {sqrt}) {x})"), "log": ("(> {x} 0.0)", "(<= {log} (- {x} 1.0))"), "1/x": ("(= (* {inverse} {x}) 1.0)",),
         "tanh": ("(< (- 1.0) {tanh} 1.0)",)}
"""What is told of a function at an argument x; true wherever it has a value.  It may speak of other functions."""
KNOWN_VALUES = {"sin": ("0.0", "0.0"), "cos": ("0.0", "1.0"), "exp": ("0.0", "1.0"), "log": ("1.0", "0.0"),
                "tanh": ("0.0", "0.0")}
"""An argument, and the value there."""
WORDS = {name: "inverse" if name == "1/x" else name for name in FACTS}
"""Of each function the word that stands for it in `FACTS`, and with the prefix sk in scripts."""
SIGNS = {"=": "=", "<=": "<=", ">=": ">=", "<": "<", ">": ">", "!=": "distinct"}
"""Of a relation, and the function of SMT-LIB for it."""


@target("smtlib", suffix=".smt2", comment=COMMENT, rules=RULES)
def to_smtlib(system: System) -> str:
    """An SMT-LIB 2 script: have the equations a real common zero; is one in each box.

    Parameters
    ----------
    system : System

    Returns
    -------
    str

    Examples
    --------
    >>> from fractions import Fraction
    >>> from symknot.export import System
    >>> print(*to_smtlib(System(("x",), ({(2,): Fraction(1), (0,): Fraction(-2)},))).splitlines()[-5:], sep="\\n")
    (set-logic QF_NRA)
    (declare-const x Real)
    (assert (= (+ (* x x) (- 2.0)) 0.0))
    ; Is there a real point at which all equations hold?
    (check-sat)
    """
    names = RULES.safe_names(system.names)
    lines = [declarations(names, [relation(terms, "=", names) for terms in system.polynomials], system.functions),
             COMMENT.lines("Is there a real point at which all equations hold?"), "(check-sat)\n"]
    for statement in system.statements:
        if isinstance(statement, UniqueZero):
            lines += [COMMENT.lines(f"Is there one in the box of knot {statement.knot}?"), "(push 1)\n",
                      *(f"(assert {fact})\n" for fact in box_facts(statement.center, statement.radii, names)),
                      "(check-sat)\n(pop 1)\n"]
    return header(system, names, COMMENT) + "".join(lines)


def declarations(names: Sequence[str], facts: Sequence[str], functions: Sequence[FunctionLetter] = ()) -> str:
    """The logic, the variables, and what is asserted of them.

    Examples
    --------
    >>> print(declarations(["x", "y"], [], [FunctionLetter(1, "exp", 0)]), end="")
    (set-logic QF_UFNRA)
    (declare-const x Real)
    (declare-const y Real)
    (declare-fun skExp (Real) Real)
    (assert (= (skExp 0.0) 1.0))
    (assert (= y (skExp x)))
    (assert (> (skExp x) 0.0))
    (assert (>= (skExp x) (+ 1.0 x)))
    """
    variables = "".join(f"(declare-const {name} Real)\n" for name in names)
    told = "".join(f"(assert {fact})\n" for fact in facts)
    if not functions:
        return f"(set-logic QF_NRA)\n{variables}{told}"
    return f"(set-logic QF_UFNRA)\n{variables}{_functions(names, functions)}{told}"


def _functions(names: Sequence[str], functions: Sequence[FunctionLetter]) -> str:
    """Function symbols, their values at known places, and what is true of them at each argument."""
    own = sorted({letter.function for letter in functions} - FACTS.keys())
    symbols = {name: f"sk{word.title()}" for name, word in WORDS.items()} | {name: f"skF{k}" for k, name in enumerate(own, 1)}
    lines, used = [], {letter.function for letter in functions}
    for letter in functions:
        x = names[letter.argument]
        at = {word: f"({symbols[name]} {x})" for name, word in WORDS.items()}
        facts = FACTS.get(letter.function, ())
        used |= {name for name, word in WORDS.items() if any(f"{{{word}}}" in fact for fact in facts)}
        lines += [f"(= {names[letter.place]} ({symbols[letter.function]} {x}))", *(fact.format(x=x, **at) for fact in facts)]
    values = [f"(= ({symbols[name]} {x}) {value})" for name, (x, value) in KNOWN_VALUES.items() if name in used]
    declared = [symbols[name] for name in symbols if name in used]
    return "".join([*(f"(declare-fun {symbol} (Real) Real)\n" for symbol in declared),
                    *(f"(assert {fact})\n" for fact in dict.fromkeys([*values, *lines]))])


def relation(terms: Terms, sign: str, names: Sequence[str]) -> str:
    """``terms sign 0`` as a formula.

    Examples
    --------
    >>> relation({(1, 1): Fraction(-3, 7), (0, 0): Fraction(1)}, "<=", ["x", "y"])
    '(<= (+ (* (- (/ 3.0 7.0)) x y) 1.0) 0.0)'
    """
    return f"({SIGNS[sign]} {polynomial(terms, names)} 0.0)"


def polynomial(terms: Terms, names: Sequence[str]) -> str:
    """A polynomial as a sum of products."""
    parts = [_term(exponents, value, names) for exponents, value in terms.items()]
    return "0.0" if not parts else parts[0] if len(parts) == 1 else f"(+ {' '.join(parts)})"


def box_facts(center: Sequence[Fraction], radii: Sequence[Fraction], names: Sequence[str]) -> list[str]:
    """That the variables are in a box."""
    return [f"(<= {number(m - r)} {name} {number(m + r)})" for name, m, r in zip(names, center, radii)]


def _term(exponents, value, names):
    factors = [name for name, e in zip(names, exponents) for _ in range(e)]
    factors = factors if value == 1 and factors else [number(value), *factors]
    return factors[0] if len(factors) == 1 else f"(* {' '.join(factors)})"


def number(value: Fraction) -> str:
    """A rational number."""
    size = f"{integer_text(abs(value.numerator))}.0"
    if value.denominator > 1:
        size = f"(/ {size} {integer_text(value.denominator)}.0)"
    return f"(- {size})" if value < 0 else size
