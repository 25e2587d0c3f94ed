"""Pictures in space: surfaces, curves in which surfaces meet, data and knots.

What is drawn depends on what the equations have in common.  A common factor is a surface of its own; what is left of the
equations vanishes together on curves, if on anything but points.  Equations of one surface that have no exact common
factor, such as estimates, are drawn each by itself.

Surfaces are opaque.  A point lies behind one if the polynomial changes its sign between the point and the eye; such points
are drawn faintly.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from .curves import curves, grid_of_starts
from .marks import BELOW, CURVES, NAMED_EQUATIONS, draw_arrows_and_outliers, draw_data, draw_knots, draw_marks
from .plane_pictures import is_comparable
from .scene import Scene
from .style import LINE_WIDTH, colour_of, drawn_knots, knot_sizes
from .surfaces import surface
from .zero_sets import ZeroSet, without_common_factor

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox
    from mpl_toolkits.mplot3d import Axes3D

PALENESS = 0.55
"""Share of white in the colour of a surface: a convention, so that data and knots on it are seen."""
LIGHT = np.array([0.35, -0.5, 0.8])
"""Where the light comes from: a convention, from above and somewhat to the front."""
DARKEST = 0.72
"""Brightness of a face that the light only grazes: a convention."""
HIDDEN = 0.2
"""Opacity of points behind a surface: a convention."""
IN_FRONT = 0.06
"""Distance, in half widths of the box, that a point keeps from the surface it lies on before anything can hide it: a
convention; where noise is larger, three times the noise counts."""
LOOKS = 48
"""Places between a point and the eye at which signs are compared: a convention."""
MOST_TICKS = 5
"""Numbers along the longest axis at most: a convention."""
FITTING_ROUNDS = 3
"""Times the box is fitted into its figure: labels keep their size, so one is not exact."""
LARGEST_BOX = 1.1
"""Height of a box over the figure's width at most: a convention, for a page."""
MARGIN = 0.05
"""Around the box, in inches: a convention."""


def draw_space(ax: Axes3D, scene: Scene, arrows: bool = False) -> tuple[np.ndarray, int | None]:
    """Draw three variables; returns the box's edges, and how many equations have a colour of their own, None for all."""
    aspect = set_box(ax, *scene.box)
    terms = [equation.terms for equation in scene.equations]
    surfaces, curve, drawn = zeros_to_draw(scene, terms)
    if surfaces is not None:
        _draw_surfaces(ax, surfaces)
        _draw_points(ax, scene, surfaces, aspect)
        draw_arrows_and_outliers(ax, scene, (0, 1, 2), arrows)
    else:
        draw_marks(ax, scene, (0, 1, 2), arrows)
    if curve is not None:
        for piece in curves(curve, np.vstack([curve.knots, grid_of_starts(3)])):
            ax.plot(*curve.out(piece).T, color=colour_of(0), linewidth=1.4 * LINE_WIDTH, zorder=CURVES)
    return aspect, drawn


