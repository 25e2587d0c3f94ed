r"""Probabilities from decision values: one temperature.

A linear SVM has decision values :math:`d_c(x)` and no probabilities.  With

.. math:: p_c(x) = \frac{e^{d_c(x) / T}}{\sum_k e^{d_k(x) / T}}

(of two classes with one value d: :math:`p = 1 / (1 + e^{-d / T})`) the most probable class is the predicted one, whatever T.
T is the one of the largest likelihood of the training labels, with decision values from estimators that have not seen the
sample (`FOLDS` folds): values on samples that a margin was fitted to are too large.

C. Guo, G. Pleiss, Y. Sun, K. Weinberger, *On calibration of modern neural networks*, ICML (2017).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, cross_val_predict

FOLDS = 3
"""Folds that decision values come from: those of the papers' cross-validation."""
LOGARITHMS = (-7.0, 7.0)
"""Natural logarithms of temperatures that are looked at, relative to the size of the decision values: from certain to
undecided."""


def logits(decisions: np.ndarray) -> np.ndarray:
    """Decision values with a column for each class.

    Examples
    --------
    >>> logits(np.array([2.0, -1.0])).tolist()
    [[0.0, 2.0], [0.0, -1.0]]
    """
    return np.column_stack([np.zeros(len(decisions)), decisions]) if decisions.ndim == 1 else decisions


def probabilities(decisions: np.ndarray, temperature: float) -> np.ndarray:
    """(n, classes) probabilities of decision values."""
    return softmax(logits(decisions) / temperature, axis=1)


def temperature_of(estimator: Any, F: np.ndarray, y: np.ndarray, codes: np.ndarray) -> float:
    """The temperature of a final estimator with decision values, from its training samples."""
    folds = min(FOLDS, int(np.bincount(codes).min()))
    if folds >= 2:
        shuffled = StratifiedKFold(folds, shuffle=True, random_state=0)
        decisions = logits(cross_val_predict(clone(estimator), F, y, cv=shuffled, method="decision_function"))
    else:
        decisions = logits(estimator.decision_function(F))      # a class of one sample cannot be left out
    return likeliest_temperature(decisions, codes)


def likeliest_temperature(decisions: np.ndarray, codes: np.ndarray) -> float:
    """T of the largest likelihood.

    Examples
    --------
    >>> decisions = np.array([[0.0, 1.0]] * 4)                       # 3 of 4 are of class 1, so p = 3/4 and T = 1 / log 3
    >>> round(likeliest_temperature(decisions, np.array([1, 1, 1, 0])), 3)
    0.91
    """
    size = float(np.abs(decisions).max()) or 1.0
    rows = np.arange(len(codes))

    def cost(logarithm: float) -> float:
        return -float(log_softmax(decisions / (size * np.exp(logarithm)), axis=1)[rows, codes].mean())
    return size * float(np.exp(minimize_scalar(cost, bounds=LOGARITHMS, method="bounded").x))
