"""What estimators take and hand on: data files through the common door, samples for imbalanced-learn's pipelines."""

import numpy as np
import pandas as pd
import pytest
from imblearn.pipeline import Pipeline
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

from symknot import InvalidOption, InvalidPoints
from symknot.estimators import (
    VCA,
    CompactSVC,
    KnotNeighborsClassifier,
    KnotReducer,
    KnottedIdeal,
    VanishingIdealClassifier,
    VanishingIdealRegressor,
)
from symknot.ground.errors import OutOfRange

FLOWERS = load_iris(as_frame=True).data.set_axis(["sepal length", "sepal width", "petal length", "petal width"], axis=1)
KINDS = load_iris().target_names[load_iris().target]


@pytest.fixture
def path(tmp_path):
    FLOWERS.to_csv(tmp_path / "flowers.csv", index=False)
    return tmp_path / "flowers.csv"


# data files


@pytest.mark.parametrize("estimator", [VanishingIdealClassifier(), KnotNeighborsClassifier(), KnottedIdeal(), VCA()])
def test_files_frames_lists_and_arrays_agree(estimator, path):
    use = "predict" if hasattr(estimator, "predict") else "transform"
    wanted = getattr(clone(estimator).fit(FLOWERS, KINDS), use)(FLOWERS)
    for given in (path, str(path), FLOWERS.to_numpy(), FLOWERS.to_numpy().tolist()):
        np.testing.assert_array_equal(getattr(clone(estimator).fit(given, KINDS), use)(given), wanted)
    from_file = clone(estimator).fit(path, KINDS)
    assert list(from_file.feature_names_in_) == list(FLOWERS.columns) and from_file.n_features_in_ == 4
    np.testing.assert_array_equal(getattr(from_file, use)(FLOWERS), wanted)


def test_the_columns_of_a_file_must_be_those_of_fit(path, tmp_path):
    model = KnotNeighborsClassifier().fit(path, KINDS)
    FLOWERS[FLOWERS.columns[::-1]].to_csv(tmp_path / "turned.csv", index=False)
    with pytest.raises(InvalidPoints, match="columns must be those seen by fit, sepal length, .*; got petal width, "):
        model.predict(tmp_path / "turned.csv")
    FLOWERS.iloc[:, :3].to_csv(tmp_path / "bare.csv", index=False, header=False)
    with pytest.raises(ValueError, match="X has 3 features, but KnotNeighborsClassifier is expecting 4 features"):
        KnotNeighborsClassifier().fit(FLOWERS.to_numpy(), KINDS).predict(tmp_path / "bare.csv")
    FLOWERS.to_csv(tmp_path / "bare.csv", index=False, header=False)
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        predicted = model.predict(tmp_path / "bare.csv")
    np.testing.assert_array_equal(predicted, model.predict(FLOWERS))


def test_what_is_wrong_with_a_file_is_said_with_its_line(tmp_path):
    (tmp_path / "gap.csv").write_text("x,y\n1,2\n3,\n5,6\n", encoding="utf-8")
    with pytest.raises(InvalidPoints, match="line 3, column 'y': must be a number, got ''"):
        KnottedIdeal().fit(tmp_path / "gap.csv")


# samples for imbalanced-learn


def test_a_reducer_is_a_step_of_imbalanced_learn_pipelines():
    X, y = FLOWERS.to_numpy(), KINDS
    pipeline = Pipeline([("scale", StandardScaler()), ("knots", KnotReducer(1.2)), ("nearest", KNeighborsClassifier(1))])
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.9
    pipeline.fit(X, y)
    knots = pipeline["knots"]
    assert pipeline["nearest"].n_samples_fit_ == len(knots.knots_) < len(X) / 5
    assert knots.sample_weight_.shape == (len(knots.knots_),) and knots.sample_weight_.sum() == pytest.approx(len(X))
    assert set(pipeline.predict(X)) == set(y)                  # what is predicted are the samples, not the knots
    assert len(pipeline.predict(X)) == len(X)


def test_frames_stay_frames_on_their_way_through_a_pipeline():
    steps = [("knots", KnotReducer(1.2)), ("svm", LogisticRegression(max_iter=1000))]
    pipeline = Pipeline(steps).fit(FLOWERS, pd.Series(KINDS, name="kind", dtype="category"))
    assert list(pipeline["svm"].feature_names_in_) == list(FLOWERS.columns)
    assert pipeline.score(FLOWERS, KINDS) > 0.9


