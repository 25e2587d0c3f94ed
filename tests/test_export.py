"""Exports as text: the door, names, numbers, comments, and every target's way of writing."""

import ast
import json
import re
import string
import time
from dataclasses import replace
from fractions import Fraction as Q

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symknot.export import TARGETS, System, export, read_json_system, read_mapping, safe_names
from symknot.export.names import comment_json, comment_text
from symknot.export.reserved import MACAULAY2, SINGULAR
from symknot.ground.errors import InvalidModel, InvalidOption, TooLarge
from symknot.polynomials.infix import Style, polynomial_text
from symknot.polynomials.numerals import integer_text, literal_text
from symknot.polynomials.terms import without_denominators

from .export_systems import CIRCLES, CUBIC, HOSTILE, THREE_POINTS

RULES = {name: target.rules for name, target in TARGETS.items()}
SCRIPTS = ["singular", "macaulay2", "cocoa5", "sage", "magma", "maple", "mathematica"]
COMMENTED = [name for name, target in TARGETS.items() if target.comment]


def split(text, target):
    """Comment lines, and the rest."""
    comment = TARGETS[target].comment
    own = [line for line in text.splitlines() if line.startswith(comment.start) and line.endswith(comment.end)]
    return own, [line for line in text.splitlines() if line not in own]


#: Targets that state theorems: they refuse what is not exact, and what claims nothing.
PROVING = ("coq", "lean")


@pytest.mark.parametrize("target", PROVING)
def test_where_nothing_can_be_proved_nothing_is_written(target):
    line = {(1,): Q(1)}
    with pytest.raises(InvalidOption, match=f"exact for {target}"):
        export(System(("x",), (line, {(0,): Q(1)}), sound=False, warning="an engine answers dimension -1"), target)
    with pytest.raises(InvalidOption, match="one with"):
        export(System(("x",), (line,)), target)
    with pytest.raises(InvalidOption, match="polynomial 1 is claimed to be zero at every point, got '2 at x = 2'"):
        export(System(("x",), (line,), ((Q(0),), (Q(2),))), target)


# The door

def test_an_unknown_target_is_told_what_there_is():
    with pytest.raises(InvalidOption, match="one of c, cocoa5, coq, json, .*singular, .*got 'reduce'"):
        export(CUBIC, "reduce")
    with pytest.raises(InvalidOption, match="target"):
        export(CUBIC, ["singular"])


def test_only_a_system_is_exported():
    with pytest.raises(InvalidOption, match="a symknot.export.System, got 'dict'"):
        export({}, "singular")


@pytest.mark.parametrize("target", [name for name, target in TARGETS.items() if "real" not in target.fields])
def test_a_field_that_a_target_lacks_is_refused(target):
    with pytest.raises(InvalidOption, match=f"'QQ' for {target}, got 'real'"):
        export(CUBIC, target, field="real")


@pytest.mark.parametrize("write", [target.write for target in TARGETS.values() if "real" in target.fields])
def test_options_are_checked_by_each_writer(write):
    with pytest.raises(InvalidOption, match="field must be 'QQ' or 'real', got 'RR'"):
        write(CUBIC, field="RR")
    with pytest.raises(InvalidOption, match="digits must be a whole number >= 2"):
        write(CUBIC, field="real", digits='30); system("sh","touch PWNED"')


def test_digits_are_checked():
    with pytest.raises(InvalidOption, match="digits must be a whole number >= 2, got 1.5"):
        export(CUBIC, "singular", field="real", digits=1.5)


@pytest.mark.parametrize("target", TARGETS)
def test_a_file_holds_the_returned_text(target, tmp_path):
    path = tmp_path / f"cubic{TARGETS[target].suffix}"
    text = export(CUBIC, target, path)
    assert path.read_bytes() == text.encode("ascii")
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("target", TARGETS)
def test_the_same_system_gives_the_same_text(target):
    assert export(CUBIC, target) == export(CUBIC, target)


