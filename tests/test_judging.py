"""What makes a search believe a hypothesis, from numbers on either side of each line."""

from types import SimpleNamespace as Record

import numpy as np
import pytest

from symknot.fitting.judging import (
    CLOSE_LOWER_NOISE,
    Searched,
    falls,
    has_points_to_spare,
    is_close,
    is_few_valued,
    is_much_nearer,
    is_new,
    overrules,
    stands_clear,
)
from symknot.fitting.sampled import ROUNDING_SHARE


def degree(number=2, *, left=200, count=250, spectrum=(1.0, 2.0), held_out=1.0, **others):
    """What judging reads of a degree."""
    sample = Record(count=count, weights=np.full(4, 0.25), **others.pop("sample", {}))
    return Record(degree=number, left=left, sample=sample, spectrum=lambda metric: (np.array(spectrum),),
                  held_out=lambda metric: held_out, **{"exact": [], "noiseless": np.zeros((4, 2), bool), **others})


def hypothesis(values=(1.0, 1.2, 3.6), k=2, *, near=True, at=None, **others):
    """What judging reads of a hypothesis."""
    at = at or degree()
    values = np.array(values)
    return Record(**{"values": values, "k": k, "at": at, "degree": at.degree, "noise": 0.05, "width": 1.25, "unevenness": 1.0,
                     "gap": values[k] / values[k - 1], "is_near": lambda: near, "metric": np.ones(2), "typical": 0.1,
                     "determined": np.array([True, True]), "involved": np.array([True, True]), **others})


@pytest.mark.parametrize("found, clear", [
    (hypothesis(), True),
    (hypothesis(near=False), False),
    (hypothesis(noise=ROUNDING_SHARE), False),
    (hypothesis((1.0, 1.25, 3.6)), True),                                     # no wider than the cluster may be
    (hypothesis((1.0, 1.26, 3.6)), False),
    (hypothesis((1.0, 1.26, 3.2), unevenness=1.1), True),                     # 1.1 times as wide, with a gap of 2.54
    (hypothesis((1.0, 1.38, 3.6), unevenness=1.1), False),
    (hypothesis((1.0, 1.26, 3.1), unevenness=1.1), False),                    # a gap of 2.46 is not wide
    (hypothesis((1.0, 1.26, 3.6), unevenness=1.1, at=degree(1)), False),      # lines look at all places alike
    (hypothesis((1.0, 1.28, 3.2), unevenness=1.1), True),                     # one of 2.5 is
    (hypothesis((5.0, 5.0, 18.0)), True),
    (hypothesis((1.0, 1.0, 1.26), at=degree(left=200)), False),               # 5 standard errors of 200 values: 1.25
    (hypothesis((1.0, 1.0, 1.31), at=degree(left=200)), True),
    (hypothesis((1.0, 1.0, 1.30), at=degree(left=1000)), True),               # never less than 1.3
    (hypothesis((1.0, 1.0, 1.29), at=degree(left=1000)), False),
    (hypothesis((1.0, 1.0, 1.49), at=degree(left=50)), False),                # of 50 values: 1.5
    (hypothesis((1.0, 1.0, 1.51), at=degree(left=50)), True),
])
def test_a_cluster_stands_clear(found, clear):
    assert bool(stands_clear(found)) is clear


@pytest.mark.parametrize("number, order", [(1, 1.0), (2, 2.0), (3, 1.5), (5, 1.25)])
@pytest.mark.parametrize("count", [100, 400])
def test_a_fall_is_below_the_line_of_hermite(number, order, count):
    """Four fifths of 1 / sqrt(order), and two standard errors, 1 / sqrt(count), below it."""
    line = 0.8 * (1 - 2 / np.sqrt(count)) / np.sqrt(order)
    found = hypothesis(at=degree(number, count=count))
    assert falls(found, 0.999 * line * 3, 3.0) and not falls(found, 1.001 * line * 3, 3.0)


