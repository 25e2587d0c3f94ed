"""Singular (https://www.singular.uni-kl.de): the fastest start and the widest choice of calls.

Traps, each met by a test: an exponent beyond an int (``2^70``) is read as 0, so numbers go
in full; errors leave exit code 0; `pointid.lib` wants an ordering that Singular 4.4 no longer
has and `interpolation` is slow with large fractions, so points become intersections; what
`sat` returns changed between versions, so saturations are eliminations.
"""

from __future__ import annotations

from ..polynomials.terms import without_denominators
from .arithmetic import is_one, without_places
from .conversion import point_generators
from .process import run
from .script import ScriptEngine
from .text import variable_names, written

_ORDERS = {"grevlex": "dp", "grlex": "Dp", "lex": "lp"}

_PRINTER = """\
proc skPrint(ideal skJ) {
  int skK;
  "sk:ideal";
  for (skK = 1; skK <= ncols(skJ); skK++) { "sk:poly " + string(skJ[skK]); }
}"""


class Singular(ScriptEngine):
    """The engine "singular"."""

    name = "singular"

    def _run(self, script, limits, work):
        head = ["option(noredefine); option(redSB); short = 0;", _PRINTER]
        text = "\n".join([*head, *script, '"sk:end";', "quit;", ""])
        return run([self.path, "-q", "--no-rc", "--no-warn"], limits, work=work, stdin=text)

    def _version(self, limits):
        number = str(self._value(['"sk:value " + string(system("version"));'], limits, "version"))
        return ".".join(number[:3])                      # 44105 stands for 4.4.1

    def _groebner(self, generators, order, limits):
        script = [*_ideal(generators, order), "skPrint(groebner(skI));"]
        return self._ideals(script, generators.size, limits, "groebner")[0]

    def _dimension(self, generators, limits):
        return self._value([*_ideal(generators), '"sk:value " + string(dim(groebner(skI)));'], limits, "dimension")

    def _degree(self, generators, limits):
        return self._value([*_ideal(generators), '"sk:value " + string(mult(groebner(skI)));'], limits, "degree")

    def _normal_form(self, generators, g, order, limits):
        factor = without_denominators(g)[1]
        script = [*_ideal(generators, order), f"poly skG = {written(g)};", "skPrint(reduce(skG, groebner(skI)));"]
        rest = self._ideals(script, generators.size, limits, "normal_form")[0]
        return {exponents: value / factor for terms in rest for exponents, value in terms.items()}

    def _radical(self, generators, limits):
        script = ['LIB "primdec.lib";', *_ideal(generators), "skPrint(groebner(radical(skI)));"]
        return self._ideals(script, generators.size, limits, "radical")[0]

    def _primary_decomposition(self, generators, limits):
        script = ['LIB "primdec.lib";', *_ideal(generators), "list skL = primdecGTZ(skI);", "int skN;",
                  "for (skN = 1; skN <= size(skL); skN++)",
                  "{ skPrint(groebner(skL[skN][1])); skPrint(groebner(skL[skN][2])); }"]
        ideals = self._ideals(script, generators.size, limits, "primary_decomposition")
        return [pair for pair in zip(ideals[::2], ideals[1::2]) if not is_one(pair[0])]

    def _eliminate(self, generators, places, limits):
        gone = "*".join(f"x{place + 1}" for place in places)
        script = [*_ideal(generators), f"skPrint(groebner(eliminate(skI, {gone})));"]
        basis = self._ideals(script, generators.size, limits, "eliminate")[0]
        return [without_places(terms, places) for terms in basis]

    def _quotient(self, generators, g, limits):
        script = [*_ideal(generators), f"poly skG = {written(g)};", "skPrint(groebner(quotient(skI, ideal(skG))));"]
        return self._ideals(script, generators.size, limits, "quotient")[0]

    def _cofactors(self, generators, g, limits):
        script = [*_ideal(generators), f"poly skG = {written(g)};", "int skK;",
                  'if (reduce(skG, groebner(skI)) != 0) { "sk:value 0"; } else { matrix skT = lift(skI, ideal(skG));',
                  'for (skK = 1; skK <= ncols(skI); skK++) { "sk:poly " + string(skT[skK, 1]); } }']
        return self._scaled_cofactors(script, generators, g, limits)

    def _intersect(self, ideals, limits):
        return self._intersection(ideals, "grevlex", limits, "intersect")

    def _points_ideal(self, points, size, order, limits):
        return self._intersection([point_generators(point) for point in points], order, limits, "points_ideal")

    def _intersection(self, ideals, order, limits, work):
        script = _ideal(ideals[0], order)
        for generators in ideals[1:]:
            script += [*_generators("skJ", generators), "skI = intersect(skI, skJ);", "kill skJ;"]
        return self._ideals([*script, "skPrint(groebner(skI));"], ideals[0].size, limits, work)[0]


def _ideal(generators, order="grevlex"):
    """Lines that define the ring skR and the ideal skI."""
    return [f"ring skR = 0, ({','.join(variable_names(generators.size))}), {_ORDERS[order]};",
            *_generators("skI", generators)]


def _generators(name, generators):
    return [f"ideal {name};", *(f"{name}[{k}] = {written(p)};" for k, p in enumerate(generators.polynomials, 1))]
