"""Are known equations recovered whatever the noise: units, unequal noise, outliers, mild curvature; and none from clouds?

Run from the top of the checkout::

    python -m tests.benchmarks.noise
    python -m tests.benchmarks.noise --only units unequal --group first second --n 500 --seeds 1
    python -m tests.benchmarks.noise --only outliers cloud --csv noise.csv

The rows are the kinds of :mod:`tests.benchmarks.noise_kinds`; ``symknot.fit(points)`` runs with nothing else (but in the rows
"epsilon" and "max-degree", which give the true noise and the true degree). Rows about noise take every shape of the groups;
those about outliers, mild curvature, yes/no columns and clouds have shapes of their own. Columns:

right
    Of the cases that count, those whose equations have the right number and degrees and whose coefficient space is at most
    10 degrees from the true one (see `tests.benchmarks.recovery`; here in coordinates divided by each column's own standard
    deviation, so that units play no part). Of clouds: those from which no equation is claimed.
abstained, wrong, crashed
    What became of the others: no equation (or only a trend, by its status) / equations that are not right, which includes
    too few of them / an exception or the timeout. Of a cloud any equation is wrong.
unclear
    Cases left out of the count, because the truth does not stand clear of the rest: s_(k+1) < 2 s_k, as in
    `tests.benchmarks.recovery`, the slopes being measured in units of the true noise of each variable (of each number where
    it differs from point to point; a variable without noise counts as having a thousandth of the loudest). "-" in rows
    that count every case. In brackets how many of these are wrong ("?" with --clear, which does not fit them).
seconds
    Median and longest time of a fit, on one core.
more
    *degrees*: right in number and degrees, whatever the angle, where that differs. *attainable*: right in number and
    degrees, and within the angle that an efficient estimate keeps 99 times in 100 (`tests.benchmarks.attainable`), or 10
    degrees if that is more; in the rows "mild" and "arcs", where it differs. *noise*: share of variables whose reported
    noise is within 20 % of the truth, over the fits that are right and the variables whose noise the data determine: twice
    its reported standard error is no more than that. A variable without noise passes below 20 % of the loudest. *unsaid*:
    the other variables. *named*: precision and recall of ``ideal.outliers``; a replaced point counts for recall only where
    it lies more than 4 sigma from the shape. *same*: equations that are those of the same points in the shape's own units,
    within a thousandth of a degree (both none is the same). *auto*: right without the option, and how many of those are not
    right with it. *exact*: claims from clouds that hold exactly on all points, as whole numbers allow.
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import multiprocessing
import os
import signal
import statistics
import sys
import time
import warnings
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import sympy as sp

from tests.benchmarks.attainable import attainable_angle
from tests.benchmarks.noise_kinds import GROUPS, KINDS, Case, Sample, cases_of, sample_of
from tests.benchmarks.recovery import CLEAR, ONE_THREAD, _give_up, gap
from tests.varieties import coefficient_space, principal_angle, recovery_angle, spread

FARTHEST = 10.0
"""Degrees between the found and the true space within which a fit is right: a convention, as in `recovery`."""
SAME = 1e-3
"""Degrees within which two fits of the same points are the same: far above rounding, far below the effect of noise."""
QUIET = 1e-3
"""Noise of a variable without any, over the loudest, where clearness is computed: a convention that keeps slopes finite."""
WITHIN = 0.2
"""Relative error of a reported noise that passes: the issue's."""
GROSS = 4.0
"""Distance from the shape, in sigma, from which a replaced point can be told from the others. A good
one goes farther once in 16 000 where there is one equation, once in 3 000 across a curve in space."""

EXACT = 1e-6
"""Distance of a point from a zero, over the spread, below which it is taken for one: a convention, between the rounding of
expanded polynomials of degree 12 and any noise."""


@dataclass(frozen=True)
class Run:
    """What one fit came to; see the module's docstring."""

    kind: str
    shape: str
    percent: float
    variant: int
    n: int
    seed: int
    gap: float
    counts: bool
    expected: str
    degrees: str
    right: bool
    abstained: bool
    angle: float
    attainable: float
    seconds: float
    status: str
    message: str
    crash: str
    noise_passed: int = 0
    noise_asked: int = 0
    noise_unsaid: int = 0
    named: int = 0
    named_rightly: int = 0
    gross: int = 0
    gross_named: int = 0
    twin_right: bool | None = None
    same: bool | None = None
    exact: bool = False


@dataclass(frozen=True)
class Fit:
    """One call of `fit`: the result, or how it crashed."""

    ideal: object | None
    polys: tuple[sp.Poly, ...]
    degrees: tuple[int, ...]
    seconds: float
    crash: str


