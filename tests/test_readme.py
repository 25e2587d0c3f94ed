"""README and pages keep their word: their examples run, what they name exists, the commands are the project's."""

import doctest
import os
import re
import shlex
import subprocess
import sys

import numpy as np
import pytest

import symknot
from symknot.cli import main

from .documents import ROOT, differences, documents, outputs
from .test_layers import ROOMS

README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")] + [*(ROOT / "docs").glob("*.md")]

DEMO_COMMAND = 'pip install ".[plot]" && symknot demo'
TEST_COMMAND = 'pip install -e ".[test]" && symknot engines install && pytest'

#: What documents call files that a user writes.
FILES_OF_USERS = {"own.py"}

#: The first screen of a terminal or of a repository's page.
FIRST_SCREEN_LINES = 30


@pytest.fixture
def no_target_left_behind():
    """What a document registers is gone after it: other examples use the same names."""
    before = set(symknot.export.TARGETS)
    yield
    for name in set(symknot.export.TARGETS) - before:
        symknot.export.forget(name)


@pytest.mark.usefixtures("no_target_left_behind")
@pytest.mark.parametrize("document", [path.relative_to(ROOT).as_posix() for path in documents()])
def test_the_examples_of_the_documents_run(document, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for block, printed in outputs((ROOT / document).read_text(encoding="utf-8"), document, tmp_path):
        for promised in re.findall(r"^# (.+)$", block.source, flags=re.MULTILINE):
            assert promised in printed
        assert block.shown is None or not differences(printed, block.shown)


def test_documents_with_examples_are_found():
    found = {path.name for path in documents()}
    assert {"README.md", "start.md", "results.md", "exact.md", "sysid.md", "reading.md", "architecture.md"} <= found


def console_commands(text):
    """Command (with the lines that it reads) and output of each prompt in fenced console blocks."""
    blocks = re.findall(r"^```console\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
    prompts = re.compile(r"^\$ (.*\n(?:> .*\n)*)((?:(?!\$ ).*\n)*)", flags=re.MULTILINE)
    return [(command.replace("\n> ", "\n").rstrip("\n"), output) for block in blocks
            for command, output in prompts.findall(block)]


def test_commands_are_found_with_their_input_and_output():
    text = "```console\n$ a <<E\n> b\n> E\n$ c\nd\n\ne\n```\n```\n$ no\n```\n"
    assert console_commands(text) == [("a <<E\nb\nE", ""), ("c", "d\n\ne\n")]


def printed(command, capfd):
    """What a command line prints: commands of symknot in this process, all others in a shell."""
    if command.startswith("symknot ") and not set("|<>$") & set(command):
        try:
            main(shlex.split(command)[1:])
        except SystemExit:
            pass                                        # wrong words: what is said about them is shown
        out, err = capfd.readouterr()
        return err + out
    shell = f'symknot() {{ "{sys.executable}" -m symknot.cli "$@"; }}\nset -o pipefail\n{command}'
    done = subprocess.run(["bash", "-c", shell], env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout


@pytest.mark.parametrize("document", ["docs/commandline.md"])
def test_the_commands_of_the_documents_print_what_they_show(document, tmp_path, monkeypatch, capfd):
    commands = console_commands((ROOT / document).read_text(encoding="utf-8"))
    monkeypatch.chdir(tmp_path)
    for command, expected in commands:
        found = printed(command, capfd)
        assert doctest.OutputChecker().check_output(expected, found, doctest.ELLIPSIS), f"{command}\n{found}"
    shown = {words[1] for command, _ in commands if (words := command.split())[0] == "symknot"}
    assert shown == set(symknot.cli.COMMANDS) - {"reproduce"}        # which takes an hour


def names_in_tables(text):
    """What the first columns of tables name: (object, attributes) of `object.attribute`, also short: `.attribute`."""
    found = []
    for cell in re.findall(r"^\| (`.*?) \|", text, flags=re.MULTILINE):
        owner = None
        for path in re.findall(r"`([\w.]+)", cell):
            first, *attributes = path.split(".")
            owner = first or owner
            found += [(owner, attributes)] if attributes else []
    return found


@pytest.fixture(scope="module")
def objects():
    """What documents call their objects."""
    angle = np.linspace(0, 6, 50)
    ideal = symknot.fit(np.c_[2 * np.cos(angle), np.sin(angle)], 0.01, max_degree=2, names=["x", "y"])
    t = np.linspace(0, 6, 200)
    model = symknot.identify(symknot.Trajectories(np.c_[np.cos(t), -np.sin(t)], time=t), max_degree=1)
    found = symknot.conserved(np.c_[np.cos(t), -np.sin(t)], time=t)
    return {"symknot": symknot, "ideal": ideal, "polynomial": ideal.polynomials[0], "exact": ideal.exact(),
            "model": model, "found": found, "invariant": found.invariants[0]}


@pytest.mark.parametrize("document", ["README.md", "docs/sysid.md"])
def test_what_the_tables_name_exists(document, objects):
    named = [pair for pair in names_in_tables((ROOT / document).read_text(encoding="utf-8")) if pair[0] in objects]
    assert named
    for owner, attributes in named:
        value = objects[owner]
        for attribute in attributes:
            assert hasattr(value, attribute), f"{document}: {owner}.{'.'.join(attributes)}"
            value = getattr(value, attribute)


def test_the_reader_of_tables_sees_short_names_too():
    text = "| `ideal.a`, `.b(c)`, words, `d` | `ideal.e` |\n| `x.y.z(1)` | |\nno | `q.r` |\n"
    assert names_in_tables(text) == [("ideal", ["a"]), ("ideal", ["b"]), ("x", ["y", "z"])]


def paths_in(text):
    """Files that a document names, in backticks or in a drawing: `a/b.py`, `CHANGELOG.md`."""
    named = re.findall(r"(?<![\w/.])((?:\w+/)*\.?\w+\.(?:py|md|cfg|toml))\b", text)
    return {path for path in named if "NAME" not in path} - FILES_OF_USERS


@pytest.mark.parametrize("document", sorted(path.relative_to(ROOT).as_posix() for path in DOCUMENTS))
def test_files_that_a_document_names_exist(document):
    """Paths may be those of the checkout, or below symknot/ or docs/, or names alone of files that are somewhere in it."""
    folders = [ROOT / name for name in ("symknot", "tests", "docs")]
    every = {path.relative_to(ROOT).as_posix() for folder in folders for path in folder.rglob("*")}
    every |= {path.removeprefix(above) for path in every for above in ("symknot/", "docs/")}
    every |= {path.rsplit("/", 1)[-1] for path in every}
    every |= {path.name for path in ROOT.iterdir()}
    assert paths_in((ROOT / document).read_text(encoding="utf-8")) - every == set()


def test_the_reader_of_paths_sees_them():
    text = "`a/b.py`, (`c.md`), docs/d.md; `.ruff.toml`\n  e.py, f.py   words.\n`x/NAME.py` g.json h.pyx"
    assert paths_in(text) == {"a/b.py", "c.md", "docs/d.md", ".ruff.toml", "e.py", "f.py"}


def test_the_drawing_of_the_rooms_is_their_order():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = text[text.index("| room |"):text.index("Two files stand beside")]
    assert re.findall(r"^\| `(\w+)` \|", table, flags=re.MULTILINE) == [
        room for room in ROOMS if room and "/" not in room]


@pytest.mark.parametrize("command", [DEMO_COMMAND, TEST_COMMAND])
def test_the_two_commands_are_on_the_first_screen(command):
    assert command in "\n".join(README.splitlines()[:FIRST_SCREEN_LINES])


def test_continuous_integration_runs_the_test_command():
    assert TEST_COMMAND in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
