"""Polynomials in hundreds of bits: what every other form of them is measured against."""

from fractions import Fraction
from itertools import combinations_with_replacement
from math import prod
from operator import mul

import mpmath
import numpy as np

import symknot
from symknot.fitting.recursion import Layer, Products, Recursion
from symknot.polynomials.monomials import count

BITS = 600


def exact_values(ideal, x):
    """Values of the ideal's polynomials at x, and for each the size of the terms of its last sum: two lists of mpf.

    The recursion's doubles, the centre, the scale and x are taken as exact.
    """
    with mpmath.workprec(BITS):
        u = [(mpmath.mpf(a) - c) / s for a, c, s in zip(x, ideal.center.tolist(), ideal.scale.tolist())]
        F, values, sizes = [[mpmath.mpf(ideal.recursion.constant)]], [], []
        for t, layer in enumerate(ideal.recursion.layers, start=1):
            basis = [f for part in F for f in part]
            basis += u if t == 1 else [F[1][i] * F[t - 1][j] for i, j in zip(layer.products.left, layer.products.right)]
            values += [mpmath.fdot(column, basis) for column in layer.G.T.tolist()]
            sizes += [mpmath.fsum(map(mul, column, basis), absolute=True) for column in layer.G.T.tolist()]
            F.append([mpmath.fdot(column, basis) for column in layer.F.T.tolist()])
        order, unit = [g._place for g in ideal.polynomials], mpmath.mpf(ideal.unit)
        return [unit * values[i] for i in order], [unit * sizes[i] for i in order]


def value_of_terms(terms, x):
    """The value at x of exponent tuple -> Fraction: exact, then rounded to mpmath's precision."""
    x = [Fraction(a) for a in x]
    total = sum((c * prod((a**e for a, e in zip(x, exponents)), start=Fraction(1)) for exponents, c in terms.items()),
                start=Fraction(0))
    return mpmath.mpf(total.numerator) / total.denominator


def vanishing_on(d, degree, seed=0, mean=0.0, spread=1.0, **options):
    """The ideal of scattered points, as many as leave it one to six equations of `degree` and none below."""
    rng = np.random.default_rng(seed)
    space = count(d, degree)
    n = max(space - min(6, space - count(d, degree - 1)), 2)
    points = rng.uniform(-1, 1, size=(n, d))
    if d == 1:  # points that come close to each other are a different matter
        points = np.linspace(-1, 1, n)[:, None] + 0.3 / n * points
    return symknot.vca(mean + spread * points, 1e-7 * spread, max_degree=degree, **options)


def made_by_hand(d, degree, equations, seed=0, center=0.0, scale=1.0, names=None):
    """An ideal around a recursion of random numbers: all monomials, `equations` polynomials of the highest degree."""
    rng = np.random.default_rng(seed)
    variables = Products(np.arange(d), np.zeros(d, int), np.eye(d))
    recursion = Recursion(d, 1.0)
    for t in range(1, degree + 1):
        products = variables
        if t > 1:
            words = {word: a for a, word in enumerate(combinations_with_replacement(range(d), t - 1))}
            pairs = [(word[0], words[word[1:]]) for word in combinations_with_replacement(range(d), t)]
            products = Products(*np.array(pairs).T, np.zeros((0, 0)))
        rows, own = sum(recursion.sizes) + len(products.left), len(products.left)
        F = np.vstack([0.1 * rng.normal(size=(rows - own, own)), np.eye(own)]) if t < degree else np.zeros((rows, 0))
        G = rng.normal(size=(rows, equations if t == degree else 0))
        recursion = recursion.with_layer(Layer(products, F, G, np.ones(F.shape[1], bool)))
    names = tuple(names or (f"x{j}" for j in range(d)))
    center, scale = np.full(d, float(center)), np.full(d, float(scale))
    knots = center + scale * rng.uniform(-1, 1, size=(20, d))
    return symknot.Ideal(
        names=names, center=center, scale=scale, unit=1.0, normalization="gradient", residual_is_distance=True,
        mass=1.0, recursion=recursion, essential=np.ones(equations, bool), residuals=np.zeros(equations),
        knot_residuals=np.zeros(equations), knots=knots, knot_weights=np.ones(20), assignment=np.arange(20),
        epsilon=1.0, delta=1e-9,
        status=symknot.Status.COMPLETE, message="made by hand", history=())
