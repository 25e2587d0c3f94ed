"""Export targets register themselves: one from outside, in ten lines, works like those that come with the package."""

import os
import pydoc
import subprocess
import sys
from fractions import Fraction as Q
from pathlib import Path

import pytest

import symknot
import symknot.export
from symknot.cli import main
from symknot.export import TARGETS, Comment, Rules, System, export, forget, safe_names, target
from symknot.ground.errors import InvalidOption
from symknot.polynomials.infix import polynomial_text

ROOT = Path(__file__).resolve().parents[1]
PARABOLA = System(("t", "height (m)"), ({(2, 0): Q(1, 2), (0, 1): Q(-1)},))
CORNERS = [[0, 0], [1, 0], [0, 1], [1, 1]]
WRITTEN = "groebner {x^2 - x,\ny^2 - y};\n"

#: A file of a user's own, as it is run from a shell.
OWN_FILE = '''
import sys
from symknot.cli import main
from symknot.export import safe_names, target
from symknot.polynomials.infix import polynomial_text

@target("sums", suffix=".txt")
def to_sums(system):
    """One equation per line."""
    names = safe_names(system.names, "sums")
    return "".join(polynomial_text(terms, names) + " = 0\\n" for terms in system.polynomials)

sys.exit(main())
'''


@pytest.fixture
def reduce():
    """What a user writes: a script for REDUCE, in which t and some other letters are no variables."""
    @target("reduce", suffix=".red", comment=Comment("%"), rules=Rules(words=frozenset({"e", "i", "nil", "t"})))
    def to_reduce(system):
        """A REDUCE script: the Groebner basis.

        It needs the package groebner.
        """
        names = safe_names(system.names, "reduce")
        equations = ",\n".join(polynomial_text(terms, names) for terms in system.polynomials)
        return f"groebner {{{equations}}};\n"

    yield to_reduce
    if "reduce" in TARGETS:
        forget("reduce")


@pytest.fixture
def ideal():
    return symknot.vca(CORNERS, epsilon=1e-8, names=["x", "y"])


def test_export_writes_it(reduce, tmp_path):
    text = export(PARABOLA, "reduce", tmp_path / "parabola.red")
    assert text == (tmp_path / "parabola.red").read_text() == "groebner {1/2*vT^2 - height};\n"
    assert symknot.export.to_reduce is reduce and "to_reduce" in dir(symknot.export)


def test_its_own_rules_for_names_are_kept_and_others_have_plain_ones(reduce):
    assert safe_names(["t", "x"], "reduce") == ("vT", "x")
    assert safe_names(["t", "a b"], "json") == ("t", "aB")


def test_every_result_has_the_method(reduce, ideal, tmp_path):
    assert ideal.to_reduce() == ideal.exact().to_reduce(tmp_path / "corners.red") == WRITTEN
    assert (tmp_path / "corners.red").read_text() == WRITTEN
    for result in (symknot.Ideal, symknot.ExactIdeal, symknot.Model, symknot.ImplicitModel):
        assert "to_reduce" in dir(result)
    assert "to_reduce(self" in pydoc.plain(pydoc.render_doc(symknot.Ideal))
    assert ideal.to_reduce.__doc__.startswith("A REDUCE script: the Groebner basis.\n")
    assert ideal.to_reduce.__name__ == "to_reduce"


def test_the_command_line_takes_it(reduce, ideal, tmp_path, capsys):
    ideal.save(tmp_path / "corners.json")
    assert main(["export", str(tmp_path / "corners.json"), "--to", "reduce"]) == 0
    assert capsys.readouterr().out == WRITTEN + "\n"
    with pytest.raises(SystemExit):
        main(["export", "--help"])
    assert ",reduce," in capsys.readouterr().out


def test_a_file_of_ones_own_is_a_command_line_that_knows_it(ideal, tmp_path):
    ideal.save(tmp_path / "corners.json")
    (tmp_path / "own.py").write_text(OWN_FILE)
    done = subprocess.run([sys.executable, "own.py", "export", "corners.json", "--to", "sums"], cwd=tmp_path, check=True,
                          timeout=120, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.stdout == "x^2 - x = 0\ny^2 - y = 0\n\n"


def test_over_real_numbers_the_writer_is_told_field_and_digits():
    @target("fields", suffix=".txt", fields=("QQ", "real"))
    def to_fields(system, field, digits):
        return f"{field} {digits}"

    try:
        assert export(PARABOLA, "fields", field="real", digits=7) == "real 7"
        assert export(PARABOLA, "fields") == f"QQ {symknot.export.DIGITS}"
        assert symknot.Ideal.to_fields.__doc__.startswith("The equations as text for fields.\n")
    finally:
        forget("fields")


def test_a_field_that_it_lacks_is_refused(reduce):
    with pytest.raises(InvalidOption, match="'QQ' for reduce, got 'real'"):
        export(PARABOLA, "reduce", field="real")


def test_a_writer_that_returns_no_text_is_told():
    target("nothing", suffix=".txt")(lambda system: None)
    try:
        with pytest.raises(InvalidOption, match="what the writer of target 'nothing' returns must be a str, got 'NoneType'"):
            export(PARABOLA, "nothing")
    finally:
        forget("nothing")


def test_what_is_forgotten_is_gone_everywhere(reduce, ideal):
    forget("reduce")
    with pytest.raises(InvalidOption, match="got 'reduce'"):
        export(PARABOLA, "reduce")
    assert not hasattr(ideal, "to_reduce") and not hasattr(symknot.export, "to_reduce")
    with pytest.raises(SystemExit):
        main(["export", "model.json", "--to", "reduce"])
    with pytest.raises(InvalidOption, match="one of c, cocoa5"):
        forget("reduce")


def test_a_name_that_another_function_has_is_refused_and_nothing_changes(ideal):
    before = dict(TARGETS)
    with pytest.raises(InvalidOption, match="symknot.export.singular.to_singular writes that target already"):
        target("singular", suffix=".txt")(lambda system: "")
    assert before == TARGETS and "ideal skI" in ideal.to_singular()


def test_the_same_function_may_register_again(reduce):
    """As when a cell of a notebook is run again."""
    target("reduce", suffix=".txt")(reduce)
    assert TARGETS["reduce"].suffix == ".txt" and TARGETS["reduce"].comment is None


@pytest.mark.parametrize("options, rule", [
    ({"name": "Reduce"}, "small letters"), ({"name": "re-duce"}, "small letters"), ({"name": ""}, "small letters"),
    ({"name": 3}, "small letters"), ({"suffix": "red"}, "such as '.txt'"), ({"suffix": "./red"}, "such as '.txt'"),
    ({"fields": ()}, "some of 'QQ', 'real'"), ({"fields": "QQ"}, "some of 'QQ', 'real'"),
    ({"fields": ("QQ", "RR")}, "some of 'QQ', 'real'"),
])
def test_what_breaks_a_rule_is_refused(options, rule):
    with pytest.raises(InvalidOption, match=rule):
        target(**{"name": "reduce", "suffix": ".red", **options})


@pytest.mark.parametrize("name", TARGETS)
def test_each_that_comes_along_is_a_method_with_words(name, ideal):
    method = getattr(ideal, f"to_{name}")
    assert method() == ideal.export(name)
    summary = TARGETS[name].summary
    assert method.__doc__.startswith(summary) and 20 < len(summary) < 100
