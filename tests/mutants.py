"""Do tests notice when the code is wrong?  Small changes to a module, one at a time, each with the tests that should fail.

    python -m tests.mutants                                     # all modules of `TESTS`
    python -m tests.mutants symknot/sysid/motion/subsets.py     # one
    python -m tests.mutants --sample 20 --seed 1                # twenty mutants of each

A mutant exchanges one comparison, operator, sign, constant, condition or ``and`` and ``or``, outside of decorators.  It is
killed if a test fails or takes longer than `TIME_FACTOR` times what the tests take on the true code.  Nothing is written:
each mutant is compiled in a process of its own, in the place of the module, and the tests of the module run there.  The table
shows how many were killed, and each survivor with its line; one that cannot change a result is listed in `EQUIVALENT`, with
the reason.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.abc
import importlib.util
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
TIME_FACTOR, LEAST_SECONDS = 10.0, 60.0
"""A mutant that takes so many times as long as the true code, and at least so many seconds, does not end: a convention."""
TESTS = {
    "symknot/fitting/basis.py": ["tests/test_basis.py"],
    "symknot/fitting/pursuit.py": ["tests/test_basis.py"],
    "symknot/fitting/knotting.py": ["tests/test_basis.py", "tests/test_knotting.py"],
    "symknot/fitting/search.py": ["tests/test_search.py"],
    "symknot/fitting/structure.py": ["tests/test_search.py", "tests/test_noise.py"],
    "symknot/fitting/projection.py": ["tests/test_knotting.py"],
    "symknot/fitting/judging.py": ["tests/test_judging.py", "tests/test_search.py"],
    "symknot/fitting/loop.py": ["tests/test_fit_steps.py", "tests/test_checkpoints.py", "tests/test_timeouts.py"],
    "symknot/exact/krawczyk.py": ["tests/test_krawczyk.py", "tests/test_certificate.py"],
    "symknot/polynomials/vanishing.py": ["tests/test_points_ideal.py"],
    "symknot/sysid/motion/joint.py": ["tests/test_joint_steps.py", "tests/test_joint.py"],
    "symknot/sysid/motion/subsets.py": ["tests/test_subsets.py"],
    "symknot/ground/journal.py": ["tests/test_checkpoints.py"],
    "symknot/ground/deadline.py": ["tests/test_timeouts.py"],
    "symknot/results/checking.py": ["tests/test_checks.py"],
    "symknot/polynomials/precise.py": ["tests/test_checks.py"],
}
"""Module -> the tests that are to notice, the quick ones first."""
ONE_WAY = "only chooses between two ways to the same singular values"
SAME_SOLUTION = "only chooses between two ways to the same solution"
JOINT = "symknot/sysid/motion/joint.py"
KRAWCZYK = "symknot/exact/krawczyk.py"
SUBSETS = "symknot/sysid/motion/subsets.py"
TO_THE_BIT = "differs only where computed sums agree to the last bit, on which nothing may depend"
EQUIVALENT: dict[tuple[str, str], tuple[set[str] | None, str]] = {
    ("symknot/fitting/basis.py", "if problem.knot_factor is problem.data_factor and np.abs("): (None, ONE_WAY),
    ("symknot/fitting/basis.py", "return F / np.where(norms > 0, norms, 1), adjustable"): (
        {"norms > 0 -> norms >= 0", "1 -> 2"}, "F has no polynomial of norm 0: what it has exceeds the tolerance"),
    ("symknot/fitting/pursuit.py", "quadratic = worst / noise <= (before / noise) ** 2"): (
        {"worst / noise <= (before / noise) ** 2 -> worst / noise < (before / noise) ** 2"}, TO_THE_BIT),
    ("symknot/fitting/pursuit.py", "return weights @ np.sum(steps**2, axis=1) > steps.shape[1]"): (
        {"weights @ np.sum(steps ** 2, axis=1) > steps.shape[1] * (FARTHEST_MEAN * epsilon) ** 2 * weights.sum() -> "
         "weights @ np.sum(steps ** 2, axis=1) >= steps.shape[1] * (FARTHEST_MEAN * epsilon) ** 2 * weights.sum()"},
        TO_THE_BIT),
    (SUBSETS, "SWEEPS_PER_INVERSE = 25"): ({"25 -> 26"}, "a convention about rounding; one sweep more loses no digit"),
    (SUBSETS, "b = np.where(np.diag(S) > NOTHING_NEW, pull / size, 0.0)"): (
        {"np.diag(S) > NOTHING_NEW -> np.diag(S) >= NOTHING_NEW"}, TO_THE_BIT),
    (SUBSETS, "moves = [([outside[i]], adding[i])"): ({"adding < within -> adding <= within"}, TO_THE_BIT),
    (SUBSETS, "moves += [([inside[k]], dropping[k])"): ({"dropping < within -> dropping <= within"}, TO_THE_BIT),
    (SUBSETS, "moves += [([inside[k], outside[i]], exchanging[i, k])"): (
        {"exchanging < within -> exchanging <= within"}, TO_THE_BIT),
    (SUBSETS, "self.S, self.b, self.penalty, self.mask, self.sweeps = S"): (None, "`_anew` sets it in the next line"),
    (SUBSETS, "if -rises[k] <= LEAST_GAIN:"): ({"-rises[k] <= LEAST_GAIN -> -rises[k] < LEAST_GAIN"}, TO_THE_BIT),
    (SUBSETS, "if -adding[best] > LEAST_GAIN or not"): (
        {"-adding[best] > LEAST_GAIN -> -adding[best] >= LEAST_GAIN"}, TO_THE_BIT),
    (SUBSETS, "if cost >= least - LEAST_GAIN:"): (
        {"cost >= least - LEAST_GAIN -> cost > least - LEAST_GAIN"}, TO_THE_BIT),
    (SUBSETS, "if cost < least - LEAST_GAIN:"): (
        {"cost < least - LEAST_GAIN -> cost <= least - LEAST_GAIN"}, TO_THE_BIT),
    (SUBSETS, "if gain <= LEAST_GAIN:"): ({"gain <= LEAST_GAIN -> gain < LEAST_GAIN"}, TO_THE_BIT),
    ("symknot/fitting/projection.py", "POLISHING_STEPS = 4"): ({"4 -> 5"}, "a convention; two steps are enough"),
    ("symknot/fitting/projection.py", "better = values_again + pull * away_again <"): (
        {"values_again + pull * away_again < (values + pull * away)[stuck] -> "
         "values_again + pull * away_again <= (values + pull * away)[stuck]"}, TO_THE_BIT),
    (KRAWCZYK, "if np.abs(step).max() <= SETTLED_STEP:"): (
        {"np.abs(step).max() <= SETTLED_STEP -> np.abs(step).max() < SETTLED_STEP"}, TO_THE_BIT),
    (JOINT, "if (len(factor) - 1) * (P + 1) < LEAST_BLOCKWISE:"): (None, SAME_SOLUTION),
    (JOINT, "LEAST_BLOCKWISE = 1000"): (None, SAME_SOLUTION),
    (JOINT, "SMALLEST_BLOCK = 64"): (None, SAME_SOLUTION),
    (JOINT, "return _solved(factor, _solved(factor, b.T.reshape(-1, 1)"): ({"1 -> 2"}, "numpy takes any negative length as -1"),
    (JOINT, "quiet = change @ information @ change"): ({"1 -> 2"}, "without coefficients there is no change either"),
    (JOINT, "return float(np.sqrt(max(change @ information"): ({"1 -> 2"}, "without coefficients there is no change either"),
}
"""(module, how a line of it begins) -> which changes of the line (None: all) no test can notice, and why."""
COMPARISONS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
               ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In}
OPERATORS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult,
             ast.FloorDiv: ast.Mult}


class Mutant(NamedTuple):
    """One change: where, what, and the module it is made in."""

    line: int
    change: str
    source: str
    place: int
    fields: dict[str, object]

    def __str__(self) -> str:
        return f"line {self.line}: {self.change}"

    def tree(self) -> ast.Module:
        """The whole module with the change."""
        tree = ast.parse(self.source)
        target = next(node for number, node in enumerate(ast.walk(tree)) if number == self.place)
        for name, value in self.fields.items():
            setattr(target, name, value)
        return ast.fix_missing_locations(tree)


def mutants(source: str) -> list[Mutant]:
    """All mutants of a module's source.

    Examples
    --------
    >>> [str(mutant) for mutant in mutants("def f(x):\\n    return x < 2")]
    ['line 2: x < 2 -> x <= 2', 'line 2: 2 -> 3']
    """
    found, tree = [], ast.parse(source)
    decorators = [one for node in ast.walk(tree) for one in getattr(node, "decorator_list", [])]
    outside = {part for one in decorators for part in ast.walk(one)}
    for place, node in enumerate(ast.walk(tree)):
        for fields in () if node in outside else changes(node):
            other = copy.copy(node)
            for name, value in fields.items():
                setattr(other, name, value)
            before, after = ast.unparse(node), ast.unparse(other)
            if before != after and hasattr(node, "lineno"):
                found.append(Mutant(node.lineno, f"{before} -> {after}", source, place, fields))
    return found


def changes(node: ast.AST) -> list[dict[str, object]]:
    """Fields of a node with other values."""
    if isinstance(node, ast.Compare):
        return [{"ops": [COMPARISONS[type(node.ops[0])](), *node.ops[1:]]}]
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS and not isinstance(node.left, ast.Constant | ast.JoinedStr):
        return [{"op": OPERATORS[type(node.op)]()}]
    if isinstance(node, ast.BoolOp):
        return [{"op": ast.Or() if isinstance(node.op, ast.And) else ast.And()}]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return [{"op": ast.UAdd()}]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return [{"op": ast.UAdd(), "operand": ast.Call(ast.Name("bool", ast.Load()), [node.operand], [])}]
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return [{"value": not node.value}]
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return [{"value": node.value + 1}]
    if isinstance(node, ast.Constant) and isinstance(node.value, float):
        return [{"value": 10 * node.value if node.value else 1.0}]
    return []


class InItsPlace(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module as a mutant."""

    def __init__(self, path: str, tree: ast.Module) -> None:
        self.name = path.removesuffix(".py").replace("/", ".")
        self.file, self.tree = str(ROOT / path), tree

    def find_spec(self, name, path, target=None):
        return importlib.util.spec_from_file_location(name, self.file, loader=self) if name == self.name else None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(compile(self.tree, self.file, "exec"), module.__dict__)


