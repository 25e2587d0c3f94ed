"""Files as people have them, as real bytes: read right by `fit`, `identify` and the command line, and what was done is said."""

import gzip
import io
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import symknot
from symknot import InvalidOption, InvalidPoints, MissingExtra, ReadingNote
from symknot.cli import main
from symknot.reading.points import read_points

ROOT = Path(__file__).resolve().parents[1]
N = 120
ANGLE = np.linspace(0, 2 * np.pi, N, endpoint=False)
RING = np.c_[3 * np.cos(ANGLE), 3 * np.sin(ANGLE)] + 0.02 * np.random.default_rng(0).normal(size=(N, 2))
"""Points near the circle x^2 + y^2 = 9."""
SITES = ["north", "south", "new york"]
LARGE = 1000 * RING
"""The same in another unit, for thousands separators."""


def comma(number, digits=6):
    return f"{number:.{digits}f}".replace(".", ",")


def semicolons_and_decimal_commas():
    lines = ["größe;höhe"] + [f"{comma(x)};{comma(y)}" for x, y in RING]
    note = "separator ';', encoding cp1252, decimal comma"
    return "a.csv", "\r\n".join(lines).encode("latin-1"), ("größe", "höhe"), note


def unicode_text_of_excel():
    lines = ["x\ty"] + [f"{x:.6f}\t{y:.6f}" for x, y in RING]
    return "a.txt", "\r\n".join(lines).encode("utf-16"), ("x", "y"), "separator tab, encoding utf-16"


def quoted_with_thousands():
    lines = ['"x, east","y"'] + [f'"{x:,.3f}","{y:,.3f}"' for x, y in LARGE]
    return "a.csv", "\n".join(lines).encode("utf-8-sig"), ("x, east", "y"), None


def numpy_with_a_commented_header():
    text = io.StringIO()
    np.savetxt(text, RING, header="made by a program\nx y")
    return "a.dat", text.getvalue().encode(), ("x", "y"), "separator space, names from the comment in line 2"


def pipes_with_ends_and_gaps():
    cells = [[f"{x:.6f}", f"{y:.6f}"] for x, y in RING]
    for row, word in ((3, "NA"), (50, "n/a"), (51, ""), (52, "-"), (70, "null")):
        cells.insert(row, ["1.5", word])
    text = "x|y|\n" + "".join(f"{x}|{y}|\n" for x, y in cells)
    return "a.csv", text.encode(), ("x", "y"), "5 rows with missing values, lines 5, 52, 53, 54, 72"


def old_mac_with_other_columns():
    lines = ["id,site,day,x,y,device,"] + [f"{k + 1},{SITES[k % 3]},2024-01-{k % 28 + 1:02},{x:.6f},{y:.6f},7,"
                                           for k, (x, y) in enumerate(RING)]
    return "a.csv", "\r".join(lines).encode(), ("x", "y"), "2 of 6 columns"


def a_title_and_units():
    lines = ["# station 12", "Messung vom 3.4.", "", "größe;höhe", "mm;mm"] + [f"{comma(x)};{comma(y)}" for x, y in RING]
    return "a.csv", "\n".join(lines).encode(), ("größe", "höhe"), "title in line 2, decimal comma, units in line 5 (mm, mm)"


def a_sheet_with_a_title_and_units():
    sheet = openpyxl.Workbook()
    for row in (["Messung vom 3.4."], [], ["x", "y"], ["[mm]", "[mm]"], *RING.tolist()):
        sheet.active.append(row)
    content = io.BytesIO()
    sheet.save(content)
    return "a.xlsx", content.getvalue(), ("x", "y"), "title in line 1, units in line 4 ([mm], [mm])"


def compressed_fortran():
    lines = ["% step 1", "  x   y"] + [f"  {x:.8e}   {y:.8e}".replace("e", "D") for x, y in RING]
    return "a.txt.gz", gzip.compress("\n".join(lines).encode()), ("x", "y"), "separator space"


def decimal_commas_between_spaces():
    lines = [f"{comma(x):>12}  {comma(y):>12}  " for x, y in RING]
    return "a", "\n".join(lines).encode(), ("x", "y"), "separator space, decimal comma"


