"""Vanishing ideals as scikit-learn estimators (extra ``sklearn``).

| estimator | what it does |
|---|---|
| `KnottedIdeal` | transformer: the absolute values of one ideal's polynomials, with knots |
| `VCA` | the same without knots |
| `VanishingIdealClassifier` | one ideal per class, their features side by side, a linear SVM on top |
| `VanishingIdealRegressor` | the same for strata of a target, a ridge regression on top |
| `CompactSVC` | a linear SVM that leaves features out, the least missed first |
| `EquationsOfMotion` | regressor from times to states: `identify`, then simulation |
| `KnotReducer` | replaces the points of each class by its knots, with weights |
| `KnotNeighborsClassifier` | nearest neighbour on those knots |

All share the meaning of `epsilon`, which `symknot.estimators.per_class` explains.

This room may import the rooms from `ground` to `results`; `motion` also `sysid`.  A reader starts at `classifier`.
"""

from ..ground.errors import MissingExtra

try:
    import sklearn  # noqa: F401
except ImportError:
    raise MissingExtra("scikit-learn", "sklearn") from None

from .classifier import VanishingIdealClassifier
from .compact import CompactSVC
from .explanation import ClassEvidence, Explanation, Reason
from .motion import EquationsOfMotion
from .per_class import NoPolynomialWarning
from .prototypes import KnotNeighborsClassifier, KnotReducer
from .regressor import VanishingIdealRegressor
from .transformers import VCA, KnottedIdeal

__all__ = [
    "VCA", "ClassEvidence", "CompactSVC", "EquationsOfMotion", "Explanation", "KnotNeighborsClassifier", "KnotReducer",
    "KnottedIdeal", "NoPolynomialWarning", "Reason", "VanishingIdealClassifier", "VanishingIdealRegressor",
]
