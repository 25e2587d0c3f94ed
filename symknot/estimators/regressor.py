r"""A regressor on the features of vanishing ideals.

What is to be predicted is cut at its quantiles into a few strata.  Each stratum has, as a class does, polynomials that
nearly vanish on its samples; their absolute values tell how far a sample is from the samples of each stratum.  With the
variables themselves beside them, a linear regression on them bends where the strata do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin, TransformerMixin, clone
from sklearn.linear_model import RidgeCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from ..ground.checks import whole_number
from .features import ClassFeatures
from .inputs import further_samples, labelled_samples_to_learn
from .naming import Units
from .per_class import EPSILON, MAX_DEGREE, feature_names, ideals_of

if TYPE_CHECKING:
    from typing import Self

STRATA = 3
"""Default number of strata: low, middle and high, a convention."""
PENALTIES = tuple(10.0 ** np.arange(-3, 4))
"""Ridge penalties on standardized features that leave-one-out chooses from: from none to strong."""


def ridge() -> Pipeline:
    """A ridge regression on standardized features, its penalty chosen by leave-one-out inside the training data."""
    return make_pipeline(StandardScaler(), RidgeCV(alphas=PENALTIES))


class VanishingIdealRegressor(RegressorMixin, TransformerMixin, BaseEstimator):
    """One vanishing ideal for each stratum of the target, and a ridge regression on their polynomials and the variables.

    Parameters
    ----------
    epsilon, standardize, delta, max_degree, normalization, knotting, n_jobs
        As in `VanishingIdealClassifier`.
    strata : int
        Into how many parts, alike in size, the target is cut.
    knots : bool
        Whether polynomials must agree on data knots; without, plain vanishing component analysis.
    variables : bool
        Make features of the variables themselves too.
    final_estimator : regressor, optional
        What is fitted to the features; default a ``RidgeCV`` after a ``StandardScaler``.

    Attributes
    ----------
    ideals_ : list of Ideal
        From the lowest stratum to the highest.
    cuts_ : array
        Where the target is cut.
    final_estimator_ : regressor
    n_features_out_, n_features_in_ : int
    feature_names_in_ : array
        Where X had column names.

    Examples
    --------
    >>> import numpy as np
    >>> from symknot.estimators import VanishingIdealRegressor
    >>> X = np.random.default_rng(0).uniform(-1, 1, size=(300, 2))
    >>> y = np.hypot(*X.T)                                              # no line describes it, circles do
    >>> bool(VanishingIdealRegressor().fit(X[::2], y[::2]).score(X[1::2], y[1::2]) > 0.9)
    True
    """

    def __init__(self, epsilon: float | str = EPSILON, *, strata: int = STRATA, standardize: bool = True,
                 delta: float | None = None, max_degree: int | None = MAX_DEGREE, normalization: Any = "gradient",
                 knotting: Any = None, knots: bool = False, variables: bool = True, final_estimator: Any = None,
                 n_jobs: int | None = None) -> None:
        self.epsilon = epsilon
        self.strata = strata
        self.standardize = standardize
        self.delta = delta
        self.max_degree = max_degree
        self.normalization = normalization
        self.knotting = knotting
        self.knots = knots
        self.variables = variables
        self.final_estimator = final_estimator
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> Self:
        """Find the ideal of each stratum, then fit the final estimator.

        Parameters
        ----------
        X : (n, d) array, list, DataFrame or path of a data file
        y : (n,) array
            A number for each sample.

        Returns
        -------
        self
        """
        strata = whole_number("strata", self.strata, 1)
        X, y = labelled_samples_to_learn(self, X, y, numeric=True)
        self.cuts_ = np.unique(np.quantile(y, np.arange(1, strata) / strata))
        _, codes = np.unique(np.searchsorted(self.cuts_, y, side="right"), return_inverse=True)
        options = ["epsilon", "standardize", "max_degree", "normalization", "knots"]
        options += ["delta", "knotting"] if self.knots else []
        self.ideals_ = ideals_of(X, codes, feature_names(self), self.n_jobs,
                                 **{option: getattr(self, option) for option in options})
        used = [np.arange(len(ideal.polynomials)) for ideal in self.ideals_]
        own = np.arange(X.shape[1] if self.variables or not any(map(len, used)) else 0)
        labels = [f"stratum {k + 1} of {len(self.ideals_)}" for k in range(len(self.ideals_))]
        self._features = ClassFeatures(labels, self.ideals_, used, own, Units.of(X))
        F = self._features.values(X)
        self.n_features_out_ = F.shape[1]
        self.final_estimator_ = (ridge() if self.final_estimator is None else clone(self.final_estimator)).fit(F, y)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The target of each sample."""
        F = self._checked_features(X)                 # says first whether there was a fit
        return self.final_estimator_.predict(F)

    def transform(self, X: Any) -> np.ndarray:
        """The features: an array with a row for each sample and `n_features_out_` columns."""
        return self._checked_features(X)

    def get_feature_names_out(self, input_features: Sequence[str] | None = None) -> np.ndarray:
        """Names that people can read: ``stratum 1 of 3: g0 = |x - 2.0*y|``, and those of the variables."""
        check_is_fitted(self)
        return np.array(self._features.names(_check_feature_names_in(self, input_features)), dtype=object)

    def _checked_features(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        return self._features.values(further_samples(self, X))
