r"""Absolute values of vanishing polynomials as features: :math:`x \mapsto (|g_1(x)|, \dots, |g_k(x)|)`.

The features are small on points like those of the training data, and large elsewhere.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from .inputs import further_samples, samples_to_learn
from .per_class import EPSILON, MAX_DEGREE, absolute, feature_names, ideal_of, warn_if_empty

if TYPE_CHECKING:
    from typing import Self

MAX_RESETS, COOLING = 10, 0.5
"""The defaults of `symknot.fit`: a number of resets, and a factor."""


class _IdealFeatures(TransformerMixin, BaseEstimator):
    """What the transformers share; a subclass says in `_options` how its ideal is fitted."""

    @abstractmethod
    def _options(self) -> dict[str, Any]:
        """Options of `ideal_of`."""

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the polynomials.

        Parameters
        ----------
        X : (n, d) array, list, DataFrame or path of a data file
            Its columns' names become the variables of the equations.
        y : ignored

        Returns
        -------
        self
        """
        X = samples_to_learn(self, X, least=2)
        self.ideal_ = ideal_of(X, feature_names(self), **self._options())
        warn_if_empty(self.ideal_, type(self).__name__)
        self.polynomials_ = self.ideal_.polynomials
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Absolute values of the polynomials: an (n, number of polynomials) array."""
        check_is_fitted(self)
        return absolute(self.ideal_.evaluate(further_samples(self, X)))

    def get_feature_names_out(self, input_features: Sequence[str] | None = None) -> np.ndarray:
        """``g0``, ``g1``, ...: ``g3`` is the absolute value of ``polynomials_[3]``."""
        check_is_fitted(self)
        _check_feature_names_in(self, input_features)
        return np.array([f"g{i}" for i in range(len(self.polynomials_))], dtype=object)


class KnottedIdeal(_IdealFeatures):
    """Features from vanishing polynomials that agree on data knots.

    Parameters
    ----------
    epsilon : float or "auto"
        Tolerance on the data, by default in standard deviations of the variables.
    standardize : bool
        Measure each variable in its own standard deviation; without it epsilon is in the
        data's units.
    delta, max_degree, normalization, knotting, max_resets, cooling
        As in `symknot.fit`.  With ``normalization="vca"`` epsilon bounds a sum over the points
        and so grows with the square root of their number.

    Attributes
    ----------
    ideal_ : Ideal
    polynomials_ : tuple of Polynomial
        One for each feature.
    knots_ : (K, d) array
    knot_weights_ : (K,) array
        How many training points each knot stands for.
    n_features_in_ : int
    feature_names_in_ : array
        Where X had column names.

    Notes
    -----
    The defaults are for features of real data (see `symknot.estimators.per_class`).  To find the
    equations of a noisy curve, take those of `symknot.fit`:
    ``KnottedIdeal("auto", standardize=False, max_degree=None)``.

    Examples
    --------
    >>> import numpy as np
    >>> from symknot.estimators import KnottedIdeal
    >>> angle = np.linspace(0, 6.2, 200)
    >>> circle = np.c_[np.cos(angle), np.sin(angle)]
    >>> model = KnottedIdeal(epsilon=0.1).fit(circle)
    >>> [g.degree for g in model.polynomials_]
    [2]
    >>> model.transform([[0.6, 0.8], [0.0, 0.0]]).round(2).tolist()
    [[0.0], [0.71]]
    """

    def __init__(self, epsilon: float | str = EPSILON, *, standardize: bool = True, delta: float | None = None,
                 max_degree: int | None = MAX_DEGREE, normalization: Any = "gradient", knotting: Any = None,
                 max_resets: int = MAX_RESETS, cooling: float = COOLING) -> None:
        self.epsilon = epsilon
        self.standardize = standardize
        self.delta = delta
        self.max_degree = max_degree
        self.normalization = normalization
        self.knotting = knotting
        self.max_resets = max_resets
        self.cooling = cooling

    def _options(self) -> dict[str, Any]:
        return self.get_params(deep=False)

    @property
    def knots_(self) -> np.ndarray:
        """Points on which the polynomials vanish."""
        return self.ideal_.knots

    @property
    def knot_weights_(self) -> np.ndarray:
        """How many training points each knot stands for."""
        return self.ideal_.knot_weights


class VCA(_IdealFeatures):
    """Features from vanishing component analysis: polynomials that nearly vanish, without knots.

    Parameters
    ----------
    epsilon : float
    standardize : bool
    max_degree, normalization
        As in `KnottedIdeal`.

    Attributes
    ----------
    ideal_, polynomials_, n_features_in_, feature_names_in_
        As in `KnottedIdeal`.

    Examples
    --------
    >>> from symknot.estimators import VCA
    >>> model = VCA(epsilon=1e-6).fit([[0, 0], [1, 0], [0, 1], [1, 1]])
    >>> model.transform([[0, 1], [3, 1]]).round(9).any(axis=1).tolist()
    [False, True]
    """

    def __init__(self, epsilon: float = EPSILON, *, standardize: bool = True, max_degree: int | None = MAX_DEGREE,
                 normalization: Any = "gradient") -> None:
        self.epsilon = epsilon
        self.standardize = standardize
        self.max_degree = max_degree
        self.normalization = normalization

    def _options(self) -> dict[str, Any]:
        return {**self.get_params(deep=False), "knots": False}
