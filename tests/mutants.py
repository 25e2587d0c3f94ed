"""Do tests notice when the code is wrong?  Small changes to a module, one at a time, each with the tests that should fail.

    python -m tests.mutants                                     # all modules of `TESTS`
    python -m tests.mutants symknot/sysid/motion/subsets.py     # one
    python -m tests.mutants --sample 20 --seed 1                # twenty mutants of each

A mutant exchanges one comparison, operator, sign, constant, condition or ``and`` and ``or``, outside of decorators.  It is
killed if a test fails or takes more than `TIME_FACTOR` times the processor time of the true code.  Nothing is written:
each mutant is compiled in a process of its own, in the place of the module, and the tests of the module run there: first those
that came by its line when the true code ran, the quickest first, and if these notice nothing, all.  The table
shows how many were killed, and each survivor with its line; those that cannot change a result are listed in
`tests.equivalent_mutants`, with the reason, and are not counted.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.abc
import importlib.util
import json
import os
import random
import resource
import signal
import sys
import threading
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.equivalent_mutants import EQUIVALENT

ROOT = Path(__file__).parents[1]
TIME_FACTOR, LEAST_SECONDS = 10.0, 5.0
"""A test that takes so many times the processor time that it takes on the true code, and at least so many seconds, does not
end: a convention."""
IDLE_SECONDS = 600.0
"""A mutant that takes so long by the clock waits for something that does not come: a convention."""
TESTS = {
    "symknot/fitting/basis.py": ["tests/test_basis.py"],
    "symknot/fitting/pursuit.py": ["tests/test_basis.py"],
    "symknot/fitting/knotting.py": ["tests/test_basis.py", "tests/test_knotting.py"],
    "symknot/fitting/search.py": ["tests/test_search_steps.py", "tests/test_search.py"],
    "symknot/fitting/structure.py": ["tests/test_structure.py", "tests/test_structure_steps.py", "tests/test_search.py"],
    "symknot/fitting/projection.py": ["tests/test_projection_steps.py", "tests/test_knotting.py"],
    "symknot/fitting/judging.py": ["tests/test_judging.py", "tests/test_search.py"],
    "symknot/fitting/loop.py": ["tests/test_fit_steps.py", "tests/test_checkpoints.py", "tests/test_timeouts.py"],
    "symknot/exact/krawczyk.py": ["tests/test_krawczyk_limits.py", "tests/test_krawczyk.py", "tests/test_certificate.py"],
    "symknot/polynomials/vanishing.py": ["tests/test_points_ideal.py"],
    "symknot/sysid/motion/joint.py": ["tests/test_joint_steps.py", "tests/test_joint.py"],
    "symknot/sysid/motion/subsets.py": ["tests/test_subsets.py"],
    "symknot/ground/journal.py": ["tests/test_checkpoints.py"],
    "symknot/ground/deadline.py": ["tests/test_timeouts.py"],
    "symknot/results/checking.py": ["tests/test_checks.py"],
    "symknot/polynomials/precise.py": ["tests/test_checks.py"],
}
"""Module -> the tests that are to notice, the quick ones first."""
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
    lines: frozenset[int]

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
    reached = lines_reached(tree)
    for place, node in enumerate(ast.walk(tree)):
        for fields in () if node in outside else changes(node):
            other = copy.copy(node)
            for name, value in fields.items():
                setattr(other, name, value)
            before, after = ast.unparse(node), ast.unparse(other)
            if before != after and hasattr(node, "lineno"):
                found.append(Mutant(node.lineno, f"{before} -> {after}", source, place, fields,
                                    reached.get(node, frozenset(range(node.lineno, node.end_lineno + 1)))))
    return found


def lines_reached(tree: ast.Module) -> dict[ast.AST, frozenset[int]]:
    """Nodes that run when the module is imported -> the lines of functions that read the names they are assigned to."""
    reached = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            names = {part.id for part in ast.walk(statement) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
            lines = frozenset(part.lineno for part in ast.walk(tree)
                              if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and part.id in names)
            reached.update((part, lines) for part in ast.walk(statement))
    return reached


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


class Limited:
    """Lets each test take so much processor time, and ends the process where it takes more."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self.seconds = seconds

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item, nextitem):
        allowed = max(TIME_FACTOR * self.seconds[item.nodeid], LEAST_SECONDS)
        resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + allowed) + 1, resource.RLIM_INFINITY))
        yield


