"""Between the degrees of a fit: when it goes on, when it ends and with which word, from numbers on either side of each line."""

import time
from dataclasses import replace
from types import SimpleNamespace as Record

import numpy as np
import pytest

import symknot
from symknot.fitting import loop, rivals
from symknot.fitting.normalization import Gradient, PaperVCA
from symknot.fitting.projection import Projection
from symknot.fitting.settings import Options, Settings
from symknot.fitting.spectrum import Gap
from symknot.ground.errors import Status
from symknot.ground.progress import reporter
from symknot.reading.points import Points


def settings(**others):
    return Record(**{"start": None, "gap": None, "max_degree": None, "epsilon": 0.1, **others})


def state(sizes=(1, 2, 3), *, essential=(), idle=0, history=()):
    """A state after so many degrees, with so many polynomials that do not vanish."""
    return Record(recursion=Record(degree=len(sizes) - 1, sizes=list(sizes), layers=sizes[1:]), essential=essential, idle=idle,
                  history=history)


@pytest.mark.parametrize("at, given, obstacle", [
    (state(), {}, None),
    (state((1,)), {}, None),
    (state(), {"max_degree": 3}, None),
    (state(), {"max_degree": 2}, Status.MAX_DEGREE),
    (state((1, 2, 3, 4)), {"max_degree": 2}, Status.MAX_DEGREE),
    (state((1, 2, 3), idle=2, essential=(True,)), {"max_degree": 3}, None),                 # what was asked for is done
    (state(essential=(True,), idle=1), {}, None),
    (state(essential=(True,), idle=2), {}, Status.SETTLED),
    (state(), {"start": np.ones((3, 1)), "gap": Record(degree=3)}, None),
    (state(), {"start": np.ones((3, 1)), "gap": Record(degree=2)}, Status.SETTLED),
    (state(), {"gap": Record(degree=2)}, None),
    (state((1,) * 30), {}, None),
    (state((1,) * 31), {}, Status.SIZE_LIMIT),
    (state((1,) * 31), {"max_degree": 40}, None),
])
def test_what_keeps_a_fit_from_another_degree(at, given, obstacle):
    assert loop._obstacle(settings(**given), at, 1000.0) is obstacle


@pytest.mark.parametrize("sizes, essential, idle, obstacle", [
    ((1, 75), (), 0, None),                              # of degree 2 in 75 variables: 77 * 76 / 2 = 2926
    ((1, 76), (), 0, Status.SIZE_LIMIT),                 # 3003
    ((1, 76), (True,), 0, Status.SIZE_LIMIT),
    ((1, 76), (True,), 1, Status.SETTLED),
    ((1, 76), (False,), 1, Status.SIZE_LIMIT),
    ((1, 10, 271), (), 0, None),                         # 282 so far, and 10 * 271: 2992
    ((1, 10, 272), (), 0, Status.SIZE_LIMIT),            # 3003
    ((1, 9, 39), (True,), 0, None),                      # 49 + 351 = 400 beside equations
    ((1, 9, 40), (True,), 0, Status.SIZE_LIMIT),         # 410
    ((1, 9, 40), (False,), 0, None),
    ((1, 2, 98, 100), (True,), 0, Status.SIZE_LIMIT),    # 201 + 200 = 401
    ((1, 29), (True,), 0, None),                         # 465: degree 2 is looked at nevertheless
])
def test_degrees_that_are_too_large_are_not_begun(sizes, essential, idle, obstacle):
    assert loop._obstacle(settings(), state(sizes, essential=essential, idle=idle), 2000.0) is obstacle


