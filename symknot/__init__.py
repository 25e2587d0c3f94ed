"""symknot: noisy points in, vanishing polynomials and data knots out.

>>> import numpy as np, symknot
>>> t = np.linspace(0, 6.2, 300)
>>> noise = 0.02 * np.random.default_rng(0).normal(size=(300, 2))
>>> ideal = symknot.fit(np.c_[np.cos(t), np.sin(t)] + noise)
>>> len(ideal.polynomials)
1

Names are loaded when they are used: ``import symknot`` itself costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ._version import __version__

if TYPE_CHECKING:
    from .family.comparing import Comparison, compare
    from .family.generators import Generator, Generators
    from .fitting.fitted import DegreeRecord
    from .fitting.knotting import Knotting
    from .fitting.normalization import Normalization
    from .fitting.penalty import Penalty
    from .fitting.projection import Projection
    from .fitting.spectrum import Gap, Spectrum, SpectrumDegree
    from .ground.errors import (
        EngineError,
        EngineMissing,
        FitInterrupted,
        InconsistentEquations,
        InvalidModel,
        InvalidOption,
        InvalidPoints,
        MissingExtra,
        NoExactPolynomial,
        NotProved,
        NotSupported,
        ReadingNote,
        SimulationFailed,
        Status,
        SymknotError,
        TimeLimit,
        TooLarge,
    )
    from .opening import load
    from .proof.ideals import prove_groebner, prove_same_ideal
    from .proof.proving import Proof, prove
    from .reading.sources import read
    from .reading.tables import Table
    from .results.exact_ideal import ExactIdeal
    from .results.fit import fit, spectrum, vca
    from .results.ideal import Ideal
    from .results.points_ideal import PointsIdeal, points_ideal
    from .results.readable import Readable
    from .symbolic.polynomial import Polynomial
    from .symbolic.readable import ReadableEquation
    from .sysid.invariants.conserved import conserved
    from .sysid.invariants.conserved_result import Conserved
    from .sysid.invariants.proving import prove_conserved
    from .sysid.laws.identify import identify
    from .sysid.motion.implicit import ImplicitModel
    from .sysid.motion.knotted import KnottedRun
    from .sysid.motion.model import Model
    from .sysid.motion.scoring import Score
    from .sysid.runs.trajectories import Trajectories
    from .sysid.space.identify_field import identify_field

_PLACES = {
    "family.comparing": ("Comparison", "compare"),
    "family.generators": ("Generator", "Generators"),
    "fitting.fitted": ("DegreeRecord",),
    "fitting.knotting": ("Knotting",),
    "fitting.normalization": ("Normalization",),
    "fitting.penalty": ("Penalty",),
    "fitting.projection": ("Projection",),
    "fitting.spectrum": ("Gap", "Spectrum", "SpectrumDegree"),
    "ground.errors": ("EngineError", "EngineMissing", "FitInterrupted", "InconsistentEquations", "InvalidModel",
                      "InvalidOption", "InvalidPoints", "MissingExtra", "NoExactPolynomial", "NotProved", "NotSupported",
                      "ReadingNote", "SimulationFailed", "Status", "SymknotError", "TimeLimit", "TooLarge"),
    "opening": ("load",),
    "proof.ideals": ("prove_groebner", "prove_same_ideal"),
    "proof.proving": ("Proof", "prove"),
    "reading.sources": ("read",),
    "reading.tables": ("Table",),
    "results.exact_ideal": ("ExactIdeal",),
    "results.fit": ("fit", "spectrum", "vca"),
    "results.ideal": ("Ideal",),
    "results.points_ideal": ("PointsIdeal", "points_ideal"),
    "results.readable": ("Readable",),
    "symbolic.polynomial": ("Polynomial",),
    "symbolic.readable": ("ReadableEquation",),
    "sysid.invariants.conserved": ("conserved",),
    "sysid.invariants.conserved_result": ("Conserved",),
    "sysid.invariants.proving": ("prove_conserved",),
    "sysid.laws.identify": ("identify",),
    "sysid.motion.implicit": ("ImplicitModel",),
    "sysid.motion.knotted": ("KnottedRun",),
    "sysid.motion.model": ("Model",),
    "sysid.motion.scoring": ("Score",),
    "sysid.runs.trajectories": ("Trajectories",),
    "sysid.space.identify_field": ("identify_field",),
}
_MODULE_OF = {name: module for module, names in _PLACES.items() for name in names}
_ROOMS = ("ground", "polynomials", "reading", "fitting", "symbolic", "engines", "exact", "export", "proof", "showing",
          "results", "sysid", "family", "estimators", "paper", "cli")

__all__ = [
    "Comparison", "Conserved", "DegreeRecord", "EngineError", "EngineMissing", "ExactIdeal", "FitInterrupted", "Gap",
    "Generator", "Generators", "Ideal", "ImplicitModel", "InconsistentEquations", "InvalidModel", "InvalidOption",
    "InvalidPoints", "KnottedRun", "Knotting", "MissingExtra", "Model", "NoExactPolynomial", "Normalization",
    "NotProved", "NotSupported", "Penalty", "PointsIdeal", "Polynomial", "Projection", "Proof", "Readable",
    "ReadableEquation", "ReadingNote", "Score", "SimulationFailed", "Spectrum", "SpectrumDegree", "Status",
    "SymknotError", "Table", "TimeLimit", "TooLarge", "Trajectories", "__version__", "compare", "conserved", "fit",
    "identify", "identify_field", "load", "points_ideal", "prove", "prove_conserved", "prove_groebner", "prove_same_ideal",
    "read", "spectrum", "vca",
]


def __getattr__(name: str) -> object:
    if name in _MODULE_OF:
        value = getattr(import_module(f".{_MODULE_OF[name]}", __name__), name)
        globals()[name] = value
        return value
    if name in _ROOMS:
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_ROOMS})
