"""Whatever comes in: usable points become a fit, unusable ones a clear error, and nothing is left half-done."""

import numpy as np
import pandas as pd
import pytest

import symknot
from symknot import InvalidOption, InvalidPoints, Penalty, Projection, Status, SymknotError
from symknot.reading import points as module
from symknot.reading.points import read_points

EPSILON = 0.05


def circle(n=120, noise=0.02, seed=0):
    rng = np.random.default_rng(seed)
    angle = np.linspace(0, 2 * np.pi, n, endpoint=False)
    return np.c_[np.cos(angle), np.sin(angle)] + noise * rng.normal(size=(n, 2))


def degrees(ideal):
    return [g.degree for g in ideal.polynomials]


def same_curve(found, wanted, scale=1.0):
    """Whether one-equation ideals agree, `found` in variables scale * x."""
    grid = np.random.default_rng(1).uniform(-2, 2, size=(60, len(wanted.names)))
    a, b = found.evaluate(scale * grid)[:, 0] / scale, wanted.evaluate(grid)[:, 0]
    sign = np.sign(a @ b)
    return np.allclose(sign * a, b, rtol=1e-6, atol=1e-6 * np.abs(b).max())


# --------------------------------------------------------------------------------- not finite, not numbers, not 2-D


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("use", [symknot.fit, symknot.spectrum, read_points, lambda X, **o: symknot.vca(X, EPSILON, **o)])
def test_not_finite_names_row_and_column(use, bad):
    X = circle()
    X[17, 1] = bad
    X[30, 0] = bad
    for options, column in (({}, "y"), ({"names": ["length", "width"]}, "width")):
        with pytest.raises(InvalidPoints, match=rf"row 17, column '{column}': must be finite, got {bad}") as caught:
            use(X, **options)
        assert (caught.value.row, caught.value.column, caught.value.line) == (17, column, None)
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, SymknotError)


@pytest.mark.parametrize(("points", "message"), [
    (np.arange(5.0), r"shape \(5,\).*reshape\(-1, 1\)"),
    ([], r"shape \(0,\)"),
    (3.0, r"shape \(points, variables\), got float"),
    (None, r"shape \(points, variables\), got NoneType"),
    (np.zeros((4, 2, 2)), r"shape \(4, 2, 2\)"),
    (np.zeros((5, 0)), r"shape \(5, 0\)"),
    ([[1, 2], [3]], "rows of equal length"),
    ([[1, 2], 3], "rows of equal length"),
    (np.zeros((0, 2)), "at least 2 points, got 0"),
    ([[1.0, 2.0]], "at least 2 points, got 1"),
    (circle() + 0j, "real, got complex"),
    ([[1.0, 2j], [3.0, 4.0]], "real, got complex"),
    (np.array([[1, 1 + 2j], [3, 4]], dtype=object), "row 0, column .*1"),
    ([["1", "2"], ["3", "four"]], "row 1, column .*'four'"),
    (np.array([[1, 2], ["three", 4]], dtype=object), "row 1, column .*'three'"),
    ({"x": [1, 2], "y": [3, 4]}, "got dict"),
    ({1.0, 2.0}, "got set"),
    (np.array([["2020-01-01"], ["2020-01-02"]], dtype="M8[D]"), "numbers"),
    (np.array([[1, 2], [3, 4]], dtype="m8[s]"), "numbers"),
    ([[10**400, 1], [2, 3]], "row 0, column"),
    ([[1, None], [3, 4]], "row 0, column 'y'"),
])
def test_unusable_points(points, message):
    with pytest.raises(InvalidPoints, match=message):
        symknot.fit(points, EPSILON)
    with pytest.raises(InvalidPoints, match=message):
        read_points(points)


def test_masked_values_are_not_used():
    X = np.ma.array(circle(), mask=np.zeros((120, 2), bool))
    X[7, 1] = np.ma.masked
    with pytest.raises(InvalidPoints, match="row 7, column 'y'"):
        symknot.fit(X, EPSILON)


# --------------------------------------------------------------------------------------- unusual, and to be accepted


@pytest.mark.parametrize("epsilon", ["auto", EPSILON])
def test_constant_column_is_a_linear_equation(epsilon):
    ideal = symknot.fit(np.c_[circle(), np.full(120, 3.0)], epsilon)
    assert degrees(ideal) == [1, 2]
    np.testing.assert_allclose(ideal.knots[:, 2], 3.0, rtol=1e-12)
    np.testing.assert_allclose(ideal.polynomials[0]([[0, 0, 3], [5, -5, 3]]), 0, atol=1e-12)


