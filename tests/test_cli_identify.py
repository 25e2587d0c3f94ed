"""``symknot identify`` as a user types it, and the other commands on what it saves."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import symknot
from symknot.cli import main
from symknot.sysid.invariants.conserved import conserved
from symknot.sysid.laws.identify import identify
from symknot.sysid.runs.trajectories import Trajectories
from tests.dynamics import BY_NAME

PNG = b"\x89PNG"


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    (tmp_path / "cwd").mkdir()
    monkeypatch.chdir(tmp_path / "cwd")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two runs of a spring in one table, one run of it driven, a map."""
    folder = tmp_path_factory.mktemp("runs")
    rng = np.random.default_rng(0)
    t = np.linspace(0, 8, 300)
    circle = np.c_[np.cos(2 * t), -2 * np.sin(2 * t)]
    rows = [np.c_[np.full(300, k), t, a * circle + 0.02 * rng.normal(size=(300, 2))] for k, a in enumerate((1.0, 1.5))]
    save(folder / "spring.csv", "run,t,x,v", np.concatenate(rows))
    u = np.sin(3 * t)
    x = 0.1 * (np.sin(3 * t) - 3 * np.cos(3 * t)) + 1.3 * np.exp(-t)        # x' = u - x
    save(folder / "driven.csv", "t,x,u", np.c_[t, x + 0.01 * rng.normal(size=300), u])
    (_, values), = BY_NAME["henon map"].data(1, 0)
    save(folder / "henon.csv", "x", values[:400])
    return folder


def save(path, header, values):
    np.savetxt(path, values, delimiter=",", header=header, comments="")


def said(capsys, *arguments):
    """Exit code, text printed, lines of complaint."""
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err.splitlines()


def spring(folder):
    return Trajectories(folder / "spring.csv", "t", group="run")


def rods():
    """Two speeds on the unit circle: what is the same in all runs."""
    t, noise = np.linspace(0, 8, 300), 0.01 * np.random.default_rng(3).normal(size=(2, 300, 2))
    return Trajectories([np.c_[np.cos(w * t), np.sin(w * t)] + part for w, part in zip((1.0, 1.7), noise)], time=t)


RUNS = ("--time", "t", "--group", "run")


def test_equations_are_printed_saved_and_drawn(folder, capsys):
    code, out, _ = said(capsys, "identify", folder / "spring.csv", *RUNS, "--max-degree", "2", "-o", "model.json",
                        "--plot", "model.png")
    assert code == 0
    model = identify(spring(folder), 2)
    assert str(model.exact_right_hand_sides) == "{\"x'\": v, \"v'\": -4*x}"
    assert out == f"{model}\n\nsaved as model.json\n\npicture saved as model.png\n"
    assert str(symknot.load("model.json")) == str(model)
    assert Path("model.png").read_bytes().startswith(PNG)


def test_without_files_nothing_is_written(folder, capsys):
    code, out, _ = said(capsys, "identify", folder / "spring.csv", *RUNS, "--max-degree", "1", "--report")
    assert code == 0 and "standard error" in out and out.rstrip() == identify(spring(folder), 1).report()
    assert list(Path.cwd().iterdir()) == []


def test_inputs_form_and_noise_are_passed_on(folder, capsys):
    code, out, _ = said(capsys, "identify", folder / "driven.csv", "--time", "t", "--inputs", "u", "--max-degree", "2",
                        "--form", "polynomial", "--noise", "0.01")
    assert code == 0
    data = Trajectories(folder / "driven.csv", "t", inputs=["u"])
    assert out == f"{identify(data, 2, form='polynomial', noise=0.01)}\n" and out.startswith("x' = u - x\n")


