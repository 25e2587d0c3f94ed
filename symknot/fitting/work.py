r"""How much a fit may do where nobody said how long it may take, and what its parts cost.

A limit in seconds would make results depend on the machine and on what else it does.  So the parts tell `look` how many
multiplications come next, about: of k decompositions of matrices of r rows and c columns :math:`k\,r\,c\,\min(r, c)` times a
small number, and `CALL` for every round of Python around them, which is most of it where points are few.  What is given as
`timeout` takes the place of these limits.
"""

from __future__ import annotations

from ..ground.deadline import Deadline, look, tell

CALL = 2e6
"""Multiplications that could be done while Python comes to one of the parts: measured, about half a millisecond."""
DECOMPOSITION = 5
"""Multiplications of a singular value or eigenvalue decomposition, in cubes of its size: measured with those of a few dozen
columns, which are far from the speed of a product."""
SMALL_DECOMPOSITION = 60
"""The same of one of many small matrices, a few rows each: measured."""
ELEMENT = 5
"""The same of one number that is made by itself, not in a product of matrices: measured."""
SEARCH_OPERATIONS = 2.2e10
"""Multiplications of a search without `timeout`: four to five and a half seconds of one core (measured, see
`docs/benchmarks.md`).  A convention: with what follows, nothing takes more than ten."""
LOOP_OPERATIONS = 3.6e10
"""The same of the loop that follows, and of that of each alternative: five seconds.  A convention; three linear laws and two
quadrics in ten variables and 100,000 points take three quarters of it, most a hundredth."""
LIMITED_POINTS = 1e5
"""Points up to which that holds; more may take longer in proportion: a convention."""
LIMITED_VARIABLES = 10
"""Variables up to which that holds: a convention.  Decompositions at degree 2, without which nothing is found, grow as the
sixth power of their number, and so does the limit."""


def search_limit(variables: int) -> Deadline:
    """For a search in so many variables."""
    return Deadline(operations=search_operations(variables))


def search_operations(variables: int) -> float:
    """How many multiplications that are; no part of a search is begun that would take more."""
    return SEARCH_OPERATIONS * max(variables / LIMITED_VARIABLES, 1.0) ** 6


def loop_limit(points: int, variables: int) -> Deadline:
    """For the loop, on so many points."""
    larger = max(points / LIMITED_POINTS, 1.0) * max(variables / LIMITED_VARIABLES, 1.0) ** 6
    return Deadline(operations=LOOP_OPERATIONS * larger)


def call(operations: float = 0.0) -> None:
    """One of the parts comes next, with so many multiplications."""
    look(CALL + operations)


def evaluations(points: int, products: int, columns: int, slopes: int = 0, elements: int = 0) -> None:
    """Sums over products come next, of so many columns at so many points; `slopes` numbers take them on to slopes, and so many
    `elements` of each point are made one by one from all of it."""
    tell(points * (products * (ELEMENT + columns) + slopes + ELEMENT * (columns + elements)))


def decompositions(count: int, size: int) -> None:
    """Decompositions of square matrices come next, one by one."""
    look(count * (CALL / 4 + DECOMPOSITION * size**3))


def small_decompositions(count: int, size: int) -> None:
    """Decompositions of many small matrices come next, all together."""
    look(CALL / 4 + SMALL_DECOMPOSITION * count * size**3)
