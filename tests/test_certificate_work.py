"""Small certificates that would take hours or gigabytes are refused before anything is worked out."""

import json
import resource
import shutil
import subprocess
import sys
import time
from fractions import Fraction

import numpy as np
import pytest

import symknot
from symknot.exact import verify
from symknot.polynomials.rational_json import rational_json

from .test_certificate import points_certificate, zeros_certificate


def number(value):
    return rational_json(Fraction(value))


def term(exponents, value=1):
    return [list(exponents), *number(value)]


def file_of(polynomials, statements, variables):
    return json.dumps({"format": "symknot certificate", "version": 1, "variables": [f"x{j}" for j in range(variables)],
                       "polynomials": polynomials, "statements": statements})


def box(variables, polynomials, value):
    """A statement about one zero, around a centre of such numbers."""
    identity = [[number(int(i == j)) for j in range(variables)] for i in range(variables)]
    return {"kind": "unique zero", "knot": 0, "polynomials": polynomials, "center": [number(value)] * variables,
            "radii": [number(value)] * variables, "plane": identity[len(polynomials):], "preconditioner": identity,
            "bounds": []}


def growth_by_substitution():
    """Monomials of many variables, each with hundreds of thousands of divisors, around a centre of long numbers."""
    exponents = (3,) * 9
    others = [tuple(3 + 4 * (i == j) for i in range(9)) for j in range(9)]
    polynomial = [term(e) for e in (exponents, *others)]
    return file_of([polynomial], [box(9, [0], Fraction(7**300, 3**500))], 9)


def high_powers():
    """Terms of degree 255 at points with long coordinates, each with a denominator of its own."""
    polynomial = [term((k, 255 - k), Fraction(1, 2 * k + 1)) for k in range(256)]
    points = [[number(Fraction(5**k, 3 ** (2000 + k))), number(Fraction(2**k, 7 ** (1200 + k)))] for k in range(60)]
    return file_of([polynomial], [{"kind": "vanishing", "polynomials": [0], "points": points}], 2)


def long_syzygies():
    """Multipliers and polynomials of thousands of terms: millions of products of long numbers."""
    rows = [term((i, j), Fraction(3**200 + i, 2**200 + j)) for i in range(40) for j in range(40)]
    also = {"kind": "also zero", "polynomials": [0], "syzygies": [[rows, rows]], "knots": [[0, [[number(1)]]]]}
    return file_of([rows, rows], [box(2, [1], 1), also], 2)


@pytest.mark.parametrize("make", [growth_by_substitution, high_powers, long_syzygies])
def test_small_files_that_need_much_work_are_refused_at_once(make):
    text = make()
    assert len(text) < 2**20
    start = time.monotonic()
    with pytest.raises(verify.TooCostly, match="too much work: .*(limit|at most)"):
        verify.check_text(text)
    assert time.monotonic() - start < 10


def test_the_command_says_so_within_little_memory(tmp_path):
    path = tmp_path / "hostile.json"
    path.write_text(growth_by_substitution())
    checker = shutil.copy(verify.__file__, tmp_path / "verify.py")
    done = subprocess.run([sys.executable, str(checker), str(path)], capture_output=True, text=True, timeout=60,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (200 << 20, 200 << 20)))
    assert done.returncode == 2 and done.stderr.startswith("cannot be checked: too much work")


def test_many_small_statements_add_up(monkeypatch):
    text = json.loads(json.dumps(zeros_certificate().to_json()))
    steps = [verify._STEPS[statement["kind"]](statement, list(map(verify._shape, polynomials)), {})
             for _, polynomials, statements, _ in [verify.read_text(json.dumps(text))] for statement in statements]
    monkeypatch.setattr(verify, "MOST_STEPS", sum(steps))
    assert all(finding.holds for finding in verify.check_text(json.dumps(text)))
    monkeypatch.setattr(verify, "MOST_STEPS", sum(steps) - 1)
    with pytest.raises(verify.TooCostly, match=f"statements 0 to {len(steps) - 1} need about"):
        verify.check_text(json.dumps(text))


@pytest.mark.parametrize("make", [zeros_certificate, points_certificate])
def test_honest_certificates_are_far_below_the_limit(make):
    _, polynomials, statements, _ = verify.read_text(json.dumps(make().to_json()))
    boxes = {statement["knot"]: statement for statement in statements if "knot" in statement}
    steps = sum(verify._STEPS[s["kind"]](s, list(map(verify._shape, polynomials)), boxes) for s in statements)
    assert steps < verify.MOST_STEPS / 1000


def test_the_estimate_is_no_less_than_the_work_and_not_absurdly_more():
    """On the certificate of a fit: seconds taken, against microseconds estimated."""
    angle = np.linspace(0, 6.2, 80)
    points = np.c_[np.cos(angle), np.sin(angle)] + 0.02 * np.random.default_rng(0).normal(size=(80, 2))
    text = json.dumps(symknot.fit(points, 0.05, max_degree=2).exact().certificate.to_json())
    _, polynomials, statements, _ = verify.read_text(text)
    steps = sum(verify._STEPS[s["kind"]](s, list(map(verify._shape, polynomials)), {}) for s in statements)
    start = time.process_time()
    for statement in statements:
        verify._CHECKS[statement["kind"]](statement, polynomials, {})
    taken = 1e6 * (time.process_time() - start)
    assert 0.2 * taken < steps < 300 * taken
