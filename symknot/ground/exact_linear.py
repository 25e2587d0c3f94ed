r"""Exact linear algebra over the rational numbers.

**Solving** :math:`A X = B`.  Rows or columns, whichever gives the smaller numbers, are
multiplied by their common denominators.  By Cramer's rule every entry of X is then a quotient
of two determinants of integers, and Hadamard's inequality bounds those,

.. math:: |\det A| \le \min\Bigl(\prod_i \|A_{i\cdot}\|, \prod_j \|A_{\cdot j}\|\Bigr),

so the size of the answer is known before the work begins.  It is found either by
python-flint, p-adically (Dixon's lifting), or with numpy alone: det A and det A times X modulo
as many primes as the bound asks for, put together by the Chinese remainder theorem.  Both are
exact and give the same answer; numpy takes 1.5 to 6 times as long.

**Null spaces.**  Which columns depend on those before them is found modulo a prime.  A prime
can be unlucky and miss a rank, so the rational solution of the block it points to is checked
against every row; when the check fails the next prime is taken.

J. D. Dixon, *Exact solution of linear equations using p-adic expansions*, Numerische
Mathematik 40 (1982).
"""

from __future__ import annotations

import numbers
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from functools import cache
from importlib.util import find_spec
from math import gcd, lcm, log10

import numpy as np
import sympy

from .deadline import Deadline
from .errors import InvalidOption, MissingExtra, TooLarge

Matrix = Sequence[Sequence[Fraction | int]]
"""Rows of exact numbers."""
ARITHMETICS = ("flint", "numpy")
MOST_SOLUTION_DIGITS = 10_000
"""Decimal digits of a number in an answer; near it 100 x 100 systems take some ten seconds with flint, 200 x 200 a
minute or more (measured)."""
COLUMNS_PER_SOLVE = 8
"""Right-hand columns between two looks at the clock; as fast as all at once, a single one takes 1.5 times as long
(measured with 60 and 100 equations and 64 columns)."""
LARGEST_MODULUS = 2**31
"""Primes lie below it: the product of two residues, and a sum of two, then fit into 64 bits."""
SHARE_BITS = 16
"""Lower bits of a residue that `ModularSpan` splits off: products with the parts, below 2**47, can be added up 2**15
times in 64 bits, for as many vectors."""


def chosen_arithmetic(arithmetic: str | None) -> str:
    """`arithmetic` itself, or for None the fastest one installed: "flint", else "numpy"."""
    if arithmetic is None:
        return "flint" if find_spec("flint") else "numpy"
    if arithmetic not in ARITHMETICS:
        raise InvalidOption("arithmetic", arithmetic, f"None or one of {', '.join(map(repr, ARITHMETICS))}")
    if arithmetic == "flint" and not find_spec("flint"):
        raise MissingExtra("python-flint", "exact")
    return arithmetic


def solve(matrix: Matrix, right: Matrix, deadline: Deadline | None = None,
          arithmetic: str | None = None) -> list[list[Fraction]] | None:
    """The exact solution X of ``matrix @ X = right``.

    Parameters
    ----------
    matrix : n x n nested lists of Fraction or int
    right : n x m nested lists of Fraction or int
    deadline : Deadline, optional
    arithmetic : {None, "flint", "numpy"}
        None takes flint where it is installed.

    Returns
    -------
    n x m nested lists of Fraction, or None
        None when the matrix is singular.

    Raises
    ------
    TooLarge
        When the answer may have more than `MOST_SOLUTION_DIGITS` digits.
    TimeLimit

    Examples
    --------
    >>> solve([[2, 1], [1, 3]], [[1], [0]])
    [[Fraction(3, 5)], [Fraction(-1, 5)]]
    >>> solve([[1, 2], [2, 4]], [[1], [0]]) is None
    True
    """
    arithmetic, deadline = chosen_arithmetic(arithmetic), deadline or Deadline()
    if not matrix:
        return []
    A, B, stretch, shrink, bits = _integer_system(matrix, right)
    digits = int(bits * log10(2)) + 1
    if digits > MOST_SOLUTION_DIGITS:
        raise TooLarge(
            f"the exact solution of {len(A)} linear equations may have numbers of {digits} digits, the limit is "
            f"{MOST_SOLUTION_DIGITS}; take coarser rational knots (digits= or denominator=) or fewer knots")
    return (_by_flint if arithmetic == "flint" else _by_primes)(A, B, stretch, shrink, bits, deadline)


