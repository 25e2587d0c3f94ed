"""Time limits: every long computation looks at them, and ends with what is finished."""

import threading

import numpy as np
import pytest

import symknot
from symknot.cli import main
from symknot.fitting import degree as degrees
from symknot.fitting import loop, revision, work
from symknot.ground import deadline as deadlines
from symknot.ground.deadline import Deadline, look
from symknot.ground.errors import FitInterrupted, InvalidOption, Status, TimeLimit, WorkLimit
from symknot.sysid.invariants import conserved as invariants
from symknot.sysid.laws import identify as motion
from symknot.sysid.motion import forms

from .test_language import circle_points, oscillator, rotations

INSTANT = 1e-9
LONG = 1e6


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self, monkeypatch):
        self.now = 0.0
        monkeypatch.setattr(deadlines.time, "monotonic", lambda: self.now)

    def stops(self, monkeypatch, place, name, when=lambda *given: True):
        """Time is up once this function has been called with what `when` wants."""
        function = getattr(place, name)

        def then(*given, **options):
            answer = function(*given, **options)
            if when(*given):
                self.now = 2 * LONG
            return answer

        monkeypatch.setattr(place, name, then)


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def torus(points=400):
    a, b = np.random.default_rng(0).uniform(0, 2 * np.pi, (2, points))
    return np.c_[(2 + 0.5 * np.cos(a)) * np.cos(b), (2 + 0.5 * np.cos(a)) * np.sin(b), 0.5 * np.sin(a)]


def test_the_earlier_of_two_deadlines_rules(clock):
    with Deadline(10).ruling("outer"), Deadline(20).ruling("inner"):
        clock.now = 11
        with pytest.raises(TimeLimit, match="outer: not done within 10 s"):
            look()
    clock.now = 0
    with Deadline(20).ruling("outer"):
        with Deadline(10).ruling("inner"):
            clock.now = 11
            with pytest.raises(TimeLimit, match="inner"):
                look()
        look()
        with Deadline(None).ruling("no limit of its own"):
            clock.now = 21
            with pytest.raises(TimeLimit, match="outer"):
                look()
    look()


def test_work_is_limited_where_time_is_not(clock):
    with Deadline(None, operations=10).ruling("counting"):
        look(10)
        look(1)
        with pytest.raises(WorkLimit, match="counting: not done within 10 operations; give timeout"):
            look()
    with Deadline(5, operations=10).ruling("hurrying"):
        look(20)
        look()
    with Deadline(5).ruling("outer"), Deadline(None, operations=10).ruling("inner"):
        look(20)
        look()
        clock.now = 6
        with pytest.raises(TimeLimit, match="outer"):
            look()
    with Deadline(None, operations=10).ruling("outer"), Deadline(None).ruling("inner"):
        look(20)
        with pytest.raises(WorkLimit, match="outer"):
            look()


def test_operations_are_those_of_the_deadline_that_rules():
    look(5.0)
    deadlines.tell(5.0)
    assert deadlines.operations_done() == 0.0
    with Deadline(operations=100.0).ruling("counting"):
        look(5.0)
        deadlines.tell(200.0)                               # of what is needed anyhow
        assert deadlines.operations_done() == 205.0
        with pytest.raises(WorkLimit, match="counting: not done within 100 operations"):
            look()
    assert deadlines.operations_done() == 0.0


def test_a_search_that_grows_too_large_ends_with_what_it_has(monkeypatch, tmp_path, capsys):
    runs = oscillator()
    monkeypatch.setattr(motion, "MOST_OPERATIONS", 1e3)
    model = symknot.identify(runs)
    assert model.status is Status.WORK_LIMIT and not model.status.ok and model.polynomials == ()
    assert "too much work" in str(model) and "give timeout" in model.message
    model.save(tmp_path / "model.json")
    assert symknot.load(tmp_path / "model.json").status is Status.WORK_LIMIT
    assert symknot.identify(runs, timeout=LONG).status is Status.FOUND
    finished = forms.Search.polynomials

    def then_too_much(search):
        finished(search)
        raise WorkLimit("identify", 1e3)

    monkeypatch.setattr(motion, "MOST_OPERATIONS", 1e15)
    monkeypatch.setattr(forms.Search, "polynomials", then_too_much)
    part = symknot.identify(runs)
    assert part.status is Status.WORK_LIMIT and len(part.polynomials) == 2
    t = np.linspace(-4, 4, 200)
    growth = 1 / (1 + np.exp(-t)) + 0.003 * np.random.default_rng(0).normal(size=200)
    lost = symknot.identify(growth[:, None], max_degree=1, time=t)
    assert lost.polynomials == () and "of those tried so far the best one misses x by" in lost.message


