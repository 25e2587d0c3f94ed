r"""One run of the paper's experiment: split, choose within the training part, measure once on the test part.

The classes' ideals, and the features :math:`|g(x)|` made of them, depend on a `IdealSettings` only, not on the SVM.  So each
model is fitted once per fold, and every C and every share of the features is scored on that fit.

Every training sample is predicted once, by the fold that did not see it.  The rows of the paper take the candidate
with the most hits.  The rows "ours" take a smaller one if that costs nothing the training data can show: against the
candidate with the most hits another one loses b samples and wins c; if both were equally good, b - c would have the
standard deviation :math:`\sqrt{b + c}` (McNemar); among the candidates with :math:`b - c \le \sqrt{b + c}` the one
with the fewest features (for nearest neighbours: the fewest knots) is taken.  No test label is looked at.

Variables are standardized with the training part's mean and deviation.  Epsilon is then a share of the spread of
all data: a root-mean-square, which with the paper's scaling, a sum over the points, is multiplied by the root of the
mean number of points in a class.

Nearest neighbours are sought among standardized variables or, if cross-validation of the row "ours" prefers it, after
whitening with the covariance within classes, in which classes are as wide in one direction as in any other.
The rivals of the knots, centroids and all points, are compared with the same distance.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.cluster import KMeans
from sklearn.covariance import ledoit_wolf
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ..estimators import NoPolynomialWarning, VanishingIdealClassifier
from ..estimators.classifier import linear_svm
from ..estimators.selection import best, most_discriminating, smallest_as_good, wanted_count
from ..fitting.penalty import Penalty

TEST_SHARE = 0.4
"""Share of the samples kept for the test: the paper's."""
FOLDS = 3
"""Of the cross-validation: the paper's."""
MAX_DEGREE = 2
"""Highest degree of an equation.  A convention: the paper's rows "proposed" have mean degrees of 1.5 to 1.7."""
PENALTY = 0.01
"""Weight lambda of the paper's Eq. 7.  A convention, as the paper does not say its values: with a large one knots stay
where the points are."""
COMPACT = ("ours", "knots_ours")
"""Rows that trade hits for size."""
REPEATS = 5
"""Predictions of the test part of which the median time is taken: a convention."""
KMEANS_STARTS = 10
"""Random starts of k-means, of which the best counts: scikit-learn's own number before it became 1 for k-means++."""


@dataclass(frozen=True)
class Convention:
    """One way to find ideals, as the experiment compares them.

    Attributes
    ----------
    options : mapping
        Of `VanishingIdealClassifier`.
    tolerance : function
        Its epsilon, from a root-mean-square tolerance and the mean number of points in a class.
    """

    options: Mapping[str, Any]
    tolerance: Callable[[float, float], float]


def _mean(epsilon: float, points: float) -> float:
    return epsilon


def _norm(epsilon: float, points: float) -> float:
    """The paper bounds the norm over all points, a sum and not a mean."""
    return float(epsilon * np.sqrt(points))


CONVENTIONS = MappingProxyType({
    "paper": Convention({"normalization": "vca", "knotting": Penalty(PENALTY), "knots": True}, _norm),
    "gradient": Convention({"knots": True}, _mean),
    "plain": Convention({"normalization": "vca", "knots": False}, _norm),
})
"""The paper's scaling and penalty; this package's defaults; vanishing component analysis with the paper's scaling and
without knots."""


@dataclass(frozen=True)
class IdealSettings:
    """How the ideals of the classes are found.

    Attributes
    ----------
    convention : str
        One of `CONVENTIONS`.
    epsilon : float
        Root-mean-square tolerance.
    """

    convention: str
    epsilon: float

    def classifier(self, y: np.ndarray, final_estimator: Any, keep: float | None = None) -> VanishingIdealClassifier:
        """The unfitted classifier of this model for labels `y`."""
        convention = CONVENTIONS[self.convention]
        epsilon = convention.tolerance(self.epsilon, len(y) / len(np.unique(y)))
        return VanishingIdealClassifier(epsilon, standardize=False, max_degree=MAX_DEGREE, keep=keep,
                                        final_estimator=final_estimator, **convention.options)


