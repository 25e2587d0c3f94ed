"""How the command line behaves: options in any place, silence, tracebacks, suggestions, hostile files, completion."""

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import symknot
from symknot.cli import fitting, main
from symknot.engines import finding
from symknot.fitting import settings
from symknot.fitting.normalization import NORMALIZATIONS

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def ellipse():
    """Points of an ellipse with a column of text and one of weights; one far point of weight zero."""
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, 2 * np.pi, 200)
    points = np.c_[2 * np.cos(angle), np.sin(angle)] + 0.03 * rng.normal(size=(200, 2))
    rows = [f"north,{x!r},{y!r},1\n" for x, y in points.tolist()]
    Path("ellipse.csv").write_text("site,x,y,w\n" + "".join(rows) + "south,40,50,0\n")
    return points


def said(capsys, *words):
    """Exit code, text printed, lines of complaint."""
    try:
        code = main([str(word) for word in words])
    except SystemExit as end:
        code = end.code
    out, err = capsys.readouterr()
    return code, out, err.splitlines()


# ---------------------------------------------------------------------------------------------------- options of fit


@pytest.mark.parametrize("words, options", [
    (["--degree", "3"], {"max_degree": 3}),
    (["--max-degree", "2", "--noise", "equal"], {"max_degree": 2, "noise": "equal"}),
    (["--noise", "relative"], {"noise": "relative"}),
    (["--noise", "0.03,0.03", "--epsilon", "1"], {"noise": [0.03, 0.03], "epsilon": 1.0}),
    (["--robust"], {"loss": "robust"}),
    (["--loss", "squares"], {"loss": "squares"}),
    (["--names", "u,α"], {"names": ["u", "α"]}),
    (["--form", "polynomial"], {"form": "polynomial"}),
    (["--epsilon", "0.1", "--delta", "1e-5", "--knotting", "penalty", "--max-resets", "2", "--cooling", "0.3"],
     {"epsilon": 0.1, "delta": 1e-5, "knotting": "penalty", "max_resets": 2, "cooling": 0.3}),
    (["--normalization", "vca", "--epsilon", "0.5", "--degree", "2"],
     {"normalization": "vca", "epsilon": 0.5, "max_degree": 2})])
def test_options_are_those_of_the_function(ellipse, capsys, words, options):
    np.savetxt("points.csv", ellipse, delimiter=",", header="x,y", comments="", fmt="%.17g")
    expected = symknot.fit("points.csv", **options)
    code, out, err = said(capsys, "fit", "points.csv", *words)
    assert (code, out, err) == (0 if expected.polynomials else 1, f"{expected}\n", [])


def test_the_names_and_defaults_in_the_help_are_the_functions_own(capsys):
    assert (list(fitting.NORMALIZATIONS), list(fitting.KNOTTINGS)) == (list(NORMALIZATIONS), list(settings.KNOTTINGS))
    text = " ".join(said(capsys, "fit", "--help")[1].split())
    assert f"from degree 1 (default: {settings.DEFAULT_RESETS})" in text
    assert f"is lowered (default: {settings.DEFAULT_COOLING})" in text


def test_weights_are_a_column(ellipse, capsys):
    code, out, err = said(capsys, "fit", "ellipse.csv", "--columns", "x,y", "--weights", "w", "--loss", "squares")
    expected = symknot.fit(np.r_[ellipse, [[40, 50]]], weights=[1.0] * 200 + [0.0], loss="squares")
    assert code == 0 and out == f"{expected}\n" and out.startswith("x**2 + 4*y**2 = 4 ")
    assert said(capsys, "fit", "ellipse.csv", "--weights", "w", "--loss", "squares", "--quiet") == (0, out, [])
    assert said(capsys, "fit", "ellipse.csv", "--weights", "weight")[2] == [
        "symknot: --weights must be one of the columns site, x, y, w of ellipse.csv, got 'weight'"]


def test_weights_go_with_their_rows(ellipse, capsys):
    text = Path("ellipse.csv").read_text()
    Path("gaps.csv").write_text(text + "north,,0.5,3\nnorth,70,80,\n")
    assert said(capsys, "fit", "gaps.csv", "--weights", "w", "--missing", "drop", "--quiet")[:2] == said(
        capsys, "fit", "ellipse.csv", "--weights", "w", "--quiet")[:2]


def test_a_picture_of_the_fit(ellipse, capsys):
    code, out, _ = said(capsys, "fit", "ellipse.csv", "--columns", "x,y", "--plot", "fit.svg")
    assert code == 0 and out.endswith("\n\npicture saved as fit.svg\n") and "<svg" in Path("fit.svg").read_text()
    code, out, lines = said(capsys, "fit", "ellipse.csv", "--plot", "fit.doc")
    assert (code, out, len(lines)) == (2, "", 1) and "picture format must be one of" in lines[0]
    code, out, lines = said(capsys, "fit", "ellipse.csv", "--plot", "a.png", "-o", "./a.png")
    assert (code, out, lines) == (2, "", ["symknot: --plot must be another file than --output, got 'a.png'"])


