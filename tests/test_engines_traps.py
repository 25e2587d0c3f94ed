"""Ways in which real programs misread what they are given: each one met, with the real program."""

from fractions import Fraction

import pytest
import sympy
from sympy import QQ, Poly

from symknot.engines import NAMES, engine
from symknot.engines.text import TREE, parsed, written
from symknot.ground.errors import EngineError
from symknot.polynomials.numerals import integer_of, integer_text

x, y = sympy.symbols("x y")


def limits_of(name):
    return {"timeout": None} if name == "sympy" else {}


def numbers(poly):
    """Coefficients as (numerator, denominator): sympy cannot print those of thousands of digits."""
    return {exponents: (int(value.p), int(value.q)) for exponents, value in poly.terms()}


@pytest.mark.parametrize("name", NAMES)
def test_long_numbers_arrive_and_come_back(name):
    huge, long = 10**5000 + 7, 3**1050 + 2               # beyond Python's printing limit; 500 digits
    power = 2**70                                        # Singular reads "2^70" as 0
    equations = [Poly(terms, x, y, domain=QQ)
                 for terms in ({(1, 0): huge, (0, 0): -power}, {(0, 2): power, (0, 1): -long})]
    second, first = engine(name).groebner(equations, **limits_of(name))
    assert numbers(first) == {(1, 0): (1, 1), (0, 0): (-power, huge)}
    reduced = Fraction(long, power)
    assert numbers(second) == {(0, 2): (1, 1), (0, 1): (-reduced.numerator, reduced.denominator)}


HOSTILE = ['x; system("sh","touch {0}");', 'x); run "touch {0}"; (1', 'x\nsystem("sh","touch {0}");\n',
           '__import__("os").system("touch {0}")', "ring", "i", "QQ", "x_1", "x y", ""]


@pytest.mark.parametrize("name", NAMES)
def test_names_never_reach_a_program(name, tmp_path):
    file = tmp_path / "touched"
    variables = [sympy.Symbol(text.format(file)) for text in HOSTILE]
    equations = [v**2 - k * variables[0] for k, v in enumerate(variables[1:], 1)] + [variables[0] - 1]
    basis = engine(name).groebner(equations, variables=variables)
    assert len(basis) == len(variables) and basis[0].gens == tuple(variables)
    points = engine(name).points_ideal([range(len(HOSTILE))], [text.format(file) for text in HOSTILE])
    assert points[0].gens == tuple(variables)
    assert not file.exists()


def many_terms(count, length=1):
    """A polynomial of that many terms with coefficients of `length` digits."""
    side = int(count**0.5) + 1
    exponents = [(i, j) for i in range(side) for j in range(side)][:count]
    return Poly({e: 10**length // 7 + k for k, e in enumerate(exponents)}, x, y, domain=QQ)


@pytest.mark.parametrize("name, count, length", [("singular", 30_000, 20), ("singular", 2_000, 500),
                                                 ("msolve", 3_000, 500), ("macaulay2", 3_000, 500)])
def test_long_sums_and_lines(name, count, length):
    polynomial = many_terms(count, length)
    (found,) = engine(name).groebner([polynomial])
    assert found.monic() == polynomial.monic()


@pytest.mark.slow
def test_macaulay2_reads_30000_terms():
    polynomial = many_terms(30_000, 20)
    (found,) = engine("macaulay2").groebner([polynomial], timeout=200)
    assert found.monic() == polynomial.monic()


@pytest.mark.parametrize("name", NAMES)
def test_points_in_lex_order_do_not_loop(name):
    found = engine(name).points_ideal([[k, k * k] for k in range(6)], [x, y], "lex", timeout=20)
    assert len(found) == 2 and found[1].degree(y) == 6


@pytest.mark.parametrize("text", ["x3", "x0", "2^70", "1e3", "x1x2", "3x1", "x1^-1", "x1*", "*x1", "", "+", "x1 + 1",
                                  "x1++1", "1/0", "sk", "x1^2;", "١"])
def test_only_the_grammar_is_read(text):
    with pytest.raises(EngineError):
        parsed(text, 2)


@pytest.mark.parametrize("terms", [{}, {(0, 0): Fraction(5)},
                                   {(3, 1): Fraction(-1), (1, 0): Fraction(7), (0, 0): Fraction(1)}])
def test_what_is_written_is_read_back(terms):
    assert parsed(written(terms), 2) == terms
    whole = {(k, k): Fraction(k + 1) for k in range(301)}
    flat = written(whole, TREE).replace("(", "").replace(")", "").replace("\n", "")
    assert parsed(flat, 2) == whole
    assert integer_of(integer_text(-(7**9000))) == -(7**9000)
