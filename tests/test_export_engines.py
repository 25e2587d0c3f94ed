"""Exports in the real programs: Singular, Macaulay2, msolve, Python and a C compiler run what is written."""

import re
import sys
from fractions import Fraction as Q

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from symknot.export import TARGETS, System, export, read_mapping, safe_names

from .cas import DONE, MACAULAY2_BACK, SINGULAR_BACK, answers, c_compiler, known_version, output, run, terms_back
from .export_systems import CIRCLES, CUBIC, HOSTILE, NO_ZERO, THREE_POINTS

PROGRAMS = ("singular", "macaulay2")
BACK = {"singular": SINGULAR_BACK, "macaulay2": MACAULAY2_BACK}
BOTH = pytest.mark.parametrize("target", PROGRAMS)

#: Names that one of the two refuses, or reads as something else.
TRICKY_WORDS = ("ring ideal poly int def std dim var if list matrix degree short par QQ ZZ Top Current basering res "
                "pi ii RR gb end in x_1 x(1) x_ a_b_c i e E I x xy x3 x2y symbol R S o1 i1 sum lcm _ 9 sk skI")
TRICKY = tuple(TRICKY_WORDS.split())


def without_questions(text):
    """A script up to its first question: ring, ideal and knots."""
    return re.split(r"\n(?://|--) Groebner basis", text)[0] + "\n"


def dictionary(polynomials):
    return [dict(terms) for terms in polynomials]


def unit(dimension, place):
    return tuple(int(k == place) for k in range(dimension))


# Whole scripts

@BOTH
def test_the_twisted_cubic_has_dimension_one_and_degree_three(target, tmp_path):
    lines = run(target, export(CUBIC, target), tmp_path)
    found = answers(lines)
    assert (found["dimension"], found["degree"], found["components"]) == ("1", "3", "1")
    assert found["Groebner basis"] == "3 element(s)" and found["polynomials"] == "2"
    assert found["contained in the ideal of the knots"] == "yes" and found["equal to the ideal of the knots"] == "no"
    assert any("petalLength" in line for line in lines)


@BOTH
def test_two_concentric_circles_are_two_components(target, tmp_path):
    found = answers(run(target, export(CIRCLES, target), tmp_path))
    assert (found["dimension"], found["degree"], found["components"]) == ("1", "4", "2")
    circles = {found[f"component {k}"].removeprefix("ideal(").removesuffix(")") for k in (1, 2)}
    assert circles == {"x^2+y^2-1", "x^2+y^2-4"}


@BOTH
def test_the_ideal_of_the_knots_is_recognised(target, tmp_path):
    more = {"singular": 'ideal skJ = skKnotIdeal();\n'
                        'print("same: " + string(size(reduce(skJ, skG)) + size(reduce(skI, skJ))));\n',
            "macaulay2": 'print("same: " | toString(if skKnotIdeal() == skI then 0 else 1));\n'}[target]
    text = export(THREE_POINTS, target)
    found = answers(run(target, text + more + text.splitlines()[-1], tmp_path))
    assert (found["dimension"], found["degree"], found["components"]) == ("0", "3", "3")
    assert found["contained in the ideal of the knots"] == found["equal to the ideal of the knots"] == "yes"
    assert found["same"] == "0"


@BOTH
def test_an_ideal_with_a_double_zero_is_not_the_ideal_of_its_knot(target, tmp_path):
    system = System(("a",), ({(2,): Q(1)},), ((Q(0),),))
    found = answers(run(target, export(system, target), tmp_path))
    assert found["contained in the ideal of the knots"] == "yes" and found["equal to the ideal of the knots"] == "no"


@BOTH
def test_equations_without_common_zero_say_so(target, tmp_path):
    lines = run(target, export(NO_ZERO, target), tmp_path)
    found = answers(lines)
    assert (found["dimension"], found["components"]) == ("-1", "0")
    assert found["contained in the ideal of the knots"] == "no"
    assert lines[0].startswith("symknot: WARNING")


#: The one with knots last: all run one after the other in the same program.
TRIVIAL = {
    "zero": (System(("a", "b"), ({},)), ("2", "1")),
    "constant": (System(("a",), ({(0,): Q(5, 3)},)), ("-1", "0")),
    "constant and variable": (System(("a",), ({(0,): Q(-5)}, {(1,): Q(1)})), ("-1", "0")),
    "no polynomial": (System(("a", "b"), (), ((Q(0), Q(1)),)), ("2", "1")),
}


