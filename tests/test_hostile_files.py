"""Whatever bytes a file holds: the right table, or one sentence that says where it is wrong and what to do."""

import gzip
import zlib

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import xarray as xr
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import symknot
from symknot import InvalidPoints, SymknotError, Table
from symknot.reading.cells import number_of
from symknot.reading.sources import read_table
from tests.test_points import circle

NAN = float("nan")


def written(folder, content, name="data.csv"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("content, columns, numbers", [
    ("x,y\n1,2\n3,4\n", ("x", "y"), [[1, 2], [3, 4]]),
    ("1,2\n3,4\n", ("1", "2"), [[1, 2], [3, 4]]),
    ("x,y\r\n1,2\r\n\r\n3,4\r\n\r\n", ("x", "y"), [[1, 2], [3, 4]]),
    ("x,y\r1,2\r3,4", ("x", "y"), [[1, 2], [3, 4]]),
    ("x;y;\n1;2;\n3;4;\n", ("x", "y"), [[1, 2], [3, 4]]),
    ("x,y\n1,2,\n3,4,\n", ("x", "y"), [[1, 2], [3, 4]]),
    ("x,y\n1,2\n,\n3,4\n,,\n", ("x", "y"), [[1, 2], [3, 4]]),
    ("x|y\n1|2\n3|4\n", ("x", "y"), [[1, 2], [3, 4]]),
    ("x y\n1 2\n3   4\n", ("x", "y"), [[1, 2], [3, 4]]),
    (" x \t y\n 1\t 2\n3\t\n", ("x", "y"), [[1, 2], [3, NAN]]),
    ('"x y" z\n1 2\n3 4\n', ("x y", "z"), [[1, 2], [3, 4]]),
    ("sep=;\nx;y\n1;2\n3;4\n", ("x", "y"), [[1, 2], [3, 4]]),
    ("x,y\n1e5,1.5D+03\n-1E-2,.5\n", ("x", "y"), [[1e5, 1500], [-0.01, 0.5]]),
    ("x;y\n1,5;2\n3;4\n", ("x", "y"), [[1.5, 2], [3, 4]]),
    ("x;y\n1.234,5;2\n3;4\n", ("x", "y"), [[1234.5, 2], [3, 4]]),
    ("x;y\n1,234.5;2\n3;4\n", ("x", "y"), [[1234.5, 2], [3, 4]]),
    ("x;y\n1,234,567;2\n3;4\n", ("x", "y"), [[1234567, 2], [3, 4]]),
    ("x\ty\n1.234.567\t2\n3\t4\n", ("x", "y"), [[1234567, 2], [3, 4]]),
    ('"x" "y"\n"1" 0.5 2\n"2" 0.7 3\n', ("1", "x", "y"), [[1, 0.5, 2], [2, 0.7, 3]]),
    ("x;y\n1'234.5;2\n3;4\n", ("x", "y"), [[1234.5, 2], [3, 4]]),
    ("x;y\n1\u202f234,5;2\n3;4\n", ("x", "y"), [[1234.5, 2], [3, 4]]),
    ('x,y\n"1,5","2,25"\n"3,0",4\n', ("x", "y"), [[1.5, 2.25], [3, 4]]),
    ('x,y\n"1,234.5",2\n3,4\n', ("x", "y"), [[1234.5, 2], [3, 4]]),
    ('"a, b","c ""d"""\n1,2\n3,4\n', ("a, b", 'c "d"'), [[1, 2], [3, 4]]),
    ("x\n1,5\n2,5\n", ("x",), [[1.5], [2.5]]),
    ("x\n1\n2\n", ("x",), [[1], [2]]),
    ("x,y\nNA,2\n,null\nn/a,-\n3,4\n", ("x", "y"), [[NAN, 2], [NAN, NAN], [NAN, NAN], [3, 4]]),
    ("x,y\n#N/A,2\n3,4\n", ("x", "y"), [[NAN, 2], [3, 4]]),
    ("x,y\ninf,2\n-Infinity,nan\n", ("x", "y"), [[np.inf, 2], [-np.inf, NAN]]),
    ("1,NA,3\n4,5,6\n", ("1", "2", "3"), [[1, NAN, 3], [4, 5, 6]]),
    ("x,on\n1,True\n2,false\n", ("x", "on"), [[1, 1], [2, 0]]),
    ("# first\nx,y\n# second\n1,2\n% third\n3,4\n", ("x", "y"), [[1, 2], [3, 4]]),
    ("#x,y\n1,2\n3,4\n", ("x", "y"), [[1, 2], [3, 4]]),
    ("# far above\n\n1,2\n3,4\n", ("1", "2"), [[1, 2], [3, 4]]),
    ("x,,y\n1,2,3\n4,5,6\n", ("x", "2", "y"), [[1, 2, 3], [4, 5, 6]]),
    ("x,y\nm,s\n1,2\n3,4\n", ("x", "y"), [[1, 2], [3, 4]]),
    ("x;y\n[mm];\n1,5;2\n3;4\n", ("x", "y"), [[1.5, 2], [3, 4]]),
    ("Device 7\nmade 2024\nx,y\n1,2\n3,4\n", ("x", "y"), [[1, 2], [3, 4]]),
    ("Measured on Monday\n\nx;y\nmm;mm\n1,5;2\n3;4\n", ("x", "y"), [[1.5, 2], [3, 4]]),
    ("x,y\n\u22121,2\n3,4\n", ("x", "y"), [[-1, 2], [3, 4]]),
    ("x,y\n1,2\n3,4\n\x1a", ("x", "y"), [[1, 2], [3, 4]]),
    (b"\xef\xbb\xbfx,y\n1,2\n3,4\n", ("x", "y"), [[1, 2], [3, 4]]),
    ("x,y\n1,2\n3,4\n".encode("utf-32"), ("x", "y"), [[1, 2], [3, 4]]),
    (gzip.compress(b"x,y\n1,2\n3,4\n", mtime=0), ("x", "y"), [[1, 2], [3, 4]]),
])
def test_what_can_be_read(tmp_path, content, columns, numbers):
    table = read_table(written(tmp_path, content))
    assert table.columns == columns
    np.testing.assert_array_equal(table.numbers(), numbers)
    assert len(table.lines) == len(numbers)


@pytest.mark.parametrize("content, line, message", [
    ("", None, "is empty"),
    ("\n \n", None, "is empty"),
    ("# only a comment\n", None, "is empty"),
    ("x,y\n", None, "need at least 2 points, got 0"),
    ("x,y,z\n1,2\n3,4\n", 2, "need 3 cells, got 2: every line needs as many as the header in line 1 has"),
    ("x,y\n1,2\n3,4,5\n", 3, "need 2 cells, got 3"),
    ("Device,7\nx,y\n1,2\n3,4\n", 2, "must be a number, got 'x'; correct it, put # before a line that is"),
    ("x,y\nfaulty pump 3\n1,2\n3,4\n", 2, "need 2 cells, got 1"),
    ("x y (mm);z\nbroken valve or so it seems;m\n1;2\n3;4\n", 2, "must be a number, got .*--ignore 'x y \\(mm\\)'"),
    ("x\n4 kg\n5\n6\n7\n", 2, "must be a number, got '4 kg'"),
    ("x,y,x\n1,2,3\n4,5,6\n", 1, "columns 1 and 3 are both called 'x'; rename one of them"),
    ("x,y\n1_000,2\n3,4\n", 2, "must be a number, got '1_000'"),
    ("x,y\n1,2\n3,4 kg\n", 3, "must be a number, got '4 kg'"),
    ("x,y\n1,2\n3,inf\n", 3, "must be finite, got inf"),
    ('x,y\n1,2\n"3,4\n5,6\n', 3, 'a quote " is opened here and never closed'),
    ('x,y\n1,2\n"3"4,5\n', 3, "quotes are not used as CSV does"),
    ('x,y\n1,2\n"' + "9" * 200_000 + '",5\n', 3, "a cell is longer than 131072 characters"),
    (b"x,y\n1,2\n3,\x004\n", 3, "not a text file: a NUL byte"),
    (b"x,y\n1,2\x07\n", 2, r"not a text file: the control character '\\x07'"),
    (b"\x89PNG\r\n\x1a\n\x00\x00", 2, "not a text file"),
    (b"PAR1\x15\x04", None, "content is that of a file whose name ends in .parquet: rename it"),
    (b"\xff\xfex\x00,", None, "begins as utf-16 does, but is not"),
    (b"\x1f\x8b\x08\x00broken", None, "damaged, it cannot be decompressed"),
    ("site;name\nnorth;a\nsouth;b\n", None, "no column of numbers is left: columns 'site', 'name' hold text; if separator"),
    ("x;y\n1,234;2\n3;4\n", 2, "'1,234' may be 1234 or 1.234, and no other number tells"),
])
def test_what_cannot_is_one_sentence(tmp_path, content, line, message):
    path = written(tmp_path, content)
    with pytest.raises(InvalidPoints, match=message) as caught:
        symknot.fit(path)
    assert caught.value.line == line and str(caught.value).startswith(f"{path}: ") and "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["a.parquet", "a.feather", "a.npy", "a.npz", "a.xlsx"])
@pytest.mark.parametrize("content", [b"", b"x,y\n1,2\n3,4\n", b"PK\x03\x04nothing", zlib.compress(b"x")])
def test_damaged_files(tmp_path, name, content):
    with pytest.raises(InvalidPoints, match=r"a\.\w+: not a file of kind \w+.*, or damaged"):
        symknot.read(written(tmp_path, content, name))


def test_files_that_are_not_read(tmp_path):
    with pytest.raises(InvalidPoints, match="a.xls: this kind of spreadsheet is not read; save it as .xlsx or as CSV"):
        symknot.read(written(tmp_path, b"", "a.xls"))
    np.savez(tmp_path / "a.npz", x=np.ones(3), y=np.ones((2, 2)))
    with pytest.raises(InvalidPoints, match=r"a.npz: must hold one array of rows, or columns of equal length, got x of shape"):
        symknot.read(tmp_path / "a.npz")
    np.save(tmp_path / "a.npy", np.ones((2, 2, 2)))
    with pytest.raises(InvalidPoints, match=r"a.npy: need an array of shape \(points, variables\), got shape \(2, 2, 2\)"):
        symknot.read(tmp_path / "a.npy")
    for name in ("nowhere.parquet", "nowhere.xlsx", "nowhere.npy", "nowhere.csv", "nowhere.arrow"):
        with pytest.raises(FileNotFoundError):
            symknot.read(tmp_path / name)


SNIPPETS = st.sampled_from(["1", "2.5", "1,5", "-3", "NA", "", "x", '"', "#", "%", ",", ";", "\t", "|", " ", "\n", "\r\n",
                            "1e5", "1.5D3", "2024-01-01", "inf", "nan", "é", "\x00", "_", "'", "1,234", "sep=;", "t", "run"])


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.binary(max_size=60), st.lists(SNIPPETS, max_size=40).map(lambda parts: "".join(parts).encode())))
def test_any_bytes_are_a_table_or_a_sentence(tmp_path, content):
    path = written(tmp_path, content)
    for use in (symknot.read, symknot.Trajectories):
        try:
            use(path)
        except SymknotError as error:
            assert str(error).count("\n") == 0 or "\n" in content.decode("utf-8", "replace")