def parquet():
    file = io.BytesIO()
    pa.parquet.write_table(pa.table({"x": RING[:, 0], "site": [SITES[k % 3] for k in range(N)], "y": RING[:, 1]}), file)
    return "a.parquet", file.getvalue(), ("x", "y"), "2 of 3 columns"


def feather():
    file = io.BytesIO()
    pa.feather.write_feather(pa.table({"x": RING[:, 0], "y": RING[:, 1], "on": pa.array([True] * N)}), file)
    return "a.feather", file.getvalue(), ("x", "y"), "column 'on' is 1 in every row"


def sheet():
    book = openpyxl.Workbook()
    book.create_sheet("notes")["A1"] = "nothing"
    for row in [[], [None, "day", "x", "y"], *([None, pd.Timestamp(2024, 1, k % 28 + 1).to_pydatetime(), *map(float, point)]
                                               for k, point in enumerate(RING))]:
        book.worksheets[0].append(row)
    file = io.BytesIO()
    book.save(file)
    return "a.xlsx", file.getvalue(), ("x", "y"), "sheet 'Sheet' of 2"


def arrays():
    file = io.BytesIO()
    np.savez(file, x=RING[:, 0], index=np.arange(N), y=RING[:, 1])
    return "a.npz", file.getvalue(), ("x", "y"), "column 'index' numbers the rows"


def array():
    file = io.BytesIO()
    np.save(file, RING)
    return "a.npy", file.getvalue(), ("x", "y"), None


FILES = [semicolons_and_decimal_commas, unicode_text_of_excel, quoted_with_thousands, numpy_with_a_commented_header,
         pipes_with_ends_and_gaps, old_mac_with_other_columns, compressed_fortran, decimal_commas_between_spaces, parquet,
         feather, sheet, arrays, array, a_title_and_units, a_sheet_with_a_title_and_units]


@pytest.fixture(params=FILES, ids=lambda make: make.__name__)
def awkward(request, tmp_path):
    name, content, names, note = request.param()
    path = tmp_path / name
    path.write_bytes(content)
    return path, names, note


def wanted_of(names):
    return LARGE if "x, east" in names else RING


KNOTS = {}


def knots_of_the(points):
    """Of the points as they are in memory, fitted once."""
    if id(points) not in KNOTS:
        KNOTS[id(points)] = symknot.fit(points).knots
    return KNOTS[id(points)]


def test_points_are_read_right(awkward):
    path, names, note = awkward
    table = symknot.read(path, missing="drop")
    assert note is None and table.notes == () or any(note in line for line in table.notes), table.notes
    points = read_points(table)
    assert points.names == names
    rounding = 6e-4 if "x, east" in names else 6e-7
    np.testing.assert_allclose(points.outside(points.values)[points.row_of], wanted_of(names), atol=rounding)


def test_the_command_line_reads_the_same_and_says_how(awkward, tmp_path, capsys):
    path, names, note = awkward
    assert main(["fit", str(path), "--missing", "drop", "-o", str(tmp_path / "model.json")]) == 0
    captured = capsys.readouterr()
    ideal = symknot.load(tmp_path / "model.json")
    assert captured.out == f"{ideal}\n\nsaved as {tmp_path / 'model.json'}\n"
    assert captured.err == "" if note is None else note in captured.err
    assert all(line.startswith("symknot: ") for line in captured.err.splitlines())
    assert ideal.names == names and [g.degree for g in ideal.polynomials] == [2] and len(ideal.assignment) == N
    np.testing.assert_allclose(ideal.knots, knots_of_the(wanted_of(names)), atol=2e-3 if "x, east" in names else 1e-5)


def test_a_gap_is_named_and_what_to_do_is_said(tmp_path, capsys):
    path = tmp_path / "gaps.csv"
    path.write_bytes(pipes_with_ends_and_gaps()[1])
    message = (r"gaps.csv: line 5, column 'y': must be a number, got 'NA'; 5 rows of the file have missing values, which "
               r"read\(\.\.\., missing=\"drop\"\) or --missing drop leaves out")
    for use in (symknot.fit, symknot.spectrum):
        with pytest.raises(InvalidPoints, match=message):
            use(path)
    assert main(["fit", str(path)]) == 2
    assert "line 5, column 'y'" in capsys.readouterr().err