def run(path: str, tree: ast.Module, tests: list[str], seconds: float) -> tuple[bool, float]:
    """Whether the tests pass with this tree in the place of the module, and how long they took."""
    began = time.monotonic()
    child = os.fork()
    if not child:
        import pytest
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        os.setsid()
        sys.meta_path.insert(0, InItsPlace(path, tree))
        code = 70
        try:
            quick = ["-o", "addopts=", "-m", "not slow and not fuzz", "-x", "-q", "-p", "no:cacheprovider"]
            code = int(pytest.main([*quick, *tests]))
        finally:
            os._exit(code)
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status) == 0, time.monotonic() - began
        if time.monotonic() - began > seconds:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return False, seconds
        time.sleep(0.05)


def is_equivalent(path: str, mutant: Mutant) -> bool:
    """Whether `EQUIVALENT` has the mutant."""
    code = mutant.source.splitlines()[mutant.line - 1].strip()
    return any(path == module and code.startswith(start) and (changed is None or mutant.change in changed)
               for (module, start), (changed, _) in EQUIVALENT.items())


def attack(path: str, sample: int | None, seed: int) -> tuple[int, list[Mutant]]:
    """How many mutants of a module were tried, and those that no test notices."""
    source, tests = (ROOT / path).read_text(encoding="utf-8"), TESTS[path]
    passed, seconds = run(path, ast.parse(source), tests, 3600.0)
    if not passed:
        raise SystemExit(f"{path}: {', '.join(tests)} fail on the code as it is")
    tried = [mutant for mutant in mutants(source) if not is_equivalent(path, mutant)]
    if sample is not None and sample < len(tried):
        tried = random.Random(seed).sample(tried, sample)
    limit = max(TIME_FACTOR * seconds, LEAST_SECONDS)
    survivors = []
    for mutant in tried:
        if run(path, mutant.tree(), tests, limit)[0]:
            survivors.append(mutant)
            print(f"{path} survived {mutant}", flush=True)
    return len(tried), survivors


def main() -> int:
    """Attack the modules named, or all; the exit code is 1 if fewer than the share asked for were killed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("modules", nargs="*", default=list(TESTS), metavar="MODULE", help="paths; default: all that have tests")
    parser.add_argument("--sample", type=int, metavar="N", help="so many mutants of each module, at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--least", type=float, default=0.85, help="share to be killed (default: %(default)s)")
    arguments = parser.parse_args()
    import numpy  # noqa: F401 (once, before the forks)
    import pytest  # noqa: F401
    import scipy.stats  # noqa: F401
    import sympy  # noqa: F401
    total = killed = 0
    for path in arguments.modules:
        tried, survivors = attack(path, arguments.sample, arguments.seed)
        total, killed = total + tried, killed + tried - len(survivors)
        print(f"{path}: {tried - len(survivors)} of {tried} killed", flush=True)
    print(f"{killed} of {total} killed, {killed / max(total, 1):.0%}")
    return 0 if killed >= arguments.least * total else 1


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(main())
