"""The family: each method against known answers, what it promises, and what the paper says about it."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

import symknot
from symknot import family
from symknot.cli import main
from symknot.family.comparing import METHODS
from symknot.family.order_ideals import Triangle

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
FIVE = {"abm": family.abm, "avi": family.avi, "nbm": family.nbm, "oavi": family.oavi, "thinning": family.thinning,
        "classical": family.classical_vca}


def circle(noise=0.03, count=100, seed=0):
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, 2 * np.pi, count)
    return np.c_[np.cos(angle), np.sin(angle)] + noise * rng.normal(size=(count, 2))


def twisted_cubic(noise=0.02, count=60, seed=0):
    rng = np.random.default_rng(seed)
    t = rng.uniform(-1, 1, count)
    return np.c_[t, t**2, t**3] + noise * rng.normal(size=(count, 3))


@pytest.mark.parametrize("method", FIVE)
def test_exact_points_give_their_ideal(method):
    """The corners of a square: x**2 - x and y**2 - y, whatever the method, and nothing that they do not generate."""
    found = FIVE[method](CORNERS, 1e-6, names=["x", "y"])
    reference = symknot.points_ideal([(0, 0), (1, 0), (0, 1), (1, 1)], ["x", "y"])
    assert min(g.degree for g in found.polynomials) == 2
    assert sum(g.degree == 2 for g in found.polynomials) == len(reference.polynomials) == 2
    for g in found.polynomials:
        rational = {e: value.limit_denominator(10**6) for e, value in g.terms.items()}
        largest = max(rational.values(), key=abs)
        exact = {e: (value / largest).limit_denominator(1000) for e, value in rational.items() if value}
        assert reference.contains(exact), g
    assert np.abs(found.evaluate(CORNERS)).max() < 1e-12
    np.testing.assert_allclose(np.array(sorted(found.knots.round(9).tolist())), sorted(CORNERS.tolist()), atol=1e-9)


ALL = {**FIVE, "gradient": lambda X, epsilon, **options: family.abm(X, epsilon, normalization="gradient", **options),
       "border": lambda X, epsilon, **options: family.oavi(X, epsilon, border=True, **options),
       "vca": lambda X, epsilon, **options: symknot.vca(X, epsilon, progress=False, **options)}
WALKS = sorted(set(ALL) - {"classical", "vca"})
"""Methods that come to an order ideal."""


@pytest.mark.parametrize("points", [
    [(0, 0), (1, 1), (2, 2), (1, 0), (0, 2)], [(i, j) for i in range(3) for j in range(2)],
    [(0, 0), (1, 2), (2, 4)], [(1, 2), (3, 2)], [(t, t**2, t**3) for t in (-1, 0, 1, 2)],
    [(0, 0, 1), (1, -2, 0), (2, 1, 1), (-1, 2, 2), (1, 1, 1), (-2, 0, 2), (0, 2, -1), (1, 0, -2)]])
def test_without_noise_all_methods_come_to_the_same_ideal(points):
    """That of the points, computed exactly: the order ideal is that of the standard monomials, a polynomial that a corner leads
    is the one of the reduced Groebner basis; and multiples up to a degree leave as many dimensions free as there are points."""
    reference, X = symknot.points_ideal(points, ["x", "y", "z"][:len(points[0])]), np.array(points, dtype=float)
    exact = dict(zip(reference.corners, reference.basis))
    top = 1 + max(map(sum, reference.corners))
    monomials = [e for e in itertools.product(range(top + 1), repeat=X.shape[1]) if sum(e) <= top]
    place = {e: k for k, e in enumerate(monomials)}
    for name, method in ALL.items():
        found = method(X, 1e-8) if name == "thinning" else method(X, 1e-8, max_degree=6)
        multiples = [[(tuple(a + b for a, b in zip(e, m)), float(value)) for e, value in g.terms.items()]
                     for g in found.polynomials for m in monomials if g.degree + sum(m) <= top]
        rows = np.zeros((len(multiples), len(monomials)))
        for row, terms in zip(rows, multiples):
            for e, value in terms:
                row[place[e]] = value / max(abs(other) for _, other in terms)
        assert np.linalg.matrix_rank(rows, tol=1e-7) == len(monomials) - len(points), name
        if name in WALKS:
            assert set(found.order_ideal) == set(reference.standard_monomials), name
            by_lead = {g.lead: g for g in found.polynomials}
            for corner, terms in exact.items():
                own = {e: float(value / by_lead[corner].terms[corner]) for e, value in by_lead[corner].terms.items()}
                assert {e: own.get(e, 0.0) for e in {*own, *terms}} == pytest.approx(
                    {e: float(terms.get(e, 0) / terms[corner]) for e in {*own, *terms}}, abs=1e-9), name


def test_nbm_on_five_points_of_a_hyperbola():
    """x y = 6 to three decimals: at (2.449, 2.449) it is off by 0.0024, which 0.0018 in each coordinate explains."""
    points = [(1, 6), (2, 3), (2.449, 2.449), (3, 2), (6, 1)]
    first = family.nbm(points, 0.0018, names=["x", "y"]).polynomials[0]
    assert first.lead == (1, 1) and float(first.terms[0, 0]) == pytest.approx(-6, abs=0.01)
    assert all(abs(float(first.terms.get(e, 0))) < 0.002 for e in ((1, 0), (0, 1), (0, 2), (2, 0)))
    assert family.nbm(points, 0.0002, names=["x", "y"]).polynomials[0].lead != (1, 1)


@pytest.mark.parametrize("method", ["abm", "avi", "oavi"])
def test_an_order_ideal_and_its_border(method):
    found = FIVE[method](twisted_cubic(), 0.05)
    terms = set(found.order_ideal)
    assert all(term[:i] + (term[i] - 1,) + term[i + 1:] in terms for term in terms for i in range(3) if term[i])
    leads = {g.lead for g in found.polynomials}
    assert not leads & terms and len(leads) == len(found.polynomials)
    border = {term[:i] + (term[i] + 1,) + term[i + 1:] for term in terms for i in range(3)} - terms
    assert {lead for lead in leads} == {term for term in border if sum(term) <= 4} or method == "oavi"
    if method == "oavi":                                        # corners only
        assert not any(all(a >= b for a, b in zip(one, other)) for one in leads for other in leads if one != other)


def test_the_tolerances_are_kept():
    X, rms = circle(), lambda found, X: np.sqrt(np.mean(found.evaluate(X) ** 2, axis=0))
    plain, weighted, oavi = family.abm(X, 0.05), family.abm(X, 0.05, normalization="gradient"), family.oavi(X, 0.1)
    for found, epsilon in ((plain, 0.05), (weighted, 0.05), (oavi, 0.1)):
        assert found.polynomials and (rms(found, X) <= epsilon * (1 + 1e-9)).all()
        np.testing.assert_allclose(rms(found, X), [g.measure for g in found.polynomials], rtol=1e-9)
    for g in plain.polynomials:
        assert sum(float(value) ** 2 for value in g.terms.values()) == pytest.approx(1)
    for g in weighted.polynomials:
        size = sum(float(value) ** 2 * np.mean(sum((e[k] * X[:, k] ** max(e[k] - 1, 0) * X[:, 1 - k] ** e[1 - k]) ** 2
                                                   for k in range(2))) for e, value in g.terms.items())
        assert size == pytest.approx(1)
    assert all(g.terms[g.lead] == 1 for g in oavi.polynomials)


def test_abm_finds_the_smallest_singular_value():
    """By numpy's SVD of the whole matrix, at the first polynomial."""
    X = circle()
    found = family.abm(X, 0.05, max_degree=2).polynomials[0]
    columns = np.array([np.prod(X**np.array(e), axis=1) for e in found.terms]).T
    assert found.measure == pytest.approx(np.linalg.svd(columns)[1][-1] / 10)