def test_a_point_that_may_group_thousands_is_said(tmp_path, capsys):
    path = tmp_path / "large.csv"
    path.write_text("x;y\n" + "".join(f"{x:,.0f};{y:,.0f}\n".replace(",", ".") for x, y in LARGE), encoding="utf-8")
    note = r"decimal point in 3\.0\d\d \(if it groups thousands, say so: --decimal ,\)"
    assert re.search(note, symknot.read(path).notes[0])
    assert not re.search(note, symknot.read(path, decimal=".").notes[0])
    assert main(["fit", str(path), "--decimal", ","]) == 0
    assert re.search(r"x\*\*2 \+ y\*\*2 = (9000000|9\.000e\+6) ", capsys.readouterr().out)


def test_what_is_left_out_is_warned_of_where_nobody_reads_notes(tmp_path):
    path = tmp_path / "other.csv"
    path.write_bytes(old_mac_with_other_columns()[1])
    with pytest.warns(ReadingNote, match="left out: column 'site' holds text such as 'north'; left out: column 'day' "
                                         "holds dates; left out: "
                                         "column 'id' numbers the rows; left out: column 'device' is 7 in every row") as told:
        ideal = symknot.fit(path)
    assert ideal.names == ("x", "y") and told[0].filename == __file__
    np.testing.assert_array_equal(ideal.evaluate(path), ideal.evaluate(symknot.read(path)))


# ----------------------------------------------------------------------------------------------------------------- runs

T = np.linspace(0, 6, 150)
WAVES = [a * np.c_[np.cos(2 * T), -2 * np.sin(2 * T)] + 0.01 * np.random.default_rng(k).normal(size=(len(T), 2))
         for k, a in enumerate((1.0, 1.5))]
MOTION = {"x'": "v", "v'": "-4*x"}


def motion_of(model):
    return {name: str(side) for name, side in model.exact_right_hand_sides.items()}


def rows_of_runs(moment, number=str):
    return [[f"r{k}", moment(t), number(x), number(v)] for k, wave in enumerate(WAVES) for t, (x, v) in zip(T, wave)]


def dated_runs():
    """Decimal commas, dates as time, runs by name, a text, in Latin-1."""
    start = pd.Timestamp("2024-03-01 12:00:00")
    rows = rows_of_runs(lambda t: f"{start + pd.Timedelta(seconds=t):%d.%m.%Y %H:%M:%S.%f}", comma)
    lines = ["Run;Date;x;v;Gerät"] + [";".join([*row, "Höhenmesser"]) for row in rows]
    notes = ["separator ';', encoding cp1252, decimal comma", "time is column 'Date'", "column 'Run' tells 2 runs apart",
             "times are in seconds since 2024-03-01T12:00:00", "left out: column 'Gerät' holds text"]
    return "runs.csv", "\n".join(lines).encode("latin-1"), notes


def counted_runs():
    """Tabs, time with a unit, numbered runs and rows."""
    rows = rows_of_runs("{:.6f}".format)
    lines = ["\tgroup\ttime [s]\tx\tv"] + ["\t".join([str(k), row[0][1:], *row[1:]]) for k, row in enumerate(rows)]
    return "runs.tsv", "\n".join(lines).encode("utf-16-le"), ["time is column 'time [s]'", "column 'group' tells 2 runs apart",
                                                              "left out: column '1' numbers the rows"]


def parquet_runs():
    frame = pd.DataFrame(rows_of_runs(float, float), columns=["trial", "t", "x", "v"])
    file = io.BytesIO()
    frame.assign(t=pd.Timestamp(2024, 1, 1) + pd.to_timedelta(frame.t, unit="s")).to_parquet(file)
    return "runs.parquet", file.getvalue(), ["time is column 't'", "column 'trial' tells 2 runs apart",
                                             "times are in seconds since 2024-01-01T00:00:00"]


@pytest.fixture(params=[dated_runs, counted_runs, parquet_runs], ids=lambda make: make.__name__)
def runs(request, tmp_path):
    name, content, notes = request.param()
    (tmp_path / name).write_bytes(content)
    return tmp_path / name, notes


