"""Between the degrees of a fit: when it goes on, when it ends and with which word, from numbers on either side of each line."""

from types import SimpleNamespace as Record

import numpy as np
import pytest

import symknot
from symknot.fitting import loop
from symknot.ground.errors import Status


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
    assert loop._obstacle(settings(**given), at) is obstacle


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
    ((1, 29), (True,), 0, None),                         # 465: degree 2 is looked at nevertheless
])
def test_degrees_that_are_too_large_are_not_begun(sizes, essential, idle, obstacle):
    assert loop._obstacle(settings(), state(sizes, essential=essential, idle=idle)) is obstacle


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
