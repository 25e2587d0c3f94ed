"""Exact linear algebra: the same answers by flint, by numpy and by sympy; limits that are kept."""

import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy.polys.matrices import DomainMatrix

from symknot.ground import exact_linear as linear
from symknot.ground.deadline import Deadline
from symknot.ground.errors import InvalidOption, MissingExtra, TimeLimit, TooLarge
from symknot.ground.exact_linear import ARITHMETICS, ModularSpan, null_space, primes, residues, solve

ROOT = Path(__file__).resolve().parents[1]
P = next(primes())
fractions = st.builds(Fraction, st.integers(-30, 30), st.integers(1, 12))


@st.composite
def matrices(draw, rows, columns):
    return [[draw(fractions) for _ in range(columns)] for _ in range(rows)]


@st.composite
def systems(draw):
    n = draw(st.integers(1, 5))
    return draw(matrices(n, n)), draw(matrices(n, draw(st.integers(1, 3))))


def times(A, X):
    return [[sum(a * x for a, x in zip(row, column)) for column in zip(*X)] for row in A]


def random_system(n, m, size, seed=0):
    rng = np.random.default_rng(seed)
    return [[[int(x) for x in row] for row in rng.integers(-size, size, (n, w))] for w in (n, m)]


@settings(max_examples=60, deadline=None)
@given(systems())
def test_both_arithmetics_and_sympy_agree(system):
    A, B = system
    over_qq = [DomainMatrix([[sympy.QQ(x.numerator, x.denominator) for x in row] for row in M],
                            (len(M), len(M[0])), sympy.QQ) for M in (A, B)]
    by_flint, by_numpy = (solve(A, B, arithmetic=arithmetic) for arithmetic in ARITHMETICS)
    assert by_flint == by_numpy
    if over_qq[0].rank() < len(A):
        assert by_flint is None
    else:
        assert times(A, by_flint) == B
        expected = over_qq[0].lu_solve(over_qq[1]).to_list()
        assert by_flint == [[Fraction(int(sympy.QQ.numer(x)), int(sympy.QQ.denom(x))) for x in row] for row in expected]


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_numbers_in_lowest_terms(arithmetic):
    A, B = random_system(12, 9, 10**6)
    X = solve([[Fraction(a, 10**3) for a in row] for row in A], B, arithmetic=arithmetic)
    assert times(A, X) == [[1000 * b for b in row] for row in B]
    for x in X[0]:
        assert type(x.numerator) is int and Fraction(x.numerator, x.denominator).denominator == x.denominator


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
@pytest.mark.parametrize("shape", ["rows", "columns"])
def test_denominators_of_rows_and_of_columns_do_not_raise_the_limit(arithmetic, shape):
    """Each line has its own large denominator: clearing it the other way would need numbers beyond the limit."""
    A, B = random_system(30, 2, 9)
    own = [P**20 + i for i in range(30)]
    A = [[Fraction(a, own[i if shape == "rows" else j]) for j, a in enumerate(row)] for i, row in enumerate(A)]
    if shape == "rows":
        B = [[Fraction(b, d) for b in row] for row, d in zip(B, own)]
    assert times(A, solve(A, B, arithmetic=arithmetic)) == B


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_a_determinant_that_a_prime_divides(arithmetic):
    assert solve([[P, 1], [0, 1]], [[1], [1]], arithmetic=arithmetic) == [[0], [1]]
    assert solve([[1, 1], [1, 1 + P]], [[0], [1]], arithmetic=arithmetic) == [[Fraction(-1, P)], [Fraction(1, P)]]
    assert solve([[1, 1], [1, 1]], [[0], [1]], arithmetic=arithmetic) is None
    assert solve([[0, 0], [1, 1]], [[0], [1]], arithmetic=arithmetic) is None


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_time_limit(arithmetic):
    A, B = random_system(120, 60, 10**15)
    start = time.perf_counter()
    with pytest.raises(TimeLimit, match="exact linear solve: not done within 0.3 s; raise timeout"):
        solve(A, B, Deadline(0.3), arithmetic)
    assert time.perf_counter() - start < 10


def test_size_limit():
    A, B = random_system(20, 1, 10**9)
    A = [[a**70 for a in row] for row in A]
    with pytest.raises(TooLarge, match=r"20 linear equations may have numbers of 1\d{4} digits, the limit is 10000; "
                                       "take coarser rational knots .digits= or denominator=. or fewer knots"):
        solve(A, B)


