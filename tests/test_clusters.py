"""Points on a real cluster: several worker processes, one of which dies in the middle."""

import os
import signal
import time
from functools import partial

import numpy as np
import pytest

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
