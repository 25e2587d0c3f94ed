"""The options of `identify` that say what is known, read into `Knowledge`: texts are parsed, never run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any

from ...ground.errors import InvalidOption
from ...polynomials.parsing import fraction_from_text, polynomial_from_text
from .functions import FunctionOf
from .knowledge import Knowledge, Link, Place
from .units import coefficient_dimensions, dimension_of, power, times

SPELLINGS = {"1/x": "1/{}"}
"""How functions are written that are not written as name and argument."""
PARITY = {"sin": -1, "tanh": -1, "1/x": -1, "cos": 1}
"""Sign of functions when their argument changes sign; others have neither symmetry."""
POWERS = {"sqrt": Fraction(1, 2), "1/x": Fraction(-1)}
"""Power of the dimension of their argument that functions have; others need an argument without dimension."""
SIGNS = {"+": 1, "-": -1, 1: 1, -1: -1}
TIME = "time"


@dataclass(frozen=True)
class Told:
    """What was said, as it was said: the options of `identify`."""

    known: Any = None
    fixed: Any = None
    forbidden: Any = None
    only: Any = None
    signs: Any = None
    shared: Any = None
    symmetry: Any = None
    units: Any = None

    def __bool__(self) -> bool:
        return any(getattr(self, entry.name) is not None for entry in fields(self))

    @property
    def text(self) -> str:
        """The options that were given, by name."""
        return ", ".join(f"{entry.name}=" for entry in fields(self) if getattr(self, entry.name) is not None)


@dataclass(frozen=True, eq=False)
class Reader:
    """Reads what was told about equations of these variables.

    Attributes
    ----------
    told : Told
    states, inputs, arguments, targets : sequences of str
    functions : sequence of FunctionOf
        That are letters.
    degree : int
        The highest of candidate terms.
    order : int
        Derivatives by time that targets are; 0 for none.
    """

    told: Told
    states: Sequence[str]
    inputs: Sequence[str]
    arguments: Sequence[str]
    targets: Sequence[str]
    functions: Sequence[FunctionOf]
    degree: int
    order: int

    def knowledge(self) -> Knowledge:
        """All of it, after a look for contradictions."""
        whole = {j: self._fraction(text, "known") for j, text in self._by_target("known", self.told.known)}
        rational = {j: parts for j, parts in whole.items() if any(map(any, parts[1]))}
        fixed = {(j, e): value for j, terms in self._by_target("fixed", self.told.fixed)
                 for e, value in self._numbers("fixed", terms)}
        for j, (above, below) in whole.items():
            if any(i == j for i, _ in fixed):
                raise InvalidOption("fixed", self.targets[j], "an equation that is not known as a whole")
            if j not in rational:
                divisor = next(iter(below.values()))
                fixed |= {(j, e): value / divisor for e, value in above.items()}
        forbidden = {*self._listed("forbidden", self.told.forbidden), *(place for place, value in fixed.items() if not value)}
        fixed = {place: value for place, value in fixed.items() if value}
        self._check_disjoint(fixed, forbidden)
        only = self._only()
        signs = {(j, e): self._sign(sign) for j, terms in self._by_target("signs", self.told.signs)
                 for e, sign in self._pairs("signs", terms)}
        shared, images = tuple(self._links()), tuple(map(self._image, self._several("symmetry", self.told.symmetry)))
        if rational and (shared or images):
            raise InvalidOption("known", self.targets[min(rational)], "polynomials where shared= or symmetry= is given")
        matches = self._matching_dimensions()

        def allowed(place: Place) -> bool:
            j = place[0]
            return (place not in forbidden and j not in whole and (j not in only or place in only[j] or place in fixed)
                    and matches(place)) or place in fixed

        closed = {*whole, *only, *(j for j, _ in (*fixed, *signs)), *(j for a, b, _ in shared for j in (a[0], b[0]))}
        if images or self.told.units is not None:
            closed = set(range(len(self.targets)))
        known = {j: _monic(*parts) for j, parts in rational.items()}
        return Knowledge(len(self.letters), known, fixed, signs, shared, images, allowed, frozenset(closed))

    # ---------------------------------------------------------------------------------------------------- words

    @cached_property
    def letters(self) -> list[str]:
        """Of what terms are made, as they are written."""
        return [*self.arguments, *(self._function_text(one) for one in self.functions)]

    def _function_text(self, one):
        return SPELLINGS.get(one.function.name, one.function.name + "({})").format(self.arguments[one.argument])

    def _words(self, text, what):
        """The text with a word in place of each letter that is none, and the words."""
        if not isinstance(text, str):
            text = str(text)
        words = list(self.letters)
        for k in sorted(range(len(words)), key=lambda k: -len(words[k])):
            if not words[k].isidentifier():
                word = f"letter_{k}_"
                text, words[k] = text.replace(words[k], word), word
        return text, words

    def _polynomial(self, text, what):
        return polynomial_from_text(*self._words(text, what), what)

    def _fraction(self, text, what):
        return fraction_from_text(*self._words(text, what), what)

    def _term(self, text, what):
        """Exponents of one term."""
        terms = self._polynomial(text, what)
        if len(terms) != 1 or next(iter(terms.values())) != 1:
            raise InvalidOption(what, text, "single terms, such as 'x*y' or '1', without numbers")
        exponents = next(iter(terms))
        if sum(exponents) > self.degree and what != "fixed":
            raise InvalidOption(what, text, f"a term of degree at most {self.degree}, or give a larger max_degree")
        return exponents

    # -------------------------------------------------------------------------------------------------- options

    def _by_target(self, what, told):
        """(number of a target, what was said of it)."""
        if told is None:
            return []
        if not isinstance(told, Mapping):
            raise InvalidOption(what, told, f"a dict with keys {', '.join(map(repr, self.targets))}")
        return [(self._target(what, name), said) for name, said in told.items()]

    def _target(self, what, name):
        if name not in self.targets:
            raise InvalidOption(what, name, f"about one of {', '.join(self.targets)}")
        return list(self.targets).index(name)

    def _pairs(self, what, terms):
        if not isinstance(terms, Mapping):
            raise InvalidOption(what, terms, "a dict from terms, such as 'x*y', for each equation")
        return [(self._term(text, what), value) for text, value in terms.items()]

    def _numbers(self, what, terms):
        for exponents, value in self._pairs(what, terms):
            number = self._polynomial(str(value), what)
            if any(map(any, number)):
                raise InvalidOption(what, value, "numbers")
            yield exponents, next(iter(number.values()), Fraction(0))

    def _sign(self, sign):
        if sign not in SIGNS:
            raise InvalidOption("signs", sign, "'+' or '-'")
        return SIGNS[sign]

    def _listed(self, what, told):
        """Terms of a list, which is about all equations, or of lists for some."""
        if told is None:
            return set()
        lists = self._by_target(what, told) if isinstance(told, Mapping) else [(j, told) for j in range(len(self.targets))]
        for _, terms in lists:
            if isinstance(terms, str) or not isinstance(terms, Iterable):
                raise InvalidOption(what, terms, "a list of terms, such as ['x*y', '1']")
        return {(j, self._term(text, what)) for j, terms in lists for text in terms}

    def _only(self):
        """Target -> the terms that it may have, of those of which that is known."""
        told = self.told.only
        if told is None:
            return {}
        about = [j for j, _ in self._by_target("only", told)] if isinstance(told, Mapping) else range(len(self.targets))
        terms = self._listed("only", told)
        return {j: {place for place in terms if place[0] == j} for j in about}

    def _several(self, what, told):
        if told is None:
            return []
        several = [told] if isinstance(told, Mapping) else list(told)
        if not all(isinstance(one, Mapping) for one in several):
            raise InvalidOption(what, told, "a dict, or a list of dicts")
        return several

    def _links(self) -> Iterable[Link]:
        for one in self._several("shared", self.told.shared):
            members = [((j, e), value) for j, text in self._by_target("shared", one)
                       for e, value in self._polynomial(text, "shared").items()]
            if len(members) < 2:
                raise InvalidOption("shared", one, "two terms at least, such as {\"x'\": '-x*y', \"y'\": 'x*y'}")
            for (_, e), _ in members:
                if sum(e) > self.degree:
                    raise InvalidOption("shared", one, f"made of terms of degree at most {self.degree}, or give a larger "
                                        "max_degree")
            first, weight = members[0]
            yield from ((first, other, value / weight) for other, value in members[1:])

    def _check_disjoint(self, fixed, forbidden):
        both = [place for place in fixed if place in forbidden]
        if both:
            text = "*".join(f"{letter}**{e}" if e > 1 else letter for letter, e in zip(self.letters, both[0][1]) if e) or "1"
            raise InvalidOption("forbidden", text, f"without the terms that fixed= or known= give {self.targets[both[0][0]]}")

    # ------------------------------------------------------------------------------------- symmetry and dimensions

    def _image(self, told) -> Callable[[Place], tuple[Place, int]]:
        """From a term to its image under the replacement of variables, and the ratio of their coefficients."""
        names = [*self.states, *self.inputs]
        to, sign = dict(zip(names, names)), dict.fromkeys(names, 1)
        for name, text in told.items():
            bare = str(text).strip().removeprefix("-").strip()
            if name not in names or bare not in names:
                raise InvalidOption("symmetry", {name: text}, f"a replacement of {', '.join(names)} by one of them, or minus "
                                    "it")
            to[name], sign[name] = bare, -1 if str(text).strip().startswith("-") else 1
        if sorted(to.values()) != sorted(names):
            raise InvalidOption("symmetry", dict(told), "such that every variable is replaced by another one, as {'u': 'v', "
                                "'v': 'u'}")
        places, signs = self._replaced(to, sign, told)
        n = len(self.states)

        def image(place):
            j, e = place
            moved = [0] * len(e)
            ratio = sign[self.states[j % n]]
            for k, exponent in enumerate(e):
                moved[places[k]] += exponent
                ratio *= signs[k] ** exponent
            return (self.states.index(to[self.states[j]]), tuple(moved)), ratio

        return image

    def _replaced(self, to, sign, told):
        """Where each letter goes, and with which sign."""
        n, blocks = len(self.states), len(self.arguments) - len(self.inputs)
        base = [*(self.states[k % n] for k in range(blocks)), *self.inputs]
        states, inputs = list(self.states), list(self.inputs)
        places = [k - k % n + states.index(to[base[k]]) if k < blocks else blocks + inputs.index(to[base[k]])
                  for k in range(len(base))]
        signs = [sign[name] for name in base]
        where = {(one.function.name, one.argument): len(base) + k for k, one in enumerate(self.functions)}
        for one in self.functions:
            goal = one.function.name, places[one.argument]
            odd = signs[one.argument] < 0
            if goal not in where or (odd and one.function.name not in PARITY):
                raise InvalidOption("symmetry", dict(told), f"one that {self._function_text(one)} has")
            places.append(where[goal])
            signs.append(PARITY[one.function.name] if odd else 1)
        return places, signs

    def _matching_dimensions(self) -> Callable[[Place], bool]:
        """Whether a term has the dimension of its equation, up to that of constants."""
        told = self.told.units
        if told is None:
            return lambda place: True
        if not isinstance(told, Mapping):
            raise InvalidOption("units", told, "a dict from names to units")
        names = [*self.states, *self.inputs]
        missing = [name for name in (*names, *([TIME] if self.order else [])) if name not in told]
        if missing:
            raise InvalidOption("units", dict(told), f"complete: {', '.join(missing)} {'has' if len(missing) == 1 else 'have'} "
                                "none ('dimensionless' is one)")
        given = {name: dimension_of(text) for name, text in told.items()}
        constants = coefficient_dimensions(given[name] for name in told if name not in (*names, TIME))
        clock, n = given.get(TIME, {}) if self.order else {}, len(self.states)
        blocks = len(self.arguments) - len(self.inputs)
        sizes: list[Any] = [times(given[self.states[k % n]], power(clock, -(k // n) if self.order else 0))
                            for k in range(blocks)]
        sizes += [given[name] for name in self.inputs]
        sizes += [None if sizes[one.argument] and one.function.name not in POWERS else
                  power(sizes[one.argument], POWERS.get(one.function.name, 0)) for one in self.functions]
        goals = [times(given[self.states[j]], power(clock, -self.order)) for j in range(len(self.targets))]

        def matches(place):
            j, e = place
            left = goals[j]
            for size, exponent in zip(sizes, e):
                if exponent:
                    if size is None:
                        return False
                    left = times(left, power(size, -exponent))
            return frozenset(left.items()) in constants

        return matches


def _monic(above, below):
    """A fraction whose denominator has its pivot 1."""
    lead = below[max(below, key=lambda e: (sum(e), e))]
    return {e: value / lead for e, value in above.items()}, {e: value / lead for e, value in below.items()}