@pytest.mark.parametrize("variables, points, obstacle", [
    (76, 4004, None),                                    # 3003 candidates are three quarters of 4004 points
    (76, 4003, Status.SIZE_LIMIT),
    (75, 100, None),                                     # so few may be, however few the points are
    (124, 1e6, None),                                    # 7875
    (126, 1e6, Status.SIZE_LIMIT),                       # 8128
])
def test_degree_two_is_looked_at_as_far_as_points_carry(variables, points, obstacle):
    assert loop._obstacle(settings(), state((1, variables)), points) is obstacle
    assert loop._obstacle(settings(), state((1, variables), essential=(True,)), points) is obstacle


def clear(values, *, degree=3, columns=20, count=200.0, repeats=1.0, noise=0.3, epsilon=1.5, widening=1.0, gap=(1, 1)):
    """Whether values of a degree stand clear, beside equations of a gap at other degrees."""
    inside = Record(unit=1.0, effective_count=count, repeats=repeats)
    problem = Record(data_factor=np.zeros((1, columns)), recursion=Record(degree=degree - 1))
    given = settings(epsilon=epsilon, gap=Record(degree=gap[0], last_degree=gap[1], noise=noise, widening=widening))
    return bool(loop._stands_clear(inside, given, problem, Record(data_values=np.array(values))))


@pytest.mark.parametrize("expected, found", [
    (True, clear([1.0, 2.6])), (False, clear([1.0, 2.4])),
    (True, clear([1.0, 1.2, 3.1])), (False, clear([1.0, 1.2, 2.9])),
    (True, clear([2.0, 3.0])), (True, clear([1.0, 1.2])),                                   # none or all within epsilon
    (True, clear([1.5, 4.0])), (False, clear([1.5, 2.6])),                                  # epsilon itself is within
    (True, clear([1.0, 1.1], gap=(3, 3))), (False, clear([1.0, 1.6], gap=(4, 4))),
    (True, clear([1.0, 1.6], gap=(2, 3))), (False, clear([1.0, 1.6], gap=(2, 2))),
    (True, clear([1.0, 1.6], gap=(3, 2))),
    (False, clear([1.0, 1.6], repeats=4.0)), (True, clear([1.0, 1.6], repeats=4.0, noise=0.0)),
    (False, clear([1.0, 1.6], repeats=3.9, noise=0.0)),
    (True, clear([1.0, 9.0], columns=150)), (False, clear([1.0, 9.0], columns=151)),        # three of four points a coefficient
    (True, clear([0.01, 0.02, 1.6])), (True, clear([0.09, 1.6])),                           # below a third of the noise
    (True, clear([0.01, 1.0, 2.6])), (False, clear([0.01, 1.0, 2.4])),
    # two values of 180 points may differ by 1.36; three times more is no one cluster, and has to be left as far behind
    (False, clear([0.5, 1.5, 11.0])), (True, clear([0.5, 1.5, 11.5])),
    (True, clear([0.5, 1.5, 3.8], widening=2.3)), (False, clear([0.5, 1.5, 3.8], widening=2.1)),
    (False, clear([1.0, 1.38, 3.9])), (True, clear([1.0, 1.35, 3.5])),
    (False, clear([1.0, 1.35, 3.5], count=2000.0)),                                         # of 1980 by 1.17
    (False, clear([1.0, 1.37, 3.5], columns=20, count=200.0)), (True, clear([1.0, 1.37, 3.5], columns=40, count=200.0)),
])
def test_values_stand_clear_at_degrees_that_the_search_did_not_look_at(expected, found):
    assert found is expected


def test_equations_are_counted_by_degree():
    records = tuple(Record(essential=number) for number in (9, 2, 0, 1))          # the first was before a reset
    at = state((1, 2, 3, 4), history=records)
    assert loop._by_degree(at, 3) == [2, 0, 1] and loop._by_degree(at, 2) == [2, 0]