def test_deadlines_of_other_threads_do_not_rule():
    said = []
    with Deadline(INSTANT).ruling("here"):
        other = threading.Thread(target=lambda: said.append(look()))
        other.start()
        other.join()
    assert said == [None]


@pytest.mark.parametrize("call", [
    lambda seconds: symknot.fit(circle_points(), timeout=seconds),
    lambda seconds: symknot.fit(circle_points(), 0.05, timeout=seconds),
    lambda seconds: symknot.fit(np.abs(circle_points()) + 0.1, form="binomial", timeout=seconds),
    lambda seconds: symknot.vca(circle_points(), 0.05, timeout=seconds),
], ids=["fit", "fit with epsilon", "power law", "vca"])
def test_without_time_nothing_is_found_and_the_result_says_so(call):
    ideal = call(INSTANT)
    assert ideal.status is Status.OUT_OF_TIME and not ideal.status.ok and ideal.polynomials == ()
    assert "out_of_time: time was up" in str(ideal) and "raise timeout" in str(ideal)
    with pytest.raises(InvalidOption, match="timeout must be a positive number"):
        call(-1)


def test_a_fit_keeps_the_degrees_it_finished(clock, monkeypatch):
    points = np.c_[torus(), torus()[:, :2].sum(axis=1)]
    whole = symknot.fit(points, 1e-6, max_degree=4)
    assert [g.degree for g in whole.polynomials] == [1, 4]
    clock.stops(monkeypatch, loop, "exact_vanish_pursuit", lambda problem, *others: problem.recursion.degree == 2)
    part = symknot.fit(points, 1e-6, max_degree=4, timeout=LONG)
    assert part.status is Status.OUT_OF_TIME and [record.degree for record in part.history] == [1, 2]
    assert [g.degree for g in part.polynomials] == [1]
    np.testing.assert_array_equal(part.recursion.layers[0].G, whole.recursion.layers[0].G)


def test_time_that_is_long_enough_changes_nothing():
    points = circle_points()
    one, other = symknot.fit(points), symknot.fit(points, timeout=LONG)
    assert str(one) == str(other) and one.status is other.status
    np.testing.assert_array_equal(one.knots, other.knots)


def test_readable_falls_back_on_the_estimates(clock, monkeypatch):
    ideal = symknot.fit(circle_points())
    from symknot.symbolic import readable
    clock.stops(monkeypatch, readable, "echelon")
    for order in ("grevlex", "sparsest"):
        clock.now = 0.0
        found = ideal.readable(order, timeout=LONG)
        assert found.status is Status.OUT_OF_TIME and "as estimated" in found.message
        assert str(found[0]) == str(ideal.readable(simplify=False)[0])
    assert ideal.readable().status is ideal.status


def test_identify_keeps_the_best_equations(clock, monkeypatch):
    runs = oscillator()
    whole = symknot.identify(runs, max_degree=2)
    assert whole.status is Status.FOUND
    # a first solution is there; doubts about it, which lead to others, come too late
    clock.stops(monkeypatch, forms, "solution_of")
    monkeypatch.setattr(forms.Search, "doubtful", lambda search: look())
    part = symknot.identify(runs, max_degree=2, timeout=LONG)
    assert part.status is Status.OUT_OF_TIME and part.exact_right_hand_sides == whole.exact_right_hand_sides
    assert "time was up" in str(part)


def test_identify_keeps_the_polynomial_when_time_is_up_amid_screening(clock, monkeypatch):
    t = np.linspace(0, 6, 300)
    decay = np.exp(-0.5 * t) + 0.002 * np.random.default_rng(0).normal(size=300)
    whole = symknot.identify(decay, max_degree=2, time=t)
    monkeypatch.setattr(forms.Search, "suspicious", lambda search: True)
    clock.stops(monkeypatch, forms, "Screen")
    part = symknot.identify(decay, max_degree=2, time=t, timeout=LONG)
    assert part.status is Status.OUT_OF_TIME and part.exact_right_hand_sides == whole.exact_right_hand_sides


