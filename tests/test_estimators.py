"""Estimators: known answers, independence of classes, bad input, life inside scikit-learn."""

import pickle
import subprocess
import sys
import warnings
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine, make_circles
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import f_classif
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, StratifiedShuffleSplit, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sympy import symbols

import symknot
from symknot.estimators import (
    VCA,
    KnotNeighborsClassifier,
    KnotReducer,
    KnottedIdeal,
    NoPolynomialWarning,
    VanishingIdealClassifier,
    VanishingIdealRegressor,
)
from symknot.estimators.discriminative import contrasts
from symknot.estimators.naming import Units, equation_text, feature_name, largest_terms
from symknot.estimators.per_class import knots_are_quick
from symknot.estimators.selection import most_discriminating, wanted_count

ROOT = Path(__file__).resolve().parents[1]


def cloud(n=4000, d=2, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def rings(n=200, noise=0.03, seed=0):
    """Two concentric circles, of radius 1 and 1/2."""
    return make_circles(n, noise=noise, factor=0.5, random_state=seed)


def blobs(centers, n=30, noise=0.05, seed=0):
    centers = np.asarray(centers, dtype=float)
    labels = np.repeat(np.arange(len(centers)), n)
    return centers[labels] + noise * np.random.default_rng(seed).normal(size=(len(labels), centers.shape[1])), labels


# what epsilon means

@pytest.mark.parametrize("epsilon, degrees", [(0.65, []), (0.75, [2, 2, 2]), (1.1, [1, 1])])
def test_the_two_marks_between_which_the_default_epsilon_lies(epsilon, degrees):
    """A Gaussian cloud: nothing below 1/sqrt(2), its three quadrics from there on, linear equations from 1 on."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = VCA(epsilon).fit(cloud())
    assert [g.degree for g in model.polynomials_] == degrees
    assert bool(caught) == (not degrees)
    np.testing.assert_allclose([g.residual for g in model.polynomials_], [1 / np.sqrt(2 if degrees == [2, 2, 2] else 1)]
                               * len(degrees), rtol=0.08)


def test_features_do_not_depend_on_units():
    X, _ = rings()
    other = X * [1000, 0.01] + [5, -3]
    np.testing.assert_allclose(KnottedIdeal(0.5).fit(X).transform(X), KnottedIdeal(0.5).fit(other).transform(other),
                               rtol=1e-5, atol=1e-7)


def test_without_standardizing_it_is_fit_itself():
    X = rings()[0][rings()[1] == 0]
    model = KnottedIdeal("auto", standardize=False, max_degree=None).fit(X)
    ideal = symknot.fit(X)
    np.testing.assert_array_equal(model.transform(X), np.abs(ideal.evaluate(X)))
    np.testing.assert_array_equal(model.knots_, ideal.knots)
    assert model.knot_weights_.sum() == pytest.approx(len(X))
    assert (model.polynomials_[0].degree, model.n_features_in_) == (2, 2)


# features

def test_names_come_from_the_columns():
    X = pd.DataFrame(cloud(60), columns=["petal length", "y"])
    model = KnottedIdeal().fit(X)
    assert model.ideal_.names == ("petal length", "y")
    assert list(model.feature_names_in_) == ["petal length", "y"]
    table = model.set_output(transform="pandas").transform(X)
    assert list(table.columns) == [f"g{i}" for i in range(len(model.polynomials_))]
    assert list(table.columns) == list(model.get_feature_names_out())


def test_far_from_the_data_features_are_still_numbers():
    F = VCA().fit(cloud(60)).transform([[1e200, 1e200], [1e308, -1e308]])
    assert np.isfinite(F).all() and F.max() == 1e100


def test_constant_and_duplicated_columns_and_rows():
    X = cloud(40)
    wide = np.c_[X, np.full(40, 3.0), X[:, 0]]
    model = KnottedIdeal(1e-3, max_degree=1).fit(np.vstack([wide, wide]))
    assert [g.degree for g in model.polynomials_] == [1, 1]           # column 2 is 3, column 3 is column 0
    off = model.transform([[0, 0, 3, 0], [0, 0, 4, 0], [0, 0, 3, 1]])
    assert off[0].max() < 1e-9 and off[1].max() > 0.1 and off[2].max() > 0.1


# the classifier

def test_circles_are_told_apart_by_their_equations():
    X, y = rings(400)
    model = VanishingIdealClassifier(0.2).fit(X[::2], y[::2])
    assert model.score(X[1::2], y[1::2]) == 1.0
    assert {label: [g.degree for g in ideal.polynomials] for label, ideal in model.ideals_.items()} == {0: [2], 1: [2]}
    names = list(model.get_feature_names_out())
    assert all(name.startswith(f"{k}: g0 = |") and "x**2" in name and "y**2" in name for k, name in enumerate(names))
    at_zero_of = model.transform([[0.6, 0.8], [0.3, 0.4]])             # on the outer, on the inner circle
    assert at_zero_of[0, 0] < 0.05 < 0.3 < at_zero_of[0, 1] and at_zero_of[1, 1] < 0.05 < 0.3 < at_zero_of[1, 0]


def test_an_explanation_speaks_in_equations():
    X, y = rings(400)
    names = np.array(["outer", "inner"])
    model = VanishingIdealClassifier(0.2).fit(pd.DataFrame(X, columns=["u", "v"]), names[y])
    why = model.explain([0.6, 0.8])
    assert why.predicted == "outer"
    assert (why["outer"].held, why["inner"].held) == (1, 0)
    assert why["inner"].sigmas[0] > 10 > 2 > why["outer"].sigmas[0]
    text = str(why)
    assert text.startswith("predicted 'outer' rather than 'inner', by ")
    assert "class 'outer': 1 of 1 equation holds within 2 sigma" in text
    assert "class 'inner': 0 of 1 equation" in text and "u**2" in text and "v**2" in text
    with pytest.raises(KeyError):
        why["middle"]
    with pytest.raises(ValueError, match="samples of 2 features, got 3 numbers"):
        model.explain([1, 2, 3])


def test_an_explanation_is_what_the_classifier_did():
    """Shares are weights times deviations, and add up to the margin with that of the mean sample."""
    X, y = load_iris(return_X_y=True)
    model = VanishingIdealClassifier(variables=True, knots=False).fit(X, y)
    scaler, svm = model.final_estimator_[0], model.final_estimator_[1]
    names = list(model.get_feature_names_out())
    assert len(set(names)) == len(names) and names[-4:] == ["x0", "x1", "x2", "x3"]
    for why, x in zip(model.explain(X[::30]), X[::30]):
        F = scaler.transform(model.transform([x]))[0]
        best, second = (list(model.classes_).index(label) for label in (why.predicted, why.runner_up))
        weights = (svm.coef_[best] - svm.coef_[second]) * F
        shares = {reason.name: reason.share for reason in why.reasons}
        np.testing.assert_allclose([shares[name] for name in names], weights, atol=1e-9)
        constant = svm.intercept_[best] - svm.intercept_[second]
        assert why.margin == pytest.approx(weights.sum() + constant)
        assert why.predicted == model.predict([x])[0]
        sizes = [abs(reason.share) for reason in why.reasons]
        assert sizes == sorted(sizes, reverse=True)
        text = str(why)
        assert text.count("\n  ") == 4 and "the constant" in text


def test_explanations_of_other_estimators_and_as_a_picture(tmp_path):
    X, y = load_iris(return_X_y=True)
    model = VanishingIdealClassifier(final_estimator=RandomForestClassifier(5, random_state=0), knots=False).fit(X, y)
    why = model.explain(X[0])
    assert why.predicted == 0 and why.margin > 0 and len(why.reasons) == model.n_features_out_
    why.plot(tmp_path / "why.png")
    assert (tmp_path / "why.png").stat().st_size > 1000


def test_probabilities_agree_with_predictions_and_are_calibrated():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 1200)
    X = rng.normal(size=(1200, 2)) * np.where(y == 1, 1.0, 0.5)[:, None]          # circles that overlap
    model = VanishingIdealClassifier(knots=False).fit(X[:600], y[:600])
    p = model.predict_proba(X[600:])
    np.testing.assert_allclose(p.sum(axis=1), 1)
    assert (p.argmax(axis=1) == model.predict(X[600:])).all()
    truth, sure = y[600:], p.max(axis=1)
    assert abs(sure.mean() - (p.argmax(axis=1) == truth).mean()) < 0.05            # right as often as it says
    assert -np.log(p[np.arange(600), truth]).mean() < 0.62                         # better than a coin, log 2
    three = VanishingIdealClassifier(knots=False).fit(*load_iris(return_X_y=True))
    assert three.predict_proba(load_iris().data).shape == (150, 3)


def test_a_regressor_on_the_same_features():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(400, 2))
    y = np.hypot(*X.T) + 0.02 * rng.normal(size=400)
    model = VanishingIdealRegressor().fit(pd.DataFrame(X[::2], columns=["u", "v"]), y[::2])
    assert model.score(pd.DataFrame(X[1::2], columns=["u", "v"]), y[1::2]) > 0.9
    assert LinearRegression().fit(X[::2], y[::2]).score(X[1::2], y[1::2]) < 0.1
    names = list(model.get_feature_names_out())
    assert names[-2:] == ["u", "v"] and names[0].startswith("stratum 1 of 3: g0")
    assert len(names) == model.n_features_out_


def shared_plane_and_rings(n=240, seed=0):
    """Two rings in one plane z = x + y: what vanishes on both tells nothing, the radius tells all."""
    X, y = rings(n, seed=seed)
    return np.c_[X, X.sum(axis=1) + 1e-3 * np.random.default_rng(seed).normal(size=n)], y


def test_generators_that_vanish_on_all_classes_are_not_discriminative():
    X, y = shared_plane_and_rings()
    vanishing = VanishingIdealClassifier(0.1, max_degree=1, knots=False).fit(X[::2], y[::2])
    assert all(len(found) == 1 for found in vanishing.polynomials_.values())       # the plane, of either class
    assert vanishing.score(X[1::2], y[1::2]) < 0.7
    model = VanishingIdealClassifier(generators="discriminative").fit(X[::2], y[::2])
    assert model.score(X[1::2], y[1::2]) > 0.97
    for label in model.classes_:
        for g in model.polynomials_[label]:
            own, other = (np.sqrt(np.mean(g(X[y == c]) ** 2)) for c in (label, 1 - label))
            assert own < 0.6 * other
            np.testing.assert_allclose(g(X[:3]), [float(g.expr.subs(dict(zip(g.variables, x)))) for x in X[:3]], atol=1e-6)


def test_the_generalised_eigenproblem_against_scipy_on_the_samples():
    """The smallest ratio of mean squares that any quadric has, found by plain optimisation over its coefficients."""
    rng = np.random.default_rng(0)
    X, codes = rng.normal(size=(4000, 2)), np.repeat([0, 1], 2000)
    X[codes == 1, 0] *= 2
    first = contrasts(X, codes, None, max_degree=2, contrast=1.0)[0]
    g = first.values(X)[:, 0]
    best = np.sqrt(np.mean(g[codes == 0] ** 2) / np.mean(g[codes == 1] ** 2))
    monomials = np.column_stack([np.ones(4000), X, X**2, X[:, 0] * X[:, 1]])
    tried = monomials @ rng.normal(size=(6, 5000))
    ratios = np.sqrt(np.mean(tried[codes == 0] ** 2, axis=0) / np.mean(tried[codes == 1] ** 2, axis=0))
    assert best == pytest.approx(first.ratios[0], rel=0.12) and best <= ratios.min() * 1.001


def test_classes_that_do_not_differ_have_no_discriminative_generator():
    for seed in range(5):
        X, codes = cloud(120, 3, seed), np.repeat([0, 1], 60)
        assert [len(found.ratios) for found in contrasts(X, codes, None, max_degree=2)] == [0, 0]


def test_the_training_folds_choose_the_generators():
    X, y = shared_plane_and_rings()
    model = VanishingIdealClassifier(0.1, max_degree=2, generators="auto").fit(X[::2], y[::2])
    assert model.score(X[1::2], y[1::2]) == 1.0 and model.generators_ in ("vanishing", "discriminative")
    curves = VanishingIdealClassifier(0.2, generators="auto", final_estimator=LogisticRegression()).fit(X[:, :2], y)
    assert not curves.knots_used_                              # circles leave no isolated points: nothing to merge
    with pytest.raises(symknot.InvalidOption, match="'vanishing', 'discriminative', 'auto'"):
        VanishingIdealClassifier(generators="all").fit(X, y)


def test_knots_are_for_classes_whose_points_merge_where_that_helps():
    """Rings have nothing to merge; where knots do merge, the folds of the training data say whether they are taken."""
    rings_model = VanishingIdealClassifier(0.2).fit(*rings())
    assert not rings_model.knots_used_
    plain = VanishingIdealClassifier(0.2, knots=False).fit(*rings())
    np.testing.assert_array_equal(rings_model.transform(rings()[0]), plain.transform(rings()[0]))
    X, y = load_iris(return_X_y=True)
    scores = {knots: cross_val_score(VanishingIdealClassifier(1.2, knots=knots), X, y,
                                     cv=StratifiedKFold(3, shuffle=True, random_state=0)).mean() for knots in (False, True)}
    chosen = VanishingIdealClassifier(1.2).fit(X, y)
    assert chosen.knots_used_ == (scores[True] >= scores[False])
    assert VanishingIdealClassifier(1.2, knots=True).fit(X, y).knotting_ratio_ < 0.15        # they do merge there


@pytest.mark.parametrize("estimator", [VanishingIdealClassifier(), VanishingIdealRegressor(), KnotReducer(), KnottedIdeal()])
def test_sparse_samples_are_refused_in_words(estimator):
    with pytest.raises(TypeError, match="dense.*sparse.*toarray"):
        estimator.fit(csr_matrix(np.eye(6)), [0, 1] * 3)


def test_sigma_is_the_training_residual_in_every_normalization():
    X, y = load_iris(return_X_y=True)
    for options in ({}, {"knots": False}, {"normalization": "vca", "epsilon": 2.0, "knots": False}):
        model = VanishingIdealClassifier(**options).fit(X, y)
        own = np.array([model.explain(x)[0].sigmas for x in X[y == 0]])
        np.testing.assert_allclose(np.mean(own**2), 1.0, rtol=0.02)


def test_long_equations_are_cut_and_say_so():
    X, y = load_wine(return_X_y=True)
    text = str(VanishingIdealClassifier(max_degree=2).fit(X, y).explain(X[0]))
    assert " smaller terms = " in text and "(standardized variables)" in text and max(map(len, text.splitlines())) < 300


def test_long_equations_are_told_by_the_terms_that_count_most():
    """10 a - b / 10 + c / 5000 = 3 / 100; a, b, c have spreads 1/1000, 1 and 100, and means 0, 1 and 0: in standard deviations
    z_a / 100 - z_b / 10 + z_c / 50 = 13 / 100, so b counts most and a least."""
    terms = {(1, 0, 0): Fraction(10), (0, 1, 0): Fraction(-1, 10), (0, 0, 1): Fraction(1, 5000), (0, 0, 0): Fraction(-3, 100)}
    units = Units(np.array([0.0, 1.0, 0.0]), np.array([1e-3, 1.0, 100.0]))
    line = SimpleNamespace(terms=terms, degree=1, variables=symbols("a b c"))
    assert feature_name(line, 3, units) == "g3 = |a - 0.01*b + 2.0e-5*c - 0.003|"
    assert equation_text(line, units) == "a - 0.01*b + 2.0e-5*c = 0.00300"
    long = SimpleNamespace(terms=terms, degree=1, variables=symbols(["a" * 40, "b" * 40, "c" * 40]))
    assert feature_name(long, 3, units) == f"g3 = |{'b' * 40} + 2 smaller terms + 1.3|"
    longer = SimpleNamespace(terms=terms, degree=1, variables=symbols(["a" * 60, "b" * 60, "c" * 60]))
    assert equation_text(longer, units) == f"{'b' * 60} - 0.2*{'c' * 60} + 1 smaller term = -1.3 (standardized variables)"
    assert largest_terms(long, units, 200) == (f"{'b' * 40} - 0.2*{'c' * 40} - 0.1*{'a' * 40}", -1.3)


def test_no_class_sees_another():
    X, y = load_iris(return_X_y=True)
    changed = np.where((y == 2)[:, None], 1000 * X[:, ::-1] + 7, X)
    first, second = (VanishingIdealClassifier(knots=True).fit(data, y).ideals_ for data in (X, changed))
    alone = KnottedIdeal().fit(X[y == 0]).ideal_
    for label in (0, 1):
        np.testing.assert_array_equal(first[label].evaluate(X), second[label].evaluate(X))
    np.testing.assert_array_equal(first[0].evaluate(X), alone.evaluate(X))
    assert not np.array_equal(first[2].evaluate(X), second[2].evaluate(X))


def test_without_knots_it_is_vanishing_component_analysis():
    X, y = load_iris(return_X_y=True)
    model = VanishingIdealClassifier(0.8, knots=False).fit(X, y)
    expected = np.hstack([VCA(0.8).fit(X[y == c]).transform(X) for c in range(3)])
    np.testing.assert_allclose(model.transform(X), expected, rtol=1e-12, atol=1e-14)
    assert model.knotting_ratio_ > 0.9                                 # duplicates apart, each point is its own knot


def test_upper_half_by_degree():
    X, y = load_iris(return_X_y=True)
    full, half = (VanishingIdealClassifier(knots=False, upper_half=flag).fit(X, y) for flag in (False, True))
    for label in full.classes_.tolist():
        everything = full.polynomials_[label]
        kept = [g.degree for g in half.polynomials_[label]]
        assert kept == [g.degree for g in everything][len(everything) // 2:]
    assert half.transform(X).shape == (len(X), half.n_features_out_) == (len(X), len(half.get_feature_names_out()))


@pytest.mark.parametrize("load, accuracy", [(load_iris, 0.94), pytest.param(load_wine, 0.93, marks=pytest.mark.slow)])
def test_half_of_the_features_are_as_good(load, accuracy):
    X, y = load(return_X_y=True)
    splits = StratifiedShuffleSplit(5, train_size=0.6, random_state=0)
    full, half = (cross_val_score(VanishingIdealClassifier(keep=keep), X, y, cv=splits) for keep in (None, 0.5))
    assert full.mean() > accuracy
    assert half.mean() > full.mean() - 0.02


def test_keep_counts_features():
    X, y = load_iris(return_X_y=True)
    everything = VanishingIdealClassifier(knots=True).fit(X, y)
    model = VanishingIdealClassifier(keep=3, knots=True).fit(X, y)
    assert model.n_features_out_ == model.transform(X).shape[1] == sum(map(len, model.polynomials_.values())) == 3
    table = pd.DataFrame(everything.transform(X), columns=everything.get_feature_names_out())
    np.testing.assert_allclose(model.transform(X), table[model.get_feature_names_out()], rtol=1e-10, atol=1e-12)
    for wrong in (0, 1.5, True, "half", -1):
        with pytest.raises(symknot.InvalidOption, match="keep must be None, a whole number >= 1 or a fraction"):
            VanishingIdealClassifier(keep=wrong).fit(X, y)


def test_selection_begins_with_anova_and_skips_repetitions():
    X, y = load_wine(return_X_y=True)
    assert most_discriminating(X, y, 1).tolist() == [np.argmax(f_classif(X, y)[0])]
    balanced, labels = load_iris(return_X_y=True)
    assert most_discriminating(balanced, labels, 1).tolist() == [np.argmax(f_classif(balanced, labels)[0])]
    doubled = np.hstack([X, 2 * X + 1])
    chosen = most_discriminating(doubled, y, 26)
    assert len(chosen) == 13 and len(set(chosen % 13)) == 13
    assert most_discriminating(np.ones((4, 3)), np.array([0, 0, 1, 1]), 2).tolist() == [0]
    assert wanted_count(1.0, 7) == 7 and wanted_count(1, 7) == 1


def test_any_final_estimator():
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(20, random_state=0)
    model = VanishingIdealClassifier(final_estimator=forest).fit(X, y)
    assert model.predict_proba(X).shape == (150, 3) and not hasattr(model, "decision_function")
    assert not hasattr(forest, "classes_")                              # it was cloned
    plain = VanishingIdealClassifier().fit(X, y)
    assert plain.decision_function(X).shape == (150, 3) and plain.predict_proba(X).shape == (150, 3)


@pytest.mark.parametrize("names", [np.array(["ä", "b b"]), np.array([7, -1]), np.array([True, False]),
                                   np.array(["x", "y"], dtype=object)])
def test_labels_of_any_type(names):
    X, y = rings()
    for estimator in (VanishingIdealClassifier(0.2), KnotNeighborsClassifier(0.2)):
        estimator.fit(X, names[y])
        assert estimator.predict(X).dtype == names.dtype
        assert estimator.score(X, names[y]) > 0.95
        assert set(estimator.ideals_) == set(names.tolist())


# bad input

def test_a_class_of_one_sample():
    X, y = blobs([[0, 0], [5, 5]])
    X, y = np.vstack([X, [[10, 0]]]), np.append(y, 2)
    model = VanishingIdealClassifier().fit(X, y)
    assert model.predict([[10, 0], [0, 0.1], [5, 5.1]]).tolist() == [2, 0, 1]
    assert model.ideals_[2].knots.tolist() == [[10, 0]]
    reducer = KnotReducer().fit(X, y)
    assert reducer.knot_weights_[reducer.knot_labels_ == 2].tolist() == [1.0]


def test_a_rare_class_has_equations_of_its_own():
    """15 samples beside 2000, on circles that overlap: balanced weights are enough to find most of the rare ones."""
    rng = np.random.default_rng(0)

    def overlapping(common, rare):
        y = np.repeat([0, 1], [common, rare])
        angle, radius = rng.uniform(0, 2 * np.pi, len(y)), np.where(y, 1.3, 1.0) + 0.08 * rng.normal(size=len(y))
        return np.c_[radius * np.cos(angle), radius * np.sin(angle)], y
    X, y = overlapping(2000, 15)
    weighted = make_pipeline(StandardScaler(), LinearSVC(C=0.1, class_weight="balanced"))
    model = VanishingIdealClassifier(final_estimator=weighted).fit(X, y)
    T, t = overlapping(1000, 1000)
    predicted = model.predict(T)
    assert np.mean(predicted[t == 1] == 1) > 0.8 and np.mean(predicted[t == 0] == 0) > 0.9


def test_fewer_samples_than_variables():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(4, 9)), 3 + rng.normal(size=(5, 9))])
    y = np.repeat(["few", "too few"], [4, 5])
    model = VanishingIdealClassifier().fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.predict(3 + rng.normal(size=(20, 9))).tolist().count("too few") >= 18


def test_a_class_without_equations_is_named_and_the_others_decide():
    t = np.linspace(-1, 1, 40)
    line = np.c_[t, 2 * t]
    X, y = np.vstack([line, cloud(60, seed=2)]), np.repeat(["line", "cloud"], [40, 60])
    message = "class 'cloud': no vanishing polynomial found; .*raise epsilon"
    with pytest.warns(NoPolynomialWarning, match=message) as caught:
        model = VanishingIdealClassifier(0.01).fit(X, y)
    assert len(caught) == 1 and caught[0].filename == __file__
    assert model.score(X, y) > 0.8
    assert model.polynomials_["cloud"] == ()
    assert str(model.explain([0.5, 1.0])).endswith("class 'cloud': no equation")


@pytest.mark.filterwarnings("ignore::symknot.estimators.NoPolynomialWarning")
def test_without_any_equation_the_variables_are_the_features():
    X = pd.DataFrame(np.vstack([cloud(60), cloud(60, seed=1) + 6]), columns=["a", "b"])
    y = np.repeat([0, 1], 60)
    model = VanishingIdealClassifier(0.01, keep=0.5).fit(X, y)
    np.testing.assert_array_equal(model.transform(X), X)
    assert list(model.get_feature_names_out()) == ["a", "b"]
    assert model.score(X, y) == 1.0
    empty = KnottedIdeal(0.01).fit(X)
    assert empty.transform(X).shape == (120, 0) and len(empty.get_feature_names_out()) == 0
    reducer = KnotReducer(0.01, size="equations").fit(X, y)
    np.testing.assert_array_equal(reducer.knots_, X)


@pytest.mark.parametrize("estimator", [VanishingIdealClassifier(), KnottedIdeal(), VCA(), KnotReducer()])
def test_what_cannot_be_used_is_refused_in_words(estimator):
    X, y = rings()
    with pytest.raises(ValueError, match="Input X contains NaN"):
        clone(estimator).fit(np.where(X > 1, np.nan, X), y)
    with pytest.raises(symknot.InvalidOption, match="epsilon must be a positive number"):
        clone(estimator).set_params(epsilon=-1).fit(X, y)
    if hasattr(estimator, "transform"):
        with pytest.raises(ValueError, match="X has 3 features, but .* is expecting 2 features"):
            clone(estimator).fit(X, y).transform(np.c_[X, X[:, 0]])


def test_a_number_for_each_sample_is_no_label():
    with pytest.raises(ValueError, match="Unknown label type"):
        VanishingIdealClassifier().fit(cloud(20), np.linspace(0, 1, 20))


# prototypes

def test_three_blobs_become_three_knots():
    centers = [[0, 0], [4, 0], [0, 4]]
    X, y = blobs(centers)
    reducer = KnotReducer(epsilon=1.5)
    knots, labels = reducer.fit_resample(X, y)
    np.testing.assert_allclose(knots, centers, atol=0.05)
    assert (labels.tolist(), reducer.sample_weight_.tolist()) == ([0, 1, 2], [30.0] * 3)
    assert KNeighborsClassifier(1).fit(knots, labels).score(X, y) == 1.0


@pytest.mark.parametrize("load, epsilon, ratio, accuracy", [
    (load_iris, 1.2, 0.15, 0.94), pytest.param(load_wine, 1.2, 0.35, 0.92, marks=pytest.mark.slow)])
def test_nearest_knot(load, epsilon, ratio, accuracy):
    X, y = load(return_X_y=True)
    model = make_pipeline(StandardScaler(), KnotNeighborsClassifier(epsilon))
    splits = StratifiedShuffleSplit(5, train_size=0.6, random_state=0)
    assert cross_val_score(model, X, y, cv=splits).mean() > accuracy
    reducer = model.fit(X, y)[-1]
    assert reducer.knotting_ratio_ < ratio
    assert reducer.knot_weights_.sum() == pytest.approx(len(X))


# inside scikit-learn

def test_a_grid_search_over_epsilon_in_a_pipeline():
    X, y = rings(120)
    pipeline = make_pipeline(StandardScaler(), VanishingIdealClassifier(standardize=False))
    grid = {"vanishingidealclassifier__epsilon": [0.1, 0.3], "vanishingidealclassifier__knots": [True, False]}
    search = GridSearchCV(pipeline, grid, cv=3).fit(X, y)
    assert search.best_score_ > 0.95


def test_transformers_in_a_pipeline():
    X, y = load_iris(return_X_y=True)
    for transformer in (KnottedIdeal(epsilon=0.3), VCA()):
        assert cross_val_score(make_pipeline(transformer, KNeighborsClassifier()), X, y, cv=3).mean() > 0.45


def test_clones_and_pickles():
    X, y = load_iris(return_X_y=True)
    model = VanishingIdealClassifier(knotting=symknot.Projection(max_steps=40), keep=0.5).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))
    assert str(again.explain(X[0])) == str(model.explain(X[0]))
    assert clone(model).get_params()["knotting"] == model.knotting


def test_classes_in_parallel_give_the_same():
    X, y = load_iris(return_X_y=True)
    one, two = (VanishingIdealClassifier(n_jobs=jobs).fit(X, y) for jobs in (1, 2))
    np.testing.assert_array_equal(one.transform(X), two.transform(X))


def test_a_table_as_output_does_not_disturb_predictions():
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = VanishingIdealClassifier().set_output(transform="pandas").fit(X, y)
    assert model.score(X, y) > 0.95
    assert list(model.transform(X).columns) == list(model.get_feature_names_out())


# without scikit-learn

def run(script):
    return subprocess.run([sys.executable, "-c", script], cwd=ROOT, timeout=120, capture_output=True, text=True)


def test_importing_symknot_leaves_scikit_learn_alone():
    assert run("import sys, symknot; sys.exit('sklearn' in sys.modules)").returncode == 0


def test_without_scikit_learn_the_extra_is_named():
    result = run("import sys; sys.modules['sklearn'] = None\nimport symknot.estimators")
    assert 'MissingExtra: needs scikit-learn: pip install "symknot[sklearn]"' in result.stderr


def test_a_class_with_fewer_samples_than_polynomials_gets_no_high_degree():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)) @ rng.normal(size=(3, 40)) + 0.1 * rng.normal(size=(60, 40))
    y = np.repeat([0, 1], 30)
    X[y == 1, 0] += 3.0
    model = VanishingIdealClassifier(knots=False).fit(X, y)                  # 861 polynomials up to degree 2
    assert {g.degree for ideal in model.ideals_.values() for g in ideal.polynomials} == {1}
    assert not knots_are_quick(np.zeros((3000, 57)), np.repeat([0, 1], 1500), 2)
    assert knots_are_quick(np.zeros((150, 4)), np.repeat([0, 1, 2], 50), 2)