class Followed:
    """Lets pytest say which lines of one module each test comes by, and how long it takes."""

    def __init__(self, path: str) -> None:
        self.file = str(ROOT / path)
        self.tests: dict[str, tuple[float, list[int]]] = {}

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item, nextitem):
        lines, began = set(), time.process_time()

        def here(frame, event, argument):
            lines.add(frame.f_lineno)
            return here

        def entered(frame, event, argument):
            return here(frame, event, argument) if frame.f_code.co_filename == self.file else None

        threading.settrace(entered)
        sys.settrace(entered)
        yield
        sys.settrace(None)
        threading.settrace(None)
        self.tests[item.nodeid] = time.process_time() - began, sorted(lines)


def run(path: str, tree: ast.Module, tests: list[str], plugin: Followed | Limited) -> bool:
    """Whether the tests pass with this tree in the place of the module; what was followed is read from the child."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        os.setsid()
        sys.meta_path.insert(0, InItsPlace(path, tree))
        code = 70
        try:
            quick = ["-o", "addopts=", "-m", "not slow and not fuzz", "-x", "-q", "-p", "no:cacheprovider"]
            code = int(pytest.main([*quick, *tests], plugins=[plugin]))
            if isinstance(plugin, Followed):
                os.write(writing, json.dumps(plugin.tests).encode())
        finally:
            os._exit(code)
    os.close(writing)
    alarm = threading.Timer(IDLE_SECONDS, os.killpg, (child, signal.SIGKILL))
    alarm.start()
    with open(reading) as pipe:
        said = pipe.read()
    status = os.waitpid(child, 0)[1]
    alarm.cancel()
    if isinstance(plugin, Followed) and said:
        plugin.tests = json.loads(said)
    return os.waitstatus_to_exitcode(status) == 0


def is_equivalent(path: str, mutant: Mutant) -> bool:
    """Whether `EQUIVALENT` has the mutant."""
    code = mutant.source.splitlines()[mutant.line - 1].strip()
    return any(path == module and code.startswith(start) and (changed is None or mutant.change in changed)
               for (module, start), (changed, _) in EQUIVALENT.items())


def attack(path: str, sample: int | None, seed: int) -> tuple[int, list[Mutant]]:
    """How many mutants of a module were tried, and those that no test notices."""
    source, tests = (ROOT / path).read_text(encoding="utf-8"), TESTS[path]
    followed = Followed(path)
    if not run(path, ast.parse(source), tests, followed):
        raise SystemExit(f"{path}: {', '.join(tests)} fail on the code as it is")
    tried = [mutant for mutant in mutants(source) if not is_equivalent(path, mutant)]
    if sample is not None and sample < len(tried):
        tried = random.Random(seed).sample(tried, sample)
    survivors = []
    for mutant in tried:
        if not is_noticed(path, mutant, followed.tests):
            survivors.append(mutant)
            print(f"{path} survived {mutant}", flush=True)
    return len(tried), survivors


def is_noticed(path: str, mutant: Mutant, tests: dict[str, tuple[float, list[int]]]) -> bool:
    """Whether a test fails or does not end."""
    quickest = sorted(tests, key=lambda name: tests[name][0])
    near = [name for name in quickest if not mutant.lines.isdisjoint(tests[name][1])]
    far = [name for name in quickest if name not in near]
    limited = Limited({name: seconds for name, (seconds, _) in tests.items()})
    return any(not run(path, mutant.tree(), some, limited) for some in (near, far) if some)


def main() -> int:
    """Attack the modules named, or all; the exit code is 1 if fewer than the share asked for were killed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("modules", nargs="*", default=list(TESTS), metavar="MODULE", help="paths; default: all that have tests")
    parser.add_argument("--sample", type=int, metavar="N", help="so many mutants of each module, at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--least", type=float, default=0.85, help="share to be killed (default: %(default)s)")
    arguments = parser.parse_args()
    import scipy.spatial
    import scipy.stats  # noqa: F401 (once, before the forks)
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
