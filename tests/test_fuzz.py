"""Anything at all, at every door: the answer is a result that can be used, or an error of this package.

Each property runs on a few hundred examples, always the same ones, in the plain suite, and on thousands of random ones with
``pytest -m fuzz``.
"""

import copy
import json
import warnings
from contextlib import suppress
from functools import cache

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import symknot
from symknot import SymknotError
from symknot.exact import verify
from symknot.ground.errors import Status
from symknot.reading.sources import read

from .test_certificate_mutations import originals, places
from .test_language import KINDS, circle_points, oscillator, rotations

EXAMPLES, MANY_EXAMPLES = 200, 10_000
"""Of cheap properties, in the plain run and behind -m fuzz."""
USES, MANY_USES = 50, 10_000
"""Of results that are not only read but printed and checked, which takes some hundredths of a second each."""
FITS, MANY_FITS = 20, 10_000
"""Of those that fit something, which takes some hundredths of a second each: arrays and runs are small."""
SECONDS = 5.0
"""Limit of each fit."""


def on(strategy, examples, many):
    """Decorator: the property as two tests, a plain one and one behind ``-m fuzz``."""
    def both(check):
        common = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck)}
        plain = settings(max_examples=examples, derandomize=True, **common)(given(strategy)(check))
        thousands = settings(max_examples=many, print_blob=True, **common)(given(strategy)(check))

        @pytest.mark.parametrize("how", ["plain", pytest.param("fuzz", marks=pytest.mark.fuzz)])
        def test(how):
            (plain if how == "plain" else thousands)()

        test.__name__, test.__doc__ = check.__name__, check.__doc__
        return test

    return both


@cache
def saved(kind):
    """A small result of each kind."""
    points = circle_points()[:40]
    ideal = symknot.fit(points, 0.05, max_degree=2, names=["x", "y"])
    made = {"Ideal": lambda: ideal, "Readable": ideal.readable, "ExactIdeal": lambda: symknot.vca(
                [[0, 0], [1, 0], [0, 1]], 1e-8, names=["x", "y"]).exact(),
            "PointsIdeal": lambda: symknot.points_ideal([(0, 0), (1, 0), (0, 1)], ["x", "y"]),
            "Model": lambda: symknot.identify(oscillator(), max_degree=1),
            "ImplicitModel": lambda: symknot.identify(oscillator(), max_degree=1, form="implicit"),
            "Conserved": lambda: symknot.conserved(rotations(), max_degree=2),
            "Generators": lambda: symknot.family.abm(points, 0.05, max_degree=2, names=["x", "y"])}[kind]()
    return made


NUMBERS = st.one_of(st.floats(), st.integers(-3, 3), st.integers(), st.sampled_from([1e308, 5e-324, -1.0, 0.0, 2**70]))
LEAVES = st.one_of(NUMBERS, st.none(), st.booleans(), st.text(max_size=3), st.just([]), st.just({}),
                   st.lists(NUMBERS, max_size=3))


@st.composite
def damaged(draw, contents):
    """Valid JSON with one to three entries replaced, left out, doubled or exchanged."""
    content = copy.deepcopy(draw(contents))
    for _ in range(draw(st.integers(1, 3))):
        everywhere = [path for path in places(content) if path]
        path = everywhere[draw(st.integers(0, len(everywhere) - 1))]
        parent = content
        for key in path[:-1]:
            parent = parent[key]
        how = draw(st.sampled_from(["replace", "leave out", "double"]))
        if how == "replace":
            parent[path[-1]] = draw(LEAVES)
        elif how == "leave out":
            del parent[path[-1]]
        elif isinstance(parent, list):
            parent.insert(path[-1], copy.deepcopy(parent[path[-1]]))
    return content


def use(result):
    """What users do with a result first."""
    assert isinstance(str(result), str) and isinstance(repr(result), str)
    assert len(result.exprs) == len(result.polynomials)
    result.latex()
    result.check()


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory):
    """Where files are written; one for all examples."""
    global FOLDER
    FOLDER = tmp_path_factory.mktemp("fuzz")


def contents_of(kinds):
    def content(kind):
        path = FOLDER / f"{kind}.json"
        if not path.exists():
            saved(kind).save(path)
        return json.loads(path.read_text())
    return st.sampled_from(kinds).map(content)


@on(damaged(contents_of(KINDS)), USES, MANY_USES)
def test_what_loads_can_be_used(content):
    """Damaged results are refused by name, or are results."""
    path = FOLDER / "damaged.json"
    path.write_text(json.dumps(content))
    try:
        result = symknot.load(path)
    except SymknotError:
        return
    with np.errstate(all="ignore"):
        try:
            use(result)
        except SymknotError:
            return


@on(damaged(st.sampled_from([certificate.to_json() for certificate in originals()])), EXAMPLES, MANY_EXAMPLES)
def test_certificates_are_read_or_refused(content):
    try:
        findings = verify.check_text(json.dumps(content))
        verify.unclaimed(verify.read_text(json.dumps(content)))
    except verify.Unreadable:
        return
    assert all(isinstance(finding.holds, bool) for finding in findings)


