"""Samples for estimators: scikit-learn's own checks, behind the door that all data come through.

Arrays, lists and DataFrames go to scikit-learn as they are.  The path of a data file is read first, so that what is
wrong with it is said with its line; its header counts as the names of the features.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array, validate_data

from ..ground.errors import InvalidOption, InvalidPoints
from ..reading.choosing import variables_of
from ..reading.frames import is_frame
from ..reading.points import check_finite
from ..reading.sources import has_columns, read_table, read_variables
from ..reading.tables import DATES, Table

ROWS_OF_FLOATS = {"dtype": np.float64, "order": "C"}
"""How all samples are laid out; sums over them would else be rounded otherwise for a DataFrame than for an array."""


def samples_to_learn(estimator: BaseEstimator, X: Any, least: int = 1) -> np.ndarray:
    """X as an array of floats; the estimator learns `n_features_in_` and, if there are names, `feature_names_in_`.

    Parameters
    ----------
    estimator : BaseEstimator
    X : array, list, DataFrame or path of a data file
    least : int
        Number of samples needed.
    """
    table, X = _opened(X)
    checked = _validated(estimator, X, ensure_min_samples=least)
    _learn_names(estimator, table)
    return checked


def labelled_samples_to_learn(estimator: BaseEstimator, X: Any, y: Any, numeric: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """The same, with one label, or one number, for each sample."""
    table, X = _opened(X)
    X, y = _validated(estimator, X, y, y_numeric=numeric)
    _learn_names(estimator, table)
    return X, _numbers(y) if numeric else y


def _validated(estimator, *samples, **options):
    """What scikit-learn makes of them; integers that no float can hold end in its words in an OverflowError of Python's."""
    try:
        return validate_data(estimator, *samples, **ROWS_OF_FLOATS, **options)
    except OverflowError:
        raise InvalidPoints("must be numbers within the range of floats, got integers beyond it") from None


def _numbers(y):
    """What is to be predicted, as floats."""
    try:
        return np.asarray(y, dtype=np.float64)
    except ValueError:
        raise InvalidOption("y", y[0].item(), "a number for each sample") from None


def further_samples(estimator: BaseEstimator, X: Any) -> np.ndarray:
    """X as an array of floats, with the features that the estimator has learned."""
    learned = getattr(estimator, "feature_names_in_", None)
    table, X = _opened(X, () if learned is None else tuple(learned), estimator.n_features_in_)
    names = None if table is None else table.names
    if names is None or learned is None:
        return _validated(estimator, X, reset=False)
    if tuple(learned) != names:
        raise InvalidPoints(f"columns must be those seen by fit, {', '.join(learned)}; got {', '.join(names)}")
    return check_array(X, **ROWS_OF_FLOATS)


def _opened(X: Any, learned: tuple[str, ...] = (), count: int | None = None) -> tuple[Table | None, Any]:
    """The table in a file and its numbers; None and X itself for what scikit-learn can take.

    What was learned before says which columns it has: those of the names learned, in the file's order, or `count` of them.
    """
    if issparse(X):
        raise TypeError(f"need dense samples, got a sparse matrix of shape {X.shape}: polynomials of sparse columns are not "
                        "sparse; use X.toarray(), or fewer columns (sklearn.decomposition.TruncatedSVD)")
    if is_frame(X) or not has_columns(X):
        return None, _not_dropped(X)
    if count is None:
        table = read_variables(X)
    else:
        table = read_table(X)
        if table.names is not None and learned and set(learned) <= set(table.names):
            table = table.select([j for j, name in enumerate(table.names) if name in learned])
        elif table.width != count:
            table = variables_of(table)
    numbers = table.numbers()
    check_finite(table, numbers, table.columns)
    return table, numbers


def _not_dropped(X):
    """An array, if scikit-learn takes all that it says: it would use what is masked, and drop the unit of dates."""
    if np.ma.is_masked(X):
        raise InvalidPoints(f"must be measured, got {np.ma.count_masked(X)} masked values; leave their samples out, or fill "
                            "them in (sklearn.impute)")
    if isinstance(X, np.ndarray) and X.dtype.kind in DATES:
        raise InvalidPoints("must be numbers, got dates or durations; convert them to seconds since the start")
    return X


def _learn_names(estimator: BaseEstimator, table: Table | None) -> None:
    if table is not None and table.names is not None:
        estimator.feature_names_in_ = np.array(table.names, dtype=object)
