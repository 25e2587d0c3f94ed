"""What pictures draw is where the equations vanish: meshes, curves, and points put onto zeros, against known shapes."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.spatial import cKDTree

from symknot.showing.curves import STEP, curves, grid_of_starts
from symknot.showing.space_pictures import is_hidden
from symknot.showing.surfaces import surface
from symknot.showing.zero_sets import ZeroSet, square_free, without_common_factor

SPHERE = {(2, 0, 0): 1, (0, 2, 0): 1, (0, 0, 2): 1, (0, 0, 0): -1}
PLANE = {(1, 0, 0): 1, (0, 1, 0): Fraction(1, 2), (0, 0, 1): -1}
CUBIC = [{(2, 0, 0): 1, (0, 1, 0): -1}, {(1, 1, 0): 1, (0, 0, 1): -1}, {(1, 0, 1): 1, (0, 2, 0): -1}]
AXES = [{(1, 1, 0): 1}, {(1, 0, 1): 1}, {(0, 1, 1): 1}]


def zero_set(terms, knots, half=1.2, centre=0.0, blur=0.0):
    exact = [{e: Fraction(value) for e, value in one.items()} for one in terms]
    d = len(next(iter(exact[0])))
    return ZeroSet(exact, np.full(d, centre), np.full(d, half), knots, blur)


def cubic_knots():
    t = np.linspace(-1, 1, 40)
    return np.c_[t, t**2, t**3]


def areas(mesh):
    """Of the quadrilaterals, as two triangles each."""
    a, b, c, d = (mesh.vertices[mesh.faces[:, k]] for k in range(4))
    return 0.5 * sum(np.linalg.norm(np.cross(q - p, r - p), axis=1) for p, q, r in ((a, b, c), (a, c, d)))


# -------------------------------------------------------------------------------------------------------- zero sets


def test_numbers_far_from_the_origin_keep_their_digits():
    centre = np.array([1e6, -2e6])
    terms = {(2, 0): 1, (1, 0): -2 * 10**6, (0, 2): 1, (0, 1): 4 * 10**6, (0, 0): 10**12 + 4 * 10**12 - 1}
    zeros = ZeroSet([{e: Fraction(v) for e, v in terms.items()}], centre, np.ones(2), centre + np.eye(2))
    assert np.abs(zeros.at(np.array([[0.6, 0.8], [-1.0, 0.0]]))[0]).max() < 1e-12


def test_gradients_are_the_derivatives_of_the_values():
    zeros = zero_set(CUBIC, cubic_knots())
    v, h = np.array([[0.3, -0.2, 0.7]]), 1e-6
    differences = [(zeros.at(v + h * axis)[0] - zeros.at(v - h * axis)[0])[0] / (2 * h) for axis in np.eye(3)]
    np.testing.assert_allclose(zeros.at(v)[1][0], np.array(differences).T, atol=1e-8)


def test_the_grid_has_the_same_values():
    zeros = zero_set(CUBIC, cubic_knots())
    x, y, z = np.linspace(-1, 1, 4), np.linspace(-1, 1, 5), np.linspace(-1, 1, 3)
    points = np.stack(np.meshgrid(x, y, z, indexing="ij"), axis=-1).reshape(-1, 3)
    for k, values in enumerate(zeros.on_grid(x, y, z)):
        np.testing.assert_allclose(values.ravel(), zeros.at(points)[0][:, k], atol=1e-12)


@pytest.mark.parametrize("terms, knots, codimension", [
    ([SPHERE], np.eye(3), 1), (CUBIC, cubic_knots(), 2), (AXES, np.vstack([np.eye(3), -np.eye(3)]), 2),
    ([{(2, 0): 1, (1, 0): -1}, {(0, 2): 1, (0, 1): -1}], np.array([[0, 0], [1, 0], [0, 1]]), 2)])
def test_codimension(terms, knots, codimension):
    assert zero_set(terms, knots).codimension == codimension


def test_equations_that_agree_only_nearly_still_make_a_curve():
    rng = np.random.default_rng(0)
    rounded = [{e: value * (1 + 0.002 * rng.normal()) for e, value in one.items()} for one in CUBIC]
    zeros = zero_set(rounded, cubic_knots(), blur=0.01)
    assert zeros.codimension == 2
    (piece,) = curves(zeros, zeros.knots)
    x, y, z = zeros.out(piece).T
    assert np.abs(y - x**2).max() < 0.02 and np.abs(z - x**3).max() < 0.02 and x.min() < -1 < 1 < x.max()


def test_common_factors_and_squares_are_found():
    one = Fraction(1)
    common, rest = without_common_factor([{(1, 0, 1): one}, {(0, 1, 1): one}])
    assert common == {(0, 0, 1): one} and rest == [{(1, 0, 0): one}, {(0, 1, 0): one}]
    assert without_common_factor([{(1, 0): one}, {(0, 1): one}])[0] is None
    assert square_free({(2, 0): one, (1, 1): -2 * one, (0, 2): one}) == {(1, 0): one, (0, 1): -one}


# --------------------------------------------------------------------------------------------------------- surfaces


def test_a_sphere_is_meshed_whole():
    mesh = surface(zero_set([SPHERE], np.eye(3)))
    radius = 1 / 1.2
    np.testing.assert_allclose(np.linalg.norm(mesh.vertices, axis=1), radius, atol=1e-9)
    assert areas(mesh).sum() == pytest.approx(4 * np.pi * radius**2, rel=0.01)
    np.testing.assert_allclose(np.abs(np.sum(mesh.normals * mesh.vertices, axis=1)), radius, rtol=1e-9)
    edges = np.sort(np.vstack([mesh.faces[:, [k, (k + 1) % 4]] for k in range(4)]), axis=1)
    assert (np.unique(edges, axis=0, return_counts=True)[1] == 2).all()          # closed: every edge has two faces


def test_a_plane_reaches_the_walls_of_the_box():
    mesh = surface(zero_set([PLANE], np.eye(3)))
    x, y, z = mesh.vertices.T
    off = np.sort(np.abs(x + y / 2 - z))
    assert off[-5] < 1e-9 and off[-1] < 0.02              # four vertices are clipped to edges of the box
    assert np.abs(mesh.vertices).max() <= 1
    # the part of the plane z = x + y/2 with |z| <= 1, |x| <= 1, |y| <= 1: a shadow of area 4 - 1/4 - 1/4, tilted
    assert areas(mesh).sum() == pytest.approx(np.sqrt(1 + 1 + 0.25) * 3.5, rel=0.01)


def test_points_behind_a_sphere_are_hidden():
    zeros = zero_set([SPHERE], np.eye(3))
    towards = np.array([1.0, 0.0, 0.0])
    points = np.array([[1.0, 0, 0], [-1.0, 0, 0], [0, 0, 0], [-0.95, 0.3, 0], [0, 1.15, 0]]) / 1.2
    assert is_hidden(zeros, points, towards).tolist() == [False, True, True, True, False]


# ----------------------------------------------------------------------------------------------------------- curves


def found(terms, knots, half=1.2):
    zeros = zero_set(terms, knots, half)
    return [zeros.out(piece) for piece in curves(zeros, np.vstack([zeros.knots, grid_of_starts(3)]))]


def test_the_twisted_cubic_is_one_piece_from_wall_to_wall():
    (piece,) = found(CUBIC, cubic_knots())
    x, y, z = piece.T
    inner = slice(1, -1)                                  # the ends are cut off at the walls, along a straight step
    assert np.abs(y - x**2)[inner].max() < 1e-8 and np.abs(z - x**3)[inner].max() < 1e-8
    ends = np.sort(x[[0, -1]])
    np.testing.assert_allclose(ends, [-(1.2 ** (1 / 3)), 1.2 ** (1 / 3)], atol=2e-3)
    assert np.linalg.norm(np.diff(piece, axis=0), axis=1).max() < 2 * STEP


def test_three_axes_cross_and_go_straight_on():
    pieces = found(AXES, np.vstack([np.eye(3) * a for a in (-1, -0.5, 0.5, 1)]))
    assert len(pieces) == 3
    for piece in pieces:
        assert sorted(np.abs(piece).max(axis=0).round(6)) == [0, 0, 1.2]
        along = piece[:, np.abs(piece).max(axis=0).argmax()]
        assert along.min() == pytest.approx(-1.2) and along.max() == pytest.approx(1.2)


def test_closed_curves_close_and_separate_ones_are_separate():
    circles = [{(2, 0, 0): 1, (0, 2, 0): 1, (0, 0, 0): -1}, {(0, 0, 2): 1, (0, 0, 0): Fraction(-1, 4)}]
    angle = np.linspace(0, 6, 30)
    pieces = found(circles, np.c_[np.cos(angle), np.sin(angle), np.full(30, 0.5)])      # no knot on the lower one
    assert len(pieces) == 2
    assert sorted(piece[:, 2].mean().round(6) for piece in pieces) == [-0.5, 0.5]
    for piece in pieces:
        np.testing.assert_array_equal(piece[0], piece[-1])
        assert np.linalg.norm(np.diff(piece, axis=0), axis=1).sum() == pytest.approx(2 * np.pi, rel=0.01)


def test_a_curve_that_crosses_itself_is_whole():
    viviani = [{(2, 0, 0): 1, (0, 2, 0): 1, (0, 0, 2): 1, (0, 0, 0): -4}, {(2, 0, 0): 1, (0, 2, 0): 1, (1, 0, 0): -2}]
    t = np.linspace(0, 4 * np.pi, 400)
    exact = np.c_[1 + np.cos(t), np.sin(t), 2 * np.sin(t / 2)]
    away = cKDTree(np.vstack(found(viviani, exact[::10], half=2.4))).query(exact)[0]
    assert away.max() < 2.4 * STEP
