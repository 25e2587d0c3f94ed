"""Signatures say what goes in and comes out; mypy and ruff agree with the whole package."""

import ast
import configparser
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "symknot"
SOURCES = sorted(PACKAGE.rglob("*.py"))

PUBLIC_DUNDERS = {"__init__", "__call__"}
"""Methods with underscores whose signatures users meet all the same."""


def public_functions(tree):
    """(qualified name, function, whether it is a method) of what users can call; not of functions inside functions."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not node.name.startswith("_"):
            yield node.name, node, False
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for inner in node.body:
                if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    if not inner.name.startswith("_") or inner.name in PUBLIC_DUNDERS:
                        yield f"{node.name}.{inner.name}", inner, True


def without_annotation(function, method):
    """The parameters of a function that have no annotation, and "return" if there is none for that."""
    given = function.args
    static = any(isinstance(mark, ast.Name) and mark.id == "staticmethod" for mark in function.decorator_list)
    listed = [*given.posonlyargs, *given.args][1 if method and not static else 0:] + given.kwonlyargs
    listed += [extra for extra in (given.vararg, given.kwarg) if extra is not None]
    missing = [one.arg for one in listed if one.annotation is None]
    return missing + (["return"] if function.returns is None and function.name != "__init__" else [])


def incomplete(source):
    """Qualified name -> what its signature lacks, for public functions and methods that lack something."""
    found = {name: without_annotation(function, method)
             for name, function, method in public_functions(ast.parse(source))}
    return {name: missing for name, missing in found.items() if missing}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_public_signatures_are_annotated(path):
    assert incomplete(path.read_text(encoding="utf-8")) == {}


def test_the_reader_of_signatures_sees_what_is_missing():
    source = """
def complete(a: int, *b: int, c: int = 1, **d: int) -> int: ...
def no_return(a: int): ...
def some(a, *b, c=1, **d) -> int: ...
def _private(a): ...
def outer() -> None:
    def inner(a): ...
class A:
    def __init__(self, a): ...
    def __len__(self): ...
    def method(self, a: int) -> int: ...
    @property
    def prop(self): ...
    @staticmethod
    def static(a) -> int: ...
    @classmethod
    async def made(cls, a) -> int: ...
class _Hidden:
    def method(self, a): ...
"""
    assert incomplete(source) == {
        "no_return": ["return"], "some": ["a", "c", "b", "d"], "A.__init__": ["a"], "A.prop": ["return"],
        "A.static": ["a"], "A.made": ["a"]}


def test_the_mark_of_a_typed_package_is_shipped():
    assert (PACKAGE / "py.typed").is_file()
    configuration = configparser.ConfigParser()
    configuration.read(ROOT / "setup.cfg")
    assert "py.typed" in configuration["options.package_data"]["symknot"].split()


@pytest.mark.parametrize("command", [["mypy"], ["ruff", "check", "symknot", "tests", "docs", "setup.py"]],
                         ids=lambda command: command[0])
def test_the_tools_find_nothing(command):
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
