"""Small pictures for notebooks: lines, faces and dots as SVG inside of HTML, without matplotlib.

They have no ground of their own, and frame and letters have the colour of the text around them: so they suit a light notebook
as well as a dark one.  Three variables are seen from a fixed place, of more the first two are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import NamedTuple

import numpy as np

from .curves import curves, grid_of_starts
from .figures import CAMERA
from .marks import NAMED_EQUATIONS
from .pair_pictures import variety_of
from .plane_pictures import is_comparable, zeros_on_line
from .scene import Scene
from .space_pictures import LIGHT, zeros_to_draw
from .style import evenly
from .surfaces import surface
from .zero_sets import square_free

WIDTH, HEIGHT, MARGIN = 250, 190, 26
"""Of a picture and of the room for names in it, in pixels: conventions."""
COLOURS = ("#2b8fd6", "#d98f00", "#00a37a", "#cc79a7", "#56b4e9", "currentColor")
"""Of equations and runs: Okabe and Ito's in tones that are seen on white and on black."""
MOST_DOTS, MOST_LINE_POINTS = 60, 700
"""Knots, and points of a curve: so that a picture has some ten kilobytes.  Conventions."""
FACE_LINES, SHADES = 16, 5
"""Grid lines along each variable of a surface, and brightnesses of its faces: conventions."""
LONGEST_NAME = 22
"""Letters of a name at an axis: a convention, half of the picture's width."""


class Stroke(NamedTuple):
    """A line through points (n, k), NaN for gaps, and the number of its colour."""

    points: np.ndarray
    colour: int


class Drawing(NamedTuple):
    """What a small picture shows, in two or three variables.

    Attributes
    ----------
    names : sequence of str
    lower, upper : (k,) arrays
        Opposite corners.
    strokes : sequence of Stroke
    dots : (m, k) array
    faces : sequence of ((f, 4, 3) array, (f,) array)
        Corners and brightness, from 0 to 1, of the faces of each surface.
    """

    names: Sequence[str]
    lower: np.ndarray
    upper: np.ndarray
    strokes: Sequence[Stroke]
    dots: np.ndarray
    faces: Sequence[tuple[np.ndarray, np.ndarray]] = ()


def scene_svg(scene: Scene) -> str:
    """Equations and knots; nothing where there are neither."""
    if not scene.equations or not len(scene.knots):
        return ""
    return svg_of(drawing_of(scene))


def drawing_of(scene: Scene) -> Drawing:
    """The small picture of a scene."""
    if scene.logarithmic:
        scene = scene.in_logarithms()
    shown, dots = scene.equations[:NAMED_EQUATIONS], scene.knots[evenly(scene.weights, MOST_DOTS)]
    lower, upper = scene.box
    strokes: list[Stroke] = []
    if scene.dimension == 1:
        for number, equation in enumerate(shown):
            strokes += [Stroke(np.array([[place, -0.6], [place, 0.6]]), number) for place in zeros_on_line(equation, scene)]
        return Drawing((*scene.names, ""), np.r_[lower, -1.0], np.r_[upper, 1.0], strokes, np.c_[dots, 0 * dots])
    if scene.dimension == 2:
        for number, equation in enumerate(shown):
            zeros = scene.zero_set([square_free(equation.terms)])
            found = curves(zeros, np.vstack([zeros.knots, grid_of_starts(2)]))
            strokes += [Stroke(zeros.out(piece), number) for piece in found]
        return Drawing(scene.names, lower, upper, strokes, dots)
    if scene.dimension == 3:
        return _in_space(scene, dots)
    pieces, _ = variety_of(scene)
    strokes = [Stroke(piece[:, :2], 0) for piece in pieces]
    return Drawing(scene.names[:2], lower[:2], upper[:2], strokes, dots[:, :2])


def _in_space(scene: Scene, dots: np.ndarray) -> Drawing:
    surfaces, curve, _ = zeros_to_draw(scene, [equation.terms for equation in scene.equations])
    faces, strokes = [], []
    for place in range(0 if surfaces is None else len(surfaces)):
        mesh = surface(surfaces, place, FACE_LINES)                         # type: ignore[arg-type]
        brightness = np.abs(mesh.normals[mesh.faces].mean(axis=1) @ (LIGHT / np.linalg.norm(LIGHT)))
        faces.append((surfaces.out(mesh.vertices)[mesh.faces], brightness))     # type: ignore[union-attr]
    if curve is not None:
        strokes = [Stroke(curve.out(piece), 0) for piece in curves(curve, np.vstack([curve.knots, grid_of_starts(3)]))]
    return Drawing(scene.names, *scene.box, strokes, dots, faces)


