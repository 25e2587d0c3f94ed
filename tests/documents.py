"""What documents hold, and how their examples are run.

| fence | what a test does with it |
|---|---|
| ```` ```python ```` | runs it; a line ``# words`` of it is a promise that the words are printed |
| ```` ```sh ```` | runs it, in the same folder |
| ```` ```text ```` right below one of them | compares it with what was printed |

Indented commands are for the reader alone (``pip install ...``).
"""

from __future__ import annotations

import contextlib
import io
import math
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from symknot.engines.finding import locate

ROOT = Path(__file__).resolve().parents[1]

NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d*)?(?:e[+-]?\d+)?|(?<![\w.])\.\d+(?:e[+-]?\d+)?")
NEAR = 0.1
"""Relative difference that numbers with a decimal point may have on another machine: they are printed with two digits or
more, and a fit's last digits are those of its linear algebra."""
TINY = 1e-8
"""Below it numbers are rounding errors, of any size."""


@dataclass(frozen=True)
class Block:
    """A fenced example: its language, the line (from 1) of its first line, its text, and the output shown below it."""

    language: str
    line: int
    source: str
    shown: str | None


def examples(text: str) -> list[Block]:
    """The examples of a document, in their order."""
    fence = r"^```(python|sh)\n(.*?)^```$(?:\s*^```text\n(.*?)^```$)?"
    return [Block(match[1], text.count("\n", 0, match.start(2)) + 1, match[2], match[3])
            for match in re.finditer(fence, text, flags=re.DOTALL | re.MULTILINE)]


def documents() -> list[Path]:
    """README and all pages that have something to run."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    return [page for page in pages if examples(page.read_text(encoding="utf-8"))]


def differences(printed: str, shown: str) -> list[tuple[str, str]]:
    """Lines that are not the same, whole numbers and words exactly, other numbers nearly."""
    lines = [[line.rstrip() for line in text.strip("\n").split("\n")] for text in (printed, shown)]
    if len(lines[0]) != len(lines[1]):
        return [(printed, shown)]
    return [(got, said) for got, said in zip(*lines) if not _same_line(got, said)]


def _same_line(got: str, said: str) -> bool:
    if [part.split() for part in NUMBER.split(got)] != [part.split() for part in NUMBER.split(said)]:
        return False
    return all(_same_number(a, b) for a, b in zip(NUMBER.findall(got), NUMBER.findall(said)))


def _same_number(a: str, b: str) -> bool:
    if a.isdigit() and b.isdigit():
        return a == b
    return math.isclose(float(a), float(b), rel_tol=NEAR, abs_tol=TINY)


def run_shell(source: str, folder: Path) -> str:
    """What commands print on standard output; `symknot` and `Singular` are those of this environment."""
    start = 'symknot() { "$SYMKNOT_PYTHON" -m symknot.cli "$@"; }\nSingular() { "$SYMKNOT_SINGULAR_FILE" "$@"; }\nset -e\n'
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SYMKNOT_PYTHON": sys.executable,
                   "SYMKNOT_SINGULAR_FILE": locate("singular"), "MPLBACKEND": "agg"}
    done = subprocess.run(["bash", "-c", start + source], cwd=folder, env=environment, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=120)
    assert done.returncode == 0, f"{source}\n{done.stderr}"
    return done.stdout


def run_python(block: Block, document: str, namespace: dict) -> str:
    """What a block prints; blank lines in front make a traceback point at the document's own line."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile("\n" * (block.line - 1) + block.source, document, "exec"), namespace)
    return printed.getvalue()


def outputs(text: str, document: str, folder: Path) -> Iterator[tuple[Block, str]]:
    """Each example of a document with what it prints, run one after the other in one namespace and one folder.

    `folder` must be the working directory.
    """
    namespace: dict = {"__name__": "document"}
    for block in examples(text):
        shell = block.language == "sh"
        yield block, run_shell(block.source, folder) if shell else run_python(block, document, namespace)


def refresh(path: Path) -> None:
    """Put into a document what its examples print now: ``python -m tests.documents docs/start.md``."""
    text = path.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        lines = text.split("\n")
        for block, printed in reversed(list(outputs(text, path.name, Path(folder)))):
            if block.shown is not None:
                start = lines.index("```text", block.line) + 1
                lines[start:lines.index("```", start)] = printed.rstrip("\n").split("\n")
    path.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        refresh(Path(name).resolve())