def test_gradient_weights_do_not_see_the_scale_and_coefficients_do():
    """Kera and Kehrein: points and tolerance times c give the polynomials in the other unit; with coefficients they fail."""
    X = circle()
    for normalization, same in (("gradient", True), ("coefficient", False)):
        here, there = (family.abm(c * X, 0.05 * c, normalization=normalization) for c in (1.0, 50.0))
        agree = [g.lead for g in here.polynomials] == [g.lead for g in there.polynomials] and all(
            np.allclose([float(h.terms[e]) * 50.0 ** (sum(e) - 1) - float(value) for e, value in g.terms.items()], 0, atol=1e-6)
            for g, h in zip(here.polynomials, there.polynomials))
        assert agree == same


def test_conditional_gradients_come_to_the_same_minimum_and_stay_in_their_ball():
    rng = np.random.default_rng(3)
    A, b = rng.normal(size=(40, 5)), rng.normal(size=40)
    triangle = Triangle(A[:, 0])
    for column in A.T[1:]:
        triangle.add(*triangle.split(column))
    inside, rest = triangle.split(b)
    exact = np.linalg.lstsq(A, -b, rcond=None)[0]
    size = float(np.linalg.norm(rest))
    solved = family.ConditionalGradients(radius=10.0).solve(triangle, inside, size, float(np.sum((A @ exact + b) ** 2)))
    np.testing.assert_allclose(family.InverseHessian().solve(triangle, inside, size, 1.0), exact)
    assert np.sum((A @ solved + b) ** 2) <= np.sum((A @ exact + b) ** 2) * 1.002
    narrow = family.ConditionalGradients(radius=0.1).solve(triangle, inside, size, 1e-3)
    assert np.abs(narrow).sum() <= 0.1 + 1e-12
    assert len(family.oavi(circle(), 0.1, oracle=family.ConditionalGradients(radius=5.0)).polynomials) == len(
        family.oavi(circle(), 0.1).polynomials)


