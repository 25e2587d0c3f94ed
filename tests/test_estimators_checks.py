"""scikit-learn's own checks of every estimator."""

import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import symknot
from symknot.estimators import (
    VCA,
    CompactSVC,
    KnotNeighborsClassifier,
    KnotReducer,
    KnottedIdeal,
    VanishingIdealClassifier,
    VanishingIdealRegressor,
)

PAPER = {"normalization": "vca", "knotting": symknot.Penalty(0.01), "epsilon": 2.0, "max_degree": 2}
"""The paper's strategies; scikit-learn's checks are about manners, for which two degrees are enough."""


@pytest.mark.filterwarnings("ignore::symknot.estimators.NoPolynomialWarning")
@parametrize_with_checks([
    KnottedIdeal(), VCA(), VanishingIdealClassifier(), KnotReducer(), KnotNeighborsClassifier(),
    VanishingIdealRegressor(), VanishingIdealClassifier(variables=True, generators="discriminative", power=0.5),
    CompactSVC(),
])
def test_scikit_learn_finds_nothing_to_complain_about(estimator, check):
    check(estimator)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::symknot.estimators.NoPolynomialWarning")
@parametrize_with_checks([
    KnottedIdeal(**PAPER), VanishingIdealClassifier(**PAPER), KnotReducer(**PAPER),
    VanishingIdealClassifier(knots=False, keep=0.5, upper_half=True,
                             final_estimator=make_pipeline(StandardScaler(), LogisticRegression())),
])
def test_nor_in_other_options(estimator, check):
    check(estimator)
