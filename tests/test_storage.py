"""Saved ideals: the same numbers back, nothing run, nothing believed, and no half-written file."""

import copy
import dataclasses
import functools
import json
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import symknot
from symknot import InvalidModel, Status
from symknot.fitting.recursion import Recursion
from symknot.ground.storage import write_atomically

from .test_reports import result_of


def circle():
    rng = np.random.default_rng(0)
    angle = np.linspace(0, 2 * np.pi, 80, endpoint=False)
    return np.c_[np.cos(angle), np.sin(angle)] + 0.02 * rng.normal(size=(80, 2))


def corners():
    return np.tile([[0, 0, 0], [1, 0, 0.2], [0, 1, 0.3], [0.2, 0.1, 1]], (10, 1))


FITS = {
    "circle": lambda: symknot.fit(circle()),
    "4 points": lambda: symknot.fit(corners(), names=["a b", "β", "x"]),
    "no gap": lambda: symknot.fit(np.random.default_rng(0).normal(size=(50, 2))),
    "no polynomial": lambda: symknot.fit(np.random.default_rng(0).normal(size=(50, 2)), 1e-3, max_degree=2),
    "paper": lambda: symknot.fit(circle(), 0.02, normalization="vca", knotting=symknot.Penalty(), max_degree=3),
    "coefficient": lambda: symknot.vca(circle(), 0.04, normalization="coefficient", max_degree=3),
    "all equal": lambda: symknot.fit(np.full((3, 2), 0.1)),
    "weights": lambda: symknot.fit(circle(), 0.05, weights=np.arange(80.0), noise=[1.0, 2.0]),
    "huge": lambda: symknot.fit(1e150 * circle(), 5e148),
    "tiny": lambda: symknot.fit(1e-300 * circle()),
}


