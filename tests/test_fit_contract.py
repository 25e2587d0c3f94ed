"""What `fit` promises about every result: residuals, knots, history, progress, Ctrl-C, status, derivatives."""

import contextlib
import dataclasses
import os
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import sympy

import symknot
from symknot import FitInterrupted, InvalidPoints, Penalty, Projection, Status
from symknot.ground.errors import ENDED_EARLY
from symknot.results.fit import fit_within
from tests.varieties import BY_NAME, coefficient_space, exponents, spread

ROOT = Path(symknot.__file__).parents[1]


def noisy(name, n=150, noise=0.01, seed=0):
    return BY_NAME[name].noisy(np.random.default_rng(seed), n, noise)


def sphere(d, n):
    X, noise = np.random.default_rng(0).normal(size=(2, n, d))
    return X / np.linalg.norm(X, axis=1, keepdims=True) + 0.01 * noise


CASES = {
    "circle": lambda: (noisy("circle"), {}),
    "circle, generous": lambda: (noisy("circle"), {"epsilon": 0.05, "max_degree": 5}),
    "circle, mahalanobis": lambda: (noisy("circle"), {"epsilon": 0.02, "knotting": Projection(metric="mahalanobis")}),
    "circle, penalty": lambda: (noisy("circle"), {"epsilon": 0.02, "knotting": Penalty(), "max_degree": 2}),
    "circle, coefficient": lambda: (noisy("circle", noise=0.02), {"epsilon": 0.05, "normalization": "coefficient"}),
    "circle, quadrics": lambda: (noisy("circle"), {"epsilon": 0.03, "normalization": "coefficient", "max_degree": 2}),
    "circle, vca": lambda: (noisy("circle"), {"epsilon": 0.01, "normalization": "vca"}),
    "circle, weighted": lambda: (noisy("circle"), {"weights": np.arange(150), "noise": [1.0, 0.5]}),
    "crossing lines": lambda: (noisy("crossing lines"), {}),
    "two quadrics": lambda: (noisy("two quadrics"), {"max_degree": 4}),
    "two quadrics, penalty": lambda: (noisy("two quadrics", 100, 0.02), {
        "epsilon": 0.0665, "max_degree": 4, "knotting": Penalty(1e-2, max_steps=5)}),
    "twisted cubic": lambda: (noisy("twisted cubic"), {}),
    "twisted cubic, too generous": lambda: (noisy("twisted cubic", 100, 0.02), {"epsilon": 0.0324, "max_degree": 4}),
    "tilted circle": lambda: (noisy("tilted circle"), {}),
    "4 points": lambda: (noisy("4 points in space"), {}),
    "4 points, uneven noise": lambda: (noisy("4 points in space", 240) / [1, 2, 2], {}),
    "4 points, exact": lambda: (noisy("4 points in space", noise=0.0), {}),
    "cloud": lambda: (np.random.default_rng(0).normal(size=(50, 2)), {"epsilon": 1e-3, "max_degree": 3}),
    "no gap": lambda: (np.random.default_rng(0).normal(size=(50, 2)), {}),
    "line": lambda: (np.tile([0.0, 1.0, 3.0], 20).reshape(-1, 1), {}),
    "sphere in 10 dimensions": lambda: (sphere(10, 700), {"epsilon": 0.02, "max_degree": 3}),
}


@cache
def fitted(name):
    X, options = CASES[name]()
    return X, options, symknot.fit(X, **options)


@pytest.fixture(params=CASES)
def case(request):
    return fitted(request.param)


def root_mean_square(values, options, n):
    weights = np.asarray(options.get("weights", np.ones(n)), dtype=float)
    mean = np.sqrt(weights / weights.sum() @ values**2)
    return mean * np.sqrt(n) if options.get("normalization") == "vca" else mean


# ------------------------------------------------------------------------------------------------ equations and knots


def test_residuals_are_true_and_within_the_tolerances(case):
    X, options, ideal = case
    if ideal.epsilon is None:
        assert ideal.status is Status.NO_GAP and not len(ideal.essential)
        return
    assert 0 < ideal.delta < ideal.epsilon
    for g in ideal.polynomials + ideal.redundant:
        assert g.residual == pytest.approx(root_mean_square(g(X), options, len(X)), rel=1e-6, abs=1e-14)
        assert g.residual <= ideal.epsilon * (1 + 1e-9)
        assert g.knot_residual <= ideal.delta or ideal.status is Status.NOT_EXACT
        used = {"weights": ideal.knot_weights, "normalization": ideal.normalization}
        vca = np.sqrt(len(X) / len(ideal.knots)) if ideal.normalization == "vca" else 1.0
        assert vca * root_mean_square(g(ideal.knots), used, len(ideal.knots)) == pytest.approx(
            g.knot_residual, rel=1e-3, abs=1e-12)


