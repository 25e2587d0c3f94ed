"""Lean 4 with Mathlib: claims as theorems, by ``norm_num``, ``ring`` and ``linear_combination`` with the cofactors found here.

No Lean was at hand when this was written: the text keeps to constructs that Mathlib documents, and was never run.  What stands
in it is read back by a small reader in the tests, which checks that every theorem is true by its proof's own arithmetic.
Boxes are left to Coq: Mathlib has no interval Newton method.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from ..ground.errors import InvalidOption
from ..polynomials.infix import Style, polynomial_text
from ..polynomials.numerals import integer_text, rational_text
from ..polynomials.terms import Exponents, Terms, derivative
from .coq import NOTHING_TO_PROVE, check_exact, check_vanishing, default_statements
from .names import Rules
from .registry import target
from .script import Comment, header
from .statements import Conservation, GroebnerBasis, Membership, PointsBasis, Vanishing
from .system import System

COMMENT = Comment("--")
COMMANDS = """
    abbrev axiom by calc class constant def deriving do else end example export extends false finally for forall from fun have
    hiding if import in include inductive infix instance let local macro match mut mutual namespace nat notation open opaque
    partial postfix prefix private protected rec return section set_option show structure suffices syntax termination_by then
    theorem true try universe unless unsafe variable where while with Prop Sort Type Real Nat Int Rat exp at using this lemma
    attribute decreasing_by elab initialize noncomputable nonrec public scoped assume obtain omit nomatch nofun"""
TACTICS = """
    abel absurd ac_rfl admit aesop all_goals and_intros any_goals apply assumption assumption_mod_cast bound bv_decide by_cases
    by_contra by_contra' calc case cases cc change choose classical clear congr constructor continuity contradiction contrapose
    conv convert dbg_trace decide delta done dsimp eapply econstructor erw exact exacts exfalso exists existsi ext fail
    fail_if_success false_or_by_contra fconstructor field field_simp fin_cases first focus funext gcongr generalize grind
    group guard_hyp hint induction infer_instance injection injections interval_cases intro intros introv iterate left
    lift linarith linear_combination measurability module monotonicity move_add mod_cast native_decide next nlinarith nofun
    noncomm_ring nontriviality norm_cast norm_num nth_rewrite observe omega on_goal order peel pick_goal plausible polyrith
    positivity pull push push_cast push_neg qify rcases reduce refine refine' rel rename rename_i repeat replace revert rewrite
    rfl rify right ring ring_nf rintro rotate_left rotate_right rsuffices run_tac rw rwa says set show_term simp simp_all
    simp_arith simpa skip sleep solve solve_by_elim sorry specialize split split_ifs stop subsingleton subst subst_vars substs
    suffices swap symm tauto tfae_finish tfae_have trace trans trivial unfold unhygienic use wlog zify"""
RULES = Rules(frozenset(COMMANDS.split()) | frozenset(TACTICS.split()))
"""Words that Lean or Mathlib may read as something else than a name."""
STYLE = Style(number=lambda value: _number(value))


@target("lean", suffix=".lean", comment=COMMENT, rules=RULES)
def to_lean(system: System) -> str:
    """A Lean 4 file for Mathlib, never run: zeros at points, cofactors, derivatives along a motion.

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
    >>> print(*to_lean(circle).splitlines()[-8:], sep="\\n")
    def skP1 (x y : Real) : Real :=
      x^2 + y^2 - 1
    <BLANKLINE>
    theorem zero_1_1_1 : skP1 (3/5) (4/5) = 0 := by
      unfold skP1
      norm_num
    <BLANKLINE>
    end
    """
    check_exact(system, "lean")
    names = RULES.safe_names(system.names)
    statements = [s for s in system.statements or default_statements(system)
                  if isinstance(s, (Vanishing, PointsBasis, Membership, GroebnerBasis, Conservation))]
    if not statements:
        if system.statements:
            raise InvalidOption("system", "only boxes", "one with points, cofactors or invariants for lean; boxes that are "
                                "proved to hold a zero go to coq (export --to coq)")
        raise InvalidOption("system", "nothing that is claimed of its equations", NOTHING_TO_PROVE)
    lines = [header(system, names, COMMENT), COMMENT.lines(
        "Written for Lean 4 with Mathlib; this text was never run."), "import Mathlib\n\nnoncomputable section\n\n"]
    variables = " ".join(names)
    for k, terms in enumerate(system.polynomials, start=1):
        lines.append(f"def skP{k} ({variables} : Real) : Real :=\n  {_algebra(terms, names)}\n\n")
    for place, statement in enumerate(statements, start=1):
        if isinstance(statement, (Vanishing, PointsBasis)):
            check_vanishing(system, statement)
            lines.append("" if isinstance(statement, Vanishing) else
                         COMMENT.lines("That they have no other common zero is proved for Coq, not here."))
            lines += _vanishing(statement, place)
        elif isinstance(statement, Membership):
            lines.append(_membership(system, statement, place, names))
        elif isinstance(statement, GroebnerBasis):
            lines += [_membership(system, identity, f"{place}_{k}", names)
                      for k, identity in enumerate(statement.pairs, start=1)]
        else:
            lines.append(_conservation(system, statement, place, names))
    return "".join([*lines, "end\n"])


def _vanishing(statement, place):
    for number, point in enumerate(statement.points, start=1):
        arguments = " ".join(f"({rational_text(x)})" for x in point)
        for index in statement.polynomials:
            yield (f"theorem zero_{place}_{number}_{index + 1} : skP{index + 1} {arguments} = 0 := by\n"
                   f"  unfold skP{index + 1}\n  norm_num\n\n")


def _membership(system: System, statement: Membership, place: int | str, names: Sequence[str]) -> str:
    given = [(k + 1, system.polynomials[k]) for k in statement.places(len(system.polynomials))]
    return (f"theorem goal_{place} ({' '.join(names)} : Real)\n{_hypotheses(given, names)}    : "
            f"{_equation(_algebra(statement.goal, names))} := by\n"
            f"  {_combination(given, statement.cofactors, names, statement.power)}\n\n")


def _conservation(system: System, statement: Conservation, place: int, names: Sequence[str]) -> str:
    """The derivative along the motion, times all denominators, is zero."""
    belows = [_algebra(below, names) for _, below in statement.field]
    slopes = []
    for k, (above, _) in enumerate(statement.field):
        factors = [_algebra(derivative(statement.invariant, k), names), _algebra(above, names),
                   *(below for other, below in enumerate(belows) if other != k and below != "1")]
        if "0" not in factors:
            slopes.append(" * ".join(f"({factor})" for factor in factors))
    given = list(enumerate(system.polynomials[:len(statement.cofactors)], start=1))
    motion = "".join(f"--   {name}' = ({_algebra(above, names)}) / ({below})\n"
                     for name, (above, _), below in zip(names, statement.field, belows))
    return (f"-- The derivative of {_algebra(statement.invariant, names)} along\n{motion}-- times the denominators, is zero.\n"
            f"theorem derivative_{place} ({' '.join(names)} : Real)\n{_hypotheses(given, names)}    : "
            f"{_equation(' + '.join(slopes) or '0')} := by\n  {_combination(given, statement.cofactors, names)}\n\n")


def _hypotheses(given: Sequence[tuple[int, Terms]], names: Sequence[str]) -> str:
    return "".join(f"    (skH{k} : {_equation(_algebra(terms, names))})\n" for k, terms in given)


def _combination(given: Sequence[tuple[int, Terms]], cofactors: Sequence[Terms], names: Sequence[str], power: int = 1) -> str:
    parts = [f"({_algebra(terms, names)}) * skH{k}" for (k, _), terms in zip(given, cofactors) if terms]
    if not parts:
        return "ring"
    return f"linear_combination {'' if power == 1 else f'(exp := {power}) '}{' + '.join(parts)}"


def _equation(left: str) -> str:
    """``left = 0``; a number alone is said to be real, which Lean cannot see otherwise."""
    return f"{left} = 0" if any(letter.isalpha() for letter in left) else f"({left} : Real) = 0"


def _algebra(terms: Mapping[Exponents, Fraction], names: Sequence[str]) -> str:
    return polynomial_text(terms, names, STYLE) if terms else "0"


def _number(value):
    value = Fraction(value)
    return integer_text(value.numerator) if value.denominator == 1 else f"({rational_text(value)})"