def test_what_is_new_is_compared_with_the_degree_before():
    before = [degree(1, held_out=4.0, spectrum=(3.0, 5.0), left=160, count=250), degree(2, held_out=1.0)]
    state, found = Searched(before), hypothesis(at=degree(2, held_out=1.0, count=10**6))
    assert state.value_before(found) == 4.0 and state.raw_value_before(found) == pytest.approx(3 * 0.8)
    assert is_new(state, found)
    assert not is_new(state, hypothesis(at=degree(2, held_out=2.4, count=10**6)))
    first = hypothesis(at=degree(1))
    assert state.value_before(first) == state.raw_value_before(first) == np.inf and is_new(state, first)
    third = hypothesis(at=degree(3))
    assert state.value_before(third) == 1.0
    assert Searched([degree(1, spectrum=()), degree(2)]).raw_value_before(found) == np.inf


def test_the_kind_and_the_exact_degree():
    assert Searched().kind == (0, 0) and Searched().exact is None and not Searched().is_bent
    exact = degree(2, exact=[1])
    state = Searched([degree(1), exact, degree(3, exact=[1])], found=hypothesis(at=degree(3)))
    assert state.kind == (3, 2) and state.exact is exact


def test_quiet_variables_are_so_nearly_everywhere_beside_others_that_are_hardly_anywhere():
    def state(*columns):
        return Searched([degree(1), degree(2, noiseless=np.array(columns, bool).T)])

    everywhere, nowhere, half = [1] * 4, [0] * 4, [1, 1, 0, 0]
    assert state(everywhere, nowhere).quiet.tolist() == [True, False]
    assert state(everywhere, half).quiet.tolist() == [False, False]
    assert state(everywhere, everywhere).quiet.tolist() == [False, False]
    assert state(nowhere, nowhere).quiet.tolist() == [False, False]
    both = Searched([degree(1, noiseless=np.array([half, nowhere], bool).T),
                     degree(2, noiseless=np.array([half[::-1], nowhere], bool).T)])
    assert both.noiseless.all(axis=0).tolist() == [True, False] and both.quiet.tolist() == [True, False]
    often = degree(2, noiseless=np.array([[1, 0, 0, 0], nowhere], bool).T)
    often.sample.weights = np.array([0.95, 0.05, 0.0, 0.0])
    assert Searched([often]).quiet.tolist() == [False, False]
    rare = degree(2, noiseless=np.array([everywhere, [1, 0, 0, 0]], bool).T)
    for share, quiet in ((0.049, True), (1 - 0.95, False)):
        rare.sample.weights = np.array([share, 0.3, 0.3, 0.4 - share])
        assert Searched([rare]).quiet.tolist() == [quiet, False]


@pytest.mark.parametrize("slope, room", [(0.34, True), (0.33, False)])
def test_equations_leave_room_where_a_tenth_of_their_slopes_is_along_noisy_values(slope, room):
    """0.34^2 of 0.34^2 + 1 is 0.104, 0.33^2 is 0.098; weak slopes do not count."""
    directions = np.array([[[1.0, slope]], [[1.0, slope]], [[0.0, 9.0]], [[1.0, slope]]])
    own = Record(directions=directions, strong=np.array([[1], [1], [0], [1]]))
    at = degree(noiseless=np.array([[True, False]] * 4))
    assert Searched([at]).leaves_room(hypothesis(at=at, own_normals=own)) is room


@pytest.mark.parametrize("spectrum, number", [
    ((1.0, 1.1, 2.8), 2), ((1.0, 1.1, 2.7), None), ((1.2, 3.0, 4.0), 1), ((9.0, 20.0), None), ((1.0, 1.1), None)])
def test_a_system_begins_at_the_degree_overruled(spectrum, number):
    """Of the values there those up to the top of the cluster, 1.1, count, with 2.5 times as much behind."""
    lower = degree(1, spectrum=spectrum)
    found = hypothesis((1.0, 1.2, 3.6), at=degree(2))
    got = Searched([lower], found, overruled=hypothesis(at=lower)).beginning
    wide = number is not None and spectrum[number] >= 2.5 * 1.2
    assert got == ((lower, number) if wide else None)


