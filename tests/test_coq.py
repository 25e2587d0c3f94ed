"""Coq files: accepted by the real ``coqc``, with no axioms but those of the real numbers; false claims are refused."""

import json
from dataclasses import replace
from fractions import Fraction as Q

import numpy as np
import pytest

import symknot
from symknot.cli import main
from symknot.engines.process import Limits, run
from symknot.engines.provers import AXIOMS_OF_THE_REALS, CoqAnswer, axioms, check_coq, locate_prover
from symknot.exact.verify import read_text
from symknot.export import System, export, read_mapping
from symknot.export.coq_text import PARTS, library
from symknot.export.statements import Conservation, GroebnerBasis, Membership, UniqueZero, Vanishing
from symknot.proof.checking import check_with_coq
from symknot.proof.claims import certified_system

from .export_systems import HOSTILE
from .test_certificate_mutations import originals

SECONDS = 300
ONE = Q(1)
#: Euler's equations of a top with moments of inertia in the proportion 1 : 2 : 3.
TOP = (({(0, 1, 1): -ONE}, {(0, 0, 0): ONE}), ({(1, 0, 1): ONE}, {(0, 0, 0): ONE}), ({(1, 1, 0): Q(-1, 3)}, {(0, 0, 0): ONE}))


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_each_part_of_the_library_needs_what_it_says(part):
    assert check_coq(f"{library(part)}\nCheck poly.\nPrint Assumptions same_sound.\n", SECONDS).accepted


@pytest.fixture(scope="module")
def cubic():
    """Exact equations of noisy points of a twisted cubic: three equations, boxes, syzygies."""
    t = np.linspace(-1, 1, 200)
    noise = 0.01 * np.random.default_rng(0).normal(size=(200, 3))
    return symknot.fit(np.c_[t, t**2, t**3] + noise).exact()


def accepted(system):
    answer = check_coq(export(system, "coq"), SECONDS)
    return answer.accepted, answer.words


def test_the_library_admits_nothing_and_has_no_axiom_of_its_own():
    text = library(*PARTS)
    for word in ("Admitted", "admit", "Axiom", "Parameter", "Conjecture", "Hypothesis Rf"):
        assert word not in text


def test_boxes_and_what_else_is_zero_there(cubic):
    """For four knots: existence and uniqueness of the zero, a bound, and by syzygies the third equation."""
    system = cubic._system()
    some = [s for s in system.statements if s.knot < 2]
    assert [type(s).__name__ for s in some] == ["UniqueZero", "UniqueZero", "AlsoZero", "AlsoZero"]
    text = export(replace(system, statements=tuple(some)), "coq")
    printed = run([*locate_prover("coq"), "-q", "-noglob", "file.v"], Limits.checked(SECONDS), work="coq",
                  files={"file.v": text})
    assert axioms(printed) and axioms(printed) <= AXIOMS_OF_THE_REALS
    assert "exactly_one 3 (fun x => inside skBox0 x" in text and "Theorem also_zero_at_knot_1" in text


@pytest.mark.slow
def test_a_certificate_is_checked_statement_by_statement(cubic):
    """A box moved off its zero is refused, and what rests on it; the other box stays proved."""
    system = cubic._system()
    boxes = [s for s in system.statements if isinstance(s, UniqueZero)][:2]
    also = [s for s in system.statements if not isinstance(s, UniqueZero)][:2]
    moved = replace(boxes[0], center=(boxes[0].center[0] + Q(1, 1000), *boxes[0].center[1:]))
    found = check_with_coq(replace(system, statements=(moved, boxes[1], *also)), SECONDS)
    assert [finding.accepted for finding in found] == [False, True, False, True]
    assert "rests on the box" in found[2].words


