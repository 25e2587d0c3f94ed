"""``python -m symknot.cli``."""

import sys

from . import main

sys.exit(main())
