"""One door: the same data as array, nested list, DataFrame or file give the same answers everywhere."""

import numpy as np
import pandas as pd
import pytest

import symknot
from symknot import InvalidOption, InvalidPoints, Trajectories
from symknot.reading.names import checked_names, default_names
from symknot.reading.points import checked_points, read_points
from symknot.reading.sources import has_columns, read_table
from symknot.reading.tables import Table
from symknot.sysid.runs.trajectories import runs_of, runs_or_samples_of
from tests.motions import rotation

T = np.linspace(0, 6, 150)
WAVES = [a * np.c_[np.cos(2 * T), -2 * np.sin(2 * T)] + 0.01 * np.random.default_rng(k).normal(size=(len(T), 2))
         for k, a in enumerate((1.0, 1.5))]
FRAME = pd.concat([pd.DataFrame(wave, columns=["x", "y"]).assign(t=T, run=f"r{k}") for k, wave in enumerate(WAVES)],
                  ignore_index=True)


@pytest.fixture
def every_form(tmp_path):
    """The two runs in every form, with the options that each needs."""
    path = tmp_path / "runs.csv"
    FRAME.to_csv(path, index=False)
    named = {"time": "t", "group": "run"}
    return [(Trajectories(WAVES, T), {}), (WAVES, {"time": T}), ([wave.tolist() for wave in WAVES], {"time": T}),
            (dict(enumerate(WAVES)), {"time": [T, T]}), (FRAME, named), (path, named), (str(path), named)]


# --------------------------------------------------------------------------------------------------------------- runs


def test_identify_takes_every_form(every_form):
    found = [symknot.identify(data, 1, **options) for data, options in every_form]
    for model in found:
        assert {name: str(side) for name, side in model.exact_right_hand_sides.items()} == {"x'": "y", "y'": "-4*x"}
        assert np.array_equal(model.coefficients, found[0].coefficients)


def test_conserved_takes_every_form(every_form):
    for data, options in every_form:
        assert [str(g.expr) for g in symknot.conserved(data, **options).invariants] == ["4*x**2 + y**2"]


def test_score_takes_every_form(every_form):
    scores = [rotation().score(data, **options) for data, options in every_form]
    assert scores[0].overall > 0.999
    assert len({score.overall for score in scores}) == 1 and {len(score.runs) for score in scores} == {2}


def test_inputs_are_options_too():
    push = np.sin(3 * T)
    x = np.exp(-T)[:, None]
    table = pd.DataFrame({"x": x[:, 0], "push": push})
    for data, inputs in ((x, push[:, None]), (table, ["push"])):
        runs = runs_of(data, T[1], inputs=inputs)
        assert len(runs.input_names) == 1 and np.array_equal(runs.runs[0].inputs[:, 0], push)


def test_without_times_the_samples_are_one_apart():
    model = symknot.identify(np.exp(-0.05 * np.arange(200.0)), 1, noise=1e-6)
    assert float(model.right_hand_sides["x'"].coeff("x")) == pytest.approx(-0.05, rel=1e-3)
    assert np.array_equal(model.runs[0].times, np.arange(200.0))


@pytest.mark.parametrize("option", [{"time": "t"}, {"time": 0.1}, {"time": T}, {"group": "run"}, {"inputs": ["u"]},
                                    {"inputs": np.ones(9)}])
def test_how_to_read_what_has_been_read_is_refused(option):
    name = next(iter(option))
    runs = Trajectories(WAVES, T)
    for use in (symknot.identify, symknot.conserved, rotation().score):
        with pytest.raises(InvalidOption, match=f"{name} must be left out with Trajectories, which bring their own"):
            use(runs, **option)
    with pytest.raises(InvalidOption, match=f"{name} must be left out with Samples"):
        symknot.identify(runs.with_derivatives(), **option)


def test_samples_are_no_runs():
    runs = Trajectories(WAVES, T)
    samples = runs.with_derivatives()
    assert runs_or_samples_of(samples) is samples and runs_of(runs) is runs
    for use in (runs_of, symknot.conserved, rotation().score):
        with pytest.raises(InvalidOption, match="data must be the Trajectories that they were made from"):
            use(samples)


def test_what_is_wrong_with_the_data_is_said_by_the_same_words():
    broken = FRAME.astype({"y": object})
    broken.loc[7, "y"] = "seven"
    for use in (symknot.identify, symknot.conserved, rotation().score):
        with pytest.raises(InvalidPoints, match="row 7, column 'y': must be a number, got 'seven'"):
            use(broken, time="t", group="run")
        with pytest.raises(InvalidOption, match="time must be one of the columns x, y, t, run, got 'hour'"):
            use(FRAME, time="hour")


# ------------------------------------------------------------------------------------------------------------- points


def test_a_table_is_read_as_it_is():
    table = Table.of_rows(WAVES[0].tolist(), names=["p", "q"])
    assert read_table(table) is table and has_columns(table) and not has_columns(WAVES[0])
    assert np.array_equal(read_points(table).values, read_points(WAVES[0]).values)
    assert read_points(table).names == ("p", "q") and runs_of(table).names == ("p", "q")


def test_the_first_wrong_cell_in_reading_order_is_named():
    cells = [["1", "2", "3"], ["4", "5", "six"], ["seven", "8", "9"]]
    for data in (cells, pd.DataFrame(cells, columns=list("xyz")), Table.of_rows(cells)):
        with pytest.raises(InvalidPoints, match="row 1, column 'z': must be a number, got 'six'"):
            read_points(data)


@pytest.mark.parametrize(("cell", "said"), [(None, "must be a number, got None"), ("", "must be a number, got ''"),
                                            (pd.NA, "must be a number, got <NA>"), (np.nan, "must be finite, got nan"),
                                            (np.inf, "must be finite, got inf"), ("inf", "must be finite, got inf")])
def test_missing_is_told_from_infinite(cell, said):
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": pd.Series([1, cell, 3], dtype=object)})
    with pytest.raises(InvalidPoints, match=f"row 1, column 'b': {said}"):
        read_points(frame)


def test_a_table_needs_columns_and_rows_of_equal_length():
    for empty in (lambda: Table.of_rows([]), lambda: Table.of_rows([[]]), lambda: read_points(pd.DataFrame())):
        with pytest.raises(InvalidPoints, match="no columns"):
            empty()
    with pytest.raises(InvalidPoints, match="line 9: need 2 cells, got 3"):
        Table.of_rows([[1, 2], [1, 2, 3]], lines=[4, 9])


def test_columns_without_names():
    assert Table.of_rows([[1, 2]]).columns == default_names(2) == ("x", "y")
    assert Table.of_rows([[1, 2]], lines=[1]).columns == ("1", "2")
    assert checked_names(None, None, 4) == ("x1", "x2", "x3", "x4")


def test_points_to_evaluate_at_come_through_the_door_too(tmp_path):
    frame = pd.DataFrame({"x": [1.0, 2.0], "y": pd.array([3, None], dtype="Int64")})
    path = tmp_path / "at.csv"
    frame.to_csv(path, index=False)
    for data in (frame, path, [[1.0, 3.0], [2.0, np.nan]]):
        points, single = checked_points(data, ("x", "y"))
        np.testing.assert_array_equal(points, [[1.0, 3.0], [2.0, np.nan]])
        assert not single