def test_runs_are_read_right(runs):
    path, notes = runs
    found = symknot.Trajectories(path)
    assert len(found) == 2 and found.names == ("x", "v")
    for note in notes:
        assert any(note in line for line in found.notes), found.notes
    np.testing.assert_allclose(found.runs[1].times, T, atol=2e-6)
    np.testing.assert_allclose(found.runs[1].states, WAVES[1], atol=2e-6)
    with pytest.warns(ReadingNote, match="time is column"):
        assert motion_of(symknot.identify(path, 1)) == MOTION
    with pytest.warns(ReadingNote, match="runs apart"):
        assert len(symknot.conserved(path).invariants) == 1


def test_the_command_line_reads_runs_and_says_how(runs, capsys):
    path, notes = runs
    assert main(["identify", str(path), "--max-degree", "1"]) == 0
    captured = capsys.readouterr()
    assert captured.out == f"{symknot.identify(symknot.Trajectories(path), 1)}\n"
    assert all(note in captured.err for note in notes)


def runs_file(tmp_path, header, rows):
    path = tmp_path / "runs.csv"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def test_time_is_taken_by_name_or_told(tmp_path):
    path = runs_file(tmp_path, "T,x", [f"{k / 2},{k * k}" for k in range(20)])
    runs = symknot.Trajectories(path)
    assert runs.time_name == "T" and runs.names == ("x",) and runs.notes == ("time is column 'T'",)
    runs = symknot.Trajectories(path, 0.1)
    assert runs.names == ("T", "x") and runs.notes == ("column 'T' is taken as a state, since the time was given",)
    path = runs_file(tmp_path, "T,x", [f"{np.sin(k)},{k * k}" for k in range(20)])
    assert symknot.Trajectories(path).notes == ("column 'T' is taken as a state, since its values do not increase",)
    path = runs_file(tmp_path, "t,x", [f"{np.sin(k)},{k * k}" for k in range(20)])
    with pytest.raises(InvalidPoints, match="runs.csv: line 5, column 't': times must increase"):
        symknot.Trajectories(path)
    path = runs_file(tmp_path, "date,t,x", [f"2024-01-{k + 1:02},{k},{k * k}" for k in range(20)])
    assert symknot.Trajectories(path).notes == ("read " + str(path) + ": 20 rows, 2 of 3 columns", "time is column 't'",
                                                "left out: column 'date' holds dates")
    assert symknot.Trajectories(path, "date").names == ("t", "x")
    frame = pd.DataFrame({"time": T, "x": WAVES[0][:, 0]})
    with pytest.warns(ReadingNote, match="time is column 'time'"):
        model = symknot.identify(frame, 1, order=2)
    assert str(model.exact_right_hand_sides["x''"]) == "-4*x"


def test_columns_that_are_no_labels_are_states(tmp_path):
    path = runs_file(tmp_path, "t,run,x", [f"{k},{k * k},{k % 5}" for k in range(20)])
    assert symknot.Trajectories(path).names == ("run", "x")


@pytest.mark.parametrize("dates, values, note", [
    (["2024-02-28", "2024-03-01", "2024-03-02"], [0, 2, 3], "times are in days since 2024-02-28"),
    (["13/01/2024", "01/02/2024", "02/02/2024"], [0, 19, 20], "times are in days since 2024-01-13"),
    (["1/30/2024", "1/31/2024", "2/1/2024"], [0, 1, 2], "times are in days since 2024-01-30"),
    (["2024-01-01T00:00:00Z", "2024-01-01T01:30:00+01:00", "2024-01-01T01:00:00.5Z"], [0, 1800, 3600.5],
     "times are in seconds since 2024-01-01T00:00:00"),
    (["09:59:59", "10:00:00.25", "10:01"], [35999, 36000.25, 36060], "times are in seconds since midnight"),
])
def test_dates_become_numbers(tmp_path, dates, values, note):
    path = runs_file(tmp_path, "time,x", [f"{date},{k * k}" for k, date in enumerate(dates)])
    runs = symknot.Trajectories(path)
    assert runs.runs[0].times.tolist() == values and note in runs.notes


@pytest.mark.parametrize("dates, message", [
    (["01/02/2024", "02/02/2024", "03/02/2024"], "runs.csv: line 2, column 'time': 01/02/2024 may begin with the day or with"),
    (["2024-01-01", "2024-02-30", "2024-03-01"], "runs.csv: line 3, column 'time': must be a date such as 2020-01-31.*02-30'"),
    (["2024-01-01", "", "2024-03-01"], "runs.csv: line 3, column 'time': the time is missing"),
])
def test_dates_that_cannot_be_read(tmp_path, dates, message):
    path = runs_file(tmp_path, "time,x", [f"{date},{k * k}" for k, date in enumerate(dates)])
    with pytest.raises(InvalidPoints, match=message):
        symknot.Trajectories(path)


