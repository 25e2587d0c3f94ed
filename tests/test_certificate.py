"""Certificates: what is true passes the checker, what was tampered with does not, and no file hurts."""

import copy
import json
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symknot.exact import verify
from symknot.exact.certificate import (
    Certificate,
    groebner_statement,
    rational_from_json,
    rational_json,
    vanishing_statement,
    zero_statement,
)
from symknot.exact.krawczyk import certify_knots
from symknot.ground.errors import InvalidModel
from symknot.polynomials.rational_json import MOST_HEX_DIGITS

CIRCLE = {(2, 0): Fraction(1), (0, 2): Fraction(1), (0, 0): Fraction(-1)}
TWISTED_CUBIC = [{(0, 1, 0): Fraction(1), (2, 0, 0): Fraction(-1)}, {(0, 0, 1): Fraction(1), (1, 1, 0): Fraction(-1)},
                 {(0, 2, 0): Fraction(1), (1, 0, 1): Fraction(-1)}]
CORNERS = [[Fraction(a), Fraction(b)] for a in (0, 1) for b in (0, 1)] + [[Fraction(2), Fraction(0)]]
# x^3 - 3 x^2 + 2 x, x^2 y - x y, y^2 - y vanish on (0,0), (0,1), (1,0), (1,1), (2,0)
BASIS = [{(3, 0): Fraction(1), (2, 0): Fraction(-3), (1, 0): Fraction(2)}, {(2, 1): Fraction(1), (1, 1): Fraction(-1)},
         {(0, 2): Fraction(1), (0, 1): Fraction(-1)}]


def zeros_certificate():
    knots = [(t, t * t, t**3) for t in np.linspace(-1, 1, 5)]
    zeros = certify_knots(TWISTED_CUBIC, knots)
    return Certificate("xyz", TWISTED_CUBIC, [zero_statement(k, zero) for k, zero in enumerate(zeros)],
                       [{"knot": 5, "reason": "Newton's method does not converge to a zero near the knot"}])


def points_certificate():
    return Certificate(["x", "y"], [CIRCLE, *BASIS], [
        vanishing_statement([0], [[Fraction(3, 5), Fraction(-4, 5)], [Fraction(0), Fraction(1)]]),
        vanishing_statement([1, 2, 3], CORNERS),
        groebner_statement([1, 2, 3], "grevlex", CORNERS)])


@pytest.fixture(scope="module", params=[zeros_certificate, points_certificate])
def certificate(request):
    return request.param()


def holds(content):
    """Whether the checker says that each statement holds, in order."""
    return [finding.holds for finding in verify.check_text(json.dumps(content))]


def refused(content):
    try:
        return not all(holds(content))
    except verify.Unreadable:
        return True


# ------------------------------------------------------------------------------------------------------- round trips


def test_true_statements_hold(certificate):
    assert certificate.verify() and len(certificate.check()) == len(certificate.statements)


def test_saved_and_checked_as_a_file(certificate, tmp_path, capsys):
    path = tmp_path / "certificate.json"
    certificate.save(path)
    assert verify.check_file(path) == certificate.check() and verify.main([str(path)]) == 0
    assert "holds" in capsys.readouterr().out
    assert Certificate.from_json(json.loads(path.read_text())) == certificate
    assert list(tmp_path.iterdir()) == [path]


def test_inside_a_saved_exact_ideal():
    certificate = points_certificate().to_json()
    content = {"format": "symknot exact ideal", "version": 1, "certificate": certificate, "epsilon": 0.5, "names": ["x", "y"],
               "knots": []}
    assert holds(content) == [True] * 3
    with pytest.raises(verify.Unreadable):
        holds({"format": "symknot exact ideal", "version": 1})


