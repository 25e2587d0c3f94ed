"""What Singular and Macaulay2 have in common: a script goes in, marked lines come out.

A script prints ``sk:ideal`` before the polynomials of each ideal, ``sk:poly ...`` for each
of them, ``sk:value ...`` for anything else, and ``sk:end`` last.  Any other line is an error:
Singular ends with exit code 0 even after one.
"""

from __future__ import annotations

import re
from fractions import Fraction

from ..ground.errors import EngineError
from ..polynomials.terms import without_denominators
from .derived import DerivedEngine
from .process import LAST_LINES, LAST_WIDTH
from .text import WIDTH_SHOWN, parsed

_SMALL_NUMBER = re.compile(r"-?\d{1,18}", re.ASCII)
"""A dimension, a degree or a version: no more than fits into a machine's word."""


class ScriptEngine(DerivedEngine):
    """A program that runs scripts of its own language.

    Each brings `_run(lines, limits, work)`, which returns the standard output.
    """

    def __init__(self, path: str) -> None:
        self.path = str(path)

    def _lines(self, script, limits, work):
        """The marked lines that a script printed, without the mark, up to the end mark."""
        text = self._run(script, limits, f"{self.name} {work}")
        lines = [line.rstrip() for line in text.splitlines()]
        lines = [line for line in lines if line and not line.startswith("// ")]      # Singular's remarks
        wrong = [line.strip()[:LAST_WIDTH] for line in lines if not line.startswith("sk:")]
        if wrong:
            raise EngineError("\n".join([f"{self.name} {work}:", *wrong[:LAST_LINES]]))
        if not lines or lines[-1] != "sk:end":
            raise EngineError(f"{self.name} {work}: the answer is incomplete")
        return [line[3:] for line in lines[:-1]]

    def _ideals(self, script, size, limits, work):
        """The ideals that a script printed, zeros left out."""
        ideals = []
        for line in self._lines(script, limits, work):
            kind, _, text = line.partition(" ")
            if kind == "ideal":
                ideals.append([])
            elif kind == "poly" and ideals:
                terms = parsed(text, size, limits.deadline)
                ideals[-1] += [terms] if terms else []
            else:
                raise EngineError(f"{self.name} {work}: unexpected answer {line[:WIDTH_SHOWN]!r}")
        return ideals

    def _scaled_cofactors(self, script, generators, g, limits):
        """Cofactors that a script printed for polynomials without denominators; None where it printed a value."""
        lines = self._lines(script, limits, "cofactors")
        if any(line.startswith("value") for line in lines):
            return None
        scale = without_denominators(g)[1]
        found = []
        for line, terms in zip(lines, generators.polynomials, strict=True):
            factor = Fraction(without_denominators(terms)[1], scale)
            found.append({e: value * factor for e, value in parsed(line.partition(" ")[2], generators.size,
                                                                   limits.deadline).items()})
        return found

    def _value(self, script, limits, work):
        """The single whole number that a script printed."""
        lines = self._lines(script, limits, work)
        kind, _, text = lines[0].partition(" ") if lines else ("", "", "")
        if len(lines) != 1 or kind != "value" or not _SMALL_NUMBER.fullmatch(text):
            got = [line[:WIDTH_SHOWN] for line in lines[:2]]
            raise EngineError(f"{self.name} {work}: expected one whole number, got {got}")
        return int(text)
