"""Blocks in threads: in order, the same to the last bit with any number, and what stops a fit stops them."""

import threading

import numpy as np
import pytest

import symknot
from symknot.ground import threads
from symknot.ground.deadline import Deadline, look
from symknot.ground.errors import TimeLimit
from symknot.ground.threads import in_threads


@pytest.fixture(params=[1, 2, 5])
def number(request, monkeypatch):
    monkeypatch.setattr(threads, "threads", lambda: request.param)
    return request.param


def noisy_circle(n):
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, 2 * np.pi, n)
    return np.c_[np.cos(angle), np.sin(angle)] + 0.02 * rng.normal(size=(n, 2))


def test_results_come_in_the_order_of_the_parts(number):
    barrier, names = threading.Barrier(number), set()

    def square(part):
        if part < number:
            barrier.wait(timeout=60)                 # so many are at work at once
        names.add(threading.get_ident())
        return part**2

    assert list(in_threads(square, range(20))) == [part**2 for part in range(20)]
    assert len(names) == number


def test_no_more_than_a_few_are_begun_before_their_turn(number):
    begun = []
    results = in_threads(lambda part: begun.append(part), range(100))
    next(results)
    results.close()
    assert len(begun) <= 1 + threads.BLOCKS_AHEAD * number


def test_an_error_ends_the_rest(number):
    begun = []

    def fails(part):
        begun.append(part)
        if part == 3:
            raise ValueError("part 3")

    with pytest.raises(ValueError, match="part 3"):
        list(in_threads(fails, range(100)))
    assert len(begun) <= 4 + threads.BLOCKS_AHEAD * number


def test_the_deadline_of_the_caller_rules_in_threads(number):
    with pytest.raises(TimeLimit), Deadline(1e-9).ruling("work"):
        list(in_threads(lambda part: look(), range(10)))


def test_numpys_error_settings_are_those_of_the_caller(number):
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        list(in_threads(lambda part: np.ones(3) / np.zeros(3), range(10)))


def test_the_environment_limits_them(monkeypatch):
    monkeypatch.setenv(threads.THREADS_VARIABLE, "1")
    assert threads.threads() == 1
    for anything in ("", "many", "-3", "100000"):
        monkeypatch.setenv(threads.THREADS_VARIABLE, anything)
        assert 1 <= threads.threads() < 100000
    monkeypatch.setattr(threads.sys, "platform", "emscripten")
    assert threads.threads() == 1


def test_fits_and_values_are_the_same_with_any_number(monkeypatch):
    points, found = noisy_circle(40000), []
    for number in (1, 3):
        monkeypatch.setattr(threads, "threads", lambda: number)
        ideal = symknot.fit(points, 0.03, max_degree=2)
        far = 1.5 * points[:20000]
        found.append([ideal.knots, ideal.recursion.layers[1].G, ideal.residuals, ideal.evaluate(far), ideal.jacobian(far),
                      ideal.project(far)])
    assert all(np.array_equal(one, other) for one, other in zip(*found))
