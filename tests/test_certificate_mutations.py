"""Certificates changed at random: each is refused, or what it says is still true.

That is worked out by a second computation (`true`), which shares nothing with the checker: sympy evaluates polynomials at
points and computes Groebner bases anew; in a box mpmath looks for the zero from the centre on, in 60 digits, and the
Jacobian there must not vanish.
"""

import copy
import json
import random

import mpmath
import numpy as np
import pytest
import sympy

import symknot
from symknot.cli import main
from symknot.exact import verify
from symknot.exact.certificate import (
    Certificate,
    also_zero_statement,
    groebner_statement,
    vanishing_statement,
    zero_statement,
)
from symknot.exact.expected import against_equations, against_points
from symknot.exact.krawczyk import certify_knots
from symknot.exact.syzygies import also_zero

from .test_certificate import BASIS, CIRCLE, CORNERS, TWISTED_CUBIC
from .test_language import circle_points

MUTATIONS = 300
"""In the plain run, of all kinds together."""
MORE_MUTATIONS = 20_000
"""Behind ``-m fuzz``."""


def originals():
    """Valid certificates of every kind of statement, small ones."""
    knots = [(t, t * t, t**3) for t in np.linspace(-1, 1, 2)]
    zeros = certify_knots(TWISTED_CUBIC, knots)
    circle = certify_knots([CIRCLE], [(0.6, 0.8)])
    return [
        Certificate("xyz", TWISTED_CUBIC, [*(zero_statement(k, zero) for k, zero in enumerate(zeros)),
                                           *map(also_zero_statement, also_zero(TWISTED_CUBIC, zeros))]),
        Certificate("xy", [CIRCLE], [zero_statement(0, circle[0])]),
        Certificate("xy", BASIS, [vanishing_statement([0, 1, 2], CORNERS), groebner_statement([0, 1, 2], "grevlex", CORNERS)])]


def places(value, path=()):
    """Paths to everything in nested lists and objects."""
    yield path
    for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(part, (*path, key))


def mutated(content, chance):
    """A copy with one to three changes: numbers, entries left out, doubled, exchanged."""
    content = copy.deepcopy(content)
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        path = chance.choice([path for path in places(content) if path])
        parent = content
        for key in path[:-1]:
            parent = parent[key]
        key, value = path[-1], parent[path[-1]]
        if isinstance(value, str) and value.lstrip("-").startswith("0x"):
            number = int(value, 16)
            others = [number + 1, number - 1, -number, 2 * number, 0, number ^ (1 << chance.randrange(20))]
            parent[key] = hex(chance.choice(others))
        elif isinstance(value, str):
            parent[key] = chance.choice(["vanishing", "unique zero", "groebner basis", "lex", "x", "y", ""])
        elif isinstance(value, int):
            parent[key] = chance.choice([value + 1, value - 1, 0, 1, 2, 10**6])
        elif isinstance(parent, list) and chance.random() < 0.5:
            del parent[key]
        elif isinstance(parent, list):
            parent.insert(key, chance.choice(parent))
        elif isinstance(value, list) and len(value) > 1:
            first, second = chance.sample(range(len(value)), 2)
            value[first], value[second] = value[second], value[first]
        else:
            del parent[key]
    return content


def rational(pair):
    return sympy.Rational(int(pair[0], 16), int(pair[1], 16))


