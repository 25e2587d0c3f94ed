"""Certificates changed at random, many of them: ``python -m tests.benchmarks.mutations --count 20000 --seed 1``.

Valid certificates of every kind of statement get one to three changes each.  The checker must refuse what comes out, or what
it says must still be true, by a second computation that shares nothing with it (`tests.test_certificate_mutations`).  Prints
how many were refused, how many were accepted and true, by the kinds of statement of the certificate, and the first that was
accepted though false.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter

from tests.test_certificate_mutations import accepted, mutated, originals, true


def main() -> None:
    """Run the attack and print a table, also of what is done when it is interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance, contents = random.Random(options.seed), [certificate.to_json() for certificate in originals()]
    kinds = [" + ".join(sorted({statement["kind"] for statement in content["statements"]})) for content in contents]
    counts: Counter[tuple[str, str]] = Counter()
    false, began, done = [], time.process_time(), 0
    try:
        for done in range(1, options.count + 1):
            place = (done - 1) % len(contents)
            content = mutated(contents[place], chance)
            if not accepted(content):
                counts[kinds[place], "refused"] += 1
            elif all(true(content, statement) for statement in content["statements"]):
                counts[kinds[place], "true"] += 1
            else:
                counts[kinds[place], "false"] += 1
                false.append(content)
    except KeyboardInterrupt:
        print("interrupted")
    print(f"{done} mutations, seed {options.seed}, {time.process_time() - began:.0f} CPU s\n")
    print("| certificate of | refused | accepted and true | accepted and FALSE |\n|---|---|---|---|")
    for kind in kinds:
        print(f"| {kind} | {' | '.join(str(counts[kind, end]) for end in ('refused', 'true', 'false'))} |")
    if false:
        print(json.dumps(false[0]))


if __name__ == "__main__":
    main()
