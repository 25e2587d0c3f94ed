"""Figures 1 and 2: the paper's simple data with knots and without, in the paper's own convention.

Sizes and noise are the paper's: three blobs (60 points; standard deviation 0.3 in one, 0.05 in the others), a circle
(30 points, 0.05), two concentric circles (50 points, 0.02).  The paper gives neither centres, radii and seeds nor
epsilon and lambda; those of the blobs were searched for until each quiet one gets one knot and the loud one two, as
in its Figure 2a.
Figure 1, which the paper draws without naming its data, shows the blobs.  Plain VCA gets the same epsilon.

Coloured curves are equations; thin dashed grey ones are further polynomials of the fit that nearly lie in the ideal of
the equations.  With knots they pass through the knots; VCA's meet the others only roughly.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..fitting.penalty import Penalty
from ..results.fit import fit, vca
from ..results.ideal import Ideal
from ..showing.fit_pictures import draw_shape
from ..showing.pictures import new_figure, save_figure
from ..showing.plane_pictures import GRID_LINES
from ..showing.scene import scene_of

DELTA = 1e-4
"""Tolerance on the knots, in the paper's convention a norm over all points: small beside every epsilon below.  A
convention, as the paper does not say its own."""
BLOBS = ((0.0, 0.0, 0.3), (2.0, 0.5, 0.05), (0.8, 2.0, 0.05))
"""Centre and standard deviation of each; the deviations are the paper's, the centres were searched for."""
POINTS_OF_BLOB = 20
"""The paper's 60, shared out among three."""
SEED_OF_BLOBS = 3
"""With which quiet blobs get one knot and the loud one two: searched for, most seeds do not."""


class Scene(NamedTuple):
    """Data of one pair of panels, and how they are fitted."""

    title: str
    points: np.ndarray
    epsilon: float
    penalty: float


def blobs(seed: int = SEED_OF_BLOBS) -> np.ndarray:
    """Three blobs of 20 points."""
    rng = np.random.default_rng(seed)
    return np.vstack([np.array((x, y)) + sigma * rng.normal(size=(POINTS_OF_BLOB, 2)) for x, y, sigma in BLOBS])


def circles(radii: Sequence[float], count: int, sigma: float, seed: int = 0) -> np.ndarray:
    """`count` points, shared out among concentric circles."""
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, 2 * np.pi, count)
    radius = np.repeat(radii, count // len(radii))
    return np.c_[radius * np.cos(angle), radius * np.sin(angle)] + sigma * rng.normal(size=(count, 2))


def scenes() -> tuple[Scene, Scene, Scene]:
    """The three scenes of Figure 2: the paper's numbers of points and noise; epsilon and penalty were searched for."""
    return (Scene("three blobs", blobs(), 0.06, 1e-3),
            Scene("a circle", circles([1.0], 30, 0.05), 0.03, 1e-2),
            Scene("two concentric circles", circles([1.0, 0.5], 50, 0.02), 0.03, 1e-2))


def draw_figure1(folder: str | os.PathLike[str]) -> list[Path]:
    """Figure 1: VCA on the left, knots on the right.  Returns the files written."""
    figure = new_figure(figsize=(9.0, 4.5), layout="constrained")
    left, right = figure.subplots(1, 2)
    scene = scenes()[0]
    _draw_plain(left, scene, "VCA")
    _draw_knotted(right, scene, "with data knots")
    return _written(figure, folder, "figure1")


def draw_figure2(folder: str | os.PathLike[str]) -> list[Path]:
    """Figure 2: each scene with knots (a, c, e) and by VCA (b, d, f).  Returns the files written."""
    figure = new_figure(figsize=(13.0, 8.5), layout="constrained")
    axes = figure.subplots(2, 3)
    for column, (scene, letters) in enumerate(zip(scenes(), ("ab", "cd", "ef"))):
        _draw_knotted(axes[0, column], scene, f"({letters[0]}) {scene.title}, knots")
        _draw_plain(axes[1, column], scene, f"({letters[1]}) {scene.title}, VCA")
    return _written(figure, folder, "figure2")


def _draw_knotted(ax: Any, scene: Scene, title: str) -> None:
    ideal = fit(scene.points, scene.epsilon, delta=DELTA, normalization="vca", knotting=Penalty(scene.penalty),
                progress=False)
    draw_shape(scene_of(ideal, ideal.polynomials).with_data(scene.points), ax)
    _finish(ax, ideal, f"{title}\n{_counts(ideal)}, {len(ideal.knots)} knots")


def _draw_plain(ax: Any, scene: Scene, title: str) -> None:
    ideal = vca(scene.points, scene.epsilon, normalization="vca", progress=False)
    # for VCA the data are their own knots: drawn as data
    drawn = replace(scene_of(ideal, ideal.polynomials), knots=np.empty((0, 2)), weights=np.empty(0))
    draw_shape(drawn.with_data(scene.points), ax)
    _finish(ax, ideal, f"{title}\n{_counts(ideal)}")


def _counts(ideal: Ideal) -> str:
    count = len(ideal.polynomials)
    return f"{count} equation{'s' * (count != 1)}, {len(ideal.redundant)} further"


def _finish(ax: Any, ideal: Ideal, title: str) -> None:
    """Add the dashed curves, and a title instead of the legend."""
    limits = ax.get_xlim(), ax.get_ylim()
    x, y = (np.linspace(low, high, GRID_LINES) for low, high in limits)
    grid = np.stack(np.meshgrid(x, y), axis=-1)
    for g in ideal.redundant:
        height = g(grid.reshape(-1, 2)).reshape(grid.shape[:2])
        if height.min() < 0 < height.max():
            ax.contour(x, y, height, levels=[0.0], colors="0.35", linewidths=0.9, linestyles="dashed", zorder=1.5)
    ax.get_legend().remove()
    ax.set_title(title, fontsize=10)


def _written(figure: Any, folder: str | os.PathLike[str], name: str) -> list[Path]:
    return [save_figure(figure, Path(folder) / f"{name}.{kind}", tight=False) for kind in ("png", "svg")]
