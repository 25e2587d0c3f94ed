"""msolve (https://msolve.lip6.fr): grevlex bases, elimination and real solutions, fast on large ones.

It has no other order and no decomposition; everything else is derived from its bases here.
Over the rational numbers it computes modulo random primes and stops once the answer is
stable: right with overwhelming probability, not with a proof.
"""

from __future__ import annotations

import re
from fractions import Fraction

from ..ground.errors import EngineError, NotSupported
from .conversion import Generators
from .derived import DerivedEngine
from .process import run
from .text import ONE_LINE, WIDTH_SHOWN, number_of, parsed, variable_names, written

_BASIS = re.compile(r"(?:#[^\n]*\n)*\[([^\[\]]*)\]:\s*")
_BOUND = r"(-?\d+)(?: / 2\^(\d{1,9}))?"
_INTERVAL = re.compile(rf"\[{_BOUND}, {_BOUND}\]", re.ASCII)
_SOLUTIONS = re.compile(r"\[0, \[1,\s*\[((?:[\[\]\d\s,/^-])*)\]\s*\]\]:\s*")

_PRECISION = 128
"""Binary digits of the real solutions: 2^-60 is promised, relative to a coordinate; the rest is for large ones."""
_LARGEST_POWER = 10**6
"""Binary digits of a denominator in an answer: a convention, far beyond the precision that was asked for."""
_LONGEST_VERSION = 40
"""Characters of what it says about its version."""


class Msolve(DerivedEngine):
    """The engine "msolve"."""

    name = "msolve"

    def __init__(self, path: str) -> None:
        self.path = str(path)

    def _run(self, generators, limits, work, *options):
        lines = [written(terms, ONE_LINE) for terms in generators.polynomials]      # a line for each
        text = ",".join(variable_names(generators.size)) + "\n0\n" + ",\n".join(lines) + "\n"
        return run([self.path, "-f", "system.ms", *options], limits, work=f"msolve {work}", files={"system.ms": text})

    def _version(self, limits):
        return run([self.path, "-V"], limits, work="msolve version").strip()[:_LONGEST_VERSION]

    def _groebner(self, generators, order, limits):
        if order != "grevlex":
            raise NotSupported(self.name, f"{order} order", ("singular", "macaulay2", "sympy"))
        return self._read_basis(self._run(generators, limits, "groebner", "-g", "2"), generators.size, limits)

    def _eliminate(self, generators, places, limits):
        # msolve eliminates the first variables
        order = [*places, *(k for k in range(generators.size) if k not in places)]
        turned = [{tuple(exponents[k] for k in order): value for exponents, value in terms.items()}
                  for terms in generators.polynomials]
        text = self._run(Generators(generators.size, tuple(turned)), limits, "eliminate",
                         "-g", "2", "-e", str(len(places)))
        return [{exponents[len(places):]: value for exponents, value in terms.items()}
                for terms in self._read_basis(text, generators.size, limits)]

    def _read_basis(self, text, size, limits):
        match = _BASIS.fullmatch(text)
        if match is None:
            raise EngineError(f"msolve: cannot read the answer {text[-WIDTH_SHOWN:]!r}")
        polynomials = (parsed(part.strip(), size, limits.deadline) for part in match[1].split(",") if part.strip())
        return [terms for terms in polynomials if terms]

    def _real_solutions(self, generators, limits):
        text = self._run(generators, limits, "real_solutions", "-p", str(_PRECISION))
        answer = text.strip()
        if answer == "[-1]:":                            # no complex zero
            return []
        if re.fullmatch(r"\[1, \d+, -1, \[\]\]:", answer):
            return None
        match = _SOLUTIONS.fullmatch(answer)
        if match is None:
            raise EngineError(f"msolve real_solutions: cannot read the answer {text[:WIDTH_SHOWN]!r}")
        bounds = [(_dyadic(low, a), _dyadic(high, b)) for low, a, high, b in _INTERVAL.findall(match[1])]
        return [tuple(bounds[k:k + generators.size]) for k in range(0, len(bounds), generators.size)]


def _dyadic(numerator, power):
    if int(power or 0) > _LARGEST_POWER:
        raise EngineError(f"msolve real_solutions: an answer has the denominator 2^{power}, beyond 2^{_LARGEST_POWER}")
    return Fraction(number_of(numerator), 2 ** int(power or 0))
