"""symknot: noisy points in, vanishing polynomials and data knots out.

>>> import numpy as np, symknot
>>> t = np.linspace(0, 6.2, 300)
>>> noise = 0.02 * np.random.default_rng(0).normal(size=(300, 2))
>>> ideal = symknot.fit(np.c_[np.cos(t), np.sin(t)] + noise)
>>> len(ideal.polynomials)
1
"""

from ._version import __version__
from .errors import (FitInterrupted, InconsistentEquations, InvalidModel, InvalidOption, InvalidPoints, MissingExtra,
                     Status, SymknotError)
from .ideal import DegreeRecord, Ideal, Polynomial, load
from .knotting import Penalty, Projection
from .readable import Readable, ReadableEquation
from .solve import fit, vca
from .spectrum import Gap, Spectrum, SpectrumDegree, spectrum

__all__ = [
    "DegreeRecord", "FitInterrupted", "Gap", "Ideal", "InconsistentEquations", "InvalidModel", "InvalidOption",
    "InvalidPoints", "MissingExtra", "Penalty", "Polynomial", "Projection", "Readable", "ReadableEquation", "Spectrum",
    "SpectrumDegree", "Status", "SymknotError", "__version__", "fit", "load", "spectrum", "vca",
]