def test_the_checker_is_one_file_that_runs_anywhere(tmp_path):
    script, path = tmp_path / "copied.py", tmp_path / "certificate.json"
    shutil.copy(verify.__file__, script)
    zeros_certificate().save(path)
    command = [sys.executable, "-I", "-S", str(script), str(path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "") and "5 x unique zero" in done.stdout
    imports = re.findall(r"^(?:from|import) (\w+)", script.read_text(), re.MULTILINE)
    assert set(imports) <= set(sys.stdlib_module_names) | {"__future__"}
    path.write_text(path.read_text().replace('"0x1"', '"0x3"', 1))
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=False).returncode == 1
    path.write_text("{")
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=False).returncode == 2


def test_numbers_of_thousands_of_digits():
    big = Fraction(3**11000 + 1, 7**7000)
    terms = {(2,): Fraction(1), (1,): -2 * big, (0,): big * big}
    certificate = Certificate(["x"], [terms], [vanishing_statement([0], [[big]])])
    assert certificate.verify() and rational_from_json(json.loads(json.dumps(rational_json(-big)))) == -big
    assert Certificate.from_json(certificate.to_json()) == certificate
    polynomials = [{(1,): big, (0,): -big}, {(2,): 3**20000 * big}]
    zero, = certify_knots(polynomials, [[1.001]], first=1)
    wide = Certificate(["x"], polynomials, [zero_statement(0, zero)])
    assert wide.verify() and re.search(r"at most \d\.?\de\+\d{4,5} in absolute value", str(wide))


def test_the_checker_reads_numbers_as_long_as_the_package_does():
    assert verify.MOST_HEX_DIGITS == MOST_HEX_DIGITS
    for digits, right in ((MOST_HEX_DIGITS, True), (MOST_HEX_DIGITS + 1, False)):
        long = Fraction(16 ** (digits - 1))
        certificate = Certificate(["x"], [{(1,): Fraction(1), (0,): -long}], [vanishing_statement([0], [[long]])])
        assert refused(certificate.to_json()) != right


@pytest.mark.parametrize("pair", [None, [], ["0x1"], ["0x1", "0x0"], ["0x1", "-0x1"], ["1", "0x1"], ["0x1 ", "0x1"],
                                  ["0X1", "0x1"], ["0xF", "0x1"], ["0x", "0x1"], [1, 1], ["0x1\n", "0x1"],
                                  ["0x1_0", "0x1"], ["+0x1", "0x1"], ["0x" + "1" * 200_001, "0x1"],
                                  ("0x1", "0x1"), "0x"])
def test_what_is_no_rational_number(pair):
    with pytest.raises(ValueError):
        rational_from_json(pair)


# ------------------------------------------------------------------------------------------------------------- words


def test_words_say_what_is_proved_and_no_more():
    text = str(zeros_certificate())
    assert text.splitlines()[0] == ("Certificate for 3 polynomials in x, y, z. "
                                    "Everything was checked in exact rational arithmetic.")
    assert "exactly one common zero of polynomials 0, 1 and of 1 linear equation through the center lies in" in text
    assert "that it has a zero there is not claimed" in text
    assert "Not certified: knot 5: Newton's method does not converge to a zero near the knot. Nothing is" in text
    words = zeros_certificate().statements[0]["words"]
    assert "exactly one common zero of polynomials 1, 2 and" in words and "polynomial 0 is at most its bound" in words


def test_words_of_a_file_are_not_repeated():
    content = changed(points_certificate(), "statements", 0, "words", to="The Riemann hypothesis is true.")
    again = Certificate.from_json(content)
    assert again == points_certificate() and "Riemann" not in str(again)


def test_long_lists_are_summarised():
    angle = np.linspace(0, 6, 200)
    zeros = certify_knots([CIRCLE], np.c_[np.cos(angle), np.sin(angle)])
    text = str(Certificate("xy", [CIRCLE], [zero_statement(k, zero) for k, zero in enumerate(zeros)]))
    assert "For each of the 200 knots 0 to 199: exactly one common zero of polynomial 0 and of 1 linear" in text
    assert len(text) < 400


def test_half_widths_and_bounds_are_rounded_up():
    certificate = zeros_certificate()
    shown = Fraction(re.search(r"half-width at most (\S+)\.", str(certificate)).group(1))
    assert shown >= max(rational_from_json(r) for s in certificate.statements[:1] for r in s["radii"])