def test_constant_column_exactly():
    ideal = symknot.fit(np.c_[np.arange(7.0), np.full(7, 3.0)], 0.01, max_degree=1)
    assert degrees(ideal) == [1]
    terms = ideal.polynomials[0].terms
    assert float(terms[0, 0] / terms[0, 1]) == -3.0 and abs(terms.get((1, 0), 0)) < 1e-15
    assert np.all(ideal.knots[:, 1] == 3.0)


def test_all_but_one_column_constant():
    ideal = symknot.fit(np.c_[np.full(40, -1.0), np.tile([0.0, 1.0], 20), np.full(40, 1e5)])
    assert degrees(ideal) == [1, 1, 2]
    assert len(ideal.knots) == 2 and ideal.knotting_ratio == 2 / 40


@pytest.mark.parametrize(("value", "epsilon"), [
    (0.0, "auto"), (0.0, 0.1), (2.5, "auto"), (2.5, 0.1), (0.1, "auto"), (0.1, 10.0), (-1e-200, "auto"),
    (1e200, "auto"), (1e200, 1e199), (5e-324, "auto")])
def test_points_all_equal(value, epsilon):
    ideal = symknot.fit(np.full((6, 3), value), epsilon)
    assert ideal.status is Status.COMPLETE and degrees(ideal) == [1, 1, 1]
    assert ideal.knots.tolist() == [[value] * 3]
    assert ideal.knot_weights.tolist() == [6.0] and ideal.assignment.tolist() == [0] * 6
    assert not ideal.evaluate(ideal.knots).any()


def test_duplicates_are_merged_into_weights():
    inside = read_points([[0, 0], [1, 0], [0, 0], [0, 2], [1, 0], [0, 0]])
    np.testing.assert_allclose(inside.weights, [1 / 2, 1 / 3, 1 / 6], rtol=1e-14)
    assert inside.row_of.tolist() == [0, 1, 0, 2, 1, 0]
    np.testing.assert_allclose(inside.outside(inside.values), [[0, 0], [1, 0], [0, 2]], atol=1e-15)


@pytest.mark.parametrize("epsilon", ["auto", EPSILON])
def test_duplicates_change_nothing(epsilon):
    X = circle()
    once, twice = symknot.fit(X, epsilon), symknot.fit(np.r_[X, X[::-1]], epsilon)
    assert degrees(once) == degrees(twice) == [2]
    assert same_curve(twice, once)
    np.testing.assert_allclose(twice.knot_weights, 2 * once.knot_weights)
    assert twice.assignment.tolist() == [*once.assignment, *once.assignment[::-1]]


def test_clusters_on_a_line():
    rng = np.random.default_rng(0)
    X = (np.repeat([0.0, 1.0, 3.0], 60) + 0.01 * rng.normal(size=180)).reshape(-1, 1)
    ideal = symknot.fit(X, 0.03)
    assert ideal.status is Status.COMPLETE and degrees(ideal) == [3] and ideal.names == ("x",)
    np.testing.assert_allclose(np.sort(ideal.knots[:, 0]), [0, 1, 3], atol=0.01)
    assert ideal.knot_weights.tolist() == [60, 60, 60]


def test_exact_values_on_a_line():
    ideal = symknot.fit(np.tile([0, 1, 3], 10).reshape(-1, 1))
    terms = ideal.polynomials[0].terms
    found = [float(terms.get((k,), 0) / terms[3,]) for k in range(4)]
    np.testing.assert_allclose(found, [0, 3, -4, 1], atol=1e-12)
    np.testing.assert_allclose(np.sort(ideal.knots[:, 0]), [0, 1, 3], atol=1e-12)


