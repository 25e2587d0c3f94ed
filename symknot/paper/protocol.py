r"""One run of the paper's experiment: split, choose within the training part, measure once on the test part.

The classes' ideals, and the features :math:`|g(x)|` made of them, depend on a `Model` only, not on the SVM.  So each
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
from dataclasses import asdict, dataclass

import numpy as np
from sklearn.cluster import KMeans
from sklearn.covariance import ledoit_wolf
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from ..estimators import NoPolynomialWarning, VanishingIdealClassifier
from ..estimators.selection import most_discriminating, wanted_count
from ..fitting.penalty import Penalty

TEST_SHARE = 0.4
FOLDS = 3
MAX_DEGREE = 2
PENALTY = 0.01
"""Weight lambda of the paper's Eq. 7."""
COMPACT = ("ours", "knots_ours")
"""Rows that trade hits for size."""
REPEATS = 5
"""Predictions of the test part of which the median time is taken."""


@dataclass(frozen=True)
class Model:
    """How the ideals of the classes are found.

    Attributes
    ----------
    convention : {"paper", "gradient", "plain"}
        The paper's scaling and penalty; this package's defaults; vanishing component analysis with the
        paper's scaling and without knots.
    epsilon : float
        Root-mean-square tolerance.
    """

    convention: str
    epsilon: float

    def classifier(self, y, final_estimator, keep=None):
        """The unfitted classifier of this model for labels `y`."""
        options = {"standardize": False, "max_degree": MAX_DEGREE, "keep": keep, "final_estimator": final_estimator}
        if self.convention == "gradient":
            return VanishingIdealClassifier(self.epsilon, **options)
        points_in_class = len(y) / len(np.unique(y))
        return VanishingIdealClassifier(self.epsilon * np.sqrt(points_in_class), normalization="vca",
                                        knots=self.convention == "paper", knotting=Penalty(PENALTY), **options)


@dataclass(frozen=True)
class Candidate:
    """What a row may choose: a model and, for the SVM, C and the share of features in use."""

    model: Model
    C: float
    keep: float | None


@dataclass(frozen=True)
class Neighbours:
    """What a row of nearest neighbours may choose: a model for the knots, and whether distances are whitened."""

    model: Model
    whiten: bool


