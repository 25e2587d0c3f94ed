"""Every table and figure of the paper, regenerated (extra ``paper``).

| module | what it holds |
|---|---|
| `datasets` | Iris, Wine, Vehicle, Vowel |
| `protocol` | one run: split, choose by cross-validation inside the training part, measure |
| `experiment` | all runs, each kept in a file, so that an interrupted command goes on |
| `tables` | Tables 1, 2, S1 with the paper's figures beside ours |
| `figures` | Figures 1 and 2 |
| `contrast` | where VCA's many features come from |
| `ratios` | Table 2 with as many knots as the paper's, which tell classes apart |
| `at_scale` | another paper's table: VCA, ABM, OAVI and this package on five data sets of UCI |

``symknot reproduce all`` is all of it; ``docs/paper.md`` shows what came out.

This room may import the rooms from `ground` to `estimators`.  A reader starts at `protocol`.
"""

from ..ground.errors import MissingExtra

try:
    import sklearn  # noqa: F401
except ImportError:
    raise MissingExtra("scikit-learn", "paper") from None

from .experiment import run_all
from .figures import draw_figure1, draw_figure2
from .protocol import Grid
from .tables import TABLES, csv_of, text_of

__all__ = ["TABLES", "Grid", "csv_of", "draw_figure1", "draw_figure2", "run_all", "text_of"]
