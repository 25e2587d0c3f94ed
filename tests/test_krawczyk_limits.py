"""How far a center may be from its knot, which unit of length counts, and what does not pass: by known answers."""

from fractions import Fraction

import pytest

from symknot.exact import krawczyk
from symknot.exact.krawczyk import CertifiedZero, Uncertified, certify_knot, certify_knots

from .test_krawczyk import CIRCLE, poly


@pytest.mark.parametrize("radius, passes", [(1.24, True), (1.27, False), (1.35, False), (0.8, True), (0.7, False)])
def test_a_center_is_at_most_a_quarter_of_the_scale_from_its_knot(radius, passes):
    """Newton's steps are (r^2 - 1) / (2 r) long: .217 and .017; .241 and .028, of which each is short enough; .305."""
    found = certify_knot([CIRCLE], [radius, 0.0], scale=1.0)
    assert isinstance(found, CertifiedZero) == passes
    if not passes:
        assert found.reason == "Newton's method does not converge to a zero near the knot"


def test_half_the_largest_spread_of_a_variable_over_the_knots_is_the_scale():
    first, _ = certify_knots([poly("y - 4")], [[0, 4], [8, 4]])
    assert first.radii == (Fraction(4, 2**60),) * 2
    alone = certify_knot([poly("y - 4")], [1, 4])
    assert alone.radii == (Fraction(4, 2**60),) * 2                  # of one knot its largest coordinate
    origin = certify_knot([poly("y - x")], [0, 0])
    assert origin.radii == (Fraction(1, 2**60),) * 2


def test_a_margin_of_one_proves_nothing(monkeypatch):
    tried = []

    def margin(self, bits):
        tried.append(bits)
        return Fraction(1), ()

    monkeypatch.setattr(krawczyk._SquareSystem, "margin", margin)
    found = certify_knot([CIRCLE], [0.6, 0.8])
    assert isinstance(found, Uncertified) and found.reason == "no box passes, up to 2**-20 of the scale"
    assert tried == [60, 52, 44, 36, 28, 20]