def test_nbm_asks_what_points_of_this_precision_can_do():
    """A line within the precision is one; without it, it is not."""
    X = np.c_[np.arange(6.0), 2 * np.arange(6.0) + [0.02, -0.01, 0.0, 0.015, -0.02, 0.01]]
    assert [g.degree for g in family.nbm(X, 0.03, max_degree=1).polynomials] == [1]
    assert not family.nbm(X, 0.001, max_degree=1).polynomials
    assert [g.degree for g in family.nbm(X, [1e-6, 0.03], max_degree=1).polynomials] == [1]


def test_nbm_polynomials_vanish_on_different_nearby_points():
    """The paper: admissible perturbations differ among the polynomials."""
    X, epsilon = twisted_cubic(), 0.02
    found = family.nbm(X, epsilon, max_degree=2)
    near = [found.neighbours(k) for k in range(len(found.polynomials))]
    assert len(near) >= 2
    for k, points in enumerate(near):
        assert np.abs(found.evaluate(points)[:, k]).max() < 1e-9        # there are such points, near these
        assert np.median(np.abs(points - X).max(axis=1)) < 1.5 * epsilon
    assert np.median(np.abs(near[0] - near[1]).max(axis=1)) > 0.5 * epsilon              # but not the same ones
    assert np.median(np.abs(found.evaluate(near[0])[:, 1])) > 0.2 * epsilon


def test_thinning_apart_from_the_ideal_gives_higher_degrees():
    """The paper: empirical centroids do not necessarily result in compact, lower-degree polynomials."""
    X = circle()
    thinned, ours = family.thinning(X, 0.1), symknot.fit(X, 0.03)
    assert [g.degree for g in ours.polynomials] == [2]
    assert min(g.degree for g in thinned.polynomials) > 4 and len(thinned.polynomials) > 4
    assert len(thinned.knots) < len(X)
    assert np.abs(thinned.evaluate(thinned.knots)).max() < 1e-6


