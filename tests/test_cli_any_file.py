"""``show``, ``export``, ``exact``, ``groebner``, ``solve`` and ``decompose`` on every kind of saved result."""

from fractions import Fraction

import numpy as np
import pytest

import symknot
from symknot.cli import main

POINTS = [(Fraction(x), Fraction(y)) for x in (0, 1) for y in (0, 1)]


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Kind -> (path, result): a fit of four points, and what else can be made of them and saved."""
    folder = tmp_path_factory.mktemp("saved")
    ideal = symknot.vca(np.array(POINTS, dtype=float), epsilon=1e-8, names=["x", "y"])
    results = {"fit": ideal, "readable": ideal.readable(), "exact": ideal.exact(),
               "points": symknot.points_ideal(POINTS, ["x", "y"])}
    for kind, result in results.items():
        result.save(folder / f"{kind}.json")
    return {kind: (folder / f"{kind}.json", result) for kind, result in results.items()}


KINDS = ("fit", "readable", "exact", "points")
EXACT_KINDS = ("readable", "exact", "points")


def said(capsys, *arguments):
    """Exit code, text printed, lines of complaint."""
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err.splitlines()


@pytest.mark.parametrize("kind", EXACT_KINDS)
def test_show_prints_what_print_does(saved, capsys, kind):
    path, result = saved[kind]
    assert said(capsys, "show", path) == (0, f"{result}\n", [])
    assert said(capsys, "show", path, "--readable") == (0, f"{result.report()}\n", [])
    assert said(capsys, "show", path, "--latex") == (0, f"{result.latex()}\n", [])
    assert said(capsys, "show", path, "--digits", 2) == (0, f"{result.text(2)}\n", [])


def test_show_of_a_fit_has_estimates_and_simplified_equations(saved, capsys):
    path, ideal = saved["fit"]
    assert said(capsys, "show", path) == (0, f"{ideal.text(simplify=False)}\n", [])
    assert said(capsys, "show", path, "--latex") == (0, f"{ideal.latex(simplify=False)}\n", [])
    assert said(capsys, "show", path, "--latex", "--readable") == (0, f"{ideal.latex()}\n", [])
    code, out, _ = said(capsys, "show", path, "--readable")
    assert code == 0 and out.startswith(f"{ideal}\nequation 1, simplified: distance of the data ")


@pytest.mark.parametrize("kind", KINDS)
def test_a_wrong_number_of_digits_is_refused(saved, capsys, kind):
    code, out, complaint = said(capsys, "show", saved[kind][0], "--digits", 0)
    assert (code, out, len(complaint)) == (2, "", 1) and "digits must be a whole number >= 1" in complaint[0]


@pytest.mark.parametrize("kind", KINDS)
def test_groebner_solve_and_decompose(saved, capsys, kind):
    path, _ = saved[kind]
    code, out, _ = said(capsys, "groebner", path, "--engine", "sympy", "--order", "lex")
    assert code == 0 and set(out.splitlines()) == {"x**2 - x", "y**2 - y"}
    code, out, _ = said(capsys, "solve", path, "--engine", "sympy")
    assert code == 0
    assert set(out.splitlines()) == {f"x = {x}, y = {y}" for x, y in POINTS} | {"4 real zero(s)"}
    code, out, _ = said(capsys, "decompose", path, "--engine", "singular")
    assert code == 0 and out.splitlines()[-1] == "4 component(s)"


@pytest.mark.parametrize("kind", EXACT_KINDS)
def test_export_writes_the_equations(saved, capsys, kind):
    path, result = saved[kind]
    assert said(capsys, "export", path, "--to", "singular") == (0, f"{result.to_singular()}\n", [])


def test_export_of_a_fit_writes_its_exact_equations(saved, capsys):
    path, ideal = saved["fit"]
    assert said(capsys, "export", path, "--to", "singular") == (0, f"{ideal.exact().to_singular()}\n", [])
    assert said(capsys, "export", path, "--to", "singular", "--approximate") == (
        0, f"{ideal.to_singular(approximate=True)}\n", [])


@pytest.mark.parametrize("kind", EXACT_KINDS)
@pytest.mark.parametrize("arguments, words", [
    (["exact"], "cannot be made exact"), (["export", "--to", "c", "--approximate"], "no fitted equations")])
def test_what_a_result_does_not_have_is_one_sentence(saved, capsys, kind, arguments, words):
    path, result = saved[kind]
    code, out, complaint = said(capsys, arguments[0], path, *arguments[1:])
    assert (code, out, len(complaint)) == (2, "", 1)
    assert str(path) in complaint[0] and f"a saved {type(result).__name__} " in complaint[0] and words in complaint[0]


@pytest.mark.parametrize("content", [
    "{}", "[]", '{"format": ["symknot ideal"]}', '{"format": "symknot dream", "version": 1}'])
@pytest.mark.parametrize("command", [
    ["show"], ["exact"], ["export", "--to", "c"], ["groebner"], ["solve"], ["decompose"]])
def test_a_file_without_a_result_is_one_sentence(tmp_path, capsys, content, command):
    path = tmp_path / "file.json"
    path.write_text(content)
    code, out, complaint = said(capsys, command[0], path, *command[1:])
    assert (code, out, len(complaint)) == (2, "", 1) and f"{path}: not a saved result" in complaint[0]
