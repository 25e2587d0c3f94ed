r"""A classifier made of vanishing ideals: the features of Livni et al. (2013), as the paper uses them.

For each class i polynomials :math:`g_i^{(1)}, g_i^{(2)}, \dots` are found that nearly vanish on
its training points.  A sample becomes

.. math:: F(x) = (\dots, |g_i^{(1)}(x)|, \dots, |g_i^{(|G_i|)}(x)|, \dots),

small in the part of its own class and large elsewhere, so a linear classifier can tell
the classes apart.  Each ideal sees the points of its class only; scaling, selection and
the final estimator see the training features only.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_feature_names_in, check_array, check_is_fitted

from ..ground.checks import positive_number
from ..ground.errors import InvalidOption
from .discriminative import CONTRAST, Contrast, contrasts
from .explanation import Explanation, Reason, evidence_for, shares_of, training_sigmas
from .features import ClassFeatures
from .inputs import further_samples, labelled_samples_to_learn
from .naming import Units
from .per_class import (
    EPSILON,
    MAX_DEGREE,
    NoPolynomialWarning,
    feature_names,
    ideals_of,
    knots_are_quick,
    spreads,
    warn_if_empty,
)
from .probability import FOLDS, logits, probabilities, temperature_of
from .selection import most_discriminating, wanted_count

if TYPE_CHECKING:
    from typing import Self

SOFT_MARGIN = 0.1
"""C of the default SVM on standardized features, below scikit-learn's 1: features are many and repeat each other.  The
middle of the three values that the paper's experiment chooses from (`symknot.paper.protocol.Grid`)."""
SVM_TOLERANCE = 1e-3
"""Of the SVM's optimality condition, ten times scikit-learn's: a convention, for labels need no more digits."""
RANKS_LOOKED_AT = 100
"""Samples of a class at which the rank of its equations' slopes is taken: a convention; the median of so many is sure."""
FULL_RANK = 1e-6
"""Share of the largest slope below which one counts as none: far above rounding."""
SVM_ITERATIONS = 10_000
"""At most; ten times scikit-learn's, as features that repeat each other make it slow."""


VANISHING, DISCRIMINATIVE, AUTO = GENERATORS = ("vanishing", "discriminative", "auto")
"""What polynomials of a class are, by name."""


def linear_svm(C: float = SOFT_MARGIN) -> Pipeline:
    """A linear SVM on standardized features."""
    # dual=False needs no random numbers
    return make_pipeline(StandardScaler(), LinearSVC(C=C, dual=False, tol=SVM_TOLERANCE, max_iter=SVM_ITERATIONS))


def _final_estimator_has(*methods: str) -> Callable[[Any], bool]:
    def check(self: VanishingIdealClassifier) -> bool:
        fitted = hasattr(self, "final_estimator_")
        final = self.final_estimator_ if fitted else self._new_final_estimator()
        return any(hasattr(final, method) for method in methods)
    return check