def test_fast_and_slow_reading_agree(tmp_path):
    X = np.random.default_rng(0).normal(size=(200, 3)) * [1, 1e-8, 1e12]
    rows = [[repr(float(cell)) for cell in row] for row in X]
    plain = read_table(written(tmp_path, "\n".join(["a,b,c", *map(",".join, rows)])))
    quoted = read_table(written(tmp_path, "\n".join(["a,b,c", *('"' + '","'.join(row) + '"' for row in rows)])))
    commas = read_table(written(tmp_path, "\n".join(["a;b;c", *(";".join(row).replace(".", ",") for row in rows)])))
    for table in (plain, quoted, commas):
        np.testing.assert_array_equal(table.numbers(), X)
        assert table.columns == ("a", "b", "c") and list(table.lines) == list(range(2, 202))
    assert isinstance(plain.lines, range) and isinstance(commas.lines, range) and not isinstance(quoted.lines, range)


@pytest.mark.parametrize("text", ["1,234", "12,34", "1.2.3", "1e", "e5", "0x10", "٣", "1 2", "--1", "+", "1,234,56"])
def test_what_is_no_number(text):
    assert number_of(text) == (1234.0 if text == "1,234" else None)


# ------------------------------------------------------------------------------------------------ what is in memory


def in_memory():
    X = circle()
    frame = pd.DataFrame(X, columns=["p", "q"])
    return {
        "pandas": frame, "pandas with pyarrow": frame.convert_dtypes(dtype_backend="pyarrow"), "polars": pl.from_pandas(frame),
        "pyarrow": pa.Table.from_pandas(frame), "record batch": pa.RecordBatch.from_pandas(frame),
        "xarray": xr.Dataset({"p": ("n", X[:, 0]), "q": ("n", X[:, 1])}),
        "labelled array": xr.DataArray(X, dims=["n", "what"], coords={"what": ["p", "q"]}),
    }


