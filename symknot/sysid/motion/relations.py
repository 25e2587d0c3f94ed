r"""Algebraic relations among the states: what the joint estimate takes in beside the equations of motion, and what they make
of candidate terms.

A *constraint* :math:`g(x_i) = 0` holds at every state of every run; an *invariant* has one value along each,
:math:`g(x_{i+1}) - g(x_i) = 0`.  Both are further defects (see `joint`).  True equations of motion keep them anyway, so that
the defects are nearly dependent; each is therefore allowed a hundredth of what the noise of the states makes of it, which is no
constraint to speak of for a rounding error, and a tight one for everything else.

Modulo constraints a right-hand side can be written in many ways: x' = u and x' = u*x**2 + u*y**2 are one on the circle.  Sets
of terms that span the same functions there (`same_modulo`) are one model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...ground.linalg import singular_values, svd
from ...polynomials.evaluation import evaluate_monomials
from ...polynomials.monomials import monomials
from .fields import Field

RELATION_SHARE = 0.01
"""Standard deviation that relations are allowed, in that of what noise makes of them: smaller than anything the data can tell,
and its square, 1e-4, leaves the estimate's normal matrix all but four digits."""
SAME_SPAN = 1e-6
"""Share of a term that must be left beside others for it to be something new: roots of rounding errors are below it."""


@dataclass(frozen=True, eq=False)
class Relation:
    """A polynomial in the states.

    Attributes
    ----------
    exponents : (m, s) int array
        A column for each state of the estimate.
    coefficients : (m,) array
    is_constant : bool
        Whether it only keeps its value along each run; else it is zero.

    Examples
    --------
    >>> circle = Relation(np.array([[2, 0], [0, 2], [0, 0]]), np.array([1.0, 1.0, -1.0]))
    >>> [part.tolist() for part in circle.values_and_slopes(np.array([[0.0, 2.0], [1.0, 0.0]]))]
    [[0.0, 3.0], [[0.0, 4.0], [2.0, 0.0]]]
    """

    exponents: np.ndarray
    coefficients: np.ndarray
    is_constant: bool = False

    def values_and_slopes(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values (N,) and derivatives by the states (s, N), at states (s, N)."""
        values, slopes = evaluate_monomials(states.T, self.exponents)
        return values @ self.coefficients, (slopes @ self.coefficients).T


def with_relations(defects: Any, relations: Sequence[Relation], states: np.ndarray, variance: np.ndarray) -> Any:
    """Defects (`dynamics.Defects`) of one run and, below them, those of relations at the end of each step.

    Parameters
    ----------
    defects : Defects
    relations : sequence of Relation
    states : (s, N) array
    variance : (s,) array
        Of the states' noise.
    """
    m, (_, width, n) = len(relations), defects.blocks[0].shape
    reach, by = len(defects.blocks) - 1, defects.by_coefficient
    values, allowed = np.zeros((m, n)), np.zeros(m)
    more = [np.zeros((m, width, n)) for _ in defects.blocks]
    for k, relation in enumerate(relations):
        s = relation.exponents.shape[1]
        g, slopes = relation.values_and_slopes(states[:s])
        values[k], more[-1][k, :s] = g[reach: reach + n], slopes[:, reach: reach + n]
        allowed[k] = RELATION_SHARE**2 * np.mean(np.sum(slopes**2 * variance[:s, None], axis=0))
        if relation.is_constant:
            values[k] -= g[reach - 1: reach - 1 + n]
            more[-2][k, :s] -= slopes[:, reach - 1: reach - 1 + n]
            allowed[k] /= max(n, 1)
    own, rows = variance if defects.scale is None else defects.scale, len(defects.values)
    return replace(defects, values=np.vstack([defects.values, values]),
                   blocks=tuple(np.concatenate([a, b]) for a, b in zip(defects.blocks, more)),
                   by_coefficient=np.concatenate([by, np.zeros((m, *by.shape[1:]))]),
                   scale=np.r_[own[:rows], allowed / RELATION_SHARE**2],
                   allowed=np.r_[np.zeros(rows) if defects.allowed is None else defects.allowed, allowed])


def same_modulo(relations: Sequence[Relation], one: Field, two: Field) -> bool:
    """Whether two fields span the same right-hand sides where the constraints hold: one model, written in two ways.

    Examples
    --------
    >>> circle = Relation(np.array([[2, 0], [0, 2], [0, 0]]), np.array([1.0, 1.0, -1.0]))
    >>> def field(*terms):
    ...     return Field(2, 2, (np.array(terms),), (np.array([], dtype=int),), (0,))
    >>> same_modulo([circle], field(0, 3), field(0, 5)), same_modulo([circle], field(0), field(3))    # 1, x^2; 1, y^2; x^2
    (True, False)
    """
    constraints = [relation for relation in relations if not relation.is_constant]
    if not constraints or not (one.is_polynomial and two.is_polynomial) or one.functions != two.functions:
        return False
    exponents = monomials(one.factors, max(one.degree, two.degree)).exponents
    places = {tuple(row): k for k, row in enumerate(exponents.tolist())}
    left = np.eye(len(exponents)) - _projection(constraints, exponents, places)

    def spans(field: Field, j: int) -> np.ndarray:
        return left[:, [places[tuple(row)] for row in field.exponents[field.numerators[j]].tolist()]]

    return all(_rank(a) == _rank(b) == _rank(np.hstack([a, b]))
               for a, b in ((spans(one, j), spans(two, j)) for j in range(one.equations)))


def _projection(constraints, exponents, places):
    """Onto the multiples of constraints among the polynomials of these monomials."""
    top, rows = int(exponents.sum(axis=1).max()), []
    for relation in constraints:
        pad = np.zeros((len(relation.exponents), exponents.shape[1]), dtype=int)
        pad[:, : relation.exponents.shape[1]] = relation.exponents
        room = top - int(pad.sum(axis=1).max())
        for shift in exponents[exponents.sum(axis=1) <= room] if room >= 0 else ():
            row = np.zeros(len(exponents))
            row[[places[tuple(e)] for e in (pad + shift).tolist()]] = relation.coefficients
            rows.append(row / np.linalg.norm(row))
    if not rows:
        return np.zeros((len(exponents),) * 2)
    _, sizes, vectors = svd(np.array(rows))
    kept = vectors[sizes > SAME_SPAN * sizes[0]]
    return kept.T @ kept


def _rank(columns):
    return int(np.sum(singular_values(columns) > SAME_SPAN)) if columns.size else 0