def test_a_system_begins_with_what_it_extends():
    extended = hypothesis(at=degree(1), k=1)
    assert Searched(found=hypothesis(), extended=extended).beginning == (extended.at, 1)
    assert Searched(found=hypothesis()).beginning is None
    assert Searched(overruled=hypothesis()).beginning is None


def pair(ratios=(0.3, 1.0), *, near=True, later=(), earlier=()):
    """A later hypothesis with noise of so many times the earlier one's, and that one."""
    return (hypothesis(noise=0.1, metric=5 * np.array(ratios), typical=0.03 if near else 0.04, **dict(later)),
            hypothesis(noise=0.5, metric=np.ones(2), typical=0.1, **dict(earlier)))


@pytest.mark.parametrize("one, other, better", [
    (*pair((0.3, 0.9)), True),
    (*pair((0.3, 1.0)), True),
    (hypothesis(noise=0.1, metric=np.array([15.0, 5.0]), typical=0.03),
     hypothesis(noise=0.5, metric=np.array([10.0, 1.0]), typical=0.1), True),
    (*pair((0.3, 0.9), near=False), False),
    (*pair((0.35, 0.39), near=False, earlier={"unevenness": 2.5}.items()), False),
    (*pair((0.34, 0.9)), False),                                              # not three times less of any
    (hypothesis(noise=1.0, typical=0.03), hypothesis(noise=3.0, typical=0.1), False),       # no more than three times less
    (*pair((0.3, 1.1)), False),                                               # more of one
    (*pair((0.3, 1.1), earlier={"determined": np.array([True, False])}.items()), True),
    (*pair((0.9, 1.1), earlier={"determined": np.array([False, False])}.items()), True),
    (*pair((0.3, 0.9), later={"involved": np.array([True, False])}.items()), False),
    (*pair((0.3, 0.9), later={"at": degree(left=187)}.items()), False),       # of 250 points 187.5 are to be spare
    (*pair((0.3, 0.9), later={"at": degree(left=188)}.items()), True),
    (*pair((0.3, 0.9), later={"unevenness": 2.6}.items()), False),
    (*pair((0.3, 0.9), later={"unevenness": 2.5}.items()), True),
    (*pair((0.3, 0.9), later={"unevenness": 2.8}.items(), earlier={"unevenness": 2.9}.items()), True),
    (*pair((0.35, 0.39), near=False, earlier={"unevenness": 2.6}.items()), True),
    (*pair((0.35, 0.40), near=False, earlier={"unevenness": 2.6}.items()), False),
    (*pair((0.35, 0.39), near=False, earlier={"unevenness": 2.4}.items()), False),
    (*pair((0.35, 0.39), near=False, later={"unevenness": 1.1}.items(), earlier={"unevenness": 2.6}.items()), False),
])
def test_a_later_degree_overrules_by_much_less_noise_in_some_variables_and_more_in_none(one, other, better):
    assert bool(overrules(one, other)) is better


def test_without_a_wide_gap_nothing_is_overruled():
    one, other = pair((0.3, 0.4))
    assert overrules(one, other)
    one.gap = 2.5
    assert overrules(one, other)
    one.gap = 2.49
    assert not overrules(one, other)


def test_a_factor_between_that_of_uniform_noise_and_three_makes_a_rival():
    """Of the noise and of the typical distance: 2.5 times less does not overrule, but at the smaller factor it would."""
    one, other = pair((0.4, 0.4))
    one.typical, other.typical = 0.04, 0.1
    assert not overrules(one, other) and overrules(one, other, CLOSE_LOWER_NOISE)
    assert is_close(Record(typical=1.0), Record(typical=4.0)) and not is_close(Record(typical=1.0), Record(typical=4.1))


