"""symknot: noisy points in, vanishing polynomials and data knots out.

>>> import numpy as np, symknot
>>> t = np.linspace(0, 6.2, 300)
>>> noise = 0.02 * np.random.default_rng(0).normal(size=(300, 2))
>>> ideal = symknot.fit(np.c_[np.cos(t), np.sin(t)] + noise)
>>> len(ideal.polynomials)
1
"""

from ._version import __version__
from .ground.errors import (EngineError, EngineMissing, FitInterrupted, InconsistentEquations, InvalidModel,
                            InvalidOption, InvalidPoints, MissingExtra, NoExactPolynomial, NotSupported,
                            SimulationFailed, Status, SymknotError, TimeLimit, TooLarge)
from .results.exact_ideal import ExactIdeal
from .results.points_ideal import PointsIdeal, points_ideal
from .results.exact_files import load_exact
from .results.ideal import DegreeRecord, Ideal, Polynomial
from .fitting.knotting import Penalty, Projection
from .results.loading import load
from .symbolic.readable import Readable, ReadableEquation
from .fitting.loop import fit, vca
from .fitting.spectrum import Gap, Spectrum, SpectrumDegree, spectrum
from .sysid.invariants.conserved import Conserved, conserved
from .sysid.motion.files import load_model
from .sysid.motion.identify import identify
from .sysid.motion.implicit import ImplicitModel
from .sysid.motion.model import KnottedRun, Model
from .sysid.motion.scoring import Score
from .sysid.runs.trajectories import Trajectories

__all__ = [
    "Conserved", "DegreeRecord", "EngineError", "EngineMissing", "ExactIdeal", "FitInterrupted", "Gap", "Ideal",
    "ImplicitModel", "InconsistentEquations", "InvalidModel", "InvalidOption", "InvalidPoints", "KnottedRun",
    "MissingExtra", "Model", "NoExactPolynomial", "NotSupported", "Penalty", "PointsIdeal", "Polynomial", "Projection",
    "Readable", "ReadableEquation", "Score", "SimulationFailed", "Spectrum", "SpectrumDegree", "Status", "SymknotError",
    "TimeLimit", "TooLarge", "Trajectories", "__version__", "conserved", "fit", "identify", "load", "load_exact",
    "load_model", "points_ideal", "spectrum", "vca",
]
