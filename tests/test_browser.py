"""Under Pyodide's rules (`browser_rules`): what a page may want works, and what needs a program says so."""

import configparser
import os
import re
import subprocess
import sys

import pytest

from .documents import ROOT

MARK = "---- "
RULES = "from tests.browser_rules import enforce; enforce()\n"
ELLIPSE = """
import contextlib, io
import numpy as np
import symknot
angle = np.linspace(0, 6.2, 60)
points = np.c_[2 * np.cos(angle), np.sin(angle)] + 0.02 * np.random.default_rng(0).normal(size=(60, 2))
with contextlib.redirect_stderr(io.StringIO()) as said:
    ideal = symknot.fit(points, names=["x", "y"], progress=True)
"""

FIT = ELLIPSE + """
print(ideal)
print(ideal.readable()[0].terms[0, 2])
exact = ideal.exact()
print(exact.status.value, exact.certificate.verify())
print(ideal.groebner().exprs, ideal.dimension(), ideal.degree())
ideal.save("ellipse.json")
print(symknot.load("ellipse.json").exprs == ideal.exprs)
ideal.plot(points, path="ellipse.png")
exact.to_singular("ellipse.sing")
print("---- progress")
print(said.getvalue())
"""
TIME_LIMIT = """
import sympy, time
from symknot import TimeLimit
from symknot.engines import engine
v = sympy.symbols("a:g")
cyclic = [sum(sympy.prod(v[(k + j) % 7] for j in range(d)) for k in range(7)) for d in range(1, 7)] + [sympy.prod(v) - 1]
start = time.perf_counter()
try:
    engine("sympy").groebner(cyclic, variables=v, timeout=2)
except TimeLimit as error:
    print(error)
print(time.perf_counter() - start < 20)
print(engine("sympy").groebner([v[0]**2 - v[1], v[0]**3 - v[2]], variables=v[:3], order="lex", timeout=60)[0].as_expr())
"""
PROGRAMS = """
from symknot import SymknotError
from symknot.engines import available, engine, install
for attempt in (lambda: engine("singular"), lambda: install("msolve")):
    try:
        attempt()
    except SymknotError as error:
        print(type(error).__name__, error)
print([(found.name, found.runs, found.missing) for found in available()])
"""
IMPORTS = """
import importlib, pkgutil, symknot
for name in symknot.__all__:
    getattr(symknot, name)
names = [module.name for module in pkgutil.walk_packages(symknot.__path__, "symknot.", onerror=print)]
for name in names:
    if not name.startswith(("symknot.paper", "symknot.estimators")) and not name.endswith("__main__"):
        importlib.import_module(name)
print(len(names) > 100)
"""
MOTION = """
import numpy as np
import symknot
from symknot.cli import main
print(main(["fit", "points.csv", "--quiet", "-o", "parabola.json"]))
print(main(["decompose", "parabola.json"]))
t = np.linspace(0, 12, 600)
rng = np.random.default_rng(0)
runs = [np.c_[a * np.cos(2 * t), -2 * a * np.sin(2 * t)] + 0.02 * rng.normal(size=(600, 2)) for a in (1.0, 1.5)]
print(symknot.identify(runs, max_degree=2, time=t))
print(symknot.conserved(runs, time=t))
"""