def true(content, statement):
    """Whether a statement is true, worked out by sympy and mpmath from the JSON itself."""
    symbols = sympy.symbols(f"v0:{len(content['variables'])}")
    exprs = [sympy.Add(*(rational(term[1:]) * sympy.Mul(*(x**e for x, e in zip(symbols, term[0]))) for term in terms))
             for terms in content["polynomials"]]
    chosen = [exprs[place] for place in statement["polynomials"]]
    if statement["kind"] in ("vanishing", "groebner basis"):
        points = [[rational(value) for value in point] for point in statement["points"]]
        if any(expr.subs(dict(zip(symbols, point))) != 0 for expr in chosen for point in points):
            return False
        if statement["kind"] == "vanishing":
            return True
        own = symknot.points_ideal(list(map(tuple, points)), list(map(str, symbols)), statement["order"])
        return {sympy.expand(expr) for expr in own.exprs} == {sympy.expand(expr) for expr in chosen}
    if statement["kind"] == "also zero":
        boxes = {other["knot"]: other for other in content["statements"] if other["kind"] == "unique zero"}
        with mpmath.workdps(60):
            zeros = [zero_of(exprs, symbols, boxes[knot]) for knot, _ in statement["knots"]]
            functions = [sympy.lambdify(symbols, expr, "mpmath") for expr in chosen]
            return all(zero is not None and abs(function(*zero)) < 1e-40 for zero in zeros for function in functions)
    with mpmath.workdps(60):
        return zero_of(exprs, symbols, statement) is not None


def zero_of(exprs, symbols, statement):
    """The simple zero that a box is said to hold, where bounds hold, too; None if there is none."""
    chosen = [exprs[place] for place in statement["polynomials"]]
    center, radii = ([rational(value) for value in statement[key]] for key in ("center", "radii"))
    planes = [sympy.Add(*(rational(entry) * (x - c) for entry, x, c in zip(row, symbols, center)))
              for row in statement["plane"]]
    middle, reach = ([mpmath.mpf(int(value.p)) / int(value.q) for value in part] for part in (center, radii))
    system = sympy.lambdify(symbols, [*chosen, *planes], "mpmath")
    try:
        found = list(mpmath.findroot(lambda *x: system(*x), middle, maxsteps=30))
    except (ValueError, ZeroDivisionError):
        return None
    at = {x: sympy.Float(str(value), 50) for x, value in zip(symbols, found)}
    inside = all(abs(x - c) <= r for x, c, r in zip(found, middle, reach))
    simple = abs(sympy.Matrix([*chosen, *planes]).jacobian(symbols).subs(at).det()) > 1e-30
    bounded = all(abs(exprs[place].subs(at).evalf(40)) <= rational(bound) * (1 + sympy.Float("1e-30"))
                  for place, bound in statement["bounds"])
    return found if inside and simple and bounded else None


def accepted(content):
    """Whether the checker says that all holds; any other exception than its own is a failure."""
    try:
        return all(finding.holds for finding in verify.check_text(json.dumps(content))) and bool(content["statements"])
    except verify.Unreadable:
        return False


def attack(count, seed):
    """Mutations that were accepted, with what they changed; each must be true."""
    chance, contents = random.Random(seed), [certificate.to_json() for certificate in originals()]
    kept = 0
    for number in range(count):
        content = mutated(contents[number % len(contents)], chance)
        if accepted(content):
            kept += 1
            assert all(true(content, statement) for statement in content["statements"]), json.dumps(content)
    return kept


def test_the_originals_are_true_in_both_computations():
    for certificate in originals():
        content = certificate.to_json()
        assert accepted(content) and all(true(content, statement) for statement in content["statements"])


def test_the_second_computation_sees_what_is_false():
    corners, circle = originals()[2].to_json(), originals()[1].to_json()
    corners["statements"][0]["points"][0][0] = ["0x3", "0x1"]
    assert not true(corners, corners["statements"][0])
    circle["statements"][0]["center"][0] = ["0x9", "0x1"]
    assert not true(circle, circle["statements"][0])


def test_mutations_are_refused_or_true():
    assert 0 < attack(MUTATIONS, seed=0) < MUTATIONS


@pytest.mark.fuzz
def test_many_mutations_are_refused_or_true():
    assert 0 < attack(MORE_MUTATIONS, seed=1) < MORE_MUTATIONS


# ------------------------------------------------------------------------------------------------ claimed and expected


def content_of(certificate, **changes):
    return verify.read_text(json.dumps({**certificate.to_json(), **changes}))