def test_points_to_spare_and_nearness():
    assert has_points_to_spare(degree(left=75, count=100)) and not has_points_to_spare(degree(left=74, count=100))
    assert is_much_nearer(Record(typical=0.99), Record(typical=3.0))
    assert not is_much_nearer(Record(typical=1.0), Record(typical=3.0))


def rounded(*, values=(0.5,), along=0.0, rounding=(0.1, 0.1), noiseless=(True, True), exact=(1,)):
    """A search that found an equation of slope (1, 0), and exact ones of degree 3 with a share of their slopes beside it."""
    slopes = np.tile(np.array([[1.0], [0.0]]), (4, 1, 1))
    found = hypothesis(at=degree(2, spectrum=values), slopes=slopes)
    beside = np.tile(np.array([[np.sqrt(1 - along)], [np.sqrt(along)]]), (4, 1, 1))
    at = degree(3, exact=list(exact), exact_slopes=beside, sample={"rounding": np.array(rounding)},
                noiseless=np.tile(noiseless, (4, 1)))
    return Searched([degree(1, exact_slopes=np.zeros((4, 2, 0))), degree(2, exact_slopes=np.zeros((4, 2, 0))), at], found), at


@pytest.mark.parametrize("case, few", [
    (rounded(), True), (rounded(exact=()), False),
    (rounded(values=(1.49,)), True), (rounded(values=(1.5,)), False), (rounded(values=()), False),
    (rounded(along=0.009), True), (rounded(along=0.011), False),
    (rounded(rounding=(0.1, 0.0)), False), (rounded(rounding=(0.1, 0.0), noiseless=(True, False)), True),
])
def test_few_values_are_those_of_rounded_noise(case, few):
    """Of degree 3 beside 2, the points are nearer than 3/2 roundings, and the slopes along the known ones but for 1 %."""
    assert is_few_valued(*case) is few


def test_exact_values_count_as_the_most_rounded_and_slopes_that_repeat_as_one():
    """A column without rounding takes the largest step for its noise; slopes along a direction known already add none."""
    state, at = rounded(rounding=(0.0, 0.4), noiseless=(False, True))
    asked = []
    state.found.at.spectrum = lambda metric: (asked.append(metric.tolist()) or np.array([0.5]),)
    assert is_few_valued(state, at) and asked == [[0.4, 0.4]]
    state.degrees[1].exact_slopes = state.found.slopes * 2e-3
    assert is_few_valued(state, at)
    beside, at = rounded(along=0.5)
    beside.degrees[1].exact_slopes = beside.found.slopes * 3.0
    assert not is_few_valued(beside, at)
    at.exact_slopes[:, 1] *= -1.0
    assert not is_few_valued(beside, at)


@pytest.mark.parametrize("size", [1e-9, 10.0, 1e9])
@pytest.mark.parametrize("along, few", [(0.009, True), (0.011, False)])
def test_the_unit_of_slopes_decides_nothing(size, along, few):
    state, at = rounded(along=along)
    state.found.slopes = size * state.found.slopes
    at.exact_slopes = size * at.exact_slopes
    assert is_few_valued(state, at) is few


def test_directions_known_to_rounding_only_are_not_known():
    """A second slope along the first but for the last digit, and points at which nothing has a slope."""
    state, at = rounded(along=0.5)
    state.degrees[1].exact_slopes = 3.0 * state.found.slopes + [[0.0], [1e-14]]
    assert not is_few_valued(state, at)
    state, at = rounded()
    state.found.slopes = state.found.slopes * np.array([1.0, 1.0, 0.0, 0.0])[:, None, None]
    assert not is_few_valued(state, at)


def test_each_variable_has_the_step_that_it_was_rounded_to():
    state, at = rounded(rounding=(0.1, 0.4))
    asked = []
    state.found.at.spectrum = lambda metric: (asked.append(metric.tolist()) or np.array([0.5]),)
    assert is_few_valued(state, at) and asked == [[0.1, 0.4]]


def test_nothing_found_has_no_few_values():
    state, at = rounded()
    state.found = None
    assert not is_few_valued(state, at)