@BOTH
def test_constants_and_nothing_are_systems_too(target, tmp_path):
    lines = run(target, "".join(export(system, target) for system, _ in TRIVIAL.values()), tmp_path)
    ends = [k for k, line in enumerate(lines, 1) if line == DONE]
    parts = [answers(lines[start:end]) for start, end in zip([0, *ends], ends)]
    found = {name: (part["dimension"], part["degree"]) for name, part in zip(TRIVIAL, parts, strict=True)}
    assert found == {name: expected for name, (_, expected) in TRIVIAL.items()}


@BOTH
def test_over_real_numbers_the_values_at_the_knots_are_shown(target, tmp_path):
    """Also the trap: Singular refuses 1e-3 in a real field, Macaulay2's 0.1 has 53 bits only."""
    system = System(("x", "y"), ({(1, 0): Q(1, 1000), (0, 1): Q(1, 10**40)}, {(0, 1): Q(1, 3)}),
                    ((Q(1), Q(0)), (Q(0), Q(1))))
    more = {"singular": "print(skI);\n", "macaulay2": "print toExternalString skI_1;\n"}[target]
    lines = run(target, export(system, target, field="real", digits=30) + more, tmp_path)
    assert DONE in lines and "3" * 28 in lines[-1]
    values = [re.findall(r"[0-9.]+(?:e-?[0-9]+)?", line.split(": ")[1]) for line in lines if "at knot" in line]
    assert [list(map(float, row)) for row in values] == [pytest.approx([1e-3, 0.0]), pytest.approx([1e-40, 1 / 3])]


# Round trips

coefficient = st.fractions(max_denominator=10**20).filter(bool) | st.integers(2**60, 2**200).map(Q)
polynomial = st.dictionaries(st.tuples(*[st.integers(0, 4)] * 3), coefficient, max_size=8)
system = st.builds(System, st.tuples(*[st.text(max_size=12) | st.sampled_from(TRICKY)] * 3),
                   st.lists(polynomial, min_size=1, max_size=3).map(tuple),
                   st.lists(st.tuples(*[st.fractions(max_denominator=99)] * 3), max_size=2).map(tuple))


@BOTH
@given(systems=st.lists(system, min_size=20, max_size=20))
@settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck))
def test_random_systems_come_back_as_they_went(target, systems, tmp_path_factory):
    script = "".join(without_questions(export(one, target)) + BACK[target] for one in systems)
    lines = run(target, script, tmp_path_factory.mktemp("round"))
    assert terms_back(lines) == [terms for one in systems for terms in dictionary(one.polynomials)]


@BOTH
def test_all_tricky_names_are_variables(target, tmp_path):
    """Words of the system, letters that are constants elsewhere, and `x3` and `xy` next to `x`."""
    n = len(TRICKY)
    everything = System(TRICKY, tuple({unit(n, k): Q(1), (0,) * n: Q(-1)} for k in range(n)))
    text = export(everything, target)
    assert list(read_mapping(text).values()) == list(TRICKY)
    lines = run(target, text + BACK[target], tmp_path)
    assert terms_back(lines) == dictionary(everything.polynomials)
    assert "dimension: 0" in lines and "components: 1" in lines


@BOTH
def test_a_hundred_numbered_variables(target, tmp_path):
    names = tuple(f"x{k}" for k in range(1, 101))
    numbered = System(names, tuple({unit(100, k): Q(1), unit(100, 99 - k): Q(2)} for k in range(50)))
    lines = run(target, without_questions(export(numbered, target)) + BACK[target], tmp_path)
    assert terms_back(lines) == dictionary(numbered.polynomials)


def test_singulars_own_list_of_words_is_covered(tmp_path):
    script = 'LIB "primdec.lib";\nprint("words"); reservedName(); print("names");\n' \
             'list skL = names(Top); int skK; for (skK = 1; skK <= size(skL); skK++) { print(skL[skK]); }\n'
    lines = run("singular", script, tmp_path, program=known_version("singular"))
    words = set(" ".join(lines).split()) - {"words", "names"}
    assert len(words) > 400
    missing = sorted(word for word in words if TARGETS["singular"].rules.accept(word))
    assert missing == [], "new words of Singular: add them to reserved.py"


def test_macaulay2s_own_list_of_words_is_covered(tmp_path):
    # the private dictionary holds what the script itself, or the start of an older version, has left there
    script = ('print demark(" ", unique flatten apply(select(dictionaryPath, d -> d =!= User#"private dictionary"), keys))'
              "\n")
    words = set(run("macaulay2", script, tmp_path, program=known_version("macaulay2"))[0].split())
    assert len(words) > 1000
    missing = sorted(word for word in words if TARGETS["macaulay2"].rules.accept(word))
    assert missing == [], "new words of Macaulay2: add them to reserved.py"