# ------------------------------------------------------------------------------------------------- with every command


@pytest.mark.parametrize("words", [["--quiet", "fit", "ellipse.csv"], ["fit", "--quiet", "ellipse.csv"],
                                   ["fit", "ellipse.csv", "--quiet"]])
def test_quiet_in_any_place(ellipse, capsys, words):
    assert said(capsys, *words, "--ignore", "w")[2] == []
    assert any("'site' holds text" in line for line in said(capsys, "fit", "ellipse.csv", "--ignore", "w")[2])


@pytest.mark.parametrize("words", [["--debug", "show", "no.json"], ["show", "no.json", "--debug"]])
def test_debug_in_any_place(capsys, words):
    code, _, lines = said(capsys, *words)
    assert code == 2 and lines[0].startswith("Traceback") and "FileNotFoundError" in lines[-2]
    assert lines[-1] == "symknot: no.json: No such file or directory"


def test_a_mistake_of_ones_own_is_one_sentence_too(ellipse, capsys, monkeypatch):
    def broken(*args, **options):
        raise ZeroDivisionError("division\nby zero")
    monkeypatch.setattr("symknot.results.fit.find_reduced", broken)
    code, out, lines = said(capsys, "fit", "ellipse.csv", "--quiet")
    assert (code, out, len(lines)) == (70, "", 1)
    assert "unexpected ZeroDivisionError: division by zero" in lines[0] and "--debug" in lines[0]
    code, _, lines = said(capsys, "fit", "ellipse.csv", "--quiet", "--debug")
    assert code == 70 and any("in broken" in line for line in lines)


@pytest.mark.parametrize("words, sentence", [
    (["fti", "a.csv"], "did you mean fit?"),
    (["fit", "a.csv", "--espilon", "1"], "unknown option --espilon; did you mean --epsilon?"),
    (["fit", "a.csv", "--save", "b.json"], "unknown option --save; did you mean --output?"),
    (["fit", "a.csv", "--delimiter", ";"], "unknown option --delimiter; did you mean --sep?"),
    (["fit", "a.csv", "--zzz=3"], "unknown option --zzz; there are --checkpoint, --columns, "),
    (["fit", "a.csv", "b.csv"], "unexpected argument 'b.csv'; leave it out"),
    (["fit", "a.csv", "--form", "binomal"], "must be one of auto, polynomial, binomial, got 'binomal'; did you mean binomial?"),
    (["fit", "a.csv", "--degree", "two"], "must be a whole number such as 3, got 'two'"),
    (["fit", "a.csv", "--noise", "big"],
     "must be auto, equal, relative, a number, or numbers with commas between them such as 0.1,2, got 'big'"),
    (["fit", "a.csv", "--delta", "tiny"], "must be a number such as 0.05, got 'tiny'"),
    (["export", "a.json", "--to", "singlar"], "did you mean singular?"),
    (["completion", "fisch"], "did you mean fish?"),
    (["fit"], "required: DATA")])
def test_wrong_words_are_told_what_to_write_instead(capsys, words, sentence):
    code, out, lines = said(capsys, *words)
    assert (code, out, len(lines)) == (2, "", 2)
    assert lines[0].startswith("symknot: ") and sentence in lines[0] and lines[1].startswith("usage: symknot ")


@pytest.mark.parametrize("command", ["fit", "spectrum", "identify", "show", "exact", "groebner", "solve", "decompose"])
def test_hostile_files_are_one_sentence(capsys, command):
    Path("folder").mkdir()
    Path("data.csv").write_text("x,y\n1,2\n")
    for file, words in (("nowhere/data.csv", "there is no folder nowhere"), ("dat.csv", "did you mean data.csv?"),
                        ("folder", "Is a directory; name a file in it")):
        code, out, lines = said(capsys, command, file)
        assert (code, out, len(lines)) == (2, "", 1), lines
        assert lines[0].startswith(f"symknot: {file}: ") and lines[0].endswith(words)


