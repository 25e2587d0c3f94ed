"""Points that are read in blocks: the same answers as in memory, whatever holds them."""

import io
import pickle

import numpy as np
import pandas as pd
import pytest

import symknot
from symknot.fitting.summaries import Block, merged, summarised
from symknot.polynomials.product_basis import product_basis

N = 9_000          # more than the sample, so that not all points are held
NAMES = ["p", "q"]


def ellipse(n=N, seed=0):
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, 2 * np.pi, n)
    return np.c_[3 * np.cos(angle), np.sin(angle)] + 0.02 * rng.normal(size=(n, 2))


POINTS = ellipse()


def same_up_to_sign(one, other, tolerance=1e-11):
    assert [g.degree for g in one.polynomials] == [g.degree for g in other.polynomials]
    for g, h in zip(one.polynomials, other.polynomials):
        a, b = (np.array([float(f.terms.get(e, 0)) for e in {**g.terms, **h.terms}]) for f in (g, h))
        assert min(abs(a - b).max(), abs(a + b).max()) <= tolerance * abs(a).max()
    np.testing.assert_allclose(one.residuals[one.essential], other.residuals[other.essential], rtol=1e-9)


@pytest.fixture(scope="module")
def in_memory():
    return symknot.vca(POINTS, 0.03, max_degree=3, names=NAMES)


def parts(count=7):
    return [POINTS[rows] for rows in np.array_split(np.arange(N), count)]


def memory_map(folder):
    np.save(folder / "points.npy", POINTS)
    return np.load(folder / "points.npy", mmap_mode="r")


def frame():
    return pd.DataFrame(POINTS, columns=NAMES)


def in_folder(folder):
    (folder / "many").mkdir()
    for i in range(3):
        frame()[i::3].to_parquet(folder / "many" / f"{i}.parquet")
    return folder / "many"


def written(folder, name, write):
    write(folder / name)
    return folder / name


def dask_array():
    import dask.array
    return dask.array.from_array(POINTS, chunks=(2500, 1))


def dask_frame():
    import dask.dataframe
    return dask.dataframe.from_pandas(frame(), npartitions=4)


SOURCES = {
    "array": lambda folder: POINTS,
    "memory map": memory_map,
    "npy": lambda folder: written(folder, "points.npy", lambda path: np.save(path, POINTS)),
    "csv": lambda folder: written(folder, "points.csv", lambda path: frame().to_csv(path, index=False)),
    "comma": lambda folder: written(folder, "points.csv", lambda path: frame().to_csv(path, index=False, sep=";", decimal=",")),
    "parquet": lambda folder: written(folder, "points.parquet", lambda path: frame().to_parquet(path, row_group_size=4000)),
    "folder": in_folder,
    "function": lambda folder: lambda: iter(parts()),
    "function of a list": lambda folder: parts,
    "functions": lambda folder: [lambda part=part: part for part in parts()],
    "iterator": lambda folder: iter(parts(300)),
    "frames": lambda folder: lambda: (frame()[i:i + 2500] for i in range(0, N, 2500)),
    "dask array": lambda folder: dask_array(),
    "dask frame": lambda folder: dask_frame(),
}


@pytest.mark.parametrize("source", SOURCES)
def test_vca_reads_once_and_agrees_to_rounding(source, tmp_path, in_memory):
    told = []
    data = SOURCES[source](tmp_path)
    named = source in ("csv", "comma", "parquet", "folder", "frames", "dask frame")
    found = symknot.vca(data, 0.03, max_degree=3, names=None if named else NAMES, knots="summary", progress=told.append)
    same_up_to_sign(found, in_memory)
    assert found.names == tuple(NAMES) and found.status is in_memory.status
    assert found.recursion.sizes == in_memory.recursion.sizes
    readings = [step for step in told if hasattr(step, "done")]
    assert {step.number for step in readings} == {1} and readings[-1].done == (readings[-1].total or N)
    assert found.assignment is None and found.point_count == N and len(found.knots) < N
    assert f"for {N} points" in str(found)


@pytest.mark.parametrize("normalization, epsilon", [("gradient", 0.03), ("coefficient", 0.03), ("vca", 0.3)])
def test_every_normalization_without_a_limit(normalization, epsilon):
    """Shifted, thin and in mixed units; the sample says how far to go, then the points are read once more."""
    t = np.random.default_rng(1).normal(size=N)
    noise = np.random.default_rng(2).normal(size=(N, 3))
    X = np.c_[t, t**2, 2 * t + 1] + 0.01 * noise + 100
    told = []
    found = symknot.vca(lambda: iter(np.array_split(X, 6)), epsilon, normalization=normalization, progress=told.append)
    same_up_to_sign(found, symknot.vca(X, epsilon, normalization=normalization), 1e-8)
    assert max(step.number for step in told if hasattr(step, "done")) == 2