def in_browser(source, folder):
    """What Python code prints, in a process of its own that keeps the rules."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MPLBACKEND": "agg", "MPLCONFIGDIR": str(folder)}
    done = subprocess.run([sys.executable, "-c", RULES + source], cwd=folder, env=environment, capture_output=True, text=True,
                          timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("page")


@pytest.fixture(scope="module")
def printed(folder):
    """What one page after the other prints, all in one process: numpy and sympy are imported once."""
    rows = [f"{x};{x ** 2}".replace(".", ",") for x in (k / 8 for k in range(-20, 21))]
    (folder / "points.csv").write_text("\n".join(["x;y", *rows]), encoding="utf-8")
    pages = {"fit": FIT, "motion": MOTION, "time limit": TIME_LIMIT, "programs": PROGRAMS, "imports": IMPORTS}
    source = "".join(f"print({MARK + name!r})\nexec({page!r}, {{}})\n" for name, page in pages.items())
    everything = in_browser(source, folder)
    return dict(part.split("\n", 1) for part in everything.split(MARK)[1:])


@pytest.mark.parametrize("source", [
    "import subprocess; subprocess.run(['true'])",
    "import os; os.fork()",
    "import os; os.system('true')",
    "import os; os.posix_spawn('/bin/true', ['true'], {})",
    "import threading; threading.Thread(target=print).start()",
    "from concurrent.futures import ThreadPoolExecutor; ThreadPoolExecutor(1).submit(print).result()",
    "import multiprocessing; multiprocessing.Process(target=print).start()",
    "import socket; socket.create_connection(('127.0.0.1', 80), 1)",
    "import resource",
    "import flint",
])
def test_the_rules_refuse(source, tmp_path):
    done = subprocess.run([sys.executable, "-c", RULES + source], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
                          capture_output=True, text=True, timeout=60)
    refused = r"^(OSError: \[Errno \d+\] emscripten does not support|RuntimeError: can't start new thread|ModuleNotFoundError)"
    assert done.returncode == 1 and re.search(refused, done.stderr, flags=re.MULTILINE), done.stderr


def test_everything_can_be_imported(printed):
    assert printed["imports"].splitlines()[-1] == "True"


def test_a_fit_is_read_made_exact_kept_and_drawn(printed, folder):
    first, *rest = printed["fit"].splitlines()
    assert first.startswith("x**2 + 4*y**2 = 4   +/- 0.0")
    assert rest[-4:] == ["4", "exact True", "[x**2 + 4*y**2 - 4] 1 2", "True"]
    assert (folder / "ellipse.png").read_bytes().startswith(b"\x89PNG")
    assert "x^2+4*y^2-4" in (folder / "ellipse.sing").read_text(encoding="utf-8").replace(" ", "")


def test_motion_files_and_the_command_line(printed):
    said = printed["motion"]
    assert "x**2 - y = 0" in said and "\n0\n" in said and "component 1: x**2 - y = 0" in said
    assert "x' = y\ny' = -4*x" in said and "4*x**2 + y**2" in said


@pytest.mark.parametrize("package", ["numpy", "sympy"])
def test_a_page_that_loads_too_little_is_told(package, tmp_path):
    source = f"""
import sys
sys.modules["{package}"] = None
from symknot.cli import main
sys.stderr = sys.stdout
print(main(["fit", "points.csv"]))
"""
    (tmp_path / "points.csv").write_text("x,y\n1,2\n3,4\n", encoding="utf-8")
    said, code = in_browser(source, tmp_path).splitlines()
    assert said == f"symknot: needs {package}, which is not installed: pip install {package} (in Pyodide: loadPackage)"
    assert code == "2"


def test_what_is_needed_is_what_is_declared():
    from symknot.cli.telling import NEEDED

    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", encoding="utf-8")
    declared = re.findall(r"^\w+", setup["options"]["install_requires"], flags=re.MULTILINE)
    assert set(declared) == NEEDED


def test_progress_is_lines_where_no_thread_can_draw(printed):
    assert printed["progress"].startswith("degree 1   eta ")


def test_sympy_keeps_its_time_limit_without_a_process(printed):
    late, soon, lead = printed["time limit"].splitlines()
    assert (late, soon, lead) == ("sympy groebner: not done within 2 s; raise timeout", "True", "a**2 - b")


def test_what_needs_a_program_says_so(printed):
    singular, msolve, found = printed["programs"].splitlines()
    assert singular == ("EngineMissing Singular cannot run here: a browser starts no programs; engine 'sympy' answers small "
                        "questions, and to_singular writes a script to be run elsewhere")
    assert msolve.startswith("EngineError cannot install here: a browser starts no programs; run symknot outside of it")
    assert found == ("[('singular', False, True), ('macaulay2', False, True), ('msolve', False, True), "
                     "('sympy', True, False), ('coq', False, True), ('z3', False, True), ('cvc5', False, True)]")