def _fit(points: np.ndarray, options: dict, timeout: float) -> Fit:
    import symknot

    ideal, polys, degrees, crash = None, (), (), ""
    signal.signal(signal.SIGALRM, _give_up)
    signal.setitimer(signal.ITIMER_REAL, timeout)
    start = time.perf_counter()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ideal = symknot.fit(points, **options)
    except Exception as error:
        crash = f"{type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    seconds = time.perf_counter() - start
    if ideal is not None and "trend" not in f"{ideal.status.name} {ideal.status.value}".lower():
        found = sorted(ideal.polynomials, key=lambda p: p.degree)
        polys, degrees = tuple(p.poly for p in found), tuple(p.degree for p in found)
    return Fit(ideal, polys, degrees, seconds, " ".join(crash.split()))


# ------------------------------------------------------------------------------------------------------ the comparison


def scaled(poly: sp.Poly, factors: np.ndarray) -> sp.Poly:
    """The polynomial in u, where x = factors * u."""
    return sp.Poly.from_dict({e: float(c) * float(np.prod(factors**e)) for e, c in poly.terms()}, *poly.gens)


def _columns(sample: Sample) -> tuple[np.ndarray, np.ndarray]:
    """Centre and standard deviation of each column in the variety's units, without the outliers."""
    kept = np.delete(sample.points, sample.outliers, axis=0) / sample.units
    own = kept.std(axis=0)
    return kept.mean(axis=0), np.where(own > 0, own, 1.0)


def _angle(sample: Sample, fit: Fit, units: np.ndarray) -> float:
    """From the found to the true space, in columns of unit standard deviation."""
    centre, own = _columns(sample)
    truth = dataclasses.replace(sample.variety, generators=tuple(scaled(p, own).as_expr() for p in sample.variety.polys))
    return recovery_angle([scaled(poly, own * units) for poly in fit.polys], truth, centre / own, 1.0)


def _attainable(sample: Sample) -> float:
    """Ten degrees, or what the bound allows if that is more, in columns of mean zero and unit standard deviation."""
    if sample.exact is None:
        return FARTHEST
    (centre, own), variety = _columns(sample), sample.variety
    moved = {v: c + s * v for v, c, s in zip(variety.variables, centre, own)}
    standard = dataclasses.replace(variety, generators=tuple(g.subs(moved, simultaneous=True) for g in variety.generators))
    return max(FARTHEST, attainable_angle((sample.exact - centre) / own, standard, sample.noise / own))


def _is_right(sample: Sample, fit: Fit, units: np.ndarray) -> tuple[bool, float]:
    if not fit.polys:
        return False, np.nan
    angle = _angle(sample, fit, units)
    return fit.degrees == sample.variety.degrees and angle <= FARTHEST, angle


def _are_the_same(sample: Sample, fit: Fit, twin: Fit) -> bool:
    """Whether a fit and that of its twin have the same equations."""
    if fit.crash or fit.degrees != twin.degrees:
        return False
    centre, own = _columns(sample)
    each = [[scaled(poly, own * units) for poly in polys]
            for polys, units in ((fit.polys, sample.units), (twin.polys, np.ones(len(own))))]  # fmt: skip
    spaces = ([coefficient_space(polys, len(own), t, centre / own) for polys in each] for t in set(fit.degrees))
    return all(principal_angle(*pair) <= SAME for pair in spaces)


def _noise_report(sample: Sample, fit: Fit) -> dict:
    reported = getattr(fit.ideal, "noise", None)
    true = sample.noise
    if reported is None or np.shape(reported) != true.shape:
        return {"noise_asked": len(true)}
    allowed = WITHIN * np.where(true > 0, true, true.max())
    said = getattr(fit.ideal, "noise_errors", np.zeros(len(true))) / sample.units <= allowed / 2
    passed = np.abs(np.asarray(reported, dtype=float) / sample.units - true) <= allowed
    return {"noise_asked": int(said.sum()), "noise_passed": int(np.sum(passed & said)), "noise_unsaid": int(np.sum(~said))}


def _outlier_report(sample: Sample, rows: Iterable[int]) -> dict:
    """`rows` are those that the result names."""
    named = {int(row) for row in rows}
    away = sample.variety.distance(sample.points[sample.outliers]) > GROSS * np.max(sample.noise)
    gross = {int(row) for row in sample.outliers[away]}
    return {"named": len(named), "named_rightly": len(named & {int(row) for row in sample.outliers}), "gross": len(gross),
            "gross_named": len(named & gross)}  # fmt: skip


