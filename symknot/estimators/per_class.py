r"""The ideal of one class, and what epsilon means for it.

Measured variables have different units, and a class has no noise level that could be
asked for: its points differ because its members do.  So by default every variable is
measured in the standard deviation that it has *in this class* (``standardize=True``), and
epsilon is a fraction of the class's own spread.  Two values mark the range in which a
useful epsilon lies, for polynomials whose gradient has root-mean-square 1:

1
    The squared residuals of linear equations are eigenvalues of the correlation matrix.
    Their mean is 1, so from 1 on some linear equation holds for any class, correlated or not.
:math:`1/\sqrt 2 \approx 0.71`
    A Gaussian cloud without correlations has the quadrics :math:`x_i^2 - 1` and
    :math:`x_i x_j`, with residuals :math:`1/\sqrt 2`.  So from there on each class has some
    equation of degree 2, if only that its points are neither at the mean nor far from it.

`EPSILON` lies between the two: a class has linear equations only where its variables are
correlated, and hardly ever no equation at all.  Nothing is taken from other classes, and
nothing from data that are not passed to ``fit``.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.parallel import Parallel, delayed

from ..polynomials.monomials import count
from ..results.fit import fit_within, vca
from ..results.ideal import Ideal

EPSILON = 0.9
"""Tolerance in standard deviations within the class: between the two marks above, nearer to where linear equations
come for free, so that few classes stay without an equation."""
MAX_DEGREE = 2
"""Highest degree of a class's equations: a convention, the lowest at which the second mark above is reached; the
features grow with the square of the number of variables, beyond that with higher powers."""
MOST_OUTNUMBERING, FEW_POLYNOMIALS = 2.0, 500
"""Polynomials for each point of a class beyond which, if there are so many, the degree is lowered: a convention.  All but as
many as there are points then vanish whatever the points are, and say nothing of the class."""
MOST_KNOTTED = 3e6
"""Samples times variables times polynomials up to the highest degree beyond which nothing is knotted unless asked for: a
convention.  Vehicle (2.9e6) takes seconds with knots; on HTRU2 (3.9e6) they take 20 times as long as all else, on digits
(4.5e6) and spam (2.7e8) minutes, and merge nothing."""
ROUNDING = 64 * np.finfo(float).eps
"""Share of its size below which the variation of a variable is rounding.  Derived: a few units in the last place for
each number, a few more for their mean and sum of squares."""
LARGEST = 1e100
"""Largest value of a feature.  Far from the data polynomials overflow, and final estimators want numbers; a
convention that leaves them room to square it."""


class NoPolynomialWarning(UserWarning):
    """No polynomial vanishes within epsilon; the message names the class and says what to change."""


def spreads(X: np.ndarray) -> np.ndarray:
    """Standard deviation of each column; a constant column takes the median of the others'.

    Examples
    --------
    >>> spreads(np.array([[1.0, 0.0, 7.0], [3.0, 4.0, 7.0]])).round(3).tolist()
    [1.414, 2.828, 2.121]
    """
    if len(X) == 1:
        return np.ones(X.shape[1])
    size = np.abs(X).max(axis=0)
    size[size == 0] = 1.0
    relative = (X / size).std(axis=0, ddof=1)        # squares of large numbers overflow; of 1 they do not
    varies = relative > ROUNDING
    typical = np.median((relative * size)[varies]) if varies.any() else 1.0
    return np.where(varies, relative * size, typical)


def feature_names(estimator: BaseEstimator) -> list[str] | None:
    """Names for the equations' variables: the columns' names where `fit` saw any that differ."""
    names = getattr(estimator, "feature_names_in_", None)
    return None if names is None or len(set(names)) < len(names) else list(names)


def carried_degree(n: int, d: int, max_degree: int | None) -> int | None:
    """The highest degree that n points in d variables carry, at most `max_degree`.

    Examples
    --------
    >>> carried_degree(50, 4, 2), carried_degree(107, 64, 2), carried_degree(107, 64, None)
    (2, 1, None)
    """
    while max_degree is not None and max_degree > 1 and count(d, max_degree) > max(MOST_OUTNUMBERING * n, FEW_POLYNOMIALS):
        max_degree -= 1
    return max_degree


def knots_are_quick(X: np.ndarray, codes: np.ndarray, max_degree: int | None) -> bool:
    """Whether samples, variables and polynomials are few enough to be knotted without being asked."""
    degree = carried_degree(int(np.bincount(codes).max()), X.shape[1], max_degree)
    return degree is None or X.size * count(X.shape[1], degree) <= MOST_KNOTTED


def ideal_of(X: np.ndarray, names: list[str] | None, size: int | None = None, *, standardize: bool, knots: bool = True,
             **options: Any) -> Ideal:
    """The ideal of the rows of X; of a single row, the ideal of that point.  Rows may be a part of a class of some `size`."""
    options["max_degree"] = carried_degree(size or len(X), X.shape[1], options.get("max_degree"))
    noise = spreads(X) if standardize else None
    points = np.vstack([X, X]) if len(X) == 1 else X
    find = fit_within if knots else vca
    return find(points, noise=noise, names=names, progress=False, **options)


def ideals_of(X: np.ndarray, codes: np.ndarray, names: list[str] | None, n_jobs: int | None,
              sizes: np.ndarray | None = None, **options: Any) -> list[Ideal]:
    """The ideals of the classes 0, 1, ... of `codes`, fitted side by side; these may be parts of classes of such sizes."""
    whole = (np.bincount(codes) if sizes is None else sizes).tolist()
    return Parallel(n_jobs=n_jobs)(delayed(ideal_of)(X[codes == c], names, size, **options) for c, size in enumerate(whole))


def warn_if_empty(ideal: Ideal, owner: str) -> None:
    """Say that `owner` has no polynomial, and why."""
    if not ideal.polynomials:
        warnings.warn(f"{owner}: no vanishing polynomial found; {ideal.message}", NoPolynomialWarning, stacklevel=3)


def absolute(values: np.ndarray) -> np.ndarray:
    """The features ``|g(x)|``, finite also where a polynomial overflows."""
    return np.nan_to_num(np.abs(values), nan=LARGEST, posinf=LARGEST).clip(max=LARGEST)