LINES = st.lists(st.one_of(st.sampled_from(
    ["x,y", "1,2", "3;4", "1.5,2", "1,5;2,5", "NA,3", "nan,inf", '"a', "\t", "# c", "2024-01-01,3", "x", "\ufeffx,y",
     "0x10,1e5"]), st.text(max_size=8)), max_size=8)


@on(st.one_of(st.binary(max_size=60), LINES.map(lambda lines: "\n".join(lines).encode("utf-8", "replace")),
              LINES.map(lambda lines: "\r\n".join(lines).encode("utf-16", "replace"))), EXAMPLES, MANY_EXAMPLES)
def test_text_files_are_tables_or_refused(content):
    path = FOLDER / "data.csv"
    path.write_bytes(content)
    try:
        table = read(path)
    except SymknotError:
        return
    assert table.count >= 0 and len(set(table.columns)) == table.width


SIZES = arrays.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=9)
KINDS_OF_NUMBERS = st.sampled_from([np.float64, np.float32, np.float16, np.int8, np.bool_, np.longdouble, object])
FINITE = st.one_of(st.floats(-3, 3), st.floats(-3, 3).map(round), st.integers(0, 2),
                   st.sampled_from([0.0, 1.0, 1e9, 1e150, 1e-300, 5e-324, 1 + 2**-52, -1e20]))
VALUES = st.one_of(FINITE, st.floats())


def tables(rows, columns, elements=FINITE):
    """Arrays of so many rows and columns, each from a range: also with a value that most entries share."""
    return arrays.arrays(np.float64, st.tuples(st.integers(*rows), st.integers(*columns)), elements=elements)


def used(find, *given, **options):
    """A result that is found can be used, or says that rounding has spoiled it; or it is refused in this package's words."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")                  # notes about what was left out
        try:
            result = find(*given, **options, timeout=SECONDS)
        except SymknotError:
            return None
    assert isinstance(result.status, Status)
    with suppress(SymknotError):
        use(result)
    return result


@on(arrays.arrays(KINDS_OF_NUMBERS, SIZES, elements=None, fill=st.nothing())
    | arrays.arrays(np.float64, SIZES, elements=VALUES), FITS, MANY_FITS)
def test_arrays_are_fitted_or_refused(points):
    used(symknot.fit, points)


@on(tables((2, 14), (1, 3)), FITS, MANY_FITS)
def test_tables_are_fitted_with_nothing_given_or_refused(points):
    used(symknot.fit, points)


@on(st.tuples(tables((1, 10), (1, 3)), st.sampled_from([1e-9, 0.01, 0.3, 1e9])), FITS, MANY_FITS)
def test_tables_are_fitted_within_a_tolerance_or_refused(given):
    points, epsilon = given
    for find in (symknot.fit, symknot.vca):
        used(find, points, epsilon, max_degree=2)


@on(st.tuples(st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2), st.fractions(-2, 2, max_denominator=3)), max_size=6),
              st.sampled_from(["grevlex", "grlex", "lex"])), FITS, MANY_FITS)
def test_rational_points_have_an_ideal_whose_certificate_holds(given):
    points, order = given
    ideal = used(symknot.points_ideal, points, ["x", "y", "z"], order)
    if ideal is not None:
        assert len(ideal.standard_monomials) == len(points)
        assert all(finding.holds for finding in ideal.certificate.check())


@on(tables((5, 40), (1, 3), st.one_of(st.floats(-2, 2), st.sampled_from([0.0, 1.0, 1e9]))), FITS // 3, MANY_FITS)
def test_runs_are_identified_or_refused(states):
    for find in (symknot.identify, symknot.conserved):
        used(find, states, max_degree=1)


@on(st.tuples(tables((4, 24), (1, 2)), st.sampled_from(["flow", "map", "static"]),
              st.sampled_from([None, 0.1, 1e-300, 1e300])), FITS // 3, MANY_FITS)
def test_runs_of_any_kind_are_identified_or_refused(given):
    states, kind, step = given
    used(symknot.identify, states, max_degree=1, kind=kind, time=step)


@on(st.tuples(tables((7, 26), (7, 26)), st.integers(1, 2), st.integers(0, 1)), FITS // 3, MANY_FITS)
def test_fields_are_identified_or_refused(given):
    values, degree, order = given
    used(symknot.identify_field, values, max_degree=degree, max_order=order)


METHODS = (symknot.family.abm, symknot.family.avi, symknot.family.nbm, symknot.family.oavi, symknot.family.classical_vca)


@on(st.tuples(tables((1, 8), (1, 3), VALUES), st.sampled_from(METHODS), st.sampled_from([1e-6, 0.1, 2.0])), FITS, MANY_FITS)
def test_the_family_finds_or_refuses(given):
    points, method, epsilon = given
    used(lambda *given, timeout, **options: method(*given, **options), points, epsilon, max_degree=2)
