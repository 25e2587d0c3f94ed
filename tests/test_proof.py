"""Proofs with cofactors, questions over the real numbers, interchange: each against the real programs."""

import json
import re
from dataclasses import replace
from fractions import Fraction as Q

import numpy as np
import pytest
import sympy

import symknot
from symknot.cli import main
from symknot.engines import engine
from symknot.engines.process import Limits
from symknot.engines.provers import check_coq, run_solver
from symknot.export import FunctionLetter, System, export, read_mathjson, read_mathml, read_mrdi
from symknot.export.statements import Conservation, GroebnerBasis, Membership
from symknot.ground.errors import InvalidModel, InvalidOption, NotProved
from symknot.polynomials.parsing import polynomial_from_text, relation_from_text
from symknot.proof.asking import ask_real

from .export_systems import CUBIC, HOSTILE

x, y = sympy.symbols("x y")
ONE = Q(1)
CIRCLE = {(2, 0): ONE, (0, 2): ONE, (0, 0): Q(-1)}


@pytest.mark.parametrize("name", ["singular", "macaulay2", "sympy"])
def test_cofactors_by_every_engine(name):
    laws = [x**2 + y**2 - 1, x * y / 2 - sympy.Rational(1, 3), sympy.Integer(0)]
    goal = x**4 + y**4 - sympy.Rational(1, 9)
    factors = engine(name).cofactors(laws, goal, variables=[x, y])
    assert sympy.expand(sum(h.as_expr() * p for h, p in zip(factors, laws)) - goal) == 0 and factors[2].is_zero
    assert engine(name).cofactors([x**2, y], x, variables=[x, y]) is None


def test_a_proof_is_printed_multiplied_out_and_exported():
    proof = symknot.prove("x**4 = y**2", ["y - x**2"])
    assert str(proof).splitlines()[:3] == ["x**4 - y**2 = 0 follows:", "  x**4 - y**2", "    = (-x**2 - y) * p1"]
    assert proof.holds() and "linear_combination (-x^2 - y) * skH1" in proof.to_lean()
    nilpotent = symknot.prove(x - y, [(x - y) ** 3])
    assert nilpotent.power == 3 and "linear_combination (exp := 3)" in nilpotent.to_lean() and nilpotent.holds()


def test_what_does_not_follow_is_refuted_by_a_point():
    with pytest.raises(NotProved, match="the goal is false: the hypotheses hold at") as refuted:
        symknot.prove("x", ["x**2 + y**2 - 1"])
    point = refuted.value.point
    assert float(point["x"]) != 0 and abs(float(point["x"]) ** 2 + float(point["y"]) ** 2 - 1) < 1e-9
    with pytest.raises(NotProved, match="true at every real point, but not at every complex one"):
        symknot.prove("x", ["x**2 + y**2"])


@pytest.mark.parametrize("goal, given", [("x", 5), (5.5, ["x"]), (x * 0.1, ["x"]), ("x", [x * 0.1]), (sympy.sin(x), ["x"]),
                                         ("x < 1", ["x"]), ("x", ["x < 1"]), ("x + z", x), ("", []), (None, [])])
def test_what_is_no_exact_equation_is_refused(goal, given):
    with pytest.raises((InvalidOption, NotProved), match="goal|hypotheses"):
        symknot.prove(goal, given)


def test_laws_found_in_data_prove_further_ones():
    t = np.linspace(0, 6.2, 100)
    exact = symknot.fit(np.c_[np.cos(t), np.sin(t)] + 0.005 * np.random.default_rng(0).normal(size=(100, 2))).exact()
    assert symknot.prove("x**4 - (1 - y**2)**2", exact).holds()
    assert exact.ask("x**2 + y**2 <= 4").status == "proved" and exact.ask(sympy.Symbol("x") >= -1)
    answer = exact.ask("x*y < 2/5")
    assert answer.status == "refuted" and float(answer.point["x"]) * float(answer.point["y"]) >= 0.4
    assert abs(float(answer.point["x"]) ** 2 + float(answer.point["y"]) ** 2 - 1) < 1e-9


