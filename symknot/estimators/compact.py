r"""A linear support vector machine on few features: the others are left out one by one, the least missed first.

For labels :math:`s_i = \pm 1` and features :math:`f_i` the loss

.. math:: L(w, b) = \tfrac12 |w|^2 + C \sum_i \max(0, 1 - s_i (w \cdot f_i + b))^2 \tag{1}

is convex and piecewise quadratic.  Newton's method solves least squares over the samples inside the margin, and ends when they
stay the same.  With H the matrix of second derivatives there, setting :math:`w_j` to zero and letting the other weights follow,

.. math:: (w, b) \leftarrow (w, b) - \frac{w_j}{(H^{-1})_{jj}} H^{-1} e_j, \qquad \text{costs} \quad
          \frac{w_j^2}{2 (H^{-1})_{jj}}, \tag{2}

and the feature of least cost is left out; from (2) a Newton step or two lead to the new minimum.  A feature that others can
stand in for costs little however large its weight is, which neither a ranking one by one nor a penalty on absolute values sees.
Of several classes each is held against the rest, and the costs of a feature are added up: it is there for all of them or for
none.

S. Keerthi, D. DeCoste, *A modified finite Newton method for fast solution of large scale linear SVMs*, JMLR 6 (2005).
B. Hassibi, D. Stork, *Second order derivatives for network pruning: optimal brain surgeon*, NIPS 5 (1992).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ..ground.checks import positive_number, whole_number
from ..ground.linalg import inverse_scaled
from ..ground.ranges import within_range

if TYPE_CHECKING:
    from typing import Self

NEWTON_STEPS = 50
"""At most; some five from nothing, one or two after a feature was left out."""
SETTLED = 1e-6
"""Share of the loss that a step must gain: below it the predicted labels do not change.  A convention."""
SHORTEST_STEP = 1e-4
"""Share of a Newton step below which the line search gives up: rounding decides there."""


@dataclass(frozen=True, eq=False)
class LinearRule:
    """Weights of few features: those of the other columns are zero.

    Attributes
    ----------
    columns : (k,) int array
        Features in use, ascending.
    coef : (problems, k) array
    intercept : (problems,) array
        One problem for two classes, else one for each class.
    """

    columns: np.ndarray
    coef: np.ndarray
    intercept: np.ndarray

    def decisions(self, F: np.ndarray) -> np.ndarray:
        """Decision values: (n,) for one problem, else (n, classes)."""
        values = F[:, self.columns] @ self.coef.T + self.intercept
        return values[:, 0] if len(self.coef) == 1 else values

    def codes(self, F: np.ndarray) -> np.ndarray:
        """The class of each sample, as 0, 1, ..."""
        values = self.decisions(F)
        return (values > 0).astype(int) if values.ndim == 1 else np.argmax(values, axis=1)


def elimination(F: np.ndarray, codes: np.ndarray, C: float) -> Iterator[LinearRule]:
    """The rule on all features, then on one less each time, down to one.

    Parameters
    ----------
    F : (n, p) array
        Features of about the same size.
    codes : (n,) int array
        Classes 0, 1, ..., at least two.
    C : float
        Weight of the samples in (1).

    Examples
    --------
    >>> F = np.array([[-2.0, 0, 1], [-1, 0, -1], [1, 0, 1], [2, 0, -1]])
    >>> [rule.columns.tolist() for rule in elimination(F, np.array([0, 0, 1, 1]), 1.0)]
    [[0, 1, 2], [0, 2], [0]]
    """
    classes = codes.max() + 1
    signs = np.where(codes == np.arange(classes)[1 if classes == 2 else 0:, None], 1.0, -1.0)
    columns, found = np.arange(F.shape[1]), [_minimum(F, s, C, np.zeros(F.shape[1] + 1)) for s in signs]
    while True:
        yield LinearRule(columns, np.array([w[:-1] for w, _ in found]), np.array([w[-1] for w, _ in found]))
        if len(columns) == 1:
            return
        inverses = [_inverse(H) for _, H in found]
        costs = sum(w[:-1] ** 2 / np.diag(inverse)[:-1] for (w, _), inverse in zip(found, inverses))
        out = int(np.argmin(costs))
        starts = [np.delete(w - inverse[:, out] * (w[out] / inverse[out, out]), out)
                  for (w, _), inverse in zip(found, inverses)]
        columns = np.delete(columns, out)
        rest = F[:, columns]
        found = [_minimum(rest, s, C, start) for s, start in zip(signs, starts)]


def _inverse(H):
    try:
        return np.linalg.inv(H)
    except np.linalg.LinAlgError:           # to rounding, a feature far from zero and the constant are one
        return inverse_scaled(H)


def _solution(H, pull):
    try:
        return np.linalg.solve(H, pull)
    except np.linalg.LinAlgError:
        return inverse_scaled(H) @ pull


def _minimum(F, signs, C, w):
    """The minimum of (1) from w, the constant last, and the second derivatives there."""
    def lost(w):
        slack = np.maximum(0.0, 1.0 - signs * (F @ w[:-1] + w[-1]))
        return 0.5 * w[:-1] @ w[:-1] + C * slack @ slack, slack
    value, slack = lost(w)
    for _ in range(NEWTON_STEPS):
        inside = np.flatnonzero(slack)
        H = np.eye(len(w))
        H[-1, -1] = np.finfo(float).eps * (1.0 + C * len(F))    # the constant has no penalty; without samples no curvature
        pull = -np.append(w[:-1], 0.0)
        if len(inside):
            A = np.column_stack([F[inside], np.ones(len(inside))])
            H += 2 * C * (A.T @ A)
            pull += 2 * C * (A.T @ (signs * slack)[inside])
        step, length = _solution(H, pull), 1.0
        new, new_slack = lost(w + step)
        while new > value and length > SHORTEST_STEP:
            length /= 2
            new, new_slack = lost(w + length * step)
        if new > value:
            return w, H
        w, gained, value, slack = w + length * step, value - new, new, new_slack
        if gained <= SETTLED * value:
            return w, H
    return w, H


class CompactSVC(ClassifierMixin, BaseEstimator):
    """A linear SVM that leaves features out, the least missed first.

    Parameters
    ----------
    C : float
        Weight of the samples' squared hinge losses against the size of the weights.
    most : int, optional
        Features in use at most; by default all.

    Attributes
    ----------
    classes_ : array
    support_ : int array
        Features in use.
    coef_ : (1 or classes, features) array
        Zero for features that are left out.
    intercept_ : array
    n_features_in_ : int

    Notes
    -----
    Features should be of about the same size: put a ``StandardScaler`` before it.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> flowers = load_iris()
    >>> model = CompactSVC(most=2).fit(flowers.data, flowers.target)
    >>> [flowers.feature_names[j] for j in model.support_], round(model.score(flowers.data, flowers.target), 2)
    (['sepal width (cm)', 'petal length (cm)'], 0.95)
    """

    def __init__(self, C: float = 1.0, *, most: int | None = None) -> None:
        self.C = C
        self.most = most

    def fit(self, X: Any, y: Any) -> Self:
        """Find the weights of at most `most` features."""
        C, most = positive_number("C", self.C), None if self.most is None else whole_number("most", self.most, 1)
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"need samples of at least 2 classes, got 1 class: {self.classes_.tolist()[0]!r}")
        with within_range():
            self._rule = next(rule for rule in elimination(X, codes, C) if most is None or len(rule.columns) <= most)
        self.support_, self.intercept_ = self._rule.columns, self._rule.intercept
        self.coef_ = np.zeros((len(self.intercept_), X.shape[1]))
        self.coef_[:, self.support_] = self._rule.coef
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Decision values: (n,) for two classes, else (n, classes)."""
        check_is_fitted(self)
        return self._rule.decisions(validate_data(self, X, dtype=np.float64, reset=False))

    def predict(self, X: Any) -> np.ndarray:
        """The class of each sample."""
        check_is_fitted(self)
        return self.classes_[self._rule.codes(validate_data(self, X, dtype=np.float64, reset=False))]
