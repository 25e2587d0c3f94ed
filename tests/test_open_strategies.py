"""Strategies from outside: a normalization and a knotting strategy of one's own, in about ten lines each."""

import numpy as np
import pytest

import symknot
from symknot.fitting.normalization import Gradient
from symknot.ground.linalg import whitening


class MixedNormalization(symknot.Normalization):
    """The mean square of the value at the data plus that of the gradient is 1: neither alone may be small."""

    name = "sobolev"
    needs_gradient = True

    def whiten(self, candidates, problem):
        values = problem.data_factor @ candidates
        return whitening(values.T @ values + candidates.T @ problem.gradient_gram @ candidates)


class NewtonSteps(symknot.Knotting):
    """Plain Newton steps onto the equations, with no regard to where they lead."""

    def move(self, equations, anchors, start, slack):
        for _ in range(8):
            values = equations.at(start)
            step = np.linalg.pinv(values.dG.transpose(0, 2, 1), rcond=1e-3) @ values.G[:, :, None]
            start = start - step[:, :, 0]
        return start


@pytest.fixture(scope="module")
def points():
    rng = np.random.default_rng(4)
    angle = rng.uniform(0, 2 * np.pi, 300)
    return np.c_[2 * np.cos(angle), np.sin(angle)] + 0.02 * rng.normal(size=(300, 2))


def is_the_ellipse(ideal):
    (g,) = ideal.polynomials
    x, y = ideal.variables
    ratio = g.poly.coeff_monomial(y**2) / g.poly.coeff_monomial(x**2)
    return g.degree == 2 and abs(ratio - 4) < 0.1


def test_a_normalization_from_outside(points, tmp_path):
    ideal = symknot.fit(points, 0.05, normalization=MixedNormalization(), max_degree=2)
    assert is_the_ellipse(ideal)
    assert np.abs(ideal.evaluate(ideal.knots)).max() < 1e-7
    ideal.save(tmp_path / "ideal.json")
    again = symknot.load(tmp_path / "ideal.json")
    assert again.normalization == "sobolev" and str(again) == str(ideal)
    with pytest.raises(symknot.InvalidOption, match="epsilon is no noise level"):
        symknot.fit(points, normalization=MixedNormalization())


def test_a_normalization_from_outside_may_find_epsilon_by_itself(points):
    class Steep(Gradient):
        """As the default one, under another name."""
        name = "steep"

    ideal = symknot.fit(points, normalization=Steep())
    same = symknot.fit(points)
    assert ideal.normalization == "steep" and str(ideal) == str(same)


def test_a_knotting_strategy_from_outside(points):
    ideal = symknot.fit(points, knotting=NewtonSteps())
    assert is_the_ellipse(ideal)
    assert np.abs(ideal.evaluate(ideal.knots)).max() < 1e-8
    assert not np.array_equal(ideal.knots, symknot.fit(points).knots)


@pytest.mark.parametrize("name, strategy", [("projection", symknot.Projection()), ("penalty", symknot.Penalty())])
def test_short_names_stand_for_default_objects(points, name, strategy):
    one, other = (symknot.fit(points, 0.05, max_degree=2, knotting=knotting) for knotting in (name, strategy))
    assert np.array_equal(one.knots, other.knots)


@pytest.mark.parametrize("option", ["normalization", "knotting"])
@pytest.mark.parametrize("wrong", ["l2", 3, Gradient, object()])
def test_anything_else_is_refused_in_words(points, option, wrong):
    with pytest.raises(symknot.InvalidOption, match=f"{option} must be one of .* or an object of a class derived from"):
        symknot.fit(points, 0.05, **{option: wrong})


def test_nothing_inside_asks_which_strategy_it_has():
    """No flag of the paper's convention, no comparing of names, no list of classes."""
    import re
    from pathlib import Path

    root = Path(symknot.__file__).parent
    forbidden = re.compile(r"follows_paper|normalization\s*[=!]=\s*[\"']"
                           r"|(?<!os)(?<!ax)(?<!error)(?<!field)\.name\s*[=!]=\s*[\"']"
                           r"|isinstance\([^)]*\(?(Projection|Penalty)")
    found = [f"{path.relative_to(root)}: {line.strip()}" for path in sorted(root.rglob("*.py"))
             for line in path.read_text(encoding="utf-8").splitlines() if forbidden.search(line)]
    assert found == []
