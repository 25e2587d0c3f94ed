"""What data may be: each kind at each door, the right answer or an error in this package's words, and no warning of numpy's."""

import datetime

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import symknot
from symknot import InvalidOption, InvalidPoints, SymknotError

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
        assert "points" in str(error)
