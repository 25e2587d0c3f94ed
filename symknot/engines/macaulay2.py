"""Macaulay2 (https://macaulay2.com): slow to start (0.8 s), strong in commutative algebra.

Traps, each met by a test: a flat sum of 30,000 terms takes minutes to read, a balanced tree
of sums seconds; it needs a home folder to start at all; with less than about 700 MB of memory
it hangs instead of ending, so less than 1000 is refused.
"""

from __future__ import annotations

from ..ground.errors import EngineError
from ..polynomials.numerals import integer_text
from ..polynomials.terms import without_denominators
from .arithmetic import is_one, without_places
from .process import run
from .script import ScriptEngine
from .text import TREE, variable_names, written

_ORDERS = {"grevlex": "GRevLex", "grlex": "GLex", "lex": "Lex"}

LEAST_MEMORY = 1000
"""Memory in MB below which it is refused: below about 700 it hangs instead of ending, measured."""

_PRINTER = """\
skPrint = skJ -> (print "sk:ideal"; scan(skJ, skF -> print("sk:poly " | toString skF)));
skBasis = skJ -> flatten entries gens gb skJ;"""


class Macaulay2(ScriptEngine):
    """The engine "macaulay2"."""

    name = "macaulay2"

    def _run(self, script, limits, work):
        if limits.memory is not None and limits.memory < LEAST_MEMORY:
            raise EngineError(f"{work}: needs more than {limits.memory} MB of memory; raise memory to {LEAST_MEMORY}")
        text = "\n".join([_PRINTER, *script, 'print "sk:end"', ""])
        return run([self.path, "--script", "script.m2"], limits, work=work, files={"script.m2": text})

    def _version(self, limits):
        lines = self._lines(['print("sk:value " | version#"VERSION")'], limits, "version")
        return lines[0].removeprefix("value ")

    def _groebner(self, generators, order, limits):
        return self._ideals([*_ideal(generators, order), "skPrint skBasis skI"], generators.size, limits, "groebner")[0]

    def _dimension(self, generators, limits):
        return self._value([*_ideal(generators), 'print("sk:value " | toString dim skI)'], limits, "dimension")

    def _degree(self, generators, limits):
        return self._value([*_ideal(generators), 'print("sk:value " | toString degree skI)'], limits, "degree")

    def _normal_form(self, generators, g, order, limits):
        factor = without_denominators(g)[1]
        script = [*_ideal(generators, order), f"skG = {_polynomial(g)}", "skPrint {skG % gb skI}"]
        rest = self._ideals(script, generators.size, limits, "normal_form")[0]
        return {exponents: value / factor for terms in rest for exponents, value in terms.items()}

    def _radical(self, generators, limits):
        return self._ideals([*_ideal(generators), "skPrint skBasis radical skI"], generators.size, limits, "radical")[0]

    def _is_radical(self, generators, limits):
        script = [*_ideal(generators), 'print("sk:value " | (if radical skI == skI then "1" else "0"))']
        return bool(self._value(script, limits, "is_radical"))

    def _primary_decomposition(self, generators, limits):
        script = [*_ideal(generators),
                  "scan(primaryDecomposition skI, skQ -> (skPrint skBasis skQ; skPrint skBasis radical skQ))"]
        ideals = self._ideals(script, generators.size, limits, "primary_decomposition")
        return [pair for pair in zip(ideals[::2], ideals[1::2]) if not is_one(pair[0])]

    def _eliminate(self, generators, places, limits):
        gone = ", ".join(f"x{place + 1}" for place in places)
        script = [*_ideal(generators), f"skPrint skBasis eliminate({{{gone}}}, skI)"]
        basis = self._ideals(script, generators.size, limits, "eliminate")[0]
        return [without_places(terms, places) for terms in basis]

    def _quotient(self, generators, g, limits):
        return self._with_polynomial_g("quotient", generators, g, limits)

    def _saturate(self, generators, g, limits):
        return self._with_polynomial_g("saturate", generators, g, limits)

    def _with_polynomial_g(self, call, generators, g, limits):
        script = [*_ideal(generators), f"skG = {_polynomial(g)}", f"skPrint skBasis {call}(skI, ideal skG)"]
        return self._ideals(script, generators.size, limits, call)[0]

    def _cofactors(self, generators, g, limits):
        script = [*_ideal(generators), f"skG = {_polynomial(g)}",
                  'if skG % skI != 0 then print "sk:value 0" else scan(flatten entries (matrix {{skG}} // gens skI), '
                  'skF -> print("sk:poly " | toString skF))']
        return self._scaled_cofactors(script, generators, g, limits)

    def _intersect(self, ideals, limits):
        script = _ideal(ideals[0])
        for generators in ideals[1:]:
            script.append(f"skI = intersect(skI, {_generators(generators)})")
        return self._ideals([*script, "skPrint skBasis skI"], ideals[0].size, limits, "intersect")[0]

    def _points_ideal(self, points, size, order, limits):
        rows = ["{" + ", ".join(f"{integer_text(v.numerator)}/{integer_text(v.denominator)}" for v in row) + "}"
                for row in zip(*points)]
        script = ['needsPackage "Points"', _ring(size, order), f"skM = matrix {{{', '.join(rows)}}}",
                  "skPrint last affinePoints(skM, skR)"]
        return self._ideals(script, size, limits, "points_ideal")[0]


def _ring(size, order):
    return f"skR = QQ[{', '.join(variable_names(size))}, MonomialOrder => {_ORDERS[order]}]"


def _ideal(generators, order="grevlex"):
    """Lines that define the ring skR and the ideal skI."""
    return [_ring(generators.size, order), f"skI = {_generators(generators)}"]


def _generators(generators):
    return "ideal(" + ",\n".join(map(_polynomial, generators.polynomials)) + ")"


def _polynomial(terms):
    return f"({written(terms, TREE)} + 0_skR)"           # a constant alone would not be in the ring
