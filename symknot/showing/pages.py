"""A report as one page that needs nothing else: text, tables, formulas and interactive views in a single file.

plotly.js (extra ``report``) is inside of the page.  Whatever comes from users, names and titles above all, is escaped: in text
as HTML, inside of scripts as JSON without a single ``<``.  The page itself forbids its browser to load anything and to run
any script but its own two (a content security policy with their hashes).
"""

from __future__ import annotations

import json
import os
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from html import escape
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from ..ground.errors import InvalidOption, MissingExtra
from ..ground.storage import write_atomically
from .figures import CAMERA, PALETTES, View

SUFFIXES = (".html", ".htm")
"""Of the files that pages are written to."""
CHOSEN = 3
"""Variables that a view of more than three shows at first: a convention."""


class Section(NamedTuple):
    """A part of a page: its heading, and pieces of HTML and views."""

    title: str
    parts: Sequence[str | View]


class Page(NamedTuple):
    """What a page holds.

    Attributes
    ----------
    title : str
    head : str
        HTML below the title.
    sections : sequence of Section
    texts : mapping
        What the copy buttons copy, by name.
    foot : str
        HTML at the end.
    """

    title: str
    head: str
    sections: Sequence[Section]
    texts: Mapping[str, str]
    foot: str = ""


def checked_page(path: str | os.PathLike[str], option: str = "path") -> Path:
    """The path of a page, which must say that it is one; complains if plotly is missing.  `option` is who gave it."""
    if Path(path).suffix.lower() not in SUFFIXES:
        raise InvalidOption(option, str(path), f"the name of a page, which ends in {' or '.join(SUFFIXES)}")
    _plotly_script()
    return Path(path)


def write_page(path: str | os.PathLike[str], page: Page) -> Path:
    """Write a page, whole or not at all."""
    path = checked_page(path)
    write_atomically(path, page_html(page))
    return path


def page_html(page: Page) -> str:
    """The page as text."""
    views: list[View] = []
    body = "\n".join(_section(section, views) for section in page.sections)
    content = {"views": [_view_json(number, view) for number, view in enumerate(views)], "texts": dict(page.texts),
               "palettes": PALETTES, "camera": CAMERA}
    scripts = [_plotly_script(), _shipped("page.js")]
    hashes = " ".join(f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts)
    # plotly.js compiles what it draws in space, which browsers call eval
    policy = (f"default-src 'none'; script-src {hashes} 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:; "
              "base-uri 'none'; form-action 'none'")
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="symknot">
<title>{escape(page.title)}</title>
<style>
{_shipped("page.css")}</style>
</head>
<body>
<main>
<header>
<h1>{escape(page.title)}</h1>
{page.head}
</header>
{body}
<footer>{page.foot}</footer>
</main>
<script type="application/json" id="content">{script_json(content)}</script>
{"".join(f"<script>{script}</script>" for script in scripts)}
</body>
</html>
"""


def script_json(content: object) -> str:
    """JSON that can stand inside of a script element: nothing in it ends or begins an element.

    Examples
    --------
    >>> script_json({"name": "</script>"})
    '{"name":"\\\\u003c/script\\\\u003e"}'
    """
    text = json.dumps(content, allow_nan=False, separators=(",", ":"))          # ASCII, so without odd line ends
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def table_html(head: Sequence[str], rows: Iterable[Sequence[str]], words: Sequence[int] = (0,)) -> str:
    """A table of cells that are HTML already; columns in `words` hold text, the others numbers."""
    def line(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f'<{tag} class="words">{cell}</{tag}>' if k in words else f"<{tag}>{cell}</{tag}>"
                                for k, cell in enumerate(cells)) + "</tr>"

    body = "".join(line(row, "td") for row in rows)
    return f'<div class="scroll"><table><thead>{line(head, "th")}</thead><tbody>{body}</tbody></table></div>'


def paragraphs(lines: Iterable[str], kind: str = "") -> str:
    """Lines of plain text as paragraphs."""
    return "".join(f'<p class="{kind}">{escape(line)}</p>' if kind else f"<p>{escape(line)}</p>" for line in lines if line)


def copy_buttons(labels: Mapping[str, str]) -> str:
    """A row of buttons; name of a text -> what the button says."""
    buttons = "".join(f'<button type="button" data-copy="{escape(name)}">{escape(label)}</button>'
                      for name, label in labels.items())
    return f'<div class="buttons"><span class="soft">copy</span>{buttons}</div>' if buttons else ""


def _section(section: Section, views: list[View]) -> str:
    parts = []
    for part in section.parts:
        if isinstance(part, str):
            parts.append(part)
        else:
            parts.append(_place(len(views), part))
            views.append(part)
    return f"<section>\n<h2>{escape(section.title)}</h2>\n{''.join(parts)}\n</section>"


def _place(number: int, view: View) -> str:
    """Where a view is drawn, below the choice of its axes."""
    choices = ""
    for axis in range(CHOSEN if view.names else 0):
        none = '<option value="-1">none</option>' if axis == CHOSEN - 1 else ""
        options = "".join(f'<option value="{k}"{" selected" * (k == axis)}>{escape(name)}</option>'
                          for k, name in enumerate(view.names))
        choices += f'<label>{"xyz"[axis]}<select data-view="view{number}">{options}{none}</select></label>'
    above = f'<div class="choices">{choices}</div>' if choices else ""
    height = view.figure["layout"]["height"]
    return f'{above}<div class="view" id="view{number}" style="min-height:{int(height)}px"></div>'


def _view_json(number: int, view: View) -> dict:
    content = {"id": f"view{number}", "figure": view.figure}
    return {**content, "names": list(view.names), "logarithmic": view.logarithmic} if view.names else content


def _shipped(name: str) -> str:
    return (resources.files("symknot") / "showing" / name).read_text(encoding="utf-8")


def _plotly_script() -> str:
    try:
        from plotly.offline import get_plotlyjs
    except ModuleNotFoundError as error:
        raise MissingExtra("plotly", "report") from error
    return get_plotlyjs()
