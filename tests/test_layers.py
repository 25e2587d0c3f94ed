"""The package is a one-way road of rooms: each room imports only from rooms before it, and inside a room each file
only from files before it. Read from the source itself."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "symknot"

#: Rooms from the ground up, and the files of each in their order. A new file must choose its place here.
ROOMS = {
    "": ("_version",),
    "ground": ("wording", "errors", "host", "memory", "calls", "checks", "deadline", "progress", "blocks", "threads", "lapack",
               "few_numbers", "tall_factor", "ranges", "linalg", "lowest", "neighbours", "exact_linear", "storage", "journal"),
    "polynomials": ("monomials", "product_basis", "evaluation", "few_monomials", "term_orders", "numerals", "terms",
                    "rational_json", "infix", "spelling", "symbols", "expressions", "conversion", "vanishing", "latex",
                    "equation", "plain", "parsing", "precise"),
    "reading": ("names", "cells", "dates", "tables", "frames", "choosing", "decoding", "sniffing", "assembling", "text",
                "columnar", "files", "sources", "points", "streams", "big_files", "clusters"),
    "fitting": ("work", "recursion", "seen", "slopes", "at_points", "redundancy", "degree", "normalization", "basis",
                "joint_rows", "revision", "knotting", "descent", "projection", "penalty", "merging", "pursuit", "noise",
                "structure", "recording", "sampled", "hypothesis", "bending", "extending", "judging", "other_noise", "search",
                "outliers", "coordinates", "robust", "runners_up", "planes", "spectrum", "finding", "power_law", "stored",
                "settings", "fitted", "progressed", "nearest_points", "binomial", "summaries", "streamed_points", "loop",
                "rivals", "reduced", "streamed", "streamed_weights", "streamed_fit"),
    "symbolic": ("expansion", "nested", "compiled", "polynomial", "bias", "uncertainty", "rounding", "simplest",
                 "binomial", "point_sets", "readable"),
    "engines": ("arithmetic", "conversion", "leading", "finite", "guard", "process", "base", "lifting", "derived", "text",
                "script", "singular", "macaulay2", "msolve", "wire", "sympy_engine", "sympy_worker", "finding", "auto",
                "install", "cvc5_worker", "provers"),
    "exact": ("verify", "expected", "rational", "krawczyk", "syzygies", "certificate", "nearest", "knots",
              "equations", "numbers", "build"),
    "export": ("statements", "system", "reserved", "names", "script", "targets", "methods", "registry", "singular", "macaulay2",
               "cocoa5", "sage", "magma", "maple", "mathematica", "msolve", "latex", "python", "c", "jsonfile",
               "coq_text", "coq_boxes", "coq_points", "coq_groebner", "coq_motion", "coq_words", "coq", "lean", "smtlib",
               "mrdi", "mathjson", "mathml"),
    "proof": ("claims", "checking", "confirming", "asking", "proving", "ideals"),
    "showing": ("equations", "style", "typesetting", "mathml", "pictures", "zero_sets", "curves", "surfaces", "scene", "marks",
                "plane_pictures", "space_pictures", "pair_pictures", "fit_pictures", "residual_pictures", "spectrum_pictures",
                "phase_pictures", "comparison_pictures", "reason_pictures", "figures", "shape_figures", "evidence_figures",
                "run_figures", "thumbnails", "pages", "reports", "notebooks"),
    "results": ("reported", "checking", "base", "drawn", "saving", "readable", "points_ideal", "exact_ideal", "exact_files",
                "fit_report", "fit_checks", "ideal", "ideal_files", "fit"),
    "sysid": (),
    "sysid/runs": ("shapes", "sizes", "stencils", "smoothing", "smooth_states", "rates", "noise_of_runs", "noise_of_values",
                   "noise_levels", "roles", "spikes", "reading", "bridging", "samples", "trajectories"),
    "sysid/motion": ("nullspace", "subsets", "functions", "library", "ties", "fields", "code_length", "relations",
                     "measurements", "equation", "dynamics", "joint", "pivots", "units", "knowledge", "knowledge_options",
                     "guess", "search", "progressed", "problem", "rejecting", "knowledge_test", "few_variables", "many_terms",
                     "neighbourhood", "shorter", "screening", "sums", "sides", "forms", "evidence", "reporting", "simulation",
                     "integration", "scoring", "using", "flow", "map", "static", "weak", "kinds", "solving", "pictures",
                     "phase_pictures", "pages", "checks", "knotted", "model", "implicit", "files"),
    "sysid/space": ("moments", "moment_checks", "estimating", "identify_field"),
    "sysid/invariants": ("level_sets", "level_numbers", "invariant_search", "saying", "short_invariants", "equations",
                         "pictures", "pages", "conserved_result", "conserved", "proving", "files"),
    "sysid/laws": ("answering", "constrained", "hidden", "identify"),
    "family": ("order_ideals", "common_zeros", "generator_checks", "generators", "abm", "avi", "nbm", "oracles", "oavi",
               "thinning", "classical", "comparing"),
    "estimators": ("selection", "compact", "inputs", "per_class", "discriminative", "naming", "features", "explanation",
                   "probability", "telling_apart", "reduction", "transformers", "prototypes", "classifier", "regressor",
                   "motion"),
    "paper": ("datasets", "protocol", "tables", "figures", "experiment", "at_scale", "contrast", "ratios"),
    "cli": ("registry", "parsing", "schema", "telling", "common", "fitting", "identifying", "plotting", "reporting",
            "projecting", "comparing", "algebra", "proving", "systems", "reproducing", "completing", "__main__"),
}

LONGEST_FILE = 400
LONGEST_ALONE = {"verify.py": 585}      # made to be copied and run without any other file
LONGEST_FUNCTION = 60       # lines, the docstring aside
MOST_PARAMETERS = 8

SOURCES = sorted(PACKAGE.rglob("*.py"))


def dotted(path):
    """``symknot/export/names.py`` -> ``("symknot", "export", "names")``."""
    return path.relative_to(PACKAGE.parent).with_suffix("").parts


def places():
    """Module (dotted parts) -> its place on the road; a room's ``__init__`` comes after its files."""
    road = [(*filter(None, ("symknot", *room.split("/"))), file)
            for room, files in ROOMS.items() for file in (*files, "__init__")]
    road.insert(road.index(("symknot", "cli", "common")), ("symknot", "opening"))
    road.append(road.pop(road.index(("symknot", "__init__"))))      # the door of the house comes last
    road.remove(("symknot", "cli", "__main__"))
    road.append(("symknot", "cli", "__main__"))
    return {module: place for place, module in enumerate(road)}


