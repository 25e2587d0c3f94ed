"""Runs from tables and arrays, and the points made from them: the same whatever they come in, errors in clear words."""

import sys

import numpy as np
import pandas as pd
import pytest

from symknot import InvalidOption, InvalidPoints
from symknot.ground.errors import MissingExtra
from symknot.sysid.runs.smoothing import local_stencils
from symknot.sysid.runs.trajectories import Trajectories

T = 0.05 * np.arange(120)
CIRCLE = np.c_[np.cos(T), np.sin(T)]


def frame(*labels, columns=("x", "y")):
    """Runs of the circle, of different lengths, in one table."""
    parts = [pd.DataFrame(CIRCLE[:100 + 7 * k], columns=list(columns)).assign(time=T[:100 + 7 * k], run=label)
             for k, label in enumerate(labels)]
    return pd.concat(parts, ignore_index=True)


def same(a, b):
    assert (a.names, a.input_names, len(a)) == (b.names, b.input_names, len(b))
    for one, other in zip(a, b, strict=True):
        for field in ("times", "states", "inputs"):
            np.testing.assert_array_equal(getattr(one, field), getattr(other, field))


# ------------------------------------------------------------------------------------------------- all ways to say it


def test_tables_files_and_arrays_agree(tmp_path):
    table = frame("a", "b")
    path = tmp_path / "runs.csv"
    table.to_csv(path, index=False)
    from_frame = Trajectories(table, "time", group="run")
    arrays = [CIRCLE[:100], CIRCLE[:107]]
    same(from_frame, Trajectories(path, "time", group="run"))
    same(from_frame, Trajectories(str(path), "time", group="run"))
    same(from_frame, Trajectories(arrays, [T[:100], T[:107]]))
    same(from_frame, Trajectories(tuple(arrays), 0.05))
    same(from_frame, Trajectories({"a": arrays[0], "b": arrays[1]}, {"a": T[:100], "b": T[:107]}))
    same(from_frame, Trajectories([a.tolist() for a in arrays], 0.05))
    assert from_frame.labels == ("a", "b") and from_frame.time_name == "time"
    assert repr(from_frame) == "Trajectories: 2 runs, 207 samples of x, y"


def test_one_run():
    one = Trajectories(CIRCLE, T)
    same(one, Trajectories(CIRCLE.tolist(), T.tolist()))
    same(one, Trajectories(pd.DataFrame(CIRCLE, columns=["x", "y"]), 0.05))
    same(one, Trajectories([CIRCLE], [T]))
    assert len(one) == 1 and repr(one) == "Trajectories: 1 run, 120 samples of x, y"
    assert len(one.runs[0]) == 120 and one.dropped == 0


@pytest.mark.parametrize("values", [np.arange(5.0), [0, 1, 2, 3, 4], np.arange(5).reshape(-1, 1)])
def test_one_variable_and_no_times(values):
    runs = Trajectories(values)
    assert runs.names == ("x",) and runs.runs[0].states.shape == (5, 1)
    np.testing.assert_array_equal(runs.runs[0].times, np.arange(5))


def test_names():
    assert Trajectories(CIRCLE, names=["p", "q"]).names == ("p", "q")
    assert Trajectories(frame("a"), "time", group="run", names=["p", "q"]).names == ("p", "q")
    assert Trajectories(np.random.default_rng(0).normal(size=(9, 4))).names == ("x1", "x2", "x3", "x4")


def test_inputs():
    table = frame("a", "b").assign(force=1.0)
    runs = Trajectories(table, "time", group="run", inputs=["force"])
    assert runs.input_names == ("force",) and runs.names == ("x", "y")
    assert repr(runs) == "Trajectories: 2 runs, 207 samples of x, y, input force"
    same(runs, Trajectories(table, "time", group="run", inputs="force"))
    assert Trajectories(CIRCLE, T, inputs=np.ones(120)).input_names == ("u",)
    assert Trajectories(CIRCLE, T, inputs=np.ones((120, 2))).input_names == ("u1", "u2")
    two = Trajectories([CIRCLE, CIRCLE], 0.05, inputs=[np.ones(120), np.zeros(120)])
    assert [run.inputs[0, 0] for run in two] == [1, 0]


