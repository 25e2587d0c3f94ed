"""The README keeps its word: its Python runs, its commands are the ones the project uses."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")

DEMO_COMMAND = 'pip install ".[plot]" && symknot demo'
TEST_COMMAND = 'pip install -e ".[test]" && symknot engines install && pytest'

#: The first screen of a terminal or of a repository's page.
FIRST_SCREEN_LINES = 30


def python_blocks(text):
    """Line number (from 1) and source of each fenced Python block."""
    return [(text.count("\n", 0, match.start(1)) + 1, match.group(1))
            for match in re.finditer(r"^```python\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)]


@pytest.mark.parametrize("document", ["README.md", "docs/sysid.md"])
def test_the_python_of_the_documents_runs(document, tmp_path, monkeypatch, capsys):
    blocks = python_blocks((ROOT / document).read_text(encoding="utf-8"))
    assert blocks
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "document"}
    for line, source in blocks:
        # Blank lines in front make a traceback point at the document's own line.
        exec(compile("\n" * (line - 1) + source, document, "exec"), namespace)
        printed = capsys.readouterr().out
        for promised in re.findall(r"^# (.+)$", source, flags=re.MULTILINE):
            assert promised in printed


def test_blocks_are_found_with_their_lines():
    text = "a\n```python\nb = 1\n```\n```\nno\n```\n```python\nc\nd\n```\n"
    assert python_blocks(text) == [(3, "b = 1\n"), (9, "c\nd\n")]


@pytest.mark.parametrize("command", [DEMO_COMMAND, TEST_COMMAND])
def test_the_two_commands_are_on_the_first_screen(command):
    assert command in "\n".join(README.splitlines()[:FIRST_SCREEN_LINES])


def test_continuous_integration_runs_the_test_command():
    assert TEST_COMMAND in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