@pytest.mark.parametrize("kind", list(in_memory()))
def test_tables_of_other_packages(kind):
    data, X = in_memory()[kind], circle()
    wanted = symknot.fit(X)
    ideal = symknot.fit(data)
    assert ideal.names == ("p", "q") and np.array_equal(ideal.knots, wanted.knots)
    np.testing.assert_array_equal(ideal.evaluate(data), ideal.evaluate(X))
    assert symknot.Trajectories(data, 0.1).names == ("p", "q")
    assert symknot.read(data, ignore="p").columns == ("q",)


@pytest.mark.parametrize("kind", list(in_memory()))
def test_estimators_take_them_too(kind):
    from symknot.estimators import KnotReducer, KnottedIdeal
    data = in_memory()[kind]
    model = KnottedIdeal(0.1).fit(data)
    assert list(model.feature_names_in_) == ["p", "q"]
    np.testing.assert_array_equal(model.transform(data), model.transform(in_memory()["pandas"]))
    labels = ["in" if x > 0 else "out" for x in circle()[:, 0]]
    assert len(KnotReducer(1.2).fit_resample(data, labels)[0]) < len(circle())


def test_times_of_frames_and_sets():
    t = np.arange(40) / 10
    values = np.exp(-t)
    dated = np.datetime64("2024-01-01", "ns") + (1e9 * t).astype("timedelta64[ns]")
    for data in (pl.DataFrame({"time": dated, "x": values}), xr.Dataset({"x": ("time", values)}, {"time": dated}),
                 pa.table({"time": dated, "x": values}), pd.DataFrame({"time": dated, "x": values})):
        runs = symknot.Trajectories(data)
        assert runs.names == ("x",)
        assert runs.notes == ("time is column 'time'", "times are in seconds since 2024-01-01T00:00:00")
        np.testing.assert_allclose(runs.runs[0].times, t)


