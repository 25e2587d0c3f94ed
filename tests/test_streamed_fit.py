"""Fits of points that are read in blocks: the estimates of a fit in memory, to a small share of their standard errors."""

import numpy as np
import pytest

import symknot

N = 12_000
SMALL_SHARE = 0.01
"""Of a standard error; measured below 2e-5."""


def ellipse(rng):
    angle = rng.uniform(0, 2 * np.pi, N)
    return np.c_[3 * np.cos(angle), np.sin(angle)] + 0.05 * rng.normal(size=(N, 2))


def twisted_cubic(rng):
    t = rng.uniform(-1, 1, N)
    return np.c_[t, t**2, t**3] + 0.01 * rng.normal(size=(N, 3))


def parabola_in_a_plane(rng):
    t = rng.normal(size=N)
    return np.c_[t, t**2, 2 * t + 1] + 0.01 * rng.normal(size=(N, 3))


def in_blocks(X):
    return lambda: iter(np.array_split(X, 5))


def shift_in_errors(one, other):
    pairs = list(zip(one.uncertainty().polynomials, other.uncertainty().polynomials, strict=True))
    assert pairs
    return max(abs(float(g.terms[e] - h.terms.get(e, 0))) / s for g, h in pairs for e, s in g.standard_errors.items())


@pytest.mark.parametrize("make, epsilon, equations", [
    (ellipse, 0.07, ["x**2 + 9*y**2 = 9"]),
    (twisted_cubic, 0.015, ["x**2 - y = 0", "x*y - z = 0", "-x*z + y**2 = 0"]),
    (parabola_in_a_plane, 0.015, ["x - z/2 = -1/2", "-4*y + z**2 - 2*z = -1"]),
])
def test_estimates_are_those_of_a_fit_in_memory(make, epsilon, equations):
    X = make(np.random.default_rng(0))
    found, wanted = symknot.fit(in_blocks(X), epsilon), symknot.fit(X, epsilon)
    assert shift_in_errors(wanted, found) < SMALL_SHARE
    assert [line.split("   ")[0] for line in str(found).splitlines()[: len(equations)]] == equations
    assert found.status is wanted.status and found.recursion.sizes == wanted.recursion.sizes
    essential = found.residuals[found.essential]
    np.testing.assert_allclose(np.sort(essential), np.sort(wanted.residuals[wanted.essential]), rtol=1e-3)
    assert found.assignment is None and found.point_count == N and abs(found.evaluate(found.knots)).max() < 1e-8


def test_with_nothing_given():
    """Noise and epsilon come from the search, which looks at other points of the same data: a share of an error remains."""
    X = ellipse(np.random.default_rng(0))
    told = []
    found = symknot.fit(in_blocks(X), progress=told.append)
    assert shift_in_errors(symknot.fit(X), found) < 1
    assert found.noise == pytest.approx([0.05, 0.05], rel=0.05) and found.spectrum.gap.degree == 2
    assert max(step.number for step in told if hasattr(step, "done")) <= 6


def test_far_points_have_no_say_and_are_told_of():
    rng = np.random.default_rng(0)
    X = ellipse(rng)
    bad = rng.random(N) < 0.02
    X[bad] = rng.uniform(-20, 20, (bad.sum(), 2))
    found = symknot.fit(in_blocks(X))
    assert str(found).startswith("x**2 + 9*y**2 = 9") and f"of {N}, far from all equations, had no say" in found.message
    assert 0 < N - found.point_count < 1.2 * bad.sum()
    for g in found.uncertainty().polynomials:
        truth = {(2, 0): 1, (0, 2): 9, (0, 0): -9}
        assert all(abs(float(g.terms[e]) - truth.get(e, 0)) < 5 * s for e, s in g.standard_errors.items())


def test_the_knot_of_every_point_goes_to_a_file(tmp_path):
    X = ellipse(np.random.default_rng(0))
    found = symknot.fit(X, 0.07, knots=tmp_path / "knots.npy")
    knots = np.load(tmp_path / "knots.npy", mmap_mode="r")
    assert knots.shape == X.shape and len(found.knots) < N and [path.name for path in tmp_path.iterdir()] == ["knots.npy"]
    assert abs(found.evaluate(knots)).max() < 1e-8
    wanted = symknot.fit(X, 0.07)
    np.testing.assert_allclose(knots, wanted.knots[wanted.assignment], atol=1e-4)         # errors are 0.05 / sqrt(12000)


def test_a_short_stream_is_the_fit_in_memory(tmp_path):
    X = ellipse(np.random.default_rng(0))[:300]
    found, wanted = symknot.fit(in_blocks(X), knots=tmp_path / "knots.npy"), symknot.fit(X)
    assert found.knots.tolist() == wanted.knots.tolist()
    assert np.load(tmp_path / "knots.npy").tolist() == wanted.knots[wanted.assignment].tolist()


def test_a_cloud_has_no_equation():
    found = symknot.fit(in_blocks(np.random.default_rng(0).normal(size=(N, 2))))
    assert found.status is symknot.Status.NO_GAP and not found.polynomials and found.point_count == N


def test_spectrum_reads_once():
    X = ellipse(np.random.default_rng(0))
    gap = symknot.spectrum(iter(np.array_split(X, 5))).gap
    assert (gap.degree, gap.count) == (2, 1) and gap.noise == pytest.approx(symknot.spectrum(X).gap.noise, rel=0.05)


@pytest.mark.parametrize("option", [{"form": "binomial"}, {"knots": "knots.txt"}, {"noise": [0.1]}])
def test_options_that_mean_nothing_here_are_refused(option):
    with pytest.raises(symknot.InvalidOption):
        symknot.fit(in_blocks(ellipse(np.random.default_rng(0))), **option)