def _clearness(sample: Sample) -> float:
    kept = np.delete(sample.points, sample.outliers, axis=0) / sample.units
    return gap(kept, sample.variety, np.maximum(sample.noise, QUIET * np.max(sample.noise)))


def _hold_exactly(points: np.ndarray, fit: Fit) -> bool:
    """Whether every equation is zero at all points: to first order, each lies within EXACT of the spread from a zero.

    The size of terms says nothing here: those of one far point dwarf all others.
    """
    for poly in fit.polys:
        value, *slopes = (np.broadcast_to(sp.lambdify(poly.gens, p.as_expr())(*points.T), len(points))
                          for p in (poly, *map(poly.diff, poly.gens)))  # fmt: skip
        if np.any(np.abs(value) > EXACT * spread(points) * np.linalg.norm(slopes, axis=0)):
            return False
    return bool(fit.polys)


def run_clear(task: tuple[Case, float]) -> Run | None:
    """The same, but None, without a fit, where the case does not count."""
    case = task[0]
    sample = sample_of(case)
    counts = not KINDS[case.kind].only_clear or sample.variety is None or _clearness(sample) >= CLEAR
    return run(task) if counts else None


def run(task: tuple[Case, float]) -> Run:
    """Sample, fit and compare."""
    case, timeout = task
    sample, kind = sample_of(case), KINDS[case.kind]
    fit = _fit(sample.points, sample.options, timeout)
    ideal, more, clearance, angle, expected = fit.ideal, {}, np.inf, np.nan, ()
    attainable = _attainable(sample)
    if sample.variety is None:
        right = not fit.polys and not fit.crash
        more["exact"] = not right and not fit.crash and _hold_exactly(sample.points, fit)
    else:
        expected, clearance = sample.variety.degrees, _clearness(sample)
        right, angle = _is_right(sample, fit, sample.units)
        if kind.reports_noise and right:
            more |= _noise_report(sample, fit)
        if len(sample.outliers):
            more |= _outlier_report(sample, getattr(ideal, "outliers", ()))
    if sample.twin:
        twin = _fit(sample.points / sample.units, {}, timeout)
        more["twin_right"] = _is_right(sample, twin, np.ones(len(sample.units)))[0]
        if not sample.options:
            more["same"] = _are_the_same(sample, fit, twin)
    return Run(
        **dataclasses.asdict(case),
        gap=clearance,
        counts=not kind.only_clear or clearance >= CLEAR,
        expected=" ".join(map(str, expected)),
        degrees=" ".join(map(str, fit.degrees)),
        right=right,
        abstained=not fit.polys and not fit.crash and not right,
        angle=angle,
        attainable=attainable,
        seconds=fit.seconds,
        status=ideal.status.name if ideal is not None else "",
        message=" ".join(str(ideal.message).split()) if ideal is not None else "",
        crash=fit.crash,
        **more,
    )


# ----------------------------------------------------------------------------------------------------------- the report

HEADER = f"{'kind':<17}{'right':>9}{'':>7}{'abstained':>10}{'wrong':>6}{'crashed':>8}  {'unclear':<9}{'seconds':>13}  more"


def _is_wrong(r: Run) -> bool:
    return not (r.right or r.abstained or r.crash)


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole}" + (f" = {part / whole:.0%}" if whole else "")


def _more(counted: list[Run]) -> str:
    words = []
    right_in_degrees = sum(r.degrees == r.expected and not r.crash for r in counted)
    if right_in_degrees != sum(r.right for r in counted) and not counted[0].kind.startswith("cloud"):
        words.append(f"degrees {right_in_degrees}")
    within = sum(r.degrees == r.expected and r.angle <= r.attainable for r in counted)
    if any(r.attainable > FARTHEST for r in counted) and within != sum(r.right for r in counted):
        words.append(f"attainable {within}")
    if asked := sum(r.noise_asked for r in counted):
        unsaid = sum(r.noise_unsaid for r in counted)
        words.append(f"noise {_share(sum(r.noise_passed for r in counted), asked)}" + (f", unsaid {unsaid}" if unsaid else ""))
    if gross := sum(r.gross for r in counted):
        named = sum(r.named for r in counted)
        words.append(f"named: precision {_share(sum(r.named_rightly for r in counted), named)}, "
                     f"recall {_share(sum(r.gross_named for r in counted), gross)}")  # fmt: skip
    compared = [r for r in counted if r.same is not None]
    if compared:
        words.append(f"same {_share(sum(r.same for r in compared), len(compared))}")
    elif any(r.twin_right is not None for r in counted):
        lost = sum(r.twin_right and not r.right for r in counted)
        words.append(f"auto {sum(bool(r.twin_right) for r in counted)}, lost {lost}")
    if exact := sum(r.exact for r in counted):
        words.append(f"exact {exact}")
    return "; ".join(words)