def test_knots_and_assignment(case):
    X, options, ideal = case
    weights = np.asarray(options.get("weights", np.ones(len(X))), dtype=float)
    used = weights > 0
    assert ideal.assignment.shape == (len(X),) and ideal.knots.shape == (len(ideal.knot_weights), X.shape[1])
    assert np.array_equal(ideal.assignment >= 0, used) and ideal.assignment.min() >= -1
    assert np.array_equal(np.unique(ideal.assignment[used]), np.arange(len(ideal.knots)))
    assert ideal.knot_weights.sum() == pytest.approx(used.sum())
    share = np.bincount(ideal.assignment[used], weights=weights[used]) / weights.sum()
    np.testing.assert_allclose(ideal.knot_weights / used.sum(), share, rtol=1e-9)
    assert ideal.knotting_ratio == len(ideal.knots) / len(X)
    moved = np.linalg.norm((ideal.knots[ideal.assignment] - X)[used] / ideal.scale * ideal.unit, axis=1)
    assert np.sqrt(np.mean(moved**2)) <= 5 * (ideal.epsilon or 0) + 1e-12 or ideal.normalization == "vca"


def test_no_polynomial_is_zero(case):
    X, _, ideal = case
    box = ideal.center + 1.5 * ideal.scale * np.random.default_rng(1).normal(size=(300, X.shape[1]))
    for g in ideal.polynomials + ideal.redundant:
        assert g.terms and max(sum(e) for e in g.terms) == g.degree
        assert np.abs(g(box)).max() > 1e-3 * ideal.unit
        unit_vector = coefficient_space([g.poly], X.shape[1], g.degree, ideal.center, ideal.unit)[:, 0]
        top = [c for e, c in zip(exponents(X.shape[1], g.degree), unit_vector) if sum(e) == g.degree]
        assert np.linalg.norm(top) > 1e-6


def test_gradient_has_unit_size(case):
    X, options, ideal = case
    weights = np.asarray(options.get("weights", np.ones(len(X))), dtype=float)
    slopes = ideal.jacobian(X) * ideal.scale / ideal.unit                # in units of the noise
    size = np.sqrt(np.einsum("n,nkd->k", weights / weights.sum(), slopes**2))
    assert ideal.normalization != "gradient" or np.allclose(size, 1.0, rtol=1e-6, atol=0)


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("circle")])
def test_a_circle_is_one_quadric_by_every_convention(name):
    _, _, ideal = fitted(name)
    assert [g.degree for g in ideal.polynomials] == [2]
    assert np.abs(np.linalg.norm(ideal.knots, axis=1) - 1).max() < 0.04


def test_redundant_cubics_of_a_circle_are_multiples_of_it():
    _, _, ideal = fitted("circle, generous")
    (quadric,), x, y = ideal.polynomials, *ideal.variables
    assert len(ideal.redundant) > 2 and {g.degree for g in ideal.redundant} == {3, 4, 5}

    def exact(g):
        numbers = {e: sympy.Rational(c.numerator, c.denominator) for e, c in g.terms.items()}
        return sympy.Poly.from_dict(numbers, x, y, domain="QQ")

    for g in ideal.redundant:
        _, rest = sympy.reduced(exact(g), [exact(quadric)], x, y, order="grevlex", domain="QQ", polys=True)
        assert max((abs(float(c)) for c in rest.coeffs()), default=0) < 1e-6 * max(abs(float(c)) for c in g.terms.values())


@pytest.mark.parametrize(("name", "degrees"), [
    ("crossing lines", [2]), ("two quadrics", [2, 2]), ("twisted cubic", [2, 2, 2]), ("tilted circle", [1, 2]),
    ("sphere in 10 dimensions", [2])])
