"""Time and peak memory of points that are read in blocks: in memory, memory map, Parquet, a function, dask.

    python -m tests.benchmarks.streams                      # noisy spheres, 1e6 points in 3 variables, vca to degree 3
    python -m tests.benchmarks.streams --points 1e7 --variables 5 --sources function memmap
    python -m tests.benchmarks.streams --points 1e8 --variables 2 --degree 2 --sources function
    python -m tests.benchmarks.streams --what fit

Each line is a fresh process.  Columns: seconds of wall clock and of this process's CPU in the call alone; peak memory of
the whole process (`ru_maxrss`), of which importing takes 0.1 GB; CPU seconds that making (or reading) the blocks once
takes by itself, from the first 30 of them in the same process; the number of readings; the radius that was found,
against 1.  Points are made block by block from seeds, on the unit sphere with normal noise of 0.01; files are written
first, not counted, into a temporary folder that is removed.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np

ROWS = 2**16
FIRST_BLOCKS = 30
NOISE = 0.01
SOURCES = ("memory", "memmap", "parquet", "function", "dask")


def block(number, rows, d):
    """Points of one block, the same every time."""
    rng = np.random.default_rng(number)
    X = rng.normal(size=(rows, d))
    X /= np.linalg.norm(X, axis=1)[:, None]
    X += NOISE * rng.normal(size=(rows, d))
    return X


def sizes(count):
    return [min(ROWS, count - start) for start in range(0, count, ROWS)]


def made(count, d):
    return (block(number, rows, d) for number, rows in enumerate(sizes(count)))


def source(kind, count, d, folder):
    """The points as the door gets them, and a function that reads them once."""
    if kind == "memory":
        X = np.concatenate(list(made(count, d)))
        return X, lambda: [X]
    if kind == "memmap":
        X = np.load(folder / "points.npy", mmap_mode="r")
        return X, lambda: (np.array(X[i:i + ROWS]) for i in range(0, count, ROWS))
    if kind == "parquet":
        import pyarrow.parquet
        file = pyarrow.parquet.ParquetFile(folder / "points.parquet")
        return folder / "points.parquet", lambda: (file.read_row_group(i) for i in range(file.num_row_groups))
    if kind == "dask":
        import dask
        import dask.array
        blocks = [dask.array.from_delayed(dask.delayed(block)(number, rows, d), (rows, d), float)
                  for number, rows in enumerate(sizes(count))]
        return dask.array.concatenate(blocks), lambda: made(count, d)
    return partial(made, count, d), lambda: made(count, d)


def write(folder, count, d, kinds):
    """The files that are read, written block by block."""
    if "memmap" in kinds:
        with open(folder / "points.npy", "wb") as file:
            np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": (count, d)})
            for values in made(count, d):
                file.write(values.tobytes())
    if "parquet" in kinds:
        import pyarrow
        import pyarrow.parquet
        names = [f"x{j}" for j in range(d)]
        schema = pyarrow.schema([(name, pyarrow.float64()) for name in names])
        with pyarrow.parquet.ParquetWriter(folder / "points.parquet", schema) as writer:
            for values in made(count, d):
                writer.write_table(pyarrow.table(dict(zip(names, values.T)), schema))


def measured(kind, options, folder):
    """One line of the table, of this process."""
    import symknot
    count, d = int(options.points), options.variables
    data, read = source(kind, count, d, folder)
    began, seen = time.process_time(), 0
    for one in islice(read(), FIRST_BLOCKS):
        seen += len(one)
    reading = (time.process_time() - began) * count / seen
    told = []
    # forced: files of a benchmark may be small
    extra = {"progress": told.append, "knots": None if kind == "memory" else "summary", "max_degree": options.degree}
    wall, cpu = time.perf_counter(), time.process_time()
    if options.what == "vca":
        ideal = symknot.vca(data, 2 * NOISE, **extra)
    else:
        ideal = symknot.fit(data, 2 * NOISE, **extra)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    terms = ideal.polynomials[0].terms
    radius = np.sqrt(-float(terms[(0,) * d] / terms[(2,) + (0,) * (d - 1)]))
    readings = max([step.number for step in told if hasattr(step, "done")], default=0)
    print(f"{kind:9s} {options.what:4s} {count:11,d} {d:3d} {options.degree:3d} {wall:9.1f} {cpu:9.1f} {peak:8.2f} "
          f"{reading:9.1f} {readings:6d} {radius:9.6f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=float, default=1e6)
    parser.add_argument("--variables", type=int, default=3)
    parser.add_argument("--degree", type=int, default=3)
    parser.add_argument("--what", choices=("vca", "fit"), default="vca")
    parser.add_argument("--sources", nargs="+", choices=SOURCES, default=SOURCES)
    parser.add_argument("--one", nargs=2, metavar=("SOURCE", "FOLDER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        measured(options.one[0], options, Path(options.one[1]))
        return
    print("source    what      points   d deg   wall s     cpu s  peak GB reading s  times    radius", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), int(options.points), options.variables, options.sources)
        for kind in options.sources:
            subprocess.run([sys.executable, "-m", "tests.benchmarks.streams", *sys.argv[1:], "--one", kind, folder], check=True)


if __name__ == "__main__":
    main()
