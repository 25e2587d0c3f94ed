"""Makes the gallery: runs every script of docs/examples, keeps what it prints and the picture it draws.

    python docs/make_gallery.py [NAME ...]

Needs the extras `plot` and `examples`, and Singular (`symknot engines install`).  Pictures and texts go to docs/gallery,
the page that shows them is docs/gallery.md.  The tests run the examples too, and compare what is kept here with what
they print.
"""

import argparse
import ast
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

DOCS = Path(__file__).resolve().parent
EXAMPLES = sorted((DOCS / "examples").glob("*.py"))
KEPT = DOCS / "gallery"
WIDTH, COLOURS = 800, 64
"""Of a picture that is kept, in pixels and in number: conventions, small enough for a repository.  Colours are chosen by
coverage, so that those of thin lines stay apart."""

TITLES = {
    "how_a_fit_is_read": "How a fit is read",
    "choosing_epsilon": "Choosing epsilon",
    "uneven_noise": "Uneven noise",
    "blobs_and_knots": "Blobs and knots",
    "twisted_cubic": "The twisted cubic",
    "exact_points": "Exact points",
    "from_noise_to_singular": "From noise to Singular",
    "flow_lorenz": "Lorenz's flow",
    "map_henon": "Hénon's map",
    "pendulum_dae": "A pendulum with constraints",
    "rational_kinetics": "How an enzyme works",
    "invariants_of_mars": "What Mars keeps",
}
"""Scripts in the order in which the page shows them, with their headings."""

HEAD = """# Gallery

Each picture is drawn by the script below it, and each text is what the script prints. To run one:
`python docs/examples/flow_lorenz.py` in a checkout; some need the extra `examples` or Singular
(`symknot engines install`). `python docs/make_gallery.py` makes this page anew.
"""


def summary(script: Path) -> str:
    """The first sentence of a script's docstring."""
    return (ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or "").split("\n\n")[0].replace("\n", " ")


def section(script: Path) -> str:
    """What the page says about one script."""
    name = script.stem
    return f"""
## {TITLES[name]}

{summary(script)}

![what {name}.py draws](gallery/{name}.png)

<details>
<summary>The script: <code>docs/examples/{name}.py</code></summary>

```{{literalinclude}} examples/{name}.py
:language: python
```

</details>

It prints

```{{literalinclude}} gallery/{name}.txt
:language: text
```
"""


def page() -> str:
    """The page of the gallery."""
    return HEAD + "".join(map(section, sorted(EXAMPLES, key=lambda script: [*TITLES].index(script.stem))))


def run(script: Path) -> None:
    """Run one script in a folder of its own, and keep its text and its picture."""
    with tempfile.TemporaryDirectory() as folder:
        where = {**os.environ, "PYTHONPATH": str(DOCS.parent), "MPLBACKEND": "agg"}
        done = subprocess.run([sys.executable, str(script)], cwd=folder, env=where, stdout=subprocess.PIPE, text=True,
                              check=True)
        with Image.open(Path(folder) / f"{script.stem}.png") as picture:
            size = WIDTH, round(WIDTH * picture.height / picture.width)
            small = picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)
        small.quantize(COLOURS, Image.Quantize.MAXCOVERAGE).save(KEPT / f"{script.stem}.png", optimize=True)
    (KEPT / f"{script.stem}.txt").write_text(done.stdout, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Run the examples; keep their texts and pictures for the gallery.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these scripts, without .py")
    names = parser.parse_args().names
    unknown = set(names) - {script.stem for script in EXAMPLES}
    if unknown:
        parser.error(f"no such script in docs/examples: {', '.join(sorted(unknown))}")
    KEPT.mkdir(exist_ok=True)
    for script in EXAMPLES:
        if not names or script.stem in names:
            print(script.stem, flush=True)
            run(script)
    (DOCS / "gallery.md").write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
