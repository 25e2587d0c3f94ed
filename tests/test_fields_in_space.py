"""Partial differential equations from moments: known answers, and every derivative against differences."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import symknot
from symknot.ground.errors import InvalidOption, InvalidPoints
from symknot.polynomials.monomials import count
from symknot.sysid.space import estimating
from symknot.sysid.space.identify_field import term_name
from symknot.sysid.space.moments import Moments, Rectangles, Term, bump

from .fields_in_space import SYSTEMS

BURGERS = SYSTEMS[0]


def small_moments(components=2, degree=2, highest=2):
    at = Rectangles.on_grid((30, 24), (0.1, 0.05), (8, 7), (np.array([9, 15, 20]), np.array([8, 15])), highest)
    terms = tuple(Term(k, q) for k in range(count(components, degree)) for q in range(highest + 1) if k or not q)
    return Moments(at, terms, degree, components)


def field(components=2):
    x, t = np.meshgrid(0.1 * np.arange(30), 0.05 * np.arange(24), indexing="ij")
    return np.stack([np.sin(x + 2 * t) + 0.1 * t**2, np.cos(2 * x) * np.exp(-t)][:components])


def test_moments_are_integrals_by_parts():
    """Of (u**2)_x, u_xx and u_t for a u whose derivatives are known."""
    at = Rectangles.on_grid((200, 100), (0.02, 0.02), (60, 30), (np.array([100]), np.array([50])), 2)
    x, t = np.meshgrid(0.02 * np.arange(200), 0.02 * np.arange(100), indexing="ij")
    u = np.sin(x + 2 * t)
    weight = np.outer(at.space[0], at.time[0])

    def plain(values):
        return float(np.sum(at.patches(values)[0] * weight))

    assert np.isclose(at.moments(u**2, [1])[0, 0], plain(2 * u * np.cos(x + 2 * t)), rtol=1e-7)
    assert np.isclose(at.moments(u, [2])[0, 0], plain(-u), rtol=1e-6)
    assert np.isclose(at.rates(u)[0], plain(2 * np.cos(x + 2 * t)), rtol=1e-7)


def test_bumps_vanish_with_their_derivatives():
    for order in range(4):
        values = bump(10, 0.3, 6, order)
        assert abs(values[[0, -1]]).max() < 1e-12 < abs(values).max()
        if order:
            below = np.gradient(bump(1000, 0.003, 6, order - 1), 0.003, edge_order=2)[::100]
            assert np.allclose(values, below, atol=1e-3 * abs(values).max())


def test_derivatives_by_the_field_are_those_of_differences():
    moments, u = small_moments(), field()
    rng = np.random.default_rng(0)
    coefficients = rng.normal(size=(2, len(moments.terms))) * (rng.random((2, len(moments.terms))) < 0.5)

    def defects(values):
        return moments.of_rates(values) - moments.of_terms(values) @ coefficients.T

    rows = moments.by_field(u, coefficients)
    for _ in range(3):
        direction, step = rng.normal(size=u.shape), 1e-6
        wanted = (defects(u + step * direction) - defects(u - step * direction)) / (2 * step)
        found = np.stack([sum(rows[j][i] @ direction[i].ravel() for i in range(2)) for j in range(2)], axis=1)
        assert np.allclose(found, wanted, rtol=1e-5, atol=1e-8)


def test_the_estimate_is_the_nearest_field_that_satisfies_the_moments():
    """Lagrange's conditions, and the defects at the knots."""
    moments, u = small_moments(1, 2, 1), field(1)
    data, sigma = u + 0.01 * np.random.default_rng(1).normal(size=u.shape), np.array([0.01])
    kept = np.zeros((1, len(moments.terms)), dtype=bool)
    kept[0, :3] = True
    found = estimating._estimated(moments, data, sigma, kept, (data, np.zeros(kept.shape)), 10.0)
    defects = moments.of_rates(found.field)[:, 0] - moments.of_terms(found.field) @ found.coefficients[0]
    noise = moments.of_rates(data - u)[:, 0]
    assert abs(defects).max() < 1e-3 * abs(noise).max()
    E = moments.by_field(found.field, found.coefficients)[0][0].toarray()
    multipliers, left, *_ = np.linalg.lstsq(E.T, (data - found.field).ravel(), rcond=None)
    assert np.allclose(E.T @ multipliers, (data - found.field).ravel(), atol=1e-5)      # moved along the constraints alone
    assert np.allclose(moments.of_terms(found.field)[:, :3].T @ multipliers, 0, atol=1e-4 * abs(multipliers).max())


