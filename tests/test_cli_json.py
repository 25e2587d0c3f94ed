"""``--json``: one schema for all commands, documented key by key, from known answers."""

import json
import os
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import symknot
from symknot.cli import COMMANDS, command, forget, main
from symknot.cli.schema import SCHEMA, VERSION
from symknot.paper.tables import Cell

ROOT = Path(__file__).resolve().parents[1]
ALWAYS = ["schema", "version", "symknot", "command", "exit_code", "result", "error", "notes", "files"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """An ellipse with a column of text, four corners, a spring, a map, and what was saved of them."""
    folder, rng = tmp_path_factory.mktemp("json"), np.random.default_rng(0)
    angle = rng.uniform(0, 2 * np.pi, 200)
    points = np.c_[2 * np.cos(angle), np.sin(angle)] + 0.03 * rng.normal(size=(200, 2))
    (folder / "ellipse.csv").write_text("site,x,y\n" + "".join(f"north,{x!r},{y!r}\n" for x, y in points.tolist()))
    symknot.fit(points).save(folder / "ellipse.json")
    corners = np.array([[0, 0], [1, 0], [0, 1], [1, 0.5]])
    fitted = symknot.fit(corners, 1e-6)
    fitted.save(folder / "corners.json")
    exact = fitted.exact()
    exact.save(folder / "exact.json")
    exact.certificate.save(folder / "certificate.json")
    fitted.readable().save(folder / "readable.json")
    symknot.points_ideal([[0, 0], [1, 2]], ["x", "y"]).save(folder / "points.json")
    t = np.linspace(0, 8, 300)
    spring = np.c_[t, np.cos(2 * t), -2 * np.sin(2 * t)]
    spring[:, 1:] += 0.02 * rng.normal(size=(300, 2))
    np.savetxt(folder / "spring.csv", spring, delimiter=",", header="t,x,v", comments="")
    np.savetxt(folder / "cloud.csv", rng.normal(size=(60, 2)), delimiter=",", header="x,y", comments="")
    return folder


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def told(capsys, *arguments, code=0):
    """The document of a command, after what is true of all of them was checked."""
    try:
        found = main([str(argument) for argument in (*arguments, "--json")])
    except SystemExit as end:
        found = end.code
    out, err = capsys.readouterr()
    document = json.loads(out, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    assert found == code == document["exit_code"], (out, err)
    assert list(document) == ALWAYS
    assert (document["schema"], document["version"], document["symknot"]) == (SCHEMA, VERSION, symknot.__version__)
    assert (document["error"] is None) == (code in (0, 1))
    return document


def coefficients(equation):
    return {tuple(term["exponents"]): Fraction(term["coefficient"]) for term in equation["terms"]}


def test_a_fit_in_numbers(folder, capsys):
    document = told(capsys, "fit", folder / "ellipse.csv", "-o", "model.json", "--plot", "model.png")
    result, ideal = document["result"], symknot.load("model.json")
    assert document["command"] == "fit" and document["files"] == ["model.json", "model.png"]
    assert any("'site' holds text" in note for note in document["notes"])
    assert (result["kind"], result["names"], result["status"], result["ok"]) == ("Ideal", ["x", "y"], "settled", True)
    (equation,), (estimate,) = result["equations"], result["estimates"]
    assert equation["text"] == "x**2 + 4*y**2 = 4" and coefficients(equation) == {(2, 0): 1, (0, 2): 4, (0, 0): -4}
    assert equation["latex"] == "x^{2} + 4 y^{2} = 4" and equation["degree"] == 2
    assert coefficients(estimate) == dict(ideal.uncertainty()[0].terms)          # exactly the numbers of the model
    for term in estimate["terms"]:
        true = {(2, 0): 1, (0, 2): 4, (0, 0): -4}.get(tuple(term["exponents"]), 0)
        assert abs(term["value"] - true) <= 4 * (term["standard_error"] or 0)
    assert result["noise"] == ideal.noise.tolist() and result["noise_level"] == ideal.noise_level
    assert (result["point_count"], result["knot_count"], result["outliers"]) == (200, len(ideal.knots), [])
    assert result["epsilon"] == ideal.epsilon and result["delta"] == ideal.delta and not result["noise_is_relative"]


def test_show_tells_the_same_as_the_fit(folder, capsys):
    fitted = told(capsys, "fit", folder / "ellipse.csv", "-o", "model.json")["result"]
    assert told(capsys, "show", "model.json")["result"] == fitted


def test_no_equation_is_an_answer_that_falls_short(folder, capsys):
    result = told(capsys, "fit", folder / "cloud.csv", code=1)["result"]
    assert result["equations"] == result["estimates"] == [] and result["epsilon"] is None and result["message"]


def test_equations_of_motion_and_what_is_conserved(folder, capsys):
    result = told(capsys, "identify", folder / "spring.csv", "--degree", "1")["result"]
    assert result["kind"] == "Model" and result["targets"] == ["x'", "v'"]
    assert [(g["text"], g["target"]) for g in result["equations"]] == [("x' = v", "x'"), ("v' = -4*x", "v'")]
    assert told(capsys, "identify", folder / "spring.csv", "--degree", "1", "--form", "implicit")["result"]["kind"] == (
        "ImplicitModel")
    result = told(capsys, "identify", folder / "spring.csv", "--invariants")["result"]
    assert result["kind"] == "Conserved" and [g["degree"] for g in result["equations"]] == [2]


def test_exact_answers_are_exact(folder, capsys):
    result = told(capsys, "exact", folder / "corners.json", "-o", "exact.json")["result"]
    assert (result["kind"], result["route"], result["uncertified"], result["ok"]) == ("ExactIdeal", "points", [], True)
    exact = symknot.load("exact.json")
    assert [coefficients(g) for g in result["equations"]] == [dict(g.terms) for g in exact.polynomials]
    zeros = told(capsys, "solve", folder / "exact.json")["result"]
    assert zeros["names"] == ["x", "y"]
    assert {tuple(part["low"] for part in zero) for zero in zeros["zeros"]} == {
        ("0", "0"), ("1", "0"), ("0", "1"), ("1", "1/2")}
    assert all(part["low"] == part["high"] and part["value"] == float(Fraction(part["low"]))
               for zero in zeros["zeros"] for part in zero)
    basis = told(capsys, "groebner", folder / "exact.json", "--order", "lex", "--engine", "sympy")["result"]
    assert [g["text"] for g in basis["equations"]] == list(map(str, exact.groebner("lex", "sympy").exprs))
    parts = told(capsys, "decompose", folder / "exact.json", "--engine", "singular")["result"]["components"]
    assert {", ".join(g["text"] for g in part["equations"]) for part in parts} == {
        "x - 1, y - 1/2", "x - 1, y", "x, y", "x, y - 1"}
    assert all(part["equations"] == part["primary"] for part in parts)


def test_certificates(folder, capsys):
    result = told(capsys, "verify", folder / "certificate.json")["result"]
    assert result["ok"] and [row["kind"] for row in result["statements"]] == ["vanishing"]
    content = json.loads((folder / "certificate.json").read_text())
    content["polynomials"][0][0][1] = "0x7"
    Path("wrong.json").write_text(json.dumps(content))
    result = told(capsys, "verify", "wrong.json", code=1)["result"]
    assert not result["ok"] and "not zero at point" in result["statements"][0]["text"]
    Path("garbage.json").write_text("{}")
    assert "cannot be checked" in told(capsys, "verify", "garbage.json", code=2)["error"]["message"]


def test_the_others(folder, capsys):
    spectrum = told(capsys, "spectrum", folder / "ellipse.csv")["result"]
    expected = symknot.spectrum(symknot.read(folder / "ellipse.csv"))
    assert spectrum["gap"]["degree"] == 2 and spectrum["gap"]["noise"] == expected.gap.noise
    assert spectrum["degrees"][1]["values"] == expected.degrees[1].values.tolist()
    assert told(capsys, "spectrum", folder / "cloud.csv")["result"]["gap"] is None
    script = told(capsys, "export", folder / "exact.json", "--to", "msolve", "-o", "corners.ms")
    assert script["result"]["script"] == Path("corners.ms").read_text() and script["files"] == ["corners.ms"]
    engines = told(capsys, "engines")["result"]["engines"]
    assert [row["name"] for row in engines] == ["singular", "macaulay2", "msolve", "sympy", "coq", "z3", "cvc5"]
    demo = told(capsys, "demo", "--output", "demo.svg")
    assert demo["result"]["equations"][0]["degree"] == 2 and demo["files"] == ["demo.svg"] and Path("demo.svg").exists()
    assert told(capsys, "completion", "bash")["result"]["target"] == "bash"


@pytest.mark.parametrize("model", ["ellipse", "corners", "exact", "readable", "points"])
def test_every_kind_of_saved_result_is_told(folder, capsys, model):
    result = told(capsys, "show", folder / f"{model}.json")["result"]
    opened = symknot.load(folder / f"{model}.json")
    assert result["kind"] == type(opened).__name__ and len(result["equations"]) == len(opened.polynomials)


@pytest.mark.parametrize("words, error", [
    (["fit", "nowhere.csv"], {"kind": "FileNotFoundError", "file": "nowhere.csv"}),
    (["fit", "bad.csv"], {"kind": "InvalidPoints", "file": "bad.csv", "line": 3, "column": "y"}),
    (["fit", "good.csv", "--degree", "0"],
     {"kind": "InvalidOption", "option": "--degree", "message": "--degree must be a whole number >= 1, got 0"}),
    (["fit", "good.csv", "--columns", "x,q"], {"kind": "InvalidOption", "option": "--columns"}),
    (["fit", "good.csv", "--espilon", "1"],
     {"kind": "Misuse", "message": "unknown option --espilon; did you mean --epsilon?"}),
    (["show", "good.csv"], {"kind": "InvalidModel"})])
def test_errors_are_told_in_the_same_schema(capsys, words, error):
    Path("bad.csv").write_text("x,y\n1,2\n3,oops\n4,4\n5,5\n")
    Path("good.csv").write_text("x,y\n1,2\n3,5\n4,4\n5,5\n")
    document = told(capsys, *words, code=2)
    assert document["result"] is None and error.items() <= document["error"].items()


def test_a_file_that_cannot_be_written_does_not_lose_the_answer(folder, capsys, monkeypatch):
    def full(*args):
        raise OSError(28, "No space left on device", "model.json")
    monkeypatch.setattr("symknot.results.ideal.write_json", full)
    document = told(capsys, "fit", folder / "ellipse.csv", "-o", "model.json", code=2)
    assert document["result"]["equations"] and document["error"]["file"] == "model.json" and document["files"] == []


def keys_of(value):
    """Every key in a document, at any depth."""
    if isinstance(value, dict):
        return set(value).union(*map(keys_of, value.values()))
    return set().union(*map(keys_of, value)) if isinstance(value, list) else set()


def test_every_key_is_documented_and_every_documented_key_is_told(folder, capsys):
    documents = [told(capsys, *words) for words in (
        ["fit", folder / "ellipse.csv"], ["exact", folder / "corners.json"],
        ["identify", folder / "spring.csv", "--degree", "1"],
        ["spectrum", folder / "ellipse.csv"], ["solve", folder / "exact.json"], ["groebner", folder / "exact.json"],
        ["decompose", folder / "exact.json"], ["verify", folder / "exact.json"], ["engines"],
        ["export", folder / "exact.json", "--to", "c"], ["project", folder / "ellipse.json", folder / "ellipse.csv"],
        ["plot", folder / "ellipse.json"], ["compare", folder / "ellipse.csv", "--methods", "vca", "--epsilon", "0.1"])]
    documents.append(told(capsys, "fit", "nowhere.csv", code=2))
    documents.append(told(capsys, "prove", "x**4 = y**2", "--given", "y = x**2"))
    documents.append(told(capsys, "prove", "x <= 1/2", "--given", "x**2 + y**2 = 1", code=1))
    text = (ROOT / "docs" / "commandline.md").read_text(encoding="utf-8")
    named = {key for cell in re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", text[text.index("## JSON"):], flags=re.MULTILINE)
             for key in re.findall(r"`(\w+)`", cell)}
    of_reproduce = {"tables", "cells", *Cell._fields}           # takes long: tests/test_paper.py
    assert keys_of(documents) - named == set()
    assert named - keys_of(documents) - of_reproduce == set() and of_reproduce <= named


def test_commands_from_outside_get_json_too(capsys):
    @command("count", help="count", arguments=lambda parser: parser.add_argument("word"), json=True)
    def run_count(given):
        return symknot.cli.Answer(f"{len(given.word)} letters", {"kind": "Count", "letters": len(given.word)})
    try:
        assert told(capsys, "count", "three")["result"] == {"kind": "Count", "letters": 5}
        assert main(["count", "three"]) == 0 and capsys.readouterr().out == "5 letters\n"
    finally:
        forget("count")


def test_commands_from_outside_without_it_say_so(capsys):
    command("plain", help="plain")(lambda given: 0)
    try:
        assert main(["plain"]) == 0
        for words in (["--json", "plain"], ["plain", "--json"]):
            with pytest.raises(SystemExit) as exit_info:
                main(words)
            assert exit_info.value.code == 2 and json.loads(capsys.readouterr().out)["error"]["kind"] == "Misuse"
    finally:
        forget("plain")


def test_before_the_command(folder, capsys):
    assert main(["--json", "show", str(folder / "exact.json")]) == 0
    assert json.loads(capsys.readouterr().out) == told(capsys, "show", folder / "exact.json")


def test_all_commands_have_it():
    assert [name for name, entry in COMMANDS.items() if not entry.json] == []


def run(module, *words, **options):
    """As a process, from the checkout's folder, so that the package is found whether or not it is installed."""
    return subprocess.run([sys.executable, "-m", module, *words], cwd=ROOT, capture_output=True, text=True, timeout=300,
                          **options)


def test_in_a_pipe(folder):
    fitted = run("symknot.cli", "fit", "-", "--json", "--quiet", input=(folder / "ellipse.csv").read_text())
    assert (fitted.returncode, fitted.stderr) == (0, "")
    tool = run("json.tool", input=fitted.stdout)
    assert tool.returncode == 0 and json.loads(tool.stdout) == json.loads(fitted.stdout)


@pytest.mark.parametrize("words", ["show nowhere.json --json", "show --json", "show {exact} --json"])
def test_a_reader_that_has_gone_is_no_fault(folder, words):
    command = words.format(exact=folder / "exact.json")
    shell = f'exec 2>&1; (sleep 1; "{sys.executable}" -m symknot.cli {command} 2>errors) | true; cat errors'
    done = subprocess.run(["bash", "-c", f'cd "{folder}"; {shell}'], env={**os.environ, "PYTHONPATH": str(ROOT)},
                          capture_output=True, text=True, timeout=120)
    assert "Traceback" not in done.stdout and "BrokenPipe" not in done.stdout