def test_identify_and_conserved_without_time():
    for call in (symknot.identify, symknot.conserved):
        assert call(oscillator(), timeout=INSTANT).status is Status.OUT_OF_TIME


def test_identify_before_the_first_solution(clock, monkeypatch, tmp_path):
    clock.stops(monkeypatch, motion, "problem_of")
    model = symknot.identify(oscillator(), timeout=LONG)
    assert model.status is Status.OUT_OF_TIME and model.polynomials == () and "time was up" in model.report()
    model.save(tmp_path / "model.json")
    assert symknot.load(tmp_path / "model.json").status is Status.OUT_OF_TIME


@pytest.mark.parametrize("last, degree", [("look", 2), ("_look_again", 3)])
def test_conserved_keeps_what_its_looks_found(last, degree, clock, monkeypatch, tmp_path):
    whole = symknot.conserved(rotations(), max_degree=2)
    assert whole.constraints
    clock.stops(monkeypatch, invariants._Search, last, lambda search, degree: degree == 2)
    found = symknot.conserved(rotations(), max_degree=4, timeout=LONG)
    assert found.status is Status.OUT_OF_TIME and f"ended at degree {degree}: time was up" in found.message
    assert [str(one) for one in found.constraints] == [str(one) for one in whole.constraints]
    found.save(tmp_path / "found.json")
    assert symknot.load(tmp_path / "found.json").status is Status.OUT_OF_TIME


def test_random_walks_in_many_columns_are_bounded():
    """Terms of degree 3 in ten variables, 286, are more than 200 samples can tell apart."""
    walk = np.cumsum(np.random.default_rng(0).normal(size=(200, 10)), axis=0)
    problem = motion.problem_of(symknot.Trajectories(walk).with_derivatives(), *two(walk))
    assert problem.carried_degree(3) == 2 and problem.carried_degree(1) == 1
    model = symknot.identify(walk, timeout=3)
    assert "looked up to degree 2 only: equations of degree 3 have 286 terms, too many for 200 samples" in model.message
    assert model.status in (Status.OUT_OF_TIME, Status.NOTHING_FOUND)


def two(walk):
    from symknot.sysid.motion.kinds import kind_of_options
    return kind_of_options("flow"), False


def test_the_command_line_keeps_an_older_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    np.savetxt("circle.csv", circle_points(), delimiter=",", header="x,y", comments="")
    (tmp_path / "circle.json").write_text("older")
    assert main(["fit", "circle.csv", "--timeout", "1e-9", "-o", "circle.json", "--quiet"]) == 1
    told = capsys.readouterr().out
    assert "time was up" in told and "ended early, so circle.json is as it was" in told
    assert (tmp_path / "circle.json").read_text() == "older"
    assert symknot.load("circle.partial.json").status is Status.OUT_OF_TIME
    assert main(["identify", "circle.csv", "--timeout", "1e-9"]) == 1 and "raise timeout" in capsys.readouterr().out


def test_all_linear_algebra_looks():
    """Whatever a long computation does, it comes by one of these."""
    from symknot.ground import linalg
    from symknot.ground.tall_factor import TallFactor
    square = np.eye(3) + 0.1
    with Deadline(INSTANT).ruling("here"):
        for call in (linalg.svd, linalg.singular_values, linalg.unit_diagonal, linalg.whitening, linalg.ascending_svd,
                     TallFactor(3).add, TallFactor(3).merge, linalg.standard_errors, linalg.inverse_scaled,
                     lambda matrix: linalg.solve_scaled(matrix, np.ones(3)),
                     lambda matrix: linalg.least_squares(matrix, np.ones(3))):
            with pytest.raises(TimeLimit):
                call(square)
        with pytest.raises(TimeLimit):
            degrees.value_factor(*_first_problem())


def _first_problem():
    from symknot.fitting.recursion import Recursion
    recursion = Recursion(2, 1.0)
    return recursion, recursion.next_products(), np.ones((4, 2)), np.ones(4)


def test_a_search_that_did_all_it_may_says_which_degree_is_unfinished(monkeypatch):
    """A cloud is searched to high degrees: with little work allowed the first ones are, and the status says so."""
    points = np.random.default_rng(0).normal(size=(300, 3))
    assert symknot.fit(points).status is Status.NO_GAP
    monkeypatch.setattr(work, "SEARCH_OPERATIONS", 1e8)
    part = symknot.fit(points)
    assert part.status is Status.WORK_LIMIT and not part.polynomials and not part.status.ok
    assert "was not searched to the end, nor any beyond" in part.message and "timeout" in part.message
    assert str(symknot.fit(points)) == str(part)
    assert symknot.fit(points, timeout=LONG).status is Status.NO_GAP


