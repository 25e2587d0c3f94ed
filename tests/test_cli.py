"""The command line, mostly in-process, once as a user starts it."""

import configparser
import subprocess
import sys
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

import symknot
from symknot._version import __version__
from symknot.cli import main

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def circle_csv(tmp_path):
    angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    points = np.column_stack([3 * np.cos(angles), 3 * np.sin(angles)])
    points += np.random.default_rng(1).normal(scale=0.02, size=points.shape)
    path = tmp_path / "circle.csv"
    np.savetxt(path, points, delimiter=",", header="u,v", comments="")
    return path


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    (tmp_path / "cwd").mkdir()
    monkeypatch.chdir(tmp_path / "cwd")


def complaint(capsys):
    """The one line on stderr; nothing must be on stdout."""
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert len(lines) == 1
    return lines[0]


def test_demo_prints_a_circle_and_saves_a_picture(capsys):
    assert main(["demo"]) == 0
    out = capsys.readouterr().out
    for part in ("x", "y", "residual", "knots", "symknot-demo.png"):
        assert part in out
    assert Path("symknot-demo.png").read_bytes().startswith(b"\x89PNG")


def test_demo_output_option(capsys):
    assert main(["demo", "--output", "other.svg"]) == 0
    assert "other.svg" in capsys.readouterr().out
    assert "<svg" in Path("other.svg").read_text()
    assert not Path("symknot-demo.png").exists()


def test_demo_without_matplotlib_still_fits(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["demo"]) == 0
    out = capsys.readouterr().out
    assert "residual" in out
    assert 'pip install "symknot[plot]"' in out
    assert list(Path.cwd().iterdir()) == []


def test_demo_data_is_what_the_demo_says():
    lines = (resources.files("symknot") / "data" / "circle.csv").read_text().splitlines()
    points = np.array([line.split(",") for line in lines[1:]], dtype=float)
    assert lines[0] == "x,y"
    assert points.shape == (200, 2)
    assert np.std(np.linalg.norm(points, axis=1)) == pytest.approx(0.05, rel=0.15)


def test_fit_prints_and_saves_what_show_prints(circle_csv, capsys):
    assert main(["fit", str(circle_csv), "-o", "model.json", "--max-degree", "2"]) == 0
    printed = capsys.readouterr().out
    ideal = symknot.load("model.json")
    assert [polynomial.degree for polynomial in ideal.polynomials] == [2]
    assert printed == f"{ideal}\n\nsaved as model.json\n"
    assert main(["show", "model.json", "--readable"]) == 0
    assert capsys.readouterr().out.startswith(f"{ideal}\n")


def test_fit_passes_its_options_on(circle_csv, capsys):
    options = ["--epsilon", "0.05", "--max-degree", "2", "--delta", "1e-6"]
    assert main(["fit", str(circle_csv), *options]) == 0
    expected = symknot.fit(circle_csv, 0.05, max_degree=2, delta=1e-6)
    assert capsys.readouterr().out == f"{expected}\n"
    assert list(Path.cwd().iterdir()) == []


def test_fit_without_an_equation_says_so_and_exits_1(circle_csv, capsys):
    assert main(["fit", str(circle_csv), "--epsilon", "1e-4", "--max-degree", "1"]) == 1
    ideal = symknot.fit(circle_csv, 1e-4, max_degree=1)
    assert ideal.polynomials == ()
    assert ideal.message in capsys.readouterr().out


def test_spectrum_prints_the_spectrum(circle_csv, capsys):
    assert main(["spectrum", str(circle_csv)]) == 0
    assert capsys.readouterr().out == f"{symknot.spectrum(circle_csv)}\n"


@pytest.mark.parametrize("command", ["fit", "show", "spectrum"])
def test_a_missing_file_is_one_line_and_exit_2(command, capsys):
    assert main([command, "nowhere.txt"]) == 2
    line = complaint(capsys)
    assert line.startswith("symknot: nowhere.txt: ")
    assert "No such file" in line