@pytest.mark.parametrize(
    "arguments, rule",
    [
        (((), ()), "names"),
        ((("x", 1), ()), "names"),
        ((("x",), ({(1, 0): Q(1)},)), "1 whole exponents"),
        ((("x",), ({(-1,): Q(1)},)), "exponents"),
        ((("x",), ({(True,): Q(1)},)), "exponents"),
        ((("x",), ({(1,): 0.5},)), "Fractions"),
        ((("x",), ({(1,): Q(0)},)), "Fractions other than zero"),
        ((("x",), (), ((Q(1), Q(2)),)), "knots"),
        ((("x",), (), ((1.0,),)), "knots"),
        ((("x",), ({(1,): Q(1)},), (), "", (), ("a", "b")), "polynomial_notes"),
    ],
)
def test_a_system_checks_what_it_is_given(arguments, rule):
    with pytest.raises(InvalidOption, match=rule):
        System(*arguments)


# Names

@pytest.mark.parametrize("target", RULES)
@pytest.mark.parametrize("names", [("x", "y"), ("x1", "x2", "x11"), ("a", "b1", "petal")])
def test_safe_names_are_kept(target, names):
    assert safe_names(names, target) == names


@pytest.mark.parametrize(
    "target, names, expected",
    [
        ("singular", ("ring", "QQ", "sum", "i"), ("vRing", "vQQ", "vSum", "i")),
        ("singular", ("x", "y", "xy", "x3y2"), ("x", "y", "vXy", "vX3y2")),
        ("macaulay2", ("pi", "dim", "i3", "I", "x_1"), ("vPi", "vDim", "vI3", "I", "x1")),
        ("macaulay2", ("Petal", "QQ"), ("petal", "vQQ")),
        ("sage", ("lambda", "I", "e"), ("vLambda", "vI", "vE")),
        ("maple", ("gamma", "Pi", "D"), ("vGamma", "pi", "vD")),
        ("mathematica", ("E", "Pi", "C", "e"), ("vE", "pi", "vC", "e")),
        ("magma", ("eq", "Degree"), ("vEq", "degree")),
        ("cocoa5", ("X", "ideal"), ("vX", "vIdeal")),
        ("singular", ("x", "x", ""), ("x", "vX2", "v3")),
        ("singular", ("skI", "_x", "9"), ("vSkI", "x", "v9")),
        ("singular", ("x y", "xY", "x-y"), ("xYB", "xY", "vXY2")),
    ],
)
def test_other_names_stay_readable(target, names, expected):
    assert safe_names(names, target) == expected


def test_many_and_nested_names_take_no_time():
    start = time.perf_counter()
    assert safe_names([*("x" * k for k in range(1, 30)), "x" * 30 + "y"], "singular")[-1] == "x" * 30 + "y"
    names = tuple(f"column{k}" for k in range(2000))
    assert safe_names(names, "singular") == names
    assert time.perf_counter() - start < 10


def test_where_every_letter_is_a_variable_all_get_numbers():
    names = (*string.ascii_letters, "x3")
    assert safe_names(names, "singular") == tuple(f"x{k}" for k in range(1, 54))


@pytest.mark.parametrize("target", RULES)
@given(names=st.lists(st.text(max_size=40) | st.sampled_from(["x", "x1", "xy", "X", "pi", "std", "skI", "α", "v2X"]),
                      min_size=1, max_size=6))
@settings(max_examples=60, deadline=None)
def test_any_names_become_different_safe_ones(target, names):
    safe = safe_names(names, target)
    assert len(set(safe)) == len(safe) == len(names)
    rules = RULES[target]
    assert all(re.fullmatch(r"[A-Za-z][A-Za-z0-9]{0,30}", name) and rules.accept(name) for name in safe)


