"""Knots move where the mathematics says."""

import numpy as np
import pytest

import symknot
from symknot.fitting import projection
from symknot.fitting.knotting import Groups
from symknot.fitting.merging import merge_coincident
from symknot.fitting.penalty import Penalty
from symknot.fitting.projection import Projection
from symknot.ground.blocks import blocks


class FakeValues:
    """The unit circle g = x^2 + y^2 - 1 with F = (1, x, y), in closed form."""

    def __init__(self, z):
        n = len(z)
        self.G = np.sum(z**2, axis=1, keepdims=True) - 1
        self.dG = 2 * z[:, :, None]
        self.F = np.c_[np.ones(n), z]
        self.dF = np.concatenate([np.zeros((n, 2, 1)), np.broadcast_to(np.eye(2), (n, 2, 2))], axis=2)


class Circle:
    """What a strategy is given: the equation at any points."""

    at = with_F = staticmethod(FakeValues)
    blocks = staticmethod(blocks)

    def values(self, z):
        return self.at(z).G

    groups = Groups.of([1, 2], np.array([2]))


@pytest.mark.parametrize("strategy", [Projection(), Projection(metric="mahalanobis")])
def test_projection_is_the_nearest_point(strategy):
    points = np.random.default_rng(0).normal(size=(500, 2)) * 0.2 + [1.0, 0.5]
    knots = strategy.move(Circle(), points, points, 0.0)
    np.testing.assert_allclose(knots, points / np.linalg.norm(points, axis=1, keepdims=True), atol=1e-6)
    assert np.abs(FakeValues(knots).G).max() < 1e-12


def test_slack_balances_equation_and_distance():
    """Along the ray, minimise (r^2 - 1)^2 + s^2 (r - 1.2)^2."""
    knots = Projection().move(Circle(), np.array([[1.2, 0.0]]), np.array([[1.2, 0.0]]), 0.5)
    # the knot is then put onto the equation as far as the slack lets it, from the balanced point
    assert 1.0 <= knots[0, 0] < 1.01


class HyperbolaValues:
    """x y = 0.0001: two branches, and a saddle at the origin, which is no zero."""

    def __init__(self, z):
        self.G = z[:, :1] * z[:, 1:] - 1e-4
        self.dG = z[:, ::-1, None]


class Hyperbola(Circle):
    at = staticmethod(HyperbolaValues)


def test_a_knot_does_not_rest_on_a_saddle():
    """At the origin no slope leads down; the nearest zeros are (0.01, 0.01) and (-0.01, -0.01)."""
    t = np.array([0.005, 0.01, 0.02, 0.1, 0.5])
    points = np.vstack([np.c_[t, 1e-4 / t], -np.c_[t, 1e-4 / t], [[0.0, 0.0]]])
    knots = Projection().move(Hyperbola(), points, points, 0.0)
    assert np.abs(HyperbolaValues(knots).G).max() < 1e-12
    np.testing.assert_allclose(np.abs(knots[-1]), [0.01, 0.01], rtol=1e-4)


class ShiftedValues(HyperbolaValues):
    """The same around (3, -2)."""

    def __init__(self, z):
        super().__init__(z - [3.0, -2.0])


class Shifted(Circle):
    at = staticmethod(ShiftedValues)


def test_where_the_saddle_lies_does_not_matter():
    """Elsewhere, rounding leaves something of the equation on all other knots, though they are where their points are."""
    t = np.array([0.005, 0.01, 0.02, 0.1, 0.5])
    points = np.vstack([np.c_[t, 1e-4 / t], -np.c_[t, 1e-4 / t], [[0.0, 0.0], [1e-3, -1e-3]]])
    knots = Projection().move(Shifted(), points + [3.0, -2.0], points + [3.0, -2.0], 0.0) - [3.0, -2.0]
    np.testing.assert_allclose(knots[:10], points[:10], atol=1e-9)
    np.testing.assert_allclose(np.abs(knots[10:]), 0.01, rtol=0.01)
    assert np.abs(HyperbolaValues(knots).G).max() < 1e-12


class LoudValues(FakeValues):
    """The equation of the circle times 64."""

    def __init__(self, z):
        super().__init__(z)
        self.G, self.dG = 64 * self.G, 64 * self.dG


class Loud(Circle):
    at = with_F = staticmethod(LoudValues)


@pytest.mark.parametrize("metric", ["noise", "mahalanobis"])
@pytest.mark.parametrize("slack", [0.0, 0.5])
def test_the_size_of_an_equation_does_not_matter(metric, slack):
    points = np.random.default_rng(0).normal(size=(50, 2)) * 0.2 + [1.0, 0.5]
    strategy = Projection(metric=metric, max_steps=3)
    np.testing.assert_allclose(strategy.move(Loud(), points, points, slack), strategy.move(Circle(), points, points, slack),
                               rtol=1e-12)