def test_rows_of_groups_may_alternate():
    table = pd.DataFrame({"g": ["b", "a"] * 30, "t": np.repeat(np.arange(30), 2), "x": np.arange(60.0)})
    runs = Trajectories(table, "t", group="g")
    assert runs.labels == ("b", "a")
    np.testing.assert_array_equal(runs.runs[1].states[:, 0], np.arange(1, 60, 2))


def test_the_data_are_not_shared():
    values, times = CIRCLE.copy(), T.copy()
    runs = Trajectories(values, times)
    values[:], times[:] = 0, 0
    np.testing.assert_array_equal(runs.runs[0].states, CIRCLE)
    np.testing.assert_array_equal(runs.runs[0].times, T)


def test_select():
    runs = Trajectories(frame("a", "b", "c"), "time", group="run")
    assert runs.select(["c", "a"]).labels == ("a", "c")
    assert runs.select("b").labels == ("b",)
    assert Trajectories([CIRCLE, CIRCLE]).select(1).labels == (1,)
    with pytest.raises(InvalidOption, match="labels must be labels of runs, which are a, b, c, got 'd'"):
        runs.select(["d"])
    with pytest.raises(InvalidOption, match="at least one"):
        runs.select([])


# ------------------------------------------------------------------------------------------------------ missing values


def test_gaps_cut_a_run(tmp_path):
    table = frame("a", "b")
    table.loc[30, "x"] = np.nan
    table.loc[60:62, "y"] = np.nan
    path = tmp_path / "gaps.csv"
    table.to_csv(path, index=False)
    runs = Trajectories(table, "time", group="run")
    assert runs.labels == ("a/1", "a/2", "a/3", "b") and [len(run) for run in runs] == [30, 29, 37, 107]
    same(runs, Trajectories(path, "time", group="run"))
    assert runs.select("a").labels == ("a/1", "a/2", "a/3") and runs.select("a/2").labels == ("a/2",)
    np.testing.assert_array_equal(runs.runs[1].times, T[31:60])


def test_gaps_of_every_spelling():
    holes = CIRCLE.copy()
    holes[50, 1] = np.nan
    wanted = Trajectories(holes, T)
    assert wanted.labels == ("0/1", "0/2")
    same(wanted, Trajectories(np.ma.masked_invalid(holes), T))
    objects = holes.astype(object)
    objects[50, 1] = None
    same(wanted, Trajectories(objects, T))
    same(wanted, Trajectories(pd.DataFrame(objects, columns=["x", "y"]), 0.05))
    same(wanted, Trajectories(pd.DataFrame(holes, columns=["x", "y"]).astype("Float64"), 0.05))
    control = np.where(np.arange(120) == 50, np.nan, 1.0)
    assert Trajectories(CIRCLE, T, inputs=control).labels == ("0/1", "0/2")


def test_missing_at_the_ends_is_no_gap():
    holes = CIRCLE.copy()
    holes[[0, 1, -1]] = np.nan
    runs = Trajectories(holes, T)
    assert runs.labels == (0,) and runs.runs[0].times[0] == T[2] and len(runs.runs[0]) == 117


def test_pieces_of_one_sample_are_left_out():
    holes = CIRCLE.copy()
    holes[[1, 60]] = np.nan
    runs = Trajectories(holes, T)
    assert [len(run) for run in runs] == [58, 59] and runs.dropped == 1
    smooth = runs.with_derivatives(window=7)                        # which leads across
    assert smooth.dropped == 0 and len(smooth) == 120
    with pytest.raises(InvalidPoints, match="no run has 2 consecutive samples"):
        Trajectories(np.where(np.arange(9) % 2, np.nan, 1.0)).with_shift()
    with pytest.raises(InvalidPoints, match="no run has 2 consecutive samples"):
        Trajectories(np.where(np.arange(9) == 4, 1.0, np.nan))