@pytest.mark.parametrize("command", ["fit", "show"])
def test_a_file_that_may_not_be_read(capsys, monkeypatch, command):
    Path("secret.csv").write_text("x,y\n1,2\n")
    os.chmod("secret.csv", 0)
    if os.geteuid() == 0:                                # root may read all: drop to nobody in a process of its own
        os.chmod(".", 0o755)
        done = subprocess.run(
            [sys.executable, "-c", "import os, sys; from symknot.cli import main; from symknot import fit, load; "
             f"os.setuid(65534); sys.exit(main([{command!r}, 'secret.csv']))"],
            env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=120)
        code, out, lines = done.returncode, done.stdout, done.stderr.splitlines()
    else:
        code, out, lines = said(capsys, command, "secret.csv")
    assert (code, out) == (2, "")
    assert lines == ["symknot: secret.csv: Permission denied; make it accessible, or name another file"]


# --------------------------------------------------------------------------------------------------------- project


@pytest.fixture
def model(ellipse, capsys):
    assert said(capsys, "fit", "ellipse.csv", "--columns", "x,y", "-o", "model.json")[0] == 0
    return symknot.load("model.json")


def test_nearest_points_and_distances(model, capsys):
    new = np.array([[2.01, 0.0], [0.0, 3.0], [1.2, 0.81]])
    np.savetxt("new.csv", new, delimiter=",", header="x,y", comments="")
    code, out, _ = said(capsys, "project", "model.json", "new.csv")
    lines = out.splitlines()
    assert code == 0 and lines[0] == "x,y,distance,on_variety"
    rows = np.array([line.split(",") for line in lines[1:]], dtype=float)
    assert np.array_equal(rows[:, :2], model.project(new)) and np.array_equal(rows[:, 2], model.distance(new))
    assert rows[:, 3].tolist() == model.contains(new).tolist() == [True, False, True]
    assert rows[1, :2] == pytest.approx([0, 1], abs=0.02)                 # of the ellipse x**2 / 4 + y**2 = 1
    again = said(capsys, "project", "model.json", "new.csv", "-o", "near.csv")
    assert again == (0, "saved as near.csv\n", []) and Path("near.csv").read_text() == out


def test_columns_in_another_order_and_gaps(model, capsys):
    Path("new.csv").write_text("name,b,a\nAda,0,2.01\nBob,,1\n")
    words = ["project", "model.json", "new.csv", "--columns", "a,b"]
    code, out, _ = said(capsys, *words)
    assert code == 0 and out.splitlines()[2] == ",,,0" and out.splitlines()[1].startswith("1.99")
    code, out, lines = said(capsys, *words, "--missing", "drop")
    assert code == 0 and len(out.splitlines()) == 2 and "left out: 1 row" in lines[0]
    code, out, lines = said(capsys, *words, "--missing", "error")
    assert (code, out, len(lines)) == (2, "", 1) and "new.csv: line 3, column 'b': " in lines[0]


@pytest.mark.parametrize("words, sentence", [
    (["model.json", "new.csv"], "new.csv: has no column 'x', only name, b, a; name those that hold x, y, in this order"),
    (["model.json", "new.csv", "--columns", "a"], "need 2 columns, for x, y, got 1"),
    (["model.json", "new.csv", "--columns", "a,c"], "--columns must be one of the columns name, b, a"),
    (["model.json", "new.csv", "--columns", "a,b", "--level", "2"], "--level must be "),
    (["model.json", "new.csv", "--columns", "a,b", "-o", "new.csv"], "another file than the data"),
    (["model.json", "new.csv", "--columns", "a,b", "-o", "model.json"], "another file than the model"),
    (["exact.json", "new.csv"], "a saved ExactIdeal cannot be projected onto"),
    (["none.json", "new.csv"], "it has no equations")])
def test_what_cannot_be_projected(model, capsys, words, sentence):
    Path("new.csv").write_text("name,b,a\nAda,0,2.01\nBob,1,1\n")
    model.exact().save("exact.json")
    symknot.fit(np.random.default_rng(0).normal(size=(60, 2)), 1e-6, max_degree=2).save("none.json")
    before = Path("model.json").read_bytes()
    code, out, lines = said(capsys, "project", *words)
    assert (code, out, len(lines)) == (2, "", 1) and sentence in lines[0]
    assert Path("model.json").read_bytes() == before


# ------------------------------------------------------------------------------------------------ engines, completion