@pytest.mark.parametrize("count, stride", [(10, 1), (1999, 1), (2000, 2), (3000, 3)])
def test_slopes_are_averaged_over_a_thousand_points_or_more(count, stride):
    """Every other row has a slope of 10, those between of 2: with a stride of two only the first kind is seen."""
    points = np.where(np.arange(count)[:, None] % 2 == 0, [3.0, 4.0], [1.0, 0.0])
    wanted = np.sqrt(np.mean(4 * np.sum(points[::stride] ** 2, axis=1)))
    assert projection._slope_sizes(Circle(), points) == pytest.approx(wanted)
    assert projection._slope_sizes(Circle(), np.zeros((3, 2))).tolist() == [1.0]


def test_one_step_may_be_asked_for():
    assert Projection(max_steps=1).max_steps == 1 and Projection() == Projection(metric="noise", max_steps=50)


def test_penalty_is_exact_below_a_threshold_and_idle_above_it():
    """|r^2 - 1| + lambda |r - 1.1|: the slope of the first is 2.2 at the start, 2 on the circle."""
    points = 1.1 * np.c_[np.cos([0.0, 1, 2]), np.sin([0.0, 1, 2])]
    onto = Penalty(1.5).move(Circle(), points, points, 0.0)
    np.testing.assert_allclose(np.linalg.norm(onto, axis=1), 1, atol=1e-6)
    stay = Penalty(3.0).move(Circle(), points, points, 0.0)
    np.testing.assert_allclose(stay, points, atol=1e-6)


def test_regulariser_stops_at_the_first_vanishing_degree():
    groups = Groups.of([1, 3, 5, 7], np.array([2, 2, 3]))
    assert [degree for degree, _ in groups.F] == [1, 2]
    assert groups.F_used.tolist() == list(range(1, 9))
    assert [(degree, columns.tolist()) for degree, columns in groups.G] == [(2, [0, 1]), (3, [2])]


def test_merging_keeps_weight_and_membership():
    rng = np.random.default_rng(1)
    spots = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    member = rng.integers(0, 3, 30_000)
    member[:3] = [0, 1, 2]
    knots = spots[member] + 1e-9 * rng.normal(size=(len(member), 2))
    merged, weights, member_of = merge_coincident(knots, np.full(len(knots), 0.5), 1e-6)
    np.testing.assert_allclose(merged, spots, atol=1e-10)
    np.testing.assert_array_equal(member_of, member)
    np.testing.assert_allclose(weights, np.bincount(member) / 2)


@pytest.mark.parametrize("wrong", [lambda: Projection(metric="city"), lambda: Projection(max_steps=0),
                                   lambda: Penalty(-1.0), lambda: Penalty(())])
def test_wrong_options_are_named(wrong):
    with pytest.raises(symknot.InvalidOption, match="must be"):
        wrong()


@pytest.mark.parametrize("knotting", [Projection(), Projection(metric="mahalanobis"), Penalty(0.01)])
def test_every_strategy_fits_a_circle(knotting):
    rng = np.random.default_rng(2)
    angle = rng.uniform(0, 2 * np.pi, 200)
    points = np.c_[np.cos(angle), np.sin(angle)] + 0.03 * rng.normal(size=(200, 2))
    ideal = symknot.fit(points, 0.06, knotting=knotting, delta=1e-6)
    assert [g.degree for g in ideal.polynomials] == [2]
    distance = np.abs(np.linalg.norm(ideal.knots, axis=1) - 1)
    assert distance.max() < 0.03


@pytest.mark.parametrize("dimension", [1, 3])
def test_the_penalty_works_where_every_linear_function_vanishes(dimension):
    points = 1e-3 * np.random.default_rng(0).normal(size=(10, dimension))
    ideal = symknot.fit(points, epsilon=5.0, normalization="vca", knotting=Penalty(0.01))
    assert len(ideal.knots) == 1 and [g.degree for g in ideal.polynomials] == [1] * dimension


def test_the_sides_of_a_triangle_keep_their_cubic_where_noise_runs_along_one():
    """Next to each corner some knots come to a saddle of the cubic; they must not take it with them."""
    rng = np.random.default_rng(0)
    corners = np.array([[1.0, 1.0], [9.0, 2.0], [4.0, 7.0]])
    side, share = rng.integers(0, 3, 500), rng.uniform(0, 1, (500, 1))
    points = corners[side] * share + corners[(side + 1) % 3] * (1 - share)
    points[:, 0] += 0.07 * rng.normal(size=500)
    ideal = symknot.fit(points)
    assert [g.degree for g in ideal.polynomials] == [3] and ideal.status is symknot.Status.SETTLED
