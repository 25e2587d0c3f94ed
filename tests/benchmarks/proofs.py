"""How long provers take: ``python -m tests.benchmarks.proofs``.

For each case the processor seconds of ``coqc`` on the exported file (library included), whether it was accepted, and the axioms
that it rests on; for the solvers those of z3 and cvc5 on a few questions.  Cases are chosen by ``--only``.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import sympy

import symknot
from symknot.engines.process import Limits, run
from symknot.engines.provers import AXIOMS_OF_THE_REALS, axioms, locate_prover, run_solver
from symknot.export import FunctionLetter, export
from symknot.export.smtlib import RULES, declarations, relation
from symknot.export.statements import UniqueZero
from symknot.polynomials.parsing import polynomial_from_text, relation_from_text
from symknot.proof.asking import OPPOSITE

SECONDS, SOLVER_SECONDS = 3600, 60
"""Limits, of the clock."""


def points(digits: int, count: int = 50, size: int = 5, seed: int = 1) -> str:
    """Random points between -1000 and 1000 with so many decimals; the theorem is that the basis is zero exactly there."""
    unit = 10**digits
    rows = np.random.default_rng(seed).integers(-1000 * unit, 1000 * unit + 1, size=(count, size))
    return symknot.points_ideal([tuple(Fraction(int(x), unit) for x in row) for row in rows], list("abcde"[:size])).to_coq()


def small_points(digits: int, seed: int = 1, count: int = 50) -> str:
    """Points in five variables with so many decimals, all below 10."""
    unit = 10**digits
    rows = np.random.default_rng(seed).integers(-10 * unit, 10 * unit + 1, size=(count, 5))
    return symknot.points_ideal([tuple(Fraction(int(x), unit) for x in row) for row in rows], list("abcde")).to_coq()


def boxes(everything: bool) -> str:
    """200 knots of a noisy twisted cubic: a box each, and with `everything` bounds and syzygies, too."""
    t = np.linspace(-1, 1, 200)
    noise = 0.01 * np.random.default_rng(0).normal(size=(200, 3))
    system = symknot.fit(np.c_[t, t**2, t**3] + noise).exact()._system()
    kept = [s if everything else replace(s, bounds={}) for s in system.statements if everything or isinstance(s, UniqueZero)]
    return export(replace(system, statements=tuple(kept)), "coq")


def cyclic(size: int) -> str:
    """The Groebner basis (grevlex) of cyclic-n: every S-polynomial, and Buchberger's criterion."""
    x = sympy.symbols(f"x1:{size + 1}")
    laws = [sum(sympy.prod(x[(i + j) % size] for j in range(k)) for i in range(size)) for k in range(1, size)]
    basis = symknot.engines.engine("auto").groebner([*laws, sympy.prod(x) - 1], order="grevlex", variables=x)
    return symknot.prove_groebner([poly.as_expr() for poly in basis], "grevlex", timeout=SECONDS).to_coq()


FILES: dict[str, Callable[[], str]] = {
    "50 points in 5 variables, integers to 10": lambda: small_points(0),
    "50 points in 5 variables, integers to 1000": lambda: points(0),
    "50 points in 5 variables, 2 decimals, to 10": lambda: small_points(2),
    "50 points in 5 variables, 3 decimals, to 1000 (6 digits)": lambda: points(3),
    "20 points in 5 variables, 14 decimals, to 10 (15 digits)": lambda: small_points(14, count=20),
    "200 boxes (existence and uniqueness)": lambda: boxes(False),
    "200 boxes, bounds and syzygies": lambda: boxes(True),
    "Groebner basis of cyclic-4": lambda: cyclic(4),
    "Groebner basis of cyclic-5": lambda: cyclic(5),
}
QUESTIONS = {
    "circle: x**2 + y**2 <= 4": (["x**2 + y**2 - 1"], "x**2 + y**2 <= 4", ("x", "y")),
    "circle: x*y <= 1/2": (["x**2 + y**2 - 1"], "x*y <= 1/2", ("x", "y")),
    "twisted cubic: y >= 0": (["y - x**2", "z - x**3"], "y >= 0", ("x", "y", "z")),
    "torus: its points are within 3": (["(x**2 + y**2 + z**2 + 3)**2 - 16*x**2 - 16*y**2"], "x**2 + y**2 + z**2 <= 9",
                                       ("x", "y", "z")),
    "pendulum (QF_UFNRA): p' <= 1": (["q' - p", "p' + sin(q)"], "p' <= 1", ("q", "p", "sin(q)", "q'", "p'")),
}
"""Equations, a claim that is true of them, and the variables."""


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def coq_row(name: str, make: Callable[[], str]) -> str:
    """A line of the table."""
    began = time.process_time()
    text = make()
    written = time.process_time() - began
    began = _children()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "file.v")
        file.write_text(text)
        printed = run([*locate_prover("coq"), "-q", "-noglob", str(file)], Limits.checked(SECONDS), work="coq")
    further = sorted(axioms(printed) - AXIOMS_OF_THE_REALS)
    return (f"| {name} | {len(text) / 1e6:.2f} | {written:.1f} | {_children() - began:.1f} | "
            f"{', '.join(further) if further else 'only those of the reals'} |")


def solver_row(name: str) -> str:
    """A line of the table."""
    laws, claim, names = QUESTIONS[name]
    safe = RULES.safe_names(names)
    terms, sign = relation_from_text(claim, names)
    letters = [FunctionLetter(k, "sin", 0) for k, word in enumerate(names) if word == "sin(q)"]
    facts = [*(relation(polynomial_from_text(law, names), "=", safe) for law in laws), relation(terms, OPPOSITE[sign], safe)]
    script = declarations(safe, facts, letters) + "(check-sat)\n"
    cells = []
    for solver in ("z3", "cvc5"):
        began = _children()
        try:
            answer = run_solver(solver, script, Limits.checked(SOLVER_SECONDS)).strip()
        except symknot.TimeLimit:
            answer = f"nothing known after {SOLVER_SECONDS} s"
        cells.append(f"{_children() - began:.2f} ({ {'unsat': 'proved'}.get(answer, answer) })")
    return f"| {name} | {' | '.join(cells)} |"


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="part of a case's name")
    only = parser.parse_args().only
    print("| file | MB | CPU s to write | CPU s of coqc | axioms |\n|---|---|---|---|---|")
    for name, make in FILES.items():
        if only in name:
            print(coq_row(name, make), flush=True)
    print("\n| claim | CPU s of z3 | CPU s of cvc5 |\n|---|---|---|")
    for name in QUESTIONS:
        if only in name:
            print(solver_row(name), flush=True)


if __name__ == "__main__":
    main()