def test_the_message_names_the_degree_and_the_smallest_residual():
    assert loop._message(Status.SETTLED, state(), 0.1) == Status.SETTLED.advice
    assert loop._message(Status.WORK_LIMIT, state(), 0.1) == f"degree 3 was not finished: {Status.WORK_LIMIT.advice}"
    records = (Record(degree=1, data_values=np.array([0.5, 0.9])), Record(degree=2, data_values=np.array([])),
               Record(degree=3, data_values=np.array([0.2, 0.3])))

    def message(epsilon, history=records):
        return loop._message(Status.NO_POLYNOMIAL, state(history=history), epsilon)

    assert message(0.1).startswith("no equation within epsilon=0.1; the smallest residual was 0.2 at degree 3; ")
    assert message(0.2).startswith("polynomials within epsilon=0.2 were there (residual 0.2 at degree 3), but no knots")
    assert message(0.1, ()).startswith(f"no equation within epsilon=0.1; {Status.NO_POLYNOMIAL.advice[:20]}")


def test_equations_that_were_seen_are_recorded_degree_by_degree():
    """A circle in a plane of space: the plane, then the circle, then nothing new twice."""
    angle = np.linspace(0, 6, 40)
    noise = 1e-3 * np.random.default_rng(0).normal(size=(40, 3))
    ideal = symknot.fit(np.c_[np.cos(angle), np.sin(angle), np.cos(angle) + 0.5] + noise, 5e-3)
    assert [g.degree for g in ideal.polynomials] == [1, 2] and ideal.status is Status.SETTLED
    assert [(record.degree, record.essential, record.resets) for record in ideal.history] == [
        (1, 1, 0), (2, 1, 0), (3, 0, 0), (4, 0, 0)]
    # of the monomials of a plane's circle are left 2, 2, 2, ...: cos and sin of multiples of the angle
    assert [(record.F_size, record.G_size) for record in ideal.history] == [(2, 1), (2, 1), (2, 2), (2, 2)]


def test_a_record_is_in_the_units_of_the_data():
    """The same points in other units (a power of two: to the last digit the same fit)."""
    angle = np.linspace(0, 6, 40)
    circle = np.c_[np.cos(angle), np.sin(angle)] + 1e-3 * np.random.default_rng(0).normal(size=(40, 2))
    steps: dict[float, list] = {1.0: [], 1024.0: []}
    began = time.perf_counter()
    one, other = (symknot.fit(circle * unit, 5e-3 * unit, progress=steps[unit].append) for unit in steps)
    assert 0 < sum(record.seconds for record in one.history + other.history) <= time.perf_counter() - began
    for before, after in zip(one.history, other.history, strict=True):
        assert (before.degree, before.rounds, before.knots) == (after.degree, after.rounds, after.knots)
        for name in ("data_values", "knot_values", "eta"):
            np.testing.assert_array_equal(1024 * getattr(before, name), getattr(after, name))
    for before, after in zip(steps[1.0], steps[1024.0], strict=True):
        assert (1024 * before.eta, 1024 * before.residual) == (after.eta, after.residual)
    assert len(steps[1.0]) > len(one.history) and any(step.residual > 0 for step in steps[1.0])
    for name in ("residuals", "knot_residuals", "epsilon", "delta"):
        np.testing.assert_allclose(1024 * np.asarray(getattr(one, name)), getattr(other, name), rtol=1e-12)


def test_a_row_of_no_weight_has_no_knot():
    angle = np.linspace(0, 6, 41)
    circle = np.c_[np.cos(angle), np.sin(angle)]
    ideal = symknot.fit(circle, 1e-3, weights=np.arange(41) != 7)
    assert ideal.assignment[7] == -1 and (np.delete(ideal.assignment, 7) >= 0).all() and len(ideal.assignment) == 41