def test_a_certificate_without_statements_proves_nothing(tmp_path, capsys):
    empty = Certificate(["x"], [{(1,): Fraction(1)}], [], [{"knot": 0, "reason": "no box passes"}])
    assert not empty.verify() and empty.check() == []
    empty.save(tmp_path / "empty.json")
    assert verify.main([str(tmp_path / "empty.json")]) == 2 and "nothing" in capsys.readouterr().err


# --------------------------------------------------------------------------------------------------------- tampering


def changed(certificate, *place, to):
    content = copy.deepcopy(certificate.to_json())
    node = content
    for key in place[:-1]:
        node = node[key]
    assert place[-1] in node if isinstance(node, dict) else place[-1] < len(node)
    node[place[-1]] = to(node[place[-1]]) if callable(to) else to
    return content


def number(change):
    """A change of a rational number, as a change of its JSON."""
    return lambda pair: rational_json(Fraction(change(rational_from_json(pair))))


def test_tampered_coefficients():
    for certificate in (zeros_certificate(), points_certificate()):
        for i, terms in enumerate(certificate.polynomials):
            for j in range(len(terms)):
                for k, by in product((1, 2), ("0x2", "0x7")):
                    if certificate.to_json()["polynomials"][i][j][k] != by:
                        assert refused(changed(certificate, "polynomials", i, j, k, to=by))


@pytest.mark.parametrize(("place", "change"), [
    *[(("center", j), number(lambda x: x + Fraction(1, 2**50))) for j in range(3)],
    (("center", 0), number(lambda x: x + 1)), (("center", 2), number(lambda x: -x)),
    *[(("radii", j), number(lambda x: x / 2**60)) for j in range(3)],
    *[(("radii", j), number(lambda x: x * 2**70)) for j in range(3)],
    *[(("preconditioner", i, i), number(lambda x: -3 * x - 1)) for i in range(3)],
    (("preconditioner", 0), [["0x0", "0x1"]] * 3), (("plane", 0), [["0x0", "0x1"]] * 3),
    (("bounds", 0, 1), number(lambda x: x / 2)), (("bounds", 0, 1), number(lambda x: -x)),
    (("bounds", 0, 1), ["0x0", "0x1"]), (("polynomials",), [0, 0]), (("polynomials",), [0]),
    (("polynomials",), [0, 1, 2]), (("polynomials",), [0, 3]), (("polynomials",), []), (("plane",), []),
])
def test_tampered_boxes(place, change):
    for k in (0, 1, 4):
        assert refused(changed(zeros_certificate(), "statements", k, *place, to=change))


def test_a_box_without_the_zero_is_refused():
    root = {(2,): Fraction(1), (0,): Fraction(-2)}
    zero, = certify_knots([root], [[1.4142]])
    certificate = Certificate(["x"], [root], [zero_statement(0, zero)])
    near = zero.center[0] + 2 * zero.radii[0]
    assert certificate.verify() and refused(changed(certificate, "statements", 0, "center", 0, to=rational_json(near)))
    assert holds(changed(certificate, "statements", 0, "words", to="the Riemann hypothesis")) == [True]


@pytest.mark.parametrize(("place", "change"), [
    ((0, "points", 0, 0), ["0x1", "0x2"]), ((1, "points", 4, 1), ["0x1", "0x1"]), ((2, "points", 4, 0), ["0x3", "0x1"]),
    ((2, "points", 0), lambda _: [["0x1", "0x1"]] * 2), ((2, "points"), lambda points: points[:-1]),
    ((2, "points"), lambda points: points + points[:1]), ((2, "points"), []),
    ((2, "polynomials"), [1, 2]), ((2, "polynomials"), [2, 3]), ((2, "polynomials"), [1, 3]),
    ((2, "polynomials"), [0, 1, 2, 3]), ((2, "order"), "weighted"), ((2, "order"), None), ((2, "order"), []),
])
def test_tampered_points_and_bases(place, change):
    assert refused(changed(points_certificate(), "statements", *place, to=change))