def truths(system):
    names = "uv"[: len(system.equations)]
    return {(f"{name}_t", term_name(np.array(e), q, names)): c
            for name, own in zip(names, system.equations) for (e, q), c in own.items()}


def check(model, system):
    found = {(one.target, str(one.monomial)): (one.estimate, one.error) for one in model.estimates}
    true = truths(system)
    assert set(found) == set(true)
    assert all(abs(found[key][0] - true[key]) < 4 * found[key][1] + 2e-3 * abs(true[key]) for key in true)


@pytest.mark.parametrize("percent", [1, 5])
def test_burgers(percent):
    x, t, u = BURGERS.noisy(percent, 0)
    model = symknot.identify_field(u[:, :, 0], x, t, 2, 2)
    check(model, BURGERS)
    assert str(model).splitlines()[0] == "u_t = -u2_x/2 + 0.1*u_xx"
    assert 0.8 < model.values[0] < 1.2 and abs(model.state_noise[0] / (percent / 100 * BURGERS.data()[2].std()) - 1) < 0.05


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS[1:], ids=lambda one: one.name)
def test_higher_orders_and_two_components(system):
    x, t, u = system.noisy(1, 0)
    check(symknot.identify_field(u, x, t, system.degree, 4), system)


def test_what_no_such_equation_describes_is_refused():
    """A wave equation is of second order in time: no u_t of these terms."""
    x, t = np.linspace(0, 12, 120), np.linspace(0, 9, 120)
    u = np.sin(x + 2 * t[:, None]) + np.sin(1.7 * (x - 2 * t[:, None])) + 0.3 * np.cos(2.9 * (x - 2 * t[:, None]))
    model = symknot.identify_field(u + 0.01 * np.random.default_rng(0).normal(size=u.shape), x, t, 2, 2)
    assert model.status is symknot.Status.NOTHING_FOUND and "no equation of degree <= 2" in model.message


def test_a_model_is_kept_and_used(tmp_path):
    x, t, u = BURGERS.noisy(2, 3)
    model = symknot.identify_field(u, x, t, 2, 2)
    model.save(tmp_path / "burgers.json")
    again = symknot.load(tmp_path / "burgers.json")
    assert again.right_hand_sides == model.right_hand_sides and again.kind == "weak"
    with pytest.raises(InvalidOption, match="partial differential equation"):
        model.simulate([0.0], [0, 1])
    with pytest.raises(InvalidOption, match="identify_field"):
        symknot.identify(np.zeros((9, 1)) + np.arange(9)[:, None], kind="weak")


@pytest.mark.parametrize("values, options, error, message", [
    (np.zeros((40, 40)), {}, InvalidPoints, "same everywhere"),
    (np.ones(5), {}, InvalidPoints, "times, places"),
    (np.full((40, 40), np.nan), {}, InvalidPoints, "finite"),
    (np.random.default_rng(0).normal(size=(9, 40)), {}, InvalidPoints, "too small"),
    (np.random.default_rng(0).normal(size=(60, 60)), {"x": np.arange(60) ** 2.0}, InvalidOption, "evenly spaced"),
    (np.random.default_rng(0).normal(size=(60, 60)), {"t": np.arange(59.0)}, InvalidOption, "60 numbers"),
    (np.random.default_rng(0).normal(size=(60, 60)), {"noise": -1.0}, InvalidOption, "not negative"),
])
def test_what_is_wrong_is_said(values, options, error, message):
    with pytest.raises(error, match=message):
        symknot.identify_field(values, **options)


def test_time_is_kept():
    x, t, u = BURGERS.noisy(1, 0)
    model = symknot.identify_field(u, x, t, timeout=1e-9)
    assert model.status is symknot.Status.OUT_OF_TIME


# ------------------------------------------------------------------------------------------------- any kind of data

