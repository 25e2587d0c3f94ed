"""Invariants for Coq: the derivative along the equations of motion is zero, and the value stays, first for the data, then in
words: for functions of time, with derivatives and polynomials in plain algebra.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm

from ..polynomials.terms import Terms
from .coq_text import algebra, data, listed, terms_text, whole
from .statements import Conservation
from .system import System

Writer = Callable[[str, Terms], str]
"""From a name and a polynomial to its definition, with the lemma that says what it means unless it is too long."""


def conservation_text(system: System, names: Sequence[str], statement: Conservation, places: tuple[int, int],
                      polynomial: Writer) -> str:
    """The field, the invariant, and the theorems.

    `places` are the statement's number, and that of the first one with the same field, which is written there.
    """
    place, first = places
    size, scale, words = system.dimension, Fraction(1), _InWords(system, names, statement, places)
    plain = all(_reads(polynomial, part) for pair in statement.field for part in pair)
    text = [] if first < place else [_field(statement, size, place, polynomial), words.solves() if plain else ""]
    text.append(polynomial(f"skInvariant{place}", statement.invariant))
    for above, below in statement.field:
        scale *= _common(above, below)
    scale *= lcm(*(value.denominator for value in statement.invariant.values()))
    factors = [lcm(*(value.denominator for value in terms.values())) for terms in system.polynomials]
    scaled = [{e: value * scale / factor for e, value in terms.items()} for terms, factor in zip(statement.cofactors, factors)]
    c = lcm(*(value.denominator for terms in scaled for value in terms.values()))
    hs = listed(f"(of_terms {terms_text({e: int(value * c) for e, value in terms.items()})})" for terms in scaled)
    laws = f"([{'; '.join(f'skP{k + 1}' for k in range(len(scaled)))}] : list (poly {size}))"
    text.append(_theorems(places, size, f"{data(c)} {hs} {laws}", laws))
    plain = plain and all(_reads(polynomial, terms) for terms in [statement.invariant, *system.polynomials[:len(scaled)]])
    return "".join(text) + (words.text() if plain else "")


def _reads(polynomial: Writer, terms: Terms) -> bool:
    """Whether a lemma says in plain algebra what the polynomial is."""
    return "_reads : " in polynomial("skX", terms)


def _common(above: Terms, below: Terms) -> int:
    """What makes a / b a fraction of polynomials in whole numbers: the common denominator of all coefficients."""
    return lcm(*(value.denominator for terms in (above, below) for value in terms.values()))


def _field(statement: Conservation, size: int, place: int, polynomial: Writer) -> str:
    text, pairs = ["(* The equations of motion, x' = above / below for each state x. *)\n"], []
    for k, (above, below) in enumerate(statement.field, start=1):
        common = _common(above, below)
        for part, terms in (("Above", above), ("Below", below)):
            text.append(polynomial(f"sk{part}{place}x{k}", {e: value * common for e, value in terms.items()}))
        pairs.append(f"(skAbove{place}x{k}, skBelow{place}x{k})")
    return "".join(text) + f"Definition skField{place} : list (poly {size} * poly {size}) := {listed(pairs)}.\n"


def _theorems(places: tuple[int, int], size: int, proof: str, laws: str) -> str:
    place, field = places[0], f"skField{places[1]}"
    value = f"eval skInvariant{place} (fun j => skX j"
    condition = "" if "[]" in laws else " at which the polynomials listed are zero"
    return (
        f"(* Along every solution{condition}, the invariant has the derivative zero. *)\n"
        f"Theorem derivative_{place} : forall (skX : nat -> R -> R) (t : R), solves {field} skX t ->\n"
        f"  (forall g, In g {laws} -> eval g (fun j => skX j t) = 0%R) ->\n"
        f"  derivable_pt_lim (fun s => {value} s)) t 0%R.\n"
        f"Proof.\n  apply (derivative_sound {size} skInvariant{place} {field} {proof}).\n"
        "  vm_cast_no_check (eq_refl true).\nQed.\n"
        "(* It keeps its value from start to finish. *)\n"
        f"Theorem conserved_{place} : forall (skX : nat -> R -> R) (start finish : R), (start <= finish)%R ->\n"
        f"  (forall t, (start <= t <= finish)%R -> solves {field} skX t) ->\n"
        f"  (forall t g, (start <= t <= finish)%R -> In g {laws} -> eval g (fun j => skX j t) = 0%R) ->\n"
        f"  {value} finish) = {value} start).\n"
        f"Proof.\n  intros skX start finish order S0 G0.\n"
        f"  apply (constant_where_flat (fun s => {value} s)) _ _ order); intros t Ht.\n"
        f"  apply derivative_{place}; [exact (S0 t Ht)|intros g Hg; exact (G0 t g Ht Hg)].\nQed.\n")


class _InWords:
    """The same theorems about functions of time that bear the states' names."""

    def __init__(self, system: System, names: Sequence[str], statement: Conservation, places: tuple[int, int]) -> None:
        self.names, self.statement, self.size = names, statement, system.dimension
        self.place, self.field = places
        self.laws = system.polynomials[:len(statement.cofactors)]
        # words that are no state's name
        self.time, self.other, self.start, self.finish = (
            word if word not in names else f"sk{word.title()}" for word in ("t", "s", "start", "finish"))

    def solves(self) -> str:
        """A lemma: functions of time with these derivatives solve the equations."""
        names, t, s = " ".join(self.names), self.time, self.other
        motion = " /\\\n    ".join(self._motion())
        return (
            "(* In words: functions of time with these derivatives solve the equations. *)\n"
            f"Lemma solves_{self.field}_in_words : forall ({names} : R -> R) ({t} : R),\n    {motion} ->\n"
            f"  solves skField{self.field} (fun skJ {s} => point [{self._vector(s)}] skJ) {t}.\n"
            f"Proof.\n  intros {names} {t} {_pattern(self.size)} skI skA skB skE.\n"
            f"  destruct skI as {'[|' * self.size}skI{']' * self.size}; cbv [nth_error skField{self.field}] in skE;\n    ["
            + "\n    |".join(f"injection skE as <- <-; {case}" for case in self._cases())
            + "\n    |destruct skI; discriminate skE].\nQed.\n")

    def text(self) -> str:
        """Derivative and value."""
        place, names, t, s, start, finish = self.place, " ".join(self.names), self.time, self.other, self.start, self.finish
        facts = [*self._motion(), *(f"({algebra(whole(terms), self._at(t))} = 0)%R" for terms in self.laws)]
        here = " /\\\n    ".join(facts)
        value = {end: algebra(whole(self.statement.invariant), self._at(end)) for end in (s, start, finish)}
        laws = "".join(f"destruct skG as [<-|skG]; [rewrite skP{k}_reads; exact skH{self.size + k}|]; "
                       for k in range(1, len(self.laws) + 1))
        return (
            f"Theorem derivative_{place}_in_words : forall ({names} : R -> R) ({t} : R),\n    {here} ->\n"
            f"  derivable_pt_lim (fun {s} => {value[s]})%R {t} 0%R.\n"
            f"Proof.\n  intros {names} {t} {_pattern(len(facts))}.\n"
            f"  apply (derivable_same (fun {s} => eval skInvariant{place} (point [{self._vector(s)}]))).\n"
            f"  - intro {s}; apply skInvariant{place}_reads.\n"
            f"  - apply (derivative_{place} (fun skJ {s} => point [{self._vector(s)}] skJ) {t}\n"
            f"      (solves_{self.field}_in_words {names} {t} {_all_of(self.size)})).\n"
            f"    intros skG0 skG; {laws}destruct skG.\nQed.\n"
            f"Theorem conserved_{place}_in_words : forall ({names} : R -> R) ({start} {finish} : R),\n"
            f"  ({start} <= {finish})%R -> (forall {t}, ({start} <= {t} <= {finish})%R ->\n    {here}) ->\n"
            f"  ({value[finish]} = {value[start]})%R.\n"
            f"Proof.\n  intros {names} {start} {finish} skOrder skH.\n"
            f"  apply (constant_where_flat (fun {s} => {value[s]})%R _ _ skOrder).\n"
            f"  intros {t} skT0; exact (derivative_{place}_in_words {names} {t} (skH {t} skT0)).\nQed.\n")

    def _at(self, time: str) -> list[str]:
        return [f"{name} {time}" for name in self.names]

    def _vector(self, time: str) -> str:
        return "; ".join(self._at(time))

    def _slope(self, k: int) -> tuple[str, str]:
        """The derivative of state k, and what must not be zero for it."""
        above, below = self.statement.field[k]
        one = (0,) * self.size
        if list(below) == [one]:
            return algebra({e: value / below[one] for e, value in above.items()}, self._at(self.time)), ""
        common = _common(above, below)
        a, b = (algebra({e: value * common for e, value in terms.items()}, self._at(self.time)) for terms in (above, below))
        return f"({a}) / ({b})", b

    def _motion(self) -> list[str]:
        found = []
        for k, name in enumerate(self.names):
            slope, below = self._slope(k)
            fact = f"derivable_pt_lim {name} {self.time} ({slope})%R"
            found.append(f"(({below})%R <> 0%R /\\ {fact})" if below else fact)
        return found

    def _cases(self) -> list[str]:
        found = []
        for k, name in enumerate(self.names, start=1):
            slope, below = self._slope(k - 1)
            A, B = (f"eval sk{part}{self.field}x{k} (point [{self._vector(self.time)}])" for part in ("Above", "Below"))
            close = f"exact skH{k}" if below else f"split; [lra|]; replace (_ / _)%R with ({slope})%R by field; exact skH{k}"
            found.append(f"change ({B} <> 0%R /\\ derivable_pt_lim {name} {self.time} ({A} / {B})%R);\n     "
                         f"rewrite skBelow{self.field}x{k}_reads, skAbove{self.field}x{k}_reads; {close}")
        return found


def _pattern(count: int) -> str:
    """How a conjunction of so many facts is taken apart."""
    return "skH1" if count == 1 else "".join(f"[skH{k} " for k in range(1, count)) + f"skH{count}" + "]" * (count - 1)


def _all_of(count: int) -> str:
    """The conjunction of the first facts."""
    return "skH1" if count == 1 else "".join(f"(conj skH{k} " for k in range(1, count)) + f"skH{count}" + ")" * (count - 1)