@pytest.mark.parametrize("target", COMMENTED)
@given(names=st.lists(st.text(max_size=20) | st.sampled_from(HOSTILE), min_size=1, max_size=4))
@settings(max_examples=40, deadline=None)
def test_the_mapping_is_read_back(target, names):
    origin = (Q(0),) * len(names)
    text = export(System(tuple(names), ({},), (origin,), notes=tuple(names), title=names[0]), target)
    assert list(read_mapping(text).values()) == names
    assert tuple(read_mapping(text)) == safe_names(names, target)


def test_a_note_cannot_pose_as_a_name():
    trick = 'symknot-name {"x": "y"}'
    text = export(System(("x",), (), notes=(trick, f"\n// {trick}"), title=trick, approximate=(trick,)), "singular")
    assert read_mapping(text) == {"x": "x"}


@pytest.mark.parametrize("line", ['// symknot-name {"x": 1}', '// symknot-name {"x": "a", "y": "b"}',
                                  "// symknot-name {x}", '// symknot-name {"x": "a"}\n// symknot-name {"x": "b"}'])
def test_a_mapping_that_was_tampered_with_is_refused(line):
    with pytest.raises(InvalidModel, match="name"):
        read_mapping(line)


@given(st.text())
def test_comments_are_one_printable_line_without_marks(text):
    for clean in (comment_text(text), comment_json(text)):
        assert clean.isprintable() and not clean.endswith("\\")
        assert not any(mark in clean for mark in ("*/", "/*", "(*", "*)", "-*", "*-", "//", "--", "??"))
    assert json.loads(comment_json(text)) == text


@pytest.mark.parametrize("target", SCRIPTS)
@pytest.mark.parametrize("system", [CUBIC, THREE_POINTS])
def test_no_variable_takes_a_word_that_its_script_uses(target, system):
    system = replace(system, names=tuple(f"q{k}" for k in range(system.dimension)))
    texts = [export(system, target, field=field) for field in TARGETS[target].fields]
    code = "\n".join(line for text in texts for line in split(text, target)[1])
    code = re.sub(r'f?"[^"]*"|\'[^\']*\'|(?m:^from .*|#.*|//.*|--.*)|\(\*.*?\*\)', "", code)
    words = set(re.findall(r"(?<![\w.])[A-Za-z]\w*\b(?!=)", code))
    assert len(words) > 20
    assert sorted(word for word in words - set(system.names) if RULES[target].accept(word)) == []


# A name is data

@pytest.mark.parametrize("field", ["QQ", "real"])
@pytest.mark.parametrize("target", [*SCRIPTS, "c"])
def test_outside_comments_hostile_names_leave_no_trace(target, field):
    if field not in TARGETS[target].fields:
        return
    safe = safe_names(HOSTILE, target)
    assert safe_names(safe, target) == safe
    terms = ({tuple(int(k == j) for k in range(len(HOSTILE))): Q(j + 1, 3) for j in range(len(HOSTILE))},)
    knots = (tuple(map(Q, range(len(HOSTILE)))),)
    hostile = System(HOSTILE, terms, knots, HOSTILE[0], HOSTILE, (HOSTILE[1],), HOSTILE, False, HOSTILE[2])
    plain = System(safe, terms, knots, sound=False)
    comments, code = split(export(hostile, target, field=field), target)
    assert code == split(export(plain, target, field=field), target)[1]
    comment = TARGETS[target].comment
    inside = [line[len(comment.start):len(line) - len(comment.end)] for line in comments]
    assert not any(mark in line for line in inside for mark in ("*/", "/*", "(*", "*)", "-*", "//", "--"))
    assert not any(line.endswith("\\") for line in comments)


def test_msolve_gets_only_names_numbers_and_signs():
    text = export(System(HOSTILE, ({(1,) * len(HOSTILE): Q(1, 3), (0,) * len(HOSTILE): Q(-2)},)), "msolve")
    assert re.fullmatch(r"[A-Za-z0-9,\n*^+\-]+", text)


