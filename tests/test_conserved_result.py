"""What `conserved` gives back: its text, its numbers, algebra on its constraints, its files and pictures."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest
import sympy

import symknot
from symknot import InvalidModel, InvalidOption, Status
from symknot.showing.style import COLOURS
from symknot.sysid.invariants.conserved import Conserved, conserved
from symknot.sysid.invariants.equations import Constraint, Invariant
from symknot.sysid.runs.trajectories import Trajectories

from .test_conserved import OSCILLATIONS, SWINGS, flow, iterated, noisy, oscillator, pendulum, rod
from .test_conserved import TestMaps as Maps


@pytest.fixture(scope="module")
def result():
    return conserved(flow(oscillator, OSCILLATIONS, 12, 400, 5.0, "xv"))


class TestResult:
    def test_text(self, result):
        text = str(result)
        assert text.startswith("conserved along every run (noise x ") and "estimated from the data" in text
        assert "v**2 + 4*x**2   value " in text and "looked up to degree 2; 3 runs" in text

    def test_report(self, result):
        report = result.report()
        assert report.startswith(str(result))
        assert report.count("level ") == 3 and report.count("trend") == 3

    def test_levels_belong_to_what_is_shown(self):
        """The estimate fixes the coefficient of y; freed of denominators it is 2, for all numbers of the equation."""
        result = conserved(flow(pendulum, SWINGS, 20, 800, 5.0, "xyuv", observe=rod), 2)
        shown = result.report().split("\nu**2 + v**2 + 2*y\n")[1]
        truth = [speed**2 - 2 * np.cos(angle) for angle, speed in SWINGS]
        levels = [float(line.split("level ")[1].split()[0]) for line in shown.splitlines()]
        assert levels == pytest.approx(truth, abs=0.03)
        (g,) = result.invariants
        y = (0, 1, 0, 0)
        assert g.terms[y] == g.estimated_terms[y] == 2 and g.standard_errors[y] == 0
        assert [g.levels[row.label] for row in g.drift] == pytest.approx(truth, abs=0.03)
        for row, other in zip(g.drift, g.estimate_drift):
            assert row.label == other.label and row.level == pytest.approx(other.level, rel=0.1)
            for name in ("error", "spread", "expected", "size", "trend_error"):
                assert getattr(row, name) == pytest.approx(getattr(other, name), rel=0.05)

    def test_drift_is_what_noise_explains(self, result):
        for row in result.invariants[0].estimate_drift:
            assert row.spread == pytest.approx(row.expected, rel=0.5)
            assert abs(row.trend) < 4 * row.trend_error
            assert row.error < 0.05 * row.level

    def test_a_drift_is_seen(self):
        """Weak friction: nothing is conserved, and the data say so."""
        result = conserved(flow(lambda t, s: [s[1], -4 * s[0] - 0.05 * s[1]], OSCILLATIONS, 12, 400, 5.0, "xv"))
        assert len(result) == 0

    def test_one_run_says_that_it_cannot_tell(self):
        result = conserved(flow(oscillator, OSCILLATIONS[:1], 12, 400, 2.0, "xv"))
        assert len(result) == 1 and result.constraints == ()
        assert "may be a constraint" in result.message

    def test_is_a_plain_record(self, result):
        assert isinstance(result, Conserved) and result.names == ("x", "v")
        assert result.noise.shape == (2,)
        assert all(g.expr.free_symbols == set(sympy.symbols("x v")) for g in result.invariants)


@pytest.fixture(scope="module")
def swings():
    """Energy as an invariant, the rod as two constraints."""
    return conserved(flow(pendulum, SWINGS, 20, 800, 5.0, "xyuv", observe=rod), 2)


@pytest.fixture(scope="module")
def nothing():
    return conserved(flow(lambda t, s: [s[1], -4 * s[0] - 0.3 * s[1]], OSCILLATIONS, 12, 400, 5.0, "xv"))


@pytest.fixture(scope="module")
def unknown_noise():
    run = iterated(lambda s: (1 - 1.4 * s[0] ** 2 + s[1], 0.3 * s[0]), ((0.1, 0.1),), 500)[0][100:]
    return conserved(noisy([run], 1.0, 0, None, "xy"), 2, kind="map")


def ellipses(seed):
    """Three runs on (x - 1/2)**2 / 4 + y**2 = 1, measured with noise 0.02."""
    t, rng = np.linspace(0, 8, 300), np.random.default_rng(seed)
    return Trajectories([np.c_[0.5 + 2 * np.cos(w * t + p), np.sin(w * t + p)] + 0.02 * rng.normal(size=(300, 2))
                         for w, p in ((1.0, 0), (1.7, 1), (0.8, 2))], time=t)


class TestEquations:
    def test_kinds(self, swings):
        assert all(type(g) is Invariant for g in swings.invariants)
        assert all(type(g) is Constraint for g in swings.constraints) and swings.polynomials is swings.constraints
        assert (swings.status, swings.noise_given) == (Status.FOUND, False)
        assert repr(swings) == "<Conserved: 1 invariant, 2 constraints in x, y, u, v>"

    def test_for_the_eye(self, swings):
        (energy,), (length, _) = swings.invariants, swings.constraints
        assert (str(energy), str(length)) == ("u**2 + v**2 + 2*y = const", "x**2 + y**2 - 1 = 0")
        assert energy.latex() == r"u^{2} + v^{2} + 2 y = \mathrm{const}" and length.latex() == "x^{2} + y^{2} - 1 = 0"
        assert swings.latex().count("&=") == 3 and "\\mathrm{const}" in swings._repr_latex_()
        html = swings._repr_html_()
        assert "u**2 + v**2 + 2*y = const" in html and "x**2 + y**2 - 1 = 0" in html and swings.message in html

    def test_digits(self):
        t = np.arange(0, 12, 0.03)
        found = conserved(np.c_[np.cos(t), 1.2345 * np.sin(t)], time=t, noise=1e-4)
        assert "1.52" in found.text(3) and "1.524" not in found.text(3) and "1.52" in found.latex(3)
        with pytest.raises(InvalidOption, match="digits"):
            found.text(0)

    def test_names_that_are_no_identifiers(self):
        t = np.linspace(0, 12, 400)
        found = conserved({"a": np.c_[np.cos(t), np.sin(t)], "b": 2 * np.c_[np.cos(t), np.sin(t)]}, time=t)
        odd = conserved(symknot.Trajectories([run.measured for run in found.runs], time=t, names=["cell count", "2nd"]))
        assert odd.names == ("cell count", "2nd") and list(map(str, odd.variables)) == ["cell_count", "v2nd"]
        assert "\\text{cell count}" in odd.latex() and odd.invariants[0].variables == odd.variables

    def test_residual_is_the_distance_of_the_data(self, swings):
        """Noise differs from state to state; across a level set it is what the gradient sees of it."""
        measured = np.vstack([run.measured for run in swings.runs])
        length = swings.constraints[0]
        assert length.expr.free_symbols == set(sympy.symbols("x y"))
        across = np.sqrt(np.mean((np.linalg.norm(measured[:, :2], axis=1) - 1) ** 2))
        assert length.residual == pytest.approx(across, rel=0.03)
        (energy,) = swings.invariants
        values = [run.measured[:, 2:] for run in swings.runs]
        off = np.concatenate([np.sum(v**2, axis=1) + 2 * run.measured[:, 1] - energy.levels[run.label]
                              for v, run in zip(values, swings.runs)])
        slope = np.mean(4 + 4 * np.sum(np.vstack(values) ** 2, axis=1))
        assert energy.residual == pytest.approx(np.sqrt(np.mean(off**2) / slope), rel=1e-9)
        assert 0.5 * swings.noise.min() < energy.residual < 1.5 * swings.noise.max()

    def test_residual_along_a_circle_is_the_noise(self):
        found = conserved(Maps().rotation(5.0), 2, kind="map")
        assert found.invariants[0].residual == pytest.approx(found.noise.mean(), rel=0.1)

    def test_standard_errors_are_those_of_the_estimate(self):
        """Estimates from independent data scatter by their standard errors, that of the constant included."""
        estimates, errors = [], []
        for seed in range(24):
            (g,) = conserved(ellipses(seed)).constraints
            scale = g.estimated_terms[2, 0]
            assert g.standard_errors[2, 0] == 0 and list(g.standard_errors) == list(g.estimated_terms)
            estimates.append([g.estimated_terms[e] / scale for e in ((1, 0), (0, 2), (0, 0))])
            errors.append([g.standard_errors[e] / scale for e in ((1, 0), (0, 2), (0, 0))])
        assert np.mean(estimates, axis=0) == pytest.approx([-1, 4, -3.75], rel=2e-3)
        assert np.std(estimates, axis=0, ddof=1) == pytest.approx(np.mean(errors, axis=0), rel=0.35)

    @pytest.mark.parametrize("scale", [1e-100, 1e-6, 1e100])
    def test_constants_and_distances_have_the_units_of_the_states(self, scale):
        (one,), (other,) = (conserved([factor * run.states for run in ellipses(0)], time=8 / 299).constraints
                            for factor in (1.0, scale))
        assert other.residual == pytest.approx(scale * one.residual)
        assert float(other.terms[0, 0]) == pytest.approx(scale**2 * float(one.terms[0, 0]), rel=0.01)
        assert other.standard_errors[0, 0] == pytest.approx(scale**2 * one.standard_errors[0, 0], rel=0.01)
        assert other.standard_errors[1, 0] == pytest.approx(scale * one.standard_errors[1, 0], rel=0.01)

    def test_exact_terms_are_within_the_standard_errors(self, swings):
        for g in (*swings.invariants, *swings.constraints):
            assert set(g.terms) <= set(g.estimated_terms)
            for e, value in g.estimated_terms.items():
                assert abs(float(g.terms.get(e, 0)) - value) <= 4 * g.standard_errors[e]
            assert g.estimate.free_symbols == g.expr.free_symbols

    def test_runs_and_knots(self, swings):
        assert swings.knots.shape == (4 * 800, 4)
        for run, part in zip(swings.runs, np.split(swings.knots, 4), strict=True):
            assert np.array_equal(run.states, part)
        assert [run.label for run in swings.runs] == ["0", "1", "2", "3"] == list(swings.invariants[0].levels)
        assert all(len(run) == len(run.times) == len(run.measured) == 800 for run in swings.runs)


class TestAlgebra:
    def test_on_the_constraints(self, swings):
        x, y, _, v = swings.variables
        assert swings.contains((x**2 + y**2 - 1) * v) and not swings.contains(swings.invariants[0].expr)
        assert swings.reduce(x**2 + y**2, engine="sympy") == 1
        assert swings.dimension() == 2
        text = swings.to_singular()
        assert "x^2+y^2-1" in text.replace(" ", "") and "constant along every run: u**2 + v**2 + 2*y" in text

    def test_without_constraints_it_is_that_of_no_equation(self, result, nothing):
        for found in (result, nothing):
            x = found.variables[0]
            assert found.polynomials == () == found.exprs
            assert found.dimension() == 2 and not found.contains(x) and found.reduce(x) == x
            assert found.groebner().exprs == [] and "0 polynomial(s)" in found.to_singular()
            with pytest.raises(InvalidOption, match="at least one polynomial"):
                found.solve()


class TestNothing:
    def test_nothing_found_is_a_result_too(self, nothing, tmp_path):
        assert nothing.status is Status.NOTHING_FOUND and not nothing.status.ok and len(nothing.knots) == 1200
        assert nothing.report() == str(nothing) and nothing._repr_latex_() is None
        assert nothing.message.replace("'", "&#x27;") in nothing._repr_html_()
        assert repr(nothing) == "<Conserved: 0 invariants, 0 constraints in x, v>"
        (note,) = nothing.plot(tmp_path / "none.png").texts
        assert note.get_text() == "nothing conserved was found"


@pytest.fixture(scope="module")
def saved(swings, tmp_path_factory):
    """Content of a saved file that has every kind of entry in it, with runs cut short."""
    path = tmp_path_factory.mktemp("saved") / "kept.json"
    swings.save(path)
    content = json.loads(path.read_text())
    for run in content["runs"]:
        run.update({key: run[key][:20] for key in ("times", "measured", "states")})
    return content


class TestFiles:
    @pytest.mark.parametrize("name", ["result", "swings", "nothing", "unknown_noise"])
    def test_round_trip(self, name, request, tmp_path):
        found = request.getfixturevalue(name)
        found.save(tmp_path / "kept.json")
        again = symknot.load(tmp_path / "kept.json")
        assert type(again) is Conserved and again.report() == found.report() and repr(again) == repr(found)
        assert again.latex() == found.latex() and again.exprs == found.exprs
        assert np.array_equal(again.noise, found.noise, equal_nan=True) and np.array_equal(again.knots, found.knots)
        for a, b in zip((*again.invariants, *again.constraints), (*found.invariants, *found.constraints)):
            assert (a.terms, a.digits, a.standard_errors, a.value, a.residual) == (
                b.terms, b.digits, b.standard_errors, b.value, b.residual)
            assert a.estimate == b.estimate and type(a) is type(b)
        again.save(tmp_path / "again.json")
        assert (tmp_path / "again.json").read_bytes() == (tmp_path / "kept.json").read_bytes()

    def test_a_copy_and_a_pickle_are_the_same(self, swings):
        for other in (copy.copy(swings), pickle.loads(pickle.dumps(swings))):
            assert str(other) == str(swings) and other.polys == swings.polys

    def test_pieces_and_labels_survive(self, tmp_path):
        t = np.linspace(0, 12, 400)
        broken = np.c_[np.cos(t), np.sin(t)]
        broken[150:160] = np.nan
        found = conserved(Trajectories({1: broken, "1": 2 * np.c_[np.cos(t), np.sin(t)]}, time=t), noise=1e-3)
        found.save(tmp_path / "kept.json")
        again = symknot.load(tmp_path / "kept.json")
        assert [(run.label, run.group) for run in again.runs] == [("1/1", "1"), ("1/2", "1"), ("1", "1")]
        assert len(again.invariants[0].drift) == 2

    @pytest.mark.parametrize(("place", "value"), [
        (("version",), 2), (("version",), True), (("names",), "xyuv"), (("names",), []), (("names",), ["x", "y", "u"]),
        (("names",), ["x", "x", "u", "v"]), (("names", 0), 1), (("noise",), [0.1]), (("noise", 0), -0.1),
        (("noise", 0), None), (("noise", 0), 0.0), (("noise", 0), "0.1"), (("noise_given",), 1),
        (("noise_given",), None),
        (("status",), "nothing_found"), (("status",), "complete"), (("status",), "fine"), (("status",), []),
        (("message",), None), (("invariants",), {}), (("invariants",), [[]]), (("invariants",), None),
        (("constraints",), None), (("constraints", 0), {}), (("runs",), []), (("runs",), {}), (("runs", 0), []),
        (("runs", 0, "label"), 0), (("runs", 0, "group"), None), (("runs", 0, "group"), "other"),
        (("runs", 0, "times"), []), (("runs", 0, "times", 1), -1.0), (("runs", 0, "times", 0), "0"),
        (("runs", 0, "states"), []), (("runs", 0, "states", 0), [0.0] * 3), (("runs", 0, "states", 0, 0), None),
        (("runs", 0, "measured", 3, 1), True), (("runs", 0, "measured", 3), 1.0),
        (("invariants", 0, "terms"), []), (("invariants", 0, "terms", 0, 0), [1, 0]),
        (("invariants", 0, "terms", 0, 0), [-1, 0, 0, 0]), (("invariants", 0, "terms", 0, 0), [0, 7, 0, 0]),
        (("invariants", 0, "terms", 0, 0), [0, 10**9, 0, 0]), (("invariants", 0, "terms", 0, 1), "0x0"),
        (("invariants", 0, "terms", 0, 1), "2"), (("invariants", 0, "terms", 0, 2), "0x0"),
        (("constraints", 0, "terms"), [[[0, 0, 0, 0], "0x1", "0x1"]]),
        (("invariants", 0, "digits"), [[[0, 1, 0, 0], 0]]), (("invariants", 0, "digits"), [[[0, 1, 0, 0], 18]]),
        (("invariants", 0, "digits"), [[[0, 5, 0, 0], 3]]), (("invariants", 0, "digits"), {}),
        (("invariants", 0, "estimated_terms"), []), (("invariants", 0, "estimated_terms", 0, 1), None),
        (("invariants", 0, "estimated_terms", 0), [[0, 1, 0, 0]]),
        (("invariants", 0, "estimated_terms", 0, 0), [0, 1, 0]),
        (("invariants", 0, "standard_errors", 1, 1), -1.0), (("invariants", 0, "standard_errors", 1, 0), [9, 9, 9, 9]),
        (("invariants", 0, "standard_errors"), None), (("invariants", 0, "value"), -1.0),
        (("invariants", 0, "value"), None), (("constraints", 1, "residual"), -1.0),
        (("constraints", 1, "residual"), "0"),
        (("invariants", 0, "drift"), []), (("invariants", 0, "drift", 0, "label"), "9"),
        (("invariants", 0, "drift", 0, "level"), None), (("invariants", 0, "drift", 0, "error"), -1.0),
        (("invariants", 0, "drift", 0), []), (("invariants", 0, "estimate_drift", 2, "spread"), "much"),
        (("invariants", 0, "estimate_drift"), None),
    ])
    def test_damaged_entries_are_refused(self, saved, place, value, tmp_path):
        content = copy.deepcopy(saved)
        node = content
        for key in place[:-1]:
            node = node[key]
        assert place[-1] in node if isinstance(node, dict) else place[-1] < len(node)
        node[place[-1]] = value
        (tmp_path / "hostile.json").write_text(json.dumps(content))
        with pytest.raises(InvalidModel, match="hostile.json"):
            symknot.load(tmp_path / "hostile.json")

    def test_missing_entries_and_doubled_monomials_are_refused(self, saved, tmp_path):
        contents = []
        for path in ((), ("invariants", 0), ("constraints", 0), ("runs", 0), ("invariants", 0, "drift", 0)):
            node = saved
            for key in path:
                node = node[key]
            for name in node:
                content = copy.deepcopy(saved)
                inner = content
                for key in path:
                    inner = inner[key]
                del inner[name]
                contents.append(content)
        for table in ("terms", "estimated_terms", "standard_errors"):
            content = copy.deepcopy(saved)
            content["invariants"][0][table] += content["invariants"][0][table][:1]
            contents.append(content)
        assert len(contents) > 30
        for content in contents:
            (tmp_path / "hostile.json").write_text(json.dumps(content))
            with pytest.raises(InvalidModel):
                symknot.load(tmp_path / "hostile.json")

    def test_what_the_data_do_not_determine_has_an_infinite_error(self, saved, tmp_path):
        content = copy.deepcopy(saved)
        content["invariants"][0]["standard_errors"][1][1] = None
        (tmp_path / "kept.json").write_text(json.dumps(content))
        assert np.inf in symknot.load(tmp_path / "kept.json").invariants[0].standard_errors.values()


class TestPictures:
    def test_one_row_for_each_equation(self, swings, tmp_path):
        figure = swings.plot(tmp_path / "kept.png")
        assert (tmp_path / "kept.png").read_bytes().startswith(b"\x89PNG")
        left = figure.axes[::2]
        assert [ax.get_title(loc="left") for ax in left] == [
            f"${g.latex()}$" for g in (*swings.invariants, *swings.constraints)]
        lines = [line for line in left[0].lines if len(line.get_xdata()) == 2]
        assert [line.get_ydata()[0] for line in lines] == list(swings.invariants[0].levels.values())
        assert all(len(ax.collections) == 4 for ax in left)

    def test_nearly_all_values_are_within_the_band(self, swings):
        for right in swings.plot().axes[1::2]:
            off = np.concatenate([line.get_ydata() for line in right.lines if len(line.get_ydata()) == 800])
            assert 0.93 < np.mean(np.abs(off) <= 2) < 0.97

    def test_pieces_of_a_run_share_a_colour_and_many_runs_are_counted(self):
        t = np.linspace(0, 12, 200)
        runs = {f"r${k}": (1 + 0.2 * k) * np.c_[np.cos(t), np.sin(t)] for k in range(8)}
        runs["r$0"][90:100] = np.nan
        figure = conserved(Trajectories(runs, time=t), noise=1e-3).plot()
        levels = [line for line in figure.axes[0].lines if len(line.get_xdata()) == 2]
        assert [COLOURS.index(line.get_color()) for line in levels] == [0, 0, 1, 2, 3, 4, 5]
        (legend,) = figure.legends
        assert legend.get_title().get_text() == "the first 6 of 8 runs"
        figure.canvas.draw()
