"""Pyodide itself, in node: which rules does it have, and how much of symknot runs there?

Run from the top of the checkout, with a folder in which ``npm install pyodide`` was run::

    python -m tests.benchmarks.pyodide FOLDER

Pyodide's own numpy, scipy, sympy, mpmath and matplotlib are in that folder's ``node_modules/pyodide`` if somebody put them
there, else they come from its server.  What cannot be loaded is named, and what needs it is not run: then only import,
command line and certificate, which need nothing else, are.  Exits with 1 if anything that was run came out wrong.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import anyascii
import numpy as np

import symknot

ROOT = Path(__file__).resolve().parents[2]

STARTER = """
import { createRequire } from "node:module";
const [folder, packages, places, program] = JSON.parse(process.argv[2]);
const { loadPyodide, version } = createRequire(folder + "/")("pyodide");
const pyodide = await loadPyodide({ stdout: console.log, stderr: console.log });
console.log("Pyodide " + version);
for (const name of packages) {
    await pyodide.loadPackage(name, { messageCallback: () => {}, errorCallback: () => {} }).catch(() => {});
}
for (const [mounted, root] of Object.entries(places)) {
    pyodide.FS.mkdirTree(mounted);
    pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root }, mounted);
}
pyodide.runPython(program);
"""
PACKAGES = ("numpy", "scipy", "mpmath", "sympy", "matplotlib")

RULES = """
import importlib.util, os, subprocess, sys, threading
sys.path[:0] = ["/checkout", "/pure"]
print("Python", sys.version.split()[0], "on", sys.platform)

def refused(what, attempt):
    try:
        attempt()
    except (OSError, RuntimeError, ImportError) as error:
        print(f"{what}: {type(error).__name__}: {error}")
    else:
        print(f"{what}: WRONG, nothing was refused")

refused("process", lambda: subprocess.run(["true"]))
refused("fork", os.fork)
refused("thread", lambda: threading.Thread(target=print).start())
for name in ("_multiprocessing", "resource"):
    refused(name, lambda: __import__(name))
"""
ALONE = """
import symknot
from symknot.ground.host import in_browser
from symknot.cli import main
print("symknot", symknot.__version__, "imported; in a browser:", in_browser())
print("$ symknot verify certificate.json")
if main(["verify", "/data/certificate.json"]) != 0:
    print("WRONG")
"""
WHOLE = """
missing = [name for name in ("numpy", "scipy", "mpmath", "sympy", "matplotlib") if importlib.util.find_spec(name) is None]
if missing:
    print("not run, for want of", ", ".join(missing) + ": fit, readable, exact, groebner, plot, save, load")
else:
    import matplotlib
    matplotlib.use("agg")
    import numpy as np
    angle = np.linspace(0, 6.2, 200)
    points = np.c_[2 * np.cos(angle), np.sin(angle)] + 0.02 * np.random.default_rng(0).normal(size=(200, 2))
    ideal = symknot.fit(points, names=["x", "y"])
    print(ideal)
    print("groebner", ideal.groebner().exprs if str(ideal.groebner().exprs) == "[x**2 + 4*y**2 - 4]" else "WRONG")
    print(ideal.exact())
    ideal.save("/tmp/ellipse.json")
    print("loaded again:", symknot.load("/tmp/ellipse.json").exprs == ideal.exprs or "WRONG")
    ideal.plot(points, path="/tmp/ellipse.png")
    print("drawn,", os.path.getsize("/tmp/ellipse.png"), "bytes")
"""


def certificate(path: Path) -> None:
    """Prove an ellipse, outside of the browser."""
    angle = np.linspace(0, 6.2, 100)
    points = np.c_[2 * np.cos(angle), np.sin(angle)] + 0.02 * np.random.default_rng(0).normal(size=(100, 2))
    symknot.fit(points, names=["x", "y"]).exact().certificate.save(path)


def main() -> int:
    parser = argparse.ArgumentParser(description="Run symknot in Pyodide, in node.")
    parser.add_argument("folder", type=Path, help="where `npm install pyodide` was run")
    folder = parser.parse_args().folder.resolve()
    with tempfile.TemporaryDirectory() as data:
        certificate(Path(data) / "certificate.json")
        starter = Path(data) / "start.mjs"
        starter.write_text(STARTER, encoding="utf-8")
        places = {"/checkout": str(ROOT), "/data": data, "/pure/anyascii": str(Path(anyascii.__file__).parent)}
        told = json.dumps([str(folder), PACKAGES, places, RULES + ALONE + WHOLE])
        done = subprocess.run(["node", str(starter), told], stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout, end="")
    return 1 if done.returncode or "WRONG" in done.stdout else 0


if __name__ == "__main__":
    sys.exit(main())