def circle_on_its_data(**others):
    """A circle found within epsilon of its points, which are the knots still: its state, and settings that ask for more."""
    angle = np.linspace(0, 6, 40)
    values = np.c_[np.cos(angle), np.sin(angle)] + 1e-3 * np.random.default_rng(0).normal(size=(40, 2))
    inside = Points(values, np.full(40, 1 / 40), ("x", "y"), np.zeros(2), np.ones(2), 1.0, np.arange(40))
    given = Settings(Gradient(), Projection(), 8e-3, 1e-9, 2, 1, 0.25, pursues=False)
    at, status = loop._start(inside, given), None
    with reporter(None) as report:
        while status is None:
            at, status = loop._advanced(inside, given, at, report)
        assert status is Status.MAX_DEGREE and at.essential == (True,)
        wanted = replace(given, pursues=True, **others)
        return at, lambda now: loop._advanced(inside, wanted, now, report)


@pytest.mark.parametrize("resets, eta, over", [(0, 0.1, False), (1, 0.1, True), (0, 1e-9, True), (0, 1.1e-9, False)])
def test_a_fit_begins_anew_until_that_is_no_more_use(resets, eta, over):
    """Knots are off the circle: from the first degree with less of eta, one reset at most, until eta is delta."""
    at, advanced = circle_on_its_data()
    at = replace(at, resets=resets, eta=eta, idle=3, lost=2)
    after, status = advanced(at)
    if over:
        assert status is Status.NOT_EXACT and after is at
    else:
        assert status is None and after.eta == max(0.25 * eta, 1e-9)
        assert (after.resets, after.idle, after.lost, after.essential) == (resets + 1, 0, 0, ())
        assert after.recursion.degree == 0 and after.knots is at.knots


def test_knots_within_delta_are_the_end():
    at, advanced = circle_on_its_data(delta=0.01)
    assert advanced(at) == (at, Status.MAX_DEGREE)
    assert advanced(replace(at, essential=(False,)))[1] is Status.NO_POLYNOMIAL


ANGLE = np.linspace(0, 6, 40)
CIRCLE = np.c_[np.cos(ANGLE), np.sin(ANGLE)] + 1e-3 * np.random.default_rng(0).normal(size=(40, 2))


def points(weights):
    return Points(CIRCLE, weights, ("x", "y"), np.zeros(2), np.ones(2), 1.0, np.arange(40))


@pytest.mark.parametrize("normalization, mass", [(Gradient(), 1), (PaperVCA(), 40)])
def test_means_and_sums_over_the_points(normalization, mass):
    """Weights add up to 1, or to the number of points; the constant has norm 1 either way."""
    weights = np.arange(40) / 780
    at = loop._start(points(weights), Settings(normalization, Projection(), 8e-3, 1e-9, 2, 1, 0.25))
    np.testing.assert_allclose(at.weights, mass * weights)
    np.testing.assert_allclose(at.seen.weights, mass * weights)
    assert at.recursion.constant**2 * at.weights.sum() == pytest.approx(1)


@pytest.mark.parametrize("epsilon", [0.05, 0.1 / 3, 0.07, 0.3])
def test_a_given_epsilon_is_the_one_that_the_result_has_to_the_last_digit(epsilon):
    assert symknot.fit(CIRCLE, epsilon, max_degree=2).epsilon == epsilon == symknot.vca(CIRCLE, epsilon, max_degree=2).epsilon


FOUND = symknot.fit(CIRCLE, 8e-3, max_degree=2)
NOTHING_SAID = Options(None, None, None, 1, 0.25, "absolute", "squares")


def evidence(status=Status.SETTLED, essential=(True,), options=NOTHING_SAID, others=(), **finding):
    """Status and message of a fit with such a status, after such a search."""
    fitted = replace(FOUND, status=status, message=status.advice, essential=np.array(essential), epsilon=0.5)
    found = Record(**{"noise_log_errors": {"x": 0.5}, "outliers": None, "is_trend": False, "doubt": "", "spectrum": "seen",
                      "unfinished": "", "rivals": others, **finding})
    return rivals.with_evidence(fitted, Settings(Gradient(), Projection(), 8e-3, 1e-9, 2, 1, 0.25), found, options)