@dataclass(frozen=True)
class Grid:
    """The values that cross-validation chooses from.

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

    paper: tuple = (0.5, 0.7, 1.0)
    gradient: tuple = (1.2, 1.5, 2.0)
    fine: tuple = (0.5, 0.7, 0.9)
    C: tuple = (0.01, 0.1, 1.0)
    keep: tuple = (1.0, 0.75, 0.5)

    def rows(self):
        """Row -> its candidates."""
        def every(convention, epsilons, shares):
            return [Candidate(Model(convention, epsilon), C, keep)
                    for epsilon in epsilons for C in self.C for keep in shares]
        papers = [Model("paper", epsilon) for epsilon in self.paper]
        knotted = papers + [Model("gradient", epsilon) for epsilon in self.fine + self.gradient]
        return {"proposed": every("paper", self.paper, (None,)), "ours": every("gradient", self.gradient, self.keep),
                "vca": every("plain", self.paper, (None,)),
                "knots_proposed": [Neighbours(model, False) for model in papers],
                "knots_ours": [Neighbours(model, whiten) for model in knotted for whiten in (False, True)]}


def split(X, y, seed, run):
    """Training and test part of one run, stratified: X and y of the one, X and y of the other."""
    state = int(np.random.SeedSequence([seed, run]).generate_state(1)[0])
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=TEST_SHARE, stratify=y, random_state=state)
    return X_train, y_train, X_test, y_test


def run_once(X_train, y_train, X_test, y_test, grid, seed):
    """Choose and measure.

    Returns
    -------
    dict
        Plain data: ``chosen`` (row -> candidate) and the measurements of each row.
    """
    with warnings.catch_warnings():
        # A candidate without polynomials, or an SVM that takes long, is a poor candidate: its score says so.
        warnings.simplefilter("ignore", NoPolynomialWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        # Hardly more knots than classes is what is hoped for, not a sign of a regression problem.
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        chosen = choose(X_train, y_train, grid, seed)
        record = {"chosen": {row: asdict(candidate) for row, candidate in chosen.items()}}
        for row in ("proposed", "ours", "vca"):
            record[row] = _measured(chosen[row], X_train, y_train, X_test, y_test)
        for row in ("knots_proposed", "knots_ours"):
            record[row] = _neighbours(chosen[row], X_train, y_train, X_test, y_test, seed)
    return record


def choose(X, y, grid, seed):
    """Row -> the `Candidate` that cross-validation on these training data takes."""
    rows = grid.rows()
    candidates = list(dict.fromkeys(candidate for row in rows.values() for candidate in row))
    hits = {candidate: np.zeros(len(y)) for candidate in candidates}
    sizes = dict.fromkeys(candidates, 0)
    for seen, held_out in StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(X, y):
        scaler = StandardScaler().fit(X[seen])
        A, a, B, b = scaler.transform(X[seen]), y[seen], scaler.transform(X[held_out]), y[held_out]
        for model in dict.fromkeys(candidate.model for candidate in candidates):
            fitted = model.classifier(a, DummyClassifier()).fit(A, a)
            predictions = _Predictions(fitted, A, a, B)
            for candidate in (candidate for candidate in candidates if candidate.model == model):
                predicted, size = predictions.of(candidate)
                hits[candidate][held_out] = predicted == b
                sizes[candidate] += size
    return {row: (smallest_as_good if row in COMPACT else best)(of_row, hits, sizes) for row, of_row in rows.items()}


class _Predictions:
    """Predictions for the held-out samples B by all candidates that share one fitted model."""

    def __init__(self, fitted, A, a, B):
        self.A, self.a, self.B = A, a, B
        self.F, self.F_held_out = fitted.transform(A), fitted.transform(B)
        self.knots, self.knot_labels = _knots(fitted)
        self.kept = {}

    def of(self, candidate):
        """Predicted labels, and the number of features or knots they needed."""
        if isinstance(candidate, Neighbours):
            W = _whitening(candidate, self.A, self.a)
            return _nearest(self.knots @ W, self.knot_labels).predict(self.B @ W), len(self.knots)
        columns = self._columns(candidate.keep)
        svm = _svm(candidate.C).fit(self.F[:, columns], self.a)
        return svm.predict(self.F_held_out[:, columns]), len(columns)

    def _columns(self, keep):
        if keep not in self.kept:
            count = self.F.shape[1]
            self.kept[keep] = (np.arange(count) if keep is None
                               else most_discriminating(self.F, self.a, wanted_count(keep, count)))
        return self.kept[keep]


def best(candidates, hits, sizes):
    """The candidate with the most hits; of several the smallest.  Parameters as in `smallest_as_good`."""
    return max(candidates, key=lambda candidate: (np.sum(hits[candidate]), -sizes[candidate]))


def smallest_as_good(candidates, hits, sizes):
    """The smallest candidate that loses against the best no more than chance allows.

    Parameters
    ----------
    candidates : sequence
    hits : dict
        Candidate -> for each training sample 1 if it was predicted right, else 0.
    sizes : dict
        Candidate -> what is to be small.

    Examples
    --------
    >>> hits = {"large": np.ones(50), "small": np.r_[0, np.ones(49)], "tiny": np.r_[np.zeros(9), np.ones(41)]}
    >>> smallest_as_good(list(hits), hits, {"large": 30, "small": 20, "tiny": 10})
    'small'
    """
    most = hits[best(candidates, hits, sizes)]
    lost = {candidate: most - hits[candidate] for candidate in candidates}
    as_good = [candidate for candidate in candidates
               if np.sum(lost[candidate]) <= np.sqrt(np.count_nonzero(lost[candidate]))]
    return min(as_good, key=lambda candidate: (sizes[candidate], np.sum(lost[candidate])))


def _svm(C):
    # dual=False needs no random numbers.
    return make_pipeline(StandardScaler(), LinearSVC(C=C, dual=False, tol=1e-3, max_iter=10_000))


def _knots(fitted):
    """All knots of a fitted classifier, and their labels."""
    ideals = list(fitted.ideals_.values())
    return np.vstack([ideal.knots for ideal in ideals]), np.repeat(fitted.classes_, [len(i.knots) for i in ideals])


def _nearest(X, y):
    return KNeighborsClassifier(n_neighbors=1).fit(X, y)


def _whitening(candidate, X, y):
    """The matrix W after which (``X @ W``) distances are taken."""
    if not candidate.whiten:
        return np.eye(X.shape[1])
    within = np.vstack([X[y == label] - X[y == label].mean(axis=0) for label in np.unique(y)])
    # Shrunk: few points, and variables that nearly repeat each other.
    return np.linalg.inv(np.linalg.cholesky(ledoit_wolf(within, assume_centered=True)[0])).T


def _measured(candidate, X_train, y_train, X_test, y_test):
    """Accuracy, size and times of one row's choice, fitted to the whole training part."""
    classifier = candidate.model.classifier(y_train, _svm(candidate.C), candidate.keep)
    pipeline = make_pipeline(StandardScaler(), classifier)
    start = time.perf_counter()
    pipeline.fit(X_train, y_train)
    training = time.perf_counter() - start
    testing = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        predicted = pipeline.predict(X_test)
        testing.append(time.perf_counter() - start)
    degrees = [g.degree for used in classifier.polynomials_.values() for g in used]
    upper = np.concatenate(_upper_half(classifier))
    F, F_test = pipeline.transform(X_train)[:, upper], pipeline.transform(X_test)[:, upper]
    return {"accuracy": float(np.mean(predicted == y_test)),
            "upper_half": float(np.mean(_svm(candidate.C).fit(F, y_train).predict(F_test) == y_test)),
            "features": classifier.n_features_out_, "degree": float(np.mean(degrees or [1.0])),
            "knotting_ratio": classifier.knotting_ratio_, "training": training, "testing": float(np.median(testing))}


def _upper_half(classifier):
    """For each class, the columns of the upper half by degree of its polynomials in use."""
    counts = [len(used) for used in classifier.polynomials_.values()]
    if not any(counts):
        return [np.arange(classifier.n_features_out_)]          # no polynomial: the variables are the features
    ends = np.cumsum(counts)
    return [np.arange(end - count + count // 2, end) for count, end in zip(counts, ends)]


def _neighbours(candidate, X_train, y_train, X_test, y_test, seed):
    """Accuracy of one nearest neighbour among knots, as many centroids, and the points themselves."""
    scaler = StandardScaler().fit(X_train)
    A, B = scaler.transform(X_train), scaler.transform(X_test)
    fitted = candidate.model.classifier(y_train, DummyClassifier()).fit(A, y_train)
    W = _whitening(candidate, A, y_train)
    A, B, (knots, labels) = A @ W, B @ W, _knots(fitted)
    centroids = np.vstack([
        KMeans(np.sum(labels == label), n_init=10, random_state=seed).fit(A[y_train == label]).cluster_centers_
        for label in fitted.classes_])
    return {"knots": _nearest(knots @ W, labels).score(B, y_test),
            "centroids": _nearest(centroids, labels).score(B, y_test),
            "points": _nearest(A, y_train).score(B, y_test), "knotting_ratio": fitted.knotting_ratio_}
