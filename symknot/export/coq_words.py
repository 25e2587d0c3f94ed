"""Theorems for Coq in words: the same as about data, with variables that bear their names and polynomials in plain algebra.

They are written where every polynomial that occurs is short enough to be read (then it has a lemma ``..._reads``), and points
where there are few.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..polynomials.terms import Terms
from .coq_text import algebra, whole

MOST_READ_POINTS = 12
"""Points that a theorem lists in words; a convention: more than a dozen are not read."""


def follows_in_words(names: Sequence[str], laws: Sequence[tuple[str, Terms]], goal: tuple[str, Terms], place: int) -> str:
    """The theorem that the goal is zero where the laws are, from ``goal_N_follows``; each with the name of its definition."""
    listed = [name for name, _ in laws]
    facts = "".join(f"  {zero(terms, names)} ->\n" for _, terms in laws)
    hypotheses = "".join(f" skH{k}" for k in range(1, len(laws) + 1))
    return (f"Theorem goal_{place}_in_words : forall {' '.join(names)} : R,\n{facts}  {zero(goal[1], names)}.\n"
            f"Proof.\n  intros {' '.join(names)}{hypotheses}.\n"
            f"  pose proof (goal_{place}_follows (point [{'; '.join(names)}])) as skE.\n"
            f"  rewrite {goal[0]}_reads in skE; apply skE.\n  {_all_of_them(listed)}\nQed.\n")


def points_in_words(names: Sequence[str], laws: Sequence[tuple[str, Terms]], points: Sequence[Sequence[Fraction]],
                    place: int) -> str:
    """The theorem that the common zeros are exactly the points, from ``zeros_are_the_points_N``."""
    variables, vector = " ".join(names), f"point [{'; '.join(names)}]"
    listed = [name for name, _ in laws]
    facts = " /\\\n   ".join(zero(terms, names) for _, terms in laws)
    facts = f"({facts})" if len(laws) > 1 else facts
    places = " \\/\n   ".join("(" + " /\\ ".join(f"{name} = {algebra({(): x} if x else {}, ())}"
                                               for name, x in zip(names, point)) + ")%R" for point in points)
    places = f"({places})" if len(points) > 1 else places
    axes, count = [f"skE{j}" for j in range(len(names))], len(points)
    coordinates = "; ".join(f"pose proof (skE {j}%nat ltac:(lia)) as {name}" for j, name in enumerate(axes))
    ways = f"destruct skE as {_either([together(axes)] * count)}" if count > 1 or len(axes) > 1 else "rename skE into skE0"
    found = "|".join(f"{_branch(k, count)}repeat apply conj; lra" for k in range(count))
    chosen = "|".join(f"exists (nth {k} skPoints{place} []); split; [apply nth_In, Nat.ltb_lt; reflexivity|]"
                      for k in range(count))
    each = "|".join(f"exact (eq_trans (eq_sym ({name}_reads {variables})) (skZ {name} {_member(k)}))"
                    for k, name in enumerate(listed))
    return (
        f"Theorem zeros_are_the_points_{place}_in_words : forall {variables} : R,\n  {facts} <->\n  {places}.\n"
        f"Proof.\n  intros {variables}; pose proof (zeros_are_the_points_{place} ({vector})) as skW; split.\n"
        f"  - intros {together([f'skH{k}' for k in range(1, len(laws) + 1)])}; destruct (proj1 skW) as [skL [skIn skE]].\n"
        f"    + {_all_of_them(listed)}\n"
        f"    + {coordinates}.\n"
        f"      destruct skIn as {_one_of(['<-'] * count)}; cbv [point coordinates nth] in {', '.join(axes)};\n"
        f"      [{found}].\n"
        f"  - intro skE; assert (skZ : forall skP, In skP [{'; '.join(listed)}] -> eval skP ({vector}) = 0%R).\n"
        f"    {{ apply (proj2 skW); {ways};\n      [{chosen}];\n"
        f"      intros skI skLess; do {len(names)} (destruct skI as [|skI]; "
        f"[cbv [point coordinates nth skPoints{place}]; lra|]); lia. }}\n"
        f"    repeat apply conj; [{each}].\nQed.\n")


def zero(terms: Terms, names: Sequence[str]) -> str:
    """That a polynomial, in whole numbers, is zero.

    Examples
    --------
    >>> zero({(1,): Fraction(1, 2), (0,): Fraction(-1)}, ["x"])
    '(x - 2 = 0)%R'
    """
    return f"({algebra(whole(terms), names)} = 0)%R"


def together(facts: Sequence[str]) -> str:
    """The pattern that takes a conjunction apart.

    Examples
    --------
    >>> together(["a", "b", "c"])
    '[a [b c]]'
    """
    return facts[0] if len(facts) == 1 else f"[{facts[0]} {together(facts[1:])}]"


def _all_of_them(names: Sequence[str]) -> str:
    """Proof that every polynomial in the list is zero, by skH1, skH2, ..."""
    each = "|".join(f"rewrite {name}_reads; exact skH{k}" for k, name in enumerate(names, start=1))
    return f"intros skP {_one_of(['<-'] * len(names))}" + (f"; [{each}]." if names else ".")


def _one_of(patterns: Sequence[str]) -> str:
    """The pattern that takes membership in a list apart."""
    return f"[{patterns[0]}|{_one_of(patterns[1:])}]" if patterns else "[]"


def _either(patterns: Sequence[str]) -> str:
    """The pattern that takes alternatives apart."""
    return patterns[0] if len(patterns) == 1 else f"[{patterns[0]}|{_either(patterns[1:])}]"


def _branch(k: int, count: int) -> str:
    """The way to one of so many alternatives."""
    return "right; " * k + ("left; " if k < count - 1 else "")


def _member(k: int) -> str:
    """That an element of a list is in it."""
    return "(or_intror " * k + "(or_introl eq_refl)" + ")" * k