@settings(max_examples=60, deadline=None)
@given(systems())
def test_the_bound_on_digits_holds(system):
    A, B, _, _, bits = linear._integer_system(*system)
    X = solve(A, B)
    if X is not None:
        assert max(max(abs(x.numerator), x.denominator) for row in X for x in row) < 2**bits


def test_unknown_arithmetic_and_a_missing_one(monkeypatch):
    with pytest.raises(InvalidOption, match="arithmetic must be None or one of 'flint', 'numpy', got 'sage'"):
        solve([[1]], [[1]], arithmetic="sage")
    monkeypatch.setattr(linear, "find_spec", lambda name: None)
    assert solve([[2]], [[1]]) == [[Fraction(1, 2)]]
    with pytest.raises(MissingExtra, match="python-flint"):
        solve([[1]], [[1]], arithmetic="flint")


def test_flint_is_loaded_only_when_it_is_used():
    script = ("import os, sys; os.environ['SYMPY_GROUND_TYPES'] = 'python'; import symknot.polynomials.vanishing; "
              "sys.exit('flint' in sys.modules)")
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, timeout=120, check=False).returncode == 0


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 6), st.integers(1, 6), st.data())
def test_modular_span_counts_the_rank(count, width, data):
    vectors = [data.draw(st.lists(st.integers(0, 6), min_size=width, max_size=width)) for _ in range(count)]
    span = ModularSpan(width, 7)
    independent = [v for v in vectors if span.add(np.array(v))]
    rank = DomainMatrix(vectors, (count, width), sympy.ZZ).convert_to(sympy.GF(7)).rank()
    assert len(independent) == rank == len(span.pivots) == len(set(span.pivots))
    block = [[v[place] for place in span.pivots] for v in independent]
    assert DomainMatrix(block, (rank, rank), sympy.ZZ).convert_to(sympy.GF(7)).rank() == rank


def test_modular_span_does_not_overflow():
    n = 300
    rng = np.random.default_rng(0)
    vectors = rng.integers(P - 1000, P, (n, n))
    span = ModularSpan(n, P)
    assert all(span.add(v) for v in vectors)
    combination = sum(int(a) * v.astype(object) for a, v in zip(rng.integers(0, P, n), vectors)) % P
    assert not span.add(combination.astype(np.int64))


def test_residues_and_primes():
    assert residues([Fraction(1, P)], P) is None
    assert residues([Fraction(2, 3), Fraction(-1), P], P).tolist() == [2 * pow(3, -1, P) % P, P - 1, 0]
    sequence = primes()
    first = [next(sequence) for _ in range(3)]
    assert first == [2147483647, 2147483629, 2147483587] and all(map(sympy.isprime, first))


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 5), st.integers(1, 6), st.integers(1, 3), st.data())
def test_null_space_is_exact_and_greedy(rows, columns, rank, data):
    left, right = data.draw(matrices(rows, rank)), data.draw(matrices(rank, columns))
    A = times(left, right)
    last = data.draw(st.sets(st.integers(0, columns - 1)))
    pivots, free, X = null_space(A, last=last)
    order = [c for c in range(columns) if c not in last] + sorted(last)
    ranks = [0] + [sympy.Matrix(A)[:, order[:i + 1]].rank() for i in range(columns)]
    assert pivots == [c for c, before, after in zip(order, ranks, ranks[1:]) if after > before]
    assert sorted(pivots + free) == list(range(columns))
    for j, c in enumerate(free):
        assert [sum(row[p] * X[i][j] for i, p in enumerate(pivots)) for row in A] == [row[c] for row in A]


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
@pytest.mark.parametrize("A, pivots, free, X", [
    ([[1, 1], [1, 1 + P]], [0, 1], [], [[], []]),                        # rank 1 modulo P
    ([[Fraction(1, P), 1], [1, P]], [0], [1], [[P]]),                    # P divides a denominator
    ([[1, 1, 0], [0, P, 1]], [0, 1], [2], [[Fraction(-1, P)], [Fraction(1, P)]]),   # other pivots modulo P
    ([[0, 0]], [], [0, 1], []),
])
def test_unlucky_primes_give_way_to_the_next(arithmetic, A, pivots, free, X):
    assert null_space(A, arithmetic=arithmetic) == (pivots, free, X)


def test_null_space_keeps_the_time_limit():
    with pytest.raises(TimeLimit):
        null_space(random_system(60, 120, 10**9)[1], Deadline(1e-6))
