"""The paper's open problem on the paper's data: polynomials that vanish exactly on the knots, within epsilon on the data.

The paper gives no tolerances.  Those used here reproduce its feature counts and knotting ratios: epsilon 2 for Iris (the
paper has 14.9 features and a ratio of 0.08), 4 for Wine (100.5 and 0.20), in its own convention (Eq. 2: norms over all
points of a class).  Data are standardised as a whole.
"""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chi2
from sklearn.datasets import load_iris, load_wine

import symknot

from .exactly import float_values, value
from .test_paper_illustrations import blobs, knotted


def points_of(load, label):
    """One class, standardised with the whole data set."""
    points, labels = load(return_X_y=True)
    points = (points - points.mean(axis=0)) / points.std(axis=0)
    return points[labels == label]


def fitted(points, epsilon):
    return symknot.fit(points, epsilon=epsilon, normalization="vca", knotting=symknot.Penalty(0.01), max_degree=4)


def check(ideal, points):
    """Exact polynomials exist, vanish exactly, and stay within epsilon or say by how much they do not."""
    exact = ideal.exact("points", basis="fit", points=points)
    assert exact.route == "points"
    assert len(exact.polynomials) == len(ideal.polynomials) > 0
    assert len(exact.of_knot) == len(ideal.knots) >= len(exact.rational_knots)
    for g, source, over in zip(exact.polynomials, ideal.polynomials, exact.over_epsilon):
        assert g.source == source.terms and any(g.terms.values())
        for knot in exact.rational_knots:
            number = value(g.terms, knot)
            assert isinstance(number, Fraction) and number == 0
        residual = np.linalg.norm(float_values(g.terms, points))
        assert g.residual == pytest.approx(residual, rel=1e-6)
        assert residual <= ideal.epsilon * (1 + 1e-9) or over == pytest.approx(residual / ideal.epsilon)
        assert over == pytest.approx(max(residual / ideal.epsilon, 1))
    assert moved_by_chance(ideal, [exact.rational_knots[place] for place in exact.of_knot])
    return exact


def moved_by_chance(ideal, knots):
    """Whether they are no farther from the knots of the fit than those are known."""
    standard_errors = np.outer(1 / np.sqrt(np.bincount(ideal.assignment)), ideal.noise)
    moved = (np.array(knots, dtype=float) - ideal.knots) / standard_errors
    return np.sum(moved**2) <= chi2.isf(1e-3, moved.size)


def test_the_blobs():
    points = blobs()
    ideal = knotted(points, epsilon=0.06, weight=1e-3)
    exact = check(ideal, points)
    assert len(exact.rational_knots) == 4 and exact.over_epsilon == (1.0, 1.0)
    assert exact.certificate.verify()
    quiet = [exact.rational_knots[exact.of_knot[ideal.assignment[place]]] for place in (20, 40)]
    assert quiet[0] == (2, Fraction(1, 2))              # the true centres are (2, 1/2) and (4/5, 2)
    assert np.linalg.norm(np.array(quiet[1], dtype=float) - [0.8, 2]) < 0.06


@pytest.mark.parametrize("epsilon", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_every_class_of_iris(epsilon):
    features, knots = 0, 0
    for label in range(3):
        points = points_of(load_iris, label)
        ideal = fitted(points, epsilon)
        exact = check(ideal, points)
        assert exact.over_epsilon == (1.0,) * len(exact.polynomials)
        assert exact.certificate.verify()
        assert moved_by_chance(ideal, ideal.vanishing_ideal().points)
        features, knots = features + len(ideal.polynomials), knots + len(ideal.knots)
    assert epsilon == 1 or 12 <= features <= 18 and 0.04 <= knots / 150 <= 0.12


@pytest.mark.slow
@pytest.mark.parametrize("label, epsilon", [(0, 4), (1, 3.5), (2, 4)])
def test_every_class_of_wine(label, epsilon):
    """At 4 the second class keeps 34, 5 or no quadrics as 1e-14 of its values is changed; at 3.5 it does not hang on that."""
    points = points_of(load_wine, label)
    exact = check(fitted(points, epsilon), points)
    assert exact.over_epsilon == (1.0,) * len(exact.polynomials)
    assert exact.certificate.verify()


@pytest.mark.slow
@pytest.mark.parametrize("label", range(3))
def test_every_class_of_wine_at_half_the_tolerance(label):
    points = points_of(load_wine, label)
    check(fitted(points, 2), points)
