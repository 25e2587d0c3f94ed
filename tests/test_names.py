"""Names from real files: one readable spelling in print, Groebner bases, LaTeX, HTML and scripts."""

import re
import subprocess
import sys
import unicodedata
from fractions import Fraction as Q

import numpy as np
import pandas as pd
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.mathtext import MathTextParser

import symknot
from symknot.export import TARGETS, System, export, read_mapping, safe_names
from symknot.export.latex import in_ascii
from symknot.export.names import common_names
from symknot.polynomials.latex import latex_name, latex_names, latex_of
from symknot.polynomials.spelling import ascii_text, ascii_word, parted, spellings

from .cas import MACAULAY2_BACK, SINGULAR_BACK, answers, c_compiler, output, run, terms_back

#: name, its spelling, the word for scripts, LaTeX
REAL = [
    ("température (°C)", "température", "temperature", r"{\text{température (}{}^{\circ}\text{C)}}"),
    ("α", "α", "alpha", r"\alpha"),
    ("Größe", "Größe", "grosse", r"\text{Größe}"),
    ("x 1", "x_1", "x1", r"\text{x 1}"),
    ("CO2 [ppm]", "CO2", "CO2", r"\text{CO2 [ppm]}"),
    ("Δt", "Δt", "DeltaT", r"{\Delta t}"),
    ("μ", "μ", "mu", r"\mu"),
    ("lambda", "lambda", "lambda", r"\lambda"),
    ("速度", "速度", "suDu", r"\text{速度}"),
    ("speed", "speed", "speed", r"\mathrm{speed}"),
    ("v_max", "v_max", "vMax", r"v_{\mathrm{max}}"),
    ("x2", "x2", "x2", "x_{2}"),
    ("y_2", "y_2", "y2", "y_{2}"),
    ("z", "z", "z", "z"),
    ("θ_0", "θ_0", "theta0", r"\theta_{0}"),
    ("cell_count", "cell_count", "cellCount", r"\mathrm{cell\_count}"),
    ("2019", "v2019", "v2019", r'\text{"2019"}'),
    ("Скорость, км/ч", "Скорость_км_ч", "skorostKmCh", r"\text{Скорость, км/ч}"),
    ("ταχύτητα", "ταχύτητα", "tachytita", r"{\tau \alpha \chi \upsilon \tau \eta \tau \alpha }"),
    ("flow (m³/h)", "flow", "flow", r"{\text{flow (m}{}^{3}\text{/h)}}"),
    ("100% & <b>", "v100_b", "v100B", r"{\text{100}\%\ \&\ {<}\text{b}{>}}"),
]
NAMES = tuple(row[0] for row in REAL)
#: Pieces of names that meet each other: letters that transliterate alike, units, marks, indices, what means something.
PIECES = st.sampled_from([*NAMES, "alpha", "λ", "µ", "Grosse", "T (K)", "T (°C)", "T", "T (K)'", "x", "x'", "x''", "x_1", "x1",
                          "x_next", "x_lag1", "x_next2", "x (m)_next", "", " ", "'", "_", "{", "}", "\\", "$", "^", "~", "%",
                          "a\nb", "a b", "\ud800", "\u200b", "🌡", "k", "n", "v1", "v2", "skI"])
ANY_NAMES = st.lists(st.text(max_size=30) | PIECES | st.tuples(PIECES, PIECES).map("".join), min_size=1, max_size=6)


# Known answers

def test_spellings_words_and_latex():
    assert spellings(NAMES) == tuple(row[1] for row in REAL)
    assert common_names(NAMES) == tuple(row[2] for row in REAL)
    assert latex_names(NAMES) == tuple(row[3] for row in REAL)
    assert tuple(map(latex_name, NAMES)) == tuple(row[3] for row in REAL)


@pytest.mark.parametrize("names, expected", [
    (["T (°C)", "T (K)"], ("T_C", "T_K")),                            # without their units they would be the same
    (["T", "T (K)"], ("T", "T_K")),
    (["x 1", "x_1"], ("x_1_2", "x_1")),                               # a word keeps its own spelling
    (["µ", "μ"], ("µ", "μ_2")),                                       # two characters of Unicode, one for the eye
    (["T (K)", "T (K)'", "T (K)_next"], ("T", "T'", "T_next")),
    (["x next", "x_next"], ("x_next_2", "x_next")),
    (["x", "x", "***"], ("x", "x_2", "v3")),
    (["\ufeffa\u200bb"], ("ab",)),
])
def test_spellings_differ(names, expected):
    assert spellings(names) == expected