# -------------------------------------------------------------------------------------------------------------- errors


def broken(row, column, value):
    table = frame("a", "b").astype({column: object})
    table.loc[row, column] = value
    return table


@pytest.mark.parametrize(("data", "error", "message"), [
    (broken(105, "x", "five"), InvalidPoints, r"row 105, column 'x': must be a number, got 'five'"),
    (broken(105, "x", np.inf), InvalidPoints, r"row 105, column 'x': run 'b': must be finite, got inf; an empty cell"),
    (broken(105, "time", np.nan), InvalidPoints, r"row 105, column 'time': run 'b': the time is missing"),
    (broken(105, "time", np.inf), InvalidPoints, r"row 105, column 'time': run 'b': the time must be finite, got inf"),
    (broken(105, "time", 0.2), InvalidPoints, r"row 105.*run 'b': times must increase, but 0.2 occurs twice; average"),
    (broken(105, "time", -3), InvalidPoints, r"row 105.*times must increase, but -3 comes after 0.2; sort.*group="),
    (broken(105, "run", None), InvalidPoints, r"row 105, column 'run': the label of the group is missing"),
    (broken(105, "time", pd.Timestamp("2020-01-01")), InvalidPoints, r"row 105, column 'time': must be a number"),
    (frame("a").assign(y=pd.date_range("2020", periods=100)), InvalidPoints, "column 'y': .* got dates.*seconds"),
    (frame("a", "b")[:0], InvalidPoints, "no rows"),
    (frame("a", "b")[["time", "run"]], InvalidPoints, "no column is left for the states; the columns are time, run"),
    (frame("a", columns=("x", "x")), InvalidPoints, "column names must differ, but 'x' occurs 2 times"),
    (pd.DataFrame(), InvalidPoints, "no columns"),
    (frame("a").rename(columns={"time": "t"}), InvalidOption, "time must be one of the columns x, y, t, run, got"),
    (frame("a").drop(columns="run"), InvalidOption, "group must be one of the columns x, y, time, got 'run'"),
])
def test_unusable_tables(data, error, message):
    with pytest.raises(error, match=message):
        Trajectories(data, "time", group="run")


@pytest.mark.parametrize(("text", "message"), [
    ("", "is empty"),
    ("time,run,x\n", "no rows"),
    ("time,run,x\n0,a,1\n1,a,two\n", r"line 3, column 'x': must be a number, got 'two'"),
    ("time,run,x\n0,a,1\n\n,a,2\n", r"line 4, column 'time': run 'a': the time is missing"),
    ("time,run,x\n0,a,1\n1, ,2\n", r"line 3, column 'run': the label of the group is missing"),
    ("time,run,x\n0,a,1\n1,a\n", "line 3: need 3 cells, got 2"),
    ("time,run,x\n0,a,1\n1,a,inf\n", r"line 3, column 'x': run 'a': must be finite, got inf"),
])
def test_unusable_files(tmp_path, text, message):
    path = tmp_path / "bad.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidPoints, match=message):
        Trajectories(path, "time", group="run")


def test_a_file_that_is_not_text(tmp_path):
    path = tmp_path / "bad.csv"
    path.write_bytes(b"\x89PNG\r\n\x00\x01")
    with pytest.raises(InvalidPoints, match="bad.csv: line 2: not a text file: a NUL byte"):
        Trajectories(path)


def test_a_file_without_header_has_numbered_columns(tmp_path):
    path = tmp_path / "plain.csv"
    path.write_text("0,5\n1,6\n2,\n3,8\n4,9\n", encoding="utf-8")
    runs = Trajectories(path, "1")
    assert runs.names == ("2",) and runs.labels == ("0/1", "0/2")


