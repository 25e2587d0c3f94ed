"""The door is light: names are loaded when used, and all of them are there. By what is imported, not by time."""

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import symknot

ROOT = Path(__file__).resolve().parents[1]
HEAVY = {"numpy", "sympy", "scipy", "mpmath", "matplotlib", "pandas", "sklearn"}


def imported_by(source):
    """Top-level packages that a fresh process has imported when it ends."""
    report = ("import atexit, sys\n"
              "atexit.register(lambda: print(*{name.split('.')[0] for name in sys.modules}, file=sys.stderr))")
    done = subprocess.run([sys.executable, "-c", f"{report}\n{source}"], cwd=ROOT, capture_output=True, text=True,
                          timeout=120)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


def test_the_report_sees_an_import():
    assert HEAVY & imported_by("import symknot; symknot.Status") == set()
    assert HEAVY & imported_by("import symknot; symknot.fit") >= {"numpy", "sympy"}


@pytest.mark.parametrize("source", [
    "import symknot",
    "import symknot; dir(symknot); symknot.__version__",
    "from symknot.cli import main; main(['--help'])",
    "from symknot.cli import main; main(['--version'])",
    "from symknot.cli import main; main(['fit', '--help'])",
])
def test_nothing_heavy_is_imported(source):
    assert imported_by(source) & HEAVY == set()


def test_help_imports_no_room_but_the_ground():
    script = ("import sys\nfrom symknot.cli import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
              "print(*(name for name in sys.modules if name.startswith('symknot.')), file=sys.stderr)")
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=120)
    rooms = {name.split(".")[1] for name in done.stderr.split()}
    assert rooms == {"_version", "ground", "cli"}
    assert "reproduce" in done.stdout


def test_dir_shows_every_name_and_every_room():
    assert set(symknot.__all__) <= set(dir(symknot))
    rooms = {path.parent.name for path in (ROOT / "symknot").glob("*/__init__.py")}
    assert rooms and rooms <= set(dir(symknot))
    for room in rooms:
        assert getattr(symknot, room).__name__ == f"symknot.{room}"


def test_the_list_of_names_is_the_table_of_their_places():
    table = {name for names in symknot._PLACES.values() for name in names}
    assert set(symknot.__all__) == table | {"__version__"}
    assert len(symknot.__all__) == len(set(symknot.__all__)) and symknot.__all__ == sorted(symknot.__all__)


@pytest.mark.parametrize("name", symknot.__all__)
def test_each_name_is_the_one_of_its_place(name):
    value = getattr(symknot, name)
    if name != "__version__":
        assert value is getattr(importlib.import_module(f"symknot.{symknot._MODULE_OF[name]}"), name)


def test_type_checkers_see_the_same_table():
    """What stands under TYPE_CHECKING is what is loaded when used."""
    tree = ast.parse((ROOT / "symknot" / "__init__.py").read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {node.module: tuple(alias.name for alias in node.names) for node in block.body}
    assert seen == symknot._PLACES


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'fitt'"):
        symknot.fitt        # noqa: B018 (the access is what is tested)


def test_everything_can_be_imported_at_once():
    namespace = {}
    exec("from symknot import *", namespace)
    assert set(symknot.__all__) <= set(namespace)