def test_weights_noise_and_constant_columns():
    X = np.c_[POINTS, np.full(N, 0.1)]
    weights = np.random.default_rng(3).integers(0, 3, N)
    options = dict(weights=weights, noise=[1.0, 2.0, 1.0], max_degree=2)
    same_up_to_sign(symknot.vca(X, 0.03, knots="summary", **options), symknot.vca(X, 0.03, **options), 1e-9)


def test_few_points_are_held_and_fitted_as_ever():
    few = POINTS[:500]
    found, wanted = (symknot.vca(data, 0.03, max_degree=2) for data in (lambda: iter(np.array_split(few, 3)), few))
    assert found.knots.tolist() == wanted.knots.tolist() and found.assignment.tolist() == wanted.assignment.tolist()


def test_a_streamed_result_is_saved_and_shown(tmp_path):
    found = symknot.vca(lambda: iter(parts()), 0.03, max_degree=2)
    found.save(tmp_path / "found.json")
    again = symknot.load(tmp_path / "found.json")
    assert str(again) == str(found) and again.assignment is None and again.point_count == N
    assert found.knotting_ratio == len(found.knots) / N and found.plot is not None


@pytest.mark.parametrize("data, said", [
    (lambda: iter([POINTS[:100], POINTS[:100, :1]]), "blocks of 2 columns"),
    (lambda: iter([]), "no blocks"),
    (lambda: 3, "must return blocks"),
    (lambda: iter([POINTS[:100], np.array([[1.0, np.nan]])]), "row 100"),
    (lambda: iter([1e200 * POINTS[:100]]), "too large"),
    ([lambda: np.zeros((3, 2, 2))], "shape"),
])
def test_wrong_blocks_are_refused_with_their_place(data, said):
    with pytest.raises(symknot.InvalidPoints, match=said):
        symknot.vca(data, 0.03, max_degree=2)


def test_an_iterator_that_must_be_read_again_says_what_to_pass():
    with pytest.raises(symknot.InvalidPoints, match="function that returns a new iterator"):
        symknot.vca(iter(parts()), 0.03)


@pytest.mark.parametrize("option", [{"knots": "all"}, {"client": 3}, {"weights": [1.0, -1.0]}, {"weights": [1.0] * 7}])
def test_wrong_options_are_refused(option):
    with pytest.raises(symknot.InvalidOption):
        symknot.vca(lambda: iter(parts()), 0.03, max_degree=2, **option)


def test_text_columns_of_a_big_file_are_left_out_with_a_note(tmp_path):
    frame().assign(site="north").to_csv(tmp_path / "points.csv", index=False)
    with pytest.warns(symknot.ReadingNote, match="'site' holds text"):
        assert symknot.vca(tmp_path / "points.csv", 0.03, max_degree=2, knots="summary").names == tuple(NAMES)


@pytest.mark.parametrize("shape", ["sorted", "thin", "growing", "constant", "units"])
def test_summaries_are_the_same_in_one_or_in_a_tree(shape):
    """The factor of the basis on all points, whatever the frames of the blocks were."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 2))
    X = {"sorted": X[np.argsort(X[:, 0])], "thin": np.c_[X[:, 0], X[:, 0] + 1e-4 * X[:, 1]],
         "growing": X * np.exp(np.linspace(0, 10, 4000))[:, None], "constant": np.c_[X[:, 0], np.full(4000, 0.1)],
         "units": X * [1e-6, 1e6] + [3.0, 1e9]}[shape]
    level = [summarised(Block(i, part), None, 3, 50) for i, part in enumerate(np.array_split(X, 5))]
    level = [pickle.loads(pickle.dumps(one)) for one in level]
    while len(level) > 1:
        level = [merged(*level[i:i + 2]) if i + 1 < len(level) else level[i] for i in range(0, len(level), 2)]
    found, whole = level[0], product_basis(2, 3).values(level[0].frame.at(X).T, np.ones(len(X))).T
    gram = whole.T @ whole
    # 1e9 in units of 1 leaves seven digits of it
    np.testing.assert_allclose(found.factor.T @ found.factor, gram, atol=1e-9 * abs(gram).max())
    assert found.count == 4000 and len(found.sample) == 50 and len(np.unique(found.sample, axis=0)) == 50
    np.testing.assert_allclose(found.outside()[0], X.mean(axis=0), rtol=1e-12, atol=1e-12 * abs(X).max())


def test_the_sample_is_random_and_the_same_every_time():
    one, other = (symknot.vca(lambda: iter(parts()), 0.03, max_degree=2) for _ in range(2))
    assert one.knots.tolist() == other.knots.tolist()
    places = np.searchsorted(np.sort(POINTS[:, 0]), np.sort(one.knots[:, 0])) / N
    assert abs(np.sort(places) - np.linspace(0, 1, len(places))).max() < 0.031          # Kolmogorov: 1.95 / sqrt(4000) at 0.1 %


def test_progress_is_one_line_for_a_person():
    told = io.StringIO()
    symknot.vca(lambda: iter(parts()), 0.03, max_degree=2, progress=lambda step: print(step, file=told))
    assert told.getvalue().splitlines()[0].startswith("reading 1   9,000 points")
