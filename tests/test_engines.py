"""The same questions to Singular, Macaulay2, msolve and sympy: known answers, and each other's. Nothing is mocked."""

from fractions import Fraction

import hypothesis.strategies as st
import pytest
import sympy
from hypothesis import HealthCheck, given, settings
from sympy import QQ, Poly, Rational

from symknot.cli import main
from symknot.engines import NAMES, PROVERS, available, engine, macaulay2
from symknot.engines.conversion import as_basis, read_generators
from symknot.engines.finding import probe
from symknot.engines.process import Limits
from symknot.engines.singular import _ideal
from symknot.ground.errors import EngineMissing, InvalidOption, NotSupported

x, y, z, w = sympy.symbols("x y z w")
CUBIC = [x**2 - y, x**3 - z]
CIRCLES = [(x**2 + y**2 - 1) * (x**2 + y**2 - 4)]


def limits_of(name):
    """Programs as by default; sympy in this process, which is tested apart."""
    return {"timeout": None} if name == "sympy" else {}


def polys(expressions, variables):
    return [Poly(e, *variables, domain=QQ) for e in expressions]


@pytest.fixture(scope="module")
def found_here():
    return {record.name: record for record in available()}


def test_available_tells_of_every_engine(found_here):
    assert [(name, record.runs) for name, record in found_here.items()] == [(name, True) for name in (*NAMES, *PROVERS)]


@pytest.mark.parametrize("name", NAMES)
def test_the_engine_is_here_and_runs(name, found_here):
    found = found_here[name]
    assert found.runs, found.problem
    assert found.problem == "" and found.version[0].isdigit() and (found.path is None) == (name == "sympy")


def test_the_help_on_engines_says_where_programs_come_from(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["engines", "--help"])
    words = " ".join(capsys.readouterr().out.split())
    assert ended.value.code == 0
    assert 0 < words.index("SYMKNOT_SINGULAR") < words.index("PATH") < words.index("wheel")


#: question, its arguments, the variables, the answer
KNOWN = {
    "grevlex": ("groebner", (CUBIC,), (x, y, z), [x**2 - y, x * y - z, y**2 - x * z]),
    "no zero": ("groebner", ([x * y - 1, x],), (x, y), [1]),
    "dimension": ("dimension", (CUBIC,), (x, y, z), 1),
    "dimension of (1)": ("dimension", ([x, x - 1],), (x, y), -1),
    "degree": ("degree", (CUBIC,), (x, y, z), 3),
    "degree of (1)": ("degree", ([x, x - 1],), (x, y), 0),
    "degree of the largest part": ("degree", ([x * z, x * (y**2 - 2)],), (x, y, z), 1),
    "radical": ("radical", ([(x - 1)**2],), (x, y), [x - 1]),
    "radical of points": ("radical", ([(x - 1)**2, (y - x)**3],), (x, y), [x - 1, y - 1]),
    "is radical": ("is_radical", (CIRCLES,), (x, y), True),
    "is not radical": ("is_radical", ([(x - 1)**2, y - x],), (x, y), False),
    "eliminate": ("eliminate", (CUBIC, [x]), (x, y, z), [y**3 - z**2]),
    "contains": ("contains", (CUBIC, x * z - y**2), (x, y, z), True),
    "contains not": ("contains", (CUBIC, x * z - y), (x, y, z), False),
    "normal form": ("normal_form", (CUBIC, x**4 / 3 + y / 7), (x, y, z), x * z / 3 + y / 7),
    "quotient": ("quotient", ([x**2 * y], x), (x, y), [x * y]),
    "saturate": ("saturate", ([x**2 * y], x), (x, y), [y]),
    "intersect": ("intersect", ([[x, y], [x - 1, y - 1]],), (x, y), [y**2 - y, x - y]),
}


#: Macaulay2 takes 0.7 s to start: of questions that it is asked in the same words, one each time.
AGAIN = {"contains", "contains not", "radical", "is radical", "dimension of (1)", "degree of the largest part"}


@pytest.mark.parametrize("name, question", [
    pytest.param(name, question, marks=[pytest.mark.slow] * (name == "macaulay2" and question in AGAIN))
    for name in NAMES for question in KNOWN])
