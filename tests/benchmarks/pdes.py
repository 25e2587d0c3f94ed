"""Partial differential equations from noisy fields, beside pysindy's weak library on the same data.

Run from the top of the checkout::

    python -m tests.benchmarks.pdes [--seeds N] [--only NAME]
    python -m tests.benchmarks.pdes --peer          # where pysindy is installed (2.1 was used); needs no symknot

Fields are those of `tests.fields_in_space`, with Gaussian noise of the given percentage of each component's standard deviation.
symknot gets degree 2 (3 for the reaction) and derivatives up to the fourth, and nothing else.  pysindy gets the same degree
and order (order 2 without interactions for the reaction, which is easier for it), 300 rectangles, and is tried with 3 sizes of
rectangles and 6 thresholds of STLSQ with normalised columns: *right* counts seeds where any of these 18 settings has exactly
the true terms, which no user can know; *settings* how many of the 18 on average.  *error* is the largest relative error of a
coefficient, the median over seeds that were right (the best of pysindy's settings).
"""

from __future__ import annotations

import argparse
import os
import statistics
import time

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before numpy is imported

import numpy as np

from tests.fields_in_space import SYSTEMS, SpaceSystem

PERCENTS = (1, 5)
SHARES = (0.04, 0.08, 0.15)
"""Half widths of pysindy's rectangles, as shares of the grid."""
THRESHOLDS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
DOMAINS = 300


def ours(system: SpaceSystem, percent: float, seed: int) -> tuple[str, float | None]:
    """right, said or wrong, and the largest relative error."""
    import symknot
    from symknot.sysid.space.identify_field import term_name

    x, t, u = system.noisy(percent, seed)
    names = "uv"[: len(system.equations)]
    model = symknot.identify_field(u, x, t, system.degree, 4)
    true = {(f"{name}_t", term_name(np.array(e), q, names)): c
            for name, own in zip(names, system.equations) for (e, q), c in own.items()}
    found = {(one.target, str(one.monomial)): one.estimate for one in model.estimates}
    if set(found) != set(true):
        return "wrong" if model.status.value == "found" and not model.message else "said", None
    return "right", max(abs(found[key] / true[key] - 1) for key in true)


def peer_truth(system: SpaceSystem) -> list[dict[str, float]]:
    """The equations in pysindy's names: x0 for u, x0x0_1 for u u_x."""
    out = []
    for own in system.equations:
        terms = {}
        for (e, q), c in own.items():
            text = "".join(f"x{i}" * power for i, power in enumerate(e))
            if q and sum(e) == 2:                                   # (u**2)_x is 2 u u_x; there are no other products
                text, c = f"x0x0_{'1' * q}", 2 * c
            elif q:
                text += f"_{'1' * q}"
            terms[text] = c
        out.append(terms)
    return out


def peer(system: SpaceSystem, percent: float, seed: int) -> tuple[int, float | None]:
    """How many settings are right, and the least largest error."""
    import pysindy

    x, t, u = system.noisy(percent, seed)
    grid = np.stack(np.meshgrid(x, t, indexing="ij"), axis=-1)
    values = pysindy.AxesArray(u.transpose(1, 0, 2), {"ax_spatial": [0], "ax_time": 1, "ax_coord": 2})
    truth, two = peer_truth(system), len(system.equations) > 1
    right, errors = 0, []
    for share in SHARES:
        np.random.seed(0)                                            # pysindy draws the rectangles' centres from here
        library = pysindy.WeakPDELibrary(
            function_library=pysindy.PolynomialLibrary(degree=system.degree, include_bias=False), spatiotemporal_grid=grid,
            derivative_order=2 if two else 4, include_interaction=not two, K=DOMAINS,
            H_xt=[share * np.ptp(x), share * np.ptp(t)])
        features = np.asarray(library.fit_transform([values])[0])
        targets = np.asarray(library.convert_u_dot_integral(values))
        names = [_plain(name) for name in library.get_feature_names()]
        for threshold in THRESHOLDS:
            rows = pysindy.STLSQ(threshold=threshold, alpha=1e-8, normalize_columns=True).fit(features, targets).coef_
            found = [{name: c for name, c in zip(names, row) if c} for row in np.atleast_2d(rows)]
            if all(set(a) == set(b) for a, b in zip(found, truth)):
                right += 1
                errors.append(max(abs(a[key] / b[key] - 1) for a, b in zip(found, truth) for key in b))
    return right, min(errors, default=None)


def _plain(name: str) -> str:
    """x0^2 as x0x0, products without spaces."""
    parts = []
    for part in name.split():
        base, _, power = part.partition("^")
        parts.append(base * int(power) if power.isdigit() else part)
    return "".join(parts)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default="", help="beginning of a system's name")
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--peer", action="store_true")
    arguments = parser.parse_args()
    kinds = f"{'settings':>9}" if arguments.peer else f"{'said':>6}{'wrong':>6}"
    print(f"{'field':<22}{'noise':>6}{'seeds':>6}{'right':>6}{kinds}{'error':>10}{'seconds':>9}")
    for system in SYSTEMS:
        for percent in PERCENTS if system.name.startswith(arguments.only) else ():
            outcomes, seconds = [], []
            for seed in range(arguments.first_seed, arguments.first_seed + arguments.seeds):
                start = time.process_time()
                outcomes.append((peer if arguments.peer else ours)(system, percent, seed))
                seconds.append(time.process_time() - start)
            first = [one for one, _ in outcomes]
            if arguments.peer:
                counts = f"{sum(n > 0 for n in first):>6}{statistics.mean(first):>9.1f}"
            else:
                counts = "".join(f"{first.count(one):>6}" for one in ("right", "said", "wrong"))
            errors = [error for _, error in outcomes if error is not None]
            error = f"{statistics.median(errors):>10.1e}" if errors else f"{'-':>10}"
            print(f"{system.name:<22}{percent:>5}%{len(outcomes):>6}{counts}{error}{statistics.median(seconds):>9.1f}",
                  flush=True)


if __name__ == "__main__":
    main()