def test_what_is_not_claimed_is_said_first(tmp_path, capsys):
    certificate = originals()[2]
    assert verify.unclaimed(content_of(certificate)) == []
    whole = certificate.to_json()
    thin = {**whole, "polynomials": [*whole["polynomials"], [[[1, 0], "0x1", "0x1"]]]}
    (tmp_path / "thin.json").write_text(json.dumps(thin))
    assert main(["verify", str(tmp_path / "thin.json")]) == 0
    told = capsys.readouterr().out
    assert told.startswith("not claimed: no statement is about polynomial 3\n") and "\nholds" in told
    assert main(["verify", "--json", str(tmp_path / "thin.json")]) == 0
    told = json.loads(capsys.readouterr().out)["result"]
    assert told["not_claimed"][0] == "no statement is about polynomial 3" and told["not_as_expected"] == []


def test_knots_of_a_file_that_no_statement_is_about(tmp_path):
    symknot.vca([[0, 0], [1, 0], [0, 1], [1, 1]], 1e-8, names=["x", "y"]).exact().save(tmp_path / "exact.json")
    content = json.loads((tmp_path / "exact.json").read_text())
    assert verify.unclaimed(verify.read_text(json.dumps(content))) == []
    content["knots"][2] = [["0x5", "0x1"], ["0x0", "0x1"]]
    assert verify.unclaimed(verify.read_text(json.dumps(content))) == ["no statement is about knot 2"]
    content["names"] = ["y", "x"]
    with pytest.raises(verify.Unreadable, match="names of the file must be those of its certificate"):
        verify.read_text(json.dumps(content))


def test_partly_proved_places():
    whole = originals()[0].to_json()
    assert verify.unclaimed(content_of(originals()[0])) == [] and whole["statements"][-1]["kind"] == "also zero"
    content = verify.read_text(json.dumps({**whole, "statements": whole["statements"][:2]}))
    assert verify.unclaimed(content)[-1] == "at 2 of 2 places no statement says that all polynomials are zero"


def test_against_equations():
    content = content_of(originals()[2])
    double = [{e: 2 * value for e, value in terms.items()} for terms in BASIS]
    assert against_equations(content, ["x", "y"], double) == []
    assert against_equations(content, ["y", "x"], double) == ["its variables are x, y, expected are y, x"]
    assert against_equations(content, ["x", "y"], [CIRCLE, *double]) == ["expected equation 1 is not in it"]
    assert against_equations(content, ["x", "y"], double[1:]) == ["polynomial 0 is not expected"]


def test_a_swapped_or_thinned_file_is_seen(tmp_path, capsys):
    points = circle_points()
    np.savetxt(tmp_path / "circle.csv", points, delimiter=",", header="x,y", comments="")
    np.savetxt(tmp_path / "moved.csv", points + [5, 0], delimiter=",", header="x,y", comments="")
    np.savetxt(tmp_path / "other.csv", points, delimiter=",", header="x,z", comments="")
    ideal = symknot.fit(points, names=["x", "y"])
    ideal.save(tmp_path / "circle.json")
    exact = ideal.exact()
    exact.save(tmp_path / "exact.json")
    verified = ["verify", str(tmp_path / "exact.json"), "--expect"]
    assert main([*verified, str(tmp_path / "circle.csv")]) == 0 and "NOT AS" not in capsys.readouterr().out
    assert main([*verified, str(tmp_path / "circle.json")]) == 0
    assert main([*verified, str(tmp_path / "exact.json")]) == 0
    capsys.readouterr()
    assert main([*verified, str(tmp_path / "moved.csv")]) == 1
    assert "NOT AS EXPECTED: polynomial 0: the data are" in capsys.readouterr().out
    assert main([*verified, str(tmp_path / "other.csv")]) == 1
    assert "its variable y is no column of the data (x, z)" in capsys.readouterr().out
    certificate = exact.certificate.to_json()
    del certificate["statements"][3:]
    thin = verify.read_text(json.dumps(certificate))
    assert all(finding.holds for finding in verify.check_content(thin))
    (line,) = against_points(thin, ["x", "y"], points)
    assert line.startswith("only ") and "of the data have a place near them" in line