def test_known_answers(name, question):
    call, arguments, variables, answer = KNOWN[question]
    found = getattr(engine(name), call)(*arguments, variables=variables, **limits_of(name))
    if isinstance(answer, list):
        left = [v for v in variables if call != "eliminate" or v not in arguments[1]]
        assert found == polys(answer, left)
    elif isinstance(answer, sympy.Expr):
        assert found == Poly(answer, *variables, domain=QQ)
    else:
        assert found == answer and type(found) is type(answer)


@pytest.mark.parametrize("name", ["singular", "macaulay2", "sympy", "auto"])
def test_lex_order(name):
    found = engine(name).groebner(CUBIC, "lex", variables=[z, y, x], **limits_of(name))
    assert found == polys([z - x**3, y - x**2], [z, y, x])


@pytest.mark.parametrize("name", NAMES)
def test_two_circles_are_found_in_their_product(name):
    found = engine(name).primary_decomposition(CIRCLES, variables=[x, y], **limits_of(name))
    large, small = (polys([x**2 + y**2 - square], [x, y]) for square in (4, 1))
    assert found == [(large, large), (small, small)]


@pytest.mark.parametrize("name", ["singular", "macaulay2", "auto"])
def test_an_embedded_component_keeps_its_multiplicity(name):
    line, point = engine(name).primary_decomposition([x**2, x * y], variables=[x, y])
    assert line == (polys([x], [x, y]),) * 2
    assert point[1] == polys([x, y], [x, y]) and point[0] != point[1]


@pytest.mark.parametrize("name", ["msolve", "sympy"])
@pytest.mark.parametrize("call", ["radical", "primary_decomposition", "is_radical"])
def test_what_an_engine_lacks_is_said_with_who_has_it(name, call):
    with pytest.raises(NotSupported, match="use singular or macaulay2"):
        getattr(engine(name), call)([x**2, x * y], variables=[x, y, z], **limits_of(name))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("order", ["grevlex", "lex"])
def test_the_ideal_of_points(name, order):
    points = [[1, 2], [-1, Rational(1, 3)], [Fraction(7, 5), 0], [1, 2]]
    found = engine(name).points_ideal(points, ["a", "b"], order, **limits_of(name))
    a, b = sympy.symbols("a b")
    expected = {"grevlex": [a**2 - 12 * a / 35 + 72 * b / 175 - Rational(37, 25),
                            a * b - 2 * a / 7 - 37 * b / 35 + Rational(2, 5),
                            b**2 - 5 * a / 21 - 43 * b / 21 + Rational(1, 3)],
                "lex": [a - 21 * b**2 / 5 + 43 * b / 5 - Rational(7, 5), b**3 - 7 * b**2 / 3 + 2 * b / 3]}
    assert found == polys(expected[order], [a, b])


def test_the_ideal_of_many_points_is_the_same_everywhere():
    points = [[Fraction(k * k - 7, k + 1), Fraction(k**3, 5), Fraction(3 * k - 4, 7)] for k in range(9)]
    answers = [engine(name).points_ideal(points, [x, y, z], **limits_of(name)) for name in NAMES]
    assert answers[0] == answers[1] == answers[2] == answers[3]
    assert all(p.eval(dict(zip((x, y, z), map(Rational, point)))) == 0 for p in answers[0] for point in points)


@pytest.mark.parametrize("name", ["singular", pytest.param("macaulay2", marks=pytest.mark.slow), "msolve", "sympy"])
def test_real_solutions_are_enclosed(name):
    equations = [x**2 + y**2 - 5, (x * y - 2)**2]
    boxes = engine(name).real_solutions(equations, variables=[x, y], **limits_of(name))
    zeros = [(-2, -1), (-1, -2), (1, 2), (2, 1)]
    assert len(boxes) == 4
    for box, zero in zip(boxes, zeros):
        assert all(low <= value <= high and high - low < Fraction(1, 2**60) for (low, high), value in zip(box, zero))
    circle = engine(name).real_solutions([x**2 + 1, y], variables=[x, y], **limits_of(name))
    assert circle == []
    with pytest.raises(InvalidOption, match="finitely many"):
        engine(name).real_solutions([x**2 + y**2 - 5], variables=[x, y], **limits_of(name))


