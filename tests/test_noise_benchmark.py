"""The benchmark of noise measures what it says: its samples have the stated noise, its comparison knows the truth."""

import dataclasses

import numpy as np
import pytest

from tests.benchmarks.attainable import attainable_angle
from tests.benchmarks.noise import Fit, _are_the_same, _arguments, _hold_exactly, _is_right, _outlier_report, row, run, scaled
from tests.benchmarks.noise_kinds import KINDS, OWN, Case, Sample, cases_of, sample_of
from tests.benchmarks.recovery import gap, spectrum
from tests.varieties import BY_NAME, coefficient_space, monomials, spread

NAMES = ["circle", "twisted cubic", "torus"]


def found(polys):
    return Fit(None, tuple(polys), tuple(p.total_degree() for p in polys), 0.0, "")


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_cases_whose_samples_come_again(kind):
    cases = cases_of(kind, NAMES, 300, [0])
    assert len(set(cases)) == len(cases) > 0
    first = dataclasses.replace(cases[0], n=min(cases[0].n, 1000))
    sample, again = sample_of(first), sample_of(first)
    assert len(sample.points) in (first.n, first.n + 1) and np.array_equal(sample.points, again.points)
    assert not np.array_equal(sample.points, sample_of(dataclasses.replace(first, seed=99)).points)


@pytest.mark.parametrize("kind, variant", [("equal", 0), ("unequal", 1), ("one-coordinate", 2), ("uniform", 0), ("laplace", 0),
                                           ("pointwise", 0), ("proportional", 0)])  # fmt: skip
def test_noise_is_as_large_as_stated(kind, variant):
    """The line in space is z + x = 1/2 and y - 2x = 1: both have a known standard deviation."""
    sample = sample_of(Case(kind, "line in space", 2.0, variant, 20_000, 0))
    squares = np.broadcast_to(sample.noise, sample.points.shape) ** 2
    x, y, z = sample.points.T
    assert np.mean((z + x - 0.5) ** 2) == pytest.approx(np.mean(squares[:, 0] + squares[:, 2]), rel=0.06)
    assert np.mean((y - 2 * x - 1) ** 2) == pytest.approx(np.mean(squares[:, 1] + 4 * squares[:, 0]), rel=0.06)


def test_outliers_are_where_they_are_said_to_be():
    sample = sample_of(Case("outliers-10", "circle", 2.0, 0, 500, 0))
    away = np.abs(np.linalg.norm(sample.points, axis=1) - 1)
    kept = np.delete(away, sample.outliers)
    assert len(sample.outliers) == 50 and kept.max() < 0.1 and np.median(away[sample.outliers]) > 0.3
    far = sample_of(Case("far-point", "circle", 2.0, 0, 500, 0))
    assert far.outliers.tolist() == [500] and far.points[500].tolist() == [1e12, -1e12]


def test_named_outliers_are_counted():
    sample = sample_of(Case("outliers-10", "circle", 2.0, 0, 500, 0))
    good = next(row for row in range(500) if row not in sample.outliers)
    report = _outlier_report(sample, [*sample.outliers[:20], good])
    assert (report["named"], report["named_rightly"]) == (21, 20)
    assert 45 <= report["gross"] <= 50 and 18 <= report["gross_named"] <= 20


@pytest.mark.parametrize("name", ["ellipse", "twisted cubic", "torus", "tilted circle", "Clifford torus"])
@pytest.mark.parametrize("variant", [0, 2])
def test_the_truth_in_any_units_is_right_and_the_same(name, variant):
    sample = sample_of(Case("units", name, 2.0, variant, 300, 0))
    assert sample.units.max() == [1e3, 1e6, 1e12][variant]
    outside, plain = (found([scaled(p, 1 / u) for p in sample.variety.polys]) for u in (sample.units, np.ones(1)))
    right, angle = _is_right(sample, outside, sample.units)
    assert right and angle < 1e-5
    assert _are_the_same(sample, outside, plain)
    assert not _are_the_same(sample, plain, plain)
    assert not _is_right(sample, plain, sample.units)[0]
    fewer = found(outside.polys[1:])
    assert not _is_right(sample, fewer, sample.units)[0] and not _are_the_same(sample, fewer, plain)


@pytest.mark.parametrize("name", ["ellipse", "twisted cubic", "tilted circle"])
def test_clearness_in_units_of_noise(name):
    """Equal noise: as without it. Columns and noise in other units: the same."""
    variety, rng = BY_NAME[name], np.random.default_rng(0)
    points = variety.noisy(rng, 400, 0.03)
    noise = np.full(points.shape[1], 0.03 * spread(points))
    assert gap(points, variety, noise) == pytest.approx(gap(points, variety), rel=1e-6)
    assert gap(points, variety, np.tile(noise, (400, 1))) == pytest.approx(gap(points, variety), rel=1e-6)
    units = np.r_[1e3, np.ones(len(noise) - 1)]
    assert gap(points * units, variety, noise * units) == pytest.approx(gap(points, variety, noise), rel=1e-6)