@pytest.mark.parametrize("text, expected", [
    ("Ångström", "Angstrom"), ("ß", "ss"), ("æøœł", "aeooel"), ("x²", "x2"), ("αβ", " alpha beta "), ("½", "1/2"),
    ("がく", "gaku"),
])
def test_ascii(text, expected):
    assert ascii_text(text) == expected


@pytest.mark.parametrize("names, expected", [
    (("α", "alpha", "Größe", "grosse"), ("alphaB", "alpha", "grosseB", "grosse")),
    (("λ", "λ_1"), ("lambda", "lambda1")),
    (("δ", "Δ"), ("delta", "Delta")),
    (("sk I", "sky temperature"), ("vSkI", "skyTemperature")),         # skI is a word of our own
    ((f"intensity at a long wavelength of {10**9}.5 nm",), ("intensityAtALon000000v5Nm",)),
])
def test_words_for_scripts_differ(names, expected):
    assert common_names(names) == expected


def test_a_target_changes_only_what_it_refuses():
    assert safe_names(["α", "Δt", "λ"], "singular") == ("alpha", "DeltaT", "lambda")
    assert safe_names(["α", "Δt", "λ"], "macaulay2") == ("alpha", "deltaT", "lambda")
    assert safe_names(["α", "Δt", "λ"], "sage") == ("alpha", "DeltaT", "vLambda")


def test_a_word_keeps_its_spelling_beside_the_derivative_of_another_that_ends_like_a_later_state():
    assert spellings(["x_next'", "x_next"]) == ("x_next_2'", "x_next")
    assert spellings(["x_next", "x_next'"]) == ("x_next", "x_next_2'")
    assert spellings(["x (m)", "x'"]) == ("x_m", "x'")


def test_thousands_of_long_names_take_no_time():
    names = [f"intensity of the light at wavelength {k / 10} (counts per second)" for k in range(3000)]
    for target in ("singular", "c"):
        assert len(set(safe_names(names, target))) == 3000
    assert len(set(spellings(names))) == 3000


# Any names

@given(ANY_NAMES)
@settings(max_examples=300, deadline=None)
def test_spellings_are_different_identifiers(names):
    spelled = spellings(names)
    assert len({unicodedata.normalize("NFKC", word) for word in spelled}) == len(names)
    assert all(parted(word)[0].rstrip("'").isidentifier() for word in spelled)
    assert spellings(spelled) == spelled
    for name, word in zip(names, spelled):
        if name.isidentifier() and sum(map(unicodedata.normalize("NFKC", name).__eq__, (
                unicodedata.normalize("NFKC", other) for other in names))) == 1:
            assert word == name


@given(ANY_NAMES)
@settings(max_examples=200, deadline=None)
def test_all_targets_share_the_words_that_they_accept(names):
    words = common_names(names)
    assert len(set(words)) == len(names)
    for target in TARGETS.values():
        alone = {word for word in words if target.rules.accept(word)}
        for word, safe in zip(words, target.rules.safe_names(names)):
            refused = word not in alone or not target.rules.accept_beside(word, alone - {word})
            assert safe == word or refused or target.rules.juxtaposes


@pytest.mark.parametrize("target", [name for name, target in TARGETS.items() if target.comment
                                    and name not in ("coq", "lean")])    # which want something to prove: test_coq, test_proof
@given(names=ANY_NAMES)
@settings(max_examples=40, deadline=None)
def test_the_table_of_names_lists_every_variable(target, names):
    text = export(System(tuple(names), ({},)), target)
    assert list(read_mapping(text).items()) == list(zip(safe_names(names, target), names))
    for short, name in zip(safe_names(names, target), names):
        if re.fullmatch(r"[\w ()°\[\]]+", name) and name.isprintable():
            assert f'{short} stands for "{name}"' in text
    text.encode()


def well_formed(latex):
    """Braces in pairs, nothing outside of text but ASCII, no character that would end or open something."""
    code = re.sub(r"\\text\{[^{}\\$%&#_^~<>|]*\}", r"\\text", latex)
    code = re.sub(r"\\[&%$#_{}]", ".", code)
    depth = 0
    for character in code:
        depth += {"{": 1, "}": -1}.get(character, 0)
        assert depth >= 0, latex
    assert depth == 0 and re.fullmatch(r"[A-Za-z0-9{}^_,+'\\<> .-]*", code), latex
    assert set(re.findall(r"\\([A-Za-z]+)", code)) <= COMMANDS, latex


