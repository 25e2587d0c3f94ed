"""Small matrices gain nothing from BLAS threads, and two cores have other work; what a test starts need not compile anew."""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

# Processes that tests start keep the compiled package for the next one: half a second each, of a hundred and more.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

LONG = ("documents", "examples", "reports", "readme", "notebooks", "engines_guard", "packaging", "pictures", "paper",
        "checkpoints", "conserved", "estimators", "fit_contract", "clusters", "export_engines", "certificate", "determinism",
        "varieties", "estimators_checks")
"""Modules that take more than some ten seconds (measured, about), most of them the longest first: begun at the end, one of them
would keep a single worker busy while the other has nothing left to do."""


def pytest_collection_modifyitems(items):
    places = {f"tests/test_{name}.py": place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: places.get(item.nodeid.split("::")[0], len(LONG)))