def test_invariants_in_words_and_what_is_false():
    """The Euler top, with derivatives of functions whose names are used in proofs, too; Coq stops at the one false claim."""
    false = Conservation({(2, 0, 0): ONE, (0, 2, 0): Q(2)}, TOP)
    top = System(("t", "E", "w3"), (), statements=(Conservation({(0, 2, 0): ONE, (0, 0, 2): Q(3)}, TOP), false))
    text = export(top, "coq")
    assert "derivable_pt_lim w3 skT (-1/3*t skT*E skT)%R) ->\n" in text and text.count("Definition skField") == 1
    assert "derivable_pt_lim (fun s => E s^2 + 3*w3 s^2)%R skT 0%R." in text
    assert "(E finish^2 + 3*w3 finish^2 = E start^2 + 3*w3 start^2)%R." in text
    answer = check_coq(text, SECONDS)
    assert not answer.accepted and answer.words
    assert text.splitlines()[:answer.line].count("(* Statement 2. *)") == 1


@pytest.mark.slow
def test_a_rational_field_and_a_constraint_are_part_of_the_statement():
    """x' = y/(1+x^2), y' = -x/(1+x^2) keeps x^2+y^2; on x = y, x' = x - y leaves x where it is."""
    below = {(0, 0): ONE, (2, 0): ONE}
    rational = Conservation({(2, 0): ONE, (0, 2): ONE}, (({(0, 1): ONE}, below), ({(1, 0): -ONE}, below)))
    assert accepted(System(("x", "y"), (), statements=(rational,))) == (True, "")
    one = {(0, 0): ONE}
    still = Conservation({(1, 0): Q(1, 2)}, (({(1, 0): ONE, (0, 1): -ONE}, one), ({}, one)), ({(0, 0): Q(1, 2)},))
    assert accepted(System(("x", "y"), ({(1, 0): ONE, (0, 1): -ONE},), statements=(still,))) == (True, "")
    # beside a basis whose order writes the terms of the constraint in another order
    circle = {(0, 0): -ONE, (2, 0): ONE, (0, 2): ONE}
    slows = Conservation({(1, 0): ONE}, ((circle, one), ({}, one)), (one,))
    assert accepted(System(("x", "y"), (circle,), statements=(GroebnerBasis((0,), "lex", ()), slows))) == (True, "")


def test_names_stay_data_in_coq():
    """Zeros at points, a membership with cofactors and an invariant, of variables that are called anything."""
    size = len(HOSTILE)
    unit = [tuple(int(i == j) for i in range(size)) for j in range(size)]
    one, double = {(0,) * size: ONE}, [tuple(2 * e for e in row) for row in unit]
    field = (({unit[1]: ONE}, one), ({unit[0]: -ONE}, one), *(({}, one),) * (size - 2))
    laws = ({unit[0]: ONE, unit[1]: -ONE}, {double[0]: ONE, (0,) * size: Q(-1, 2)})
    system = System(HOSTILE, laws, title=HOSTILE[4], notes=HOSTILE, statements=(
        Vanishing((0,), ((Q(1, 3),) * size, (Q(-5),) * size)),
        Membership({double[1]: ONE, (0,) * size: Q(-1, 2)}, ({unit[0]: -ONE, unit[1]: -ONE}, one), name=HOSTILE[4]),
        Conservation({double[0]: ONE, double[1]: ONE}, field)))
    text = export(system, "coq")
    assert tuple(read_mapping(text).values()) == HOSTILE
    assert check_coq(text, SECONDS).accepted


@pytest.mark.slow
def test_words_of_the_language_are_no_names():
    words = ("forall", "eval", "poly", "point", "fun", "R", "in", "skP1", "nth", "same")
    small = System(words, ({tuple(int(k == 1) for k in range(10)): ONE},), ((Q(0),) * 10,))
    assert accepted(small) == (True, "")


def test_numbers_of_thousands_of_digits():
    """Among data, where their digits are read late; in plain algebra, and with many factors of two, where they are not."""
    big, even = 10**3000 + 1, 3 * 2**300
    lines = {(1, 0): Q(1, big), (0, 1): -ONE}, {(1, 0): Q(even, big), (0, 1): Q(-even)}, {(1, 0): Q(even), (0, 1): -ONE}
    laws = System(("x", "y"), lines, statements=(
        Vanishing((0,), ((Q(big), ONE), (Q(0), Q(0)))), Vanishing((2,), ((Q(-1, big), Q(-even, big)),)),
        Membership(lines[0], ({(0, 0): Q(1, even)},), generators=(1,))))
    text = export(laws, "coq")
    assert ")%long" in text and "Lemma skP3_reads" in text and "skP1_reads" not in text
    assert check_coq(text, SECONDS) == CoqAnswer(True, None, "")