def _integer_system(matrix, right):
    """Integer A, B with the same solution but for factors per row (`stretch`) and column (`shrink`); its bits."""
    n, m = len(matrix), len(right[0])
    joint = [[*a, *b] for a, b in zip(matrix, right)]
    rows, _ = _primitive(joint)
    columns, factors = _primitive(zip(*joint))
    candidates = [(rows, [Fraction(1)] * (n + m)), ([list(row) for row in zip(*columns)], factors)]
    systems = [([row[:n] for row in lines], [row[n:] for row in lines], scale[:n], scale[n:])
               for lines, scale in candidates]
    best = min(systems, key=lambda system: _height(*system[:2]))
    return *best, _height(*best[:2])


def _primitive(lines):
    """Each line times a factor, so that it holds integers without a common divisor; and the factors."""
    integers, factors = [], []
    for line in lines:
        denominator = lcm(*(value.denominator for value in line))
        whole = [value.numerator * (denominator // value.denominator) for value in line]
        content = gcd(*whole) or 1
        integers.append([value // content for value in whole])
        factors.append(Fraction(denominator, content))
    return integers, factors


def _height(A, B):
    """Bits that hold det A, and det A after any column of B has taken the place of one of A's."""
    by_rows = sum((sum(a * a for a in row) + max((b * b for b in other), default=0)).bit_length()
                  for row, other in zip(A, B))
    columns = sorted(sum(a * a for a in column).bit_length() for column in zip(*A))
    largest = max((sum(b * b for b in column).bit_length() for column in zip(*B)), default=0)
    by_columns = sum(columns[1:]) + max(columns[0], largest)
    return min(by_rows, by_columns) // 2 + 1


class _Lowest:
    """A quotient in lowest terms, which Fraction takes over without looking for a common divisor."""

    def __init__(self, numerator, denominator):
        self.numerator, self.denominator = numerator, denominator


numbers.Rational.register(_Lowest)


def _by_flint(A, B, stretch, shrink, bits, deadline):
    from flint import fmpq, fmpq_mat, fmpz_mat

    left = fmpq_mat(fmpz_mat(A))
    stretch, shrink = ([fmpq(f.numerator, f.denominator) for f in factors] for factors in (stretch, shrink))
    solution = [[] for _ in A]
    for start in range(0, len(shrink), COLUMNS_PER_SOLVE):
        deadline.check("exact linear solve")
        columns = slice(start, start + COLUMNS_PER_SOLVE)
        try:
            block = left.solve(fmpq_mat(fmpz_mat([row[columns] for row in B])))
        except ZeroDivisionError:
            return None
        for row, values, factor in zip(solution, block.tolist(), stretch):
            scaled = [factor * value / divisor for value, divisor in zip(values, shrink[columns])]
            row += [Fraction(_Lowest(int(value.p), int(value.q))) for value in scaled]
    return solution


def _by_primes(A, B, stretch, shrink, bits, deadline):
    """det A and det A times X modulo many primes, put together by Chinese remainders."""
    m = len(shrink)
    joint = np.array([a + b for a, b in zip(A, B)], dtype=object)
    found, moduli, lucky, unlucky = [], [], 0, 0
    for prime in primes():
        deadline.check("exact linear solve")
        determinant, solution = _solve_modulo((joint % prime).astype(np.uint64), prime)
        if determinant:
            found.append(np.append(solution.ravel() * np.uint64(determinant) % np.uint64(prime),
                                   np.uint64(determinant)).astype(object))
            moduli.append(prime)
            lucky += prime.bit_length() - 1
        else:
            unlucky += prime.bit_length() - 1
        if unlucky > bits:                      # more divisors than a nonzero determinant has room for
            return None
        if lucky > bits + 1:                    # one more for the sign
            break
    *numerators, determinant = _chinese_remainders(found, moduli, deadline)
    return [[Fraction(a.numerator * b.denominator * numerators[i * m + j], a.denominator * b.numerator * determinant)
             for j, b in enumerate(shrink)] for i, a in enumerate(stretch)]


def _solve_modulo(joint, prime):
    """Determinant of A and solution modulo `prime`, from the matrix (A | B); Gauss-Jordan, in place."""
    p, determinant = np.uint64(prime), 1
    for c in range(len(joint)):
        nonzero = np.flatnonzero(joint[c:, c])
        if not len(nonzero):
            return 0, None
        if nonzero[0]:
            r = c + nonzero[0]
            joint[[c, r]] = joint[[r, c]]
            determinant = -determinant
        pivot = int(joint[c, c])
        determinant = determinant * pivot % prime
        joint[c, c:] = joint[c, c:] * np.uint64(pow(pivot, -1, prime)) % p
        factors = p - joint[:, c]
        factors[c] = 0
        joint[:, c:] = (joint[:, c:] + factors[:, None] * joint[c, c:]) % p
    return determinant, joint[:, len(joint):]


def _chinese_remainders(found, moduli, deadline):
    """The numbers of least absolute value with these residues, pairwise from the leaves of a tree up."""
    while len(found) > 1:
        pairs = list(zip(found[::2], found[1::2], moduli[::2], moduli[1::2]))
        odd = len(found) % 2
        found, moduli = found[len(found) - odd:], moduli[len(moduli) - odd:]
        for a, b, p, q in pairs:
            deadline.check("exact linear solve")
            found.append(a + p * ((b - a) * pow(p, -1, q) % q))
            moduli.append(p * q)
    return [value if 2 * value < moduli[0] else value - moduli[0] for value in found[0].tolist()]


def primes() -> Iterator[int]:
    """The primes below `LARGEST_MODULUS`, from the largest down: always the same ones.

    Examples
    --------
    >>> next(primes()) == 2**31 - 1
    True
    """
    prime = LARGEST_MODULUS
    while True:
        prime = _prime_below(prime)
        yield prime


@cache
def _prime_below(number):
    return int(sympy.prevprime(number))


def residues(values: Sequence[Fraction | int], prime: int) -> np.ndarray | None:
    """Rational numbers modulo a prime.

    Returns
    -------
    int64 array, or None
        None when the prime divides a denominator.

    Examples
    --------
    >>> residues([Fraction(1, 2), -1], 7).tolist(), residues([Fraction(1, 7)], 7)
    ([4, 6], None)
    """
    if any(value.denominator % prime == 0 for value in values):
        return None
    return np.array([value.numerator * pow(value.denominator, -1, prime) % prime for value in values], dtype=np.int64)


class ModularSpan:
    """The span of vectors modulo a prime below 2**31, added one at a time; kept by its reduced row-echelon form.

    Parameters
    ----------
    width : int
        Length of the vectors.
    prime : int

    Attributes
    ----------
    pivots : list of int
        One position per independent vector; at these the vectors are independent already.

    Examples
    --------
    >>> span = ModularSpan(3, 7)
    >>> [span.add(np.array(v)) for v in ([1, 2, 3], [2, 4, 6], [0, 0, 5])], span.pivots
    ([True, False, True], [0, 2])
    """

    def __init__(self, width: int, prime: int) -> None:
        self.prime = prime
        self.pivots: list[int] = []
        self._rows = np.zeros((width, width), dtype=np.int64)

    def add(self, vector: np.ndarray) -> bool:
        """Whether `vector` (int64, entries 0 to prime - 1) is independent of those before; then it is kept."""
        rows, p = self._rows[: len(self.pivots)], self.prime
        shares = vector[self.pivots]
        # in two halves, so that the sums of products stay below 2**63
        low = shares & (1 << SHARE_BITS) - 1
        combination = ((shares >> SHARE_BITS) @ rows % p << SHARE_BITS) + low @ rows
        rest = (vector - combination) % p
        nonzero = np.flatnonzero(rest)
        if not len(nonzero):
            return False
        pivot = int(nonzero[0])
        rest = rest * pow(int(rest[pivot]), -1, p) % p
        rows -= rows[:, pivot, None] * rest % p
        rows %= p
        self._rows[len(rows)] = rest
        self.pivots.append(pivot)
        return True


def dependent(vectors: Matrix) -> int:
    """How many of the vectors depend linearly on those before them (judged modulo a prime, so by chance one too many).

    Examples
    --------
    >>> dependent([[1, 0], [2, 0], [Fraction(1, 3), 1]])
    1
    """
    attempts = ((prime, [residues(vector, prime) for vector in vectors]) for prime in primes())
    prime, modular = next((prime, found) for prime, found in attempts if all(vector is not None for vector in found))
    span = ModularSpan(len(vectors[0]), prime)
    return sum(not span.add(vector) for vector in modular if vector is not None)


def null_space(matrix: Matrix, deadline: Deadline | None = None, arithmetic: str | None = None,
               last: Collection[int] = ()) -> tuple[list[int], list[int], list[list[Fraction]]]:
    """Columns that depend on those before them, and how.

    Parameters
    ----------
    matrix : k x m nested lists of Fraction or int
    deadline : Deadline, optional
    arithmetic : {None, "flint", "numpy"}
    last : collection of int
        Columns that come after all others.

    Returns
    -------
    pivots : list of int
        The columns independent of those before them, in that order.
    free : list of int
        The other columns, in the same order.
    X : nested lists of Fraction
        ``matrix[:, free[j]] = sum_i matrix[:, pivots[i]] X[i][j]``, where only pivots before ``free[j]`` take part.

    Examples
    --------
    >>> null_space([[1, 2, 0, 1], [0, 0, 1, 3]])
    ([0, 2], [1, 3], [[Fraction(2, 1), Fraction(1, 1)], [Fraction(0, 1), Fraction(3, 1)]])
    """
    late = set(last)
    order = sorted(range(len(matrix[0])), key=lambda column: (column in late, column))
    attempts = (_null_space_by(prime, matrix, order, deadline or Deadline(), arithmetic) for prime in primes())
    return next(found for found in attempts if found is not None)


def _null_space_by(prime, matrix, order, deadline, arithmetic):
    """What `null_space` returns, with the columns in this order; None where the prime is unlucky."""
    modular = residues([row[column] for column in order for row in matrix], prime)
    if modular is None:
        return None
    span, pivots, free = ModularSpan(len(matrix), prime), [], []
    for column, vector in zip(order, modular.reshape(len(order), len(matrix))):
        deadline.check("ranks modulo a prime")
        (pivots if span.add(vector) else free).append(column)
    rows = sorted(span.pivots)
    # independent modulo the prime, so not singular
    X = solve([[matrix[r][c] for c in pivots] for r in rows],
              [[matrix[r][c] for c in free] for r in rows], deadline, arithmetic)
    place = {column: position for position, column in enumerate(order)}
    only_before = all(not x for pivot, line in zip(pivots, X) for column, x in zip(free, line)
                      if place[pivot] > place[column])
    others = [matrix[r] for r in sorted(set(range(len(matrix))) - set(rows))]
    return (pivots, free, X) if only_before and _holds(others, pivots, free, X, deadline) else None


def _holds(rows, pivots, free, X, deadline):
    """Whether the combinations X of the pivot columns equal the free columns in these rows."""
    rows, _ = _primitive(rows)
    denominators = [lcm(*(line[j].denominator for line in X)) for j in range(len(free))]
    whole = np.array([[x.numerator * (d // x.denominator) for x, d in zip(line, denominators)] for line in X],
                     dtype=object).reshape(len(pivots), len(free))
    for row in rows:
        deadline.check("exact linear solve")
        values = np.array([row[c] for c in pivots], dtype=object) @ whole
        if any(value != row[c] * d for value, c, d in zip(values, free, denominators)):
            return False
    return True
