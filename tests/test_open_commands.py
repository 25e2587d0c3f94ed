"""Commands register themselves: one from outside works like those that come with the package."""

import numpy as np
import pytest

import symknot
from symknot.cli import COMMANDS, command, forget, main


@pytest.fixture
def model(tmp_path):
    angle = np.arange(40) * np.pi / 20
    symknot.fit(np.c_[np.cos(angle), np.sin(angle)], 0.01, max_degree=2).save(tmp_path / "circle.json")
    return tmp_path / "circle.json"


@pytest.fixture
def degrees():
    """What an outsider writes."""
    def arguments(parser):
        parser.add_argument("model")
        parser.add_argument("--least", type=int, default=0)

    @command("degrees", help="print the degree of each equation of a saved result", arguments=arguments)
    def run_degrees(given):
        degrees = [g.degree for g in symknot.load(given.model).polynomials if g.degree >= given.least]
        print(*degrees)
        return 0 if degrees else 1

    yield run_degrees
    forget("degrees")


def test_a_command_from_outside_runs(degrees, model, capsys):
    assert main(["degrees", str(model)]) == 0
    assert capsys.readouterr().out == "2\n"
    assert main(["degrees", str(model), "--least", "3"]) == 1


def test_its_errors_are_one_line_too(degrees, tmp_path, capsys):
    (tmp_path / "wrong.json").write_text("{}")
    assert main(["degrees", str(tmp_path / "wrong.json")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("symknot: ") and "not a saved result" in line
    assert main(["degrees", str(tmp_path / "nowhere.json")]) == 2
    assert "No such file" in capsys.readouterr().err


def test_help_lists_it_and_shows_its_arguments(degrees, capsys):
    lines = (["--help"], "print the degree of each equation"), (["degrees", "--help"], "--least LEAST")
    for arguments, words in lines:
        with pytest.raises(SystemExit) as exit_info:
            main(arguments)
        assert exit_info.value.code == 0
        assert words in " ".join(capsys.readouterr().out.split())


def test_a_forgotten_command_is_gone(degrees, capsys):
    forget("degrees")
    with pytest.raises(SystemExit) as exit_info:
        main(["degrees"])
    assert exit_info.value.code == 2
    with pytest.raises(symknot.InvalidOption, match="one of demo, fit, show"):
        forget("degrees")
    command("degrees", help="")(degrees)        # for the fixture to forget


def test_a_taken_name_is_refused_and_nothing_changes():
    before = dict(COMMANDS)
    with pytest.raises(symknot.InvalidOption, match="symknot.cli.fitting.run_show runs that command already"):
        command("show", help="another one")(lambda given: 0)
    assert COMMANDS == before


def test_the_same_function_may_register_again(degrees):
    command("degrees", help="the same cell, run again")(degrees)
    assert COMMANDS["degrees"].help == "the same cell, run again"


@pytest.mark.parametrize("name", ["", "two words", "--fit", None, 3])
def test_a_name_is_one_word(name):
    with pytest.raises(symknot.InvalidOption, match="one word"):
        command(name, help="")
