"""What data may be: each kind at each door, the right answer or an error in this package's words, and no warning of numpy's."""

import datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import symknot
from symknot import InvalidOption, InvalidPoints, SymknotError
from symknot.ground.errors import OutOfRange, TooLarge
from symknot.ground.ranges import within_range

RNG = np.random.default_rng(0)
ANGLE = np.linspace(0, 6.2, 60)
CIRCLE = np.c_[np.cos(ANGLE), np.sin(ANGLE)] + 0.02 * RNG.normal(size=(60, 2))
FRAME = pd.DataFrame(CIRCLE, columns=["x", "y"])
FIXED = CIRCLE.copy()
FIXED.setflags(write=False)
THE_SAME = {
    "nested lists": CIRCLE.tolist(), "object": CIRCLE.astype(object), "read-only": FIXED, "Fortran": np.asfortranarray(CIRCLE),
    "backwards": CIRCLE[::-1][::-1], "long double": CIRCLE.astype(np.longdouble), "unmasked": np.ma.masked_array(CIRCLE),
    "matrix": np.asmatrix(CIRCLE), "frame": FRAME, "nullable": FRAME.convert_dtypes(),
    "records": np.array(list(map(tuple, CIRCLE)), dtype=[("x", float), ("y", float)]),
    "rows of two levels": FRAME.set_index(pd.MultiIndex.from_tuples([(i // 6, i % 6) for i in range(60)])),
}
"""Kinds that hold the circle."""
REFUSED = {
    "complex": (CIRCLE.astype(complex), "must be real"),
    "empty": (np.empty((0, 2)), "need at least 2 points|no run has 2 consecutive samples"),
    "no columns": (np.empty((5, 0)), r"need an array of shape \(points, variables\), got shape \(5, 0\)"),
    "three axes": (CIRCLE.reshape(10, 6, 2), r"need an array of shape .* got shape \(10, 6, 2\)"),
    "infinite": (np.where(CIRCLE > 1, np.inf, CIRCLE), "row 0, column 'x': must be finite, got inf"),
    "sparse": (scipy.sparse.csr_matrix(CIRCLE), r"must be a dense array, got a csr_matrix; pass its toarray\(\)"),
    "categories": (FRAME.assign(c=pd.Categorical(["a", "b"] * 30)), "row 0, column 'c': must be a number, got 'a'"),
    "durations": (np.arange(20).reshape(10, 2) * np.timedelta64(1, "s"), "row 0, column 'x': .* convert them to seconds"),
    "instants": ([[datetime.datetime(2020, 1, k), k] for k in range(1, 9)], "row 0, column 'x': must be a number"),
    "words": ([["a", "b"]] * 5, "row 0, column 'x': must be a number, got 'a'"),
    "huge integers": ([[10**400, 1]] * 5, "row 0, column 'x': must be a number, got 1000"),
    "ragged": ([[1, 2], [3]], "need rows of equal length"),
    "nothing": (None, r"need an array of shape \(points, variables\), got NoneType"),
    "a number": (3, r"need an array of shape \(points, variables\), got int"),
    "a set": ({1, 2}, r"need an array of shape \(points, variables\), got set"),
    "bytes": (np.full((5, 2), np.void(b"abc")), r"must be numbers, got an array of \|V3"),
    "fields of two": (np.zeros(5, dtype=[("a", float, 2), ("b", float)]), "column 'a': must be one number in each row, got 2"),
    "beyond floats": (CIRCLE.astype(np.longdouble) * np.longdouble("1e400"), "row 0, column 'x': must be finite, got inf"),
    "one name twice": (pd.DataFrame(CIRCLE, columns=["x", "x"]), "must .*differ"),
}
DOORS = {"fit": symknot.fit, "vca": lambda X, **options: symknot.vca(X, 0.05, **options), "identify": symknot.identify,
         "conserved": symknot.conserved}
ODD = {
    "equal": np.full((30, 2), 0.1), "collinear": np.outer(np.linspace(0, 1, 30), [1 / 3, 0.7]) + 0.1,
    "rank-deficient": np.c_[CIRCLE, CIRCLE @ [0.3, 0.4]], "a column twice": np.c_[CIRCLE, CIRCLE[:, 0]],
    "two points": CIRCLE[:2], "fewer points than variables": CIRCLE[:6].reshape(2, 6),
    "integers": np.array([[a, b] for a in range(5) for b in range(5)]),
    "1e9 and 1e-9": CIRCLE * [1e9, 1e-9], "denormal": CIRCLE * 1e-310, "1e-200": CIRCLE * 1e-200, "1e150": CIRCLE * 1e150,
    "1e300": CIRCLE * 1e300, "a constant": np.c_[CIRCLE, np.ones(60)], "heavy tails": RNG.standard_cauchy(size=(60, 2)),
    "yes and no": CIRCLE > 0, "half precision": CIRCLE.astype(np.float16), "missing": np.where(CIRCLE > 0.9, np.nan, CIRCLE),
    "masked": np.ma.masked_array(CIRCLE, mask=CIRCLE > 0.9), "100 columns": RNG.normal(size=(105, 100)),
    "1e300 and 1e-300": CIRCLE * [1e300, 1e-300], "the largest": CIRCLE[:, :1] * [1.7e308, -1.7e308],
    "smallest": np.c_[CIRCLE[:, 0], 5e-324 * np.arange(60)], "1e20": CIRCLE * [1e20, 1], "1e16 away": CIRCLE + 1e16,
    "one point at 1e300": np.r_[CIRCLE, [[1e300, 1e300]]],
    "a constant of 1e300": np.c_[CIRCLE, np.full(60, 1e300)], "a constant of 1e-300": np.c_[CIRCLE, np.full(60, 1e-300)],
    "Fractions": [[Fraction(a) for a in row] for row in CIRCLE], "Decimals": [[Decimal(a) for a in row] for row in CIRCLE],
    "missing in a frame": FRAME.convert_dtypes().mask(FRAME > 0.9), "above 2^63": np.array([[2**63, 1], [2**64 - 1, 2]] * 10),
}


@pytest.mark.parametrize("kind", THE_SAME)
def test_the_circle_is_the_circle_in_any_kind(kind):
    assert str(symknot.fit(THE_SAME[kind], 0.05).readable()).startswith("x**2 + y**2 = 1 ")
    assert str(symknot.identify(THE_SAME[kind])).startswith("x' = -0.104*y\ny' = 0.106*x\n")


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_refused_is_refused_in_the_same_words(kind, door):
    data, words = REFUSED[kind]
    with pytest.raises((InvalidPoints, InvalidOption), match=words):
        DOORS[door](data)


@pytest.mark.parametrize("data, least", [
    (CIRCLE * [1, 1e-41], "y"), (CIRCLE * [1e-41, 1], "x"), (np.r_[CIRCLE, [[1e41, 0]]], "[xy]"),
    (np.c_[CIRCLE * [1, 1e-10], np.full(60, 1e31)], "y")])
def test_columns_too_unlike_for_any_unit_are_refused(data, least):
    with pytest.raises(InvalidPoints, match=f"column '{least}': usually changes by .*e-4. of the largest number in the table"):
        symknot.fit(data)


@pytest.mark.parametrize("value", [1e3, 1e15, 1e17, 1e31, -1e17])
def test_a_large_constant_takes_nothing_from_the_others(value):
    """The rounding of its mean was larger than they were, and they were zero."""
    with_constant = np.c_[CIRCLE, np.full(60, value)]
    lines = str(symknot.fit(with_constant)).splitlines()
    assert lines[0].startswith("z = ") and lines[1].startswith("x**2 + y**2 = 1 ")
    assert str(symknot.fit(with_constant + [0, 0, 0.1])).splitlines()[1].startswith("x**2 + y**2 = 1 ")


def test_columns_of_very_different_units_are_the_same_circle():
    """Seen in no metric: divisions by zero in the search."""
    assert str(symknot.fit(CIRCLE * [1, 1e-20])).startswith("x**2 + 1.0e+40*y**2 = 1 ")


@pytest.mark.parametrize("seed", [6, 10])
def test_equations_led_by_a_term_of_lower_degree_are_printed(seed):
    """Their multiples were looked for in degrees that were not there: KeyError."""
    assert " = " in str(symknot.fit(np.random.default_rng(seed).standard_cauchy((50, 3)), 0.05))


def test_coefficients_beyond_floats_are_an_error_in_words():
    cloud = np.random.default_rng(5).normal(size=(40, 3)) * [1, 1, 1e20]
    with pytest.raises(OutOfRange, match="numbers beyond the range of floating point"):
        symknot.vca(cloud, 0.05).exact()
    with pytest.raises(TooLarge, match="in words"), within_range():
        raise TooLarge("in words")


@pytest.mark.slow
def test_equations_in_two_hundred_columns_are_printed():
    """That took minutes: each of 200 terms was left out in turn, for each of 200 terms."""
    assert str(symknot.vca(RNG.normal(size=(210, 200)), 0.05))


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("kind", ODD)
def test_odd_data_give_a_result_that_can_be_shown_and_checked_or_an_error_in_words(kind, door):
    """Warnings are errors in this suite."""
    try:
        result = DOORS[door](ODD[kind], timeout=2.0)
        assert str(result) and result.status.name != "NOT_CONFIRMED"
    except SymknotError as error:
        assert "points" in str(error) or isinstance(error, OutOfRange)


@pytest.mark.parametrize("value", [
    pytest.param(10**400, id="huge"), Fraction(-1, 20), Fraction(0), Decimal("0.05"), 1j, np.array([0.05, 0.1]), np.inf])
@pytest.mark.parametrize("option", ["epsilon", "delta", "timeout"])
def test_what_is_no_positive_number_is_refused(option, value):
    with pytest.raises(InvalidOption, match=f"{option} must be a positive number"):
        symknot.fit(CIRCLE, **{"epsilon": 0.05, option: value})


def test_a_fraction_is_a_number():
    assert symknot.fit(CIRCLE, Fraction(1, 20)).epsilon == 0.05


@pytest.mark.parametrize("option", ["form", "loss", "knots", "names"])
@pytest.mark.parametrize("value", [np.ones(3), np.array(0.05)], ids=["array", "number"])
def test_an_array_is_no_word(option, value):
    with pytest.raises(InvalidOption, match=f"{option} must be"):
        symknot.fit(CIRCLE, 0.05, **{option: value})


def test_any_epsilon_that_is_a_number_can_be_given():
    """Its square was an OverflowError."""
    assert symknot.fit(CIRCLE, 1e300).status