@pytest.mark.parametrize("name", ["z3", "cvc5"])
def test_both_solvers_prove_and_refute(name):
    names = ["x y", "assert"]
    assert ask_real(names, [CIRCLE], ({(1, 0): ONE, (0, 0): Q(-1)}, "<="), name).status == "proved"
    answer = ask_real(names, [CIRCLE, {(1, 0): ONE, (0, 1): Q(-2)}], ({(1, 0): ONE}, "<="), name)
    assert answer.status == "refuted" and answer.point["x y"] == pytest.approx(2 / 5**0.5, abs=1e-12)
    assert answer.engine == name and str(answer).startswith("refuted at x y = 0.894427")


@pytest.mark.parametrize("name", ["z3", "cvc5"])
def test_functions_are_any_that_have_their_relations(name):
    """A pendulum, q' = p, p' = -sin(q): bounds of sin are proved, points refute only with its true values."""
    names, sine = ("q", "p", "sin(q)", "q'", "p'"), (FunctionLetter(2, "sin", 0),)
    laws = [polynomial_from_text(text, names) for text in ("q' - p", "p' + sin(q)")]

    def ask(claim, functions=sine):
        return ask_real(names, laws, relation_from_text(claim, names), name, functions=functions)
    assert ask("p' <= 1") and ask("p'**2 + sin(q)**2 <= 2")
    refuted = ask("p' <= 1/2").point
    assert refuted["p'"] == pytest.approx(-np.sin(float(refuted["q"])), abs=1e-15) and refuted["p'"] > 0.5
    assert "only some relations of sin" in ask("p' < 1").words and not ask("p' <= 1", (FunctionLetter(2, "f(x)", 0),))
    letters = tuple(FunctionLetter(len(HOSTILE), f, 0) for f in (*HOSTILE, "exp", "log", "sqrt", "tanh", "1/x"))
    hostile = System((*HOSTILE, "y"), ({(1,) + (0,) * len(HOSTILE): ONE},), functions=letters)
    text = export(hostile, "smtlib")
    assert "(set-logic QF_UFNRA)" in text and run_solver(name, text, Limits.checked(60)).split() == ["unsat"]


def test_a_solver_that_runs_out_of_time_knows_nothing():
    names = [f"x{k}" for k in range(8)]
    hard = [{tuple(int(i in (k, (k + 1) % 8, (k + 3) % 8)) * (1 + i % 3) for i in range(8)): ONE, (0,) * 8: Q(-k - 1, 7),
             tuple(3 * int(i == k) for i in range(8)): Q(2, 3)} for k in range(8)]
    answer = ask_real(names, hard, ({(1,) * 8: ONE, (0,) * 8: Q(-1)}, "<="), "cvc5", timeout=2)
    assert answer.status == "unknown" and answer.words and not answer