def test_real_solutions_agree_on_irrational_zeros():
    equations = [x**3 - y - 1, x**2 + y**2 + z**2 - 9, x * y * z - 1]
    answers = [engine(name).real_solutions(equations, variables=[x, y, z], **limits_of(name))
               for name in ("singular", "msolve", "sympy")]
    assert len(answers[0]) == len(answers[1]) == len(answers[2]) > 0
    for boxes in zip(*answers):
        for intervals in zip(*boxes):
            assert max(low for low, _ in intervals) <= min(high for _, high in intervals)


@pytest.mark.parametrize("name", ["singular", "msolve", "sympy"])
def test_answers_that_are_zero_or_everything(name):
    asked, limits, one = engine(name), limits_of(name), polys([1], [x])
    assert asked.eliminate([x - y], [x], variables=[x, y], **limits) == []
    assert asked.eliminate([x * y - 1, x], [y], variables=[x, y], **limits) == one
    assert asked.saturate([x**2], x, variables=[x], **limits) == one
    assert asked.intersect([[x - 1], [1]], variables=[x], **limits) == polys([x - 1], [x])
    assert asked.real_solutions([x - 1, x - 2], variables=[x], **limits) == []
    assert asked.primary_decomposition([2], variables=[x], **limits) == []


def test_trivial_ideals_need_no_program():
    nobody = engine("sympy")
    assert nobody.groebner([], variables=[x, y]) == [] and nobody.groebner([0], variables=[x]) == []
    assert (nobody.dimension([], variables=[x, y]), nobody.degree([], variables=[x, y])) == (2, 1)
    assert nobody.radical([0], variables=[x]) == [] and nobody.is_radical([0], variables=[x])
    assert nobody.primary_decomposition([0], variables=[x]) == [([], [])]
    assert nobody.quotient([x], 0, variables=[x]) == polys([1], [x])
    assert nobody.intersect([[x], [0]], variables=[x]) == []
    assert nobody.normal_form([0], x, variables=[x]) == Poly(x, x, domain=QQ)
    assert nobody.points_ideal([], [x]) == polys([1], [x])


@pytest.mark.parametrize("polynomials, message", [
    (["x**2"], "exact"), ("x**2", "sequence"), ([0.5 * x], "floating-point"), ([Poly(0.5 * x, x)], "floating-point"),
    ([sympy.sqrt(2) * x], "polynomial in x"), ([sympy.sin(x)], "polynomial in x"), ([1 / x], "polynomial in x"),
    ([Poly(1 / x)], "variables x only"), ([Poly(x, x, modulus=5)], "over QQ or ZZ"), ([Poly(x + y, x, y)], "without y"),
    ([x * y], "variables x only, without y"), ([x**(10**9)], "degree"), ([Poly(x**20000, x)], "degree"),
    ([True], "exact"),
])
def test_what_is_not_an_exact_polynomial_is_refused(polynomials, message):
    with pytest.raises(InvalidOption, match=message):
        engine("auto").groebner(polynomials, variables=[x])


@pytest.mark.parametrize("points", [[[0.5]], [["1"]], [[1, 2]], [[True]]])
def test_points_must_be_exact_and_of_the_right_length(points):
    with pytest.raises(InvalidOption, match="points"):
        engine("auto").points_ideal(points, [x])


def test_other_options_are_checked_at_the_door():
    auto = engine("auto")
    for options in ({"order": "degrevlex"}, {"timeout": 0}, {"memory": 0.5}, {"variables": [x, x]}, {"variables": "x"}):
        with pytest.raises(InvalidOption):
            auto.groebner([x], **{"variables": [x], **options})
    for gone in ([x, y], [z]):
        with pytest.raises(InvalidOption, match="some but not all"):
            auto.eliminate([x], gone, variables=[x, y])
    with pytest.raises(InvalidOption, match="one of auto, singular"):
        engine("maple")


def test_auto_passes_over_what_is_missing_or_broken(monkeypatch):
    monkeypatch.setenv("SYMKNOT_MACAULAY2", "no-such-program")
    with pytest.raises(EngineMissing, match="SYMKNOT_MACAULAY2='no-such-program'"):
        engine("macaulay2")
    monkeypatch.setenv("SYMKNOT_SINGULAR", "false")      # a program that always fails
    assert not probe("singular").runs
    assert engine().groebner([x**2, x * y], variables=[x, y]) == polys([x**2, x * y], [x, y])
    with pytest.raises(NotSupported, match="msolve / sympy"):
        engine().primary_decomposition([x**2, x * y], variables=[x, y])


