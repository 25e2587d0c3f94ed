"""The same input gives the same output: across runs, hash seeds, threads, block sizes, with or without optional packages."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import symknot
from symknot.ground import blocks

ROOT = Path(symknot.__file__).parents[1]
RUN = """
import json, sys
if sys.argv[1:] == ["bare"]:
    for name in ("flint", "rich", "pandas", "matplotlib", "sklearn", "pyarrow", "polars"):
        sys.modules[name] = None
import numpy as np, symknot
from symknot.results.ideal import ideal_json
t = np.random.default_rng(0).uniform(-1, 1, 80)
points = np.c_[t, t**2, t**3] + 0.01 * np.random.default_rng(1).normal(size=(80, 3))
ideal = symknot.fit(points)
from tests.test_determinism import without_seconds
found = without_seconds(ideal_json(ideal))
s = np.linspace(0, 8, 150)
model = symknot.identify(np.c_[np.cos(s), -np.sin(s)] + 0.01 * np.random.default_rng(2).normal(size=(150, 2)), 2, time=s)
corners = symknot.vca([[0, 0], [1, 0], [0, 1], [1, 1]], 1e-8).exact()
print(json.dumps([found, str(ideal), str(model), model.coefficients.tolist(), corners.certificate.to_json()]))
"""


def without_seconds(content):
    """What a fit found, without the time that each degree took."""
    if isinstance(content, dict):
        return {key: without_seconds(part) for key, part in content.items() if key != "seconds"}
    return list(map(without_seconds, content)) if isinstance(content, list) else content


def output(*arguments, seed="0", threads="1"):
    environment = {**os.environ, "PYTHONHASHSEED": seed, "OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads}
    done = subprocess.run([sys.executable, "-c", RUN, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def numbers(value):
    """All numbers in nested data, and the same with every number left out."""
    if isinstance(value, dict):
        parts = {key: numbers(part) for key, part in value.items()}
        return [x for found, _ in parts.values() for x in found], {key: shape for key, (_, shape) in parts.items()}
    if isinstance(value, list):
        parts = [numbers(part) for part in value]
        return [x for found, _ in parts for x in found], [shape for _, shape in parts]
    return ([value], "number") if isinstance(value, float) else ([], value)


@pytest.mark.slow
def test_runs_hash_seeds_and_optional_packages_change_no_byte():
    first = output()
    assert output(seed="12345") == first
    assert output("bare") == first


@pytest.mark.slow
def test_threads_change_no_structure():
    """Sums in another order end in other last digits; what is found is the same."""
    (one, shape), (other, same) = (numbers(json.loads(output(threads=threads))) for threads in ("1", "2"))
    assert shape == same
    np.testing.assert_allclose(other, one, rtol=1e-6, atol=1e-9)


def test_block_sizes_change_no_structure(monkeypatch):
    t = np.random.default_rng(0).uniform(-1, 1, 80)
    points = np.c_[t, t**2, t**3] + 0.01 * np.random.default_rng(1).normal(size=(80, 3))
    found = []
    for rows in (blocks.BLOCK_ROWS, 7):
        monkeypatch.setattr(blocks, "BLOCK_ROWS", rows)
        ideal = symknot.fit(points, 0.03, max_degree=3)
        found.append(ideal)
    one, other = found
    assert str(one) == str(other) and one.status is other.status and [len(record.data_values) for record in one.history] == [
        len(record.data_values) for record in other.history]
    np.testing.assert_allclose(other.knots, one.knots, atol=1e-6)
    np.testing.assert_allclose(other.residuals, one.residuals, rtol=1e-6)
    np.testing.assert_allclose(np.abs(other.evaluate(points)), np.abs(one.evaluate(points)), atol=1e-6)
