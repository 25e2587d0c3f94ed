"""Data knots as prototypes: few points that stand for many.

Points whose knots coincide share one, so the knots of a class are a short list of
representatives, each with the number of points it stands for.  Nearest-neighbour methods
then keep and search that list instead of the data.  Where the equations of a class leave curves
or surfaces, knots do not coincide and save nothing; there the class keeps its points, and
centroids of them make a list as short as wanted (`symknot.estimators.reduction`).
"""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from ..ground.checks import positive_number
from ..ground.errors import InvalidOption
from ..reading.frames import is_frame
from .inputs import further_samples, labelled_samples_to_learn
from .per_class import EPSILON, MAX_DEGREE, feature_names, ideals_of, knots_are_quick, warn_if_empty
from .reduction import (
    CENTROIDS,
    EQUATIONS,
    MOST_TO_CHOOSE,
    SAMPLES,
    STEEPNESSES,
    Reduction,
    choose_reduction,
    reduced,
)

if TYPE_CHECKING:
    from typing import Self


AUTO = "auto"


class KnotReducer(BaseEstimator):
    """Replaces the points of each class by a few knots, with weights.

    As a sampler, with `fit_resample`, it is a step of imbalanced-learn's pipelines.

    Parameters
    ----------
    epsilon, standardize, delta, max_degree, normalization, knotting, n_jobs
        Of the equations of each class, as in `VanishingIdealClassifier`.  The larger epsilon, the fewer knots; knots become few
        where enough equations hold to leave isolated points.  Where a class has no
        polynomial its points are their own knots, and a `NoPolynomialWarning` says so.
    size : "auto", "equations", int or float
        How many knots: "auto" takes as few as do not err measurably more than any other number when the nearest knot classifies
        training samples that it was not made from; "equations" those that the equations come to; or so many, or this share of
        the points.  Knots of equations that merge nothing are not taken: points then stay as they are.
    discriminative : bool or "auto"
        Whether knots move so as to tell classes apart (`symknot.estimators.telling_apart`); "auto" does what classifies
        training samples better that the knots were not made from.

    Attributes
    ----------
    knots_ : (K, d) array
        Class by class.
    knot_labels_ : (K,) array
    knot_weights_, sample_weight_ : (K,) array
        How many training points each knot stands for: those of its class that it is the nearest knot of.  As weight of a sample
        that `fit_resample` returned, for estimators that take ``sample_weight``.
    reduction_ : Reduction
        What was chosen: where knots start from, and with which steepness they moved.
    ideals_ : dict
        Class -> `Ideal`, with the equations and knots of the class by itself.
    classes_ : array
    knotting_ratio_ : float
        Number of knots over number of training points.
    n_features_in_, feature_names_in_
        As in `VanishingIdealClassifier`.

    Notes
    -----
    Distances are Euclidean in the units of X: put a scaler before it where they differ.

    Examples
    --------
    >>> import numpy as np
    >>> from symknot.estimators import KnotReducer
    >>> noise = 0.05 * np.random.default_rng(0).normal(size=(60, 2))
    >>> labels = np.repeat(["a", "b"], 30)
    >>> blobs = np.where(labels == "a", 1.0, 4.0)[:, None] + noise
    >>> reducer = KnotReducer()
    >>> knots, knot_labels = reducer.fit_resample(blobs, labels)
    >>> knots.round(1).tolist(), knot_labels.tolist(), reducer.sample_weight_.tolist()
    ([[1.0, 1.0], [4.0, 4.0]], ['a', 'b'], [30.0, 30.0])
    """

    def __init__(self, epsilon: float | str = EPSILON, *, standardize: bool = True, delta: float | None = None,
                 max_degree: int | None = MAX_DEGREE, normalization: Any = "gradient", knotting: Any = None,
                 size: float | str = AUTO, discriminative: bool | str = AUTO, n_jobs: int | None = None) -> None:
        self.epsilon = epsilon
        self.standardize = standardize
        self.delta = delta
        self.max_degree = max_degree
        self.normalization = normalization
        self.knotting = knotting
        self.size = size
        self.discriminative = discriminative
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
        ideals = self._ideals(X, codes)
        self.ideals_ = dict(zip(self.classes_.tolist(), ideals))
        for label, ideal in self.ideals_.items():
            warn_if_empty(ideal, f"class {label!r}")
        whole = _knots_of(ideals, X, codes)
        self.reduction_ = self._choice(X, codes, len(whole[0]) < len(X))
        self.knots_, labels, self.knot_weights_ = reduced(self.reduction_, X, codes, lambda *_: whole)
        self.knot_labels_ = self.classes_[labels]
        self.sample_weight_ = self.knot_weights_
        self.knotting_ratio_ = len(self.knots_) / len(X)
        return self

    def _ideals(self, X: np.ndarray, codes: np.ndarray) -> list[Any]:
        options = {name: getattr(self, name) for name in ("epsilon", "standardize", "max_degree", "normalization")}
        knots = isinstance(self.epsilon, str) or self.size == EQUATIONS or knots_are_quick(X, codes, self.max_degree)
        if knots:
            options |= {"delta": self.delta, "knotting": self.knotting}
        return ideals_of(X, codes, feature_names(self), self.n_jobs, knots=knots, **options)

    def _choice(self, X: np.ndarray, codes: np.ndarray, merges: bool) -> Reduction:
        """What the options say, or the folds of the training data."""
        if self.discriminative not in (True, False, AUTO):
            raise InvalidOption("discriminative", self.discriminative, "True, False or 'auto'")
        steepnesses = {True: STEEPNESSES, False: (0.0,), AUTO: (0.0, *STEEPNESSES)}[self.discriminative]
        of_equations = Reduction(EQUATIONS) if merges else Reduction(SAMPLES)
        share = 1.0
        if isinstance(self.size, str):
            if self.size not in (AUTO, EQUATIONS):
                raise InvalidOption("size", self.size, "'auto', 'equations', a whole number or a share in (0, 1]")
            starts = [of_equations] + ([Reduction(SAMPLES)] if merges and self.size == AUTO else [])
        else:
            share = positive_number("size", self.size) / (len(X) if isinstance(self.size, numbers.Integral) else 1.0)
            starts = [Reduction(CENTROIDS, share) if share < 1 else Reduction(SAMPLES)]
        some = _some(codes)
        found = choose_reduction(X[some], codes[some], starts, self.size == AUTO, steepnesses, self._of_equations)
        return found._replace(share=found.share * len(some) / len(X)) if self.size == AUTO else found

    def _of_equations(self, X: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return _knots_of(self._ideals(X, codes), X, codes)

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
    epsilon, standardize, delta, max_degree, normalization, knotting, size, discriminative, n_jobs
        As in `KnotReducer`.

    Attributes
    ----------
    knots_, knot_labels_, knot_weights_, reduction_, ideals_, classes_, knotting_ratio_, n_features_in_, feature_names_in_
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


def _knots_of(ideals: list[Any], X: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Knots class by class, and their classes; a class whose knots merge nothing keeps its points."""
    parts = [ideal.knots if len(ideal.knots) < np.sum(codes == c) else X[codes == c] for c, ideal in enumerate(ideals)]
    return np.vstack(parts), np.repeat(np.arange(len(parts)), list(map(len, parts)))


def _some(codes: np.ndarray) -> np.ndarray:
    """At most `MOST_TO_CHOOSE` samples, of each class as many as its share."""
    if len(codes) <= MOST_TO_CHOOSE:
        return np.arange(len(codes))
    sizes = np.bincount(codes)
    wanted = np.maximum(np.minimum(sizes, 2), sizes * MOST_TO_CHOOSE // len(codes))
    rng = np.random.default_rng(0)
    drawn = [rng.choice(np.flatnonzero(codes == c), count, replace=False) for c, count in enumerate(wanted)]
    return np.sort(np.concatenate(drawn))


def _framed_like(X: Any, values: np.ndarray) -> Any:
    """`values` with the columns of X if it is a DataFrame: steps after this one see the names they will see again."""
    if not is_frame(X):
        return values
    return type(X)(values, **{"columns" if hasattr(X, "iloc") else "schema": list(X.columns)})


def _series_like(y: Any, labels: np.ndarray) -> Any:
    """`labels` with the name and dtype of y if it is a Series."""
    return type(y)(labels, name=y.name, dtype=y.dtype) if hasattr(y, "iloc") and np.ndim(y) == 1 else labels