def test_gaps_cut_runs_and_are_counted(tmp_path):
    path = runs_file(tmp_path, "t,x", [f"{k},{k * k if k not in (5, 9) else 'NA'}" for k in range(20)])
    for missing in (None, "drop"):
        runs = symknot.Trajectories(symknot.read(path, missing=missing))
        assert [len(run) for run in runs] == [5, 3, 10]
        assert any(note.startswith("runs are cut at 2 rows with missing values, lines 7, 11 (") for note in runs.notes)
    with pytest.raises(InvalidPoints, match="line 7, column 'x': a value is missing .2 rows"):
        symknot.Trajectories(symknot.read(path, missing="error"))


# ---------------------------------------------------------------------------------------------------- standard input


@pytest.mark.parametrize("make", [semicolons_and_decimal_commas, parquet, compressed_fortran], ids=lambda make: make.__name__)
def test_standard_input(make, tmp_path, monkeypatch, capsys):
    name, content, _, _ = make()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    (tmp_path / name).write_bytes(content)
    assert main(["fit", "-"]) == 0
    captured = capsys.readouterr()
    assert captured.out == f"{symknot.fit(symknot.read(tmp_path / name))}\n"
    assert "symknot: read standard input: " in captured.err


def test_standard_input_of_a_process():
    done = subprocess.run([sys.executable, "-m", "symknot.cli", "fit", "-"], input=parquet()[1], cwd=ROOT, capture_output=True,
                          timeout=300)
    assert done.returncode == 0 and done.stdout.startswith(b"x**2 + y**2 = 9")
    assert b"symknot: read standard input: " in done.stderr


# ------------------------------------------------------------------------------------------------------------- options


@pytest.fixture
def mixed(tmp_path):
    path = tmp_path / "mixed.csv"
    path.write_bytes(old_mac_with_other_columns()[1])
    return path


def test_columns_are_chosen_in_their_order(mixed, capsys):
    assert symknot.fit(symknot.read(mixed, columns=["y", "x"])).names == ("y", "x")
    assert symknot.fit(symknot.read(mixed, ignore=["site", "day", "id", "device"])).names == ("x", "y")
    assert symknot.read(mixed, ignore=["site", "day", "id", "device"]).notes == ()
    assert symknot.read(mixed, columns="x").columns == ("x",)
    assert main(["fit", str(mixed), "--columns", "y,x"]) == 0
    assert capsys.readouterr() == (f"{symknot.fit(symknot.read(mixed, columns=['y', 'x']))}\n", "")


def test_columns_asked_for_are_taken_or_refused_by_name(mixed, capsys):
    ideal = symknot.fit(symknot.read(mixed, columns=["x", "y", "device"]))
    assert ideal.names == ("x", "y", "device") and min(g.degree for g in ideal.polynomials) == 1
    assert symknot.read(mixed, columns=["id", "x"]).notes == ()
    for name, what in (("site", "holds text such as 'north'"), ("day", "holds dates such as 2024-01-01")):
        with pytest.raises(InvalidPoints, match=f"mixed.csv: line 2, column '{name}': {what}, not numbers, but was asked for"):
            symknot.fit(symknot.read(mixed, columns=["x", name]))
        assert main(["spectrum", str(mixed), "--columns", f"x,{name}"]) == 2
        assert f"column '{name}': {what}" in capsys.readouterr().err


@pytest.mark.parametrize("options, message", [
    ({"columns": ["x", "z"]}, "columns must be one of the columns id, site, day, x, y, device of .*mixed.csv, got 'z'"),
    ({"columns": ["x", "x"]}, "columns must be different from each other"),
    ({"columns": []}, "columns must be such that a column is left"),
    ({"ignore": ["z"]}, "ignore must be one of the columns"),
    ({"ignore": ["x"], "columns": ["x", "y"]}, "ignore must be a column that columns does not ask for, got 'x'"),
    ({"sep": "::"}, "sep must be one character, or one of comma, semicolon, tab, pipe, space, got '::'"),
    ({"decimal": ";"}, "decimal must be '.' or ','"),
    ({"encoding": "klingon"}, "encoding must be the name of an encoding"),
    ({"missing": "guess"}, "missing must be one of drop, error"),
])
def test_wrong_options(mixed, options, message):
    with pytest.raises(InvalidOption, match=message):
        symknot.read(mixed, **options)


