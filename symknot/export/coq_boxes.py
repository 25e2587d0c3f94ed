r"""Krawczyk's boxes for Coq: the numbers of a `UniqueZero` in whole numbers.

In the box :math:`x_j = (a_j + b_j t_j) / q_j` with whole a, b, q.  A polynomial p in whole numbers becomes
:math:`g(u) = K\,p(u/q)`, which has whole coefficients too; the proof looks at :math:`F_k(t) = g_k(a + b t)`.  Of a matrix C
with the common denominator `den`, Coq checks for :math:`h_i = den\, t_i - \sum_k den\, C_{ik} F_k` that
:math:`|h_i(0)| + \sum_e |e| |h_{i,e}| < den`: no more than the sides of the certificate, since :math:`\sum |e| |h_{i,e}|` is
:math:`den \sum_j |I - C J|_{ij}` and less than what the certificate adds for terms of higher degree.

That the zeros of C F are those of F is proved with J, the Jacobian at the center: J C is nearly I, row i measured in
units of :math:`s_i`, the largest entry of row i of J, since equations may have very different sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from ..ground.wording import counted
from ..polynomials.terms import Exponents, substitute_in_integers
from .coq_text import common_denominator, data, definition, listed, matrix, rules, terms_text, whole
from .statements import AlsoZero, UniqueZero
from .system import System

GROWTH_OF_UNITS = 2
"""Factor by which common units of all boxes may be longer than those of one box, in binary digits: beyond it each box has
its own.  Boxes made here share a grid, so that the factor is 1."""


@dataclass(frozen=True)
class Grid:
    """Polynomials in variables that are `units` times as large."""

    units: tuple[int, ...]

    def polynomial(self, terms: dict[Exponents, int]) -> tuple[int, dict[Exponents, int]]:
        """K and the whole coefficients of K p(u / units)."""
        moved, factor = substitute_in_integers(terms, [Fraction(1, q) for q in self.units], [0] * len(self.units))
        return factor, moved


class Boxes:
    """All boxes of a file: they share definitions."""

    def __init__(self, system: System, boxes: Sequence[UniqueZero]) -> None:
        self.size, self.names = system.dimension, rules().safe_names(system.names)
        self.polynomials = [whole(terms) for terms in system.polynomials]
        self.factors = [lcm(*(value.denominator for value in terms.values())) for terms in system.polynomials]
        own = {box.knot: _units(box) for box in boxes}
        shared = tuple(lcm(*column) for column in zip(*own.values()))
        longest = max(q.bit_length() for units in own.values() for q in units)
        alike = max(q.bit_length() for q in shared) <= GROWTH_OF_UNITS * longest
        self.grids = {knot: Grid(shared if alike else units) for knot, units in own.items()}
        self.boxes = {box.knot: box for box in boxes}
        self.written: dict[tuple, tuple[int, str]] = {}

    def unique_zero(self, box: UniqueZero) -> str:
        """Definitions, the theorem that one zero is in the box, and those about bounds."""
        knot, grid = box.knot, self.grids[box.knot]
        lines, gs, names, scales = [self._box(box)], [], [], []
        for index in box.polynomials:
            factor, name, text = self._on_grid(index, grid)
            lines.append(text)
            gs.append(f"({data(factor)}, {name})")
            names.append(f"skP{index + 1}")
            scales.append(Fraction(factor))
        for row_number, row in enumerate(box.plane, start=1):
            name, (terms, scale) = f"skPlane{knot}x{row_number}", _plane(row, box.center)
            factor, moved = grid.polynomial(terms)
            lines += [definition(name, self.size, terms), definition(f"{name}Grid", self.size, moved)]
            gs.append(f"({data(factor)}, {name}Grid)")
            names.append(name)
            scales.append(scale * factor)
        C = [[value / scale for value, scale in zip(row, scales)] for row in box.preconditioner]
        den = common_denominator(C)
        lines.append(
            f"(* Knot {knot}: in its box there is exactly one common zero of {counted(len(box.polynomials), 'polynomial')} and "
            f"{counted(len(box.plane), 'plane')}. *)\n"
            f"Theorem one_zero_at_knot_{knot} :\n  exactly_one {self.size} (fun x => inside skBox{knot} x /\\ "
            f"forall p, In p [{'; '.join(names)}] -> eval p x = 0%R).\n"
            f"Proof.\n  apply (one_zero {self.size} skBox{knot} [{'; '.join(names)}] [{'; '.join(gs)}]\n"
            f"  {matrix([[int(value * den) for value in row] for row in C])} {data(den)}).\n"
            "  vm_cast_no_check (eq_refl true).\nQed.\n")
        return "\n".join(lines + [self._bound(box, index, bound) for index, bound in box.bounds.items()])

    def also_zero(self, statement: AlsoZero) -> str:
        """The theorem that further polynomials are zero wherever those of the box are.

        With D the common multiple of their denominators, h stands for D p; of a syzygy in the p, multiplied by a number m
        that makes it whole, the multipliers of the h are m u / D.
        """
        box, grid, knot, size = self.boxes[statement.knot], self.grids[statement.knot], statement.knot, self.size
        others, own = statement.polynomials, [k for k in box.polynomials if k not in statement.polynomials]
        D = lcm(*(self.factors[index] for index in others))
        divisors = {**{index: self.factors[index] for index in own}, **dict.fromkeys(others, D)}
        A, U, ms = [], [], []
        for row in statement.syzygies:
            parts = {index: {e: value / divisors[index] for e, value in row[index].items()} for index in divisors}
            m = lcm(*(value.denominator for terms in parts.values() for value in terms.values()))
            ints = {index: {e: int(value * m) for e, value in terms.items()} for index, terms in parts.items()}
            A.append([ints[index] for index in own])
            U.append([ints[index] for index in others])
            ms.append(m)
        moved = [[grid.polynomial(terms) if terms else (1, {}) for terms in row] for row in U]
        c = lcm(*(factor for row in moved for factor, _ in row))
        on_grid = [[{e: value * (c // factor) for e, value in terms.items()} for factor, terms in row] for row in moved]
        C = [[value * D / (m * c) for value, m in zip(row, ms)] for row in statement.preconditioner]
        den = common_denominator(C)
        hs = [f"skP{k + 1}" if D == self.factors[k] else f"scale {D // self.factors[k]} skP{k + 1}" for k in others]
        fs, hs_text = "; ".join(f"skP{k + 1}" for k in own), "; ".join(hs)
        return (f"(* Knot {knot}: where the polynomials of its system are zero in the box, {len(hs)} more are zero too. *)\n"
                f"Theorem also_zero_at_knot_{knot} : forall x, inside skBox{knot} x ->\n  (forall f, In f ([{fs}] : list (poly "
                f"{size})) -> eval f x = 0%R) ->\n  forall h, In h ([{hs_text}] : list (poly {size})) -> eval h x = 0%R.\n"
                f"Proof.\n  apply (also_zero_sound {size} skBox{knot} [{fs}] [{hs_text}]\n"
                + "".join(f"  {_rows_of_polynomials(rows, size)}\n" for rows in (A, U, on_grid))
                + f"  {data(c)} {matrix([[int(value * den) for value in row] for row in C])} {data(den)}).\n"
                "  vm_cast_no_check (eq_refl true).\nQed.\n")

    def _box(self, box):
        rows = [f"({data(int(m * q))}, {data(int(r * q))}, {data(q)})"
                for m, r, q in zip(box.center, box.radii, self.grids[box.knot].units)]
        near = ", ".join(f"{name} = {_about(m, 6)}" for name, m in zip(self.names, box.center))
        return (f"(* Around {near}, within {_about(max(box.radii), 2)}.  Each variable has center, radius and unit:\n"
                "   it is between (center - radius) / unit and (center + radius) / unit. *)\n"
                f"Definition skBox{box.knot} : list (Z * Z * Z) :=\n  {listed(rows)}.\n")

    def _on_grid(self, index, grid):
        """K, the name of the polynomial in the grid's units, and its definition where it is new."""
        key = (index, grid)
        if key in self.written:
            return *self.written[key], ""
        factor, moved = grid.polynomial(self.polynomials[index])
        name = f"skP{index + 1}Grid" + (str(len(self.written)) if any(k == index for k, _ in self.written) else "")
        self.written[key] = (factor, name)
        return factor, name, definition(name, self.size, moved)

    def _bound(self, box, index, bound):
        factor, name, text = self._on_grid(index, self.grids[box.knot])
        bound *= self.factors[index]                     # of the polynomial in whole numbers
        claim = f"IZR {data(bound.numerator)} / IZR {data(bound.denominator)}"
        return (f"{text}Theorem bound_of_polynomial_{index + 1}_at_knot_{box.knot} : forall x, inside skBox{box.knot} x ->\n"
                f"  (Rabs (eval skP{index + 1} x) <= {claim})%R.\n"
                f"Proof.\n  apply (at_most_sound {self.size} skBox{box.knot} skP{index + 1} {data(factor)} {name} "
                f"{data(bound.numerator)} {data(bound.denominator)}).\n  vm_cast_no_check (eq_refl true).\nQed.\n")


def _about(value, digits):
    """A number in a comment."""
    try:
        return f"{float(value):.{digits}g}"
    except OverflowError:
        return "a large number"


def _units(box):
    return tuple(lcm(m.denominator, r.denominator) for m, r in zip(box.center, box.radii))


def _plane(row, center):
    """Whole terms of row (x - center), and what they were multiplied by."""
    size, constant = len(row), -sum(value * m for value, m in zip(row, center))
    scale = lcm(*(value.denominator for value in row), constant.denominator)
    terms = {tuple(int(i == j) for i in range(size)): int(value * scale) for j, value in enumerate(row) if value}
    return {**terms, **({(0,) * size: int(constant * scale)} if constant else {})}, Fraction(scale)


def _rows_of_polynomials(rows, size):
    return "(" + listed([listed(f"(of_terms {terms_text(terms)})" for terms in row) for row in rows]) \
        + f" : list (list (poly {size})))"