COMMANDS = {"text", "mathrm", "backslash", "wedge", "sim", "vert", "Vert", "circ", "cdot", "times", "pm", "to", "partial",
            "nabla", "infty", "surd", "leq", "geq", "approx", "neq", "S",
            *("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi "
              "omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega varepsilon vartheta varpi varrho varsigma "
              "varphi").split()}


@given(ANY_NAMES)
@settings(max_examples=300, deadline=None)
def test_latex_is_well_formed_and_tells_names_apart(names):
    shown = latex_names(names)
    assert len(set(shown)) == len(names)
    for one in shown:
        assert one
        well_formed(one)
        ascii_only = in_ascii(one)
        assert ascii_only is None or ascii_only.isascii()


@pytest.mark.parametrize("name", [*NAMES[:-1], "x'", "a^b", "H₂O", "q (l·s⁻¹)", "accel (m/s^2)", "{", "\\", "$x$", "a~b|c",
                                  "#1"])
def test_matplotlib_reads_the_latex(name):
    """All but the ampersand, which its mathtext lacks."""
    shown = latex_of(3 * sympy.Symbol("s") ** 2, [sympy.Symbol("s")], [name])
    MathTextParser("path").parse(f"${shown}$")


# Results

CURVE = np.linspace(-1.5, 1.5, 300)
CUBIC_NAMES = ["température (°C)", "α", "CO2 [ppm]"]


@pytest.fixture(scope="module")
def cubic():
    points = np.c_[CURVE, CURVE**2, CURVE**3] + 0.01 * np.random.default_rng(0).normal(size=(300, 3))
    return symknot.fit(pd.DataFrame(points, columns=CUBIC_NAMES))


def test_what_a_fit_shows(cubic):
    lines = str(cubic).splitlines()
    assert lines[0].startswith("température**2 - α = 0 ")
    assert lines[-2:] == ["température stands for température (°C)", "CO2 stands for CO2 [ppm]"]
    T, a, c = cubic.variables
    assert (str(T), str(a), str(c)) == ("température", "α", "CO2")
    assert set(cubic.groebner("lex").exprs) >= {T**2 - a, a**3 - c**2}
    assert "α" in str(cubic.groebner()) and "température" in str(cubic.groebner())
    assert r"\left({\text{température (}{}^{\circ}\text{C)}}\right)^{2} - \alpha &= 0" in cubic.latex()
    assert "<p>CO2 stands for CO2 [ppm]</p>" in cubic._repr_html_()
    assert cubic.names == tuple(CUBIC_NAMES)


def test_plain_names_need_no_table():
    ideal = symknot.vca([[0, 0], [1, 0], [0, 1], [1, 1]], epsilon=1e-8, names=["α", "Größe"])
    assert "stands for" not in str(ideal) and "α**2 - α = 0" in str(ideal)


def test_the_table_of_names_is_printable():
    names = ["a\nb", "\x1b[31mred", " ", "c d"]
    ideal = symknot.vca([[0, 0, 1, 2], [1, 0, 3, 1], [0, 1, 5, 5]], epsilon=1e-8, names=names)
    lines = str(ideal).splitlines()
    assert all(map(str.isprintable, lines)) and lines[-4:] == [
        r"a_b stands for 'a\nb'", r"v31mred stands for '\x1b[31mred'", "v3 stands for ' '", "c_d stands for c d"]


def test_a_model_of_discrete_time():
    x = [0.3]
    for _ in range(60):
        x.append(3.7 * x[-1] * (1 - x[-1]))
    frame = pd.DataFrame({"Größe (mm)": np.array(x) + 0.001 * np.random.default_rng(1).normal(size=61)})
    model = symknot.identify(frame, kind="map", max_degree=2)
    assert str(model).startswith("Größe_next = -3.7*Größe**2 + 3.7*Größe\n")
    assert str(model).endswith("\nGröße stands for Größe (mm)") and "Größe stands for" in model.report()
    assert model.latex().splitlines()[1] == (r"\text{Größe (mm)}_{k+1} &= - 3.7 \cdot \text{Größe (mm)}_{k}^{2} "
                                             r"+ 3.7 \cdot \text{Größe (mm)}_{k}")
    assert str(model.solve_for("Größe (mm)_next")) == str(model.solve_for("Größe_next")) == "-37*Größe**2/10 + 37*Größe/10"
    assert "37/10*grosse^2 - 37/10*grosse + grosseNext" in model.to_macaulay2()


