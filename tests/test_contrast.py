"""Where VCA's features come from, counted on points whose ideals are known; and Table 2 at the paper's ratios."""

from __future__ import annotations

import numpy as np
import pytest

import symknot
from symknot.cli import main
from symknot.family.classical import classical_vca, vanishing_by_degree
from symknot.paper.contrast import Counts, contrast_cells, contrast_text, counts, run_contrast
from symknot.paper.ratios import RATIOS, run_ratios
from symknot.paper.tables import text_of

CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]])


def circle(count=100):
    angle = np.linspace(0, 6.2, count)
    return np.c_[np.cos(angle), np.sin(angle)]


def test_layers_are_what_the_method_returns():
    found = classical_vca(circle(), 1e-6, max_degree=4)
    layers = list(vanishing_by_degree(circle(), 1e-6, 4))
    assert [g.degree for g in found.polynomials] == [layer.degree for layer in layers for _ in layer.sizes]
    assert found.zero_count == sum(layer.zero_count for layer in layers) > 0
    np.testing.assert_allclose([g.measure for g in found.polynomials], np.concatenate([layer.sizes for layer in layers]))


@pytest.mark.parametrize("degree", [2, 3, 4])
def test_of_a_circle_one_polynomial_is_neither_zero_nor_redundant(degree):
    """x*y - y*x is zero, what begins with degree 3 is a multiple of x**2 + y**2 - 1."""
    of = counts(circle(), np.zeros(100), 1e-6, degree)
    assert of.neither == 1 and of.essential == 1 + (of.everything - of.nonzero)
    assert (of.nonzero == 1) == (degree == 2) and of.everything > of.nonzero
    assert not of.ended and of.reached == degree


def test_without_a_limit_degrees_end_where_nothing_is_left():
    """Four corners, x**2 = y**2 = 1: products of degree 3 all vanish."""
    of = counts(CORNERS, np.zeros(4), 1e-9, None)
    assert (of.neither, of.reached, of.ended) == (2, 3, True)
    assert counts(np.vstack([CORNERS, CORNERS]), np.repeat([0, 1], 4), 1e-9, None) == Counts(
        *(2 * value for value in of[:4]), of.degree, 3, True)                      # classes add up


def test_what_is_neither_is_what_symknot_finds():
    for X, ours in ((circle(), 1), (CORNERS, 2)):
        assert counts(X, np.zeros(len(X)), 1e-6, 3).neither == len(symknot.vca(X, 1e-6, max_degree=3).polynomials) == ours


def test_the_table_of_iris():
    found = run_contrast(("iris",))
    small, usual = found["iris", 0.01, None], found["iris", 0.7, 2]
    assert usual.everything == usual.neither < 15              # as in Table 1: twelve
    assert small.everything > 5 * small.neither                # a small epsilon, and no limit of degree
    text = contrast_text(found)
    assert len(text.splitlines()) == 2 + len(found) and "| iris (63, degree 2.0) | 0.01 | any (" in text
    assert {cell.quantity for cell in contrast_cells(found)} == {"everything", "nonzero", "essential", "neither", "degree"}


@pytest.mark.slow
def test_the_command(tmp_path, capsys):
    assert main(["reproduce", "contrast", "-o", str(tmp_path)]) == 0
    assert "| vehicle (4148, degree 2.5) | 0.01 | at most 3 |" in capsys.readouterr().out
    assert (tmp_path / "contrast.csv").read_text().startswith("data,row,quantity,mean")


def test_as_many_knots_as_the_papers():
    records = run_ratios(("iris",), runs=2, seed=11)
    for run in records["iris"]:
        row = run["knots_apart"]
        assert row["knotting_ratio"] <= 0.08 and row["knots"] > 0.9 and row["knots"] >= row["centroids"] - 0.04
    assert "| iris | told apart | 0.9" in text_of(RATIOS, records) and "(0.08) |" in text_of(RATIOS, records)


@pytest.mark.slow
def test_the_command_for_ratios(tmp_path, capsys):
    assert main(["reproduce", "ratios", "--runs", "1", "-o", str(tmp_path)]) == 0
    assert "| vehicle | told apart |" in capsys.readouterr().out
    assert (tmp_path / "ratios.csv").read_text().count("\n") == 17
