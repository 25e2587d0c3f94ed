"""Data knots as prototypes: few points that stand for many.

Points whose knots coincide share one, so the knots of a class are a short list of
representatives, each with the number of points it stands for.  Nearest-neighbour methods
then keep and search that list instead of the data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from ..reading.frames import is_frame
from .inputs import further_samples, labelled_samples_to_learn
from .per_class import EPSILON, MAX_DEGREE, feature_names, ideals_of, warn_if_empty

if TYPE_CHECKING:
    from typing import Self


class KnotReducer(BaseEstimator):
    """Replaces the points of each class by its data knots, with weights.

    As a sampler, with `fit_resample`, it is a step of imbalanced-learn's pipelines.

    Parameters
    ----------
    epsilon, standardize, delta, max_degree, normalization, knotting, n_jobs
        As in `VanishingIdealClassifier`.  The larger epsilon, the fewer knots; knots become few
        where enough equations hold to leave isolated points.  Where a class has no
        polynomial its points are their own knots, and a `NoPolynomialWarning` says so.

    Attributes
    ----------
    knots_ : (K, d) array
        Class by class.
    knot_labels_ : (K,) array
    knot_weights_, sample_weight_ : (K,) array
        How many training points each knot stands for: the weight of a knot among the ideal's, and of a sample that
        `fit_resample` returned, for estimators that take ``sample_weight``.
    ideals_ : dict
        Class -> `Ideal`.
    classes_ : array
    knotting_ratio_ : float
        Number of knots over number of training points.
    n_features_in_, feature_names_in_
        As in `VanishingIdealClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> from symknot.estimators import KnotReducer
    >>> noise = 0.05 * np.random.default_rng(0).normal(size=(60, 2))
    >>> labels = np.repeat(["a", "b"], 30)
    >>> blobs = np.where(labels == "a", 1.0, 4.0)[:, None] + noise
    >>> reducer = KnotReducer(epsilon=1.5)
    >>> knots, knot_labels = reducer.fit_resample(blobs, labels)
    >>> knots.round(1).tolist(), knot_labels.tolist(), reducer.sample_weight_.tolist()
    ([[1.0, 1.0], [4.0, 4.0]], ['a', 'b'], [30.0, 30.0])
    """

    def __init__(self, epsilon: float | str = EPSILON, *, standardize: bool = True, delta: float | None = None,
                 max_degree: int | None = MAX_DEGREE, normalization: Any = "gradient", knotting: Any = None,
                 n_jobs: int | None = None) -> None:
        self.epsilon = epsilon
        self.standardize = standardize
        self.delta = delta
        self.max_degree = max_degree
        self.normalization = normalization
        self.knotting = knotting
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def fit(self, X: Any, y: Any) -> Self:
        """Find the knots of each class.

        Parameters
        ----------
        X : (n, d) array, list, DataFrame or path of a data file
        y : (n,) array
            Labels of any type.

        Returns
        -------
        self
        """
        X, y = labelled_samples_to_learn(self, X, y)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        options = self.get_params(deep=False)
        ideals = ideals_of(X, codes, feature_names(self), options.pop("n_jobs"), **options)
        self.ideals_ = dict(zip(self.classes_.tolist(), ideals))
        for label, ideal in self.ideals_.items():
            warn_if_empty(ideal, f"class {label!r}")
        self.knots_ = np.vstack([ideal.knots for ideal in ideals])
        self.knot_labels_ = np.repeat(self.classes_, [len(ideal.knots) for ideal in ideals])
        sizes = np.bincount(codes)
        self.knot_weights_ = np.concatenate([size * ideal.knot_weights / ideal.knot_weights.sum()
                                             for size, ideal in zip(sizes, ideals)])
        self.sample_weight_ = self.knot_weights_
        self.knotting_ratio_ = len(self.knots_) / len(X)
        return self

    def reduce(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Knots, their labels and their weights."""
        check_is_fitted(self)
        return self.knots_, self.knot_labels_, self.knot_weights_

    def fit_resample(self, X: Any, y: Any) -> tuple[Any, Any]:
        """`fit`, then the knots and their labels as samples; their weights are in `sample_weight_`.

        Returns
        -------
        X : (K, d) array, or DataFrame if X was one
        y : (K,) array, or Series if y was one
        """
        knots, labels, _ = self.fit(X, y).reduce()
        return _framed_like(X, knots), _series_like(y, labels)


class KnotNeighborsClassifier(ClassifierMixin, KnotReducer):
    """Nearest neighbour among data knots.

    Parameters
    ----------
    epsilon, standardize, delta, max_degree, normalization, knotting, n_jobs
        As in `KnotReducer`.

    Attributes
    ----------
    knots_, knot_labels_, knot_weights_, ideals_, classes_, knotting_ratio_, n_features_in_, feature_names_in_
        As in `KnotReducer`.

    Notes
    -----
    Distances are Euclidean in the units of X: put a scaler before it where they differ.

    Examples
    --------
    >>> from symknot.estimators import KnotNeighborsClassifier
    >>> KnotNeighborsClassifier().fit([[0, 0], [0, 1], [5, 5], [5, 6]], list("aabb")).predict([[1, 1]]).tolist()
    ['a']
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Find the knots of each class; X and y as in `KnotReducer.fit`."""
        super().fit(X, y)
        self._neighbors = KNeighborsClassifier(n_neighbors=1).fit(self.knots_, self.knot_labels_)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The class of the knot nearest to each sample."""
        check_is_fitted(self)
        return self._neighbors.predict(further_samples(self, X))


def _framed_like(X: Any, values: np.ndarray) -> Any:
    """`values` with the columns of X if it is a DataFrame: steps after this one see the names they will see again."""
    if not is_frame(X):
        return values
    return type(X)(values, **{"columns" if hasattr(X, "iloc") else "schema": list(X.columns)})


def _series_like(y: Any, labels: np.ndarray) -> Any:
    """`labels` with the name and dtype of y if it is a Series."""
    return type(y)(labels, name=y.name, dtype=y.dtype) if hasattr(y, "iloc") and np.ndim(y) == 1 else labels
