r"""Constraints among the states, and invariants, for the estimate of equations of motion: found by `conserved`, or given.

*Undecided.* Where other constraints may stand beside those that were found (`conserved` counts them), the runs may swing too
little to tell a law from what only comes near it.  Equations of motion tell more than the states do: their states are as many
numbers as the runs have starts, and have no noise of their own to hide in.  So they are sought with the constraints and
without, and the costs are compared.  A constraint of m terms takes one free number from the first state of each of R runs,
and brings m - 1 of its own: :math:`m - 1 - R` numbers more, at Akaike's price each.  A true one costs the chi-square of the R
starts more, less that; one that clearly costs more is left out, and where neither is clear the other equations are an
alternative.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from ...ground.errors import ENDED_EARLY, FitInterrupted, InvalidOption, InvalidPoints, Status
from ...polynomials.parsing import relation_from_text
from ...polynomials.symbols import safe_symbols
from ..invariants.conserved import conserved
from ..invariants.equations import Undecided
from ..invariants.saying import constraints_undecided
from ..motion.dynamics import Dynamics
from ..motion.equation import StateEquation
from ..motion.knotted import Alternative
from ..motion.knowledge_options import Told
from ..motion.model import Model
from ..motion.neighbourhood import UNDECIDED_COST
from ..motion.problem import AKAIKE, Problem
from ..motion.relations import Relation, same_modulo
from .answering import searched_with_cost

AUTO = "auto"
MOST_STATES_AT = {1: 64, 2: 12, 3: 6}
"""States with which constraints and invariants up to a degree are looked for: about 90 monomials, a tenth of a second.  Those
of degree 3 are, where there are none of lower degree: of few data many cubics nearly vanish."""
LARGEST_OF_MEASURED = 2.0
"""A relation that is larger at the measured states, in units of what noise makes of it, does not hold.  A convention: noise
itself gives 1, and an idea of it that is wrong by a factor of two still does not take a law away."""
SAME_SHARE = 0.05
"""Share of a constraint that was found beside those that were given; with less, it is one of them with other digits."""


@dataclass(frozen=True)
class Wanted:
    """The options `constraints` and `invariants` of `identify`."""

    constraints: Any = AUTO
    invariants: Any = False

    def check(self, dynamics: Dynamics, form: str) -> None:
        """Complain about what cannot be before long work."""
        if not (self.constraints is None or self.constraints == AUTO or _is_texts(self.constraints)):
            raise InvalidOption("constraints", self.constraints, "'auto', None, or a list of texts such as 'x**2 + y**2 = 1'")
        if not (isinstance(self.invariants, (bool, np.bool_)) or _is_texts(self.invariants)):
            raise InvalidOption("invariants", self.invariants, "True, False, or a list of texts such as 'v**2 + 4*x**2'")
        wrong = "form='implicit'" if form == "implicit" else "" if dynamics.moves else f"kind={dynamics.kind!r}"
        for name, asked in (("constraints", _is_texts(self.constraints)), ("invariants", bool(self.invariants))):
            if asked and wrong:
                raise InvalidOption(name, getattr(self, name), f"left out for {wrong}")

    @property
    def are_given(self) -> bool:
        """Whether some were written down."""
        return _is_texts(self.constraints) or _is_texts(self.invariants)


@dataclass(frozen=True, eq=False)
class Kept:
    """What the states keep to.

    Attributes
    ----------
    constraints, invariants : tuple of StateEquation
    found : tuple of StateEquation
        Those of the constraints that were not given.
    undecided : Undecided or None
        The lowest degree at which the runs do not tell whether there are more constraints, if some were found.
    """

    constraints: tuple[StateEquation, ...] = ()
    invariants: tuple[StateEquation, ...] = ()
    found: tuple[StateEquation, ...] = ()
    undecided: Undecided | None = None

    def __bool__(self) -> bool:
        return bool(self.constraints or self.invariants)

    @property
    def text(self) -> str:
        """All of them in one line."""
        return "; ".join(one.text() for one in (*self.constraints, *self.invariants))

    def without(self, left_out: Sequence[StateEquation]) -> Kept:
        """All but these."""
        constraints, invariants, found = (tuple(one for one in part if one not in left_out)
                                          for part in (self.constraints, self.invariants, self.found))
        return Kept(constraints, invariants, found, self.undecided)

    def within(self, problem: Problem) -> Problem:
        """The problem with these relations in its runs."""
        relations = self.relations(problem)
        return replace(problem, runs=tuple(replace(run, relations=relations) for run in problem.runs))

    def relations(self, problem: Problem) -> tuple[Relation, ...]:
        """These relations, in the states of a problem."""
        return tuple(_relation(one, problem.runs[0].states) for one in (*self.constraints, *self.invariants))


def kept_of(data: Any, dynamics: Dynamics, noise: Any, wanted: Wanted, max_degree: int) -> Kept:
    """What is wanted of constraints and invariants, from texts or found in the data.

    Parameters
    ----------
    data : Trajectories
    dynamics : Dynamics
    noise : Any
        As `identify` was given it.
    wanted : Wanted
    max_degree : int
        Of right-hand sides; constraints are looked for up to it, but at least to 2.
    """
    names = data.names
    constraints = _given("constraints", wanted.constraints, names) if _is_texts(wanted.constraints) else ()
    invariants = _given("invariants", wanted.invariants, names) if _is_texts(wanted.invariants) else ()
    look = wanted.constraints is not None and dynamics.is_smooth and len(data.labels) > 1 and len(names) > 1
    if not look and wanted.invariants is not True:
        return Kept(constraints, invariants)
    degrees = [top for top, most in MOST_STATES_AT.items() if len(names) <= most and top <= max(max_degree, 2)]
    found = _first_found(data, dynamics, noise, degrees[1:] or degrees, wanted.invariants is True)      # up to 2, then 3
    if found is None:
        return Kept(constraints, invariants)
    new: tuple[StateEquation, ...] = ()
    if look:
        new = tuple(_equation(one, names) for one in found.constraints if not _follows(one, constraints))
    if wanted.invariants is True:
        invariants = tuple(_equation(one, names, is_constant=True) for one in found.invariants)
    still_open = next((row for row in found.undecided if row.constraints), None) if new else None
    return Kept(constraints + new, invariants, new, still_open)


def kept_to(kept: Kept, problem: Problem, form: str, max_degree: int, functions: Any, told: Told) -> Model:
    """The model of a search among states that keep to these relations.

    What the measured states contradict is not kept to, and said to be rejected; where no equations of motion agree with what
    they do not contradict, equations without it are looked for.  So they are beside constraints of an undecided degree.
    """
    def searched(kept: Kept) -> tuple[Model, float]:
        return searched_with_cost(kept.within(problem) if kept else problem, form, max_degree, functions, told)

    wrong = [one for one in (*kept.constraints, *kept.invariants) if _times_noise(problem, one) > LARGEST_OF_MEASURED]
    kept = kept.without(wrong)
    model, cost = searched(kept)
    if kept.found and kept.undecided is not None and model.status not in ENDED_EARLY:
        kept, model = _compared(kept, problem, (model, cost), searched(kept.without(kept.found)))
    if kept and len(model.targets) < len(problem.samples.targets) and model.status not in ENDED_EARLY:
        free, _ = searched(Kept())
        if len(free.targets) > len(model.targets):
            said = f"the estimate does not keep to {kept.text}: no equations of motion agree with it"
            return replace(free, message="; ".join(filter(None, [free.message, said])))
    if wrong:
        said = "; ".join(f"the data reject {one.text()}: it is off by {_times_noise(problem, one):.3g} times what noise "
                         "explains" for one in wrong)
        model = replace(model, status=Status.KNOWLEDGE_REJECTED, message="; ".join(filter(None, [said, model.message])))
    return replace(model, constraints=kept.constraints, invariants=kept.invariants) if kept else model


def _compared(kept, problem, own, other):
    """What is kept to, and the model, of those with and without constraints beside which a degree is undecided; each with its
    cost."""
    (model, cost), (free, free_cost) = own, other
    runs, found = len(problem.runs), "; ".join(one.text() for one in kept.found)
    cost += AKAIKE * sum(len(one.terms) - 1 - runs for one in kept.found)
    said = [constraints_undecided(kept.undecided.degree, kept.undecided.constraints, runs)]
    if free_cost < cost - UNDECIDED_COST:
        less = f"without it equations of motion cost {cost - free_cost:.3g} less, where {UNDECIDED_COST:.0f} would be clear"
        said.append(f"the estimate does not keep to {found}: "
                    f"{less if np.isfinite(cost) else 'no equations of motion agree with it'}")
        kept, model = kept.without(kept.found), free
    elif free_cost < cost + UNDECIDED_COST and not same_modulo(kept.relations(problem), model.field, free.field):
        said.append(f"without {found} other equations of motion describe the data as well (see alternatives)")
        one = Alternative(free.arguments, free.targets, free.field, free.coefficients, max(free_cost - cost, 0.0))
        model = replace(model, alternatives=tuple(sorted((*model.alternatives, one), key=lambda one: one.cost)))
    status = Status.UNDECIDED if model.status is Status.FOUND else model.status
    return kept, replace(model, status=status, message="; ".join(filter(None, [*said, model.message])))


def _times_noise(problem, equation):
    """Root-mean-square of a relation at the measured states, over what their noise makes of it."""
    relation, squares, explained = _relation(equation, problem.runs[0].states), 0.0, 0.0
    for run in problem.runs:
        seen = np.isfinite(run.measured[: len(equation.names)]).all(axis=0)
        measured = run.measured[: run.states, seen]
        values, slopes = relation.values_and_slopes(np.where(np.isfinite(measured), measured, 0.0))
        values = values - values.mean() if relation.is_constant and len(values) else values
        squares += float(np.sum(values**2))
        explained += float(np.sum(slopes**2 * run.variances[: run.states, seen]))
    return np.sqrt(squares / explained) if explained else 0.0


def _follows(found, given):
    """Whether a constraint that was found is a combination of those that were given."""
    monomials = sorted({e for one in (found, *given) for e in one.terms})
    own, *others = (np.array([float(one.terms.get(e, 0)) for e in monomials]) for one in (found, *given))
    if not others:
        return False
    left = own - np.array(others).T @ np.linalg.lstsq(np.array(others).T, own, rcond=None)[0]
    return bool(np.linalg.norm(left) < SAME_SHARE * np.linalg.norm(own))


def _first_found(data, dynamics, noise, degrees, invariants):
    """What `conserved` finds up to the first of some degrees up to which there is something.

    Where smoothed states show nothing the measured ones are looked at, with the noise that is known then: smoothing bends
    products of fast states, and what holds at all states needs none.
    """
    found = None
    for degree in degrees:
        found = _found(data, dynamics, noise, degree)
        if found is None or found.constraints or (invariants and found.invariants):
            break
        if np.isfinite(found.noise).all() and (found.noise > 0).all():
            measured = _found(data, "map", found.noise.tolist(), degree)
            if measured is not None and measured.constraints:
                return replace(found, constraints=measured.constraints, undecided=measured.undecided)
    return found


def _found(data, dynamics, noise, degree):
    """What `conserved` finds; None where it cannot look.  Which values are trusted was decided before."""
    try:
        return conserved(data, degree, kind=dynamics, noise=_of_states(noise, len(data.names)), loss="squares")
    except (InvalidPoints, InvalidOption):                # a state at rest, runs too short: nothing to be seen there
        return None
    except FitInterrupted:
        raise KeyboardInterrupt from None


def _of_states(noise, d):
    """Without that of measured derivatives, which may follow; noise by runs stays what it is."""
    return noise if np.ndim(noise) == 0 else list(noise)[:d]


def _is_texts(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and all(isinstance(one, str) for one in value)


def _given(option, texts, names):
    out = []
    for text in texts:
        terms, sign = relation_from_text(text, names, option)
        if sign != "=" or not any(any(e) for e in terms):
            raise InvalidOption(option, text, f"an equation in {', '.join(names)}")
        errors = dict.fromkeys(terms, 0.0)
        out.append(StateEquation(terms, {}, errors, safe_symbols(names), tuple(names), option == "invariants"))
    return tuple(out)


def _equation(found, names, is_constant=False):
    errors = {exponents: found.standard_errors.get(exponents, 0.0) for exponents in found.terms}
    return StateEquation(dict(found.terms), dict(found.digits), errors, safe_symbols(names), tuple(names), is_constant)


def _relation(equation, width):
    exponents = np.zeros((len(equation.terms), width), dtype=int)
    exponents[:, : len(equation.names)] = np.array(list(equation.terms))
    return Relation(exponents, np.array([float(Fraction(value)) for value in equation.terms.values()]), equation.is_constant)

