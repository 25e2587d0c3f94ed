"""``symknot exact`` and ``symknot verify``, mostly in-process, once as a user starts them."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import symknot
from symknot.cli import main

from .exactly import blobs

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """Saved fits: three blobs, a circle, and two lines with a data point where they cross."""
    folder = tmp_path_factory.mktemp("models")
    symknot.fit(blobs([(0, 0), (2, 0.5), (1, 2)], 0.02)).save(folder / "blobs.json")
    angle = np.arange(60) * np.pi / 30
    circle = np.c_[np.cos(angle), np.sin(angle)] + 0.03 * np.random.default_rng(0).normal(size=(60, 2))
    symknot.fit(circle).save(folder / "circle.json")
    t = np.linspace(0.05, 1, 20)
    half = np.r_[np.c_[t, t / 2], np.c_[t, -t]]
    symknot.fit(np.r_[half, -half, [[0, 0]]], max_degree=2).save(folder / "crossing.json")
    symknot.fit(np.random.default_rng(0).normal(size=(60, 2)), 1e-6, max_degree=2).save(folder / "nothing.json")
    return folder


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def said(capsys, *arguments):
    """Exit code, what was printed, what was complained about."""
    code = main([str(argument) for argument in arguments])
    return code, *capsys.readouterr()


def run(*arguments, **options):
    """As a process, from the checkout's folder, so that the package is found whether or not it is installed."""
    return subprocess.run([sys.executable, "-m", "symknot.cli", *map(str, arguments)], cwd=ROOT, capture_output=True,
                          text=True, timeout=300, **options)


def complaint(capsys, *arguments):
    """The one line on stderr of a request that is refused; nothing must be printed or written."""
    before = sorted(Path.cwd().iterdir())
    code, out, err = said(capsys, *arguments)
    assert (code, out) == (2, "") and sorted(Path.cwd().iterdir()) == before
    (line,) = err.splitlines()
    return line


@pytest.mark.parametrize("model", ["blobs", "circle"])
def test_exact_prints_the_result_and_what_was_proved(models, capsys, model):
    code, out, err = said(capsys, "exact", models / f"{model}.json")
    exact = symknot.load(models / f"{model}.json").exact()
    assert (code, out, err) == (0, f"{exact}\n\n{exact.certificate}\n", "")
    assert list(Path.cwd().iterdir()) == []


def test_exact_names_equation_and_standing(models, capsys):
    _, out, _ = said(capsys, "exact", models / "circle.json")
    assert out.startswith("x**2 + y**2 = 1   +/- 0.0")
    assert "60 knots, each in a box proved to hold a true zero" in out
    assert "For each of the 60 knots 0 to 59: exactly one common zero of polynomial 0 and of 1 linear equation" in out


@pytest.mark.parametrize("model", ["blobs", "circle"])
def test_both_files_are_written_and_verified(models, capsys, model):
    outputs = ["-o", "exact.json", "--certificate", "certificate.json"]
    code, out, _ = said(capsys, "exact", models / f"{model}.json", *outputs)
    assert code == 0 and out.endswith("\n\nsaved as exact.json\n\nsaved as certificate.json\n")
    # no temporary file is left
    assert {path.name for path in Path.cwd().iterdir()} == {"exact.json", "certificate.json"}
    again, direct = symknot.load("exact.json"), symknot.load(models / f"{model}.json").exact()
    assert str(again) == str(direct)
    assert json.loads(Path("certificate.json").read_text()) == direct.certificate.to_json()
    for name in ("exact.json", "certificate.json"):
        code, out, err = said(capsys, "verify", name)
        assert (code, err) == (0, "") and out.startswith("holds: ") and "NOT" not in out


