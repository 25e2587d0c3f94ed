"""Small matrices gain nothing from BLAS threads, and two cores have other work; what a test starts need not compile anew."""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

# Processes that tests start keep the compiled package for the next one: half a second each, of a hundred and more.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
