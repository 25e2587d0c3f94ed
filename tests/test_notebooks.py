"""Results in notebooks: typeset equations, a small picture, and no colour of their own where the notebook has one."""

from __future__ import annotations

import re
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest

import symknot
from symknot.showing import thumbnails
from symknot.showing.thumbnails import drawing_of, svg_of

from .browser import started
from .test_language import KINDS
from .test_layers import ROOT
from .test_reports import HOSTILE, hostile_fit, result_of


def parts(html):
    """The style and the block of a result."""
    style, block = re.fullmatch(r"<style>(.*?)</style>(<div.*</div>)", html, flags=re.DOTALL).groups()
    return style, block


def picture(html):
    """The small picture as XML."""
    return ElementTree.fromstring(re.search("<svg.*?</svg>", html, flags=re.DOTALL)[0])


@pytest.mark.parametrize("kind", KINDS)
def test_every_result_shows_formulas_numbers_and_a_picture(kind):
    result, _ = result_of(kind)
    html = result._repr_html_()
    _, block = parts(html)
    ElementTree.fromstring(block.replace("&nbsp;", " "))                     # every element is closed
    assert block.count("<math") >= len(result._shown_equations()) and kind in block
    drawn = picture(html)
    assert len(drawn.findall(".//{*}path") + drawn.findall(".//{*}circle")) > 1
    assert len(html) < 60_000 and "<script" not in html
    assert result._repr_latex_().startswith("$\\displaystyle \\begin{aligned}")


def test_the_style_touches_nothing_else_and_has_no_colours_of_its_own():
    style, _ = parts(result_of("Ideal")[0]._repr_html_())
    selectors = [one.strip() for rule in re.findall(r"([^{}]+)\{", style) for one in rule.split(",")]
    assert selectors and all(selector.startswith(".symknot-result") for selector in selectors)
    named = re.findall(r"(?:color|background)\s*:\s*([^;!}]+)", style)
    assert {word.strip() for word in named} == {"inherit", "transparent"} and "#" not in style


def test_hostile_names_are_text():
    html = hostile_fit()[0]._repr_html_()
    _, block = parts(html)
    assert "<img" not in block and "<script" not in block
    words = [text for node in picture(html).iter() if (text := node.text)]
    assert words == [thumbnails._shortened(name) for name in HOSTILE[:2]]


def test_a_fit_without_equations_has_no_picture():
    html = symknot.fit(np.random.default_rng(0).normal(size=(300, 2)))._repr_html_()
    assert "no equation" in html and "<svg" not in html and "<math" not in html


def test_pictures_need_no_matplotlib():
    source = ("import sys; sys.modules['matplotlib'] = None; sys.modules['plotly'] = None\n"
              "import symknot; html = symknot.points_ideal([(0, 0), (1, 0), (0, 1)], ['x', 'y'])._repr_html_()\n"
              "sys.exit(not ('<svg' in html and '<math' in html))")
    assert subprocess.run([sys.executable, "-c", source], cwd=ROOT, timeout=120).returncode == 0


def test_a_picture_is_where_the_points_are():
    scene = result_of("Ideal")[0]._scene().with_data(None)
    drawing = drawing_of(scene)
    np.testing.assert_allclose(np.hypot(*drawing.strokes[0].points.T), 1.0, atol=1e-6)
    drawn = ElementTree.fromstring(svg_of(drawing))
    circles = np.array([[float(dot.get("cx")), float(dot.get("cy"))] for dot in drawn.findall(".//{*}circle")])
    assert len(circles) == thumbnails.MOST_DOTS
    middle, radius = (circles.max(axis=0) + circles.min(axis=0)) / 2, np.ptp(circles, axis=0) / 2
    np.testing.assert_allclose(middle, [thumbnails.WIDTH / 2, thumbnails.HEIGHT / 2], atol=4)
    assert radius[0] == pytest.approx(radius[1], rel=0.05)                   # equal units: a circle is round
    assert (circles > 0).all() and (circles < [thumbnails.WIDTH, thumbnails.HEIGHT]).all()


def test_surfaces_are_shaded_faces():
    directions = np.random.default_rng(3).normal(size=(200, 3))
    points = directions / np.linalg.norm(directions, axis=1)[:, None] + 0.02 * np.random.default_rng(4).normal(size=(200, 3))
    (corners, brightness), = drawing_of(symknot.fit(points)._scene().with_data(None)).faces
    np.testing.assert_allclose(np.linalg.norm(corners, axis=2), 1.0, atol=0.02)
    assert brightness.min() < 0.1 and brightness.max() > 0.9


@pytest.fixture(scope="module")
def browser():
    with started() as browser:
        yield browser


@pytest.mark.parametrize("ground, letters", [("rgb(255, 255, 255)", "rgb(20, 20, 20)"),
                                             ("rgb(17, 17, 17)", "rgb(220, 220, 220)")])
def test_a_block_takes_the_colours_around_it(browser, ground, letters):
    page = browser.new_page()
    blocks = "".join(result_of(kind)[0]._repr_html_() for kind in ("Ideal", "Model"))
    page.set_content(f'<body style="background: {ground}; color: {letters}; width: 800px">{blocks}')
    seen = page.evaluate("""[...document.querySelectorAll(".symknot-result td, .symknot-result math, .symknot-result svg")].map(
        part => [getComputedStyle(part).color, getComputedStyle(part).backgroundColor, part.getBoundingClientRect().height])""")
    assert len(seen) > 10
    assert {colour for colour, _, _ in seen} == {letters} and {behind for _, behind, _ in seen} == {"rgba(0, 0, 0, 0)"}
    assert all(height > 5 for _, _, height in seen)
    page.close()