def test_latex_shows_hostile_names_as_they_are():
    terms = ({tuple(int(k == j) for k in range(len(HOSTILE))): Q(1) for j in range(len(HOSTILE))},)
    text = export(System(HOSTILE, terms, title=HOSTILE[0]), "latex")
    _, code = split(text, "latex")
    known = {"documentclass", "usepackage", "allowdisplaybreaks", "begin", "end", "section", "textit", "quad",
             "textbackslash", "textasciicircum", "textasciitilde", "textless", "textgreater", "textbar",
             "textquotedbl", "textasciigrave", "textquotesingle", "text", "mathrm", "backslash", "cdot"}
    assert set(re.findall(r"\\([A-Za-z]+)", "\n".join(code))) <= known
    body = "\n".join(line for line in code if not line.startswith(("\\begin", "\\end", "\\usepackage", "\\document")))
    assert not re.search(r"(?<!\\)[%#$~]", body)


def test_latex_says_where_numbers_are_rounded():
    short, long = (export(System(("x",), ({(1,): Q(10**size + 1, 3)},)), "latex") for size in (59, 60))
    assert "rounded" not in short and "1" + "0" * 58 + "1" in short
    assert "Numbers of more than 60 digits are rounded to 30." in long and "3" * 30 in long.replace(".", "")


# Numbers

@given(st.integers(-10**700, 10**700))
def test_short_integers_are_as_python_prints_them(value):
    assert integer_text(value) == str(value)


@pytest.mark.parametrize("size", [511, 512, 513, 1024, 4300, 4301, 20000])
def test_long_integers_are_printed_in_full(size):
    assert integer_text(10**size) == "1" + "0" * size
    assert integer_text(-(10**size - 1)) == "-" + "9" * size
    assert ast.literal_eval(literal_text(7**size)) == 7**size


def test_long_sums_are_nested_where_asked():
    terms = {(k,): Q(1) for k in range(5000)}
    flat, tree = (polynomial_text(terms, ["x"], Style(power="{}**{}".format, tree=tree)) for tree in (False, True))
    assert flat.count("(") == 0 and max(map(len, flat.splitlines())) <= 110
    depth = max(tree[:k].count("(") - tree[:k].count(")") for k in range(0, len(tree), 7))
    assert depth <= 4
    assert arithmetic(tree, {"x": Q(1)}) == 5000


def test_denominators_are_cleared_by_the_least_number():
    assert without_denominators({(1,): Q(1, 6), (0,): Q(3, 4)}) == ({(1,): 2, (0,): 9}, 12)
    assert without_denominators({}) == ({}, 1)


def arithmetic(text, values):
    """The value of a polynomial's text, by whole-number arithmetic on its syntax tree; nothing else is allowed."""
    def value(node):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return Q(node.value)
        if isinstance(node, ast.Name):
            return values[node.id]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -value(node.operand)
        if isinstance(node, ast.BinOp):
            left, right = value(node.left), value(node.right)
            if isinstance(node.op, ast.Pow):
                return left ** int(right)
            return {ast.Add: left.__add__, ast.Sub: left.__sub__, ast.Mult: left.__mul__,
                    ast.Div: lambda other: left / other}[type(node.op)](right)
        raise AssertionError(ast.dump(node))
    return value(ast.parse(text.replace("^", "**").replace("\n", " "), mode="eval").body)


LISTS = {"singular": r"ideal skI =\n(.*?);\n", "cocoa5": r"skPolynomials := \[\n(.*?)\];\n",
         "magma": r"skPolynomials := \[ skR \|\n(.*?)\];\n", "maple": r"skPolynomials := \[\n(.*?)\]:\n",
         "mathematica": r"skPolynomials = \{\n(.*?)\};\n", "msolve": r"^[^\n]*\n0\n(.*?)\n\Z"}


