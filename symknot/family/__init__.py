"""The family: the other methods that find nearly vanishing polynomials of points, behind one interface.

| method | what it promises | where |
|---|---|---|
| `abm` | border basis, one monomial at a time; also gradient-weighted | `abm` |
| `avi` | border basis, a degree at a time | `avi` |
| `classical_vca` | vanishing component analysis as published; `symknot.vca` is the one to use | `classical` |
| `nbm` | polynomials that may vanish within given precision, each by itself | `nbm` |
| `oavi` | generators by convex oracles | `oavi`, `oracles` |
| `thinning` | exact ideal of points that stand for others | `thinning` |
| `border_basis` | approximate border basis of a fit | `abm` |

Each returns `Generators`; `symknot.compare` puts them beside `symknot.vca` and `symknot.fit`.

This room may import the rooms from `ground` to `results`.  A reader starts at `order_ideals`, then `abm`.
"""

from .abm import abm, border_basis
from .avi import avi
from .classical import classical_vca
from .comparing import Comparison, compare
from .generators import Generator, Generators
from .nbm import nbm
from .oavi import oavi
from .oracles import ConditionalGradients, InverseHessian, Oracle
from .thinning import Thinned, thin, thinning

__all__ = ["Comparison", "ConditionalGradients", "Generator", "Generators", "InverseHessian", "Oracle", "Thinned", "abm", "avi",
           "border_basis", "classical_vca", "compare", "nbm", "oavi", "thin", "thinning"]
