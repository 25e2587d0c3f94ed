"""Files that version 0.1 wrote still open, and say the same."""

import json
from pathlib import Path

import numpy as np
import pytest

import symknot

FILES = Path(__file__).parent / "data" / "version_0_1"
STARTS = {
    "ellipse": "4*cell_count**2 + x**2 = 4   +/- 0.01\n40 knots for 40 points",
    "square": "x**2 - x = 0   +/-",
    "nothing": "no equation\nno_gap: no equation stands clear",
    "ellipse_exact": "4*cell_count**2 + x**2 = 4   +/- 0.01\n40 knots, each in a box proved to hold a true zero",
    "square_exact": "x**2 - x = 0   +/- 0\ny**2 - y = 0   +/- 0\nexactly zero at each of 4 rational knots",
    "flow": "x' = y\ny' = -4*x\nnoise: x +/- 0.011, y +/- 0.011",
    "map": "x_next = -3.7*x**2 + 3.7*x\nnoise: x +/- 0.00096",
    "static": "x = 3*u/(u + 1)\nnoise: x +/- 0.0053",
    "implicit": "x + 0.25*y' = 0   +/- 1.1\n-x' + y = 0   +/- 1\nx'**2 + y'**2/4 = 4   +/- 1.1",
}


@pytest.mark.parametrize("name", STARTS)
def test_it_says_what_it_said(name):
    assert str(symknot.load(FILES / f"{name}.json")).startswith(STARTS[name])


@pytest.mark.parametrize("name", STARTS)
def test_saved_again_it_is_a_file_of_this_version(name, tmp_path):
    result = symknot.load(FILES / f"{name}.json")
    result.save(tmp_path / "again.json")
    assert str(symknot.load(tmp_path / "again.json")) == str(result)


def test_residuals_of_the_papers_convention_are_sums_over_the_points():
    ideal = symknot.load(FILES / "paper_vca.json")
    assert ideal.mass == 40 and not ideal.residual_is_distance
    assert 0 < ideal.noise_level < 1 and np.isfinite(ideal.noise).all()


def test_certificates_are_checked_as_before():
    from symknot.exact import verify

    assert verify.main([str(FILES / "square_certificate.json")]) == 0


def test_an_exported_system_is_read():
    from symknot.export import read_json_system

    system = read_json_system((FILES / "square_system.json").read_text())
    assert len(system.polynomials) == 2 and len(system.knots) == 4


def test_the_samples_are_of_version_0_1():
    versions = {json.loads(path.read_text()).get("version") for path in FILES.glob("*.json")}
    assert versions == {1}
