"""What a projection weighs: equations against distances, staying against starting again, by known answers."""

import numpy as np
import pytest

from symknot.fitting import projection
from symknot.fitting.projection import Projection

from .test_knotting import Circle, FakeValues


def saddle(height, at):
    """(x - a) (y - b) = height around `at`: two branches, and a saddle that is no zero."""

    class Values:
        def __init__(self, z):
            z = z - at
            self.G, self.dG = z[:, :1] * z[:, 1:] - height, z[:, ::-1, None]

    class Branches(Circle):
        at = staticmethod(Values)

    return Branches()


def moved(height, at, slack, anchors=((0.0, 0.0),)):
    """Where a point on the saddle comes to, beside ten on the branches, relative to the saddle."""
    t = np.geomspace(np.sqrt(height) / 2, 0.5, 5)
    points = np.vstack([np.c_[t, height / t], -np.c_[t, height / t], anchors]) + at
    return Projection().move(saddle(height, at), points, points, slack)[10:] - at


@pytest.mark.parametrize("at", [(0.0, 0.0), (3.0, -2.0)], ids=["at the origin", "elsewhere"])
@pytest.mark.parametrize("height, slack", [(1e-4, 1e-3), (1e-8, 0.0)])
def test_a_knot_on_a_saddle_goes_to_the_nearest_zero_where_that_costs_less(height, slack, at):
    knots = moved(height, np.array(at), slack)
    np.testing.assert_allclose(np.prod(knots, axis=1), height, rtol=1e-3)
    assert np.abs(knots).max() < 3 * np.sqrt(height)


def pit(at):
    """(x^2 + 0.01) (x - 5) = 0 around `at`: at 0 it is nearly zero, at 5 it is."""

    class Values:
        def __init__(self, z):
            z = z - at
            self.G = (z**2 + 0.01) * (z - 5)
            self.dG = (2 * z * (z - 5) + z**2 + 0.01)[:, :, None]

    class Pit(Circle):
        at = staticmethod(Values)

    return Pit()


@pytest.mark.parametrize("at", [0.0, -5.0, 20.0])
@pytest.mark.parametrize("slack, to", [(0.1, 0.0), (1e-5, 5.0)])
def test_a_knot_stays_where_nothing_vanishes_if_all_zeros_are_farther_than_the_equation_is_off(slack, to, at):
    """By .05 squared in units of a slope of 25; the zero is 5 away."""
    points = np.array([[5.0]] * 10 + [[0.001]]) + at
    assert Projection().move(pit(at), points, points, slack)[10, 0] - at == pytest.approx(to, abs=0.01)


@pytest.mark.parametrize("nearest, weight", [(projection._nearest_point, 1.0), (projection._nearest_in_F, 1.0)])
def test_the_objective_is_the_equation_and_the_way_in_units_of_the_pull(nearest, weight):
    anchors, z = np.array([[1.2, 0.0], [0.3, 0.4]]), np.array([[1.5, 0.5], [0.0, 0.0]])
    objective, step, known = nearest(Circle(), np.array([2.0]), anchors, 0.3)(z, slice(0, 2))
    G, away = (np.sum(z**2, axis=1) - 1) / 2, z - anchors
    np.testing.assert_allclose(objective, G**2 + 0.3 * np.sum(away**2, axis=1))
    slopes = z                                                            # of half the equation
    hessian = slopes[:, :, None] * slopes[:, None, :] + 0.3 * np.eye(2)
    full = -np.linalg.solve(hessian, (G[:, None] * slopes + 0.3 * away)[:, :, None])[:, :, 0]
    np.testing.assert_allclose(step, full / np.maximum(1, np.linalg.norm(full, axis=1))[:, None], rtol=1e-9)
    np.testing.assert_allclose(known, np.vstack([G, slopes.T]))


def test_quiet_equations_are_scaled_like_loud_ones():
    """Slopes of all points are 2 in the mean of the circle; of a 64th of it far below 1."""

    class Quiet(Circle):
        @staticmethod
        def at(z):
            values = FakeValues(z)
            values.G, values.dG = values.G / 64, values.dG / 64
            return values

        with_F = at

    points = np.random.default_rng(0).normal(size=(50, 2)) * 0.2 + [1.0, 0.5]
    np.testing.assert_allclose(Projection(max_steps=3).move(Quiet(), points, points, 0.5),
                               Projection(max_steps=3).move(Circle(), points, points, 0.5), rtol=1e-12)