@pytest.mark.parametrize(("data", "options", "error", "message"), [
    (CIRCLE, {"time": T[:50]}, InvalidOption, r"time must be 120 numbers, one for each sample, got \(50,\)"),
    (CIRCLE, {"time": "t"}, InvalidOption, "time must be for arrays an array of times"),
    (CIRCLE, {"time": -0.1}, InvalidOption, "time must be a positive number, got -0.1"),
    (CIRCLE, {"time": ["a"] * 120}, InvalidOption, "time must be 120 numbers"),
    (CIRCLE, {"group": "run"}, InvalidOption, "group must be None for arrays"),
    (CIRCLE, {"names": ["x"]}, InvalidOption, "names must be 2 names"),
    (CIRCLE, {"inputs": ["u"]}, InvalidOption, "inputs must be for arrays an array for each run"),
    (CIRCLE, {"inputs": np.ones(5)}, InvalidOption, r"inputs must be arrays of as many rows as the samples \(120\)"),
    (CIRCLE, {"inputs": np.ones(120), "names": ["u", "v"]}, InvalidOption, "different from .* columns, such as 'u'"),
    (CIRCLE, {"time": T[::-1]}, InvalidPoints, "row 1, column 't': times must increase, but 5.9 comes after 5.95"),
    ([CIRCLE, CIRCLE], {"time": [T]}, InvalidOption, "time must be a list of 2 arrays, .*'list of 1'"),
    ([CIRCLE, CIRCLE[:, :1]], {}, InvalidPoints, "run 1: all runs need the same variables, got 1 and before 2"),
    ([CIRCLE, CIRCLE], {"inputs": [np.ones(120), CIRCLE]}, InvalidPoints, "run 1: all runs need the same inputs"),
    ([CIRCLE, np.full((9, 2), np.inf)], {}, InvalidPoints, "row 0, column 'x': run 1: must be finite"),
    ([CIRCLE, np.array([["a", 1.0]], object)], {}, InvalidPoints, "run 1: row 0, column .x.: must be a number"),
    ([frame("a"), frame("b")], {}, InvalidPoints, "need one table for all runs"),
    ({"a": CIRCLE, "b": CIRCLE}, {"time": {"a": T}}, InvalidOption, "time must be given for every run, also for 'b'"),
    ({}, {}, InvalidPoints, "at least one run"),
    ([], {}, InvalidPoints, "no run has 2"),
    (None, {}, InvalidPoints, "need an array of shape .*, got NoneType"),
    (np.zeros((2, 2, 2)), {}, InvalidPoints, r"shape \(2, 2, 2\)"),
    ([[1, 2], [3]], {}, InvalidPoints, "rows of equal length"),
    (frame("a"), {"time": "time", "group": "time"}, InvalidOption, "group must be a column of its own, not .* of time"),
    (frame("a"), {"time": "time", "inputs": ["time"]}, InvalidOption, "inputs must be a column of its own"),
    (frame("a"), {"time": T}, InvalidOption, "time must be for a table the name of a column, a step, or None"),
    (frame("a"), {"inputs": np.ones(100)}, InvalidOption, "inputs must be for a table the names of columns"),
    (frame("a"), {"time": "time", "group": "run", "names": ["time", "y"]}, InvalidOption, "such as 'time'"),
])
def test_unusable_arrays_and_options(data, options, error, message):
    with pytest.raises(error, match=message):
        Trajectories(data, **options)


# --------------------------------------------------------------------------------------------------------------- flows


def test_flow_of_exact_data():
    samples = Trajectories([CIRCLE, CIRCLE[:50]], 0.05, inputs=[T, T[:50]]).with_derivatives()
    assert samples.kind == "flow" and samples.names == ("x", "y", "u", "x'", "y'")
    assert [c.tolist() for c in (samples.states, samples.inputs, samples.targets)] == [[0, 1], [2], [3, 4]]
    assert len(samples) == 170 and samples.run.tolist() == [0] * 120 + [1] * 50 and samples.row[125] == 5
    np.testing.assert_array_equal(samples.times, np.r_[T, T[:50]])
    both = np.r_[CIRCLE, CIRCLE[:50]]
    np.testing.assert_allclose(samples.points, np.c_[both, samples.times, -both[:, 1], both[:, 0]], atol=1e-6)
    assert (samples.sigma < 1e-8).all() and samples.windows == (7, 7) and samples.degrees == (5, 5)
    assert samples.covariance.shape == (170, 5, 5) and not samples.covariance[:, 2].any()
    assert samples.centred.sum() == 170 - 4 * 3 and repr(samples).startswith("Samples: 170 points of x, y, u, x', y'")