# Traps of the programs, which exports stay clear of

def test_singular_reads_powers_of_numbers_in_32_bits(tmp_path):
    lines = run("singular", 'ring r = 0, x, dp; poly p = 2^70*x; print("trap: " + string(p));\n', tmp_path)
    assert "trap: 0" in lines
    whole = System(("x",), ({(1,): Q(2**70), (0,): Q(3**50, 2**71)},))
    back = terms_back(run("singular", export(whole, "singular") + SINGULAR_BACK, tmp_path))
    assert back == dictionary(whole.polynomials)


def test_in_singular_a_backslash_at_the_end_of_a_comment_swallows_the_next_line(tmp_path):
    assert run("singular", '// comment \\\nprint("swallowed");\nprint("next");\n', tmp_path) == ["next"]
    ends = System(("x\\",), ({(1,): Q(1)},), title="title \\", notes=("note \\",), polynomial_notes=("\\",))
    assert answers(run("singular", export(ends, "singular"), tmp_path))["dimension"] == "0"


def test_macaulay2_takes_one_name_twice(tmp_path):
    twice = System(("x", "x"), ({(1, 0): Q(1), (0, 1): Q(2)},))
    assert len(set(safe_names(twice.names, "macaulay2"))) == 2
    script = "print numgens(QQ[x,x]);\n" + export(twice, "macaulay2") + MACAULAY2_BACK
    lines = run("macaulay2", script, tmp_path)
    assert lines[0] == "2" and terms_back(lines) == dictionary(twice.polynomials)


def test_msolve_has_no_comments(tmp_path):
    """It answers {1} to a file with one, without a word: so ours has none."""
    assert run("msolve", "# note\nx\n0\nx-1\n", tmp_path)[-1] != run("msolve", "x\n0\nx-1\n", tmp_path)[-1]


# A name is data

def hostile_system():
    n = len(HOSTILE)
    return System(HOSTILE, tuple({unit(n, k): Q(1), (0,) * n: Q(-k - 1, 2)} for k in range(n)),
                  (tuple(Q(k + 1, 2) for k in range(n)),), HOSTILE[0], HOSTILE, HOSTILE, HOSTILE, False, HOSTILE[1])


@BOTH
@pytest.mark.parametrize("field", ["QQ", "real"])
def test_hostile_names_and_notes_run_nothing(target, field, tmp_path):
    text = export(hostile_system(), target, field=field)
    lines = run(target, text, tmp_path)
    assert lines[-1] == DONE
    if field == "QQ":
        found = answers(lines)
        assert (found["dimension"], found["degree"], found["equal to the ideal of the knots"]) == ("0", "1", "yes")
    assert [file.name for file in tmp_path.iterdir()] == [f"script.{target}"]


def test_hostile_names_run_nothing_in_msolve(tmp_path):
    lines = run("msolve", export(hostile_system(), "msolve"), tmp_path)
    assert lines[-1].endswith("]:")
    assert [file.name for file in tmp_path.iterdir()] == ["script.msolve"]


# msolve

def test_msolve_finds_the_groebner_basis(tmp_path):
    lines = run("msolve", export(CUBIC, "msolve"), tmp_path)
    basis = "".join(line for line in lines if not line.startswith("#")).replace(" ", "")
    assert basis == "[y^2-x*petalLength,x*y-petalLength,x^2-y]:"


def test_msolve_reads_numbered_and_alike_names_and_long_numbers(tmp_path):
    names = ("x", "x1", "x11", "xy", "y")
    values = [Q(10**499 + 7), Q(3), Q(5), Q(7), Q(11)]
    points = System(names, tuple({unit(5, k): Q(1, 3), (0,) * 5: -value / 3} for k, value in enumerate(values)))
    lines = run("msolve", export(points, "msolve"), tmp_path)
    found = "".join(line for line in lines if not line.startswith("#")).replace(" ", "")
    short = safe_names(names, "msolve")
    assert sorted(found.strip("[]:").split(",")) == sorted(f"{s}-{v}" for s, v in zip(short, values))


# Size

@BOTH
def test_coefficients_of_500_and_5000_digits(target, tmp_path):
    big = System(("x", "y"), ({(1, 0): Q(10**499 + 9, 7**590), (0, 0): Q(-1)}, {(0, 1): Q(3**10_480), (0, 0): Q(1, 3)}))
    lines = run(target, export(big, target) + BACK[target], tmp_path)
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        assert terms_back(lines) == dictionary(big.polynomials)
    finally:
        sys.set_int_max_str_digits(limit)