def row(runs: list[Run], not_fitted: int = 0) -> str:
    """One line for the runs of one kind; so many cases more do not count and were not fitted."""
    counted, unclear = [r for r in runs if r.counts], [r for r in runs if not r.counts]
    right, total = sum(r.right for r in counted), len(counted)
    left_out = f"{len(unclear)} ({sum(map(_is_wrong, unclear))})" if KINDS[runs[0].kind].only_clear else "-"
    left_out = f"{not_fitted} (?)" if not_fitted else left_out
    times = [r.seconds for r in runs]
    return (
        f"{runs[0].kind:<17}{f'{right}/{total}':>9}{f'{right / max(total, 1):.0%}':>7}"
        f"{sum(r.abstained for r in counted):>10}{sum(map(_is_wrong, counted)):>6}{sum(bool(r.crash) for r in counted):>8}"
        f"  {left_out:<9}{statistics.median(times):>7.2f}{max(times):>6.1f}  {_more(counted) if counted else ''}"
    ).rstrip()


def details(runs: list[Run]) -> list[str]:
    """The cases that count and are not right, each on a line."""
    return [
        f"  {r.shape}, {r.percent:g} %, variant {r.variant}, N {r.n}, seed {r.seed}: "
        f"degrees {r.degrees or 'none'} for {r.expected or 'none'}, angle {r.angle:.3g}, gap {r.gap:.3g}, "
        f"{r.seconds:.1f} s [{r.status}] {r.crash}"[:200].rstrip()
        for r in runs
        if r.counts and not r.right
    ]


def _arguments(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.noise", description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", metavar="KIND", help="names of kinds, or beginnings of names")
    parser.add_argument("--group", nargs="+", choices=list(GROUPS), default=["first", "second"], help="groups of shapes")
    parser.add_argument("--cases", nargs="+", metavar="SHAPE", help="shapes of these groups, whole or in part")
    parser.add_argument("--n", type=int, default=500, help="number of points, where the kind does not say it")
    parser.add_argument("--seeds", type=int, default=1, help="how many seeds")
    parser.add_argument("--first-seed", type=int, default=0, help="where the seeds start")
    parser.add_argument("--jobs", type=int, default=2, help="processes, each with one thread")
    parser.add_argument("--clear", action="store_true", help="fit only the cases that count")
    parser.add_argument("--timeout", type=float, default=120, help="seconds after which a fit counts as crashed")
    parser.add_argument("--details", action="store_true", help="below each row, the cases that are not right")
    parser.add_argument("--csv", help="write every run to this file")
    options = parser.parse_args(argv)
    chosen = {part: [part] if part in KINDS else [k for k in KINDS if k.startswith(part)] for part in options.only or [""]}
    for part, kinds in chosen.items():
        if not kinds:
            parser.error(f"no kind begins with {part!r}; there are {', '.join(KINDS)}")
    options.kinds = [kind for kind in KINDS if any(kind in kinds for kinds in chosen.values())]
    names = [variety.name for group in options.group for variety in GROUPS[group]]
    options.names = [name for name in names if not options.cases or any(part in name for part in options.cases)]
    if not options.names:
        parser.error(f"no shape of these groups is called {' or '.join(options.cases)}; there are {', '.join(names)}")
    return options


def main(argv: list[str] | None = None) -> None:
    """Run the benchmark and print its table."""
    options = _arguments(argv)
    os.environ.update(ONE_THREAD)  # read by the children when they import numpy: hence "spawn", not "fork"
    seeds = range(options.first_seed, options.first_seed + options.seeds)
    print(HEADER)
    runs: list[Run] = []
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        for kind in options.kinds:
            tasks = [(case, options.timeout) for case in cases_of(kind, options.names, options.n, seeds)]
            done = [one for one in pool.imap(run_clear if options.clear else run, tasks) if one is not None]
            if done:
                print("\n".join([row(done, len(tasks) - len(done)), *(details(done) if options.details else ())]), flush=True)
            runs += done
    if options.csv:
        with open(options.csv, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, [entry.name for entry in dataclasses.fields(Run)])
            writer.writeheader()
            writer.writerows(dataclasses.asdict(r) for r in runs)


if __name__ == "__main__":
    sys.exit(main())
