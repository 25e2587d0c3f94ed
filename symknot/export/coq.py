"""Coq (Rocq): theorems about the equations, in one file that ``coqc`` accepts with its standard library alone.

The file holds a library of lemmas, proved there (`coqlib`), the polynomials and points as data, and one theorem for each
statement.  Whatever must be computed is computed by Coq itself in whole numbers (``vm_compute``); nothing is admitted, and
the last command prints the axioms, which are those of the real numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm, prod
from typing import Any

from ..ground.errors import InvalidOption
from ..polynomials.numerals import rational_text
from ..polynomials.terms import Terms
from .coq_boxes import Boxes
from .coq_groebner import groebner_text
from .coq_motion import conservation_text
from .coq_points import POINTS, exact_points_text, in_order, points_text
from .coq_text import COMMENT, algebra, data, definition, library, listed, number, rules, terms_text, whole
from .coq_words import MOST_READ_POINTS, follows_in_words, points_in_words
from .names import comment_text
from .registry import target
from .script import header
from .statements import AlsoZero, Conservation, GroebnerBasis, Membership, PointsBasis, UniqueZero, Vanishing
from .system import System

MOST_READ_DIGITS = 500
"""Digits of a polynomial's coefficients up to which a lemma says in plain algebra what the data mean: longer ones are not
read by anyone, and `ring` is slow for them (20 points in 5 variables: more than 53 s of coqc with 2000 digits here, 11 s
with 500)."""
MOST_READ_TERMS = 60
"""Terms of such a polynomial, for the same reasons."""
NOTHING_TO_PROVE = ("one with something to prove: points on which the equations vanish, or boxes, which exact results have "
                    "(ideal.exact()) and fitted equations have not; or a goal (symknot.prove; of equations of motion "
                    "symknot.prove_conserved)")
MODULES = {UniqueZero: "boxes", AlsoZero: "also_zero", Conservation: "motion", PointsBasis: "rational_points",
           GroebnerBasis: "groebner"}
"""The part of the library that a statement needs, if any besides polynomials."""


@target("coq", suffix=".v", comment=COMMENT, rules=rules())
def to_coq(system: System) -> str:
    """A Coq file: data and theorems with proofs that ``coqc`` checks.

    Parameters
    ----------
    system : System

    Returns
    -------
    str

    Examples
    --------
    >>> from fractions import Fraction
    >>> from symknot.export import System
    >>> circle = System(("x", "y"), ({(2, 0): Fraction(1), (0, 2): Fraction(1), (0, 0): Fraction(-1)},),
    ...                 ((Fraction(3, 5), Fraction(4, 5)),))
    >>> print(*[line for line in to_coq(circle).splitlines() if line.startswith(("Theorem", "Lemma skP"))], sep="\\n")
    Lemma skP1_reads : forall x y : R, eval skP1 (point [x; y]) =
    Theorem zero_at_the_points_1 : forall l p, In l skPoints1 -> In p [skP1] ->
    """
    return CoqFile(system).text()


class CoqFile:
    """A file in the making."""

    def __init__(self, system: System) -> None:
        check_exact(system, "coq")
        self.system, self.size = system, system.dimension
        self.names = rules().safe_names(system.names)
        self.statements = system.statements or default_statements(system)
        if not self.statements:
            raise InvalidOption("system", "nothing that is claimed of its equations", NOTHING_TO_PROVE)
        boxes = [statement for statement in self.statements if isinstance(statement, UniqueZero)]
        bases = [statement for statement in self.statements if isinstance(statement, (PointsBasis, GroebnerBasis))]
        self.orders = {index: basis.order for basis in reversed(bases) for index in basis.polynomials}
        self.boxes = Boxes(system, boxes) if boxes else None

    def text(self) -> str:
        """The whole file."""
        parts = {MODULES[type(statement)] for statement in self.statements if type(statement) in MODULES}
        body = [header(self.system, self.names, COMMENT), COMMENT.lines(
            "Check with: coqc FILE.v   (Coq 8.16 or later; the standard library is all that it needs)",
            "Each polynomial is multiplied by its least common denominator: its zeros are the same."),
            library(*sorted(parts)), "\n(** * The polynomials *)\n\nOpen Scope Z_scope.\n\n"]
        body += [self.polynomial(f"skP{k + 1}", terms, self.orders.get(k)) for k, terms in enumerate(self.system.polynomials)]
        body.append("\n(** * What is proved *)\n\n")
        for place, statement in enumerate(self.statements, start=1):
            try:
                body.append(f"(* Statement {place}. *)\n{WRITERS[type(statement)](self, statement, place)}\n")
            except InvalidOption as error:
                error.statement = place
                raise
        names = [line.split()[1] for part in body[4:] for line in part.splitlines() if line.startswith("Theorem ")]
        body.append(f"Definition skAll := ({', '.join(names)}).\nPrint Assumptions skAll.\n")
        return "".join(body)

    def law(self, index: int) -> tuple[str, Terms]:
        """The name of a polynomial, and its terms in the order in which they are written."""
        terms, order = self.system.polynomials[index], self.orders.get(index)
        return f"skP{index + 1}", terms if order is None else in_order(terms, order)

    def polynomial(self, name: str, terms: Terms, order: str | None = None) -> str:
        """Data, and a lemma that says what they mean; with a term order, the terms in it have a name of their own."""
        ints = whole(terms if order is None else in_order(terms, order))
        factor = lcm(*(value.denominator for value in terms.values()))
        said = "" if factor == 1 else f"(* multiplied by {factor if factor < 10**30 else 'a large number'} *)\n"
        read = is_read(terms)
        # `ring` knows numbers only as Coq's own notation writes them
        text = said + definition(name, self.size, ints, named=order is not None, write=number if read else data)
        if not read:
            return text
        x, names = "; ".join(self.names), name if order is None else f"{name}, {name}Terms"
        return (f"{text}Lemma {name}_reads : forall {' '.join(self.names)} : R, eval {name} (point [{x}]) =\n"
                f"  ({algebra(ints, self.names)})%R.\nProof.\n  intros; unfold {names}; rewrite eval_of_terms by reflexivity.\n"
                "  cbv [terms_value monomial_value point nth]; ring.\nQed.\n")


def is_read(terms: Terms) -> bool:
    """Whether a polynomial is short enough for a lemma in plain algebra."""
    ints = whole(terms)
    return sum(len(hex(value)) for value in ints.values()) <= MOST_READ_DIGITS and len(ints) <= MOST_READ_TERMS


def check_exact(system: System, target_name: str) -> None:
    """Refuse equations that are floats, or that are known to have no common zero."""
    if not system.sound:
        raise InvalidOption("system", system.warning or "approximate equations",
                            f"exact for {target_name}, which proves things: nothing can be proved of rounded numbers "
                            "(make the result exact first)")


def default_statements(system: System) -> tuple[Vanishing, ...]:
    """What is claimed of a system that says nothing itself: its polynomials vanish on its knots."""
    if not system.polynomials or not system.knots:
        return ()
    return (Vanishing(tuple(range(len(system.polynomials))), system.distinct_knots),)


def check_vanishing(system: System, statement: Vanishing | PointsBasis) -> None:
    """Refuse a false claim, with the polynomial and the point that refute it."""
    for point in statement.points:
        for index in statement.polynomials:
            value = value_at(system.polynomials[index], point)
            if value:
                place = ", ".join(f"{name} = {rational_text(x)}" for name, x in zip(system.names, point))
                raise InvalidOption("statement", f"{rational_text(value)} at {place}"[:400],
                                    f"true: polynomial {index + 1} is claimed to be zero at every point")


def value_at(terms: Terms, point: Sequence[Fraction]) -> Fraction:
    """The exact value of a polynomial."""
    return sum((value * prod((x**e for x, e in zip(point, exponents) if e), start=Fraction(1))
                for exponents, value in terms.items()), start=Fraction(0))


def _vanishing(file: CoqFile, statement: Vanishing, place: int) -> str:
    check_vanishing(file.system, statement)
    polys = "; ".join(f"skP{index + 1}" for index in statement.polynomials)
    points = points_text(file.system, statement.points)
    return (f"{POINTS}Definition skPoints{place} : list (list (Z * Z * nat)) :=\n  {points}.\n"
            f"Theorem zero_at_the_points_{place} : forall l p, In l skPoints{place} -> In p [{polys}] ->\n"
            f"  eval p (point (coordinates l)) = 0%R.\n"
            f"Proof.\n  apply (vanish_at_all_sound {file.size} skPoints{place} [{polys}]).\n"
            "  vm_cast_no_check (eq_refl true).\nQed.\n")


def _points_basis(file: CoqFile, statement: PointsBasis, place: int) -> str:
    check_vanishing(file.system, statement)
    _check_order(file, statement)
    laws = [file.law(index) for index in statement.polynomials]
    read = len(statement.points) <= MOST_READ_POINTS and all(is_read(terms) for _, terms in laws)
    return (exact_points_text(file.system, statement, place)
            + (points_in_words(file.names, laws, statement.points, place) if read else ""))


def _groebner_basis(file: CoqFile, statement: GroebnerBasis, place: int) -> str:
    _check_order(file, statement)
    return groebner_text(file.system, statement, place)


def _check_order(file: CoqFile, statement: PointsBasis | GroebnerBasis) -> None:
    if any(file.orders[index] != statement.order for index in statement.polynomials):
        raise InvalidOption("statement", f"a basis by the order {statement.order}", "by the order of the bases before it: "
                            "a file writes the terms of a polynomial in one order")


def _membership(file: CoqFile, statement: Membership, place: int) -> str:
    """c goal^power = sum of cofactor times polynomial, in whole numbers."""
    system, name = file.system, f"skGoal{place}"
    # goal = G / D, generator = P_i / D_i, cofactor h_i: G^k = sum (D^k h_i / D_i) P_i; c makes the factors whole
    D = lcm(*(value.denominator for value in statement.goal.values()))
    places = statement.places(len(system.polynomials))
    factors = [lcm(*(value.denominator for value in system.polynomials[k].values())) for k in places]
    scaled = [{e: value * D**statement.power / factor for e, value in terms.items()}
              for terms, factor in zip(statement.cofactors, factors)]
    c = lcm(*(value.denominator for terms in scaled for value in terms.values()))
    hs = listed((f"(of_terms {terms_text({e: int(value * c) for e, value in terms.items()})})" for terms in scaled), "    ")
    gs = "; ".join(f"skP{k + 1}" for k in places)
    goal = name if statement.power == 1 else f"(power {name} {statement.power - 1})"
    laws = [file.law(k) for k in places]
    words = (follows_in_words(file.names, laws, (name, statement.goal), place)
             if all(is_read(terms) for terms in [statement.goal, *(terms for _, terms in laws)]) else "")
    title = f"(* {comment_text(statement.name)} *)\n".replace('"', "'") if statement.name else ""
    close = "" if statement.power == 1 else f"  apply (power_zero {file.size} {name} {statement.power - 1} x).\n"
    return (f"{title}{file.polynomial(name, statement.goal)}"
            f"Theorem identity_{place} : forall x, (IZR {number(c)} * eval {goal} x)%R =\n  eval (combination {hs} [{gs}]) x.\n"
            f"Proof.\n  intro x; rewrite <- eval_scale; apply (same_sound {file.size}).\n"
            "  vm_cast_no_check (eq_refl true).\nQed.\n"
            f"Theorem goal_{place}_follows : forall x,\n  (forall p, In p ([{gs}] : list (poly {file.size})) -> "
            "eval p x = 0%R) ->\n"
            f"  eval {name} x = 0%R.\nProof.\n  intros x H; pose proof (identity_{place} x) as E.\n"
            f"  rewrite (combination_vanishes {file.size} _ _ x H) in E; apply Rmult_integral in E.\n{close}"
            f"  destruct E as [E|E]; [apply eq_IZR in E; discriminate E|exact E].\nQed.\n{words}")


def _conservation(file: CoqFile, statement: Conservation, place: int) -> str:
    first = next(k for k, one in enumerate(file.statements, start=1)
                 if isinstance(one, Conservation) and one.field == statement.field)
    # laws are said in words as they are written, in the order of a basis
    system = replace(file.system, polynomials=tuple(file.law(k)[1] for k in range(len(file.system.polynomials))))
    return conservation_text(system, file.names, statement, (place, first), file.polynomial)


def _unique_zero(file: CoqFile, statement: UniqueZero, place: int) -> str:
    assert file.boxes is not None
    return file.boxes.unique_zero(statement)


def _also_zero(file: CoqFile, statement: AlsoZero, place: int) -> str:
    if file.boxes is None or statement.knot not in file.boxes.boxes:
        raise InvalidOption("statements", f"also zero at knot {statement.knot}", "complete: that knot has no box")
    return file.boxes.also_zero(statement)


WRITERS: dict[type, Callable[[CoqFile, Any, int], str]] = {
    Vanishing: _vanishing, Membership: _membership, Conservation: _conservation, UniqueZero: _unique_zero,
    AlsoZero: _also_zero, PointsBasis: _points_basis, GroebnerBasis: _groebner_basis}