def knots_can_merge(model: VanishingIdealClassifier, X: np.ndarray, y: np.ndarray) -> bool:
    """Whether the equations of some class leave it isolated points, so that its knots may be fewer than its points.

    They do where the slopes of the equations have full rank; elsewhere each knot moves along a curve or surface of its own
    and knotting merges nothing.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoPolynomialWarning)
        model.fit(X, y)
    for label, ideal in model.ideals_.items():
        if len(ideal.polynomials) >= X.shape[1]:
            slopes = ideal.jacobian(X[y == label][:RANKS_LOOKED_AT]) * spreads(X)
            if np.median(np.linalg.matrix_rank(slopes, tol=FULL_RANK * np.abs(slopes).max())) >= X.shape[1]:
                return True
    return False


class VanishingIdealClassifier(ClassifierMixin, TransformerMixin, BaseEstimator):
    """One vanishing ideal per class, and a linear SVM on the absolute values of all their polynomials.

    Parameters
    ----------
    epsilon : float or "auto"
        Tolerance on the data, by default in standard deviations that the variables have
        within the class; see `symknot.estimators.per_class` for the choice of the default.
    standardize : bool
        Measure each variable in its standard deviation within the class.  Without it epsilon
        is in the units of X, which may come from a scaler before this step.
    delta, max_degree, normalization, knotting
        As in `symknot.fit`.  With ``normalization="vca"`` and ``knotting=symknot.Penalty(...)`` as in
        the paper.  The degree is lowered for a class with so few samples that polynomials outnumber them
        (`symknot.estimators.per_class.carried_degree`).
    knots : bool or "auto"
        Whether polynomials must agree on data knots; without, plain vanishing component
        analysis (`symknot.vca`), for which `delta` and `knotting` play no part.  "auto" does so where knots merge points *and*
        cross-validation inside the training data is right as often with them: where they merge nothing, or drop what tells
        classes apart, or where samples and polynomials are so many that they take most of the time, there are none.
    upper_half : bool
        Use only the upper half, by degree, of each class's polynomials.
    keep : None, float or int
        Use only this share, or this number, of the features: those that together
        discriminate best on the training data (`symknot.estimators.selection`).
    generators : {"vanishing", "discriminative", "auto"}
        What the polynomials of a class are: they vanish on it, whatever they do elsewhere; or they are small on it *and*
        large on the other classes (`symknot.estimators.discriminative`, for which epsilon and knots play no part).  "auto"
        takes what is right more often in cross-validation inside the training data, and vanishing ones where both are right
        as often, where no polynomial tells classes apart, or with `upper_half`.  Not the default, as it does not pay on the
        whole (docs/classification.md).
    contrast : float
        Of discriminative generators: largest ratio of their sizes on the class and on the others, relative to what chance makes
        of it.  Nearer to 1 there are more, for a final estimator that chooses among them (`CompactSVC`).
    variables : bool
        Make features of the variables themselves too: on which side of an equation a sample lies is lost in ``|g|``.
    power : float
        Features are ``|g|**power``.  A root, 0.5, sets what is nearly zero apart from what is small.
    final_estimator : classifier, optional
        What is fitted to the features; default a ``LinearSVC`` (C = 0.1) after a ``StandardScaler``.
    n_jobs : int, optional
        Classes fitted at a time, through joblib and whichever backend is set for it.

    Attributes
    ----------
    classes_ : array
    ideals_ : dict
        Class -> `Ideal`.
    polynomials_ : dict
        Class -> the polynomials in use, a tuple.
    final_estimator_ : classifier
    generators_, knots_used_ : str, bool
        What "auto" chose, or what was given.
    temperature_ : float
        Of the probabilities (`symknot.estimators.probability`), where the final estimator has none of its own.
    n_features_out_ : int
        Number of features in use.
    knotting_ratio_ : float
        Number of knots over number of training points.
    n_features_in_ : int
    feature_names_in_ : array
        Where X had column names.

    Notes
    -----
    A class for which no polynomial is found has no features of its own, and a
    `NoPolynomialWarning` says so.  If that happens to all classes the variables
    themselves are the features.

    Standardizing within the class hides that a class is narrower than the others.  Where that
    matters, put a ``StandardScaler`` before this step and set ``standardize=False``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from symknot.estimators import VanishingIdealClassifier
    >>> flowers = load_iris()
    >>> model = VanishingIdealClassifier().fit(flowers.data[::2], flowers.target_names[flowers.target[::2]])
    >>> bool(model.score(flowers.data[1::2], flowers.target_names[flowers.target[1::2]]) > 0.9)
    True
    >>> print(str(model.explain(flowers.data[1])).splitlines()[0][:43])
    predicted 'setosa' rather than 'versicolor'
    """

    def __init__(self, epsilon: float | str = EPSILON, *, standardize: bool = True, delta: float | None = None,
                 max_degree: int | None = MAX_DEGREE, normalization: Any = "gradient", knotting: Any = None,
                 knots: bool | str = AUTO, upper_half: bool = False, keep: float | None = None, generators: str = VANISHING,
                 contrast: float = CONTRAST, variables: bool = False, power: float = 1.0, final_estimator: Any = None,
                 n_jobs: int | None = None) -> None:
        self.epsilon = epsilon
        self.standardize = standardize
        self.delta = delta
        self.max_degree = max_degree
        self.normalization = normalization
        self.knotting = knotting
        self.knots = knots
        self.upper_half = upper_half
        self.keep = keep
        self.generators = generators
        self.contrast = contrast
        self.variables = variables
        self.power = power
        self.final_estimator = final_estimator
        self.n_jobs = n_jobs

    _whole: np.ndarray | None = None
    """Of a model tried for a choice: class sizes of all samples, which decide on degrees; it has seen a part of them."""

    def fit(self, X: Any, y: Any) -> Self:
        """Find the ideal of each class, then fit the final estimator.

        Parameters
        ----------
        X : (n, d) array, list, DataFrame or path of a data file
        y : (n,) array
            Labels of any type.

        Returns
        -------
        self
        """
        wanted_count(self.keep, 1)
        X, y = labelled_samples_to_learn(self, X, y)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2 and self.final_estimator is None:
            raise ValueError(f"need samples of at least 2 classes, got 1 class: {self.classes_.tolist()[0]!r}")
        self.generators_, self.knots_used_ = self._choice(X, y, codes)
        ideals = self._ideals(X, codes)
        self.ideals_ = dict(zip(self.classes_.tolist(), ideals))
        for label, ideal in self.ideals_.items():
            warn_if_empty(ideal, f"class {label!r}")
        self.knotting_ratio_ = sum(len(ideal.knots) for ideal in ideals) / len(X)

        used = [np.arange(len(ideal.polynomials) // 2 if self.upper_half else 0, len(ideal.polynomials)) for ideal in ideals]
        nothing = not any(map(len, used))
        features = ClassFeatures(list(self.ideals_), ideals, used, np.arange(X.shape[1] if self.variables or nothing else 0),
                                 Units.of(X), positive_number("power", self.power))
        F = features.values(X)
        if self.keep is not None and not nothing:
            kept = most_discriminating(F, codes, wanted_count(self.keep, F.shape[1]))
            features, F = features.only(kept), F[:, kept]
        self._features, self.n_features_out_ = features, F.shape[1]
        self.polynomials_ = features.polynomials
        G = features.magnitudes(F)
        self._sigmas = {label: training_sigmas(self.ideals_[label], G[codes == c][:, columns])
                        for c, (label, columns) in enumerate(zip(self.ideals_, features.columns()))}
        self._means = F.mean(axis=0)
        self.final_estimator_ = self._new_final_estimator().fit(F, y)
        if self._whole is None and hasattr(self.final_estimator_, "decision_function") and not hasattr(
                self.final_estimator_, "predict_proba"):
            self.temperature_ = temperature_of(self.final_estimator_, F, y, codes) if len(self.classes_) > 1 else 1.0
        return self

    def _ideals(self, X: np.ndarray, codes: np.ndarray) -> list[Any]:
        if self.generators_ == DISCRIMINATIVE:
            return self._contrasts(X, codes)
        options = ["epsilon", "standardize", "max_degree", "normalization"]
        options += ["delta", "knotting"] if self.knots_used_ else []
        return ideals_of(X, codes, feature_names(self), self.n_jobs, self._whole, knots=self.knots_used_,
                         **{option: getattr(self, option) for option in options})

    def _contrasts(self, X: np.ndarray, codes: np.ndarray) -> list[Contrast]:
        return contrasts(X, codes, feature_names(self), max_degree=self.max_degree,
                         contrast=positive_number("contrast", self.contrast), sizes=self._whole)

    def _choice(self, X: np.ndarray, y: np.ndarray, codes: np.ndarray) -> tuple[str, bool]:
        """Which generators, and whether with knots: as given, or as cross-validation inside these samples says."""
        if self.generators not in GENERATORS:
            raise InvalidOption("generators", self.generators, f"one of {', '.join(map(repr, GENERATORS))}")
        if self.generators == DISCRIMINATIVE:
            return DISCRIMINATIVE, False
        quick = knots_are_quick(X, codes, self.max_degree)
        if self.knots != AUTO or isinstance(self.epsilon, str):
            options = [(VANISHING, bool(self.knots))]
        else:
            plain = clone(self).set_params(generators=VANISHING, knots=False, final_estimator=DummyClassifier())
            options = [(VANISHING, True)] if quick and knots_can_merge(plain, X, y) else []
            options.append((VANISHING, False))
        if self.generators == AUTO and not self.upper_half and any(c.polynomials for c in self._contrasts(X, codes)):
            options.append((DISCRIMINATIVE, False))
        folds = min(FOLDS, int(np.bincount(codes).min()))
        if len(options) == 1 or folds < 2 or len(self.classes_) < 2:
            return options[0]
        parts = list(StratifiedKFold(folds, shuffle=True, random_state=0).split(X, codes))
        parts = parts if quick else parts[:1]                   # of many samples, or variables, one part says enough
        scores = [np.mean([self._held_out_score(*option, X, y, codes, part) for part in parts]) for option in options]
        return options[int(np.argmax(scores))]                  # of equal ones the first: fewer points, plainer polynomials

    def _held_out_score(self, kind: str, with_knots: bool, X: np.ndarray, y: np.ndarray, codes: np.ndarray,
                        part: tuple[np.ndarray, np.ndarray]) -> float:
        one, (seen, rest) = clone(self).set_params(generators=kind, knots=with_knots), part
        one._whole = np.bincount(codes)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NoPolynomialWarning)
            return float(one.fit(X[seen], y[seen]).score(X[rest], y[rest]))

    def predict(self, X: Any) -> np.ndarray:
        """The class of each sample."""
        F = self._checked_features(X)                 # says first whether there was a fit
        return self.final_estimator_.predict(F)

    @available_if(_final_estimator_has("decision_function"))
    def decision_function(self, X: Any) -> np.ndarray:
        """That of the final estimator."""
        F = self._checked_features(X)                 # says first whether there was a fit
        return self.final_estimator_.decision_function(F)

    @available_if(_final_estimator_has("predict_proba", "decision_function"))
    def predict_proba(self, X: Any) -> np.ndarray:
        """Probabilities of the classes: an (n, classes) array.

        Those of the final estimator, or where it has decision values only, as an SVM, those that
        `symknot.estimators.probability` makes of them; the most probable class is the predicted one.
        """
        return self._probabilities(self._checked_features(X))

    def transform(self, X: Any) -> np.ndarray:
        """The features F(x): an array with a row for each sample and `n_features_out_` columns."""
        return self._checked_features(X)

    def get_feature_names_out(self, input_features: Sequence[str] | None = None) -> np.ndarray:
        """``setosa: g0 = |x - 2.0*y|``, ...: the absolute value of ``ideals_["setosa"].polynomials[0]``."""
        check_is_fitted(self)
        return np.array(self._features.names(_check_feature_names_in(self, input_features)), dtype=object)

    def explain(self, x: Any) -> Explanation | list[Explanation]:
        """Why a sample gets its class, in equations.

        Parameters
        ----------
        x : d numbers, or (n, d) array or DataFrame

        Returns
        -------
        Explanation, or a list of them
            Print it, plot it; or look at its `reasons`, and at its `evidence` for each class.
        """
        check_is_fitted(self)
        if np.ndim(x) == 2 and len(x) != 1:
            return [self._explained(row) for row in further_samples(self, x)]
        x = check_array(np.reshape(np.asarray(x), (1, -1)), dtype=np.float64)[0]
        if len(x) != self.n_features_in_:
            raise ValueError(f"explain needs samples of {self.n_features_in_} features, got {len(x)} numbers")
        return self._explained(x)

    def _explained(self, x: np.ndarray) -> Explanation:
        F = self._features.values(x[None, :])
        predicted = self.final_estimator_.predict(F).tolist()[0]
        found = [evidence_for(label, used, self._sigmas[label], x) for label, used in self.polynomials_.items()]
        evidence = tuple(sorted(found, key=lambda one: one.label != predicted))
        if len(self.classes_) < 2 or not _final_estimator_has("predict_proba", "decision_function")(self):
            return Explanation(predicted, None, float("nan"), (), evidence)
        _, second, margin, shares = shares_of(self._scores, F[0], self._means)
        names = self._features.names(_check_feature_names_in(self, None))
        labelled: list[tuple[Any, Any]] = [(label, g) for label, used in self.polynomials_.items() for g in used]
        labelled += [(None, None)] * len(self._features.own)
        with np.errstate(over="ignore"):
            off = self._features.magnitudes(F)[0] / np.concatenate([*self._sigmas.values()])
            off = np.append(off, np.full(len(self._features.own), np.nan))
            reasons = [Reason(float(shares[j]), names[j], labelled[j][0], labelled[j][1], float(F[0, j]), float(off[j]),
                              self._features.units)
                       for j in np.argsort(-np.abs(shares), kind="stable")]
        return Explanation(predicted, self.classes_.tolist()[second], margin, tuple(reasons), evidence)

    def _scores(self, F: np.ndarray) -> np.ndarray:
        """What the final estimator decides by, with a column for each class."""
        if hasattr(self.final_estimator_, "decision_function"):
            return logits(self.final_estimator_.decision_function(F))
        with np.errstate(divide="ignore"):
            return np.log(np.maximum(self.final_estimator_.predict_proba(F), np.finfo(float).tiny))

    def _probabilities(self, F: np.ndarray) -> np.ndarray:
        if hasattr(self.final_estimator_, "predict_proba"):
            return self.final_estimator_.predict_proba(F)
        return probabilities(self.final_estimator_.decision_function(F), self.temperature_)

    def _new_final_estimator(self) -> Any:
        return linear_svm() if self.final_estimator is None else clone(self.final_estimator)

    def _checked_features(self, X: Any) -> np.ndarray:
        # Predictions use these and not `transform`, whose output `set_output` may turn into a DataFrame.
        check_is_fitted(self)
        return self._features.values(further_samples(self, X))
