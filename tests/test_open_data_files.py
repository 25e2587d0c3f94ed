"""A kind of data file added from outside, in ten lines, is read by every door: points, runs, estimators, command line."""

import json

import numpy as np
import pandas as pd
import pytest

import symknot
from symknot import InvalidOption, InvalidPoints
from symknot.cli import main
from symknot.reading import files
from symknot.reading.files import data_file, read_file
from symknot.reading.tables import Table
from tests.motions import rotation

T = np.linspace(0, 6, 150)
ELLIPSE = np.c_[np.cos(2 * T), -2 * np.sin(2 * T)] + 0.01 * np.random.default_rng(0).normal(size=(len(T), 2))


@pytest.fixture(autouse=True)
def _own_registry(monkeypatch):
    """What a test registers is forgotten after it."""
    monkeypatch.setattr(files, "DATA_FILES", dict(files.DATA_FILES))


@pytest.fixture
def json_lines():
    """What a user writes: one JSON object per line, the columns' names as keys."""
    @data_file(".jsonl", ".ndjson")
    def read_json_lines(path):
        lines = path.read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
        names = list(rows[0])
        return Table.of_rows([[row[name] for name in names] for row in rows], names, range(1, len(rows) + 1))

    return read_json_lines


@pytest.fixture
def ellipse(tmp_path, json_lines):
    """The ellipse, along which a point moves, as such a file."""
    path = tmp_path / "ellipse.jsonl"
    pd.DataFrame(ELLIPSE, columns=["x", "y"]).to_json(path, orient="records", lines=True, double_precision=15)
    return path


@pytest.fixture
def motion(tmp_path, json_lines):
    """The same with times."""
    path = tmp_path / "motion.ndjson"
    pd.DataFrame(ELLIPSE, columns=["x", "y"]).assign(t=T).to_json(path, orient="records", lines=True, double_precision=15)
    return path


def test_points(ellipse):
    wanted = symknot.fit(ELLIPSE)
    for given in (ellipse, str(ellipse)):
        ideal = symknot.fit(given)
        assert ideal.names == ("x", "y") and [g.degree for g in ideal.polynomials] == [2]
        np.testing.assert_allclose(ideal.knots, wanted.knots, atol=1e-9)
    assert len(symknot.vca(ellipse, 0.05).polynomials) == 1
    assert str(symknot.spectrum(ellipse)) == str(symknot.spectrum(ELLIPSE))
    assert np.abs(wanted.evaluate(ellipse)).max() < 0.1


def test_runs(motion):
    model = symknot.identify(motion, 1, time="t")
    assert list(map(str, model.exact_right_hand_sides.values())) == ["y", "-4*x"]
    assert [str(g.expr) for g in symknot.conserved(motion, time="t").invariants] == ["4*x**2 + y**2"]
    assert rotation().score(motion, time="t").overall > 0.999
    assert symknot.Trajectories(motion, "t").names == ("x", "y")


def test_estimators(ellipse):
    from symknot.estimators import KnottedIdeal
    assert list(KnottedIdeal(0.1).fit(ellipse).feature_names_in_) == ["x", "y"]


def test_the_command_line(ellipse, motion, tmp_path, capsys):
    assert main(["fit", str(ellipse), "-o", str(tmp_path / "model.json")]) == 0
    assert "x**2 + y**2/4 = 1" in capsys.readouterr().out
    assert symknot.load(tmp_path / "model.json").names == ("x", "y")
    assert main(["spectrum", str(ellipse)]) == 0
    assert main(["identify", str(motion), "--time", "t", "--max-degree", "1"]) == 0
    assert "y' = -4*x" in capsys.readouterr().out


def test_what_is_wrong_is_said_with_the_line(tmp_path, json_lines, capsys):
    path = tmp_path / "wrong.jsonl"
    path.write_text('{"x": 1, "y": 2}\n{"x": 3, "y": "four"}\n{"x": 5, "y": null}\n', encoding="utf-8")
    for use in (symknot.fit, symknot.Trajectories, symknot.identify):
        with pytest.raises(InvalidPoints, match="line 2, column 'y': must be a number, got 'four'"):
            use(path)
    assert main(["fit", str(path)]) == 2
    assert "line 2, column 'y'" in capsys.readouterr().err
    path.write_text('{"x": 1, "y": 2}\n{"x": 3, "y": null}\n{"x": 5, "y": 2}\n{"x": 6, "y": 2}\n', encoding="utf-8")
    with pytest.raises(InvalidPoints, match="line 2, column 'y': must be a number, got None"):
        symknot.fit(path)
    assert len(symknot.Trajectories(path).runs[0]) == 2                     # a gap, as in any other table


# ---------------------------------------------------------------------------------------------------- the registry


def test_readers_may_return_what_is_at_hand(tmp_path):
    @data_file(".array")
    def read_array(path):
        return np.ones((3, 2))

    @data_file(".frame")
    def read_frame(path):
        return pd.DataFrame({"a": [1, 2], "b": [3, 4]})

    assert read_file(tmp_path / "some.array").columns == ("x", "y")
    assert read_file(tmp_path / "some.frame").names == ("a", "b")
    assert read_array(None).shape == (3, 2)                                # the function itself stays as it was


def test_the_longest_ending_counts_and_the_last_function_for_it(tmp_path):
    for number, suffix in enumerate([".gz", ".csv.GZ", ".gz", ".csv.gz"]):
        data_file(suffix)(lambda path, number=number: [[number]])
    assert read_file(tmp_path / "A.CSV.GZ").numbers().tolist() == [[3]]
    assert read_file(tmp_path / "a.tar.gz").numbers().tolist() == [[2]]


def test_other_endings_are_read_as_text_with_commas(tmp_path):
    for name in ("points.dat", "points", "POINTS.CSV"):
        (tmp_path / name).write_text("a,b\n1,2\n3,4\n", encoding="utf-8")
        assert read_file(tmp_path / name).numbers().tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("suffix", ["csv", "", ".", None])
def test_endings_begin_with_a_dot(suffix):
    with pytest.raises(InvalidOption, match="suffix must be a dot and what follows it, such as '.csv'"):
        data_file(suffix)
