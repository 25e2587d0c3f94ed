"""Every script under docs/examples runs, and its own assertions hold."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .documents import differences

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "docs" / "examples").glob("*.py"))


def test_there_are_examples():
    assert len(EXAMPLES) >= 4


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path, tmp_path):
    done = subprocess.run([sys.executable, "-W", "error", str(path)], cwd=tmp_path, capture_output=True, text=True,
                          timeout=300, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stderr
    assert " = " in done.stdout and "+/-" in done.stdout
    kept = ROOT / "docs" / "gallery" / f"{path.stem}.txt"
    assert not differences(done.stdout, kept.read_text(encoding="utf-8")), "python docs/make_gallery.py makes it anew"
    assert (tmp_path / f"{path.stem}.png").stat().st_size > 1000