@pytest.mark.parametrize("target", LISTS)
@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_the_text_of_the_polynomials_has_their_values(target, data):
    exponents = st.tuples(*[st.integers(0, 3)] * 3)
    coefficients = st.fractions(max_denominator=10**30).filter(bool)
    polynomials = tuple(data.draw(st.lists(st.dictionaries(exponents, coefficients, min_size=1, max_size=8),
                                           min_size=1, max_size=4)))
    names = data.draw(st.sampled_from([("x", "y", "z"), ("a b", "pi", "x3"), ("I", "i", "E")]))
    text = export(System(names, polynomials), target)
    found = re.search(LISTS[target], text, flags=re.DOTALL)[1].split(",\n")
    point = dict(zip(safe_names(names, target), (Q(2, 3), Q(-5), Q(7, 4))))
    for shown, terms in zip(found, polynomials, strict=True):
        terms = without_denominators(terms)[0] if target == "msolve" else terms
        expected = sum(v * Q(2, 3)**a * Q(-5)**b * Q(7, 4)**c for (a, b, c), v in terms.items())
        assert arithmetic(shown.strip(), point) == expected


@pytest.mark.parametrize("target", SCRIPTS)
def test_scripts_over_qq_hold_no_floats_and_no_powers_of_numbers(target):
    system = System(("x",), ({(1,): Q(1, 1000), (0,): Q(2**70)},), ((Q(1, 3),),))
    code = "\n".join(split(export(system, target), target)[1])
    assert str(2**70) in code
    assert not re.search(r"[0-9]\.[0-9]|[0-9]e-?[0-9]|[0-9](\^|\*\*)[0-9]", code)


@pytest.mark.parametrize("target", ["python", "c"])
def test_a_coefficient_beyond_doubles_is_refused_in_words(target):
    with pytest.raises(TooLarge, match="coefficient of polynomial 1: larger than every double; divide"):
        export(System(("x",), ({(1,): Q(10**400)},)), target)


# What a script says

@pytest.mark.parametrize("target", COMMENTED)
def test_comments_say_what_the_numbers_are(target):
    comments = "\n".join(split(export(CUBIC, target), target)[0])
    for words in ("twisted cubic", "largest distance of a coefficient from its float", "exact rational", "fitted on",
                  "y - 1.0001*x"):
        assert words in comments
    assert ("WARNING" in comments) is False


@pytest.mark.parametrize("target", sorted(set(COMMENTED) - set(PROVING)))
def test_what_is_not_sound_says_so(target):
    system = System(("x",), ({(1,): Q(1)}, {(0,): Q(1)}), sound=False, warning="an engine answers dimension -1")
    text = export(system, target)
    assert "WARNING: an engine answers dimension -1" in text
    assert target not in SCRIPTS or "symknot: WARNING" in "\n".join(split(text, target)[1])


@pytest.mark.parametrize("target", SCRIPTS)
def test_the_heavy_question_is_the_last_and_a_sentinel_ends(target):
    code = "\n".join(split(export(THREE_POINTS, target), target)[1])
    last = "factors" if target == "mathematica" else "components"
    places = [code.index(f'"{word}') for word in ("contained in", "Groebner basis", "dimension", "degree")]
    assert max(places) < code.index("equal to the ideal of the knots") < code.index(last)
    assert "symknot: done" in code.splitlines()[-1]


@pytest.mark.parametrize("target", [name for name in SCRIPTS if "real" in TARGETS[name].fields])
def test_over_real_numbers_no_groebner_basis_is_computed(target):
    comments, code = split(export(CIRCLES, target, field="real", digits=40), target)
    assert any("meaningless" in line for line in comments)
    assert not re.search(r"(?i)groebner|\bstd\(|\bgb\b|GBasis|primdec|dimension", "\n".join(code))
    assert re.search(r"(?<![0-9])(40|133)(?![0-9])", "\n".join(code))


# Size