def test_functions_by_name(folder, capsys):
    t = np.linspace(0, 20, 300)
    angle = solve_ivp(lambda _, x: 0.8 - 0.5 * np.sin(x), (0, 20), [0.0], t_eval=t, rtol=1e-9).y[0]
    save(Path("angle.csv"), "t,d", np.c_[t, angle + 0.01 * np.random.default_rng(0).normal(size=300)])
    code, out, _ = said(capsys, "identify", "angle.csv", "--max-degree", "1", "--functions", "sin,cos(d)")
    assert code == 0 and out.startswith("d' = ") and "sin(d)" in out and "cos(d)" not in out
    code, _, complaints = said(capsys, "identify", "angle.csv", "--functions", "sine")
    assert code != 0 and "of sin, cos, exp" in " ".join(complaints)


def test_second_order(folder, capsys):
    table = np.loadtxt(folder / "spring.csv", delimiter=",", skiprows=1)
    save(Path("positions.csv"), "x", table[:300, 2])
    code, out, _ = said(capsys, "identify", "positions.csv", "--time", str(8 / 299), "--order", "2", "--max-degree",
                        "1")
    assert code == 0 and out.startswith("x'' = -4*x\n")


def test_maps(folder, capsys):
    code, out, _ = said(capsys, "identify", folder / "henon.csv", "--map", "--lags", "1", "--max-degree", "2",
                        "-o", "henon.json")
    assert code == 0 and out.startswith("x_next = -1.4*x**2 + 0.3*x_lag1 + 1\n")
    assert symknot.load("henon.json").dynamics.lags == 1


def test_what_is_conserved(folder, capsys):
    code, out, _ = said(capsys, "identify", folder / "spring.csv", *RUNS, "--invariants")
    found = conserved(spring(folder))
    assert code == 0 and out == f"{found}\n" and len(found.invariants) == 1
    code, out, _ = said(capsys, "identify", folder / "driven.csv", "--time", "t", "--inputs", "u", "--invariants",
                        "--max-degree", "1")
    assert code == 1 and "nothing conserved" in out


def test_no_equation_exits_1_and_is_still_saved(capsys):
    (times, values), = BY_NAME["van der pol"].data(2, 0)
    save(Path("half.csv"), "t,x", np.c_[times, values[:, 0]][:800])
    code, out, _ = said(capsys, "identify", "half.csv", "--time", "t", "--max-degree", "1", "-o", "half.json")
    assert code == 1 and out.startswith("no equation\n") and "raise max_degree" in out
    assert symknot.load("half.json").targets == ()
    assert said(capsys, "show", "half.json")[0] == 0
    code, _, complaint = said(capsys, "export", "half.json", "--to", "singular")
    assert code == 2 and "equations to be exported" in complaint[0]


def test_a_saved_model_is_shown_and_exported(folder, capsys):
    assert said(capsys, "identify", folder / "spring.csv", *RUNS, "--max-degree", "1", "-o", "model.json")[0] == 0
    model = symknot.load("model.json")
    assert said(capsys, "show", "model.json") == (0, f"{model}\n", [])
    assert said(capsys, "show", "model.json", "--readable") == (0, f"{model.report()}\n", [])
    assert said(capsys, "show", "model.json", "--latex") == (0, f"{model.latex()}\n", [])
    assert said(capsys, "show", "model.json", "--digits", "2") == (0, f"{model.text(2)}\n", [])
    assert said(capsys, "export", "model.json", "--to", "singular") == (0, f"{model.to_singular()}\n", [])
    assert said(capsys, "export", "model.json", "--to", "c", "-o", "model.c") == (0, "saved as model.c\n", [])
    assert Path("model.c").read_text() == model.to_c()
    code, _, complaint = said(capsys, "export", "model.json", "--to", "c", "--approximate")
    assert code == 2 and "approximate" in complaint[0]


@pytest.mark.parametrize("find", [
    lambda runs: identify(runs, 1), lambda runs: identify(runs, 2, form="implicit"), lambda runs: conserved(rods())],
    ids=["model", "implicit model", "conserved"])