def test_a_bad_cell_is_one_line_that_names_its_place(capsys):
    Path("bad.csv").write_text("x,y\n1,2\n3,oops\n")
    assert main(["fit", "bad.csv"]) == 2
    line = complaint(capsys)
    assert "oops" in line and "'y'" in line and "3" in line


@pytest.mark.parametrize("command", ["fit", "spectrum"])
def test_a_file_that_is_not_text_is_one_line_and_exit_2(command, capsys):
    Path("data.csv").write_bytes(b"\x89PNG\r\n\x00\xff\xfe")
    assert main([command, "data.csv"]) == 2
    assert "data.csv" in complaint(capsys)


def test_a_file_that_is_no_model_is_one_line_and_exit_2(circle_csv, capsys):
    assert main(["show", str(circle_csv)]) == 2
    complaint(capsys)


def test_a_bad_option_is_one_line_that_states_rule_and_value(circle_csv, capsys):
    assert main(["fit", str(circle_csv), "--max-degree", "0"]) == 2
    line = complaint(capsys)
    assert line == "symknot: --max-degree must be a whole number >= 1, got 0"


def test_the_data_are_never_overwritten(circle_csv, capsys):
    before = circle_csv.read_bytes()
    assert main(["fit", str(circle_csv), "-o", str(circle_csv)]) == 2
    assert "another file than the data" in complaint(capsys)
    assert circle_csv.read_bytes() == before


@pytest.mark.parametrize("destination", ["nowhere/model.json", "."])
def test_an_impossible_destination_is_noticed_before_the_fit(destination, circle_csv, capsys, monkeypatch):
    monkeypatch.setattr("symknot.results.fit.fit", lambda *args, **options: pytest.fail("fitted first"))
    assert main(["fit", str(circle_csv), "-o", destination]) == 2
    assert "a folder that exists" in complaint(capsys)


def test_ctrl_c_keeps_what_was_finished(circle_csv, capsys, monkeypatch):
    finished = symknot.fit(circle_csv, 0.05, max_degree=2)

    def interrupted(*args, **options):
        raise symknot.FitInterrupted(finished)

    monkeypatch.setattr("symknot.results.fit.fit", interrupted)
    Path("model.json").write_text("an older, good file")
    assert main(["fit", str(circle_csv), "-o", "model.json"]) == 130
    told = capsys.readouterr().out
    assert str(finished) in told
    assert "ended early, so model.json is as it was; what was finished is saved as model.partial.json" in told
    assert str(symknot.load("model.partial.json")) == str(finished)
    assert Path("model.json").read_text() == "an older, good file"


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["fit"], ["fit", "data.csv", "--epsilon", "much"]])
def test_wrong_usage_exits_2(arguments, capsys):
    with pytest.raises(SystemExit) as exit_info:
        main(arguments)
    assert exit_info.value.code == 2
    assert "usage: symknot" in capsys.readouterr().err


def test_version(capsys):
    with pytest.raises(SystemExit) as exit_info:
        main(["--version"])
    assert exit_info.value.code == 0
    assert capsys.readouterr().out == f"symknot {__version__}\n"
    assert symknot.__version__ == __version__


def test_the_console_script_is_main():
    configuration = configparser.ConfigParser()
    configuration.read(ROOT / "setup.cfg")
    assert configuration["options.entry_points"]["console_scripts"].strip() == "symknot = symknot.cli:main"


def run_as_a_process(*arguments):
    # From the checkout's folder, so that the package is found whether or not it is installed.
    return subprocess.run([sys.executable, "-m", "symknot.cli", *arguments], cwd=ROOT, capture_output=True, text=True,
                          timeout=300)


def test_as_a_process(circle_csv, tmp_path):
    picture = tmp_path / "demo.png"
    demo = run_as_a_process("demo", "--output", str(picture))
    assert (demo.returncode, demo.stderr) == (0, "")
    assert str(picture) in demo.stdout and picture.stat().st_size > 5000

    mistake = run_as_a_process("fit", str(tmp_path / "nowhere.csv"))
    assert (mistake.returncode, mistake.stdout) == (2, "")
    assert "Traceback" not in mistake.stderr and len(mistake.stderr.splitlines()) == 1