ROAD = places()


def resolved(base, name):
    """The module that ``from base import name`` reads."""
    if (*base, name) in ROAD:
        return (*base, name)
    if (*base, name, "__init__") in ROAD:
        return (*base, name, "__init__")
    return base if base in ROAD else (*base, "__init__")


def imported_modules(source, parts):
    """Modules of the package that a module imports, anywhere in its source: inside functions and conditions too."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                base = tuple(alias.name.split("."))
                if base[0] == "symknot":
                    found.add(base if base in ROAD else (*base, "__init__"))
        elif isinstance(node, ast.ImportFrom):
            base = parts[: len(parts) - node.level] if node.level else ()
            base += tuple(node.module.split(".")) if node.module else ()
            if base[:1] == ("symknot",):
                found |= {resolved(base, alias.name) for alias in node.names}
    return found


def violations(source, parts):
    """Imports of a module that do not come from strictly earlier places on the road."""
    return {".".join(module) for module in imported_modules(source, parts) if ROAD.get(module, len(ROAD)) >= ROAD[parts]}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: "/".join(dotted(path)[1:]))
def test_each_file_has_a_place_and_imports_only_from_earlier_ones(path):
    parts = dotted(path)
    assert parts in ROAD, f"{path.name} is new: give it a place in ROOMS"
    assert violations(path.read_text(encoding="utf-8"), parts) == set()


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: "/".join(dotted(path)[1:]))
def test_each_file_holds_one_idea(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_ALONE.get(path.name, LONGEST_FILE)


def functions(path):
    """Every function of a file, and whether it is inner: private, or defined inside another one."""
    def walk(node, inside):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef):
                yield child, inside or child.name.startswith("_") and child.name != "__init__"
                yield from walk(child, True)
            else:
                yield from walk(child, inside)
    return walk(ast.parse(path.read_text(encoding="utf-8")), False)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: "/".join(dotted(path)[1:]))
def test_functions_are_short_and_take_few_things(path):
    """Public ones may take more: keyword options."""
    for function, inner in functions(path):
        text = ast.get_docstring(function, clean=False) or ""
        assert function.end_lineno - function.lineno + 1 - len(text.splitlines()) <= LONGEST_FUNCTION, function.name
        given = function.args.posonlyargs + function.args.args
        count = len(given) - (bool(given) and given[0].arg in ("self", "cls"))
        assert count + (len(function.args.kwonlyargs) if inner else 0) <= MOST_PARAMETERS, function.name


def test_the_rooms_name_only_files_that_exist():
    assert set(ROAD) == {dotted(path) for path in SOURCES}


@pytest.mark.parametrize("room", [room for room in ROOMS if room])
def test_each_room_says_what_lives_there(room):
    text = ast.get_docstring(ast.parse((PACKAGE / room / "__init__.py").read_text(encoding="utf-8")))
    assert text and "may import" in text and "start" in text.lower(), f"{room}/__init__.py: what, imports, where to start"


@pytest.mark.parametrize(
    "source, expected",
    [
        ("from .loop import find", {"symknot.fitting.loop"}),
        ("from . import loop", {"symknot.fitting.loop"}),
        ("from .. import fit", {"symknot.__init__"}),
        ("import symknot", {"symknot.__init__"}),
        ("import symknot.fitting.loop as s", {"symknot.fitting.loop"}),
        ("from symknot.fitting.loop import find", {"symknot.fitting.loop"}),
        ("def late():\n    from ..symbolic.readable import a", {"symknot.symbolic.readable"}),
        ("from .basis import a", {"symknot.fitting.basis"}),
        ("from ..ground import errors\nfrom .recursion import Recursion\nimport numpy", set()),
    ],
)
def test_the_reader_of_imports_sees_every_way_up(source, expected):
    assert violations(source, ("symknot", "fitting", "basis")) == expected


def test_rooms_inside_a_room_have_an_order_too():
    here = ("symknot", "sysid", "motion", "guess")
    assert violations("from .fields import a\nfrom ..runs.samples import b\nfrom ...ground import errors", here) == set()
    assert violations("from ..invariants import conserved", here) == {"symknot.sysid.invariants.conserved"}


@pytest.mark.parametrize("optional", ["matplotlib", "pandas", "rich"])
def test_importing_symknot_leaves_optional_packages_alone(optional):
    script = f"import sys, symknot; sys.exit({optional!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, timeout=120).returncode == 0