def test_text_options_are_for_text(tmp_path):
    name, content, _, _ = parquet()
    (tmp_path / name).write_bytes(content)
    for data in (tmp_path / name, RING):
        with pytest.raises(InvalidOption, match="sep must be left out: .*text file"):
            symknot.read(data, sep=";")


def test_told_is_told(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("1,234;5\n2,345;6\n", encoding="utf-8")
    with pytest.raises(InvalidPoints, match="a.csv: line 1, column '1': '1,234' may be 1234 or 1.234, and no other number"):
        symknot.read(path)
    assert symknot.read(path, decimal=",").numbers().tolist() == [[1.234, 5], [2.345, 6]]
    assert symknot.read(path, decimal=".").numbers().tolist() == [[1234, 5], [2345, 6]]
    assert symknot.read(path, sep=";", decimal="comma").numbers().tolist() == [[1.234, 5], [2.345, 6]]
    path.write_text("1:2\n3:4\n", encoding="utf-8")
    assert symknot.read(path, sep=":").numbers().tolist() == [[1, 2], [3, 4]]
    path.write_bytes("größe,y\n1,2\n".encode("cp850"))
    assert symknot.read(path, encoding="cp850").columns == ("größe", "y")
    with pytest.raises(InvalidPoints, match="a.csv: not in utf-8"):
        symknot.read(path, encoding="utf-8")


def test_options_of_every_command_that_reads(tmp_path, capsys):
    path = tmp_path / "runs.txt"
    path.write_bytes("\n".join(["when/x/v/c"] + [f"{comma(t)}/{comma(x)}/{comma(v)}/1" for t, (x, v) in zip(T, WAVES[0])]
                               ).encode("utf-16-be"))
    options = ["--sep", "/", "--decimal", ",", "--encoding", "utf-16-be", "--ignore", "c"]
    assert main(["identify", str(path), "--time", "when", "--max-degree", "1", *options]) == 0
    assert "v' = -4*x" in capsys.readouterr().out
    assert main(["identify", str(path), "--time", "when", "--max-degree", "1", "--columns", "x,v", *options[:-2]]) == 0
    assert "v' = -4*x" in capsys.readouterr().out
    for command in ("fit", "spectrum"):
        assert main([command, str(path), "--columns", "x,v", *options[:-2]]) == 0
        assert "read " + str(path) in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["fit", str(path), "--missing", "maybe"])


@pytest.mark.parametrize("package, make, extra", [("pyarrow", parquet, "tables"), ("pyarrow", feather, "tables"),
                                                  ("openpyxl", sheet, "excel")])
def test_a_missing_package_is_named_with_its_extra(tmp_path, monkeypatch, package, make, extra):
    name, content, _, _ = make()
    (tmp_path / name).write_bytes(content)
    for module in (package, "pyarrow.parquet", "pyarrow.feather"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=rf'needs {package}: pip install "symknot\[{extra}\]"'):
        symknot.fit(tmp_path / name)


@pytest.mark.parametrize("blank", [0, 1, 50, 51, 500])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_blank_lines_before_the_table_are_left_out_however_many(blank, end, tmp_path):
    """With more of them than the lines that are looked at first there was an IndexError."""
    path = tmp_path / "blank.csv"
    for rows, names in ((["x,y", "1,2", "3,4"], ("x", "y")), (["1;2", "3;4"], None), (['"x","y"', "1,2", "3,4"], ("x", "y"))):
        path.write_bytes(end.join([""] * blank + rows).encode())
        table = symknot.read(path)
        assert table.names == names and table.numbers().tolist() == [[1, 2], [3, 4]]
        assert list(table.lines) == [blank + len(rows) - 1, blank + len(rows)]
    path.write_bytes((end * blank).encode())
    with pytest.raises(InvalidPoints, match="is empty"):
        symknot.read(path)
