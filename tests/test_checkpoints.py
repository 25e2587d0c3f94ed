"""Checkpoints: a fit that was ended at any moment goes on, to the same bytes; nothing else may use its file."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import symknot
from symknot.fitting import loop
from symknot.ground.errors import InvalidModel, InvalidOption, Status
from symknot.ground.journal import DIGEST, Journal, digest
from symknot.results.ideal import ideal_json

from .kills import killed

ROOT = Path(symknot.__file__).parents[1]


def points(count=60):
    """The twisted cubic: equations of two degrees, and knots that move."""
    t = np.random.default_rng(0).uniform(-1, 1, count)
    return np.c_[t, t**2, t**3] + 0.01 * np.random.default_rng(1).normal(size=(count, 3))


OPTIONS = {"epsilon": 0.03, "max_degree": 4}


def content(ideal):
    """All that a fit found, to the last digit, but for the seconds it took."""
    found = ideal_json(ideal)
    for record in found["history"]:
        del record["seconds"]
    return json.dumps(found)


class Ended(Exception):
    """What ends a fit in the middle of a degree."""


def stopped_after(degrees, monkeypatch):
    """Fits that end in the middle of the degree after so many finished ones."""
    true, seen = loop._advanced, []

    def advanced(*given):
        if len(seen) == degrees:
            raise Ended
        seen.append(1)
        return true(*given)

    monkeypatch.setattr(loop, "_advanced", advanced)


@pytest.mark.parametrize("degrees", [0, 1, 2, 3])
def test_a_fit_goes_on_to_the_same_bytes(degrees, tmp_path, monkeypatch):
    whole = symknot.fit(points(), **OPTIONS, checkpoint=tmp_path / "whole")
    assert content(whole) == content(symknot.fit(points(), **OPTIONS, checkpoint=tmp_path / "again"))
    with monkeypatch.context() as patch:
        stopped_after(degrees, patch)
        with pytest.raises(Ended):
            symknot.fit(points(), **OPTIONS, checkpoint=tmp_path / "part")
    done = []
    with monkeypatch.context() as patch:
        true = loop._one_degree
        patch.setattr(loop, "_one_degree", lambda *given: done.append(given[2].recursion.degree) or true(*given))
        assert content(symknot.fit(points(), **OPTIONS, checkpoint=tmp_path / "part")) == content(whole)
    assert done == list(range(degrees, 5)), "finished degrees are not done again"


def test_a_finished_fit_is_there_at_once(tmp_path, monkeypatch):
    whole = symknot.fit(points(), **OPTIONS, checkpoint=tmp_path / "run")
    stopped_after(0, monkeypatch)
    assert content(symknot.fit(points(), **OPTIONS, checkpoint=tmp_path / "run")) == content(whole)


def test_with_and_without_a_checkpoint_the_same_is_found(tmp_path):
    one, other = symknot.fit(points()), symknot.fit(points(), checkpoint=tmp_path / "run")
    assert str(one) == str(other) and [g.degree for g in one.polynomials] == [g.degree for g in other.polynomials]
    np.testing.assert_allclose(one.knots, other.knots, atol=1e-7)


def test_time_that_was_up_goes_on(tmp_path):
    part = symknot.fit(points(), **OPTIONS, timeout=1e-9, checkpoint=tmp_path / "run")
    assert part.status is Status.OUT_OF_TIME
    whole = symknot.fit(points(), **OPTIONS, checkpoint=tmp_path / "run")
    assert content(whole) == content(symknot.fit(points(), **OPTIONS, checkpoint=tmp_path / "other"))


@pytest.mark.parametrize("change", [
    {"epsilon": 0.031}, {"max_degree": 3}, {"delta": 1e-6}, {"noise": "equal"}, {"normalization": "coefficient"},
    {"knotting": symknot.Penalty(1e-3)}, {"knotting": symknot.Projection(max_steps=7)}, {"loss": "squares"}, {"max_resets": 3},
    {"cooling": 0.25}, {"form": "polynomial"}, {"names": ["a", "b", "c"]}, {"weights": np.r_[2.0, np.ones(59)]}])
def test_other_options_are_refused(change, tmp_path):
    with Journal(tmp_path / "run", "nothing"):
        pass
    symknot.fit(points(), **OPTIONS, timeout=1e-9, checkpoint=tmp_path / "own")
    with pytest.raises(InvalidOption, match="checkpoint must be of the same data, options and version"):
        symknot.fit(points(), **{**OPTIONS, **change}, checkpoint=tmp_path / "own")


def test_other_data_are_refused(tmp_path):
    symknot.fit(points(), **OPTIONS, timeout=1e-9, checkpoint=tmp_path / "run")
    before = (tmp_path / "run").read_bytes()
    moved = points()
    moved[7, 1] = np.nextafter(moved[7, 1], 1)
    with pytest.raises(InvalidOption, match="same data"):
        symknot.fit(moved, **OPTIONS, checkpoint=tmp_path / "run")
    assert (tmp_path / "run").read_bytes() == before


def test_two_at_once_are_refused(tmp_path):
    with Journal(tmp_path / "run", "it"), pytest.raises(InvalidOption, match="no other process is writing to"):
        Journal(tmp_path / "run", "it")
    with Journal(tmp_path / "run", "it") as journal:
        assert journal.records == []
    code = (f"import symknot.ground.journal as j; file = j.Journal({os.fspath(tmp_path / 'run')!r}, 'it'); "
            "print('open', flush=True); input()")
    other = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, text=True)
    assert other.stdout.readline() == "open\n"
    with pytest.raises(InvalidOption, match="no other process"):
        Journal(tmp_path / "run", "it")
    other.kill()                                             # a killed process holds no lock
    other.communicate()
    with Journal(tmp_path / "run", "it"):
        pass


def test_half_a_line_is_none(tmp_path):
    with Journal(tmp_path / "run", "it") as journal:
        for number in range(3):
            journal.add({"number": number, "third": 1 / 3})
    whole = (tmp_path / "run").read_bytes()
    starts = [place + 1 for place, letter in enumerate(whole) if letter == 10]
    for length in range(len(whole) + 1):
        (tmp_path / "part").write_bytes(whole[:length])
        with Journal(tmp_path / "part", "it") as journal:
            assert len(journal.records) == max(sum(start <= length for start in starts) - 1, 0)
            journal.add("more")
        with Journal(tmp_path / "part", "it") as journal:
            assert journal.records[-1] == "more"
    damaged = bytearray(whole)
    damaged[starts[1] + DIGEST + 5] ^= 1
    (tmp_path / "part").write_bytes(damaged)
    with Journal(tmp_path / "part", "it") as journal:
        assert journal.records == [{"number": 0, "third": 1 / 3}]


@pytest.mark.parametrize("text", [b"x,y\n1,2\n", b"{}\n", b"0123456789abcdef {}\n0", b"\x00" * 100])
def test_other_files_are_left_alone(text, tmp_path):
    (tmp_path / "data.csv").write_bytes(text)
    with pytest.raises(InvalidModel, match="not a symknot checkpoint"):
        symknot.fit(points(), **OPTIONS, checkpoint=tmp_path / "data.csv")
    assert (tmp_path / "data.csv").read_bytes() == text


def test_a_full_disk_is_told_and_what_was_there_is_whole(tmp_path, monkeypatch):
    with Journal(tmp_path / "run", "it") as journal:
        journal.add("first")
        true = os.fsync

        def full(number):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left on device.*run"):
            journal.add("second")
        monkeypatch.setattr(os, "fsync", true)
    with Journal(tmp_path / "run", "it") as journal:
        assert journal.records == ["first"]


def test_folders_and_missing_places_are_told(tmp_path):
    with pytest.raises(IsADirectoryError):
        symknot.fit(points(), **OPTIONS, checkpoint=tmp_path)
    with pytest.raises(FileNotFoundError):
        symknot.fit(points(), **OPTIONS, checkpoint=tmp_path / "nowhere" / "run")
    with pytest.raises(InvalidOption, match="checkpoint must be the name of a file"):
        symknot.fit(points(), **OPTIONS, checkpoint="")


def test_records_that_do_not_fit_are_damage(tmp_path):
    symknot.fit(points(), **OPTIONS, checkpoint=tmp_path / "run")
    lines = (tmp_path / "run").read_bytes().splitlines()
    header, record = (json.loads(line[DIGEST + 1:]) for line in (lines[0], lines[-1]))
    for change in ({"essential": []}, {"weights": [1.0]}, {"recursion": {}}, {"history": [1]}, {"combinations": []},
                   {"status": "?"}):
        with Journal(tmp_path / f"damaged {next(iter(change))}", header["belongs_to"]) as journal:
            journal.add({**record, **change})
        with pytest.raises(InvalidModel, match="not one of this version"):
            symknot.fit(points(), **OPTIONS, checkpoint=tmp_path / f"damaged {next(iter(change))}")


def test_digests_tell_kinds_apart():
    assert len({digest(parts) for parts in ([1], ["1"], [1.0], [np.array([1])], [np.array([[1]])], [1, 1], [(1, 1)])}) == 7


def fitting(run, answer):
    """The twisted cubic up to degree 4, which a file keeps."""
    answer.write_text(content(symknot.fit(points(), **OPTIONS, checkpoint=run)))


@pytest.mark.slow
def test_kills_at_random_moments_change_nothing(tmp_path):
    answers, same = killed(fitting, tmp_path, 12)
    assert same == answers > 0


def test_states_are_read_back_as_they_were(tmp_path):
    symknot.fit(points(), **OPTIONS, checkpoint=tmp_path / "run")
    from symknot.fitting.progressed import Stage
    with Journal(tmp_path / "copy", "it") as journal:
        stage = Stage(journal, "fit")
        start = loop.Progressed(loop.Recursion(3, 1.0), points(), np.ones(60), np.arange(60), 0.1)
        state = replace(start, knots=points() + 1, essential=(), eta=None)
        again = stage.kept(state, None, start)
        assert again.eta is None and (again.knots == state.knots).all() and stage.kept(start, None, start).knots is start.knots