@pytest.mark.parametrize("way", ["agglomerative", "divisive"])
def test_thinned_points_stand_within_the_tolerance(way):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, size=(80, 2)) + 0.02 * rng.uniform(-1, 1, size=(80, 2))
    thinned = family.thin(X, 0.1, way=way)
    assert len(thinned.points) == 9 and thinned.weights.sum() == 80
    assert np.linalg.norm((X - thinned.points[thinned.assignment]) / 0.1, axis=1).max() <= 1
    assert sorted(map(tuple, thinned.points.round().tolist())) == [(i, j) for i in range(3) for j in range(3)]


def test_vca_polynomials_have_no_common_root_and_knots_are_some():
    """The paper: without knots, several nearly vanishing polynomials vanish nowhere together."""
    table = symknot.compare(twisted_cubic(), 0.03, methods=["fit", "vca", "abm"], max_degree=2)
    rows = {row.method: row for row in table.rows}
    assert rows["fit"].equations == 3 and rows["fit"].reached == 60 and rows["fit"].distinct > 50
    assert rows["vca"].equations == 3 and rows["vca"].distinct <= 8        # Bezout: three quadrics that do not agree
    assert rows["vca"].moved > 10 * 0.02
    assert rows["abm"].equations > 3 and rows["abm"].reached == 0 and rows["abm"].left > 1e-3


def test_published_vca_counts_zero_and_redundant_polynomials():
    found = family.classical_vca(circle(noise=0), 1e-9, max_degree=4)
    assert found.zero_count > 0 and [g.degree for g in found.polynomials].count(2) == 1
    table = symknot.compare(circle(noise=0), 1e-9, methods=["vca", "classical vca"], max_degree=4)
    ours, published = table.rows
    assert (ours.equations, ours.zero, ours.redundant) == (1, 0, 0)
    assert published.redundant == published.equations - 1 > 0 and published.zero == found.zero_count