def test_gaps_and_words_of_other_packages():
    frame = pl.DataFrame({"x": [1, None, 3], "site": ["a", "b", None], "c": pl.Series(["u", "u", "v"], dtype=pl.Categorical)})
    for data in (frame, frame.to_arrow()):
        with pytest.raises(InvalidPoints, match="row 0, column 'site': must be a number, got 'a'"):
            symknot.fit(data)
        assert symknot.read(data).notes == ("left out: columns 'site', 'c' hold text",)
        np.testing.assert_array_equal(symknot.read(data).numbers([0]), [[1], [NAN], [3]])
    with pytest.raises(InvalidPoints, match=r"got a LazyFrame, whose rows are not there yet; pass .collect\(\)"):
        symknot.fit(frame.lazy())


def test_a_table_that_was_read_is_taken_as_it_is():
    table = symknot.read(circle())
    assert isinstance(table, Table) and table.notes == () and repr(table) == "Table: 120 rows of x, y"
    assert np.array_equal(symknot.fit(table).knots, symknot.fit(circle()).knots)


def test_new_points_are_found_by_name(tmp_path):
    ideal = symknot.fit(pd.DataFrame(circle(), columns=["p", "q"]))
    path = written(tmp_path, "site,q,p\nnorth,2,1\n")
    np.testing.assert_array_equal(ideal.evaluate(path), ideal.evaluate([[1, 2]]))
    np.testing.assert_array_equal(ideal.evaluate(pd.DataFrame({"q": [2], "p": [1]})), ideal.evaluate([[1, 2]]))
    np.testing.assert_array_equal(ideal.evaluate(written(tmp_path, "1,2\n")), ideal.evaluate([[1, 2]]))


@pytest.mark.parametrize("column", ["inf\ninf", "-inf\ninf", "1e308\n-1e308"])
def test_differences_beyond_floats_are_no_warning(column, tmp_path):
    assert symknot.read(written(tmp_path, f"x\n{column}\n")).columns == ("x",)