def test_latex_of_steps():
    assert latex_names(["x1", "x1_lag2", "u", "x1_next"]) == ("x_{1,k}", "x_{1,k-2}", "u_{k}", "x_{1,k+1}")
    assert latex_names(["k", "k_next"]) == ("k_{n}", "k_{n+1}")
    assert latex_names(["x", "y_next"]) == ("x", r"y_{\mathrm{next}}")        # of y itself nothing is said


def test_a_model_of_continuous_time(tmp_path):
    t = np.linspace(0, 12, 600)
    runs = [np.c_[a * np.cos(2 * t), -2 * a * np.sin(2 * t)] for a in (1.0, 1.5)]
    runs = [one + 0.02 * np.random.default_rng(2).normal(size=one.shape) for one in runs]
    trajectories = symknot.Trajectories(runs, time=t, names=["Δx", "速度 (m/s)"])
    model = symknot.identify(trajectories, max_degree=2)
    assert str(model).splitlines()[:2] == ["Δx' = 速度", "速度' = -4*Δx"]
    assert model.latex().splitlines()[1:3] == [r"{\Delta x}' &= \text{速度 (m/s)} \\",
                                               r"\text{速度 (m/s)}' &= - 4 \cdot {\Delta x}"]
    model.save(tmp_path / "model.json")
    assert str(symknot.load(tmp_path / "model.json")) == str(model)
    assert safe_names(model.names, "singular") == ("DeltaX", "suDu", "DeltaXPrime", "suDuPrime")
    assert "4*Δx**2 + 速度**2" in str(symknot.conserved(trajectories))


def test_a_terminal_without_the_letters_shows_codes(cubic, tmp_path):
    cubic.save(tmp_path / "cubic.json")
    shown = subprocess.run([sys.executable, "-m", "symknot.cli", "show", "--readable", "cubic.json"], cwd=tmp_path,
                           env={"PYTHONIOENCODING": "ascii", "PYTHONPATH": ":".join(sys.path), "PATH": ""},
                           capture_output=True, check=True).stdout.decode("ascii")
    assert r"temp\xe9rature**2 - \u03b1 = 0" in shown


# Real programs

def everything():
    """One equation for each name: it equals its place."""
    n = len(NAMES)
    return System(NAMES, tuple({tuple(int(k == j) for k in range(n)): Q(1), (0,) * n: Q(-j - 1)} for j in range(n)))


@pytest.mark.parametrize("target, back", [("singular", SINGULAR_BACK), ("macaulay2", MACAULAY2_BACK)])
def test_real_names_run_in_the_programs(target, back, tmp_path):
    system = everything()
    text = export(system, target)
    assert 'temperature stands for "température (°C)"' in text
    lines = run(target, text + back, tmp_path)
    assert terms_back(lines) == [dict(terms) for terms in system.polynomials]
    shown = answers(run(target, text, tmp_path))
    assert (shown["dimension"], shown["degree"]) == ("0", "1")
    for word in ("temperature", "alpha", "suDu"):
        assert re.search(rf"\b{word}-\d+", "\n".join(lines))


def test_real_names_run_in_msolve(tmp_path):
    lines = run("msolve", export(everything(), "msolve"), tmp_path)
    found = "".join(line for line in lines if not line.startswith("#")).replace(" ", "")
    words = safe_names(NAMES, "msolve")
    assert sorted(found.strip("[]:").split(",")) == sorted(f"{word}-{k}" for k, word in enumerate(words, start=1))


def test_real_names_run_in_python_and_compile_in_c(tmp_path):
    (tmp_path / "names.py").write_text(export(everything(), "python"), encoding="utf-8")
    code = "import names; print(ascii(names.NAMES), names.evaluate([range(1, len(names.NAMES) + 1)]).any())"
    shown = output([sys.executable, "-X", "utf8=0", "-c", code], tmp_path)
    assert shown.strip() == f"{ascii(NAMES)} False"
    (tmp_path / "names.c").write_text(export(everything(), "c"), encoding="utf-8")
    output([c_compiler(), "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-c", "names.c"], tmp_path)
    assert (tmp_path / "names.o").exists()


def test_words_of_spellings_are_words():
    assert all(re.fullmatch("[A-Za-z][A-Za-z0-9]*", ascii_word(word)) for word in spellings(NAMES))