def test_equations_of_which_many_would_be_corrected_together_are_kept(monkeypatch):
    """Four quadrics among nine terms: where one correction is more than a fit may do, they are those of the search."""
    points = wheels()
    whole = symknot.fit(points)
    assert whole.status.ok and [p.degree for p in whole.polynomials] == [2, 2]
    monkeypatch.setattr(revision, "MOST_MULTIPLICATIONS", 1e3)
    part = symknot.fit(points)
    assert part.status is Status.WORK_LIMIT and [p.degree for p in part.polynomials] == [2, 2]
    assert symknot.fit(points, timeout=LONG).status.ok, "equations stay as they are where seconds are given"


def test_ctrl_c_once_work_is_at_its_end_keeps_what_is_finished(monkeypatch):
    """Degrees that are then done as the search has found them may be interrupted like any other."""
    monkeypatch.setattr(work, "LOOP_OPERATIONS", 1e4)
    steps = []
    assert symknot.fit(circle_points(), progress=steps.append).status is Status.WORK_LIMIT and len(steps) > 2
    for at in range(len(steps)):
        left = iter(range(at))

        def stop(step, left=left):
            if next(left, None) is None:
                raise KeyboardInterrupt

        with pytest.raises(FitInterrupted) as caught:
            symknot.fit(circle_points(), progress=stop)
        partial = caught.value.partial
        assert partial.status is Status.INTERRUPTED and len(partial.history) == steps[at].degree - 1


@pytest.mark.parametrize("most", [3e4, 1e5])
def test_first_rounds_on_some_of_the_points_come_to_the_same(monkeypatch, most):
    """The last rounds are those of all points."""
    points, ends = wheels(), []
    whole = symknot.fit(points)
    monkeypatch.setattr(revision, "ROUGH_MULTIPLICATIONS", most)
    stride = revision._stride
    monkeypatch.setattr(revision, "_stride", lambda *sizes: ends.append(stride(*sizes)) or ends[-1])
    rough = symknot.fit(points)
    assert max(ends) > 1
    assert np.allclose(whole.knots, rough.knots, atol=1e-5) and not np.array_equal(whole.knots, rough.knots)


def wheels():
    """A torus of two angles in four variables."""
    rng = np.random.default_rng(0)
    a, b = rng.uniform(0, 2 * np.pi, size=(2, 600))
    return np.c_[np.cos(a), np.sin(a), np.cos(b), np.sin(b)] + 0.02 * rng.normal(size=(600, 4))


def test_degrees_asked_for_beyond_what_stands_clear_add_nothing():
    """Within twice the noise lie some of the polynomials of degree 7 that noise makes small, and no gap is behind them."""
    rng = np.random.default_rng(0)
    sphere = rng.normal(size=(6000, 3))
    sphere = sphere / np.linalg.norm(sphere, axis=1)[:, None] + 0.05 * rng.normal(size=(6000, 3))
    ideal = symknot.fit(sphere, epsilon=0.1, max_degree=8)
    assert ideal.status is Status.MAX_DEGREE and [p.degree for p in ideal.polynomials] == [2]
    assert len(ideal.history) == 8 and not any(record.rounds for record in ideal.history[2:])


def test_a_loop_that_did_all_it_may_keeps_the_degrees_it_finished(monkeypatch):
    """Unless something is said that asks for more: a highest degree, or seconds."""
    points = circle_points()
    assert symknot.fit(points).status.ok
    monkeypatch.setattr(work, "LOOP_OPERATIONS", 1e4)
    part = symknot.fit(points)
    assert part.status is Status.WORK_LIMIT and not part.status.ok
    assert part.message.startswith("degree 2 was not finished; its equations are as the search has found them")
    assert [p.degree for p in part.polynomials] == [2] and part.knots.shape == points.shape
    assert np.abs(part.polynomials[0].poly.coeffs()[1:]).max() < 1.1 * np.abs(part.polynomials[0].poly.coeffs()[0])
    assert symknot.fit(points, max_degree=2).status is Status.MAX_DEGREE
    assert symknot.fit(points, timeout=LONG).status.ok