def test_redundant_polynomials_are_in_the_ideal(name, degrees):
    """Numerically: within the span of the multiples of the equations, up to their own degree."""
    X, _, ideal = fitted(name)
    assert [g.degree for g in ideal.polynomials] == degrees and ideal.redundant
    assert X.shape[1] < 10 or [g.degree for g in ideal.redundant] == [3] * 10
    centre, size, d = X.mean(axis=0), spread(X), X.shape[1]
    span = {t: coefficient_space([g.poly for g in ideal.polynomials], d, t, centre, size)
            for t in {g.degree for g in ideal.redundant}}
    for g in ideal.redundant:
        own = coefficient_space([g.poly], d, g.degree, centre, size)
        assert np.linalg.norm(own - span[g.degree] @ (span[g.degree].T @ own)) < 1e-4


# ------------------------------------------------------------------------------------------------ values, derivatives


def test_shapes_and_finite_differences(case):
    X, _, ideal = case
    k, d = len(ideal.polynomials), X.shape[1]
    assert ideal.evaluate(X).shape == (len(X), k) and ideal.jacobian(X).shape == (len(X), k, d)
    assert ideal.evaluate(np.zeros((0, d))).shape == (0, k) and ideal.jacobian(np.zeros((0, d))).shape == (0, k, d)
    assert ideal.evaluate(np.ones((1, d), dtype=int)).shape == (1, k)
    np.testing.assert_array_equal(ideal.evaluate(X.tolist()), ideal.evaluate(X))
    for column, g in zip(ideal.evaluate(X).T, ideal.polynomials):
        np.testing.assert_allclose(g(X), column, rtol=1e-12, atol=1e-14)
    here, step = X[:20], 1e-5 * ideal.scale
    for j in range(d):
        shift = step * (np.arange(d) == j)
        central = (ideal.evaluate(here + shift) - ideal.evaluate(here - shift)) / (2 * step[j])
        np.testing.assert_allclose(ideal.jacobian(here)[:, :, j], central, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("bad", [np.zeros((3, 3)), np.zeros((3, 1)), np.zeros(3), np.zeros((1, 2, 2)), [[1, 2j]], [["a", "b"]],
                                 [[None, 1]], []])
def test_points_that_cannot_be_evaluated(bad):
    ideal = fitted("circle")[2]
    for use in (ideal.evaluate, ideal.jacobian, ideal.polynomials[0]):
        with pytest.raises(InvalidPoints):
            use(bad)


@pytest.mark.parametrize("name", ["circle", "circle, vca", "circle, weighted", "tilted circle", "twisted cubic",
                                  "4 points", "line"])
@pytest.mark.parametrize("shift", [0.0, 1000.0])
def test_expressions_at_thirty_digits(name, shift):
    X, options, ideal = fitted(name)
    if shift:
        ideal = symknot.fit(X + shift, **options)
    for g in (ideal.polynomials + ideal.redundant)[:6]:
        for point in (X + shift)[:4]:
            exact = {v: sympy.Rational(float(c)) for v, c in zip(ideal.variables, point)}
            value = float(g.expr.evalf(30, subs={v: sympy.Float(c, 30) for v, c in exact.items()}))
            terms = sum(sympy.Rational(c.numerator, c.denominator) * sympy.prod(p**k for p, k in zip(exact.values(), e))
                        for e, c in g.terms.items())
            size = max(abs(float(c)) * np.prod(np.abs(point) ** e) for e, c in g.terms.items())
            assert float(terms) == pytest.approx(g(point[None])[0], abs=1e-11)
            assert value == pytest.approx(float(terms), abs=1e-14 * size + 1e-11)


def test_an_ideal_is_frozen():
    ideal = fitted("circle")[2]
    for field in dataclasses.fields(ideal):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(ideal, field.name, None)
    for frozen, name in ((ideal, "polynomials"), (ideal.history[0], "eta")):
        with pytest.raises(AttributeError):
            setattr(frozen, name, None)


# ------------------------------------------------------------------------------------------------- history and status


def test_history(case):
    X, _, ideal = case
    degree = resets = 0
    for record in ideal.history:
        assert (record.degree, record.resets) in ((degree + 1, resets), (1, resets + 1))
        degree, resets = record.degree, record.resets
        for values in (record.data_values, record.knot_values):
            assert values.ndim == 1 and np.isfinite(values).all() and (values >= 0).all()
            assert (np.diff(values) >= 0).all()
        assert 0 <= record.essential <= record.G_size and record.F_size >= 0 and record.rounds >= 0
        assert record.seconds >= 0 and 0 < record.eta <= 2 * ideal.epsilon         # chance may exceed what was given
        assert 1 <= record.knots <= len(X)
    last = [record for record in ideal.history if record.resets == resets]
    assert [r.G_size for r in last] == [layer.G.shape[1] for layer in ideal.recursion.layers]
    assert [r.F_size for r in last] == [layer.F.shape[1] for layer in ideal.recursion.layers]
    assert sum(r.essential for r in last) == len(ideal.polynomials)
    assert not last or last[-1].knots == len(ideal.knots)
    assert ideal.status is not Status.COMPLETE or sum(ideal.recursion.sizes) == len(ideal.knots)


ENDS = {
    Status.COMPLETE: lambda: fitted("4 points")[2],
    Status.SETTLED: lambda: fitted("circle")[2],
    Status.TREND: lambda: symknot.fit(np.random.default_rng(0).normal(size=(200, 2)) @ [[1, 1], [0.2, -0.2]]),
    Status.MAX_DEGREE: lambda: fitted("circle, generous")[2],
    Status.SIZE_LIMIT: lambda: symknot.fit(np.random.default_rng(0).normal(size=(60, 29)) @ np.eye(29, 30), 1e-3),
    Status.UNRESOLVED: lambda: symknot.fit(noisy("twisted cubic", 40, 0.02)),
    Status.NO_GAP: lambda: fitted("no gap")[2],
    Status.NO_POLYNOMIAL: lambda: fitted("cloud")[2],
    Status.NOT_EXACT: lambda: fit_within(noisy("twisted cubic", 40, 0.05), 0.1, max_degree=3, max_resets=0,
                                         knotting=Penalty(1e-3, max_steps=1)),
    Status.INTERRUPTED: lambda: interrupted(noisy("circle"), at=1),
    Status.OUT_OF_TIME: lambda: symknot.fit(noisy("circle"), timeout=1e-9),
}


@pytest.mark.parametrize("status", ENDS)
def test_every_status(status):
    ideal = ENDS[status]()
    assert ideal.status is status
    assert ideal.message and status.advice and ideal.message in str(ideal) and status.value in repr(ideal)
    assert status.ok == (status not in (Status.NO_GAP, Status.NO_POLYNOMIAL, Status.NOT_EXACT, *ENDED_EARLY))
    assert bool(ideal.polynomials) or not status.ok
    if status is Status.NOT_EXACT:
        assert max(g.knot_residual for g in ideal.polynomials + ideal.redundant) > ideal.delta


def test_no_status_of_a_fit_is_forgotten():
    of_other_results = {Status.EXACT, Status.PARTLY_PROVED, Status.FOUND, Status.PARTLY_FOUND, Status.NOTHING_FOUND,
                        Status.KNOWLEDGE_REJECTED, Status.WORK_LIMIT, Status.UNDECIDED}
    of_wrong_results = {Status.NOT_CONFIRMED}          # tests/test_checks.py makes them
    assert set(Status) == set(ENDS) | of_other_results | of_wrong_results


def test_no_polynomial_says_what_was_nearest():
    assert "smallest residual was" in fitted("cloud")[2].message
    # here equations are within epsilon, but the knots do not follow: the message must not say otherwise
    ideal = symknot.fit(noisy("4 points in space", 100, 0.02), 0.0284, max_degree=3, knotting=Penalty(1.0, max_steps=5))
    assert ideal.status is Status.NO_POLYNOMIAL
    assert min(r.data_values[0] for r in ideal.history) < ideal.epsilon and "no equation within epsilon" not in ideal.message


# ------------------------------------------------------------------------------------------------ progress and Ctrl-C


def interrupted(X, at, by=None, **options):
    """The partial ideal of a fit that is interrupted at its `at`-th step."""
    steps = []

    def stop(step):
        steps.append(step)
        if len(steps) > at:
            if by is not None:
                by()
            raise KeyboardInterrupt

    with pytest.raises(FitInterrupted) as caught:
        symknot.fit(X, progress=stop, **options)
    assert isinstance(caught.value, KeyboardInterrupt) and caught.value.__cause__ is None
    return caught.value.partial


def assert_usable(partial, X):
    assert partial.status is Status.INTERRUPTED
    assert len(partial.essential) == len(partial.residuals) == len(partial.recursion.G_degrees)
    assert partial.evaluate(X).shape == (len(X), len(partial.polynomials)) and str(partial)
    assert partial.assignment.shape == (len(X),) and partial.knot_weights.sum() == pytest.approx(len(X))
    assert len(partial.knots) == len(partial.knot_weights)


@pytest.mark.parametrize("name", ["circle", "twisted cubic", "4 points"])
@pytest.mark.parametrize("at", [0, 1, 2, 3])
@pytest.mark.parametrize("by", [None, lambda: signal.raise_signal(signal.SIGINT)], ids=["raised", "signal"])
def test_ctrl_c_keeps_what_is_finished(name, at, by):
    X, options, whole = fitted(name)
    partial = interrupted(X, at, by, **options)
    assert_usable(partial, X)
    done = len(partial.history)
    assert done == partial.recursion.degree and partial.epsilon == whole.epsilon
    for found, wanted in zip(partial.history, whole.history):
        assert (found.degree, found.G_size) == (wanted.degree, wanted.G_size)
    kept = [g for g in whole.polynomials if g.degree <= done]
    np.testing.assert_allclose(partial.evaluate(X), whole.evaluate(X)[:, : len(kept)], rtol=1e-9, atol=1e-12)


def fit_interrupted_at(line, functions, X, **options):
    """Fit, with a KeyboardInterrupt at the `line`-th line that is run inside these functions; True if there is one."""
    left = line

    def local(frame, event, arg):
        nonlocal left
        left -= event == "line"
        if left < 0:
            sys.settrace(None)
            raise KeyboardInterrupt
        return local

    def trace(frame, event, arg):
        inside = Path(frame.f_code.co_filename).parent.name == "fitting"
        return local if inside and frame.f_code.co_name in functions else None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        symknot.fit(X, **options)
    except FitInterrupted as caught:
        assert_usable(caught.partial, X)
        return True
    except KeyboardInterrupt:
        pytest.fail(f"a bare KeyboardInterrupt, without what is finished so far: {functions}, line {line}")
    finally:
        sys.settrace(before)
    return False


@pytest.mark.slow
def test_ctrl_c_at_any_line_of_the_main_loop():
    """A signal arrives between any two lines; here it does so at each of them in turn."""
    X, line = noisy("circle", 40, 0.02), 0
    while fit_interrupted_at(line, {"_advanced", "_one_degree", "_separated", "_with_knots"}, X, epsilon=0.04, loss="squares"):
        line += 1
    assert line > 50


def test_ctrl_c_while_epsilon_is_being_chosen():
    assert fit_interrupted_at(0, {"find_equations"}, noisy("circle", 40, 0.02))


def test_progress_callable_sees_every_degree():
    X, _, _ = fitted("twisted cubic")
    steps = []
    ideal = symknot.fit(X, progress=steps.append)
    assert {s.degree for s in steps} == {r.degree for r in ideal.history}
    assert len(steps) == sum(1 + record.rounds for record in ideal.history)
    for step in steps:
        assert 0 < step.eta <= ideal.epsilon * (1 + 1e-9) and step.residual >= 0 and step.resets == 0
        assert f"degree {step.degree}" in str(step) and "eta" in str(step) and "resets 0" in str(step)
    assert max(step.residual for step in steps) < spread(X)
    del steps[:]
    symknot.vca(X, 0.02, max_degree=2, progress=steps.append)
    assert {step.degree for step in steps} == {1, 2}


@pytest.mark.parametrize("progress", [None, True, False])
def test_progress_without_a_terminal(progress, capfd):
    assert len(symknot.fit(fitted("circle")[0], progress=progress).polynomials) == 1
    out, err = capfd.readouterr()
    assert out == "" and (err == "" or progress is True)


@pytest.mark.parametrize(("progress", "shown"), [(None, True), (False, False)])
def test_progress_on_a_terminal(progress, shown):
    script = ("import numpy as np, symknot; t = np.linspace(0, 6, 3000); "
              "X = np.c_[np.cos(t), np.sin(t), t] + 0.01 * np.random.default_rng(0).normal(size=(3000, 3)); "
              f"symknot.fit(X, 0.02, max_degree=3, progress={progress}); import sys; sys.stderr.write('end')")
    master, slave = os.openpty()
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=slave, cwd=ROOT,
                             env={**os.environ, "TERM": "xterm", "COLUMNS": "120"})
    os.close(slave)
    text = b""
    with open(master, "rb", buffering=0) as screen, contextlib.suppress(OSError):    # Linux ends a terminal with EIO
        while part := screen.read(4096):
            text += part
    assert child.communicate(timeout=60)[0] == b"" and child.returncode == 0
    assert text.endswith(b"end")
    assert (b"degree" in text and b"resets 0" in text) == shown and (text == b"end") != shown