def test_true_equations_have_the_size_of_the_noise():
    """In units of the true noise every linear equation of a line has size one; in units of an equal one they differ."""
    sample = sample_of(Case("unequal", "line in space", 2.0, 1, 5000, 0))
    assert spectrum(sample.points, 1, sample.noise)[0][:2] == pytest.approx([1, 1], rel=0.05)
    small, large = spectrum(sample.points, 1, np.full(3, sample.noise.max()))[0][:2]
    assert small < 0.3 * large


def test_attainable_angle_of_a_line_and_of_a_short_arc():
    """A centred line with noise s: two coefficients are free, the slope s / (sqrt(N) rms t) and the offset s / sqrt(N)."""
    line = dataclasses.replace(BY_NAME["circle"], generators=(BY_NAME["circle"].variables[1],))
    t = np.linspace(-np.sqrt(3), np.sqrt(3), 4001)  # rms 1
    points, noise = np.stack([t, 0 * t], axis=1), np.full(2, 0.1)
    expected = np.degrees(0.1 / np.sqrt(4001) * np.sqrt(-2 * np.log(0.01)))  # Rayleigh: both have the same deviation
    assert attainable_angle(points, line, noise) == pytest.approx(expected, rel=0.08)
    circle, arc = (shape.sampler(np.random.default_rng(0), 100) for shape in (BY_NAME["circle"], OWN["60-degree arc"]))
    whole, part = (attainable_angle(p, BY_NAME["circle"], noise / 5) for p in (circle, arc))
    assert whole < 2 and part > 10 * whole


def test_an_efficient_estimate_keeps_the_attainable_angle():
    """Circle with small noise: least squares weighted by slopes, which are all equal there, is efficient."""
    rng, circle = np.random.default_rng(1), BY_NAME["circle"]
    true = coefficient_space(circle.polys, 2, 2)[:, 0]
    exact = circle.sampler(rng, 200)
    bound = attainable_angle(exact, circle, np.full(2, 0.005), level=0.1)
    angles = []
    for _ in range(300):
        estimate = np.linalg.svd(monomials(exact + 0.005 * rng.normal(size=exact.shape), 2))[2][-1]
        angles.append(np.degrees(np.arccos(min(abs(estimate @ true), 1))))
    assert 0.05 < np.mean(np.array(angles) > bound) < 0.16


def test_whole_numbers_have_exact_equations():
    points = np.array([[0.0, 1], [1, 0], [1, 1], [0, 0]])
    x, y = BY_NAME["circle"].variables
    assert _hold_exactly(points, found([(x**2 - x).as_poly(x, y)]))
    assert not _hold_exactly(points, found([(x**2 - 0.999 * x).as_poly(x, y)]))
    assert not _hold_exactly(points, found([]))


def test_a_far_point_makes_no_equation_exact():
    """Points 0, 1 and 100, and an equation of degree 6 with zeros at 0.5 and 100: its terms at 100 are 1e12 and cancel."""
    x, y = BY_NAME["circle"].variables
    points = np.array([[0.0, 0], [1, 0], [100, 0]])
    assert not _hold_exactly(points, found([((x - 0.5) ** 5 * (x - 100)).expand().as_poly(x, y)]))
    assert _hold_exactly(points, found([(x * (x - 1) * (x - 100)).expand().as_poly(x, y)]))


def test_counts_have_exact_equations():
    x, y = BY_NAME["circle"].variables
    points = np.array([[float(k), 0.3 * k] for k in range(10)])
    product = np.prod([x - k for k in range(10)])
    assert _hold_exactly(points, found([product.expand().as_poly(x, y)]))


def test_a_row_counts_runs():
    runs = [run((case, 60.0)) for case in cases_of("equal", ["circle"], 200, [0])]
    assert [r.right for r in runs] == [True, True] and runs[0].counts
    lost = dataclasses.replace(runs[0], right=False, angle=30.0)
    none = dataclasses.replace(runs[0], right=False, degrees="", abstained=True)
    hidden = dataclasses.replace(lost, counts=False)
    assert row([*runs, lost, none, hidden]).split()[:7] == ["equal", "2/4", "50%", "1", "1", "0", "1"]


def test_arguments():
    assert _arguments(["--only", "mild-1000", "outliers"]).kinds == ["outliers-1", "outliers-5", "outliers-10", "outliers-20",
                                                                     "mild-1000"]  # fmt: skip
    assert _arguments([]).kinds == list(KINDS)
    for wrong in (["--only", "no such"], ["--cases", "no such"]):
        with pytest.raises(SystemExit):
            _arguments(wrong)


def test_a_sample_without_anything_is_a_cloud():
    assert Sample(np.zeros((3, 2))).variety is None