@pytest.mark.parametrize("name", ["z3", "cvc5"])
def test_scripts_run_and_names_stay_data(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    size = len(HOSTILE)
    unit = [tuple(int(i == j) for i in range(size)) for j in range(size)]
    hostile = System(HOSTILE, ({unit[0]: ONE, unit[1]: -ONE},), title=HOSTILE[0], notes=HOSTILE)
    for system in (CUBIC, hostile):
        assert run_solver(name, export(system, "smtlib"), Limits.checked(60)).split() == ["sat"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("wrong", ["__import__('os').system('ls')", "x.real", "x**y", "x/y", "x**-1", "f(x)", "x if y else 1",
                                   "[x]", "x**100000", "(" * 5000, "x +", "", "1e400000000*x", "x < y < 1", "lambda: 1"])
def test_text_is_never_run(wrong):
    with pytest.raises(InvalidOption):
        relation_from_text(wrong, ["x", "y"])


def test_text_is_read_exactly():
    assert polynomial_from_text("0**0 - x", ["x"]) == {(0,): ONE, (1,): -ONE}
    assert polynomial_from_text("0.1*x - 1_000/3", ["x"]) == {(1,): Q(1, 10), (0,): Q(-1000, 3)}
    assert relation_from_text("x^2 >= y", ["x", "y"]) == ({(2, 0): ONE, (0, 1): -ONE}, ">=")
    assert polynomial_from_text(f"{'1' * 5000}*x + .{'3' * 6000}e2", ["x"]) == {
        (1,): Q(10**5000 - 1, 9), (0,): Q(10**6000 - 1, 3 * 10**6000) * 100}
    assert polynomial_from_text("x' - sin(x)**2 + x''", ["x", "sin(x)", "x'", "x''"]) == {
        (0, 0, 1, 0): ONE, (0, 2, 0, 0): -ONE, (0, 0, 0, 1): ONE}


@pytest.mark.parametrize("target, read", [("mrdi", read_mrdi), ("mathjson", read_mathjson), ("mathml", read_mathml)])
def test_interchange_brings_back_the_equations(target, read):
    long = System((*HOSTILE[:2], "e"), ({(1, 0, 2): Q(-(10**5000), 3**200), (0, 0, 0): ONE}, {(0, 1, 1): Q(2**60)}))
    for system in (CUBIC, long, System(("x",), ())):
        text = export(system, target)
        found = read(text)
        assert found.polynomials == system.polynomials
        assert found.names == system.names or not system.polynomials
        assert target == "mathml" or json.loads(text)


@pytest.mark.parametrize("read", [read_mrdi, read_mathjson, read_mathml])
@pytest.mark.parametrize("text", ["", "[]", "{}", "[" * 10**5, '{"fn": ["List", ["Equal", ["Sin", "x"], 0]]}', '"List"',
                                  '{"_type": {"name": "MPolyIdeal", "params": "r"}, "_refs": {}, "data": []}',
                                  '{"fn": ["List", ["Equal", ["Power", ["Add", "x", "y"], 1e9], 0]]}'])
def test_interchange_refuses_what_is_something_else(read, text):
    with pytest.raises(InvalidModel):
        read(text)


def test_content_mathml_is_read_as_sympy_prints_it():
    printed = sympy.printing.mathml(sympy.Eq(x**2 - 3 * x * y / 7, 2))
    assert read_mathml(f"<math>{printed}</math>") == System(("x", "y"), ({(2, 0): ONE, (1, 1): Q(-3, 7), (0, 0): Q(-2)},))
    with pytest.raises(InvalidModel, match="no polynomial: minus"):
        read_mathml("<math><apply><eq/><apply><minus/><ci>x</ci><cn>1</cn><cn>2</cn></apply><cn>0</cn></apply></math>")
    with pytest.raises(InvalidModel, match="not read"):
        read_mathml('<!DOCTYPE a [<!ENTITY b "c">]><math>&b;</math>')


LEAN_DEFINITION = re.compile(r"def (skP\d+) \(([\w ]+) : Real\) : Real :=\n  (.+)")
LEAN_THEOREM = re.compile(r"theorem \w+(?: \(([\w ]+) : Real\))?\n?((?:    \(skH\d+ : .+ = 0\)\n)*) *: (.+) = 0 := by\n"
                          r"(  ring|  unfold skP\d+\n  norm_num|  linear_combination (?:\(exp := (\d+)\) )?(.+))")


def lean_polynomial(text, names):
    plain = re.sub(r"^\((.*) : Real\)$", r"\1", text)
    return sympy.Poly(sympy.sympify(0) + sum(
        sympy.Rational(c.numerator, c.denominator) * sympy.prod(sympy.Symbol(n) ** e for n, e in zip(names, exponents))
        for exponents, c in polynomial_from_text(plain, names).items()), *map(sympy.Symbol, names), domain="QQ")


def true_theorems(text):
    """How many theorems a Lean file has, each read and computed again: nothing may be left over but what was meant."""
    code = "".join(line + "\n" for line in text.splitlines() if not line.startswith("--"))
    assert code.startswith("import Mathlib\n\nnoncomputable section\n\n") and code.endswith("\nend\n") and code.isascii()
    defined, count = {}, 0
    for block in code[len("import Mathlib\n\nnoncomputable section\n\n"):-len("end\n")].strip().split("\n\n"):
        if found := LEAN_DEFINITION.fullmatch(block):
            defined[found[1]] = found[2].split(), lean_polynomial(found[3], found[2].split())
            continue
        found = LEAN_THEOREM.fullmatch(block)
        assert found, block
        names, count = (found[1] or "").split(), count + 1
        if "norm_num" in found[4]:
            name, *values = re.fullmatch(r"(skP\d+)((?: \([-/\d]+\))+)", found[3])[0].split()
            assert f"unfold {name}\n" in found[4] and defined[name][1](*(sympy.Rational(v[1:-1]) for v in values)) == 0
            continue
        facts = dict(re.findall(r"\((skH\d+) : (.+) = 0\)\n", found[2]))
        rest = lean_polynomial(found[3], names) ** int(found[5] or 1)
        for factor, fact in re.findall(r"\(((?:[^()]|\([^()]*\))*)\) \* (skH\d+)(?: \+ |$)", found[6] or ""):
            rest -= lean_polynomial(factor, names) * lean_polynomial(facts[fact], names)
        assert rest.is_zero, block
    return count


def test_lean_is_read_back_and_true():
    """No Lean is here: a reader of the few constructs that are written checks that each theorem holds by its own proof."""
    half = {(1, 0, 0, 0, 0): Q(1, 2), (0, 1, 0, 0, 0): -ONE}
    laws = System(("x y", "theorem", "\u211d", "exact", "h1"), (half,), statements=(
        Membership({(2, 0, 0, 0, 0): Q(1, 4), (0, 2, 0, 0, 0): -ONE}, ({(1, 0, 0, 0, 0): Q(1, 2), (0, 1, 0, 0, 0): ONE},)),
        Membership({}, ({},)), Conservation({(2, 0, 0, 0, 0): ONE}, (({}, {(0,) * 5: ONE}),) * 5),
        Conservation({(1, 0, 0, 0, 0): ONE}, (({(1, 0, 0, 0, 0): ONE, (0, 1, 0, 0, 0): Q(-2)}, {(0,) * 5: ONE}),
                                            *(({}, {(0,) * 5: Q(3), (0, 0, 0, 1, 0): ONE}),) * 4),
                     (polynomial_from_text("2*(3 + e)**4", list("abcef")),))))
    text = export(laws, "lean")
    assert true_theorems(text) == 4 and "(xY vTheorem " in text and " vExact h1 : Real)" in text
    assert true_theorems(symknot.prove(x - y, [(x - y) ** 3]).to_lean()) == 1
    assert true_theorems(symknot.points_ideal([(0, Q(1, 2)), (-1, 3)], ["at", "y"]).to_lean()) == 4
    with pytest.raises(AssertionError):
        true_theorems(text.replace("(1/2)*xY + vTheorem) * skH1", "(1/3)*xY + vTheorem) * skH1"))
    hostile = System(HOSTILE, ({},), ((Q(0),) * len(HOSTILE),), title=HOSTILE[4], notes=HOSTILE)
    assert true_theorems(export(hostile, "lean")) == 1


def test_an_invariant_that_the_model_changes_is_named_with_a_state():
    times = np.linspace(0, 6, 120)
    model = symknot.identify(symknot.Trajectories(np.c_[np.cos(times), -np.sin(times)], time=times, names=["q", "p"]), 1)
    proof = symknot.prove_conserved("q**2 + p**2", model)
    assert "derivable_pt_lim q t" in proof.to_coq()
    assert str(proof).startswith("conserved along every solution, exactly:\n  p**2 + q**2")
    with pytest.raises(NotProved, match="of motion: at q = 1, p = 1 its derivative is -2$"):
        symknot.prove_conserved(["q**2 + 2*p**2"], model)
    still = symknot.prove_conserved("q", model, given=["2*p"])
    assert still.cofactors == (({(0, 0): Q(1, 2)},),) and "on which\n  2*p = 0\nexactly:\n  q\n" in str(still)
    with pytest.raises(NotProved, match="where what is given holds, it changes"):
        symknot.prove_conserved("q", model, given=["p - 1"])


def test_the_command_proves_refutes_and_writes(tmp_path, capsys):
    assert main(["prove", "x**4 = y**2", "--given", "y = x**2", "--to", "lean", "-o", str(tmp_path / "p.lean")]) == 0
    assert "linear_combination" in (tmp_path / "p.lean").read_text() and "follows" in capsys.readouterr().out
    assert main(["prove", "x <= 2", "--given", "x**2 + y**2 = 1"]) == 0 and "proved by" in capsys.readouterr().out
    assert main(["prove", "x <= 1/2", "--given", "x**2 + y**2 = 1"]) == 1 and "refuted at" in capsys.readouterr().out
    assert main(["prove", "x <= 2", "--given", "x = 1", "--to", "coq"]) == 2 and "--to must be" in capsys.readouterr().err
    nowhere = tmp_path / "no.v"
    assert main(["prove", "x = 1", "--given", "x**2 = 1", "--to", "coq", "-o", str(nowhere)]) == 1 and not nowhere.exists()
    assert "the hypotheses hold at x = -1" in capsys.readouterr().out
    assert main(["prove", "x = 1", "--given", "x**2 = 1", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)["result"]
    assert told["answer"] == "refuted" and told["point"] == [{"name": "x", "value": "-1"}]
    assert main(["prove", "x = 0", "--given", "x**2 + y**2 = 0", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)["result"]
    assert told["answer"] == "not proved" and not told["point"] and "true at every real point" in told["text"]


def test_ideals_are_the_same_and_bases_are_groebner():
    z = sympy.Symbol("z")
    basis = sympy.groebner([x**2 - y, x**3 - z], x, y, z, order="grevlex")
    same = symknot.prove_same_ideal([x**2 - y, x**3 - z], list(basis.exprs))
    groebner = symknot.prove_groebner(basis)
    assert len(groebner.identities) == 3 and "S-polynomial of 1 and 2" in str(groebner)
    assert "linear_combination (-1) * skH3" in groebner.to_lean()
    first, *others = groebner.identities
    wrong = replace(first, cofactors=tuple({e: 2 * value for e, value in terms.items()} for terms in first.cofactors))
    text = export(System(same.names, same.polynomials, statements=(
        *same.identities, GroebnerBasis((2, 3, 4), "grevlex", groebner.identities),
        GroebnerBasis((2, 3, 4), "grevlex", (wrong, *others)))), "coq")
    answer = check_coq(text, 300)
    assert not answer.accepted and text.splitlines()[:answer.line].count("(* Statement 7. *)") == 1
    with pytest.raises(NotProved, match="only its power 2 is: they have the same zeros"):
        symknot.prove_same_ideal([x**2], [x])


def test_a_box_is_empty_or_not():
    corners = symknot.points_ideal([(0, 0), (1, 0), (0, 1)], ["x", "y"])
    assert corners.ask("0 = 1", box=[(Q(1, 4), Q(3, 4)), (-1, 2)]).status == "proved"
    answer = corners.ask("0 = 1", box=[(Q(1, 4), 2), (-1, 2)])
    assert answer.status == "refuted" and answer.point == {"x": 1, "y": 0}


@pytest.mark.parametrize("name", ["z3", "cvc5"])
def test_equations_hold_near_the_data_or_not(name):
    """The circle's distance from (2, 0) is 1, from (3, 4) it is 4: reached exactly, missed by a hair; the nearer one counts."""
    t = np.linspace(0, 6.2, 100)
    circle = symknot.fit(np.c_[np.cos(t), np.sin(t)] + 0.005 * np.random.default_rng(0).normal(size=(100, 2))).exact()
    touching = circle.ask_near((2, 0), 1, engine=name)
    assert touching and touching.point == {"x": 1, "y": 0} and str(touching) == f"proved by {name}: x = 1, y = 0"
    missed = circle.ask_near([(2, 0), (3, 4)], Q(999, 1000), engine=name)
    assert missed.status == "refuted" and str(missed) == f"refuted by {name}"
    found = circle.ask_near(np.array([[2.0, 0.0], [3.0, 4.0], [0.5, 0.8]]), 0.1, engine=name).point
    assert np.hypot(float(found["x"]) - 0.5, float(found["y"]) - 0.8) <= 0.1 + 1e-9


@pytest.mark.parametrize("points, radius", [((1, 2, 3), 1), ([], 1), ((0, 0), -1), ((np.nan, 0), 1), ((0, 0), np.inf),
                                            ((0, "a"), 1), ([[[0, 0]]], 1), ((0, 0), None)])
def test_a_question_about_no_place_is_refused(points, radius):
    with pytest.raises(InvalidOption, match="points|radius"):
        symknot.points_ideal([(0, 0), (1, 0)], ["x", "y"]).ask_near(points, radius)
