"""Points on a real cluster: several worker processes, one of which dies in the middle."""

import os
import signal
import time
from functools import partial

import numpy as np
import pytest
import sympy

import symknot
from tests.test_streamed_fit import shift_in_errors
from tests.test_streams import same_up_to_sign

PIECES, ROWS = 24, 3000


def ellipse(number, seconds=0.0):
    """One block, the same whenever it is made; on a cluster slowly enough for somebody to die meanwhile."""
    time.sleep(seconds)
    rng = np.random.default_rng(number)
    angle = rng.uniform(0, 2 * np.pi, ROWS)
    return np.c_[3 * np.cos(angle), np.sin(angle)] + 0.05 * rng.normal(size=(ROWS, 2))


@pytest.fixture(scope="module")
def client():
    from distributed import Client, LocalCluster
    with LocalCluster(n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50) as cluster:
        with Client(cluster) as client:
            yield client


class KillsOne:
    """Progress that kills a worker process after a few blocks."""

    def __init__(self, client):
        self.client, self.told, self.killed = client, [], None

    def __call__(self, step):
        self.told.append(step)
        if self.killed is None and getattr(step, "done", 0) >= PIECES // 4:
            self.killed = next(iter(self.client.run(os.getpid).values()))
            os.kill(self.killed, signal.SIGKILL)


@pytest.mark.slow
def test_a_worker_dies_and_the_equations_are_the_same(client):
    watch = KillsOne(client)
    pieces = [partial(ellipse, number, 0.05) for number in range(PIECES)]
    found = symknot.vca(pieces, 0.07, max_degree=3, client=client, progress=watch)
    assert watch.killed is not None and watch.killed not in client.run(os.getpid).values()
    assert [step.done for step in watch.told if hasattr(step, "done")] == list(range(1, PIECES + 1))
    X = np.concatenate([ellipse(number) for number in range(PIECES)])
    same_up_to_sign(found, symknot.vca(X, 0.07, max_degree=3))
    assert found.point_count == PIECES * ROWS and len(found.knots) < ROWS * 2

    import dask.array
    delayed = dask.array.from_array(X, chunks=(ROWS, 1))
    same_up_to_sign(symknot.vca(delayed, 0.07, max_degree=3), found)               # the active client


@pytest.mark.slow
def test_a_fit_on_a_cluster_is_the_fit_in_memory(client):
    pieces = [partial(ellipse, number) for number in range(6)]
    X = np.concatenate([piece() for piece in pieces])
    found = symknot.fit(pieces, 0.07, client=client)
    assert shift_in_errors(symknot.fit(X, 0.07), found) < 0.01
    with pytest.raises(symknot.InvalidOption, match="on a cluster"):
        symknot.fit(pieces, 0.07, client=client, knots="knots.npy")
    with pytest.raises(symknot.InvalidOption, match="only this process can read"):
        symknot.vca(lambda: iter([X]), 0.07, max_degree=2, client=client)


def oscillator(number):
    """A run of a damped system of its own, with times, and the determinant of its matrix."""
    rng = np.random.default_rng(number)
    frequency, t = rng.uniform(1, 2), np.linspace(0, 8, 100)
    cosine, sine = np.exp(-0.1 * t) * np.cos(frequency * t), np.exp(-0.1 * t) * np.sin(frequency * t)
    run = np.c_[cosine, -0.1 * cosine - frequency * sine]
    return np.c_[t, run + 0.002 * rng.normal(size=run.shape)], 0.01 + frequency**2


def determinant_of(number):
    """What `identify` says it is, and in which process."""
    run, _ = oscillator(number)
    model = symknot.identify(symknot.Trajectories(run[:, 1:], time=run[:, 0]), max_degree=1)
    sides = sympy.Matrix(list(model.right_hand_sides.values()))
    return float(sides.jacobian(sorted(sides.free_symbols, key=str)).det()), os.getpid()


@pytest.mark.slow
def test_many_fits_are_spread_by_joblib(client):
    import joblib
    from sklearn.datasets import load_iris
    from sklearn.model_selection import GridSearchCV

    from symknot.estimators import VanishingIdealClassifier

    X, y = load_iris(return_X_y=True)

    def searched(n_jobs):
        model = VanishingIdealClassifier(max_degree=2, n_jobs=n_jobs)
        search = GridSearchCV(model, {"epsilon": [0.25, 0.3]}, cv=3, n_jobs=n_jobs).fit(X, y)
        return search.cv_results_["mean_test_score"], search.predict(X)

    def pids():
        return joblib.Parallel()(joblib.delayed(os.getpid)() for _ in range(6))

    here = searched(None)
    with joblib.parallel_config("dask"):
        there, elsewhere = searched(-1), pids()
        models = joblib.Parallel()(joblib.delayed(determinant_of)(number) for number in range(6))
    assert {process for _, process in models} <= set(client.run(os.getpid).values())
    np.testing.assert_allclose([found for found, _ in models], [oscillator(number)[1] for number in range(6)], rtol=0.02)
    assert set(elsewhere) <= set(client.run(os.getpid).values())           # and not in this process
    for one, other in zip(here, there):
        np.testing.assert_array_equal(one, other)