def test_another_order_is_another_basis():
    points = [[Fraction(0), Fraction(0)], [Fraction(1), Fraction(1)], [Fraction(2), Fraction(4)]]
    grevlex = [{(2, 0): Fraction(1), (0, 1): Fraction(-1)},
               {(1, 1): Fraction(1), (0, 1): Fraction(-3), (1, 0): Fraction(2)},
               {(0, 2): Fraction(1), (0, 1): Fraction(-7), (1, 0): Fraction(6)}]
    certificate = Certificate("xy", grevlex, [groebner_statement([0, 1, 2], "grevlex", points)])
    assert certificate.verify() and holds(changed(certificate, "statements", 0, "order", to="grlex")) == [True]
    assert holds(changed(certificate, "statements", 0, "order", to="lex")) == [False]
    lex = [{(1, 0): Fraction(1), (0, 2): Fraction(1, 6), (0, 1): Fraction(-7, 6)},
           {(0, 3): Fraction(1), (0, 2): Fraction(-5), (0, 1): Fraction(4)}]
    assert Certificate("xy", lex, [groebner_statement([0, 1], "lex", points)]).verify()


@pytest.mark.parametrize("extra", [
    {(3, 0): Fraction(2), (2, 0): Fraction(-6), (1, 0): Fraction(4)},                        # leading coefficient 2
    {(3, 0): Fraction(1), (2, 0): Fraction(-3), (1, 0): Fraction(2), (0, 2): Fraction(1), (0, 1): Fraction(-1)},
])
def test_bases_that_are_not_reduced(extra):
    assert not Certificate("xy", [extra, *BASIS[1:]], [groebner_statement([0, 1, 2], "grevlex", CORNERS)]).verify()
    redundant = [*BASIS, {(1, 2): Fraction(1), (1, 1): Fraction(-1)}]
    assert not Certificate("xy", redundant, [groebner_statement([0, 1, 2, 3], "grevlex", CORNERS)]).verify()


# ----------------------------------------------------------------------------------------------------- hostile files


@pytest.mark.parametrize("text", [
    b"", b"\x00", b"\xff\xfe\x00", b"null", b"[]", b"{}", b"1", b"{", b'"symknot certificate"', b"NaN",
    b'{"format": "symknot certificate"}', b'{"format": ["symknot certificate"], "version": 1}',
    b"[" * 100_000, b"[" * 100_000 + b"]" * 100_000, b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    b'{"format": "symknot certificate", "version": ' + b"9" * 5000 + b"}",
])
def test_no_certificate_at_all(text, tmp_path, capsys):
    path = tmp_path / "hostile.json"
    path.write_bytes(text)
    with pytest.raises(verify.Unreadable):
        verify.check_file(path)
    assert verify.main([str(path)]) == 2 and capsys.readouterr().out == ""


def test_no_file_and_no_argument(tmp_path, capsys):
    assert verify.main([str(tmp_path / "none.json")]) == 2
    assert verify.main([str(tmp_path)]) == 2
    assert verify.main([]) == 2
    assert "usage" in capsys.readouterr().err