def test_every_kind_is_shown_exported_and_computed_with(folder, capsys, find):
    result = find(spring(folder))
    result.save("result.json")
    assert said(capsys, "show", "result.json") == (0, f"{result}\n", [])
    assert said(capsys, "show", "result.json", "--readable") == (0, f"{result.report()}\n", [])
    assert said(capsys, "show", "result.json", "--latex") == (0, f"{result.latex()}\n", [])
    assert said(capsys, "export", "result.json", "--to", "msolve") == (0, f"{result.to_msolve()}\n", [])
    code, out, _ = said(capsys, "groebner", "result.json", "--engine", "sympy")
    assert code == 0 and out.splitlines() == [str(g) for g in result.groebner(engine="sympy").exprs]
    code, _, complaint = said(capsys, "solve", "result.json", "--engine", "sympy")
    assert code == 2 and "finitely many" in complaint[0]


def test_invariants_alone_are_shown_and_are_no_equations_to_algebra(folder, capsys):
    result = conserved(spring(folder))
    result.save("result.json")
    assert said(capsys, "show", "result.json") == (0, f"{result}\n", [])
    assert said(capsys, "show", "result.json", "--latex") == (0, f"{result.latex()}\n", [])
    assert said(capsys, "groebner", "result.json", "--engine", "sympy") == (0, "", [])
    code, _, complaint = said(capsys, "solve", "result.json", "--engine", "sympy")
    assert code == 2 and "finitely many" in complaint[0]
    code, _, complaint = said(capsys, "export", "result.json", "--to", "msolve")
    assert code == 2 and "a polynomial other than zero" in complaint[0]


@pytest.mark.parametrize("arguments, words", [
    (["nowhere.csv"], "nowhere.csv: No such file"),
    (["spring.csv", "--time", "clock"], "time must be one of the columns run, t, x, v of "),
    (["spring.csv", "--time", "t", "--ignore", "run"], "group="),
    (["spring.csv", *RUNS, "--inputs", "w"], "inputs must be one of the columns"),
    (["spring.csv", *RUNS, "--max-degree", "0"], "--max-degree must be a whole number >= 1, got 0"),
    (["spring.csv", *RUNS, "--lags", "2"], "kind='map'"),
    (["spring.csv", *RUNS, "--order", "3"], "order must be 1 or 2"),
    (["spring.csv", *RUNS, "--noise", "1,2,3"], "noise"),
    (["spring.csv", *RUNS, "--invariants", "--order", "2"], "--order must be left out with --invariants"),
    (["spring.csv", *RUNS, "--invariants", "-o", "m.json"], "--output must be left out with --invariants"),
    (["spring.csv", *RUNS, "-o", "nowhere/m.json"], "a folder that exists"),
    (["spring.csv", *RUNS, "--plot", "m.xyz"], "picture format"),
    (["spring.csv", *RUNS, "--plot", "m.png", "-o", "m.png"], "another file than --output"),
    (["spring.csv", *RUNS, "--plot", "DATA"], "another file than the data"),
])
def test_wrong_requests_are_one_line_and_exit_2(folder, capsys, arguments, words):
    arguments = [str(folder / "spring.csv") if part in ("spring.csv", "DATA") else part for part in arguments]
    before = (folder / "spring.csv").read_bytes()
    code, out, complaint = said(capsys, "identify", *arguments)
    assert (code, out, len(complaint)) == (2, "", 1) and words in complaint[0]
    assert (folder / "spring.csv").read_bytes() == before and list(Path.cwd().iterdir()) == []


@pytest.mark.parametrize("arguments", [[], ["a.csv", "--form", "fancy"], ["a.csv", "--noise", "much"],
                                       ["a.csv", "--inputs", ","]])
def test_wrong_usage_exits_2(arguments, capsys):
    with pytest.raises(SystemExit) as exit_info:
        main(["identify", *arguments])
    assert exit_info.value.code == 2
    assert "usage: symknot identify" in capsys.readouterr().err