def test_covariance_is_that_of_the_stencils():
    samples = Trajectories(CIRCLE, T, names=["p", "q"]).with_derivatives(window=11, degree=4, noise=[0.1, 0.2])
    gram = local_stencils(T, 11, 4).gram
    for j, sigma in enumerate((0.1, 0.2)):
        block = samples.covariance[:, [[j], [j + 2]], [j, j + 2]]
        np.testing.assert_allclose(block, sigma**2 * gram)
    assert not samples.covariance[:, 0, 1].any() and not samples.covariance[:, 0, 3].any()
    assert samples.sigma.tolist() == [0.1, 0.2] and samples.windows == (11, 11) and samples.degrees == (4, 4)


def test_second_order():
    samples = Trajectories(CIRCLE, T).with_derivatives(2, noise=0.0)
    assert samples.names == ("x", "y", "x'", "y'", "x''", "y''")
    assert samples.states.tolist() == [0, 1, 2, 3] and samples.targets.tolist() == [4, 5]
    np.testing.assert_allclose(samples.points[:, 4:], -CIRCLE, atol=1e-4)
    noisy = Trajectories(CIRCLE, T).with_derivatives(2, window=9, degree=4, noise=1.0)
    np.testing.assert_allclose(noisy.covariance[:, ::2, ::2], local_stencils(T, 9, 4, (0, 1, 2)).gram)


def test_noise_is_estimated_and_errors_match_it():
    times = 0.02 * np.arange(1500)
    clean = np.c_[np.cos(times), np.sin(times)]
    noisy = clean + [0.05, 0.02] * np.random.default_rng(0).normal(size=clean.shape)
    samples = Trajectories(noisy, times).with_derivatives()
    np.testing.assert_allclose(samples.sigma, [0.05, 0.02], rtol=0.1)
    error = (samples.points[:, 2:] - np.c_[-clean[:, 1], clean[:, 0]])[samples.centred]
    size = error**2 / np.einsum("ijj->ij", samples.covariance)[samples.centred, 2:]
    assert 0.4 < size.mean() < 3


def test_in_the_unbiased_window_the_covariance_explains_the_errors():
    times = 0.05 * np.arange(800)
    clean, slope = np.c_[np.sin(times), np.sin(2 * times)], np.c_[np.cos(times), 2 * np.cos(2 * times)]
    sizes = []
    for seed in range(6):
        noisy = clean + 0.03 * np.random.default_rng(seed).normal(size=clean.shape)
        samples = Trajectories(noisy, times).with_derivatives(window="unbiased")
        sizes.append((samples.points - np.c_[clean, slope]) ** 2 / np.einsum("ijj->ij", samples.covariance))
    sizes = np.mean(sizes, axis=0)
    np.testing.assert_allclose(sizes.mean(axis=0), 1, atol=0.3)
    assert sizes[~samples.centred].mean() < 1.6
    assert Trajectories(clean, times).with_derivatives(window="unbiased", degree=3, noise=0.0).windows == (5, 5)


def test_short_runs_are_dropped_and_counted():
    runs = Trajectories([CIRCLE, CIRCLE[:8], CIRCLE[:9]], 0.05)
    samples = runs.with_derivatives(window=9, degree=3)
    assert samples.dropped == 1 and set(samples.run.tolist()) == {0, 2}
    np.testing.assert_array_equal(samples.times, np.r_[T, T[:9]])
    with pytest.raises(InvalidPoints, match="the window needs 131 consecutive samples, but the longest run .* has 120"):
        runs.with_derivatives(window=131)
    with pytest.raises(InvalidPoints, match="needs 5 consecutive samples, but the longest run without a gap has 4"):
        Trajectories(CIRCLE[:4], 0.05).with_derivatives()


