"""A model put to use: values, functions, source code, simulations with inputs of all kinds, a scikit-learn regressor."""

import subprocess
from dataclasses import replace

import numpy as np
import pytest
from sklearn.model_selection import KFold, TimeSeriesSplit, cross_val_score

from symknot import InvalidOption
from symknot.estimators import EquationsOfMotion
from symknot.sysid.motion.flow import Flow
from symknot.sysid.motion.map import Map
from symknot.sysid.motion.measurements import Measurements, smooth_inputs
from symknot.sysid.motion.static import Static

from .motions import model_of, rotation, uptake

POINTS = np.array([[1.0, 2.0], [0.5, -1.0]])


def test_right_hand_sides_have_values():
    assert rotation().predict(POINTS).tolist() == [[2.0, -4.0], [-1.0, -2.0]]
    assert rotation().predict({"y": [2.0], "x": [1.0]}).tolist() == [[2.0, -4.0]]
    assert uptake().predict([0.2, 0.7])[:, 0] == pytest.approx([0.0, -0.45])
    forced = model_of("x", [{(1, 0): -1.0, (0, 1): 2.0}], inputs=["u"])
    assert forced.predict([1.0, 2.0], [0.5, 3.0]).tolist() == [[0.0], [4.0]]
    lagged = model_of("x", [{(1, 0): 1.0, (0, 1): -0.5}], dynamics=Map(lags=1))
    assert lagged.predict([[2.0, 1.0]]).tolist() == [[1.5]]
    response = model_of("r", [{(2,): 3.0}], dynamics=Static(), inputs=["dose"])
    assert response.predict([2.0]).tolist() == response.predict(None, {"dose": [2.0]}).tolist() == [[12.0]]
    for wrong in ([[1.0]], {"x": [1.0]}, "up"):
        with pytest.raises(InvalidOption, match="states must be"):
            rotation().predict(wrong)
    with pytest.raises(InvalidOption, match="the model has no inputs"):
        rotation().predict(POINTS, [1.0, 2.0])
    with pytest.raises(InvalidOption, match="as many rows as states"):
        forced.predict([1.0, 2.0], [0.5])


def test_functions_and_source_code_say_the_same(tmp_path):
    model, driven = uptake(), model_of("x", [{(0, 1, 0): -0.1, (0, 0, 1): 2.0}], dynamics=Flow(2), inputs=["u"])
    assert rotation().lambdify()(*POINTS.T)[1].tolist() == [-4.0, -2.0]
    module = {}
    exec(model.source(), module)
    assert module["motion"](0.0, [0.7]) == pytest.approx([-0.45])
    exec(driven.source(name="pull"), module)
    assert module["pull"](0.0, [5.0, 3.0], [1.0]) == pytest.approx([3.0, 1.7])
    (tmp_path / "pull.c").write_text(driven.source("c", "pull") + "#include <stdio.h>\nint main(void) { double s[] = {5, 3}, "
                                     'u[] = {1}, out[2]; pull(0, s, u, out); printf("%g %g", out[0], out[1]); return 0; }')
    subprocess.run(["cc", "-Wall", "-Werror", "-o", tmp_path / "pull", tmp_path / "pull.c", "-lm"], check=True)
    assert subprocess.run([tmp_path / "pull"], capture_output=True, text=True).stdout == "3 1.7"
    assert rotation().source("latex").count("&=") == 2
    for wrong in ({"language": "basic"}, {"name": "2x"}):
        with pytest.raises(InvalidOption):
            model.source(**wrong)


def test_inputs_of_a_simulation_may_be_rows_columns_or_a_function():
    forced = model_of("x", [{(1, 0): -1.0, (0, 1): 2.0}], inputs=["u"])
    t = np.linspace(0, 2, 201)
    one, *others = [forced.simulate([0.0], t, u) for u in (lambda t: t, t, {"u": t, "other": t})]
    assert all(other == pytest.approx(one, abs=1e-6) for other in others)


def test_a_regressor_from_times_to_states():
    t = np.linspace(0, 8, 200)
    X = np.c_[np.cos(2 * t), -2 * np.sin(2 * t)] + 0.02 * np.random.default_rng(0).normal(size=(200, 2))
    motion = EquationsOfMotion(max_degree=1)
    assert cross_val_score(motion, t[:, None], X, cv=TimeSeriesSplit(2)).min() > 0.9
    assert cross_val_score(motion, t[:, None], X, cv=KFold(2)).min() > 0.9                   # the first part from the second
    fitted = motion.fit(t[::-1], X[::-1])
    assert fitted.predict([1.0, 0.0, 1.0])[0] == pytest.approx([np.cos(2), -2 * np.sin(2)], abs=0.05)
    decay = np.exp(-t) + 0.01 * np.random.default_rng(0).normal(size=200)
    assert motion.fit(t, decay).predict(t[:3]) == pytest.approx(np.exp(-t[:3]), abs=0.02)


def test_smooth_inputs_are_no_straight_lines_between_samples():
    forced = model_of("x", [{(0, 1): 1.0}], inputs=["u"])
    t = np.linspace(0, 6, 21)
    assert forced.simulate([0.0], t, np.cos(t))[:, 0] == pytest.approx(np.sin(t), abs=1e-3)       # linear: 0.007
    run = Measurements(np.sin(t)[None], np.ones(1), np.cos(t)[None], np.diff(t), smooth_inputs(np.cos(t)[None]))
    defects = Flow().defects(forced.field, forced.coefficients, run, np.sin(t)[None])
    assert np.abs(defects.values).max() < 1e-4 < np.abs(Flow().defects(
        forced.field, forced.coefficients, replace(run, smooth=None), np.sin(t)[None]).values).max()
    assert run.subdivided(4).inputs[0] == pytest.approx(np.cos(np.linspace(0, 6, 81)), abs=1e-3)