X, T = np.linspace(0, 6, 30), np.linspace(0, 1, 28)
WAVE = np.exp(-0.3 * T[:, None]) * np.sin(X - 2 * T[:, None])
THE_SAME = {
    "nested lists": WAVE.tolist(), "object": WAVE.astype(object), "Fortran": np.asfortranarray(WAVE),
    "long double": WAVE.astype(np.longdouble), "unmasked": np.ma.masked_array(WAVE), "matrix": np.asmatrix(WAVE),
    "frame": pd.DataFrame(WAVE), "nullable": pd.DataFrame(WAVE).convert_dtypes(), "one component": WAVE[:, :, None],
    "fractions": [[Fraction(value) for value in row] for row in WAVE],
}
REFUSED = {
    "masked": (np.ma.masked_array(WAVE, mask=WAVE > 0.9), "must be finite, got nan at time 0, place 6"),
    "missing": (pd.DataFrame(WAVE).mask(WAVE > 0.9), "must be finite, got nan at time 0, place 6"),
    "complex": (WAVE + 1j, "must be real"), "sparse": (scipy.sparse.csr_matrix(WAVE), "must be a dense array"),
    "dates": ((1000 * WAVE).astype("datetime64[s]"), "got dates or durations"),
    "durations": ((1000 * WAVE).astype("timedelta64[s]"), "got dates or durations"),
    "huge integers": ([[10**400] * 30] * 28, "must be a number, got 1000"),
    "beyond floats": (WAVE.astype(np.longdouble) * np.longdouble("1e400"), "must be finite, got -?inf"),
    "words": ([["a"] * 30] * 28, "must be a number, got 'a'"), "ragged": ([[1, 2], [3]], "need rows of equal length"),
    "nothing": (None, "got NoneType"), "a number": (3, "got int"), "a set": ({1, 2}, "got set"),
    "empty": (np.empty((0, 2)), "need shape"),
    "four axes": (np.zeros((5, 5, 5, 5)), "need shape"), "records": (np.zeros((5, 5), dtype=[("a", float)]), "need shape"),
    "bytes": (np.full((28, 30), np.void(b"abc")), "must be numbers"),
    "1e300": (1e300 * WAVE, "sizes must be between 1e-40"), "denormal": (1e-310 * WAVE, "sizes must be between 1e-40"),
    "zero": (0 * WAVE, "the same everywhere"), "1e300 everywhere": (np.full((28, 30), 1e300), "the same everywhere"),
    "a component twice": (np.dstack([WAVE, WAVE]), "component 1 is a combination of those before it"),
    "one in other units": (np.dstack([1e9 * WAVE, 1e-9 * (WAVE + 2)]), "component 1 is a combination of those before it"),
    "a sum": (np.dstack([WAVE, WAVE**2, WAVE - 3 * WAVE**2]), "component 2 is a combination of those before it"),
}


@pytest.mark.parametrize("kind", THE_SAME)
def test_a_field_is_the_same_in_any_kind(kind):
    model = symknot.identify_field(THE_SAME[kind], X, T, 1, 1)
    assert str(model).startswith("u_t = -0.300458*u - 2.000334*u_x\n")


@pytest.mark.parametrize("kind", REFUSED)
def test_fields_that_are_none_are_refused_in_words(kind):
    """Masked values were used, imaginary parts and units of time dropped; sizes ended in warnings of numpy's."""
    values, words = REFUSED[kind]
    with pytest.raises(InvalidPoints, match=words):
        symknot.identify_field(values, X, T, 1, 1)


@pytest.mark.parametrize("options, words", [
    ({"x": 1e300 * X}, "steps of .*e.299 along x make derivatives"), ({"t": 1e-310 * T}, "along t make derivatives"),
    ({"x": X[:3]}, "x must be 30 numbers"), ({"x": "a"}, "x must be 30 numbers"),
    ({"x": X.astype(complex)}, "x must be 30 numbers"),
    ({"t": T[::-1]}, "t must be evenly spaced and increasing"), ({"t": None}, "t must be 28 numbers")])
def test_grids_that_are_none_are_refused_in_words(options, words):
    with pytest.raises((InvalidPoints, InvalidOption), match=words):
        symknot.identify_field(WAVE, **{"x": X, "t": T, "max_degree": 1, "max_order": 1, **options})


def test_a_field_is_read_from_a_file(tmp_path):
    path = tmp_path / "field.csv"
    np.savetxt(path, WAVE, delimiter=",")
    assert str(symknot.identify_field(path, X, T, 1, 1)) == str(symknot.identify_field(WAVE, X, T, 1, 1))
