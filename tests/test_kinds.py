"""Kinds of dynamics: short names, objects, and one that is written outside the package."""

import ast
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import symknot
from symknot.ground.errors import InvalidModel, InvalidOption
from symknot.sysid.laws.identify import identify
from symknot.sysid.motion.dynamics import Defects, Dynamics, register_kind, registered_kinds
from symknot.sysid.motion.kinds import Flow, Map, Static, kind_of_options
from symknot.sysid.runs.trajectories import Trajectories

MOTION = Path(symknot.__file__).parent / "sysid" / "motion"


@dataclass(frozen=True)
class Growth(Dynamics):
    """x_(t+1) = x_t (1 + f(x_t)): what multiplies a state until the next sample."""

    kind: ClassVar[str] = "growth"
    title: ClassVar[str] = "rates of growth"

    def samples(self, trajectories, noise, window, *, unbiased=False):
        shifted = trajectories.with_shift(1)
        points = shifted.points.copy()
        points[:, shifted.targets] = points[:, shifted.targets] / points[:, shifted.states] - 1
        names = (*trajectories.names, *trajectories.input_names, *self.target_names(trajectories.names))
        return replace(shifted, kind=self.kind, names=names, points=points)

    def target_names(self, names):
        return tuple(f"growth of {name}" for name in names)

    def arguments(self, states, inputs):
        return np.vstack([states[:, :-1], inputs[:, :-1]])

    def defects(self, field, coefficients, run, states):
        s, x = len(states), states[:, :-1]
        f, slopes, by_coefficient = field.linearized(coefficients, self.arguments(states, run.inputs))
        unit = np.eye(s)[:, :, None]
        by = np.zeros((s, field.size, x.shape[1]))
        by[field.owner, np.arange(field.size)] = -by_coefficient * x[field.owner]
        blocks = (-unit * (1 + f)[:, None] - slopes[:, :s] * x[:, None], np.broadcast_to(unit, (s, s, x.shape[1])))
        return Defects(states[:, 1:] - x * (1 + f), blocks, by)

    def simulate(self, model, start, times, inputs, integration):
        states = [np.ravel(start).astype(float)]
        for _ in range(times - 1):
            states.append(states[-1] * (1 + model.field.values(model.coefficients, states[-1][:, None])[:, 0]))
        return np.array(states)


def growing(noise=0.002):
    """x_(t+1) = x_t (1 + (1 - x_t) / 4), from two starts."""
    rng, runs = np.random.default_rng(0), []
    for start in (0.02, 1.8):
        x = [start]
        for _ in range(60):
            x.append(x[-1] * (1.25 - 0.25 * x[-1]))
        runs.append(np.array(x) + noise * rng.normal(size=61))
    return Trajectories(runs)


@pytest.fixture(scope="module")
def model():
    return identify(growing(), 2, kind=Growth())


def test_a_kind_from_outside_is_identified(model):
    assert model.kind == "growth" and model.targets == ("growth of x",)
    assert {name: str(side) for name, side in model.exact_right_hand_sides.items()} == {"growth of x": "1/4 - x/4"}
    assert "rates of growth:" in model.report()


def test_a_kind_from_outside_moves_is_scored_and_drawn(model):
    assert model.simulate([0.5], 3)[:, 0] == pytest.approx([0.5, 0.5625, 0.5625 * (1 + 0.25 * 0.4375)], rel=1e-2)
    assert model.score(growing()).overall > 0.999 and model.score(growing()).overall_next_sample > 0.99
    figure = model.plot()
    assert figure.axes[-1].get_xlabel() == "step" and len(figure.axes[0].lines) == 2 * 3
    assert model.predict([0.5])[0, 0] == pytest.approx(0.125, rel=1e-2)                      # its growth


def test_a_kind_from_outside_is_saved_and_read_back_once_its_name_is_known(model, tmp_path):
    model.save(tmp_path / "model.json")
    if "growth" not in registered_kinds():
        with pytest.raises(InvalidModel, match="growth.*register_kind"):
            symknot.load(tmp_path / "model.json")
        with pytest.raises(InvalidOption, match="kind must be 'flow', 'map', 'static', or an object"):
            identify(growing(), 2, kind="growth")
    register_kind(Growth)
    assert str(symknot.load(tmp_path / "model.json")) == str(model)
    assert str(identify(growing(), 2, kind="growth")) == str(model)
    with pytest.raises(InvalidOption, match="Growth has this one"):
        register_kind(type("Other", (Growth,), {}))


def test_defects_of_the_kind_from_outside_have_the_derivatives_it_says():
    """So that a mistake in this file is not taken for one of the package."""
    field, c = symknot.sysid.motion.fields.Field.polynomial(1, 2, 1), np.array([0.3, -0.2, 0.1])
    kind, step = Growth(), 1e-6
    run, x = kind.start_of_estimate(kind.samples(growing(), None, None), 0)
    defects = kind.defects(field, c, run, x)
    for k in (0, 1):
        moved = x.copy()
        moved[0, 5 + k] += step
        slope = (kind.defects(field, c, run, moved).values - defects.values)[0, 5] / step
        assert slope == pytest.approx(defects.blocks[k][0, 0, 5], rel=1e-4)
    for p, unit in enumerate(np.eye(3)):
        slope = (kind.defects(field, c + step * unit, run, x).values - defects.values)[0] / step
        assert slope == pytest.approx(defects.by_coefficient[0, p], rel=1e-4, abs=1e-9)


@pytest.mark.parametrize("name, options, kind", [
    ("flow", {}, Flow()), ("flow", {"order": 2}, Flow(2)), ("map", {"lags": 3}, Map(3)), ("static", {}, Static()),
])
def test_short_names_stand_for_objects(name, options, kind):
    assert kind_of_options(name, **options) == kind and kind_of_options(kind) is kind


def test_an_object_does_what_its_short_name_does():
    x = [0.0, 0.1]
    for _ in range(100):
        x.append(1 - 1.4 * x[-1] ** 2 + 0.3 * x[-2])
    data = Trajectories(np.array(x) + 0.001 * np.random.default_rng(0).normal(size=102))
    assert identify(data, 2, kind=Map(lags=1)).report() == identify(data, 2, kind="map", lags=1).report()


@pytest.mark.parametrize("kind, options", [(Flow(), {"order": 2}), (Map(), {"lags": 1}), ("static", {"lags": 1}),
                                           ("static", {"order": 2}), ("map", {"order": 2}), ("flow", {"lags": 1})])
def test_options_that_a_kind_does_not_have_are_refused(kind, options):
    with pytest.raises(InvalidOption, match=next(iter(options))):
        kind_of_options(kind, **options)


@pytest.mark.parametrize("kind", [Map(), Static()])
def test_a_window_is_for_what_is_smooth(kind):
    data = Trajectories(np.random.default_rng(0).normal(size=(50, 1)), inputs=np.arange(50.0)[:, None])
    with pytest.raises(InvalidOption, match="window"):
        identify(data, 2, kind=kind, window=7)


@pytest.mark.parametrize("path", sorted(MOTION.glob("*.py")), ids=lambda path: path.stem)
def test_only_the_list_of_short_names_knows_the_kinds(path):
    named = {module for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
             if isinstance(node, ast.ImportFrom) for module in [node.module]}
    assert not named & {"flow", "map", "static"} or path.stem in ("kinds", "weak")          # weak is a kind of static
