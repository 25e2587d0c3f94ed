"""Equations beyond the square system are proved to hold at the certified zeros too."""

import json
from fractions import Fraction

import numpy as np
import pytest

from symknot.exact import verify
from symknot.exact.certificate import Certificate, also_zero_statement, zero_statement
from symknot.exact.krawczyk import certify_knots
from symknot.exact.syzygies import also_zero, syzygies


def polynomial(**terms):
    """``polynomial(x2=1, y=-1)``: x^2 - y, in x, y, z."""
    out = {}
    for key, value in terms.items():
        exponents = [0, 0, 0]
        for letter, power in zip(key[::2], key[1::2]):
            exponents["xyz".index(letter)] = int(power)
        out[tuple(exponents)] = Fraction(value)
    return out


CUBIC = [polynomial(x2=1, y1=-1), polynomial(x1y1=1, z1=-1), polynomial(y2=1, x1z1=-1)]
# of a cubic through (1, 1, 1)
MINORS = [polynomial(x1z1=1, y2=-1), polynomial(x1=1, y1z1=-1), polynomial(y1=1, z2=-1)]
SKEW = [polynomial(x1y1=1), polynomial(x1z1=2, x1=-1), polynomial(y1z1=2, y1=1),
        {(0, 0, 2): Fraction(4), (0, 0, 0): Fraction(-1)}]


def product_sum(relation, polynomials):
    total = {}
    for multiplier, terms in zip(relation, polynomials):
        for a, first in multiplier.items():
            for b, second in terms.items():
                key = tuple(i + j for i, j in zip(a, b))
                total[key] = total.get(key, 0) + first * second
    return {key: value for key, value in total.items() if value}


@pytest.mark.parametrize("polynomials", [CUBIC, MINORS, SKEW])
def test_syzygies_add_up_to_zero_identically(polynomials):
    found = syzygies(polynomials, 1)
    assert found
    for relation in found:
        assert any(relation) and product_sum(relation, polynomials) == {}


def test_independent_polynomials_have_only_the_trivial_syzygy():
    f, g = polynomial(x2=1, y1=-1), polynomial(y2=1, z1=-1)
    assert syzygies([f, g], 1) == []
    (relation,) = syzygies([f, g], 2)
    scale = relation[0][0, 2, 0] / g[0, 2, 0]
    assert relation[0] == {e: scale * v for e, v in g.items()} and relation[1] == {e: -scale * v for e, v in f.items()}


def certified(polynomials, points):
    zeros = certify_knots(polynomials, points, 1.0)
    proofs = also_zero(polynomials, zeros)
    statements = [zero_statement(k, zero) for k, zero in enumerate(zeros)]
    statements += [also_zero_statement(proof) for proof in proofs]
    return zeros, proofs, Certificate(("x", "y", "z"), polynomials, statements)


def on_cubic(t):
    return np.c_[t, t**2, t**3]


def test_every_quadric_through_the_twisted_cubic_is_zero_at_every_knot():
    points = on_cubic(np.linspace(-1, 1, 41)) + 1e-9
    zeros, proofs, certificate = certified(CUBIC, points)
    assert {k for proof in proofs for k in proof.preconditioners} == set(range(41))
    assert all(set(zero.chosen) | set(zero.bounds) == {0, 1, 2} for zero in zeros)
    assert certificate.verify()
    assert "exactly zero, too" in str(certificate)


def test_two_skew_lines_need_two_syzygies_at_once():
    points = [[s, 0, 0.5] for s in (0.3, 0.7, -0.9)] + [[0, s, -0.5] for s in (0.4, -0.8)]
    _, proofs, certificate = certified(SKEW, points)
    assert {k for proof in proofs for k in proof.preconditioners} == set(range(5))
    assert all(len(proof.syzygies) == 2 for proof in proofs)
    assert certificate.verify()


def test_nothing_is_proved_where_the_zero_of_the_subsystem_is_not_one_of_the_others():
    # x z = y^2 and x = y z meet in the cubic and in the line x = y = 0; on the line the third is z^2 - y = z^2, not 0
    points = [[0.0, 0.0, 0.7]]
    zeros = certify_knots(MINORS, points, 1.0, first=2)
    assert zeros[0].bounds[2] > Fraction(4, 10)
    assert also_zero(MINORS, zeros) == ()


def test_at_points_of_the_cubic_itself_the_same_system_is_completed():
    zeros = certify_knots(MINORS, [[1.0, 1.0, 1.0], [0.125, 0.25, 0.5]], 1.0, first=2)
    (proof,) = also_zero(MINORS, zeros)
    assert set(proof.preconditioners) == {0, 1} and proof.others == (2,)


TAMPERING = {
    "syzygy": lambda s: s["syzygies"][0][0][0].__setitem__(1, "0x7"),
    "matrix": lambda s: s["knots"][0].__setitem__(1, [[["0x0", "0x1"]]]),
    "knot without a zero": lambda s: s["knots"][0].__setitem__(0, 99),
    "another polynomial": lambda s: s.__setitem__("polynomials", [0]),
}


@pytest.mark.parametrize("how", TAMPERING)
def test_tampering_is_found(how):
    _, _, certificate = certified(CUBIC, on_cubic(np.array([0.3, 0.6])))
    content = json.loads(json.dumps(certificate.to_json()))
    statement = content["statements"][-1]
    assert statement["kind"] == "also zero"
    TAMPERING[how](statement)
    assert not verify.check_text(json.dumps(content))[-1].holds


@pytest.mark.parametrize("entry, value", [
    ("syzygies", []), ("syzygies", [[[]]]), ("syzygies", None), ("knots", []), ("knots", [[True, [[["0x1", "0x1"]]]]]),
    ("knots", [[0, [[["0x1", "0x1"], ["0x1", "0x1"]]]]]), ("polynomials", []), ("polynomials", [7])])
def test_damaged_statements_are_unreadable(entry, value):
    _, _, certificate = certified(CUBIC, on_cubic(np.array([0.3])))
    content = json.loads(json.dumps(certificate.to_json()))
    content["statements"][-1][entry] = value
    with pytest.raises(verify.Unreadable):
        verify.check_text(json.dumps(content))
