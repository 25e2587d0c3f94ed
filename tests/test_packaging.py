"""What is shipped: metadata, and a wheel that installs by itself and runs."""

import configparser
import os
import re
import shutil
import subprocess
import sys
import venv

import pytest

import symknot

from .documents import ROOT

SETUP = configparser.ConfigParser()
SETUP.read(ROOT / "setup.cfg", encoding="utf-8")
EXTRAS = SETUP["options.extras_require"]
SHIPPED = ("setup.py", "setup.cfg", "README.md", "LICENSE", "symknot")

#: Extras for work on the package itself; all others are for users.
FOR_DEVELOPERS = {"test", "docs", "all"}


def run(*arguments, cwd):
    """Run a program away from the checkout; what it prints."""
    outside = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(list(map(str, arguments)), cwd=cwd, capture_output=True, text=True, timeout=900,
                          env={**outside, "MPLBACKEND": "agg"})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """The source archive and the wheel, built from a copy of what is shipped."""
    source = tmp_path_factory.mktemp("source")
    for name in SHIPPED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, source / name)
    run(sys.executable, "-m", "build", "--outdir", source / "dist", source, cwd=source)
    archive, = (source / "dist").glob("*.tar.gz")
    wheel, = (source / "dist").glob("*.whl")
    return archive, wheel


@pytest.mark.slow
def test_both_packages_pass_the_check_of_the_index(packages, tmp_path):
    assert run(sys.executable, "-m", "twine", "check", "--strict", *packages, cwd=tmp_path).count("PASSED") == 2


@pytest.mark.slow
def test_the_wheel_runs_the_demo_in_an_environment_of_its_own(packages, tmp_path):
    home = tmp_path / "environment"
    venv.create(home)
    python = home / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", f"{packages[1]}[plot]", cwd=tmp_path)
    assert str(home) in run(python, "-c", "import symknot; print(symknot.__file__)", cwd=tmp_path)
    printed = run(python.parent / "symknot", "demo", cwd=tmp_path)
    assert "x**2 + y**2 = 1" in printed
    assert (tmp_path / "symknot-demo.png").stat().st_size > 10_000
    assert symknot.__version__ in run(python.parent / "symknot", "--version", cwd=tmp_path)


def test_the_extra_all_has_every_extra_for_users():
    included, = re.findall(r"symknot\[([\w,]+)\]", EXTRAS["all"])
    assert set(included.split(",")) == set(EXTRAS) - FOR_DEVELOPERS


def test_tests_have_what_the_other_extras_have():
    """Tests run everything for real: all that an extra brings is in `test` too."""
    listed = {extra: {line for line in text.split("\n") if line and not line.startswith("symknot[")}
              for extra, text in EXTRAS.items()}
    assert set().union(*listed.values()) == listed["test"]


def test_classifiers_name_the_pythons():
    named = re.findall(r"Python :: 3\.(\d+)", SETUP["metadata"]["classifiers"])
    assert named == ["10", "11", "12", "13", "14"]
    assert SETUP["options"]["python_requires"] == f">=3.{named[0]}"