def test_the_border_basis_of_a_fit():
    rng = np.random.default_rng(0)
    X = np.repeat(CORNERS, 25, axis=0) + 0.02 * rng.normal(size=(100, 2))
    ideal = symknot.fit(X, 0.03, max_degree=2, names=["x", "y"])
    basis = family.border_basis(ideal, 0.01)
    assert set(basis.order_ideal) == {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert {g.lead for g in basis.polynomials} == {(2, 0), (0, 2), (2, 1), (1, 2)}
    assert np.abs(basis.evaluate(ideal.knots)).max() < 0.02
    assert len(family.border_basis(ideal).order_ideal) == len(ideal.knots) == 4


def test_compare_tells_scale_and_units_apart():
    table = symknot.compare(circle(), 0.05, methods=["fit", "abm", "gradient abm"], max_degree=2)
    assert [row.same_in_scale for row in table.rows] == [True, False, True]
    assert all(name in str(table) for name in ("fit", "gradient abm", "common zeros"))
    assert "time" not in table.text(times=False).splitlines()[1]


def test_compare_draws_planes_and_bars(tmp_path):
    for points, panels in ((circle(), 2), (twisted_cubic(), 1)):
        figure = symknot.compare(points, 0.05, methods=["vca", "oavi"], max_degree=2).plot(tmp_path / "family.png")
        assert len(figure.axes) == panels and (tmp_path / "family.png").stat().st_size > 1000


def test_what_is_said_above_a_panel_stays_there():
    figure = symknot.compare(circle(), 0.065, methods=["classical vca", "gradient abm", "border oavi"]).plot()
    figure.canvas.draw()
    boxes = [ax.title.get_window_extent() if ax.title.get_text() else ax._left_title.get_window_extent() for ax in figure.axes]
    assert len(boxes) == 3 and boxes[-1].x1 <= figure.bbox.x1
    assert all(left.x1 < right.x0 for left, right in zip(boxes, boxes[1:]))


def test_a_method_of_ones_own_joins_in():
    def lines(points, epsilon, max_degree, names):
        return family.oavi(points, epsilon, max_degree=1, names=names)
    row = symknot.compare(np.c_[np.arange(5.0), np.arange(5.0)], 0.01, methods={"lines": lines}).rows[0]
    assert row.method == "lines" and row.degrees == (1,) and row.reached == 5


def test_saved_results_open_again(tmp_path):
    for method in FIVE.values():
        found = method(CORNERS, 1e-6, names=["a", "b"])
        found.save(tmp_path / "found.json")
        again = symknot.load(tmp_path / "found.json")
        assert str(again) == str(found) and again.zero_count == found.zero_count
        np.testing.assert_array_equal(again.evaluate([[2.0, 3.0]]), found.evaluate([[2.0, 3.0]]))


@pytest.mark.parametrize("call, words", [
    (lambda: family.abm(CORNERS, 0.0), "epsilon must be a positive number, got 0.0"),
    (lambda: family.abm(CORNERS, 0.1, normalization="unit"), "one of 'coefficient', 'gradient'"),
    (lambda: family.nbm(CORNERS, [0.1, -1.0]), "epsilon must be positive"),
    (lambda: family.oavi(CORNERS, 0.1, oracle="magic"), "'inverse hessian'"),
    (lambda: family.thin(CORNERS, 0.1, way="up"), "'agglomerative', 'divisive'"),
    (lambda: family.thin(np.zeros((4000, 2)), 0.1), "at most 3000"),
    (lambda: family.avi([[1.0, np.nan]], 0.1), "must be finite"),
    (lambda: symknot.compare(CORNERS, 0.1, methods=["mavi"]), "among 'fit', 'vca'"),
    (lambda: family.oavi(CORNERS, 0.1, max_degree=1).neighbours(0), "the number of polynomials"),
])
def test_errors_are_for_people(call, words):
    with pytest.raises(symknot.InvalidOption if "finite" not in words else symknot.InvalidPoints, match=words.replace("(", "")):
        call()


def test_on_the_command_line(tmp_path, capsys):
    path = tmp_path / "circle.csv"
    np.savetxt(path, circle(), delimiter=",", header="x,y", comments="")
    picture = tmp_path / "family.png"
    assert main(["compare", str(path), "--methods", "fit,oavi", "--degree=2", "--epsilon=0.1", "--plot", str(picture)]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0].startswith("100 points of x, y; tolerance 0.1") and picture.exists()
    assert main(["compare", str(path), "--methods", "fit,oavi", "--degree", "2", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["result"]["rows"]
    assert [row["method"] for row in rows] == ["fit", "oavi"] and rows[0]["degrees"] == [2]
    assert main(["compare", str(path), "--methods", "nothing"]) == 2
    assert "--methods must be among" in capsys.readouterr().err


def test_every_method_is_compared():
    assert set(METHODS) >= {"fit", "vca", "nbm", "thinning", "avi", "abm", "gradient abm", "oavi", "border oavi"}


@pytest.mark.parametrize("size", [1e150, 1e300, 1e-200, 1e-310, [1e150, 1e-150], 5e-324])
@pytest.mark.parametrize("method", ["abm", "avi", "nbm", "oavi", "classical_vca", "thinning"])
def test_numbers_near_the_ends_of_floats_are_found_with_or_refused_in_words(method, size):
    """StopIteration on printing, and numpy's warnings; which are errors here."""
    find = getattr(family, method)
    t = np.linspace(0, 6, 12)
    options = {} if method == "thinning" else {"max_degree": 2}
    for epsilon in (1e-300, 1e-9, 0.1, 1e9):
        try:
            found = find(np.c_[np.cos(t), np.sin(t)] * size, epsilon, **options)
        except symknot.SymknotError:
            continue
        assert found.check().ok and all(" = " in line for line in str(found).splitlines()[:len(found.polynomials)])