@pytest.fixture(scope="module", params=FITS)
def ideal(request):
    return FITS[request.param]()


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Text of a saved file that has every kind of entry in it."""
    path = tmp_path_factory.mktemp("saved") / "ideal.json"
    FITS["circle"]().save(path)
    return path.read_text()


def assert_same(a, b):
    """Equal in every bit, through dataclasses, tuples and arrays."""
    assert type(a) is type(b) or (isinstance(a, (int, float)) and a == b)
    if isinstance(a, np.ndarray):
        assert a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    elif isinstance(a, Recursion):
        assert_same((a.dimension, a.constant, len(a.layers)), (b.dimension, b.constant, len(b.layers)))
        for p, q in zip(a.layers, b.layers):
            assert p.products.left.tolist() == q.products.left.tolist()
            assert p.products.right.tolist() == q.products.right.tolist()
            assert_same((p.F, p.G, p.adjustable), (q.F, q.G, q.adjustable))
    elif dataclasses.is_dataclass(a):
        for name in {field.name for field in dataclasses.fields(a)} - {"data", "symbols"}:   # these are not saved
            assert_same(getattr(a, name), getattr(b, name))
    elif isinstance(a, tuple):
        assert len(a) == len(b)
        for p, q in zip(a, b):
            assert_same(p, q)
    else:
        assert a == b


# -------------------------------------------------------------------------------------------------------- round trip


def test_round_trip(ideal, tmp_path):
    path = tmp_path / "ideal.json"
    ideal.save(path)
    again = symknot.load(path)
    assert_same(again, ideal)
    X = ideal.center + ideal.scale * np.random.default_rng(2).normal(size=(30, len(ideal.names)))
    assert again.evaluate(X).tobytes() == ideal.evaluate(X).tobytes()
    assert again.jacobian(X).tobytes() == ideal.jacobian(X).tobytes()
    assert (str(again), repr(again), again.variables) == (str(ideal), repr(ideal), ideal.variables)
    assert [g.terms for g in again.polynomials] == [g.terms for g in ideal.polynomials]
    assert len(again.redundant) == len(ideal.redundant)
    assert str(again.spectrum) == str(ideal.spectrum)
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()


def test_the_file_is_plain_json(ideal, tmp_path):
    ideal.save(str(tmp_path / "ideal.json"))
    content = json.loads((tmp_path / "ideal.json").read_bytes().decode("ascii"))
    assert content["format"] == "symknot ideal" and content["version"] == 2
    assert content["names"] == list(ideal.names) and content["status"] == ideal.status.value

    def leaves(node):
        children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else None
        return [node] if children is None else [leaf for child in children for leaf in leaves(child)]

    texts = {leaf for leaf in leaves(content) if isinstance(leaf, str)}
    assert texts <= {"symknot ideal", *ideal.names, ideal.normalization, ideal.status.value, ideal.message}


def test_interrupted_fit_can_be_saved(tmp_path):
    def stop(step):
        if step.degree == 3:
            raise KeyboardInterrupt

    with pytest.raises(symknot.FitInterrupted) as caught:
        symknot.fit(circle(), progress=stop)
    caught.value.partial.save(tmp_path / "partial.json")
    again = symknot.load(tmp_path / "partial.json")
    assert again.status is Status.INTERRUPTED
    assert_same(again, caught.value.partial)


# --------------------------------------------------------------------------------------------------- hostile content


def load_text(text, folder):
    path = folder / "hostile.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    return symknot.load(path)


def changed(saved, *place, to):
    content = json.loads(saved)
    node = content
    for key in place[:-1]:
        node = node[key]
    assert place[-1] in node if isinstance(node, dict) else place[-1] < len(node)
    node[place[-1]] = to
    return json.dumps(content)


@pytest.mark.parametrize("text", [
    b"", b"\x00", b"\xff\xfe\x00", b"null", b"[]", b"{}", b'"symknot ideal"', b"1", b"{", b"PK\x03\x04", b"\x80\x04K\x01.",
    b'{"format": "symknot ideal"}', b'{"format": "symknot ideal", "version": 1}', b'{"format": ["symknot ideal"]}',
    b"[" * 100_000, b"[" * 100_000 + b"]" * 100_000, b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    b'{"format": "symknot ideal", "version": ' + b"9" * 5000 + b"}",
])
def test_no_model_at_all(text, tmp_path):
    with pytest.raises(InvalidModel, match="hostile.json") as caught:
        load_text(text, tmp_path)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("version", [0, 3, 1.5, -1, "1", None, True, [1], 10**30])
def test_other_versions(saved, version, tmp_path):
    with pytest.raises(InvalidModel, match="version"):
        load_text(changed(saved, "version", to=version), tmp_path)


@pytest.mark.parametrize("kind", ["symknot spectrum", "", None, 1])
def test_other_formats(saved, kind, tmp_path):
    with pytest.raises(InvalidModel, match="format"):
        load_text(changed(saved, "format", to=kind), tmp_path)


def test_truncated(saved, tmp_path):
    for length in range(0, len(saved) - 1, len(saved) // 60):
        with pytest.raises(InvalidModel):
            load_text(saved[:length], tmp_path)


LATER_ENTRIES = {"noise_log_errors", "outliers", "alternatives"}        # which older files do not have


def test_missing_entries(saved, tmp_path):
    for name in json.loads(saved).keys() - LATER_ENTRIES:
        content = json.loads(saved)
        del content[name]
        with pytest.raises(InvalidModel):
            load_text(json.dumps(content), tmp_path)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1" * 400, "1" * 5000, '"1.5"',
                                    "true", "null", "[]", "[1.0]", "{}"])
@pytest.mark.parametrize("place", [
    ("center", 0), ("scale", 1), ("unit",), ("delta",), ("epsilon",), ("residuals", 0), ("knot_residuals", 0),
    ("knots", 3, 1), ("knot_weights", 2), ("recursion", "constant"), ("recursion", "layers", 1, "G", "entries", 0),
    ("recursion", "layers", 0, "F", "entries", 1), ("history", 0, "eta"), ("history", 1, "data_values", 0),
    ("spectrum", "spread"), ("spectrum", "gap", "noise"), ("spectrum", "degrees", 0, "values", 0)])
def test_not_a_finite_number(saved, place, number, tmp_path):
    if (place, number) == (("epsilon",), "null"):
        number = "[null]"       # no epsilon is what a fit without a gap has
    with pytest.raises(InvalidModel):
        load_text(changed(saved, *place, to="@").replace('"@"', number), tmp_path)


@pytest.mark.parametrize(("place", "value"), [
    (("assignment", 0), -2), (("assignment", 0), 80), (("assignment", 0), 1.0), (("assignment", 0), 2**70),
    (("assignment",), []), (("assignment",), [[0]]), (("assignment",), {"0": 0}), (("assignment",), "000"),
    (("recursion", "layers", 1, "left", 0), -1), (("recursion", "layers", 1, "left", 0), 2),
    (("recursion", "layers", 1, "right", 0), 99), (("recursion", "layers", 1, "left"), []),
    (("recursion", "dimension"), 0), (("recursion", "dimension"), -1), (("recursion", "dimension"), 10**12),
    (("recursion", "dimension"), True), (("recursion", "layers"), {}), (("recursion", "layers"), [0]),
    (("recursion", "layers", 1, "G", "shape"), [2, 3]), (("recursion", "layers", 1, "G", "shape"), [6, -1]),
    (("recursion", "layers", 1, "G", "shape"), [6, 10**9]), (("recursion", "layers", 1, "G", "shape"), [6]),
    (("recursion", "layers", 1, "F", "entries"), [0.0] * 100_000), (("recursion", "layers", 1, "adjustable"), []),
    (("recursion", "layers", 1, "adjustable", 0), 1), (("essential",), []), (("essential", 0), 1),
    (("residuals",), []), (("knots",), []), (("knots",), [0.0, 1.0]), (("knots", 0), [0.0]), (("knots", 0), 0.0),
    (("knot_weights",), [1.0] * 79), (("center",), [0.0] * 3), (("center",), [0.0] * 100_000), (("names",), "xy"),
    (("names",), ["x"]), (("names",), ["x", 1]), (("names",), ["x", None]), (("names",), ["x", "x"]),
    (("status",), "fine"), (("status",), None), (("status",), []), (("status",), "COMPLETE"), (("message",), None),
    (("normalization",), 3), (("residual_is_distance",), 1), (("mass",), 0), (("mass",), "1"),
    (("normalization",), []), (("normalization",), {}), (("history",), None),
    (("history",), {}), (("history", 0), []), (("history", 0, "degree"), 1.5), (("history", 0, "G_size"), "1"),
    (("spectrum",), []), (("spectrum",), 0), (("spectrum", "gap"), []), (("spectrum", "gap", "degree"), 2.0),
    (("spectrum", "degrees"), {}), (("spectrum", "degrees", 0), None),
    (("scale", 0), 0.0), (("scale", 0), -1.0), (("unit",), 0.0), (("unit",), -1.0), (("delta",), -1.0),
    (("epsilon",), -1.0), (("knot_weights", 0), -1.0), (("residuals", 0), -1e-9), (("knot_residuals", 0), -1.0),
])
def test_wrong_entries(saved, place, value, tmp_path):
    with pytest.raises(InvalidModel, match="hostile.json"):
        load_text(changed(saved, *place, to=value), tmp_path)


@pytest.mark.parametrize(("kind", "place", "value"), [
    ("Readable", "names", ["x", "x"]), ("Generators", "names", ["x", "x"]), ("Generators", "points", []),
    ("Conserved", "names", ["x", "x"]), ("PointsIdeal", "names", ["x", "x"]), ("PointsIdeal", "points", []),
    ("ExactIdeal", "names", ["x", "x"]), ("ExactIdeal", "unconfirmed", 3)])
def test_names_that_do_not_differ_and_no_points_are_damage(kind, place, value, tmp_path):
    path = tmp_path / "hostile.json"
    result_of(kind)[0].save(path)
    path.write_text(json.dumps({**json.loads(path.read_text()), place: value}))
    with pytest.raises(InvalidModel, match="hostile.json"):
        symknot.load(path)


@pytest.mark.parametrize(("kind", "place"), [
    ("Readable", ("noise", 0)), ("Readable", ("equations", 0, "residual")), ("Readable", ("equations", 0, "residual_before")),
    ("Readable", ("equations", 0, "knot_residual")), ("Readable", ("equations", 0, "standard_errors", 0, 1)),
    ("Generators", ("epsilon",)), ("Generators", ("polynomials", 0, "residual")), ("Generators", ("polynomials", 0, "measure")),
    ("ImplicitModel", ("noise", 0)), ("ExactIdeal", ("sources", 0, "residual_before")),
    ("ExactIdeal", ("sources", 0, "residual_after")), ("Conserved", ("constraints", 0, "residual"))])
def test_sizes_below_zero_are_damage(kind, place, tmp_path):
    path = tmp_path / "hostile.json"
    result_of(kind)[0].save(path)
    content = json.loads(path.read_text())
    path.write_text(json.dumps(content))
    assert symknot.load(path).check().ok
    *way, last = place
    functools.reduce(lambda part, key: part[key], way, content)[last] = -1.0
    path.write_text(json.dumps(content))
    with pytest.raises(InvalidModel, match="hostile.json"):
        symknot.load(path)


@pytest.mark.parametrize("name", ["__import__('os').system('touch ran')", "lambda: 0", "x**2; import os", "I", "E", "",
                                  " ", "\ud800", "x" * 10_000, "../../etc/passwd", "${HOME}", "{0}", "%s", "\x1b[2J"])
def test_names_are_names_and_nothing_else(saved, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ideal = load_text(changed(saved, "names", 0, to=name), tmp_path)
    assert ideal.names[0] == name
    symbols = ideal.variables
    assert all(s.name.isidentifier() and s.name.isascii() for s in symbols) and len(set(symbols)) == 2
    assert ideal.polynomials[0].expr.free_symbols == set(symbols) and " = " in str(ideal)
    assert not (tmp_path / "ran").exists()


JUNK = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.just([]), st.just({}),
                 st.sampled_from([-1, 0, 1, 2**63, -(2**70), 10**400, 1e308, -1e-320, "1", "NaN", [[]], [[[1]]]]),
                 st.lists(st.integers(-3, 3), max_size=3), st.dictionaries(st.text(max_size=3), st.integers(), max_size=2))


def containers(node):
    """Every dict and list that has entries, at any depth."""
    found = [node] if node else []
    for child in node.values() if isinstance(node, dict) else node:
        if isinstance(child, (dict, list)):
            found += containers(child)
    return found


@settings(max_examples=400, deadline=None, derandomize=True)
@given(data=st.data())
def test_any_mutation_is_refused_or_usable(saved, tmp_path_factory, data):
    content = json.loads(saved)
    for _ in range(data.draw(st.integers(1, 2))):
        places = containers(content)
        node = places[data.draw(st.integers(0, len(places) - 1))]
        key = data.draw(st.sampled_from(sorted(node) if isinstance(node, dict) else range(len(node))))
        action = data.draw(st.sampled_from(["replace", "delete", "double", "nest", "negate"]))
        if action == "delete":
            del node[key]
        elif action == "double" and isinstance(node, list):
            node.append(copy.deepcopy(node[key]))
        elif action == "nest":
            node[key] = [node[key]]
        elif action == "negate" and isinstance(node[key], (int, float)):
            node[key] = -node[key]
        else:
            node[key] = data.draw(JUNK)
    folder = tmp_path_factory.mktemp("mutated")
    try:
        ideal = load_text(json.dumps(content), folder)
    except InvalidModel:
        return
    n, d = len(ideal.assignment), len(ideal.names)
    assert ideal.knots.shape[1] == d and 0 < ideal.knotting_ratio and len(ideal.essential) == len(ideal.residuals)
    with np.errstate(all="ignore"):
        assert ideal.evaluate(ideal.knots).shape == (len(ideal.knots), len(ideal.polynomials))
        assert ideal.jacobian(ideal.knots).shape == (len(ideal.knots), len(ideal.polynomials), d)
    assert ideal.assignment.max(initial=-1) < len(ideal.knots) and n
    assert repr(ideal) and str(ideal.spectrum) and ideal.status.advice


# ---------------------------------------------------------------------------------------------------- atomic writing


def test_missing_file_and_missing_folder(tmp_path):
    with pytest.raises(FileNotFoundError):
        symknot.load(tmp_path / "none.json")
    with pytest.raises(OSError):
        FITS["no gap"]().save(tmp_path / "none" / "ideal.json")
    assert list(tmp_path.iterdir()) == []


def test_a_new_file_replaces_the_old_one(tmp_path):
    path = tmp_path / "ideal.json"
    path.write_text("old " * 10_000)
    ideal = FITS["no gap"]()
    ideal.save(path)
    assert_same(symknot.load(path), ideal)
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written_leaves_the_old_file(tmp_path):
    path = tmp_path / "ideal.json"
    path.write_text("old")
    broken = dataclasses.replace(FITS["no gap"](), delta=float("nan"))
    with pytest.raises(ValueError):
        broken.save(path)
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_a_folder_in_the_way_stays(tmp_path):
    path = tmp_path / "ideal.json"
    path.mkdir()
    with pytest.raises(OSError):
        write_atomically(path, "text")
    assert path.is_dir() and list(tmp_path.iterdir()) == [path]


FULL_DISK = f"""
import resource, sys
sys.path.insert(0, {str(Path(symknot.__file__).parents[1])!r})
import numpy as np, symknot
ideal = symknot.fit(np.random.default_rng(1).normal(size=(400, 2)), 1e-3, max_degree=2)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
try:
    ideal.save(sys.argv[1])
except OSError as error:
    print("refused", error.errno)
"""


def test_a_write_that_fails_half_way_leaves_the_old_file(tmp_path):
    """The system itself refuses to write more than 4096 bytes, as a full disk would."""
    assert hasattr(resource, "RLIMIT_FSIZE")
    path = tmp_path / "ideal.json"
    path.write_text("old")
    done = subprocess.run([sys.executable, "-c", FULL_DISK, str(path)], capture_output=True, text=True, timeout=120)
    assert done.stdout.startswith("refused"), done.stderr
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]