@dataclass(frozen=True)
class Candidate:
    """What a row may choose: a model and, for the SVM, C and the share of features in use."""

    model: IdealSettings
    C: float
    keep: float | None

    def predicted(self, fold: Fold) -> tuple[np.ndarray, int]:
        """Labels of a fold's held-out samples, and the number of features that they needed."""
        columns = fold.columns(self.keep)
        svm = linear_svm(self.C).fit(fold.F[:, columns], fold.a)
        return svm.predict(fold.F_held_out[:, columns]), len(columns)

    def measured(self, train: Part, test: Part, seed: int) -> dict[str, Any]:
        """Accuracy, size and times, fitted to the whole training part."""
        classifier = self.model.classifier(train.y, linear_svm(self.C), self.keep)
        pipeline = make_pipeline(StandardScaler(), classifier)
        start = time.perf_counter()
        pipeline.fit(train.X, train.y)
        training = time.perf_counter() - start
        testing = []
        for _ in range(REPEATS):
            start = time.perf_counter()
            predicted = pipeline.predict(test.X)
            testing.append(time.perf_counter() - start)
        degrees = [g.degree for used in classifier.polynomials_.values() for g in used]
        upper = np.concatenate(_upper_half(classifier))
        F, F_test = pipeline.transform(train.X)[:, upper], pipeline.transform(test.X)[:, upper]
        with_half = linear_svm(self.C).fit(F, train.y).predict(F_test)
        return {"accuracy": float(np.mean(predicted == test.y)), "upper_half": float(np.mean(with_half == test.y)),
                "features": classifier.n_features_out_, "degree": float(np.mean(degrees or [1])),
                "knotting_ratio": classifier.knotting_ratio_, "training": training,
                "testing": float(np.median(testing))}


@dataclass(frozen=True)
class Neighbours:
    """What a row of nearest neighbours may choose: a model for the knots, and whether distances are whitened."""

    model: IdealSettings
    whiten: bool

    def predicted(self, fold: Fold) -> tuple[np.ndarray, int]:
        """Labels of a fold's held-out samples, and the number of knots that they needed."""
        W = self.whitening(fold.A, fold.a)
        return _nearest(fold.knots @ W, fold.knot_labels).predict(fold.B @ W), len(fold.knots)

    def measured(self, train: Part, test: Part, seed: int) -> dict[str, Any]:
        """Accuracy of one nearest neighbour among knots, as many centroids, and the points themselves."""
        scaler = StandardScaler().fit(train.X)
        A, B = scaler.transform(train.X), scaler.transform(test.X)
        fitted = self.model.classifier(train.y, DummyClassifier()).fit(A, train.y)
        W = self.whitening(A, train.y)
        A, B, (knots, labels) = A @ W, B @ W, _knots(fitted)
        centroids = np.vstack([
            KMeans(np.sum(labels == label), n_init=KMEANS_STARTS, random_state=seed).fit(A[train.y == label])
            .cluster_centers_ for label in fitted.classes_])
        return {"knots": _nearest(knots @ W, labels).score(B, test.y),
                "centroids": _nearest(centroids, labels).score(B, test.y),
                "points": _nearest(A, train.y).score(B, test.y), "knotting_ratio": fitted.knotting_ratio_}

    def whitening(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The matrix W after which (``X @ W``) distances are taken."""
        if not self.whiten:
            return np.eye(X.shape[1])
        within = np.vstack([X[y == label] - X[y == label].mean(axis=0) for label in np.unique(y)])
        # Shrunk: few points, and variables that nearly repeat each other.
        return np.linalg.inv(np.linalg.cholesky(ledoit_wolf(within, assume_centered=True)[0])).T


@dataclass(frozen=True)
class Grid:
    """The values that cross-validation chooses from.  How they came about is told in docs/paper.md.

    Attributes
    ----------
    paper, gradient : tuple of float
        Values of epsilon in the paper's convention, for VCA too, and in this package's.
    fine : tuple of float
        Further ones in this package's convention for nearest neighbours, who need more knots.
    C : tuple of float
    keep : tuple of float
        Shares of the features, for the row "ours".
    """

    paper: tuple[float, ...] = (0.5, 0.7, 1.0)
    gradient: tuple[float, ...] = (1.2, 1.5, 2.0)
    fine: tuple[float, ...] = (0.5, 0.7, 0.9)
    C: tuple[float, ...] = (0.01, 0.1, 1.0)
    keep: tuple[float, ...] = (1.0, 0.75, 0.5)

    def rows(self) -> dict[str, list[Candidate | Neighbours]]:
        """Row -> its candidates."""
        def every(convention: str, epsilons: Iterable[float],
                  shares: Sequence[float | None]) -> list[Candidate | Neighbours]:
            return [Candidate(IdealSettings(convention, epsilon), C, keep)
                    for epsilon in epsilons for C in self.C for keep in shares]
        papers = [IdealSettings("paper", epsilon) for epsilon in self.paper]
        knotted = papers + [IdealSettings("gradient", epsilon) for epsilon in self.fine + self.gradient]
        return {"proposed": every("paper", self.paper, (None,)), "ours": every("gradient", self.gradient, self.keep),
                "vca": every("plain", self.paper, (None,)),
                "knots_proposed": [Neighbours(model, False) for model in papers],
                "knots_ours": [Neighbours(model, whiten) for model in knotted for whiten in (False, True)]}


@dataclass(frozen=True, eq=False)
class Part:
    """Samples and their labels: the training or the test part of a run."""

    X: np.ndarray
    y: np.ndarray


class Fold:
    """A fitted model, the samples it has seen (A, labels a), and held-out ones (B): all candidates of the model share it.

    Attributes
    ----------
    A, B : arrays
        Samples.
    a : array
        Labels of A.
    F, F_held_out : arrays
        Features of A and of B.
    knots, knot_labels : arrays
    """

    def __init__(self, fitted: VanishingIdealClassifier, A: np.ndarray, a: np.ndarray, B: np.ndarray) -> None:
        self.A, self.a, self.B = A, a, B
        self.F, self.F_held_out = fitted.transform(A), fitted.transform(B)
        self.knots, self.knot_labels = _knots(fitted)
        self._kept: dict[float | None, np.ndarray] = {}

    def columns(self, keep: float | None) -> np.ndarray:
        """Columns of F that are this share of the features; all for None."""
        if keep not in self._kept:
            count = self.F.shape[1]
            self._kept[keep] = (np.arange(count) if keep is None
                                else most_discriminating(self.F, self.a, wanted_count(keep, count)))
        return self._kept[keep]


def split(X: np.ndarray, y: np.ndarray, seed: int,
          run: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Training and test part of one run, stratified: X and y of the one, X and y of the other."""
    state = int(np.random.SeedSequence([seed, run]).generate_state(1)[0])
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=TEST_SHARE, stratify=y, random_state=state)
    return X_train, y_train, X_test, y_test