@pytest.mark.parametrize("target", sorted(set(TARGETS) - set(PROVING)))
def test_ten_thousand_polynomials_and_500_digit_coefficients_take_seconds(target):
    small = {(2, 0): Q(1, 3), (0, 1): Q(-7), (0, 0): Q(1)}
    long = {(2, 0): Q(10**499 + 1, 10**500 - 3), (0, 1): Q(-(10**499), 7**500), (0, 0): Q(1)}
    start = time.perf_counter()
    many = export(System(("x", "y"), tuple({**small, (k % 9, 1): Q(k + 2)} for k in range(10_000))), target)
    export(System(("x", "y"), (long,) * 200), target)
    assert time.perf_counter() - start < 20
    if target not in ("json", "msolve"):
        assert max(map(len, many.splitlines())) <= 160


# JSON

@given(names=st.lists(st.text(), min_size=2, max_size=2), data=st.data())
@settings(max_examples=40, deadline=None)
def test_json_brings_back_the_system(names, data):
    exponents = st.tuples(st.integers(0, 9), st.integers(0, 9))
    polynomial = st.dictionaries(exponents, st.fractions().filter(bool), max_size=5)
    system = System(tuple(names), tuple(data.draw(st.lists(polynomial, max_size=3))),
                    tuple(data.draw(st.lists(st.tuples(st.fractions(), st.fractions()), max_size=3))),
                    data.draw(st.text()), tuple(names), (), tuple(names), data.draw(st.booleans()), None)
    assert read_json_system(export(system, "json")) == system


def test_json_holds_integers_of_any_length():
    system = System(("x",), ({(1,): Q(7**30_000, 3**20_000)},))
    assert read_json_system(export(system, "json")) == system


def _changed(**changes):
    return json.dumps({**json.loads(export(CUBIC, "json")), **changes})


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "[" * 100_000, "{}", '{"format": "symknot-system"}',
        export(CUBIC, "json").replace('"version": 1', '"version": 2'),
        export(CUBIC, "json").replace(' "title"', ' "title": "a",\n "title"'),
        _changed(extra=1), _changed(names=["x", "y", 3]), _changed(names=["x"]), _changed(sound=1),
        _changed(title=None), _changed(notes="abc"), _changed(title="a" * 100_001),
        *(_changed(polynomials=[[entry]]) for entry in (
            [[1, 0, 0], "1", "0x1"], [[1, 0, 0], 1, 1], [[1, 0, 0], "0x1", "0x0"], [[1, 0, 0], "0x1", "-0x1"],
            [[1, 0, 0], "0x1\n", "0x1"], [[1, 0, 0], "0x1_0", "0x1"], [[1, 0, 0], "__import__('os')", "0x1"],
            [[-1, 0, 0], "0x1", "0x1"], [[True, 0, 0], "0x1", "0x1"], [[1.5, 0, 0], "0x1", "0x1"],
            [[1, 0], "0x1", "0x1"], [[10**9, 0, 0], "0x1", "0x1"], [[1, 0, 0], "0x0", "0x1"],
            [[1, 0, 0], "0x" + "1" * 300_000, "0x1"])),
        _changed(polynomials=[[[[1, 0, 0], "0x1", "0x1"], [[1, 0, 0], "0x2", "0x1"]]]),
        _changed(knots=[[["0x1", "0x1"]]]), export(CUBIC, "json").replace("[3, 0, 0]", "[NaN, 0, 0]"),
    ],
)
def test_json_that_breaks_a_rule_is_refused(text):
    with pytest.raises(InvalidModel):
        read_json_system(text)


# The tables of words

SINGULAR_TRAPS = "ring ideal poly int def std dim var if list matrix degree short par QQ ZZ Top Current basering res"
MACAULAY2_TRAPS = "pi ii res RR QQ ZZ gb dim ring end in list x_ x(1) a_b_c"


@pytest.mark.parametrize("word", SINGULAR_TRAPS.split())
def test_singulars_known_traps_are_in_its_table(word):
    assert word in SINGULAR and not RULES["singular"].accept(word)


@pytest.mark.parametrize("word", MACAULAY2_TRAPS.split())
def test_macaulay2s_known_traps_are_refused(word):
    assert not RULES["macaulay2"].accept(word)
    assert word in MACAULAY2 or not word.isalpha() or word[0].isupper()
