"""Views of equations and points: data, the sets on which equations vanish, and the knots, with values at the pointer.

Two variables are a plane, three a space that can be turned; of more the reader chooses two or three.  Zero sets are the same
as in pictures: curves are followed, surfaces are meshes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ground.wording import counted
from .curves import curves, grid_of_starts
from .figures import (
    ABOVE_MARKS,
    MOST_KNOTS,
    MOST_POINTS,
    View,
    curve_role,
    dash,
    data_trace,
    in_columns,
    joined,
    legend_text,
    numbers,
    placed,
    space,
    thinned,
    titled,
)
from .marks import NAMED_EQUATIONS
from .pair_pictures import variety_of
from .plane_pictures import is_comparable, zeros_on_line
from .scene import Scene
from .space_pictures import zeros_to_draw
from .style import KNOT_SIZE, knot_sizes
from .surfaces import surface
from .zero_sets import ZeroSet, square_free

VANISH = "where the equations vanish"
"""What the legend calls the common zeros of several equations."""
HEIGHT = 540
"""Of a view, in pixels: a convention, most of a screen."""
IN_SPACE = 0.65
"""Size of marks in space, times that in a plane: so they look alike."""
LINE_HEIGHT = 220
"""Of one with a single variable."""
SURFACE_OPACITY = 0.45
"""So that points behind a surface are seen: a convention."""
LIGHT = {"ambient": 0.75, "diffuse": 0.5, "specular": 0.1, "roughness": 0.9}
"""On surfaces: soft, a convention."""


def shape_view(scene: Scene) -> tuple[View, list[str]]:
    """The view of a scene, and sentences about what it does not show."""
    seen = scene.in_logarithms() if scene.logarithmic and scene.dimension == 3 else scene
    marks, words = _marks(seen)
    if scene.dimension == 1:
        return _line(scene, marks), words
    if scene.dimension == 2:
        return _plane(scene, marks), words
    if scene.dimension == 3:
        return _space(seen, scene, [(points, _smaller(options)) for points, options in marks]), words
    pieces, cloud = variety_of(scene)
    traces = [in_columns(points, **_smaller(options)) for points, options in marks]
    if pieces:
        traces.insert(0, in_columns(joined(pieces, scene.dimension), mode="lines", name=VANISH,
                                    line={"color": curve_role(0), "width": 3}))
    elif len(cloud):
        kept = thinned(np.ones(len(cloud)), MOST_POINTS, "").rows
        traces.insert(0, in_columns(cloud[kept], mode="markers", name=VANISH,
                                    marker={"color": curve_role(0), "size": 2, "opacity": 0.5}))
    return View({"data": traces, "layout": _layout(HEIGHT)}, scene.names, scene.logarithmic), words


def _marks(scene: Scene) -> tuple[list[tuple[np.ndarray, dict[str, Any]]], list[str]]:
    """Points of each kind with how they are drawn, and sentences about those that are not."""
    marks: list[tuple[np.ndarray, dict[str, Any]]] = []
    words = []
    rows = np.flatnonzero(~scene.is_outlier)
    if len(rows):
        kept = thinned(np.ones(len(rows)), MOST_POINTS, "data points")
        words.append(kept.words)
        marks.append((scene.data[rows[kept.rows]], data_trace(rows[kept.rows])))
    if len(scene.knots) and scene.equations:
        kept = thinned(scene.weights, MOST_KNOTS, "knots")
        words.append(kept.words)
        weights = scene.weights[kept.rows]
        sizes = numbers(1.4 * knot_sizes(scene.weights)[kept.rows])
        flat = len(set(sizes)) == 1
        marks.append((scene.knots[kept.rows], {
            "mode": "markers", "name": "knots", "customdata": numbers(weights), "hover": "knot for %{customdata} point(s)",
            "marker": {"symbol": "circle-open", "color": "@knot", "size": sizes[0] if flat else sizes, "line": {"width": 1}}}))
    outliers = np.flatnonzero(scene.is_outlier)
    if len(outliers):
        lower, upper = scene.box
        spots = scene.placed(scene.data[outliers])
        inside = ((spots >= lower) & (spots <= upper)).all(axis=1)
        if not inside.all():
            words.append(f"{counted(int((~inside).sum()), 'outlier')} far outside {'is' if (~inside).sum() == 1 else 'are'} "
                         "not drawn.")
        marks.append((scene.data[outliers[inside]], {
            "mode": "markers", "name": "outliers", "customdata": outliers[inside].tolist(),
            "hover": "outlier, row %{customdata}", "marker": {"symbol": "x", "color": "@outlier", "size": KNOT_SIZE + 1}}))
    return marks, [sentence for sentence in words if sentence]


def _smaller(options: dict[str, Any]) -> dict[str, Any]:
    """Marks for space, where plotly.js draws them larger."""
    size = options["marker"]["size"]
    size = [IN_SPACE * one for one in size] if isinstance(size, list) else IN_SPACE * size
    return {**options, "marker": {**options["marker"], "size": size}}


def _layout(height: int) -> dict[str, Any]:
    return {"height": height, "margin": {"l": 10, "r": 10, "t": 45, "b": 10}, "hovermode": "closest", "legend": ABOVE_MARKS,
            "showlegend": True}


def _line(scene: Scene, marks: list) -> View:
    traces = [placed(np.c_[points, np.zeros(len(points))], scene.names, **options) for points, options in marks]
    for number, equation in enumerate(scene.equations[:NAMED_EQUATIONS]):
        places = zeros_on_line(equation, scene)
        line = joined([np.array([[place, -1.0], [place, 1.0]]) for place in places], 2)
        traces.insert(number, placed(line, scene.names, mode="lines", name=legend_text(equation, number),
                                     line={"color": curve_role(number), "dash": dash(number), "width": 2}))
    layout = _layout(LINE_HEIGHT)
    titled(layout, "xaxis", scene.names[0])
    layout["yaxis"] = {"visible": False, "range": [-1.5, 1.5], "fixedrange": True}
    return View({"data": traces, "layout": layout})


def _plane(scene: Scene, marks: list) -> View:
    traces = []
    flat = scene.in_logarithms() if scene.logarithmic else scene
    for number, (equation, shown) in enumerate(zip(scene.equations[:NAMED_EQUATIONS], flat.equations)):
        zeros = flat.zero_set([square_free(shown.terms)])
        line = joined([zeros.out(piece) for piece in curves(zeros, np.vstack([zeros.knots, grid_of_starts(2)]))], 2)
        line = 10.0**line if scene.logarithmic else line
        remark = "" if len(line) else " (no zero here)"
        traces.append(placed(line, scene.names, mode="lines", name=legend_text(equation, number) + remark,
                             line={"color": curve_role(number), "dash": dash(number), "width": 2.2}))
    traces += [placed(points, scene.names, **options) for points, options in marks]
    layout, (lower, upper) = _layout(HEIGHT), scene.box
    for place, letter in enumerate("xy"):
        titled(layout, f"{letter}axis", scene.names[place])
        layout[f"{letter}axis"]["range"] = numbers([lower[place], upper[place]])     # of logarithms where axes are
        if scene.logarithmic:
            layout[f"{letter}axis"]["type"] = "log"
    if is_comparable(lower, upper) and not scene.logarithmic:
        layout["yaxis"]["scaleanchor"] = "x"
    return View({"data": traces, "layout": layout})


def _space(seen: Scene, scene: Scene, marks: list) -> View:
    """Of three variables; `seen` has logarithms where the laws are linear in them."""
    surfaces, curve, _ = zeros_to_draw(seen, [equation.terms for equation in seen.equations])
    named = [legend_text(equation, number) for number, equation in enumerate(scene.equations)]
    traces: list[dict[str, Any]] = []
    for place in range(0 if surfaces is None else len(surfaces)):
        shared = len(surfaces) < len(named)                             # type: ignore[arg-type]
        traces += _meshes(surfaces, place, "surface" if shared else named[place], seen)
    if curve is not None:
        line = joined([curve.out(piece) for piece in curves(curve, np.vstack([curve.knots, grid_of_starts(3)]))], 3)
        traces.append(placed(line, seen.names, mode="lines", name=VANISH,
                             line={"color": curve_role(0), "width": 6}))
    traces += [placed(points, seen.names, **options) for points, options in marks]
    layout, (lower, upper) = _layout(HEIGHT + 60), seen.box
    layout["scene"] = space(seen.names, lower, upper, is_comparable(lower, upper))
    return View({"data": traces, "layout": layout})


def _meshes(zeros: ZeroSet | None, place: int, name: str, scene: Scene) -> list[dict[str, Any]]:
    """A surface as triangles; none if it does not pass through the box."""
    assert zeros is not None
    mesh = surface(zeros, place)
    if not len(mesh.faces):
        return []
    a, b, c, d = mesh.faces.T
    trace = placed(zeros.out(mesh.vertices), scene.names, name=name, color=curve_role(place), opacity=SURFACE_OPACITY,
                   showlegend=True, lighting=LIGHT, flatshading=False)
    corners = {"i": [*a.tolist(), *a.tolist()], "j": [*b.tolist(), *c.tolist()], "k": [*c.tolist(), *d.tolist()]}
    return [{**trace, "type": "mesh3d", **corners}]
