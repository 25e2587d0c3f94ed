"""The SVM that leaves features out: against scikit-learn's, against refits without each feature, and by known answers."""

import numpy as np
import pytest
from sklearn.svm import LinearSVC

import symknot
from symknot.estimators import CompactSVC, VanishingIdealClassifier
from symknot.estimators.compact import elimination


def samples(n=400, p=6, seed=0):
    rng = np.random.default_rng(seed)
    F = rng.normal(size=(n, p))
    return F, (F[:, 0] - 0.5 * F[:, 2] + 0.3 * rng.normal(size=n) > 0).astype(int) + (F[:, 3] > 1)


@pytest.mark.parametrize("classes", [2, 3])
def test_on_all_features_it_is_scikit_learns(classes):
    F, codes = samples()
    y = np.minimum(codes, classes - 1)
    own = CompactSVC(0.3).fit(F, y)
    # a large constant column is hardly penalised, as ours is not at all
    theirs = LinearSVC(C=0.3, dual=False, tol=1e-9, intercept_scaling=1e3, max_iter=10**5).fit(F, y)
    np.testing.assert_allclose(own.coef_, theirs.coef_, atol=1e-4)
    np.testing.assert_allclose(own.intercept_, theirs.intercept_, atol=1e-3)
    np.testing.assert_array_equal(own.predict(F), theirs.predict(F))
    assert own.decision_function(F).shape == theirs.decision_function(F).shape


def loss(rule, F, codes, C):
    signs = np.where(codes == 1, 1.0, -1.0)
    return 0.5 * np.sum(rule.coef**2) + C * np.sum(np.maximum(0, 1 - signs * rule.decisions(F)) ** 2)


def test_what_is_left_out_is_what_costs_least():
    """Whatever other feature is left out instead, the loss is larger."""
    F, codes = samples(seed=1)
    codes = np.minimum(codes, 1)
    rules = list(elimination(F, codes, 1.0))
    assert [len(rule.columns) for rule in rules] == [6, 5, 4, 3, 2, 1]
    for before, after in zip(rules[:-1], rules[1:]):
        refits = [loss(next(elimination(np.delete(F[:, before.columns], j, axis=1), codes, 1.0)),
                       np.delete(F[:, before.columns], j, axis=1), codes, 1.0) for j in range(len(before.columns))]
        assert loss(after, F, codes, 1.0) == pytest.approx(min(refits), rel=1e-5)


def test_of_features_that_repeat_each_other_one_stays_and_the_useful_ones_are_found():
    F, codes = samples()
    both = np.column_stack([F[:, 0], F, F[:, 3]])
    model = CompactSVC(most=3).fit(both, codes)
    assert {int(j) for j in model.support_} in [{a, 3, b} for a in (0, 1) for b in (4, 7)]
    assert np.count_nonzero(model.coef_.any(axis=0)) == 3
    np.testing.assert_allclose(model.decision_function(both), both @ model.coef_.T + model.intercept_, atol=1e-12)


def test_samples_told_apart_without_effort_need_no_step():
    F = np.array([[-1.0, 1], [1, 1], [-2, 1], [2, 1]])
    model = CompactSVC(1e6, most=1).fit(F, ["l", "r", "l", "r"])
    assert model.coef_.round(3).tolist() == [[1, 0]] and abs(model.intercept_[0]) < 1e-6


@pytest.mark.parametrize("options", [{"C": 0.0}, {"most": 0}])
def test_options_are_checked(options):
    with pytest.raises(symknot.InvalidOption, match=next(iter(options))):
        CompactSVC(**options).fit([[0.0], [1]], [0, 1])


def test_features_are_powers_of_absolute_values_and_explanations_are_of_the_values():
    rng = np.random.default_rng(0)
    angle, y = rng.uniform(0, 6.3, 120), rng.integers(0, 2, 120)
    X = np.c_[np.cos(angle), np.sin(angle)] * (1 + y)[:, None] + 0.05 * rng.normal(size=(120, 2))
    plain, root = (VanishingIdealClassifier(knots=False, power=power, variables=True, keep=4).fit(X, y) for power in (1.0, 0.5))
    whole = VanishingIdealClassifier(knots=False, power=0.5, variables=True).fit(X, y)
    count = sum(map(len, whole.polynomials_.values()))
    values = np.column_stack([g(X) for used in whole.polynomials_.values() for g in used])
    np.testing.assert_allclose(whole.transform(X)[:, :count], np.sqrt(np.abs(values)), rtol=1e-6, atol=1e-9)
    np.testing.assert_array_equal(whole.transform(X)[:, count:], X)
    assert root.n_features_out_ == plain.n_features_out_ == 4
    assert all(name.endswith("**0.5") for name in whole.get_feature_names_out()[:count])
    for reason in whole.explain(X[0]).reasons:
        if reason.polynomial is not None:
            sigma = np.sqrt(np.mean(reason.polynomial(X[y == reason.label]) ** 2))
            assert reason.value == pytest.approx(abs(float(reason.polynomial(X[0]))) ** 0.5, rel=1e-6)
            assert reason.sigmas == pytest.approx(abs(float(reason.polynomial(X[0]))) / sigma, rel=1e-6)
    with pytest.raises(symknot.InvalidOption, match="power"):
        VanishingIdealClassifier(power=0.0).fit(X, y)