def test_an_automatic_window_keeps_the_short_runs():
    noisy = CIRCLE + 0.3 * np.random.default_rng(0).normal(size=CIRCLE.shape)
    samples = Trajectories([noisy[k:k + 20] for k in range(0, 120, 20)] + [noisy[:30]], 0.05).with_derivatives()
    assert samples.dropped == 0 and max(samples.windows) <= 20


@pytest.mark.parametrize(("options", "error", "message"), [
    ({"order": 3}, InvalidOption, "order must be 1 or 2"),
    ({"window": 8}, InvalidOption, "window must be an odd number >= 5"),
    ({"window": 7, "degree": 7}, InvalidOption, "window must be an odd number >= 9"),
    ({"window": "wide"}, InvalidOption, "window must be an odd number, None, or 'unbiased', got 'wide'"),
    ({"window": 7.0}, InvalidOption, "window must be a whole number"),
    ({"degree": 0}, InvalidOption, "degree must be a whole number >= 1"),
    ({"order": 2, "degree": 1}, InvalidOption, "degree must be a whole number >= 2"),
    ({"noise": "guess"}, InvalidOption, "noise must be 'estimate', 'each run', 'relative', a number, or one for each state"),
    ({"noise": [1, 2, 3]}, InvalidOption, "noise must be 'estimate', a number, or 2 of them"),
    ({"noise": -1.0}, InvalidOption, "noise must be not negative"),
    ({"method_options": {"s": 1}}, InvalidOption, "method_options must be None for savitzky-golay"),
    ({"method": "spline", "window": 7}, InvalidOption, "window and degree must be None for method 'spline'"),
])
def test_options_of_derivatives(options, error, message):
    with pytest.raises(error, match=message):
        Trajectories(CIRCLE, T).with_derivatives(**options)


@pytest.mark.parametrize("make", [Trajectories.with_derivatives, Trajectories.with_shift])
def test_a_state_that_never_changes(make):
    rest = np.c_[CIRCLE[:, 0], np.full(120, 3.0)]
    runs = Trajectories([rest, rest + [0, 1]], 0.05)
    with pytest.raises(InvalidPoints, match="column 'y': does not change during any run.*pass it as an input"):
        make(runs)


def test_derived_names_must_differ():
    with pytest.raises(InvalidOption, match="names must be different from each other, but \"x'\" is made twice"):
        Trajectories(CIRCLE, T, names=["x", "x'"]).with_derivatives()


# ------------------------------------------------------------------------------------------------------- other methods


@pytest.mark.parametrize(("method", "options"), [
    ("spline", {"s": 0.01}), ("finite_difference", {"k": 1}), ("kalman", {"alpha": 0.01}),
    ("savitzky_golay", {"order": 3, "left": 0.2, "right": 0.2})])
def test_methods_of_the_derivative_package(method, options):
    samples = Trajectories(CIRCLE, T, inputs=T).with_derivatives(method=method, method_options=options, noise=0.001)
    assert samples.names == ("x", "y", "u", "x'", "y'") and samples.windows == ()
    inner = slice(15, -15)
    np.testing.assert_allclose(samples.points[inner, 3:], np.c_[-CIRCLE[:, 1], CIRCLE[:, 0]][inner], atol=0.05)
    variances = np.einsum("ijj->ij", samples.covariance)
    assert (variances[:, 3:] > 0).all() and not variances[:, 2].any()
    again = Trajectories(CIRCLE, T, inputs=T).with_derivatives(method=method, method_options=options, noise=0.001)
    np.testing.assert_array_equal(samples.covariance, again.covariance)