def test_samples_come_back_in_the_type_they_came_in():
    labels = pd.Series(KINDS, name="kind", dtype="category")
    reducer = KnotReducer(1.2)
    X, y = reducer.fit_resample(FLOWERS, labels)
    assert isinstance(X, pd.DataFrame) and list(X.columns) == list(FLOWERS.columns)
    assert isinstance(y, pd.Series) and y.name == "kind" and y.dtype == labels.dtype
    np.testing.assert_array_equal(X, reducer.knots_)
    assert y.tolist() == reducer.knot_labels_.tolist()
    for plain in reducer.fit_resample(FLOWERS.to_numpy().tolist(), KINDS.tolist()):
        assert type(plain) is np.ndarray


def test_numbers_to_predict_may_be_yes_and_no_but_no_words():
    """numpy's errors about `-` of booleans and of words came out."""
    X = np.random.default_rng(0).normal(size=(40, 2))
    yes = X[:, 0] > 0
    np.testing.assert_array_equal(VanishingIdealRegressor().fit(X, yes).predict(X),
                                  VanishingIdealRegressor().fit(X, yes.astype(float)).predict(X))
    with pytest.raises(InvalidOption, match="y must be a number for each sample, got 'no'"):
        VanishingIdealRegressor().fit(X, np.array(["no", "yes"] * 20))


@pytest.mark.parametrize("far", [lambda X: X + 1e16, lambda X: np.c_[X, np.full(40, 1e17)]], ids=["all", "a constant"])
def test_a_sparse_rule_far_from_zero(far):
    """A feature and the constant are one to rounding: LinAlgError."""
    X = np.random.default_rng(0).normal(scale=1e3, size=(40, 2))
    for most in (None, 1):
        rule = CompactSVC(most=most).fit(far(X), X[:, 0] > 0)
        assert np.isfinite(rule.coef_).all() and rule.score(far(X), X[:, 0] > 0) >= 0.5
    with pytest.raises(OutOfRange, match="beyond the range"):
        CompactSVC().fit(1e300 * X, X[:, 0] > 0)


def test_one_class_is_refused_in_words():
    with pytest.raises(ValueError, match="at least 2 classes, got 1 class: 'a'"):
        VanishingIdealClassifier().fit([[0.0, 1.0], [1.0, 2.0], [3.0, 1.0]], ["a"] * 3)


# odd data

RING = np.c_[np.cos(np.arange(40)), np.sin(np.arange(40))]
TWO_RINGS, WHICH = np.vstack([RING, 2 * RING]), np.repeat([0, 1], 40)


@pytest.mark.parametrize("estimator", [VanishingIdealClassifier(), VanishingIdealRegressor(), KnotNeighborsClassifier(), VCA()])
@pytest.mark.parametrize("X, words", [
    (np.ma.masked_array(TWO_RINGS, mask=TWO_RINGS > 1.9), "got [0-9]+ masked values; leave their samples out, or fill them in"),
    ((1000 * TWO_RINGS).astype("datetime64[s]"), "got dates or durations; convert them to seconds"),
    ([[10**400, 1]] * 80, "must be numbers within the range of floats")], ids=["masked", "dates", "huge integers"])
def test_what_scikit_learn_would_drop_in_silence_is_refused(estimator, X, words):
    with pytest.raises(InvalidPoints, match=words):
        clone(estimator).fit(X, WHICH)
    learned = clone(estimator).fit(np.ma.masked_array(TWO_RINGS), WHICH)
    with pytest.raises(InvalidPoints, match=words):
        (learned.predict if hasattr(learned, "predict") else learned.transform)(X)


@pytest.mark.parametrize("X", [np.full((80, 2), 0.1), TWO_RINGS > 0, TWO_RINGS + 1e16], ids=["equal", "yes and no", "far away"])
def test_samples_of_two_classes_at_one_place_tell_knots_apart_without_infinite_slopes(X):
    """Warnings are errors in this suite."""
    assert np.isin(KnotNeighborsClassifier().fit(X, WHICH).predict(X), [0, 1]).all()
    knots, labels = KnotReducer().fit_resample(X, WHICH)
    assert np.isfinite(knots.astype(float)).all() and set(labels) <= {0, 1}
