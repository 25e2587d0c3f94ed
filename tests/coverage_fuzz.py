"""Readers attacked by a fuzzer that follows the code: whatever the bytes, a result or an error of this package.

    pip install atheris                                                    # for Linux; not part of the extra `test`
    python -m tests.coverage_fuzz certificate -max_total_time=600          # or: text, model
    python -m tests.coverage_fuzz text -max_total_time=600 -seed=1 folder  # goes on from what the folder has, and adds to it

Two in three changes to JSON are made to its entries, so that what comes after the syntax is reached; the others to its bytes.
What comes after the reader's name goes to libFuzzer.  Without a folder it begins with small valid files.  An exception of
another kind, more than 30 s for one file or more than 2 GB end the run, and the bytes are left in a file `crash-...`.
"""

from __future__ import annotations

import importlib
import json
import os
import random
import sys
import tempfile
import warnings
from pathlib import Path

TEXTS = (b"x,y\n1,2\n3,4\n", b"a;b\n1,5;2\n# c\n3;4,25\n", b"t\tx\n2024-01-01\t1e5\n2024-01-02\tNA\n",
         "ä,b\n1,2\n".encode("utf-16"))
FOLLOWED = ("symknot.exact.verify", "symknot.reading.sources", "symknot.results.ideal", "symknot.results.exact_ideal",
            "symknot.results.points_ideal", "symknot.family.generators", "symknot.sysid.motion.files",
            "symknot.sysid.invariants.files", "symknot.opening")
"""Where the fuzzer sees which branches were taken, with all that these import."""


def certificate(content: bytes, _: Path) -> None:
    """`verify.py`, which stands alone."""
    from symknot.exact import verify
    try:
        findings = verify.check_text(content)
    except verify.Unreadable:
        return
    assert all(isinstance(finding.holds, bool) for finding in findings)


def text(content: bytes, folder: Path) -> None:
    """Tables from text files."""
    import symknot
    path = folder / "data.csv"
    path.write_bytes(content)
    try:
        table = symknot.read(path)
    except symknot.SymknotError:
        return
    assert table.count >= 0 and len(set(table.columns)) == table.width


def model(content: bytes, folder: Path) -> None:
    """Saved results: what loads can be printed and checked, or is refused in words."""
    import numpy as np

    import symknot
    path = folder / "model.json"
    path.write_bytes(content)
    try:
        result = symknot.load(path)
        with np.errstate(all="ignore"):
            assert isinstance(str(result), str) and len(result.exprs) == len(result.polynomials)
            result.check()
    except symknot.SymknotError:
        return


def changed(content: bytes, seed: int) -> bytes | None:
    """Valid JSON with one to three changes to its entries, or none in one case of three; None of anything else."""
    from tests.test_certificate_mutations import mutated
    chance = random.Random(seed)
    try:
        whole = json.loads(content)
        return json.dumps(mutated(whole, chance)).encode() if chance.randrange(3) else None
    except (ValueError, IndexError, RecursionError):          # no JSON, or nothing in it
        return None


READERS = {reader.__name__: reader for reader in (certificate, text, model)}


def seeds(reader: str, folder: Path) -> None:
    """Small valid files to begin with."""
    import symknot
    exact = symknot.vca([[0, 0], [1, 0], [0, 1]], 1e-8, names=["x", "y"])
    if reader == "text":
        contents = list(TEXTS)
    elif reader == "certificate":
        from tests.test_certificate_mutations import originals
        contents = [json.dumps(one.to_json()).encode() for one in (exact.exact().certificate, *originals())]
    else:
        contents = []
        runs = [[[1, 0], [0, -1], [-1, 0], [0, 1], [1, 0]], [[2, 0], [0, -2], [-2, 0], [0, 2], [2, 0]]]
        results = (exact, exact.readable(), exact.exact(), symknot.points_ideal([(0, 0), (1, 0)], ["x", "y"]),
                   symknot.family.abm([[0, 0], [1, 0], [0, 1]], 0.1, max_degree=2), symknot.identify(runs, 1, kind="map"),
                   symknot.conserved(runs, kind="map"))
        for number, result in enumerate(results):
            result.save(folder / f"{number}.json")
        return
    for number, content in enumerate(contents):
        (folder / str(number)).write_bytes(content)


def main() -> None:
    """Run the fuzzer on one reader."""
    if len(sys.argv) < 2 or sys.argv[1] not in READERS:
        raise SystemExit(f"Need a reader: one of {', '.join(READERS)}")
    import atheris
    reader, options = sys.argv[1], sys.argv[2:]
    with atheris.instrument_imports(include=["symknot.reading", "symknot.results", "symknot.exact", "symknot.ground.storage",
                                             "symknot.family.generators", "symknot.sysid", "symknot.opening"]):
        for name in FOLLOWED:                                # each before anything else imports it
            importlib.import_module(name)
    warnings.simplefilter("ignore")                          # notes about what was left out
    folder = Path(tempfile.mkdtemp())
    if all(option.startswith("-") for option in options):
        corpus = folder / "corpus"
        corpus.mkdir()
        seeds(reader, corpus)
        options.append(os.fspath(corpus))

    def other(content: bytes, most: int, seed: int) -> bytes:
        found = None if reader == "text" else changed(content, seed)
        return atheris.Mutate(content, most) if found is None or len(found) > most else found

    atheris.Setup([sys.argv[0], "-timeout=30", "-rss_limit_mb=2048", "-max_len=65536", *options],
                  lambda content: READERS[reader](content, folder), custom_mutator=other)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
