"""The pages of docs/ keep their word: they build without a warning, and what they show is what comes out."""

import ast
import configparser
import inspect
import re
import subprocess
import sys

import pytest

import symknot
from symknot.ground.errors import _ADVICE

from .documents import ROOT, differences, examples

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
SETUP = configparser.ConfigParser()
SETUP.read(ROOT / "setup.cfg", encoding="utf-8")
EXTRAS = set(SETUP["options.extras_require"])


def page(name):
    return (DOCS / name).read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_documentation_builds_without_a_warning_and_is_read_without_a_network(tmp_path):
    done = subprocess.run([sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", str(DOCS), str(tmp_path / "html")],
                          cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    api = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / "html").glob("api*.html"))
    missing = [name for name in symknot.__all__ if name != "__version__" and f'id="symknot.{name}"' not in api]
    assert not missing
    assert not list(DOCS.rglob("generated"))
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (tmp_path / "html").glob("*.html")}
    assert "<msup><mi>a</mi><mn>3</mn></msup>" in pages["power_laws"]
    assert not [name for name, text in pages.items() if re.search(r'<(?:script|link)[^>]+(?:src|href)="(?:https?:)?//', text)]


def test_every_public_name_is_in_the_reference():
    from symknot import estimators

    text = "".join(page(path.name) for path in sorted(DOCS.glob("api*.md")))
    named = re.findall(r"^\.\. auto(?:class|function):: (\w+)$", text, flags=re.MULTILINE)
    assert sorted(named) == sorted({*symknot.__all__, *estimators.__all__, "engine"} - {"__version__"})


def test_every_page_is_in_a_table_of_contents():
    trees = re.findall(r"^```\{toctree\}\n(.*?)^```$", page("index.md"), flags=re.DOTALL | re.MULTILINE)
    entries = [line for tree in trees for line in tree.splitlines() if line and not line.startswith(":")]
    for path in PAGES:
        assert path.stem == "index" or any(re.fullmatch(entry.replace("*", ".*"), path.stem) for entry in entries), path.name


def test_the_table_of_what_results_can_do_is_that_of_the_classes():
    text = page("language.md")
    table = text[text.index("| `name` |"):].split("\n\n")[0]
    header, _, *rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()]
    kinds = [cell.strip("`") for cell in header[1:]]
    assert kinds == ["Ideal", "Readable", "ExactIdeal", "PointsIdeal", "Model", "ImplicitModel", "Conserved",
                     "Generators"]
    wrong, seen = [], set()
    for first, *cells in rows:
        for name in re.findall(r"`(\w+)`", first):
            seen.add(name)
            for kind, cell in zip(kinds, cells, strict=True):
                has = name in names_of(getattr(symknot, kind))
                if has != (cell == "yes"):
                    wrong.append((name, kind, has))
    assert not wrong
    language = re.findall(r"^\| (`.*?) \|", inspect.getdoc(symknot.results.base), flags=re.MULTILINE)
    assert seen >= {name for cell in language for name in re.findall(r"`(\w+)`", cell)} - {"str", "to_"}


def names_of(kind):
    """Public attributes and methods of a result's class, those of its instances included; exports by other programs aside."""
    names = {name for name in dir(kind) if not name.startswith(("_", "to_"))}
    for base in kind.__mro__:
        names |= {name for name in inspect.get_annotations(base) if not name.startswith("_")}
    return names - unset(kind)


def unset(kind):
    """Names that the base of all results announces, but nothing in this class gives a value."""
    from symknot.results.base import Result

    announced = set(inspect.get_annotations(Result))
    others = [base for base in kind.__mro__ if base is not Result]
    given = {name for base in others for name in (*vars(base), *inspect.get_annotations(base))}
    return announced - given - {name for name in announced if hasattr(kind, name)}


def test_every_status_is_explained():
    table = dict(re.findall(r"^\| `(\w+)` \| (?:yes|no) \| (.*?) \|$", page("results.md"), flags=re.MULTILINE))
    ok = dict(re.findall(r"^\| `(\w+)` \| (yes|no) \|", page("results.md"), flags=re.MULTILINE))
    assert table == {status.value: advice for status, advice in _ADVICE.items()}
    assert ok == {status.value: "yes" if status.ok else "no" for status in symknot.Status}


@pytest.mark.parametrize("path", [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *PAGES], ids=lambda path: path.name)
def test_extras_that_a_document_names_exist(path):
    text = path.read_text(encoding="utf-8")
    named = re.findall(r"extras? `(\w+)`", text) + re.findall(r"`(\w+)` extra", text)
    named += [extra for some in re.findall(r"(?:symknot|\.)\[([\w,]+)\]", text) for extra in some.split(",")]
    assert set(named) <= EXTRAS


def test_extras_that_the_code_names_exist():
    named = {extra for path in (ROOT / "symknot").rglob("*.py")
             for extra in re.findall(r'MissingExtra\(\s*"[\w.-]+", "(\w+)"', path.read_text(encoding="utf-8"))}
    assert named and named <= EXTRAS


def test_pictures_that_pages_show_are_there_and_small():
    for path in [ROOT / "README.md", *PAGES]:
        for picture in re.findall(r"!\[[^]]*\]\((?!http)([^)]+)\)", path.read_text(encoding="utf-8")):
            assert 1_000 < (path.parent / picture).stat().st_size < 150_000, f"{path.name}: {picture}"


def test_the_gallery_is_what_the_examples_say():
    source = (DOCS / "make_gallery.py").read_text(encoding="utf-8")
    namespace = {"__file__": str(DOCS / "make_gallery.py"), "__name__": "make_gallery"}
    exec(compile(ast.parse(source), "make_gallery.py", "exec"), namespace)
    assert page("gallery.md") == namespace["page"]()
    assert all((DOCS / "gallery" / f"{script.stem}.txt").exists() for script in namespace["EXAMPLES"])


def test_blocks_are_found_with_their_lines_and_outputs():
    text = "a\n```python\nb = 1\n```\n```\nno\n```\n```python\nc\nd\n```\n\n```text\nout\n```\n```sh\nls\n```\n"
    assert [(block.language, block.line, block.source, block.shown) for block in examples(text)] == [
        ("python", 3, "b = 1\n", None), ("python", 9, "c\nd\n", "out\n"), ("sh", 17, "ls\n", None)]


@pytest.mark.parametrize("printed, shown, same", [
    ("x**2 = 4   +/- 0.032\n", "x**2 = 4 +/- 0.033", True),
    ("x**2 = 4 +/- 0.032", "x**3 = 4 +/- 0.032", False),
    ("x**2 = 4", "x**2 = 5", False),
    ("within 2e-16", "within 5.1e-12", True),
    ("within 2e-6", "within 5.1e-12", False),
    ("0.5 x", "0.7 x", False),
    ("one\ntwo", "one", False),
])
def test_texts_are_compared_word_by_word(printed, shown, same):
    assert (differences(printed, shown) == []) is same


def test_defaults_that_pages_state_are_those_of_the_code():
    parameters = inspect.signature(symknot.fit).parameters
    for name, value in re.findall(r"^\| `(\w+)=(.+?)` \(default\)", page("noise.md"), flags=re.MULTILINE):
        assert parameters[name].default == ast.literal_eval(value)