def test_measured_gain_is_that_of_the_stencil():
    samples = Trajectories(CIRCLE, T).with_derivatives(method="finite_difference", method_options={"k": 1}, noise=0.01)
    # (y[i+1] - y[i-1]) / 2h has variance sigma^2 / 2h^2
    assert samples.covariance[5:-5, 2, 2].mean() == pytest.approx(0.01**2 / (2 * 0.05**2), rel=0.1)


def test_unknown_methods_and_options_and_a_missing_package(monkeypatch):
    runs = Trajectories(CIRCLE, T)
    with pytest.raises(InvalidOption, match="method must be savitzky-golay or one of .*spline"):
        runs.with_derivatives(method="guess")
    with pytest.raises(InvalidOption, match="method_options must be options 'spline' accepts"):
        runs.with_derivatives(method="spline", method_options={"nonsense": {}})
    monkeypatch.setitem(sys.modules, "derivative", None)
    with pytest.raises(MissingExtra, match=r'needs derivative: pip install "symknot\[derivative\]"'):
        runs.with_derivatives(method="spline")


# ---------------------------------------------------------------------------------------------------------------- maps


def test_shift():
    samples = Trajectories([np.arange(6.0) ** 2, np.arange(3.0)], inputs=[np.arange(6), np.arange(3)]).with_shift()
    assert samples.kind == "map" and samples.names == ("x", "u", "x_next") and samples.sigma is None
    np.testing.assert_array_equal(samples.points, [[0, 0, 1], [1, 1, 4], [4, 2, 9], [9, 3, 16], [16, 4, 25],
                                                   [0, 0, 1], [1, 1, 2]])
    assert samples.run.tolist() == [0] * 5 + [1] * 2 and samples.row.tolist() == [0, 1, 2, 3, 4, 0, 1]
    spread = np.r_[np.arange(6.0) ** 2, np.arange(3.0)].var()
    np.testing.assert_allclose(samples.covariance[0], np.diag([spread, 0, spread]))


def test_shift_with_lags_and_noise():
    values = np.c_[np.arange(9.0) ** 2, np.arange(9.0) ** 3]
    samples = Trajectories([values, values[:4]]).with_shift(2, lags=2, noise=[0.1, 0.2])
    assert samples.names == ("x", "y", "x_lag1", "y_lag1", "x_lag2", "y_lag2", "x_next2", "y_next2")
    assert samples.states.tolist() == list(range(6)) and samples.targets.tolist() == [6, 7] and samples.dropped == 1
    np.testing.assert_array_equal(samples.points[0], [4, 8, 1, 1, 0, 0, 16, 64])
    np.testing.assert_array_equal(samples.times, np.arange(2, 7))
    np.testing.assert_allclose(np.diag(samples.covariance[3]), np.tile([0.01, 0.04], 4))


@pytest.mark.parametrize(("times", "options", "error", "message"), [
    (None, {"k": 0}, InvalidOption, "k must be a whole number >= 1"),
    (None, {"lags": -1}, InvalidOption, "lags must be a whole number >= 0"),
    (None, {"noise": "estimate"}, InvalidOption, "noise of a map cannot be read from the data"),
    (None, {"k": 60, "lags": 70}, InvalidPoints, "a shift of 60 with 70 lags needs 131 .* has 120"),
    (np.r_[0:60, 61:121], {}, InvalidPoints, "run 0: the steps of a map must be equal, but 61 follows 59 .* step is 1"),
])
def test_unusable_shifts(times, options, error, message):
    with pytest.raises(error, match=message):
        Trajectories(CIRCLE, times).with_shift(**options)


def test_inputs_of_arrays_can_be_named():
    runs = Trajectories(CIRCLE, time=0.05, inputs=np.ones((120, 1)) * T[:, None], input_names=["force"])
    assert runs.input_names == ("force",)
    with pytest.raises(InvalidOption, match="1 names"):
        Trajectories(CIRCLE, time=0.05, inputs=T[:, None], input_names=["a", "b"])