def test_a_write_that_fails_leaves_the_old_file(models, tmp_path):
    """A process whose files may have 1000 bytes at most."""
    old = tmp_path / "exact.json"
    old.write_text("precious")
    limited = run("exact", models / "blobs.json", "-o", old, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
    assert limited.returncode == 2 and "File too large" in limited.stderr and "Traceback" not in limited.stderr
    assert old.read_text() == "precious" and list(tmp_path.iterdir()) == [old]


def test_options_are_passed_on(models, capsys):
    model = symknot.load(models / "blobs.json")
    for arguments, options in ((["--digits", "2"], {"digits": 2}), (["--denominator", "9"], {"denominator": 9}),
                               (["--rationalize", "binary"], {"rationalize": "binary"}),
                               (["--route", "equations"], {"route": "equations"})):
        code, out, _ = said(capsys, "exact", models / "blobs.json", *arguments)
        exact = model.exact(**options)
        assert code == 0 and out == f"{exact}\n\n{exact.certificate}\n"


# ---------------------------------------------------------------------------------------------------- falling short: 1


def test_a_knot_that_is_not_certified_makes_exit_1(models, capsys):
    code, out, err = said(capsys, "exact", models / "crossing.json", "-o", "exact.json")
    assert (code, err) == (1, "")
    assert "80 of 81 knots in boxes proved to hold a true zero; NOT certified: 80" in out
    assert "Not certified: knot 80" in out and "Nothing is claimed" in out
    assert said(capsys, "verify", "exact.json")[0] == 0         # what is stated, holds
    assert symknot.load("exact.json").uncertified == (80,)


def tampered(path, change):
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


@pytest.mark.parametrize("model, change, words", [
    ("blobs", lambda c: c["polynomials"][0][0].__setitem__(1, "0x2"), "polynomial 0 is not zero at point"),
    ("blobs", lambda c: c["statements"][0]["points"][0].__setitem__(0, ["0x1", "0x7"]), "is not zero at point 0"),
    ("circle", lambda c: c["statements"][3]["center"].__setitem__(0, ["0x1", "0x7"]), "knot 3: the condition"),
    ("circle", lambda c: c["polynomials"][0][-1].__setitem__(1, "-0x2"),
     "the condition for exactly one zero in the box fails"),
])
def test_a_tampered_certificate_does_not_hold(models, capsys, model, change, words):
    said(capsys, "exact", models / f"{model}.json", "--certificate", "certificate.json")
    tampered(Path("certificate.json"), change)
    code, out, err = said(capsys, "verify", "certificate.json")
    assert (code, err) == (1, "") and "DOES NOT HOLD" in out and words in out


def test_a_tampered_exact_ideal_does_not_hold(models, capsys):
    said(capsys, "exact", models / "blobs.json", "-o", "exact.json")
    tampered(Path("exact.json"), lambda c: c["certificate"]["polynomials"][1][0].__setitem__(1, "0x3"))
    code, out, _ = said(capsys, "verify", "exact.json")
    assert code == 1 and "DOES NOT HOLD" in out


# --------------------------------------------------------------------------------------------------- wrong requests: 2


@pytest.mark.parametrize("content", [
    b"", b"[]", b"{}", b"\x89PNG\r\n\x00\xff", b"nonsense", b'{"format": "symknot ideal"}'])
def test_garbage_cannot_be_checked(capsys, content):
    Path("garbage.json").write_bytes(content)
    assert complaint(capsys, "verify", "garbage.json").startswith("cannot be checked: ")


def test_garbage_cannot_be_made_exact(capsys):
    Path("garbage.json").write_text("nonsense")
    assert "garbage.json" in complaint(capsys, "exact", "garbage.json")


@pytest.mark.parametrize("command", ["exact", "verify"])
def test_a_missing_file_is_one_line(capsys, command):
    assert "No such file" in complaint(capsys, command, "nowhere.json")


@pytest.mark.parametrize("option", ["-o", "--certificate"])
def test_the_model_is_never_overwritten(models, capsys, option):
    model = Path("model.json")
    model.write_bytes((models / "blobs.json").read_bytes())
    assert "another file than the model" in complaint(capsys, "exact", model, option, model)
    Path("link.json").symlink_to(model)
    assert "another file than the model" in complaint(capsys, "exact", model, option, "link.json")
    assert model.read_bytes() == (models / "blobs.json").read_bytes()


@pytest.mark.parametrize("option", ["-o", "--certificate"])
@pytest.mark.parametrize("destination", ["nowhere/exact.json", "."])
def test_an_impossible_destination_is_noticed_first(models, capsys, option, destination):
    assert "a folder that exists" in complaint(capsys, "exact", models / "blobs.json", option, destination)


def test_the_two_files_must_differ(models, capsys):
    line = complaint(capsys, "exact", models / "blobs.json", "-o", "same.json", "--certificate", "./same.json")
    assert "--certificate must be another file than --output" in line


@pytest.mark.parametrize("arguments", [
    ["--digits", "2", "--denominator", "9"], ["--digits", "2", "--rationalize", "binary"],
    ["--denominator", "9", "--rationalize", "binary"], ["--digits", "many"], ["--route", "shortcut"],
    ["--timeout", "soon"]])
def test_rules_exclude_each_other_and_wrong_words_are_refused(models, capsys, arguments):
    with pytest.raises(SystemExit) as exit_info:
        main(["exact", str(models / "blobs.json"), *arguments])
    assert exit_info.value.code == 2
    assert arguments[-2].lstrip("-") in capsys.readouterr().err


@pytest.mark.parametrize("model, arguments, words", [
    ("blobs", ["--digits", "-1"], "digits must be a whole number >= 0, got -1"),
    ("blobs", ["--denominator", "0"], "denominator must be a whole number >= 1, got 0"),
    ("blobs", ["--timeout", "-3"], "timeout must be a positive number, got -3"),
    ("blobs", ["--timeout", "1e-6"], "raise timeout"),
    ("circle", ["--timeout", "1e-6"], "raise timeout"),
    ("circle", ["--route", "points"], "take route='equations'"),
    ("nothing", [], "at least one polynomial"),
])
def test_what_cannot_be_done_is_one_line(models, capsys, model, arguments, words):
    line = complaint(capsys, "exact", models / f"{model}.json", *arguments)
    assert line.startswith("symknot: ") and words in line


def test_as_a_process(models, tmp_path):
    saved, certificate = tmp_path / "exact.json", tmp_path / "certificate.json"
    made = run("exact", models / "circle.json", "-o", saved, "--certificate", certificate)
    assert (made.returncode, made.stderr) == (0, "")
    assert made.stdout.startswith("x**2 + y**2 = 1") and f"saved as {saved}" in made.stdout
    assert run("verify", saved).returncode == 0
    tampered(certificate, lambda c: c["polynomials"][0][0].__setitem__(1, "0x2"))
    checked = run("verify", certificate)
    assert (checked.returncode, checked.stderr) == (1, "") and "DOES NOT HOLD" in checked.stdout
    wrong = run("verify", models / "circle.json")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "Traceback" not in wrong.stderr and len(wrong.stderr.splitlines()) == 1
