r"""A classifier made of vanishing ideals: the features of Livni et al. (2013), as the paper uses them.

For each class i polynomials :math:`g_i^{(1)}, g_i^{(2)}, \dots` are found that nearly vanish on
its training points.  A sample becomes

.. math:: F(x) = (\dots, |g_i^{(1)}(x)|, \dots, |g_i^{(|G_i|)}(x)|, \dots),

small in the part of its own class and large elsewhere, so a linear classifier can tell
the classes apart.  Each ideal sees the points of its class only; scaling, selection and
the final estimator see the training features only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_feature_names_in, check_array, check_is_fitted

from ..symbolic.polynomial import compiled_for
from .explanation import Explanation, evidence_for, training_sigmas
from .inputs import further_samples, labelled_samples_to_learn
from .per_class import EPSILON, MAX_DEGREE, absolute, feature_names, ideals_of, warn_if_empty
from .selection import most_discriminating, wanted_count

if TYPE_CHECKING:
    from typing import Self

SOFT_MARGIN = 0.1
"""C of the default SVM on standardized features, below scikit-learn's 1: features are many and repeat each other.  The
middle of the three values that the paper's experiment chooses from (`symknot.paper.protocol.Grid`)."""
SVM_TOLERANCE = 1e-3
"""Of the SVM's optimality condition, ten times scikit-learn's: a convention, for labels need no more digits."""
SVM_ITERATIONS = 10_000
"""At most; ten times scikit-learn's, as features that repeat each other make it slow."""


def linear_svm(C: float = SOFT_MARGIN) -> Pipeline:
    """A linear SVM on standardized features."""
    # dual=False needs no random numbers
    return make_pipeline(StandardScaler(), LinearSVC(C=C, dual=False, tol=SVM_TOLERANCE, max_iter=SVM_ITERATIONS))