def test_engines_that_are_not_installed_are_no_fault(capsys, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(finding, "in_wheel", lambda name: None)
    code, out, _ = said(capsys, "engines")
    assert code == 0 and out.count("was not found: run `symknot engines install`") == 3 and "sympy" in out.splitlines()[3]
    assert "coqc was not found: on Debian `apt-get install coq`, or set SYMKNOT_COQ" in out


@pytest.mark.parametrize("program", ["/nowhere/Singular", "broken"])
def test_an_engine_that_is_broken_is_one(capsys, monkeypatch, program):
    Path("broken").write_text("#!/bin/sh\nexit 3\n")
    os.chmod("broken", 0o755)
    monkeypatch.setenv("SYMKNOT_SINGULAR", str(Path(program).absolute()))
    monkeypatch.setenv("PATH", "/nowhere")               # the others need not be started
    monkeypatch.setattr(finding, "in_wheel", lambda name: None)
    code, out, _ = said(capsys, "engines")
    assert code == 1 and " runs" not in out.splitlines()[0] and " runs" in out.splitlines()[3]


class Terminal:
    """An interactive bash on a terminal of its own."""

    def __init__(self, environment):
        self.process, self.end = pty.fork()
        if self.process == 0:
            os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], {**os.environ, **environment})
        self.until("$ ")

    def type(self, text):
        os.write(self.end, text.encode())

    def until(self, *wanted, seconds=60):
        """What is shown until one of the texts is."""
        shown, last = "", time.monotonic() + seconds
        while not any(text in shown for text in wanted):
            if time.monotonic() > last:
                raise AssertionError(f"waited for {wanted}, got {shown!r}")
            if select.select([self.end], [], [], 0.1)[0]:
                shown += os.read(self.end, 65536).decode()
        return shown

    def close(self):
        os.close(self.end)
        os.waitpid(self.process, 0)


@pytest.fixture
def terminal(request):
    shell = Terminal({"PS1": "$ ", "TERM": "xterm", "PYTHONPATH": str(ROOT), **getattr(request, "param", {})})
    yield shell
    shell.close()


def test_the_tab_key_completes_in_bash(terminal, capsys):
    code, script, _ = said(capsys, "completion", "bash")
    assert code == 0
    Path("completion.bash").write_text(script)
    Path("some_points.csv").write_text("x,y\n1,2\n")
    terminal.type("source completion.bash\r")
    terminal.until("$ ")
    for typed, shown in (("symknot proj\t", "symknot project "), ("symknot fit --eps\t", "--epsilon "),
                         ("symknot fit some\t", "some_points.csv "), ("symknot fit --form bin\t", "binomial "),
                         ("symknot --deb\t", "--debug "), ("symknot engines ins\t", "install ")):
        terminal.type(f"{typed}")
        terminal.until(shown, seconds=20)
        terminal.type("\x15")


@pytest.mark.parametrize("shell", ["zsh", "fish", "tcsh"])
def test_other_shells_have_scripts_with_every_command(shell, capsys):
    code, script, _ = said(capsys, "completion", shell)
    assert code == 0 and all(name in script for name in symknot.cli.COMMANDS)


def test_without_shtab_completion_says_what_to_install(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert said(capsys, "completion", "bash") == (2, "", ['symknot: needs shtab: pip install "symknot[completion]"'])


@pytest.mark.slow
@pytest.mark.parametrize("terminal", [{"NO_COLOR": "1"}, {}], indirect=True, ids=["NO_COLOR", "colour"])
def test_progress_is_on_a_terminal_only_and_in_no_colour_if_asked(terminal, ellipse, request):
    colours = [f"\x1b[{number}m" for number in (*range(30, 38), *range(90, 98))]
    command = f"{sys.executable} -m symknot.cli fit ellipse.csv --ignore w --degree 2 --epsilon 0.03"
    terminal.type(f"{command}; echo do''ne\r")
    shown = terminal.until("done\r\n")
    assert "fitting" in shown or "   eta " in shown                      # the live line
    assert any(colour in shown for colour in colours) == ("NO_COLOR" not in request.node.name)
    terminal.type(f"{command} --quiet; echo do''ne\r")
    quiet = terminal.until("done\r\n")
    assert "x**2" in quiet and "fitting" not in quiet and "   eta " not in quiet
    done = subprocess.run([sys.executable, "-m", "symknot.cli", "fit", "ellipse.csv", "--ignore", "w"], capture_output=True,
                          text=True, timeout=120, env={**os.environ, "PYTHONPATH": str(ROOT), "FORCE_COLOR": ""})
    assert "\x1b" not in done.stdout + done.stderr and "fitting" not in done.stderr


def test_ctrl_c_while_a_library_is_imported_is_ctrl_c(monkeypatch, capsys, tmp_path):
    """numpy makes an ImportError of it."""
    (tmp_path / "data.csv").write_text("x,y\n1,2\n3,4\n")

    def interrupted(*given, **options):
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as end:
            raise ImportError("IMPORTANT: PLEASE READ THIS") from end

    monkeypatch.setattr("symknot.reading.sources.read", interrupted)
    assert main(["fit", str(tmp_path / "data.csv")]) == 130
    assert capsys.readouterr().err == "symknot: interrupted\n"
    monkeypatch.setattr("symknot.reading.sources.read", lambda *given, **options: __import__("no_such_module"))
    assert main(["fit", str(tmp_path / "data.csv")]) == 70