def run_once(X_train: np.ndarray, y_train: np.ndarray, X_test: np.ndarray, y_test: np.ndarray, grid: Grid,
             seed: int) -> dict[str, Any]:
    """Choose and measure.

    Returns
    -------
    dict
        Plain data: ``chosen`` (row -> candidate) and the measurements of each row.
    """
    train, test = Part(X_train, y_train), Part(X_test, y_test)
    with warnings.catch_warnings():
        # A candidate without polynomials, or an SVM that takes long, is a poor candidate: its score says so.
        warnings.simplefilter("ignore", NoPolynomialWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        # Hardly more knots than classes is what is hoped for, not a sign of a regression problem.
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        chosen = choose(X_train, y_train, grid, seed)
        record: dict[str, Any] = {"chosen": {row: asdict(candidate) for row, candidate in chosen.items()}}
        record.update((row, candidate.measured(train, test, seed)) for row, candidate in chosen.items())
    return record


def choose(X: np.ndarray, y: np.ndarray, grid: Grid, seed: int) -> dict[str, Candidate | Neighbours]:
    """Row -> the candidate that cross-validation on these training data takes."""
    rows = grid.rows()
    candidates = list(dict.fromkeys(candidate for row in rows.values() for candidate in row))
    hits = {candidate: np.zeros(len(y)) for candidate in candidates}
    sizes = dict.fromkeys(candidates, 0)
    for seen, held_out in StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(X, y):
        scaler = StandardScaler().fit(X[seen])
        A, a, B, b = scaler.transform(X[seen]), y[seen], scaler.transform(X[held_out]), y[held_out]
        for model in dict.fromkeys(candidate.model for candidate in candidates):
            fold = Fold(model.classifier(a, DummyClassifier()).fit(A, a), A, a, B)
            for candidate in (candidate for candidate in candidates if candidate.model == model):
                predicted, size = candidate.predicted(fold)
                hits[candidate][held_out] = predicted == b
                sizes[candidate] += size
    return {row: (smallest_as_good if row in COMPACT else best)(of_row, hits, sizes) for row, of_row in rows.items()}


def _knots(fitted: VanishingIdealClassifier) -> tuple[np.ndarray, np.ndarray]:
    """All knots of a fitted classifier, and their labels."""
    ideals = list(fitted.ideals_.values())
    return np.vstack([ideal.knots for ideal in ideals]), np.repeat(fitted.classes_, [len(i.knots) for i in ideals])


def _nearest(X: np.ndarray, y: np.ndarray) -> ClassifierMixin:
    return KNeighborsClassifier(n_neighbors=1).fit(X, y)


def _upper_half(classifier: VanishingIdealClassifier) -> list[np.ndarray]:
    """For each class, the columns of the upper half by degree of its polynomials in use."""
    counts = [len(used) for used in classifier.polynomials_.values()]
    if not any(counts):
        return [np.arange(classifier.n_features_out_)]          # no polynomial: the variables are the features
    ends = np.cumsum(counts)
    return [np.arange(end - count + count // 2, end) for count, end in zip(counts, ends)]
