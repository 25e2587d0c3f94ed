"""Table 2 at the paper's own sizes: one nearest neighbour among knots that tell classes apart, as many as the paper's knots.

The rows of Table 2 choose how many knots there are, and on some runs keep nearly all points.  Here the number is given: the
paper's knotting ratio of each data set.  `symknot.estimators.KnotReducer` makes the knots, from the training part alone;
k-means gets as many centroids in each class.  Variables are standardized and distances Euclidean, as in the paper; the splits
are those of the tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

from ..estimators.prototypes import KnotReducer
from .datasets import NAMES, load_dataset
from .protocol import KMEANS_STARTS, split
from .tables import PUBLISHED, Layout

ROW = "knots_apart"
RATIOS = Layout("Table 2 at the paper's knotting ratios", (ROW,), ("knots", "centroids", "points", "knotting_ratio"))


def run_ratios(names: Sequence[str] = NAMES, runs: int = 10, seed: int = 0) -> dict[str, list[dict[str, Any]]]:
    """Records as `symknot.paper.tables` prints them: data set -> runs."""
    return {name: [{ROW: _measured(*split(*load_dataset(name), seed, run), PUBLISHED[name, "knots_proposed"]["knotting_ratio"],
                                   seed)} for run in range(runs)] for name in names}


def _measured(X, y, X_test, y_test, ratio, seed):
    scaler = StandardScaler().fit(X)
    A, B = scaler.transform(X), scaler.transform(X_test)
    reducer = KnotReducer(size=float(ratio)).fit(A, y)
    counts = [int(np.sum(reducer.knot_labels_ == label)) for label in reducer.classes_]
    centers = np.vstack([KMeans(count, n_init=KMEANS_STARTS, random_state=seed).fit(A[y == label]).cluster_centers_
                         for label, count in zip(reducer.classes_, counts)])

    def score(prototypes, labels):
        return float(KNeighborsClassifier(1).fit(prototypes, labels).score(B, y_test))
    return {"knots": score(reducer.knots_, reducer.knot_labels_), "points": score(A, y),
            "centroids": score(centers, np.repeat(reducer.classes_, counts)), "knotting_ratio": reducer.knotting_ratio_}
