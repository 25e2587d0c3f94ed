"""sympy, always there: small ideals only, in a child process when there is a time limit.

Python code cannot be stopped from outside without its process, so a call with a time limit
runs in a worker (`sympy_worker.py`) that gets the same limits as any other program.  Where there
are no processes, in a browser, it runs here and the clock is watched; memory is not.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import sympy
from sympy.polys.orderings import ProductOrder, grevlex

from ..ground.errors import NotSupported
from ..ground.host import in_browser
from ..polynomials.conversion import poly_of, terms_of
from .arithmetic import without_places
from .derived import DerivedEngine
from .process import run
from .wire import decoded, encoded


class Sympy(DerivedEngine):
    """The engine "sympy"."""

    name = "sympy"

    def _answer(self, call, limits, *arguments):
        if limits.deadline.seconds is None:
            return super()._answer(call, limits, *arguments)
        if in_browser():
            with limits.deadline.watching(f"sympy {call}"):
                return super()._answer(call, limits, *arguments)
        question = json.dumps({"call": call, "arguments": encoded(list(arguments))})
        places = os.pathsep.join(str(Path(place).resolve()) for place in sys.path)
        text = run([sys.executable, "-m", "symknot.engines.sympy_worker"], limits, work=f"sympy {call}",
                   stdin=question, environment={"PYTHONPATH": places})
        reply = json.loads(text)
        if "not_supported" in reply:
            raise NotSupported(self.name, reply["not_supported"], reply["instead"])
        return decoded(reply["answer"])

    def _version(self, limits):
        return sympy.__version__

    def _groebner(self, generators, order, limits):
        return _basis(generators, order)

    def _eliminate(self, generators, places, limits):
        left = [k for k in range(generators.size) if k not in places]
        order = ProductOrder((grevlex, lambda m: tuple(m[k] for k in places)),
                             (grevlex, lambda m: tuple(m[k] for k in left)))
        return [without_places(terms, places) for terms in _basis(generators, order)
                if not any(exponents[k] for exponents in terms for k in places)]


def _basis(generators, order):
    variables = sympy.symbols(f"x1:{generators.size + 1}")
    polynomials = [poly_of(terms, variables) for terms in generators.polynomials]
    basis = sympy.groebner(polynomials, *variables, order=order, domain=sympy.QQ)
    return [terms_of(polynomial, variables) for polynomial in basis.polys]