@pytest.mark.parametrize("given, status", [
    ({}, Status.SETTLED),
    ({"is_trend": True}, Status.TREND),
    ({"is_trend": True, "status": Status.MAX_DEGREE}, Status.TREND),
    ({"is_trend": True, "status": Status.NO_POLYNOMIAL}, Status.NO_POLYNOMIAL),
    ({"is_trend": True, "essential": (False,)}, Status.SETTLED),
    ({"doubt": "two shapes"}, Status.UNRESOLVED),
    ({"doubt": "two shapes", "is_trend": True}, Status.TREND),
    ({"doubt": "two shapes", "status": Status.MAX_DEGREE}, Status.MAX_DEGREE),
    ({"unfinished": "degree 3"}, Status.WORK_LIMIT),
    ({"unfinished": "degree 3", "doubt": "two shapes"}, Status.WORK_LIMIT),
    ({"unfinished": "degree 3", "status": Status.NO_POLYNOMIAL}, Status.WORK_LIMIT),
    ({"unfinished": "degree 3", "status": Status.OUT_OF_TIME}, Status.OUT_OF_TIME),
])
def test_what_the_search_says_about_a_fit(given, status):
    found = evidence(**given)
    assert found.status is status and found.spectrum == "seen" and found.noise_log_errors == {"x": 0.5} and found.epsilon == 0.5
    assert found.message == {Status.UNRESOLVED: "two shapes", Status.WORK_LIMIT: f"degree 3: {Status.WORK_LIMIT.advice}"}.get(
        status, status.advice)


def test_of_a_given_epsilon_the_search_says_only_how_noise_is_known():
    found = evidence(is_trend=True, unfinished="degree 3", options=NOTHING_SAID._replace(epsilon=0.25))
    assert (found.status, found.epsilon, found.spectrum) == (Status.SETTLED, 0.25, FOUND.spectrum)
    assert found.noise_log_errors == {"x": 0.5}


@pytest.mark.parametrize("ends, status, stated", [
    ((Status.SETTLED, Status.UNRESOLVED), Status.SETTLED, 2), ((Status.SETTLED, Status.OUT_OF_TIME), Status.OUT_OF_TIME, 0),
    ((Status.WORK_LIMIT, Status.SETTLED), Status.WORK_LIMIT, 0), ((), Status.SETTLED, 0),
])
def test_rivals_are_fitted_to_their_end_or_none_is_stated(monkeypatch, ends, status, stated):
    monkeypatch.setattr(rivals, "_rival", lambda settings, rival, options, symbols, stage: replace(FOUND, status=rival))
    found = evidence(others=ends)
    assert (found.status, found.message, len(found.alternatives)) == (status, status.advice, stated)
    monkeypatch.setattr(rivals, "_rival", lambda *every: replace(FOUND, essential=np.zeros(len(FOUND.essential), bool)))
    assert not evidence(others=ends).alternatives, "a rival without equations is none"
    bad = evidence(others=ends, status=Status.NO_POLYNOMIAL)
    assert bad.status is Status.NO_POLYNOMIAL and not bad.alternatives


def test_epsilon_in_a_gap_is_met_as_values_are_fitted():
    """The gap's values are corrected by the root of n / (n - m), and a degree's own are not."""
    gap = Gap(2, 1, 0.01, 0.01, 0.03, 0.02, 3, 1.0, 0)
    settings = Settings(Gradient(), Projection(), 0.02, 1e-9, None, 1, 0.25, gap=gap)
    assert [settings.at(degree, 36, 100.0).epsilon for degree in (2, 3, 4)] == pytest.approx([0.016, 0.016, 0.02])
    assert settings.at(2, 76, 100.0).epsilon == 0.02                                 # more than points carry
    assert replace(settings, start=np.zeros((3, 1))).at(2, 36, 100.0).epsilon == 0.02       # bent equations have no such gap
    assert settings.at(1, 36, 100.0).epsilon < 1e-6
