"""Nothing that comes from names, files or programs reaches a terminal as anything but visible characters."""

import json
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import symknot
from symknot.cli import main
from symknot.ground.wording import visible

from .test_engines_limits import executable

PACKAGE = Path(symknot.__file__).parent
TITLE, TURNED = "\x1b]0;PWN\x07a", "b\u202e\x9b31m"
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def circle():
    angle = np.linspace(0, 6.2, 60)
    return np.c_[np.cos(angle), np.sin(angle)] + 0.02 * np.random.default_rng(0).normal(size=(60, 2))


def oscillation():
    time = np.arange(0, 10, 0.05)
    return np.c_[time, np.cos(time), np.sin(time)] + np.r_[0, 1e-4, 1e-4] * np.random.default_rng(0).normal(size=(200, 3))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A fit, its exact form and tables, all with hostile names, and files with hostile names and messages."""
    import pandas
    place = tmp_path_factory.mktemp("hostile")
    ideal = symknot.fit(circle(), 0.03, names=[TITLE, TURNED])
    ideal.save(place / "v.json")
    ideal.exact().save(place / "e.json")
    content = json.loads((place / "v.json").read_text())
    content["message"] = "\x1b[31mhello\rgoodbye"
    (place / "said.json").write_text(json.dumps(content))
    pandas.DataFrame(circle(), columns=[TITLE, TURNED]).to_parquet(place / "d.parquet")
    pandas.DataFrame(oscillation(), columns=["t", TITLE, TURNED]).to_parquet(place / "m.parquet")
    (place / "\x1b[31mbad.json").write_text("{")
    (place / "\x1b[31mdata.csv").write_text("a,b\n1,2\nx,y\n")
    return place


COMMANDS = [
    ("show", "v.json"), ("show", "v.json", "--latex"), ("show", "v.json", "--readable"), ("show", "said.json"),
    ("exact", "v.json"), ("show", "e.json"), ("fit", "d.parquet", "--epsilon", "0.03"),
    ("fit", "d.parquet", "--epsilon", "0.03", "-o", "\x1b[31mo.json"),
    ("fit", "d.parquet", "--columns", "zz"), ("fit", "d.parquet", "--weights", "\x1b[31m"),
    ("fit", "\x1b[31mnone.csv"), ("fit", "\x1b[31mdata.csv"), ("show", "\x1b[31mbad.json"),
    ("show", "\x1b[31mbad.json", "--debug"), ("fit", "d.parquet", "--\x1b[31m"), ("\x1b[31mfit",),
    ("identify", "m.parquet", "--time", "t"), ("identify", "m.parquet", "--time", "t", "--report"),
    ("identify", "m.parquet", "--time", "t", "--invariants"), ("identify", "m.parquet", "--time", "zz"),
    ("project", "v.json", "d.parquet"), ("export", "e.json", "--to", "singular"), ("export", "v.json", "--to", "python"),
    ("verify", "\x1b[31mbad.json"),
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: ascii(" ".join(words)))
def test_no_command_prints_what_a_terminal_obeys(words, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    try:
        main(words)
    except SystemExit:
        pass
    told = capsys.readouterr()
    assert told.out + told.err and not OBEYED.search(told.out + told.err)


@pytest.mark.parametrize("words", [
    ("show", "v.json"), ("show", "said.json"), ("fit", "d.parquet", "--columns", "zz"), ("show", "\x1b[31mbad.json"),
    ("fit", "d.parquet", "--epsilon", "0.03"), ("identify", "m.parquet", "--time", "t"),
], ids=lambda words: ascii(" ".join(words)))
def test_json_stays_json_and_keeps_the_names(words, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    main([*words, "--json"])
    told = capsys.readouterr()
    assert not OBEYED.search(told.out + told.err)
    content = json.loads(told.out)
    if content["result"] is not None and words[0] != "identify":
        assert content["result"]["names"] == [TITLE, TURNED]


def test_what_a_program_complains_about_is_shown(folder, monkeypatch, capsys, tmp_path):
    fake = executable(tmp_path / "fake", "printf '\\033[31mout'; printf '\\033[31merr' >&2; exit 3")
    monkeypatch.setenv("SYMKNOT_SINGULAR", str(fake))
    assert main(["groebner", str(folder / "e.json"), "--engine", "singular"]) == 2
    told = capsys.readouterr().err
    assert "\\x1b[31merr" in told and not OBEYED.search(told)


def test_results_and_errors_in_python_are_shown_too(folder):
    texts = []
    for name in ("v.json", "said.json", "e.json"):
        result = symknot.load(folder / name)
        texts += [str(result), repr(result), result.report(), result.latex(), repr(result.polynomials[0])]
    texts.append(str(symknot.load(folder / "e.json").certificate))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = symknot.identify(str(folder / "m.parquet"), time="t")
        table = symknot.read(str(folder / "d.parquet"))
    texts += [str(model), repr(model), model.report(), repr(table), *(str(note.message) for note in caught)]
    texts.append(repr(symknot.Trajectories(oscillation()[:, 1:], names=[TITLE, TURNED])))
    for wrong in ({"columns": ["zz"]}, {"columns": ["\x1b[31m"]}):
        with pytest.raises(symknot.SymknotError) as error:
            symknot.read(str(folder / "d.parquet"), **wrong)
        texts.append(str(error.value))
    with pytest.raises(symknot.InvalidModel) as error:
        symknot.load(folder / "\x1b[31mbad.json")
    texts.append(str(error.value))
    assert [text for text in texts if OBEYED.search(text)] == []


def test_letters_of_all_scripts_tabs_and_lines_are_left_alone():
    text = "α Größe 速度\tعدد \U0001f600\nx\u200d"
    assert visible(text) == text
    assert visible("\r\x00\udcff\u2066") == "\\r\\x00\\udcff\\u2066"


def test_commands_print_through_one_door():
    found = {path.name for path in (PACKAGE / "cli").glob("*.py")
             for line in path.read_text().splitlines() if re.search(r"(?<![\w.])print\(", line) and "..." not in line}
    assert found == {"telling.py"} and (PACKAGE / "cli" / "telling.py").read_text().count("print(") == 1