@pytest.mark.parametrize(("n", "d"), [(2, 1), (2, 2), (2, 40), (4, 9), (9, 12)])
def test_more_columns_than_rows(n, d):
    """n points in general position: d - n + 1 linear equations, n knots, and quadrics for the rest."""
    X = np.random.default_rng(n).normal(size=(n, d))
    ideal = symknot.fit(X, 1e-3)
    linear = max(d - n + 1, 0)
    assert ideal.status is Status.COMPLETE
    assert degrees(ideal) == [1] * linear + [2] * (n * (n - 1) // 2)
    assert len(ideal.knots) == n
    assert np.abs(ideal.evaluate(X)).max() < 1e-12


def test_few_points_without_a_gap_are_not_guessed_at():
    ideal = symknot.fit(np.random.default_rng(0).normal(size=(4, 9)))
    assert ideal.status is Status.NO_GAP and ideal.polynomials == () and ideal.epsilon is None


@pytest.mark.parametrize("scale", [1e150, 1e-150, 1e300, 1e-300])
@pytest.mark.parametrize("epsilon", ["auto", EPSILON])
def test_huge_and_tiny_scales(scale, epsilon):
    X = circle()
    wanted = symknot.fit(X, epsilon)
    found = symknot.fit(scale * X, epsilon if epsilon == "auto" else epsilon * scale)
    assert degrees(found) == degrees(wanted) == [2] and found.status is wanted.status
    assert same_curve(found, wanted, scale)
    assert found.epsilon / scale == pytest.approx(wanted.epsilon, rel=1e-6)
    np.testing.assert_allclose(found.knots / scale, wanted.knots, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(np.abs(found.jacobian(found.knots)), np.abs(wanted.jacobian(wanted.knots)), atol=1e-6)
    assert " = " in str(found)


@pytest.mark.parametrize("scales", [(1e100, 1e-100), (1e150, 1e-150)])
def test_columns_of_very_different_scale(scales):
    X = circle()
    found, wanted = symknot.fit(X * scales, noise=scales), symknot.fit(X, noise="equal")
    assert degrees(found) == [2]
    np.testing.assert_allclose(found.knots / scales, wanted.knots, rtol=1e-6, atol=1e-9)


def test_scale_beyond_the_paper_normalization_is_an_error():
    with pytest.raises(InvalidPoints, match="out of range for normalization='vca'"):
        symknot.fit(1e150 * circle(), 1e149, normalization="vca")


@pytest.mark.parametrize("noise", [[1e-300, 1e-300], [1e160, 1e-160], [1e-320, 1.0]])
def test_noise_beyond_what_floats_hold_is_an_error_or_works(noise):
    try:
        ideal = symknot.fit(circle(), noise=noise)
    except SymknotError as error:
        assert "represent" in str(error) or "noise" in str(error)
    else:
        assert np.isfinite(ideal.evaluate(ideal.knots)).all()


@pytest.mark.parametrize("kind", [np.int64, np.int8, np.uint8, np.float16, np.float32, np.longdouble, bool, object])
def test_other_kinds_of_numbers(kind):
    corners = np.array([[0, 0], [1, 0], [0, 1], [1, 1]])
    ideal, wanted = symknot.fit(corners.astype(kind), 1e-3), symknot.fit(corners.astype(float), 1e-3)
    assert degrees(ideal) == [2, 2] and ideal.knots.dtype == np.float64
    assert [g.terms for g in ideal.polynomials] == [g.terms for g in wanted.polynomials]


def test_lists_and_numeric_strings():
    X = circle()
    for points in (X.tolist(), [[repr(c) for c in row] for row in X.tolist()]):
        assert np.array_equal(read_points(points).values, read_points(X).values)


def test_the_callers_array_is_neither_changed_nor_kept():
    X = circle()
    before = X.copy()
    ideal = symknot.fit(X, EPSILON)
    assert np.array_equal(X, before)
    knots = ideal.knots.copy()
    X[:] = np.nan
    assert np.array_equal(ideal.knots, knots) and np.isfinite(ideal.evaluate(knots)).all()
    X = circle(noise=0.0)
    assert not np.shares_memory(symknot.vca(X, EPSILON).knots, X)


# ------------------------------------------------------------------------------------------------------- data frames


def test_data_frame_keeps_its_names():
    frame = pd.DataFrame(circle(), columns=["cell count", "y"])
    ideal = symknot.fit(frame, EPSILON)
    assert ideal.names == ("cell count", "y")
    assert [str(v) for v in ideal.variables] == ["cell_count", "y"]
    assert symknot.fit(frame, EPSILON, names=["a", "b"]).names == ("a", "b")
    assert symknot.fit(pd.DataFrame(circle()), EPSILON).names == ("0", "1")


@pytest.mark.parametrize(("frame", "row", "column"), [
    ({"a": [1, None, 3], "b": [1, 2, 3]}, 1, "a"),
    ({"a": pd.array([1, 2, None], dtype="Int64"), "b": [1, 2, 3]}, 2, "a"),
    ({"a": [1, 2, 3], "b": ["1", "q", "3"]}, 1, "b"),
    ({"a": [1, 2, 3], "b": pd.Categorical(["u", "v", "w"])}, 0, "b"),
    ({"a": [1, 2, 3], "b": pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-03"])}, 0, "b"),
    ({"a": [1, 2, 3], "b": [1, 2j, 3]}, None, "b"),
    ({"a": [1, 2, 3], "b": [1, np.inf, 3]}, 1, "b"),
])
def test_data_frame_bad_cells(frame, row, column):
    with pytest.raises(InvalidPoints) as caught:
        symknot.fit(pd.DataFrame(frame, index=[10, 20, 30]), EPSILON)
    assert row is None or (caught.value.row, caught.value.column) == (row, column)


def test_data_frame_columns_must_differ():
    with pytest.raises(SymknotError, match="different"):
        symknot.fit(pd.DataFrame(circle(), columns=["a", "a"]))


# -------------------------------------------------------------------------------------------------------------- CSV


def csv_file(folder, text, encoding="utf-8"):
    path = folder / "points.csv"
    path.write_bytes(text.encode(encoding))
    return path


def rows(X):
    return "".join(",".join(repr(float(c)) for c in row) + "\n" for row in X)


@pytest.mark.parametrize(("header", "names", "encoding"), [
    ("width, height\n", ("width", "height"), "utf-8"),
    ("", ("x", "y"), "utf-8"),
    ("größe,y\r\n", ("größe", "y"), "utf-8-sig"),
    ('"a, b","c\nd"\n\n', ("a, b", "c\nd"), "utf-8"),
])
def test_csv(tmp_path, header, names, encoding):
    path = csv_file(tmp_path, header + rows(circle()), encoding)
    wanted = symknot.fit(circle(), EPSILON)
    for given in (path, str(path)):
        ideal = symknot.fit(given, EPSILON)
        assert ideal.names == names
        assert np.array_equal(ideal.knots, wanted.knots)
    assert [p.name for p in tmp_path.iterdir()] == ["points.csv"]


@pytest.mark.parametrize(("text", "message", "line", "column"), [
    ("x,y\n1,2\n\n3,four\n", "line 4, column 'y': must be a number, got 'four'", 4, "y"),
    ("1,2\n3,\n", "line 2, column '2': must be a number, got ''", 2, "2"),
    ("x;y\n1;2\n3;four\n", "line 3, column 'y': must be a number, got 'four'", 3, "y"),
    ("x,y\n1,2\n3\n", "line 3: need 2 cells, got 1", 3, None),
    ("x,y\n1,2,3\n4,5,6\n", "line 2: need 2 cells, got 3", 2, None),
    ("x,y\n1,2\n   \n3,4\n", "line 3: need 2 cells, got 1", 3, None),
    ("x,y\n1,2\n3,nan\n4,5\n", "line 3, column 'y': must be finite", 3, "y"),
    ("", "empty", None, None),
    ("\n\n", "empty", None, None),
    ("x,y\n", "at least 2 points, got 0", None, None),
    ("x,y\n1,2\n", "at least 2 points, got 1", None, None),
])
def test_csv_bad_cells(tmp_path, text, message, line, column):
    path = csv_file(tmp_path, text)
    with pytest.raises(InvalidPoints, match=message) as caught:
        symknot.fit(path, EPSILON)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert path.read_bytes() == text.encode() and len(list(tmp_path.iterdir())) == 1


def test_csv_that_is_none(tmp_path):
    with pytest.raises(InvalidPoints, match="not a text file"):
        symknot.fit(csv_file(tmp_path, "größe,y\n1,2\n3,4\n\x01", "latin-1"))
    with pytest.raises(FileNotFoundError):
        symknot.fit(tmp_path / "missing.csv")
    with pytest.raises(OSError):
        symknot.fit(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["points.csv"]


# ---------------------------------------------------------------------------------------------------------- options

REFUSED = {
    "epsilon": [0, -0.1, np.nan, np.inf, True, None, "automatic", [0.1], 1j],
    "delta": [0, -1e-9, np.nan, np.inf, True, "x", EPSILON, 2 * EPSILON],
    "max_degree": [0, -1, 1.5, True, "2", np.nan],
    "max_resets": [-1, 1.5, True, None],
    "cooling": [0, 1, -0.5, 2.0, np.nan, "x", None],
    "normalization": ["l2", None, 5, ["gradient"]],
    "knotting": ["nearest", Projection, 5],
    "progress": ["yes", 5, []],
    "names": [["x"], ["x", "y", "z"], ["x", "x"], "xy", 5],
    "noise": [[1.0], [1.0, 0.0], [1.0, -1.0], [1.0, np.nan], [1.0, np.inf], 1.0, "ab", [1.0, 1j], [1.0, None]],
    "weights": [np.ones(119), np.ones((120, 1)), -np.ones(120), np.zeros(120), np.full(120, np.nan), np.full(120, np.inf),
                np.eye(120)[0], "abc", 2.0, [[1], [2, 3]]],
}


@pytest.mark.parametrize(("option", "value"), [(o, v) for o, values in REFUSED.items() for v in values])
def test_refused_options(option, value):
    options = {"epsilon": EPSILON, option: value}
    with pytest.raises(InvalidOption) as caught:
        symknot.fit(circle(), **options)
    named = {"delta": ("delta", "epsilon")}.get(option, (option,))
    assert caught.value.name in named and option in str(caught.value)
    if option in ("max_degree", "names", "noise", "weights"):
        with pytest.raises(InvalidOption):
            symknot.spectrum(circle(), **{option: value})
    if option in ("epsilon", "max_degree", "normalization", "progress", "names", "noise", "weights"):
        with pytest.raises(InvalidOption):
            symknot.vca(circle(), **options)


def test_delta_above_the_automatic_epsilon_is_refused():
    with pytest.raises(InvalidOption, match="delta"):
        symknot.fit(circle(), delta=0.5)


@pytest.mark.parametrize("make", [
    lambda: Projection(metric="l2"), lambda: Projection(max_steps=0), lambda: Projection(max_steps=2.5),
    lambda: Penalty(weight=-1), lambda: Penalty(weight=np.nan), lambda: Penalty(weight=[]),
    lambda: Penalty(weight="a"), lambda: Penalty(max_steps=0)])
def test_refused_strategies(make):
    with pytest.raises(InvalidOption):
        make()


def test_numpy_scalars_are_numbers():
    ideal = symknot.fit(circle(), np.float32(EPSILON), delta=np.float64(1e-8), max_degree=np.int64(3),
                        max_resets=np.int32(2), cooling=np.float32(0.5))
    assert degrees(ideal) == [2] and ideal.status is Status.MAX_DEGREE


@pytest.mark.parametrize("normalization", ["gradient", "coefficient", "vca"])
def test_points_of_weight_zero_are_ignored(normalization):
    X = circle()
    epsilon = 0.02 if normalization == "vca" else EPSILON
    stray = np.random.default_rng(5).uniform(-3, 3, size=(400, 2))
    everything, weights = np.r_[stray, X], np.r_[np.zeros(400), np.full(120, 7.0)]
    found = symknot.vca(everything, epsilon, weights=weights, normalization=normalization, max_degree=2)
    wanted = symknot.vca(X, epsilon, normalization=normalization, max_degree=2)
    assert degrees(found) == degrees(wanted) == [2]
    assert found.assignment.tolist() == [-1] * 400 + wanted.assignment.tolist()
    np.testing.assert_allclose(found.residuals, wanted.residuals, rtol=1e-9)
    assert found.knot_weights.sum() == pytest.approx(120)


def test_points_of_weight_zero_say_nothing_about_exactness():
    X = np.random.default_rng(0).normal(size=(200, 2))
    assert symknot.fit(X, weights=np.arange(200) < 12).status is symknot.fit(X[:12]).status is Status.NO_GAP


@pytest.mark.parametrize("n", [12, 24, 25, 26, 240])
def test_points_are_surely_spread_only_where_no_half_of_them_is_in_one_place(n):
    rng = np.random.default_rng(n)
    spread, half = np.array([rng.uniform(size=n), rng.uniform(size=n)]), np.array([rng.uniform(size=n), np.zeros(n)])
    for _ in range(20):
        half[0] = rng.uniform(size=n)
        half[0, rng.permutation(n)[: (n + 1) // 2]] = 0.3 + 1e-7 * rng.uniform(-1, 1, size=(n + 1) // 2)
        assert not module._surely_spread(half)
    half[0] = rng.uniform(size=n)
    half[0, ::2] = 0.3                                                 # no two neighbours, but in every triple
    assert not module._surely_spread(half)
    assert module._surely_spread(spread) == (n > 12) and not module._surely_spread(np.full((1, n), 2.0))


def test_the_centre_is_the_mean_where_points_are_surely_spread_and_where_that_takes_medians(monkeypatch):
    X = np.random.default_rng(0).normal(size=(300, 2)) + [1, 2]
    quick = read_points(X)
    monkeypatch.setattr(module, "_surely_spread", lambda columns: False)
    slow = read_points(X)
    assert (quick.values == slow.values).all() and (quick.center == slow.center).all()
