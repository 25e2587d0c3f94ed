"""Pictures on a line and in the plane: zero curves of each equation, data and knots."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..polynomials.equation import Equation
from .marks import BELOW, CURVES, draw_marks
from .scene import Scene
from .style import LINE_WIDTH, colour_of, line_of
from .zero_sets import square_free

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GRID_LINES = 401
"""Grid lines per axis on which polynomials are evaluated to trace their zero curves: one for every two or three pixels."""
LARGEST_EQUAL_RATIO = 5.0
"""Ratio of the variables' extents beyond which equal units on both axes would flatten the picture into a line: a
convention."""
NOT_SEEN = "  (no zero in this picture)"
"""Said behind an equation that has no curve in the window."""


def draw_line(ax: Axes, scene: Scene) -> list[str]:
    """Draw one variable: data, knots, and a line at each zero; returns a remark for each equation."""
    lower, upper = scene.box
    remarks = []
    for number, equation in enumerate(scene.equations):
        places = zeros_on_line(equation, scene)
        for place in places:
            ax.axvline(place, color=colour_of(number), linestyle=line_of(number), linewidth=LINE_WIDTH, zorder=BELOW)
        remarks.append("" if len(places) else NOT_SEEN)
    draw_marks(ax, _lifted(scene), (0, 1))
    ax.set_xlim(lower[0], upper[0])
    ax.set_ylim(-1, 1)
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    return remarks


def draw_plane(ax: Axes, scene: Scene, arrows: bool = False) -> list[str]:
    """Draw two variables; returns a remark for each equation."""
    lower, upper = scene.box
    remarks = ["" if _draw_zero_curve(ax, scene, number) else NOT_SEEN for number in range(len(scene.equations))]
    draw_marks(ax, scene, (0, 1), arrows)
    if scene.logarithmic:
        ax.set_xscale("log")
        ax.set_yscale("log")
        lower, upper = 10.0**lower, 10.0**upper
    elif is_comparable(lower, upper):
        ax.set_aspect("equal")
    ax.set_xlim(lower[0], upper[0])
    ax.set_ylim(lower[1], upper[1])
    return remarks


def is_comparable(lower: np.ndarray, upper: np.ndarray) -> bool:
    """Whether equal units on all axes make a readable picture of what is between these corners."""
    return bool((upper - lower).max() <= LARGEST_EQUAL_RATIO * (upper - lower).min())


def _draw_zero_curve(ax, scene, number):
    """Draw one zero curve; False if there is none in the window."""
    flat = scene.in_logarithms() if scene.logarithmic else scene
    terms, axis = flat.equations[number].terms, np.linspace(-1.0, 1.0, GRID_LINES)
    for shown in (terms, square_free(terms)):
        height = flat.zero_set([shown]).on_grid(axis, axis)[0].T
        if height.min() < 0 < height.max():
            break
    else:
        return False
    x, y = (np.linspace(low, high, GRID_LINES) for low, high in zip(*scene.box))
    x, y = (10.0**x, 10.0**y) if scene.logarithmic else (x, y)
    ax.contour(x, y, height, levels=[0.0], colors=[colour_of(number)], linestyles=[line_of(number)],
               linewidths=LINE_WIDTH, zorder=CURVES)
    return True


def zeros_on_line(equation: Equation, scene: Scene) -> np.ndarray:
    """Real zeros of a polynomial in one variable inside the window."""
    zeros = scene.zero_set([square_free(equation.terms)])
    axis = np.linspace(-1.0, 1.0, GRID_LINES)
    height = zeros.on_grid(axis)[0]
    low = np.flatnonzero((height[:-1] > 0) != (height[1:] > 0))
    return zeros.out(zeros.onto(((axis[low] + axis[low + 1]) / 2)[:, None], 1))[:, 0]


def _lifted(scene: Scene) -> Scene:
    """A scene of one variable as one of two, all on a line."""
    def flat(points):
        return np.c_[points, np.zeros(len(points))]

    return replace(scene, data=flat(scene.data), knots=flat(scene.knots))