coefficients = st.fractions(min_value=-9, max_value=9, max_denominator=6)


@st.composite
def small_ideals(draw):
    """Two or three polynomials of degree at most 2 in three variables."""
    monomials = [(i, j, k) for i in range(3) for j in range(3 - i) for k in range(3 - i - j)]
    chosen = st.dictionaries(st.sampled_from(monomials), coefficients.filter(bool), min_size=1, max_size=4)
    ideal = draw(st.lists(chosen, min_size=2, max_size=3))
    return [Poly.from_dict({e: Rational(v.numerator, v.denominator) for e, v in terms.items()}, x, y, z, domain=QQ)
            for terms in ideal]


quiet = {"deadline": None, "derandomize": True, "database": None, "suppress_health_check": list(HealthCheck)}


@given(small_ideals())
@settings(max_examples=5, **quiet)
def test_singular_msolve_and_sympy_agree(ideal):
    singular, msolve = engine("singular"), engine("msolve")
    basis = singular.groebner(ideal)
    assert basis == list(sympy.groebner(ideal, x, y, z, order="grevlex", domain=QQ).polys)
    assert basis == engine("sympy").groebner(ideal, timeout=None) == msolve.groebner(ideal)
    assert (singular.dimension(ideal), singular.degree(ideal)) == (msolve.dimension(ideal), msolve.degree(ideal))
    assert singular.eliminate(ideal, [y]) == msolve.eliminate(ideal, [y])
    g = x * y + z / 3 - 1
    assert singular.normal_form(ideal, g) == msolve.normal_form(ideal, g)
    assert singular.quotient(ideal, g) == msolve.quotient(ideal, g)
    assert singular.saturate(ideal, x) == msolve.saturate(ideal, x)
    assert singular.degree(ideal) == degree_of_the_projective_closure(singular, ideal)


def degree_of_the_projective_closure(singular, ideal):
    """By Singular, from a standard basis of the homogenised one."""
    generators = read_generators(ideal)[1]
    return singular._value([*_ideal(generators), "ideal skB = groebner(skI);",
                            "ring skH = 0, (x1,x2,x3,x4), dp;", "ideal skB = homog(imap(skR, skB), x4);",
                            '"sk:value " + string(mult(std(skB)));'], Limits.checked(60), "degree")


@given(st.lists(small_ideals(), min_size=4, max_size=4))
@settings(max_examples=2, **quiet)
def test_macaulay2_agrees_with_singular(ideals):
    """Several ideals at each start of Macaulay2, which takes 0.7 s."""
    singular, script, expected = engine("singular"), [], []
    for ideal in ideals:
        generators = read_generators(ideal)[1]
        for order in ("grevlex", "lex"):
            script += [*macaulay2._ideal(generators, order), "skPrint skBasis skI"]
            expected.append(singular.groebner(ideal, order))
        script += [*macaulay2._ideal(generators), "skPrint skBasis radical skI", "skPrint {promote(degree skI, skR)}"]
        expected += [singular.radical(ideal), singular.degree(ideal)]
    bases = engine("macaulay2")._ideals(script, 3, Limits.checked(60), "questions")
    for k, (basis, answer) in enumerate(zip(bases, expected, strict=True)):
        if isinstance(answer, int):
            assert (basis or [{(0, 0, 0): 0}]) == [{(0, 0, 0): answer}]
        else:
            assert as_basis(basis, (x, y, z), "lex" if k % 4 == 1 else "grevlex") == answer


def test_sympy_in_a_child_process_says_the_same():
    child = engine("sympy")
    assert child.groebner(CUBIC, variables=[x, y, z]) == child.groebner(CUBIC, variables=[x, y, z], timeout=None)
    with pytest.raises(NotSupported, match="use singular or macaulay2"):
        child.radical([x**2, x * y], variables=[x, y])
    boxes = child.real_solutions([x**2 - 4], variables=[x])
    assert boxes == [((-2, -2),), ((2, 2),)]


def test_generators_as_poly_may_come_in_other_variables():
    found = engine("singular").groebner([Poly(y - 1, y), Poly(x - y, x, y)], variables=[x, y, z])
    assert found == polys([x - 1, y - 1], [x, y, z])