def test_time_limit_is_kept():
    text = "Fixpoint f (n : nat) := match n with O => 0 | S k => f k + f k end.\nEval vm_compute in f 60.\n"
    with pytest.raises(symknot.TimeLimit):
        check_coq(text, 2)


@pytest.mark.slow
def test_zeros_are_exactly_the_points_and_verify_with_coq_says_so(tmp_path, capsys):
    """The theorem is about all real points; a basis that lost an element has other zeros and is refused."""
    ideal = symknot.points_ideal([(0, 0), (1, 0), (0, 1), (Q(1, 2), Q(-1, 3))], ["x", "y"])
    assert "Theorem zeros_are_the_points_1 : forall x," in ideal.to_coq()
    ideal.certificate.save(tmp_path / "points.json")
    assert main(["verify", str(tmp_path / "points.json"), "--with", "coq"]) == 0
    assert "holds: 1 x groebner basis; statement 0: Coq accepts" in capsys.readouterr().out
    system, places, kinds = certified_system(read_text((tmp_path / "points.json").read_text()))
    assert places == (0,) and kinds == ["groebner basis"] and system.names == ("x1", "x2")
    fewer = replace(system, statements=(replace(system.statements[0], polynomials=system.statements[0].polynomials[1:]),))
    assert [finding.accepted for finding in check_with_coq(fewer, SECONDS)] == [False]


def damaged(content):
    """Certificates of every kind with a number of the polynomial, or of the statement, off by a little."""
    term = content["polynomials"][0][0]
    term[1] = hex(int(term[1], 16) * 1001)
    term[2] = hex(int(term[2], 16) * 1000)
    return content


@pytest.mark.slow
@pytest.mark.parametrize("number", range(3))
def test_both_checkers_say_the_same_of_the_same_file(number, tmp_path):
    """Python's and Coq's, which share no line: all statements hold, and with one number off some do not for either."""
    content = originals()[number].to_json()
    for change, expected in ((lambda same: same, 0), (damaged, 1)):
        path = tmp_path / "certificate.json"
        path.write_text(json.dumps(change(content)))
        assert [main(["verify", str(path), *checker]) for checker in ([], ["--with", "coq"])] == [expected] * 2


def test_theorems_about_few_points_and_short_polynomials_are_said_in_words():
    """Zeros that are exactly the points; cofactors, also none; powers: all in plain algebra."""
    three = symknot.points_ideal([(0, 0), (1, 0), (Q(1, 2), Q(-1, 3))], ["x", "E"])._system()
    law = three.polynomials[1]
    further = Membership(law, (law,), 2, generators=(1,)), Membership({}, ())
    text = export(replace(three, statements=(*three.statements, *further)), "coq")
    assert text.count("_in_words : forall x E : R,") == 3 and check_coq(text, SECONDS) == CoqAnswer(True, None, "")
    assert "   (x = 1/2 /\\ E = -1/3)%R).\n" in text and "  ((3*E^2 + E = 0)%R /\\\n" in text


@pytest.mark.slow
def test_one_point_on_a_line_is_said_in_words():
    single = symknot.points_ideal([(Q(1, 3),)], ["t"]).to_coq()
    assert "forall t : R,\n  (3*t - 1 = 0)%R <->\n  (t = 1/3)%R.\n" in single and check_coq(single, SECONDS).accepted


@pytest.mark.slow
def test_twenty_points_with_decimals_in_five_variables():
    """Made whole in Coq, by denominators that differ from variable to variable."""
    random = np.random.default_rng(1)
    units = (1, 10, 100, 12, 100)
    rows = random.integers(-999, 1000, size=(20, 5))
    points = sorted({tuple(Q(int(x), unit) for x, unit in zip(row, units)) for row in rows})
    text = symknot.points_ideal(points, list("abcde")).to_coq()
    assert "In p [skP1; skP2;" in text and check_coq(text, SECONDS).accepted
