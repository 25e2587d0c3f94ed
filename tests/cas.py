"""Runs real computer algebra programs for tests, as the engines find and run them; never mocked."""

import re
import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from symknot.engines.finding import in_wheel, locate
from symknot.engines.process import Limits
from symknot.engines.process import run as run_process

ARGUMENTS = {"singular": ["-q", "--no-rc"], "macaulay2": ["--script"], "msolve": ["-g", "2", "-f"]}
DONE = "symknot: done"
#: Enters a folder and sends complaints where the answers go.
INSIDE = ["sh", "-c", 'cd "$1" && shift && exec "$@" 2>&1', "sh"]

SINGULAR_BACK = """
int skAt; poly skLeft;
for (skAt = 1; skAt <= ncols(skI); skAt++)
{
  skLeft = skI[skAt];
  while (skLeft != 0) { print("T " + string(leadexp(skLeft)) + " " + string(leadcoef(skLeft)));
                        skLeft = skLeft - lead(skLeft); }
  print("E");
}
kill skAt; kill skLeft;
"""
MACAULAY2_BACK = """
scan(flatten entries gens skI, p -> (
  scan(listForm p, t -> print("T " | demark(",", apply(t#0, toString)) | " " | toString(t#1))); print "E"));
"""


def c_compiler():
    """Path of a C compiler; the test fails with words when there is none."""
    found = shutil.which("cc") or shutil.which("gcc")
    if not found:
        pytest.fail("no C compiler: install gcc")
    return found


def output(arguments, folder, timeout=60):
    """What a program prints, standard error included; its folder is the working directory."""
    return run_process([*INSIDE, str(folder), *arguments], Limits.checked(timeout), work=arguments[0])


def known_version(name):
    """The program of the wheel, whose version is ours to choose; a machine's own where there is no wheel."""
    return in_wheel(name) or locate(name)


def run(name, script, folder, timeout=60, program=None):
    """Lines that a real program prints for a script; an error on the way fails the test."""
    path = Path(folder) / f"script.{name}"
    path.write_text(script, encoding="utf-8")
    lines = output([program or locate(name), *ARGUMENTS[name], str(path)], folder, timeout).splitlines()
    # Singular exits with 0 even after errors
    wrong = [line for line in lines if line.startswith("   ? ")]
    assert not wrong, "\n".join(wrong[:10])
    return lines


def answers(lines):
    """``label: value`` lines as a dict, after a look at the last line."""
    assert lines[-1] == DONE, lines[-5:]
    return dict(line.split(": ", 1) for line in lines if ": " in line)


def terms_back(lines):
    """Polynomials from the lines of SINGULAR_BACK or MACAULAY2_BACK."""
    polynomials, terms = [], {}
    for line in lines:
        if line == "E":
            polynomials.append(terms)
            terms = {}
        elif line.startswith("T "):
            exponents, value = re.fullmatch(r"T ([0-9,]+) (-?[0-9/]+)", line).groups()
            terms[tuple(map(int, exponents.split(",")))] = Fraction(value)
    return polynomials
