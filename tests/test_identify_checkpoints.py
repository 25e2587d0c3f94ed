"""Checkpoints of `identify`: ended at any moment it goes on, to the same bytes; nothing else may use its file."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.special import lambertw

import symknot
from symknot.cli import main
from symknot.ground.errors import InvalidModel, InvalidOption, Status
from symknot.ground.journal import Journal
from symknot.sysid.laws import identify as motion
from symknot.sysid.motion import problem

from .kills import killed

ROOT = Path(symknot.__file__).parents[1]
T = np.linspace(-4, 4, 120)


def growth():
    """Logistic growth, which needs degree 2."""
    return (1 / (1 + np.exp(-T)) + 0.002 * np.random.default_rng(0).normal(size=120))[:, None]


def decay():
    """x' = -x / (1 + x), by x + log x = c - t: polynomials first, then fractions on their states."""
    x = np.real(lambertw(np.exp(6 - T)))
    return (x + 0.002 * np.random.default_rng(0).normal(size=len(T)))[:, None]


def content(model, folder):
    """All that is saved of a model, but for the call that made it."""
    model.save(folder / "model.json")
    found = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    found.pop("call", None)
    return json.dumps(found)


class Ended(Exception):
    """What ends a search in the middle."""


def searches(monkeypatch, most):
    """A list of the searches that are made; after so many the next one ends."""
    made = []

    def counted(true):
        def one(*given, **options):
            if len(made) == most:
                raise Ended
            made.append(true.__name__)
            return true(*given, **options)
        return one

    monkeypatch.setattr(problem, "search", counted(problem.search))
    monkeypatch.setattr(problem, "settled", counted(problem.settled))
    return made


def test_it_goes_on_to_the_same_bytes(tmp_path, monkeypatch):
    options = {"max_degree": 3, "time": T}
    with monkeypatch.context() as patch:
        everything = searches(patch, -1)
        whole = symknot.identify(decay(), **options, checkpoint=tmp_path / "whole")
    assert whole.status.ok and whole.targets and len(everything) >= 3
    plain = symknot.identify(decay(), **options)
    assert plain.exact_right_hand_sides == whole.exact_right_hand_sides
    for most in sorted({0, len(everything) // 2, len(everything) - 1}):
        with monkeypatch.context() as patch:
            searches(patch, most)
            with pytest.raises(Ended):
                symknot.identify(decay(), **options, checkpoint=tmp_path / f"part{most}")
        with monkeypatch.context() as patch:
            made = searches(patch, -1)
            again = symknot.identify(decay(), **options, checkpoint=tmp_path / f"part{most}")
        assert len(made) == len(everything) - most, "finished searches are not made again"
        assert content(again, tmp_path) == content(whole, tmp_path)


def test_a_finished_one_is_there_at_once_and_its_work_is_counted(tmp_path, monkeypatch):
    whole = symknot.identify(growth(), 2, time=T, checkpoint=tmp_path / "run")
    with monkeypatch.context() as patch:
        searches(patch, 0)
        assert content(symknot.identify(growth(), 2, time=T, checkpoint=tmp_path / "run"), tmp_path) == content(whole, tmp_path)
    monkeypatch.setattr(motion, "MOST_OPERATIONS", 1.0)
    ended = symknot.identify(growth(), 2, time=T, checkpoint=tmp_path / "run")
    assert ended.status is Status.WORK_LIMIT, "as if it had not been killed"


def test_time_that_was_up_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(motion, "MOST_OPERATIONS", 1.0)
    assert symknot.identify(growth(), 2, time=T, checkpoint=tmp_path / "run").status is Status.WORK_LIMIT
    model = symknot.identify(growth(), 2, time=T, timeout=1e5, checkpoint=tmp_path / "run")
    assert model.status.ok and model.targets


@pytest.mark.parametrize("change", [{"max_degree": 3}, {"form": "polynomial"}, {"noise": 0.002}, {"functions": ["sin"]},
                                    {"time": 2 * T}, {"kind": "map"}, {"window": 9}], ids=str)
def test_other_options_and_data_are_refused(change, tmp_path, monkeypatch):
    options = {"max_degree": 2, "time": T}
    monkeypatch.setattr(motion, "MOST_OPERATIONS", 1.0)
    symknot.identify(growth(), **options, checkpoint=tmp_path / "run")
    before = (tmp_path / "run").read_bytes()
    with pytest.raises(InvalidOption, match="checkpoint must be of the same data, options and version"):
        symknot.identify(growth(), **{**options, **change}, checkpoint=tmp_path / "run")
    moved = growth()
    moved[7, 0] = np.nextafter(moved[7, 0], 1)
    with pytest.raises(InvalidOption, match="same data"):
        symknot.identify(moved, **options, checkpoint=tmp_path / "run")
    assert (tmp_path / "run").read_bytes() == before


def test_what_cannot_be_kept_is_said(tmp_path):
    with pytest.raises(InvalidOption, match="left out where functions are no names"):
        symknot.identify(growth(), time=T, functions=[np.sin], checkpoint=tmp_path / "run")
    with pytest.raises(InvalidOption, match="left out for form='implicit'"):
        symknot.identify(growth(), time=T, form="implicit", checkpoint=tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("damage", [{"found": {}}, {}, {"operations": 0.0, "found": {"kept": [True]}},
                                    {"operations": "many", "found": None}], ids=str)
def test_records_that_are_not_its_own_are_damage(damage, tmp_path, monkeypatch):
    monkeypatch.setattr(motion, "MOST_OPERATIONS", 1.0)
    symknot.identify(growth(), 2, time=T, checkpoint=tmp_path / "run")
    monkeypatch.setattr(motion, "MOST_OPERATIONS", 1e12)
    belongs_to = json.loads((tmp_path / "run").read_text().split(" ", 1)[1].splitlines()[0])["belongs_to"]
    with Journal(tmp_path / "run", belongs_to) as journal:
        assert journal.records == []
        journal.add(damage)
    with pytest.raises(InvalidModel, match="run: a record that is not one of this version"):
        symknot.identify(growth(), 2, time=T, checkpoint=tmp_path / "run")


def test_the_command_line(tmp_path, capsys):
    np.savetxt(tmp_path / "runs.csv", np.c_[T, growth()], delimiter=",", header="t,x", comments="")
    words = ["identify", str(tmp_path / "runs.csv"), "--degree", "2", "--checkpoint", str(tmp_path / "run")]
    assert main(words) == main(words) == 0
    assert capsys.readouterr().out.count("x' = -x**2 + x") == 2
    assert main([*words, "--invariants"]) == 2 and "--checkpoint" in capsys.readouterr().err


def identifying(run, answer):
    """Logistic growth as fractions of degree 2, which a file keeps."""
    symknot.identify(growth(), 2, time=T, form="rational", checkpoint=run).save(answer)
    answer.write_text(answer.read_text(encoding="utf-8").replace(str(run), ""), encoding="utf-8")    # the call names the file


@pytest.mark.slow
def test_killed_at_random_moments_it_goes_on(tmp_path):
    answers, same = killed(identifying, tmp_path, 8)
    assert same == answers > 0
