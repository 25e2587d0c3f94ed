"""A state that nobody measured: found up to what cannot be seen, or refused in words."""

import json

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp

import symknot
from symknot.ground.errors import InvalidModel, InvalidOption
from symknot.sysid.laws.hidden import _bent, _pairs


def measured(rates, starts, end, samples, columns, names, percent=1.0, seed=1):
    t, rng = np.linspace(0, end, samples), np.random.default_rng(seed)
    runs = [solve_ivp(lambda _, s: rates(*s), (0, end), start, t_eval=t, rtol=1e-10, atol=1e-12).y.T[:, columns]
            for start in starts]
    size = np.concatenate(runs).std(axis=0)
    noisy = [run + percent / 100 * size * rng.normal(size=run.shape) for run in runs]
    return symknot.Trajectories(noisy, time=t, names=list(names))


def lorenz(columns, samples=1200):
    return measured(lambda x, y, z: (10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z), ((-8, 7, 27), (5, 3, 15)),
                    samples / 100, samples, columns, ["xyz"[k] for k in columns])


def prey(percent=1.0):
    return measured(lambda x, y: (x - x * y / 2, -0.8 * y + 0.3 * x * y), ((2, 1), (1, 3)), 15, 600, [0], "x", percent)


def terms(model):
    symbols = sympy.symbols([*model.state_names])
    return {target: set(sympy.Poly(side, *symbols).monoms()) for target, side in model.exact_right_hand_sides.items()}


def test_the_pairs_that_close_lorenz_without_z():
    pairs = sorted(_pairs(lorenz([0, 1]).with_derivatives(2), [0, 1], 2), key=lambda pair: pair.left)
    assert (pairs[0].equation, pairs[0].factor) == (1, 0) and pairs[0].left < 0.01
    assert pairs[0].exponents.tolist() == [[0, 0], [0, 1], [0, 2]]
    assert pairs[-1].left > 0.3


def test_a_series_leads_across_the_zeros_of_its_factor():
    t = np.linspace(0, 10, 500)
    assert np.allclose(_bent(np.sin(3 * t), np.sin(3 * t) * np.cos(t), 1e-3), np.cos(t), atol=1e-2)
    assert np.allclose(_bent(np.ones(500), 2 - t, 1e6), 2 - t)


@pytest.mark.parametrize("columns, right", [
    ([0, 1], {"x'": {(1, 0, 0), (0, 1, 0)}, "y'": {(0, 1, 0), (1, 0, 1)}, "h'": {(0, 0, 0), (0, 0, 1), (1, 1, 0)}}),
    pytest.param([0, 2], {"x'": {(1, 0, 0), (0, 0, 1)}, "z'": {(0, 1, 0), (1, 0, 1)}, "h'": {(0, 0, 1), (1, 0, 0), (1, 1, 0)}},
                 marks=pytest.mark.slow),
])
def test_lorenz_from_two_of_its_states(columns, right):
    model = symknot.identify(lorenz(columns), 2, hidden=1)
    assert terms(model) == right and model.hidden == ("h",) and model.status is symknot.Status.FOUND
    defining = {0: "y' = h*x - y", 2: "z' = h*x - 8*z/3"}[2 if columns == [0, 2] else 0]
    rest = ", ".join(model.state_names[:2])
    assert model.message.startswith(f"the hidden state h is what {defining} makes it: a*h + q({rest}) with any number a")


def test_one_measured_state_and_all_that_a_result_does(tmp_path):
    model = symknot.identify(prey(), 2, hidden=1)
    assert terms(model) == {"x'": {(1, 1)}, "h'": {(0, 0), (1, 0), (0, 1), (1, 1)}}
    numbers = [float(one.estimate) for one in model.estimates if one.target == "h'"]
    assert sorted(numbers) == pytest.approx([-0.8, -0.3, 0.3, 0.8], rel=0.05)           # x' = h x: h = 1 - y / 2
    assert np.isnan(model.state_noise[1]) and "h not measured" in str(model)
    assert all(np.isnan(run.measured[:, 1]).all() and np.isfinite(run.states).all() for run in model.runs)
    start = model.runs[0].states[0]
    ahead = model.simulate(start, model.runs[0].times[:50])
    assert np.abs(ahead - model.runs[0].states[:50]).max() < 0.02
    model.save(tmp_path / "prey.json")
    again = symknot.load(tmp_path / "prey.json")
    assert str(again) == str(model) and again.hidden == ("h",)
    assert "h           " in model.report()
    model.plot(tmp_path / "prey.png")
    model.report(tmp_path / "prey.html")
    content = json.loads((tmp_path / "prey.json").read_text())
    content["hidden"] = ["q"]
    (tmp_path / "wrong.json").write_text(json.dumps(content))
    with pytest.raises(InvalidModel, match="hidden states"):
        symknot.load(tmp_path / "wrong.json")


def test_the_velocity_of_an_oscillator():
    data = measured(lambda x, v: (v, (1 - x**2) * v - x), ((2, 0), (0.5, 0.5)), 20, 800, [0], "x", 5.0)
    model = symknot.identify(data, hidden=1)
    assert {target: str(side) for target, side in model.exact_right_hand_sides.items()} == {"x'": "h", "h'": "-h*x**2 + h - x"}


def test_no_hidden_state_is_needed_or_found():
    whole = symknot.identify(lorenz([0, 1, 2], 600), 2, hidden=1)
    assert whole.hidden == () and whole.message.startswith("no hidden state is needed") and len(whole.targets) == 3
    alone = symknot.identify(lorenz([0]), 2, hidden=1)
    assert alone.hidden == () and alone.targets == () and alone.message.startswith("no hidden state was found")


@pytest.mark.parametrize("options, message", [
    ({"hidden": 2}, "hidden must be 0 or 1"), ({"hidden": True}, "hidden must be 0 or 1"),
    ({"hidden": 1, "kind": "map"}, "hidden must be 0 but for runs of differential equations of first order"),
    ({"hidden": 1, "order": 2}, "hidden must be 0 but for runs"), ({"hidden": 1, "form": "implicit"}, "hidden must be 0 but"),
    ({"hidden": 1, "functions": ["sin"]}, "hidden must be 0 where functions is given"),
    ({"hidden": 1, "known": {"x'": "x"}}, "hidden must be 0 where known= is given"),
    ({"hidden": 1, "constraints": ["x = 1"]}, "hidden must be 0 where constraints is given"),
])
def test_what_does_not_go_together(options, message):
    with pytest.raises(InvalidOption, match=message):
        symknot.identify(prey(), 2, **options)


def test_a_name_that_is_taken_and_the_command_line(tmp_path, capsys):
    from symknot.cli import main
    rows = ["run,t,h"] + [f"{k},{t},{row[0]}" for k, run in enumerate(prey()) for t, row in zip(run.times, run.states)]
    path = tmp_path / "prey.csv"
    path.write_text("\n".join(rows))
    assert main(["identify", str(path), "--degree", "2", "--hidden", "1"]) == 0
    assert "h' = h*hidden" in capsys.readouterr().out