def runs_svg(names: Sequence[str], runs: Sequence[np.ndarray], times: Sequence[np.ndarray], joined: bool = True) -> str:
    """Runs (n, s) in the space of their first three states at most; a single state over time.

    Parameters
    ----------
    names : sequence of str
        Of the states.
    runs : sequence of (n, s) arrays
    times : sequence of (n,) arrays
    joined : bool
        Whether states follow each other along a curve; else each is a dot.

    Returns
    -------
    str
        SVG; empty without runs.
    """
    if not runs:
        return ""
    width = min(runs[0].shape[1], 3)
    if width == 1:
        runs, names, width = [np.c_[clock, run] for clock, run in zip(times, runs)], ("time", *names), 2
    paths = [run[:: max(len(run) // MOST_LINE_POINTS, 1), :width] for run in runs]
    every = np.vstack(paths)
    lower, upper = every.min(axis=0), every.max(axis=0)
    extent = np.where(upper > lower, upper - lower, 1.0)
    strokes = [Stroke(path, number) for number, path in enumerate(paths)] if joined else []
    dots = np.empty((0, width)) if joined else every[: 4 * MOST_DOTS]
    return svg_of(Drawing(names[:width], lower - 0.06 * extent, upper + 0.06 * extent, strokes, dots))


def svg_of(drawing: Drawing) -> str:
    """A drawing as SVG."""
    put = _projection(drawing)
    parts = []
    for number, (corners, brightness) in enumerate(drawing.faces):
        level = np.minimum((brightness * SHADES).astype(int), SHADES - 1)
        for shade in range(SHADES):
            path = "".join(_path(put(face)) + "Z" for face in corners[level == shade])
            if path:
                parts.append(f'<path d="{path}" fill="{_colour(number)}" fill-opacity="{0.18 + 0.09 * shade:.2f}"/>')
    for stroke in drawing.strokes:
        step = max(len(stroke.points) // MOST_LINE_POINTS, 1)
        kept = np.unique(np.r_[np.arange(0, len(stroke.points), step), len(stroke.points) - 1])
        parts.append(f'<path d="{_path(put(stroke.points[kept]))}" fill="none" stroke="{_colour(stroke.colour)}" '
                     'stroke-width="1.6" stroke-linejoin="round"/>')
    inside = ((drawing.dots >= drawing.lower) & (drawing.dots <= drawing.upper)).all(axis=1)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="1.8"/>' for x, y in put(drawing.dots[inside]))
    parts.append(f'<g fill="none" stroke="currentColor" stroke-width="0.7">{dots}</g>' if dots else "")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
            f'role="img" aria-label="small picture">{_frame(drawing, put)}{"".join(parts)}</svg>')


def _projection(drawing: Drawing) -> Callable[[np.ndarray], np.ndarray]:
    """The function from points (n, k) to pixels (n, 2)."""
    middle, half = (drawing.lower + drawing.upper) / 2, (drawing.upper - drawing.lower) / 2
    equal = is_comparable(drawing.lower, drawing.upper)
    unit = np.full(len(half), half.max()) if equal else half
    plane = np.eye(2)
    if len(half) == 3:
        eye = np.array([CAMERA["eye"][letter] for letter in "xyz"])
        eye /= np.linalg.norm(eye)
        right = np.cross([0.0, 0.0, 1.0], eye)
        right /= np.linalg.norm(right)
        plane = np.stack([right, np.cross(eye, right)], axis=1)
    reach = half / unit @ np.abs(plane)                                      # of the box's corners
    room = np.array([WIDTH / 2 - MARGIN, HEIGHT / 2 - MARGIN])
    size = room / reach
    size = np.full(2, size.min()) if equal or len(half) == 3 else size

    def put(points: np.ndarray) -> np.ndarray:
        placed = (np.asarray(points) - middle) / unit @ plane * size
        return np.stack([WIDTH / 2 + placed[:, 0], HEIGHT / 2 - placed[:, 1]], axis=1)

    return put


def _frame(drawing: Drawing, put: Callable[[np.ndarray], np.ndarray]) -> str:
    """Axes along the lower edges with the variables' names."""
    lower, upper, lines, words = drawing.lower, drawing.upper, [], []
    starts = [lower, np.r_[upper[:1], lower[1:]], lower] if len(lower) == 3 else [lower, lower]
    for axis, start in enumerate(starts):
        end = start.copy()
        end[axis] = upper[axis]
        (x0, y0), (x1, y1) = put(np.stack([start, end]))
        lines.append(f"M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}")
        name = escape(_shortened(drawing.names[axis]))
        if len(lower) == 2:
            x, y, anchor = ((x0 + x1) / 2, y0 + 15, "middle") if axis == 0 else (x1, y1 - 6, "start")
        else:
            x, y, anchor = (x1, y1 - 6, "middle") if axis == 2 else ((x0 + x1) / 2, (y0 + y1) / 2 + 16, "middle")
        words.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{name}</text>')
    return (f'<path d="{"".join(lines)}" fill="none" stroke="currentColor" stroke-opacity="0.45"/>'
            f'<g font-size="11" font-family="sans-serif" fill="currentColor" fill-opacity="0.8">{"".join(words)}</g>')


def _path(points: np.ndarray) -> str:
    """Pixels as a path, begun anew after each gap."""
    out, pen = [], "M"
    for x, y in points:
        if np.isnan(x) or np.isnan(y):
            pen = "M"
            continue
        out.append(f"{pen}{x:.1f} {y:.1f}")
        pen = "L"
    return "".join(out)


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def _shortened(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
