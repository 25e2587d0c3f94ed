"""The command from a saved result to a picture: ``plot``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from .common import add_model, check_destination, opened, unable
from .registry import Answer, Written, command

KINDS = ("shape", "residuals", "spectrum", "time", "phase")
"""Kinds of pictures of any result: the first three of points, the others of runs."""


def _arguments_of_plot(parser: ArgumentParser) -> None:
    add_model(parser)
    parser.add_argument("-o", "--output", type=Path, metavar="PICTURE",
                        help="where the picture goes; the suffix decides the format (default: MODEL.png, beside the model)")
    parser.add_argument("--kind", choices=KINDS,
                        help="of points: shape (the default), residuals, spectrum; of runs: time (the default), phase")
    parser.add_argument("--points", type=Path, metavar="DATA.csv", help="the data, to be drawn too: a fit does not keep them")
    parser.add_argument("--arrows", action="store_true", help="an arrow from each data point to its knot")


@command("plot", help="draw a saved result", arguments=_arguments_of_plot, json=True)
def run_plot(arguments: Namespace) -> Answer:
    """Draw a saved result of any kind, and say where the picture is."""
    from ..results.drawn import Drawn
    from ..showing.pictures import checked_format
    output = arguments.model.with_suffix(".png") if arguments.output is None else arguments.output
    check_destination(output, arguments.model, "model")
    checked_format(output)
    result = opened(arguments.model)
    options: dict[str, Any] = {} if arguments.kind is None else {"kind": arguments.kind}
    if isinstance(result, Drawn):
        options |= {"points": arguments.points, "arrows": arguments.arrows}
    elif arguments.points is not None or arguments.arrows:
        given = "--points" if arguments.points is not None else "--arrows"
        raise unable(arguments.model, result, f"be drawn with {given}: it keeps its runs, and draws them")
    told = {"kind": "Picture", "of": type(result).__name__}
    return Answer(None, told, files=(Written(output, lambda path: result.plot(path=path, **options), "picture saved as"),))