@pytest.mark.parametrize(("place", "value"), [
    (("version",), 2), (("version",), True), (("version",), 1.0), (("version",), "1"), (("format",), "symknot ideal"),
    (("variables",), []), (("variables",), ["x", "x", "y"]), (("variables",), ["x", "y", 1]), (("variables",), "xyz"),
    (("variables",), ["x", "y"]), (("polynomials",), {}), (("polynomials", 0), []), (("polynomials", 0), None),
    (("polynomials", 0, 0, 0), [0, 1]), (("polynomials", 0, 0, 0), [0, -1, 0]),
    (("polynomials", 0, 0, 0), [0, True, 0]), (("polynomials", 0, 0, 0), [0, 1.0, 0]),
    (("polynomials", 0, 0, 0), [0, 10**9, 0]), (("polynomials", 0, 0, 0), [0, 256, 0]),
    (("polynomials", 0, 0, 0), [101, 101, 101]), (("polynomials", 0, 0, 0), [2, 0, 0]),
    (("polynomials", 0, 0, 1), "0x0"), (("polynomials", 0, 0, 1), 1),
    (("polynomials", 0, 0, 2), "0x0"), (("polynomials", 0, 0, 1), "__import__('os')"),
    (("polynomials", 0, 0, 1), "0x" + "f" * 200_001),
    (("statements",), {}), (("statements", 0), []), (("statements", 0, "kind"), "certain"),
    (("statements", 0, "kind"), None), (("statements", 0, "kind"), []), (("statements", 0, "knot"), -1),
    (("statements", 0, "knot"), 1), (("statements", 0, "knot"), True), (("statements", 0, "radii", 0), ["0x0", "0x1"]),
    (("statements", 0, "radii", 0), ["-0x1", "0x2"]), (("statements", 0, "radii", 0), 1e-9),
    (("statements", 0, "radii"), []), (("statements", 0, "center"), [["0x1", "0x1"]] * 4),
    (("statements", 0, "preconditioner"), []), (("statements", 0, "bounds"), None),
    (("statements", 0, "bounds"), [[7, ["0x1", "0x1"]]]), (("statements", 0, "bounds"), [[[], ["0x1", "0x1"]]]),
    (("statements", 0, "bounds"), [[2, ["0x1", "0x1"]], [2, ["0x1", "0x1"]]]), (("statements", 0, "bounds"), [[2]]),
    (("statements", 0, "polynomials"), [0, True]), (("statements", 0, "polynomials"), [0, [1]]),
    (("statements", 0, "polynomials"), 0), (("not certified",), 0),
])
def test_wrong_entries(place, value):
    content = changed(zeros_certificate(), *place, to=value)
    if place != ("not certified",):     # the checker does not read what is not claimed
        with pytest.raises(verify.Unreadable):
            verify.check_text(json.dumps(content))
    with pytest.raises(InvalidModel):
        Certificate.from_json(content)


def test_the_same_entry_twice():
    text = json.dumps(points_certificate().to_json())
    with pytest.raises(verify.Unreadable, match="twice"):
        verify.check_text(text.replace('"statements":', '"statements": [], "statements":', 1))


def test_numbers_that_would_fill_the_memory():
    content = changed(zeros_certificate(), "polynomials", 0, 0, 0, to=[0, 255, 0])
    content["statements"][0]["center"][1] = ["0x" + "f" * 150_000, "0x1"]
    with pytest.raises(verify.Unreadable, match="powers"):
        verify.check_text(json.dumps(content))


def test_names_are_never_shown_by_the_checker(tmp_path, capsys):
    names = ["\x1b[2J", "__import__('os').system('touch ran')", "z"]
    path = tmp_path / "names.json"
    path.write_text(json.dumps(changed(zeros_certificate(), "variables", to=names)))
    assert verify.main([str(path)]) == 0 and "\x1b" not in capsys.readouterr().out


JUNK = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.just([]), st.just({}),
                 st.sampled_from([-1, 2**63, 10**400, "0x0", "-0x1", ["0x1", "0x1"], [["0x1", "0x1"]], [[]], [0]]))


def places(node, path=()):
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [place for key, child in children for place in [(*path, key), *places(child, (*path, key))]]


CONTENTS = [zeros_certificate().to_json(), points_certificate().to_json()]
PLACES = [(i, place) for i, content in enumerate(CONTENTS) for place in places(content)]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(PLACES), JUNK)
def test_junk_anywhere_is_an_answer_or_unreadable(where, junk):
    i, place = where
    content = copy.deepcopy(CONTENTS[i])
    node = content
    for key in place[:-1]:
        node = node[key]
    node[place[-1]] = junk
    try:
        verify.check_text(json.dumps(content))
    except verify.Unreadable:
        pass


def test_the_checker_names_nothing_of_this_package():
    assert "symknot." not in Path(verify.__file__).read_text() and "from ." not in Path(verify.__file__).read_text()
