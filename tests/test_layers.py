"""The package is a one-way road: each file imports only from files before it. Read from the source itself."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "symknot"

#: From the ground up. A new file (or subpackage, as one entry) must choose its place here.
ORDER = (
    "_version",
    "errors",
    "checks",
    "deadline",
    "progress",
    "points",
    "linalg",
    "monomials",
    "term_orders",
    "redundancy",
    "layers",
    "normalization",
    "basis",
    "knotting",
    "pursuit",
    "spectrum",
    "storage",
    "rational_json",
    "expansion",
    "symbolic",
    "compiled",
    "polynomial",
    "terms",
    "numerals",
    "infix",
    "convert",
    "uncertainty",
    "rounding",
    "readable",
    "handover",
    "printing",
    "engines",
    "export",
    "exact",
    "ideal",
    "loading",
    "solve",
    "plotting",
    "sysid",
    "estimators",
    "paper",
    "cli",
    "__init__",
)

LONGEST_FILE = 420
#: The checker of certificates must be one file, to be copied and run alone.
LONGER = {("symknot", "exact", "verify"): 460}

SOURCES = sorted(PACKAGE.rglob("*.py"))


def dotted(path):
    """``symknot/export/names.py`` -> ``("symknot", "export", "names")``."""
    return path.relative_to(PACKAGE.parent).with_suffix("").parts


def layer(parts):
    """The entry of ORDER that a module of the package, given by its dotted parts, belongs to."""
    return parts[1] if len(parts) > 1 else "__init__"


def imported_layers(source, parts):
    """Layers of the package that a module imports, anywhere in its source: inside functions and conditions too."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {layer(tuple(alias.name.split("."))) for alias in node.names
                      if alias.name.split(".")[0] == "symknot"}
        elif isinstance(node, ast.ImportFrom):
            base = parts[: len(parts) - node.level] if node.level else ()
            base += tuple(node.module.split(".")) if node.module else ()
            if base[:1] != ("symknot",):
                continue
            if len(base) > 1:
                found.add(layer(base))
            else:
                found |= {alias.name if alias.name in ORDER else "__init__" for alias in node.names}
    return found


def violations(source, parts):
    """Imports of a module that do not come from strictly earlier layers (or from its own subpackage)."""
    own = layer(parts)
    inside_own_subpackage = {own} if len(parts) > 2 else set()
    earlier = set(ORDER[: ORDER.index(own)])
    return imported_layers(source, parts) - earlier - inside_own_subpackage


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: "/".join(dotted(path)[1:]))
def test_each_file_has_a_place_and_imports_only_from_earlier_ones(path):
    parts = dotted(path)
    assert layer(parts) in ORDER, f"{path.name} is new: give it a place in ORDER"
    assert violations(path.read_text(encoding="utf-8"), parts) == set()


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: "/".join(dotted(path)[1:]))
def test_each_file_holds_one_idea(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGER.get(dotted(path), LONGEST_FILE)


def test_the_order_names_only_files_that_exist():
    assert set(ORDER) == {layer(dotted(path)) for path in SOURCES}


@pytest.mark.parametrize(
    "source, expected",
    [
        ("from .solve import fit", {"solve"}),
        ("from . import solve", {"solve"}),
        ("from . import fit", {"__init__"}),
        ("import symknot", {"__init__"}),
        ("import symknot.solve as s", {"solve"}),
        ("from symknot.solve import fit", {"solve"}),
        ("def late():\n    from .solve import fit", {"solve"}),
        ("from .basis import a", {"basis"}),
        ("from .errors import SymknotError\nimport numpy\nfrom scipy import linalg", set()),
    ],
)
def test_the_reader_of_imports_sees_every_way_up(source, expected):
    assert violations(source, ("symknot", "basis")) == expected


def test_a_subpackage_is_one_layer():
    assert imported_layers("from . import names", ("symknot", "solve", "singular")) == {"solve"}
    assert violations("from .names import a\nfrom ..ideal import b", ("symknot", "solve", "singular")) == set()
    assert violations("from ..cli import main", ("symknot", "solve", "singular")) == {"cli"}


@pytest.mark.parametrize("optional", ["matplotlib", "pandas", "rich"])
def test_importing_symknot_leaves_optional_packages_alone(optional):
    script = f"import sys, symknot; sys.exit({optional!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, timeout=120).returncode == 0