def set_box(ax: Axes3D, lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Show what is between these corners, in equal units where that can be read; returns the lengths of the edges."""
    ax.set(xlim=(lower[0], upper[0]), ylim=(lower[1], upper[1]), zlim=(lower[2], upper[2]))
    extents = upper - lower if is_comparable(lower, upper) else np.ones(3)
    aspect = extents / extents.max()
    ax.set_box_aspect(tuple(aspect))
    for letter, length in zip("xyz", aspect):
        ax.locator_params(axis=letter, nbins=max(round(MOST_TICKS * length), 2))
    return aspect


def fill_figure(figure: Figure, ax: Axes3D, aspect: np.ndarray, legends_above: int) -> None:
    """Make the box as wide as the figure, and the figure as high as box and legends need.

    matplotlib draws in a square, of which a flat box fills a part: the square may be higher than the figure.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        Without a layout of its own.
    ax : Axes3D
    aspect : (3,) array
        Lengths of the box's edges.
    legends_above : int
        How many of the figure's legends stand above the box.
    """
    heights = [legend.get_window_extent().height / figure.dpi for legend in figure.legends]
    side, zoom, heavy = figure.get_figwidth(), 1.0, list(ax.collections)
    for collection in heavy:
        collection.set_visible(False)                       # thousands of faces need not be drawn to be measured
    figure.set_figheight(side)
    ax.set_position((0.0, 0.0, 1.0, 1.0))
    for _ in range(FITTING_ROUNDS):
        figure.draw_without_rendering()
        seen, room = _seen(ax), ax.bbox
        middle = (room.x0 + room.x1) / 2                    # where the box stands; labels may reach farther on one side
        width = 2 * max(seen.x1 - middle, middle - seen.x0)
        zoom *= min((1 - 2 * MARGIN / side) * room.width / width, LARGEST_BOX * side * figure.dpi / seen.height)
        ax.set_box_aspect(tuple(aspect), zoom=zoom)
    figure.draw_without_rendering()
    seen = _seen(ax)
    above, below = sum(heights[:legends_above]), sum(heights[legends_above:])
    height = above + seen.height / figure.dpi + below + 2 * MARGIN
    figure.set_figheight(height)
    for collection in heavy:
        collection.set_visible(True)
    ax.set_position((0.0, (below + MARGIN - seen.y0 / figure.dpi) / height, 1.0, side / height))


def _seen(ax: Axes3D) -> Bbox:
    """What box, numbers and names cover of the figure, in pixels."""
    from matplotlib.transforms import Bbox
    from mpl_toolkits.mplot3d.proj3d import proj_transform

    limits = ax.get_xlim(), ax.get_ylim(), ax.get_zlim()
    x, y, _ = proj_transform(*np.array(list(product(*limits))).T, ax.get_proj())
    corners = ax.transData.transform(np.c_[x, y])
    labels = [axis.get_tightbbox() for axis in (ax.xaxis, ax.yaxis, ax.zaxis)]
    return Bbox.union([Bbox([corners.min(axis=0), corners.max(axis=0)]), *filter(None, labels)])


def zeros_to_draw(scene: Scene, terms: list) -> tuple[ZeroSet | None, ZeroSet | None, int | None]:
    """Surfaces, curves, and how many equations have a colour of their own (None for all)."""
    if not terms:
        return None, None, None
    if len(terms) == 1:
        return scene.zero_set(terms), None, None
    common, rest = without_common_factor(terms)
    if common is not None:
        return scene.zero_set([common]), scene.zero_set(rest), 1
    rank = scene.zero_set(terms).codimension
    if rank == 1:
        return scene.zero_set(terms[:NAMED_EQUATIONS]), None, None
    return None, scene.zero_set(rest) if rank == 2 else None, 1 if rank == 2 else 0


def _draw_surfaces(ax: Axes3D, zeros: ZeroSet) -> None:
    from matplotlib.colors import to_rgb
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    faces, colours = [], []
    for place in range(len(zeros)):
        mesh = surface(zeros, place)
        normals = mesh.normals[mesh.faces].mean(axis=1)
        brightness = DARKEST + (1 - DARKEST) * np.abs(normals @ (LIGHT / np.linalg.norm(LIGHT)))
        pale = PALENESS + (1 - PALENESS) * np.array(to_rgb(colour_of(place)))
        faces.append(zeros.out(mesh.vertices)[mesh.faces])
        colours.append(np.clip(pale * brightness[:, None], 0, 1))
    # one collection, so that faces of different surfaces hide each other; as pixels it stays small in any format
    together: Any = Poly3DCollection(np.vstack(faces), facecolors=np.vstack(colours), edgecolors=np.vstack(colours),
                                     linewidths=0.3, rasterized=True, zorder=BELOW)
    ax.add_collection3d(together)


def _draw_points(ax: Axes3D, scene: Scene, zeros: ZeroSet, aspect: np.ndarray) -> None:
    """Data and knots, faintly where a surface is between them and the eye."""
    elevation, azimuth = np.deg2rad(ax.elev), np.deg2rad(ax.azim)
    eye = np.array([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)])
    ray = eye / aspect
    chosen = drawn_knots(scene.weights)
    knots, sizes = scene.knots[chosen], knot_sizes(scene.weights)[chosen]
    for points, draw in ((scene.drawn_data, lambda rows, opacity: draw_data(ax, scene.drawn_data[rows], opacity=opacity)),
                         (knots, lambda rows, opacity: draw_knots(ax, knots[rows], sizes[rows], opacity))):
        behind = is_hidden(zeros, zeros.into(points), ray / np.linalg.norm(ray))
        for rows, opacity in ((behind, HIDDEN), (~behind, 1.0)):
            if rows.any():
                draw(rows, opacity)


def is_hidden(zeros: ZeroSet, points: np.ndarray, ray: np.ndarray) -> np.ndarray:
    """Whether a surface lies between each point of the box and an eye far away in the direction of `ray`."""
    away = np.geomspace(max(IN_FRONT, 3 * zeros.blur), 2 * np.sqrt(3), LOOKS)
    ways = points[:, None] + away[:, None] * ray
    inside = (np.abs(ways) <= 1).all(axis=2)
    positive = zeros.at(ways.reshape(-1, zeros.dimension))[0].reshape(*inside.shape, len(zeros)) > 0
    changes = (positive[:, 1:] != positive[:, :-1]).any(axis=2)
    return (changes & inside[:, 1:]).any(axis=1)