@BOTH
def test_ten_thousand_small_polynomials(target, tmp_path):
    many = System(("x", "y"), tuple({(2, 1): Q(1, 3), (k % 7, 0): Q(k + 1), (0, 3): Q(-7)} for k in range(10_000)))
    text = without_questions(export(many, target))
    size = {"singular": 'print("count: " + string(ncols(skI)));\n',
            "macaulay2": 'print("count: " | toString numgens skI);\n'}
    assert run(target, text + size[target], tmp_path)[-1] == "count: 10000"


@BOTH
def test_a_polynomial_of_five_thousand_terms(target, tmp_path):
    long = System(("x", "y"), ({(a, b): Q(a + 1, b + 1) for a in range(72) for b in range(70)},))
    lines = run(target, without_questions(export(long, target)) + BACK[target], tmp_path)
    assert terms_back(lines) == dictionary(long.polynomials)


# Python and C

NUMERIC = System(
    ("a b", HOSTILE[6], HOSTILE[8]),
    ({(2, 0, 1): Q(1, 3), (0, 1, 0): Q(-7, 10**6), (0, 0, 0): Q(10**30, 3)}, {}, {(0, 0, 0): Q(5, 2)},
     {(5, 1, 3): Q(3 * 10**600 + 1, 10**600), (1, 0, 0): Q(-1), (0, 2, 0): Q(1)}),
    ((Q(1, 3), Q(2), Q(-1, 7)), (Q(7**900, 7**900 + 1), Q(0), Q(1))), "numbers", HOSTILE, HOSTILE[:4],
)


def exact_values(points):
    return [[float(sum(v * Q(x)**i * Q(y)**j * Q(z)**k for (i, j, k), v in terms.items()))
             for terms in NUMERIC.polynomials] for x, y, z in points]


def test_the_python_module_evaluates_and_needs_numpy_only(tmp_path):
    export(NUMERIC, "python", tmp_path / "module.py")
    points = np.random.default_rng(0).normal(size=(20, 3))
    np.save(tmp_path / "points.npy", points)
    script = ("import sys; sys.path.insert(0, '.'); import numpy, module; "
              "numpy.save('values.npy', module.evaluate(numpy.load('points.npy'))); "
              "numpy.save('knots.npy', module.KNOTS); print(ascii(module.NAMES)); "
              "print(module.POLYNOMIALS[0][0, 1, 0], len(module.EXACT_KNOTS)); "
              "print('symknot' in sys.modules, 'sympy' in sys.modules)")
    lines = output([sys.executable, "-W", "error", "-I", "-c", script], tmp_path).splitlines()
    assert lines == [ascii(NUMERIC.names), "-7/1000000 2", "False False"]
    np.testing.assert_allclose(np.load(tmp_path / "values.npy"), exact_values(points), rtol=1e-12)
    np.testing.assert_array_equal(np.load(tmp_path / "knots.npy"), [[1 / 3, 2, -1 / 7], [1, 0, 1]])
    assert not (tmp_path / "PWNED").exists()


def test_the_python_module_without_polynomials_has_no_columns(tmp_path):
    export(System(("x",), ()), "python", tmp_path / "module.py")
    script = ("import sys; sys.path.insert(0, '.'); import module; "
              "print(module.evaluate([[1.0]]).shape, module.KNOTS.shape)")
    assert output([sys.executable, "-I", "-c", script], tmp_path) == "(1, 0) (0, 1)\n"


def test_the_c_function_evaluates(tmp_path):
    export(NUMERIC, "c", tmp_path / "equations.c")
    points = np.random.default_rng(1).normal(size=(5, 3)).round(6)
    rows = ", ".join(repr(float(value)) for value in points.ravel())
    (tmp_path / "main.c").write_text(
        "#include <stdio.h>\nvoid evaluate(const double *x, double *out);\n"
        f"int main(void)\n{{\n    const double x[] = {{{rows}}};\n    double out[4];\n"
        "    for (int i = 0; i < 5; i++) {\n        evaluate(x + 3 * i, out);\n"
        '        printf("%.17g %.17g %.17g %.17g\\n", out[0], out[1], out[2], out[3]);\n    }\n    return 0;\n}\n')
    strict = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"]
    output([c_compiler(), *strict, "equations.c", "main.c", "-o", "program", "-lm"], tmp_path)
    found = [list(map(float, line.split())) for line in output([str(tmp_path / "program")], tmp_path).splitlines()]
    np.testing.assert_allclose(found, exact_values(points.tolist()), rtol=1e-12)
    assert not (tmp_path / "PWNED").exists()