def _final_estimator_has(method: str) -> Callable[[Any], bool]:
    def check(self: VanishingIdealClassifier) -> bool:
        fitted = hasattr(self, "final_estimator_")
        return hasattr(self.final_estimator_ if fitted else self._new_final_estimator(), method)
    return check


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
        the paper.
    knots : bool
        Whether polynomials must agree on data knots; without, plain vanishing component
        analysis (`symknot.vca`), for which `delta` and `knotting` play no part.
    upper_half : bool
        Use only the upper half, by degree, of each class's polynomials.
    keep : None, float or int
        Use only this share, or this number, of the features: those that together
        discriminate best on the training data (`symknot.estimators.selection`).
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
    >>> print(str(model.explain(flowers.data[1])).splitlines()[0])
    predicted 'setosa'
    """

    def __init__(self, epsilon: float | str = EPSILON, *, standardize: bool = True, delta: float | None = None,
                 max_degree: int | None = MAX_DEGREE, normalization: Any = "gradient", knotting: Any = None,
                 knots: bool = True, upper_half: bool = False, keep: float | None = None,
                 final_estimator: Any = None, n_jobs: int | None = None) -> None:
        self.epsilon = epsilon
        self.standardize = standardize
        self.delta = delta
        self.max_degree = max_degree
        self.normalization = normalization
        self.knotting = knotting
        self.knots = knots
        self.upper_half = upper_half
        self.keep = keep
        self.final_estimator = final_estimator
        self.n_jobs = n_jobs

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
        options = ["epsilon", "standardize", "max_degree", "normalization", "knots"]
        options += ["delta", "knotting"] if self.knots else []
        ideals = ideals_of(X, codes, feature_names(self), self.n_jobs,
                           **{option: getattr(self, option) for option in options})
        self.ideals_ = dict(zip(self.classes_.tolist(), ideals))
        for label, ideal in self.ideals_.items():
            warn_if_empty(ideal, f"class {label!r}")
        self.knotting_ratio_ = sum(len(ideal.knots) for ideal in ideals) / len(X)

        self._use([np.arange(len(ideal.polynomials) // 2 if self.upper_half else 0, len(ideal.polynomials))
                   for ideal in ideals])
        F = self._features(X)
        if self.keep is not None and any(map(len, self._used)):
            kept = most_discriminating(F, codes, wanted_count(self.keep, F.shape[1]))
            self._use(self._places_of(kept))
            F = F[:, kept]
        self._sigmas = {label: training_sigmas(self.ideals_[label], F[codes == c][:, columns])
                        for c, (label, columns) in enumerate(zip(self.ideals_, self._columns()))}
        self.n_features_out_ = F.shape[1]
        self.final_estimator_ = self._new_final_estimator().fit(F, y)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The class of each sample."""
        F = self._checked_features(X)
        return self.final_estimator_.predict(F)

    @available_if(_final_estimator_has("decision_function"))
    def decision_function(self, X: Any) -> np.ndarray:
        """That of the final estimator."""
        F = self._checked_features(X)
        return self.final_estimator_.decision_function(F)

    @available_if(_final_estimator_has("predict_proba"))
    def predict_proba(self, X: Any) -> np.ndarray:
        """That of the final estimator."""
        F = self._checked_features(X)
        return self.final_estimator_.predict_proba(F)

    def transform(self, X: Any) -> np.ndarray:
        """The features F(x): an array with a row for each sample and `n_features_out_` columns."""
        return self._checked_features(X)

    def get_feature_names_out(self, input_features: Sequence[str] | None = None) -> np.ndarray:
        """``setosa: g0``, ...: the absolute value of ``ideals_["setosa"].polynomials[0]``."""
        check_is_fitted(self)
        variables = _check_feature_names_in(self, input_features)
        names = [f"{label}: g{i}" for label, used in zip(self.classes_.tolist(), self._used) for i in used]
        return np.array(names, dtype=object) if names else variables

    def explain(self, x: Any) -> Explanation:
        """Why a sample gets its class, in equations.

        Parameters
        ----------
        x : d numbers, or one row of a DataFrame

        Returns
        -------
        Explanation
            Print it; or look at its `evidence` for each class.
        """
        check_is_fitted(self)
        x = check_array(np.reshape(np.asarray(x), (1, -1)), dtype=np.float64)[0]
        if len(x) != self.n_features_in_:
            raise ValueError(f"explain needs one sample of {self.n_features_in_} features, got {len(x)} numbers")
        predicted = self.final_estimator_.predict(self._features(x[None, :])).tolist()[0]
        evidence = [evidence_for(label, used, self._sigmas[label], x) for label, used in self.polynomials_.items()]
        return Explanation(predicted, tuple(sorted(evidence, key=lambda one: one.label != predicted)))

    def _new_final_estimator(self) -> Any:
        return linear_svm() if self.final_estimator is None else clone(self.final_estimator)

    def _checked_features(self, X: Any) -> np.ndarray:
        # Predictions use these and not `transform`, whose output `set_output` may turn into a DataFrame.
        check_is_fitted(self)
        return self._features(further_samples(self, X))

    def _use(self, used: list[np.ndarray]) -> None:
        """Make features of these polynomials only: for each class, places in its `polynomials`."""
        self._used = used
        self._compiled = [compiled_for(ideal, [ideal.in_order()[place] for place in places])
                          for ideal, places in zip(self.ideals_.values(), used)]
        self.polynomials_ = {label: tuple(ideal.polynomials[i] for i in places)
                             for (label, ideal), places in zip(self.ideals_.items(), used)}

    def _columns(self) -> list[np.ndarray]:
        """For each class, the columns of F that its polynomials in use are."""
        ends = np.cumsum([len(places) for places in self._used])
        return [np.arange(end - len(places), end) for places, end in zip(self._used, ends)]

    def _places_of(self, columns: np.ndarray) -> list[np.ndarray]:
        """For each class, those of the places in use that these columns of F come from."""
        return [places[np.isin(own, columns)] for places, own in zip(self._used, self._columns())]

    def _features(self, X: np.ndarray) -> np.ndarray:
        if not any(map(len, self._used)):
            return X
        return absolute(np.hstack([compiled.values(X) for compiled in self._compiled if len(compiled.columns)]))
