"""Commands that meet other systems, as a user types them."""

import numpy as np
import pytest

import symknot
from symknot.cli import main
from tests import cas

CORNERS = np.array([[0, 0], [2, 0.5], [0.75, 2]])


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A saved fit of three blobs, the same made exact, and a circle."""
    folder = tmp_path_factory.mktemp("models")
    rng = np.random.default_rng(0)
    blobs = np.repeat(CORNERS, 40, axis=0) + 0.05 * rng.normal(size=(120, 2))
    ideal = symknot.fit(blobs, names=["x", "y"])
    ideal.save(folder / "blobs.json")
    ideal.exact().save(folder / "exact.json")
    angle = rng.uniform(0, 7, 200)
    circle = np.c_[np.cos(angle), np.sin(angle)] + 0.05 * rng.normal(size=(200, 2))
    symknot.fit(circle, names=["x", "y"]).save(folder / "circle.json")
    return folder


def said(capsys, *arguments):
    """Exit code, lines printed, lines of complaint."""
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out.splitlines(), captured.err.splitlines()


@pytest.mark.parametrize("program", ["singular", "macaulay2", "msolve", "sympy"])
@pytest.mark.parametrize("model", ["blobs.json", "exact.json"])
def test_groebner_is_the_same_by_every_engine(models, capsys, program, model):
    code, lines, _ = said(capsys, "groebner", models / model, "--engine", program)
    assert code == 0
    exact = symknot.load(models / "blobs.json").exact()
    assert set(lines) == {str(g.as_expr()) for g in exact.groebner(engine="sympy", timeout=None)}


def test_groebner_in_another_order(models, capsys):
    code, lines, _ = said(capsys, "groebner", models / "circle.json", "--order", "lex")
    assert (code, lines) == (0, ["x**2 + y**2 - 1"])


def test_solve_gives_back_the_knots(models, capsys):
    code, lines, _ = said(capsys, "solve", models / "blobs.json")
    assert code == 0
    assert set(lines) == {"x = 0, y = 0", "x = 2, y = 1/2", "x = 3/4, y = 2", "3 real zero(s)"}


def test_solve_on_a_curve_says_that_there_are_infinitely_many(models, capsys):
    code, _, complaint = said(capsys, "solve", models / "circle.json")
    assert code == 2 and "finitely many" in complaint[0]


def test_decompose_names_the_parts(models, capsys):
    code, lines, _ = said(capsys, "decompose", models / "exact.json", "--engine", "singular")
    assert code == 0
    assert {line.split(": ")[1] for line in lines[:-1]} == {
        "x = 0, y = 0", "x - 2 = 0, y - 1/2 = 0", "x - 3/4 = 0, y - 2 = 0"}
    assert lines[-1] == "3 component(s)"


def test_an_engine_that_lacks_a_call_says_who_has_it(models, capsys):
    code, _, complaint = said(capsys, "decompose", models / "exact.json", "--engine", "sympy")
    assert code == 2 and "singular" in complaint[0].lower()


def test_an_exported_file_runs(models, capsys, tmp_path):
    code, lines, _ = said(capsys, "export", models / "blobs.json", "--to", "singular", "-o", tmp_path / "blobs.sing")
    assert (code, lines) == (0, [f"saved as {tmp_path / 'blobs.sing'}"])
    answers = cas.answers(cas.run("singular", (tmp_path / "blobs.sing").read_text(encoding="ascii"), tmp_path))
    assert answers["equal to the ideal of the knots"] == "yes"


def test_export_prints_without_a_file(models, capsys):
    code, lines, _ = said(capsys, "export", models / "exact.json", "--to", "msolve")
    assert code == 0 and lines[0] == "x,y"


def test_the_fitted_equations_come_with_a_warning(models, capsys):
    code, lines, _ = said(capsys, "export", models / "blobs.json", "--to", "macaulay2", "--approximate")
    assert code == 0 and any("WARNING" in line for line in lines)


def test_an_exact_file_holds_no_fitted_equations(models, capsys):
    code, _, complaint = said(capsys, "export", models / "exact.json", "--to", "singular", "--approximate")
    assert code == 2 and "ExactIdeal" in complaint[0] and "no fitted equations" in complaint[0]


def test_the_model_is_never_overwritten(models, capsys):
    before = (models / "blobs.json").read_bytes()
    code, _, complaint = said(capsys, "export", models / "blobs.json", "--to", "c", "-o", models / "blobs.json")
    assert code == 2 and "another file than the model" in complaint[0]
    assert (models / "blobs.json").read_bytes() == before


def test_engines_lists_each_with_its_version(capsys):
    code, lines, _ = said(capsys, "engines")
    assert code == 0, lines
    assert [line.split()[0] for line in lines] == ["singular", "macaulay2", "msolve", "sympy", "coq", "z3", "cvc5"]
    assert all(" runs" in line for line in lines)


def test_installing_something_else_is_refused(capsys):
    code, _, complaint = said(capsys, "engines", "install", "magma")
    assert code == 2 and "magma" in complaint[0]
