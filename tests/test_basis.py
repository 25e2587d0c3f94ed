"""FindBasis on factors whose singular values are read off; the pursuit round by round, with knots that move as written down."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from symknot.fitting import basis, normalization, pursuit
from symknot.fitting.basis import Split, by_residual, find_basis, search_space, split_for
from symknot.fitting.degree import DegreeProblem, degree_problem
from symknot.fitting.knotting import Groups, Knotting, MovingEquations
from symknot.fitting.normalization import Gradient, Normalization
from symknot.fitting.pursuit import exact_vanish_pursuit
from symknot.fitting.recursion import Recursion
from symknot.fitting.revision import FindAgain, JointCorrection, Revision, Tolerances
from symknot.ground.linalg import MANY_COLUMNS


class AsTheyAre(Normalization):
    """Candidates are of unit size."""

    def whiten(self, candidates, problem):
        return np.eye(candidates.shape[1])


def diagonal(on_data, on_knots, lower=1):
    """A degree whose candidates have these norms, each apart from the others, on data and knots."""
    def factor(values):
        return np.diag(np.r_[np.ones(lower), values])

    products = SimpleNamespace(left=np.zeros(len(on_data)))
    return DegreeProblem(SimpleNamespace(sizes=[lower]), products, factor(on_data), factor(on_knots), None)


def places(columns):
    """Which candidate each column is."""
    assert (np.sum(np.abs(columns) > 1e-12, axis=0) == 1).all()
    return np.argmax(np.abs(columns), axis=0).tolist()


def test_candidates_are_split_by_their_norms():
    """1 is exact on the knots; 2 is, too, but not on the data; 3 nearly vanishes on both, 4 on the data alone; 5 nowhere."""
    problem = diagonal([0.1, 0.9, 0.2, 0.3, 0.8], [1e-9, 1e-8, 0.05, 0.4, 0.7])
    split = find_basis(problem, AsTheyAre(), 0.3, 0.05, 1e-8)
    assert places(split.G) == [1, 3] and split.exact == 1
    assert places(split.F) == [4, 5] and split.adjustable.tolist() == [False, True]
    np.testing.assert_allclose(problem.knot_norms(split.F), 1)
    np.testing.assert_allclose(split.knot_values, [1e-9, 1e-8, 0.05, 0.4, 0.7])
    np.testing.assert_allclose(split.data_values, [0.2, 0.3, 0.8])


def test_what_does_not_vanish_is_made_once_and_when_it_is_asked_for():
    split = find_basis(diagonal([0.1, 0.2, 0.8], [0.1, 0.2, 0.8]), AsTheyAre(), 0.15, 0.15, 1e-8)
    assert "F_and_adjustable" not in vars(split.rest)            # rounds of a pursuit look at G alone
    assert split.F is split.F and len(split.adjustable) == split.F.shape[1] == 2


def test_of_very_many_any_orthonormal_ones_do_unless_some_vanish(monkeypatch):
    values = [0.1, *np.linspace(0.3, 0.9, 30)]
    whole = find_basis(diagonal(values, values), AsTheyAre(), 0.15, 0.15, 1e-8).F
    monkeypatch.setattr("symknot.fitting.basis.SLOW_COLUMNS", 20)
    problem = diagonal(values, values)
    found = find_basis(problem, AsTheyAre(), 0.15, 0.15, 1e-8)
    on_knots = problem.knot_factor @ found.F
    np.testing.assert_allclose(on_knots.T @ on_knots, np.eye(30), atol=1e-12)
    assert found.adjustable.all() and np.linalg.matrix_rank(np.hstack([whole, found.F]), tol=1e-9) == 30
    split, columns = find_basis(problem, AsTheyAre(), 0.15, 0.15, 1e-8), np.eye(32)
    assert places(split_for(problem, AsTheyAre(), split, columns[:, [1]], columns[:, :0], 0.31).F) == [*range(31, 2, -1)]


def test_candidates_are_made_once_for_each_normalization():
    problem, one, other = diagonal([0.1], [0.1]), AsTheyAre(), AsTheyAre()
    other.whiten = lambda own, problem: 2 * np.eye(own.shape[1])
    first = search_space(problem, one)
    assert search_space(problem, one) is first
    np.testing.assert_allclose(search_space(problem, other), 2 * first)


def test_the_order_of_the_paper_looks_at_the_data_first():
    problem = diagonal([0.1, 0.9, 0.2], [1e-9, 1e-9, 0.05])
    split = find_basis(problem, AsTheyAre(), 0.3, 0.05, 1e-8, exact_first=False)
    assert places(split.G) == [1, 3] and split.exact == 0
    np.testing.assert_allclose(split.data_values, [0.1, 0.2, 0.9])
    assert split.F.shape[1] == 0                  # the second does not exceed delta on the knots, so it spans nothing there


def test_what_is_just_within_a_tolerance_is_within():
    problem = diagonal([0.25, 0.5], [0.125, 0.5])
    assert places(find_basis(problem, AsTheyAre(), 0.25, 0.125, 1e-8).G) == [1]
    assert find_basis(problem, AsTheyAre(), 0.25, 0.125, 0.125).exact == 1
    same = replace(problem, on_knots=problem.data_factor)
    assert places(find_basis(same, AsTheyAre(), 0.25, 0.25, 1e-8).G) == [1]
    exact = find_basis(problem, AsTheyAre(), 0.25, 0.125, 0.5)
    assert places(exact.G) == [1] and exact.F.shape[1] == 0      # of norm delta on the knots: not beyond it


def test_knots_that_are_the_data_are_decomposed_once_and_give_the_same():
    problem = diagonal([0.1, 0.2, 0.8], [0.1, 0.2, 0.8])
    apart = find_basis(problem, AsTheyAre(), 0.15, 0.15, 1e-8)
    same = find_basis(replace(problem, on_knots=problem.data_factor), AsTheyAre(), 0.15, 0.15, 1e-8)
    assert places(same.G) == places(apart.G) == [1] and places(same.F) == places(apart.F) == [3, 2]
    np.testing.assert_allclose(same.data_values, apart.data_values)


class Shifted(AsTheyAre):
    """Sought with a constant that is not the best one."""

    def search_space(self, own, problem):
        return own + np.eye(len(own))[:, :1]


def test_principal_directions_on_the_knots_serve_for_the_data_only_where_both_have_the_same_constant():
    problem = diagonal([0.1, 0.2, 0.8], [0.1, 0.2, 0.8])
    problem = replace(problem, on_knots=problem.data_factor)
    split = find_basis(problem, Shifted(), 0.15, 0.15, 1e-8)
    shifted = problem.data_factor @ Shifted().search_space(np.eye(4)[:, 1:], problem)
    np.testing.assert_allclose(split.data_values, np.linalg.svd(shifted)[1][::-1])
    np.testing.assert_allclose(split.knot_values, [0.1, 0.2, 0.8])


def test_small_values_of_lower_polynomials_on_the_knots_are_seen_but_not_rounding():
    """A product that is five times a polynomial of lower degree, where that is tiny on the knots."""
    for size, seen in ((5e-10, True), (5e-11, False)):
        problem = diagonal([1.0], [1.0], lower=2)
        factor = np.array([[1.0, 0, 0], [0, size, 5 * size], [0, 0, 1.0]])
        own = search_space(replace(problem, on_knots=factor), AsTheyAre())
        np.testing.assert_allclose(own[:, 0], [0, -5.0 * seen, 1], atol=1e-6)


def test_candidates_are_what_lower_degrees_do_not_fit_on_the_knots():
    """E = [1, p] with p = 3 + small on the knots: the candidate is p - 3."""
    problem = diagonal([1.0], [1.0])
    knots = np.array([[1.0, 3.0], [0.0, 0.01]])
    split = find_basis(replace(problem, data_factor=knots, on_knots=knots), AsTheyAre(), 0.1, 0.1, 1e-8)
    np.testing.assert_allclose(split.G[:, 0] / split.G[1, 0], [-3, 1])
    np.testing.assert_allclose(search_space(replace(problem, on_knots=knots), AsTheyAre())[:, 0], [-3, 1])


def test_other_equations_leave_over_the_rest():
    problem = diagonal([0.1, 0.2, 0.8], [0.1, 0.2, 0.5])
    split, columns = find_basis(problem, AsTheyAre(), 0.15, 0.15, 1e-8), np.eye(4)
    other = split_for(problem, AsTheyAre(), split, columns[:, [1]], columns[:, [3]], 1e-8)
    assert places(other.F) == [3, 2] and other.adjustable.tolist() == [False, True]
    np.testing.assert_allclose(problem.knot_norms(other.F), 1)
    assert split_for(problem, AsTheyAre(), split, columns[:, [1]], columns[:, :0], 0.2).F.shape[1] == 1
    assert places(split_for(problem, AsTheyAre(), split, columns[:, [1]], columns[:, [3]], 0.5).F) == []


def test_equations_are_ordered_by_residual_the_exact_ones_apart():
    problem = diagonal([0.4, 0.3, 0.2, 0.1], [1.0] * 4)
    turned = by_residual(problem, np.eye(5)[:, 1:], 2)
    assert places(turned) == [2, 1, 4, 3]


def test_distances_below_which_knots_are_one():
    knotting = Straight([])
    assert knotting.merging_distance(1e-3) == 1.0
    assert knotting.merging_distance(0.0) == 1e-7


# ------------------------------------------------------------------------------------------------------- the pursuit


class Straight(Knotting):
    """Knots at these shares of the way from the line y = 0 to their points, one after the other."""

    def __init__(self, shares, revision=None):
        self.shares, self.slacks, self.how = list(shares), [], revision

    def move(self, equations, anchors, start, slack):
        self.slacks.append(slack)
        return anchors * [1, self.shares.pop(0)]

    def revision(self, problem, normalization, tolerances):
        return self.how or super().revision(problem, normalization, tolerances)


class Unchanged(Revision):
    """Keeps the equations; eta is halved."""

    def __init__(self, change=0.0, settled=True, drop_after=99):
        self.change, self.settled, self.left, self.seen = change, settled, drop_after, []

    def is_settled(self, worst, before, rounds):
        self.seen.append((worst, before, rounds))
        return self.settled

    def revised(self, moved, eta):
        self.moved, self.left = moved, self.left - 1
        return (moved.split if self.left else replace(moved.split, G=moved.split.G[:, : moved.split.exact])), eta / 2

    def concluded(self, problem, split, in_vain):
        self.in_vain = in_vain
        return split


NOISE = 0.1
POINTS = np.c_[np.linspace(-1, 1, 40), NOISE * np.tile([1, -1, -1, 1], 10)]
WEIGHTS = np.full(40, 1 / 40)


def pursued(shares, revision, *, epsilon=0.2, delta=1e-4, eta=0.2):
    """The pursuit of y = 0 from points at +- `NOISE`, and what was watched."""
    problem = degree_problem(Recursion(2, 1.0), POINTS, WEIGHTS, POINTS, WEIGHTS, True)
    split = find_basis(problem, Gradient(), epsilon, eta, delta)
    assert split.G.shape[1] == 1 and split.exact == 0
    knotting, seen = Straight(shares, revision), []
    tolerances = Tolerances(epsilon, delta, 0.5)
    found = exact_vanish_pursuit(problem, split, POINTS, WEIGHTS, (Gradient(), knotting), tolerances, eta,
                                 lambda *both: seen.append(both))
    return found, knotting, np.array(seen)


def test_rounds_go_on_until_the_equations_vanish_and_are_settled():
    revision = Unchanged()
    found, knotting, seen = pursued([0.1, 0.01, 1e-5], revision)
    assert found.rounds == 3 and found.eta == 0.05
    np.testing.assert_allclose(seen, [[0.2, 0.01], [0.1, 1e-3], [0.05, 1e-6]], rtol=1e-6)
    np.testing.assert_allclose(found.knots, POINTS * [1, 1e-5])
    np.testing.assert_allclose(revision.seen, [(1e-6, 1e-3, 3)], rtol=1e-6)
    assert not revision.in_vain
    np.testing.assert_allclose(found.problem.knot_norms(found.split.G), 1e-6, rtol=1e-6)


def test_equations_that_are_not_settled_go_on_until_eta_is_delta():
    found, _, _ = pursued([1e-5] * 20, Unchanged(settled=False), delta=0.01, eta=0.16)
    assert found.rounds == 4 and found.eta == 0.01


def test_a_norm_of_delta_vanishes():
    _, _, seen = pursued([0.1, 1e-5], Unchanged())
    found, _, again = pursued([0.1], Unchanged(), delta=float(seen[0, 1]))
    assert found.rounds == 1 and again[0, 1] == seen[0, 1]


@pytest.mark.parametrize("change", [0.0, 0.5, 20.0])
@pytest.mark.parametrize("shares", [[0.1, 0.011, 0.0002, 5e-5], [0.1, 0.005, 5e-5]], ids=["linear", "quadratic"])
def test_slack_follows_what_is_left_and_what_still_changes(change, shares):
    """In units of the noise, 0.1: twice the residual, or a hundredth of the change; halved at least, from a half on."""
    _, knotting, _ = pursued(list(shares), Unchanged(change), delta=1e-5)
    expected, slack, before = [0.5], 0.5, np.inf
    for share in shares[:-1]:
        quadratic = share <= before**2                  # shares are residuals in units of the noise
        slack = min(0.5 * slack, max(2 * share, 0 if quadratic else 0.01 * change / NOISE))
        before = share
        expected.append(slack)
    np.testing.assert_allclose(knotting.slacks, expected)


def test_slack_has_a_least_value():
    _, knotting, _ = pursued([1e-9] * 3, Unchanged(settled=False), delta=0.05, eta=0.3)
    assert knotting.slacks[1:] == [1e-6] * 2


def test_what_a_revision_is_told():
    revision = Unchanged()
    pursued([0.1, 1e-5], revision)
    moved = revision.moved
    np.testing.assert_allclose([moved.worst, moved.noise, moved.slack], [0.01, NOISE, 0.2], rtol=1e-6)
    np.testing.assert_allclose(moved.values, [0.01], rtol=1e-6)
    assert moved.anchors is POINTS and (moved.knots == POINTS * [1, 0.1]).all()


def test_knots_go_back_when_all_they_moved_for_is_dropped():
    revision = Unchanged(drop_after=1)
    found, _, _ = pursued([0.5], revision)
    assert revision.in_vain and found.knots is POINTS and found.split.G.shape[1] == 0 and found.rounds == 1
    np.testing.assert_allclose(found.problem.knot_factor, found.problem.data_factor, atol=1e-12)


def test_knots_that_were_never_moved_were_not_moved_in_vain():
    revision = Unchanged()
    problem = degree_problem(Recursion(2, 1.0), POINTS, WEIGHTS, POINTS, WEIGHTS, True)
    empty = find_basis(problem, Gradient(), 0.01, 0.01, 1e-6)
    again = exact_vanish_pursuit(problem, empty, POINTS, WEIGHTS, (Gradient(), Straight([], revision)),
                                 Tolerances(0.01, 1e-6, 0.5), 0.01, print)
    assert again.rounds == 0 and not revision.in_vain and again.knots is POINTS


@pytest.mark.parametrize("far, kept", [(0.999, 1), (1.001, 0)])
def test_equations_for_which_knots_move_too_far_are_dropped(far, kept):
    """Root-mean-square of twice epsilon for each of two variables."""
    steps = 2 * 0.2 * np.sqrt(2) * far
    share = 1 - steps / NOISE
    problem = degree_problem(Recursion(2, 1.0), POINTS, WEIGHTS, POINTS, WEIGHTS, True)
    assert pursuit._too_far(problem, POINTS * [0, share - 1], WEIGHTS, 0.2) == (not kept)
    assert pursuit._too_far(problem, POINTS * [0, share - 1], 3 * WEIGHTS, 0.2) == (not kept)
    revision = Unchanged(settled=False)
    found, _, _ = pursued([share] * 9, revision, delta=0.05)
    assert found.split.G.shape[1] == kept and revision.in_vain == (not kept)


def test_distance_means_nothing_without_gradients():
    problem = degree_problem(Recursion(2, 1.0), POINTS, WEIGHTS, POINTS, WEIGHTS, False)
    assert not pursuit._too_far(problem, 1e6 * POINTS, WEIGHTS, 0.2)
    assert isinstance(Straight([]).revision(problem, AsTheyAre(), Tolerances(1, 1, 1)), FindAgain)
    problem = degree_problem(Recursion(2, 1.0), POINTS, WEIGHTS, POINTS, WEIGHTS, True)
    assert isinstance(Straight([]).revision(problem, AsTheyAre(), Tolerances(1, 1, 1)), JointCorrection)


@pytest.mark.parametrize("on_knots, tolerance, expected", [
    (np.array([[2.0, 1, 0], [0, 2, 1], [0, 0, 4]]), 1e-3, "triangle"),
    (np.array([[2.0, 1, 0], [0, 2, 1], [0, 0, 4], [0, 3, 0]]), 1e-3, "triangle"),
    (np.diag([2.0, 2, 2]), 2 / np.sqrt(3) * 0.999, "triangle"),     # the inverse has norm sqrt(3) / 2
    (np.diag([2.0, 2, 2]), 2 / np.sqrt(3) * 1.001, "principal"),
    (np.diag([1.0, 2, 4]), 0.9, "principal"),
    (np.array([[2.0, 1], [0, 2], [0, 0]]), 1e-3, "principal"),
    (np.array([[2.0, 1, 0, 1], [0, 2, 1, 1], [0, 0, 4, 1]]), 1e-3, "principal"),
    (np.diag([3.0, 2, 0]), 1e-3, "principal"),
], ids=["square", "tall", "all are beyond the tolerance", "one may be within", "near", "few", "wide", "singular"])
def test_many_columns_are_made_orthonormal_by_a_triangle_where_none_is_near_the_tolerance(monkeypatch, on_knots, tolerance,
                                                                                         expected):
    """Three columns are many here."""
    monkeypatch.setattr(basis, "SLOW_COLUMNS", 3)
    problem = replace(diagonal([1], [1]), on_knots=on_knots)
    found = basis._orthonormal_on_knots(problem, np.eye(on_knots.shape[1]), tolerance)
    gram = (on_knots @ found).T @ (on_knots @ found)
    np.testing.assert_allclose(gram, np.diag(np.diag(gram)), atol=1e-12)
    assert found.shape[1] == np.linalg.matrix_rank(on_knots)
    if expected == "triangle":
        np.testing.assert_allclose(np.diag(gram), 1)
        np.testing.assert_allclose(found, np.triu(found), atol=1e-12)
    else:
        np.testing.assert_allclose(np.linalg.norm(found, axis=0), 1)
        assert (np.diff(np.diag(gram)) >= -1e-12).all()


def test_moving_equations_are_those_of_all_degrees():
    """y = 0 of degree 1 and x^2 = 1 of degree 2, at points off both."""
    rng = np.random.default_rng(0)
    data = np.c_[np.sign(rng.normal(size=30)), np.zeros(30)]
    recursion, weights = Recursion(2, 1.0), np.full(30, 1 / 30)
    first = degree_problem(recursion, data, weights, data, weights, True)
    split = find_basis(first, Gradient(), 1e-6, 1e-6, 1e-9)
    recursion = recursion.with_layer(split.layer(first))
    second = degree_problem(recursion, data, weights, data, weights, True)
    moving = MovingEquations(second, find_basis(second, Gradient(), 1e-6, 1e-6, 1e-9))
    z = np.array([[2.0, 0.5], [1.0, -1.0]])
    values = moving.at(z)
    np.testing.assert_allclose(np.abs(values.G[:, 0]), [0.5, 1.0])
    np.testing.assert_allclose(np.abs(values.dG[:, :, 0]), [[0, 1], [0, 1]], atol=1e-12)
    square = values.G[:, 1:] / (values.dG[:, :1, 1:][:, 0] / (2 * z[:, :1]))
    assert square.shape[1] >= 1 and np.isclose(square[0], 3).any()
    assert [degree for degree, _ in moving.groups.G] == [1, 2] and isinstance(moving.groups, Groups)
    np.testing.assert_allclose(moving.with_F(z).G, values.G, atol=1e-12)
    assert Groups.of([1, 2, 3], np.array([], dtype=int)).F[-1][0] == 2 and isinstance(split, Split)


@pytest.mark.parametrize("bend, degree", [(0.0, 1), (1.0, 2)])
def test_what_holds_a_knot_near_its_point_is_evaluated_and_nothing_more(bend, degree):
    """A line beside which the quadrics play no part, and a parabola: values and slopes as the whole recursion has them."""
    x = np.random.default_rng(0).normal(size=40)
    data, weights = np.c_[x, bend * x**2 + 0.5 * x + 1], np.full(40, 1 / 40)
    problem, split = degree_problem(Recursion(2, 2.0), data, weights, data, weights, True), None
    for _ in range(2):
        split = find_basis(problem, Gradient(), 1e-6, 1e-6, 1e-9)
        recursion = problem.recursion.with_layer(split.layer(problem))
        moving, whole = MovingEquations(problem, split), recursion.evaluate(data, derivatives=True)
        problem = degree_problem(recursion, data, weights, data, weights, True)
    columns = [0, *moving.groups.F_used]
    assert recursion.sizes[2] > 0 and moving.groups.F[-1][0] == degree
    found = moving.with_F(data)
    for here, there in zip(found, (whole.G, whole.dG, whole.F[:, columns], whole.dF[:, :, columns])):
        assert here.shape == there.shape
        np.testing.assert_allclose(here, there, atol=1e-12)


@pytest.mark.parametrize("lower", [0, 5])
def test_candidates_that_are_products_less_lower_ones_have_the_sizes_of_all(lower):
    rng = np.random.default_rng(1)
    root = rng.normal(size=(MANY_COLUMNS + lower, MANY_COLUMNS + lower))
    gram = root.T @ root
    candidates = np.vstack([rng.normal(size=(lower, MANY_COLUMNS)), np.eye(MANY_COLUMNS)])
    for columns in (candidates, candidates[:, ::-1], candidates[:, 1:]):         # two that are no such ones
        np.testing.assert_allclose(normalization._sizes_of(columns, gram), columns.T @ gram @ columns, rtol=1e-10, atol=1e-9)


def test_a_normalization_sees_candidates_as_products_less_their_share_of_lower_ones():
    problem, seen = diagonal([0.1, 0.2], [0.1, 0.2]), []

    class Watches(AsTheyAre):
        def whiten(self, own, problem):
            seen.append(own)
            return 3 * np.eye(own.shape[1])

    np.testing.assert_allclose(search_space(problem, Watches()), 3 * seen[0])
