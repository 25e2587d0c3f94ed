"""A fit with what the search says about it, and its rivals: other descriptions that the search cannot rule out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..ground.deadline import Deadline
from ..ground.errors import EARLY_ENDS, ENDED_EARLY, Status, ended_by
from ..ground.journal import Journal
from ..ground.progress import Progress
from ..polynomials.symbols import own_symbols
from ..reading.points import Points
from .finding import Finding
from .fitted import Fitted
from .knotting import Knotting
from .loop import run, without_equations
from .normalization import Normalization
from .progressed import Stage
from .settings import DEFAULT_COOLING, DEFAULT_DELTA, Options, Settings, found_settings, searched_settings
from .work import loop_limit


def find(inside: Points, strategies: tuple[Normalization, Knotting], options: Options, progress: Progress,
         names: Iterable[object] | None = None, journal: Journal | None = None) -> Fitted:
    """Polynomials and knots of points that are inside already; see `symknot.fit`.

    Parameters
    ----------
    inside : Points
    strategies : (Normalization, Knotting)
    options : Options
    progress : None, bool or callable
    names : iterable, optional
        As given to `symknot.fit`; symbols among them are kept.
    journal : Journal, optional
        Where finished degrees are kept, and from which the fit goes on.

    Returns
    -------
    Fitted
        Ctrl-C ends it with what was finished and `Status.INTERRUPTED`, a deadline likewise and `Status.OUT_OF_TIME`.
    """
    symbols = own_symbols(names)
    try:
        settings, finding = searched_settings(inside, strategies, options)
    except EARLY_ENDS as end:
        nothing = Settings(*strategies, None, DEFAULT_DELTA, None, 0, DEFAULT_COOLING)
        return without_equations(inside, nothing, ended_by(end), symbols)
    if finding is not None:
        inside = finding.points
    if settings.epsilon is None:
        fitted = without_equations(inside, settings, Status.NO_GAP, symbols)
    else:
        limit = Deadline() if options.says_more else loop_limit(*inside.values.shape)
        fitted = run(inside, settings, progress, symbols, Stage(journal, "fit"), limit)
    if finding is None:
        return fitted if options.epsilon is None else replace(fitted, epsilon=options.epsilon)
    return with_evidence(fitted, settings, finding, options, journal)


def with_evidence(fitted: Fitted, settings: Settings, finding: Finding, options: Options,
                  journal: Journal | None = None) -> Fitted:
    """The fit with what the search says about it, and its rivals."""
    fitted = replace(fitted, noise_log_errors=finding.noise_log_errors, outliers=finding.outliers)
    if options.epsilon is not None:
        return replace(fitted, epsilon=options.epsilon)
    if finding.is_trend and fitted.status.ok and fitted.essential.any():
        fitted = replace(fitted, status=Status.TREND, message=Status.TREND.advice)
    elif finding.doubt and fitted.status is Status.SETTLED:
        fitted = replace(fitted, status=Status.UNRESOLVED, message=finding.doubt)
    fitted = replace(fitted, spectrum=finding.spectrum)
    if finding.unfinished and fitted.status not in ENDED_EARLY:
        return replace(fitted, status=Status.WORK_LIMIT, message=f"{finding.unfinished}: {Status.WORK_LIMIT.advice}")
    if not fitted.status.ok:
        return fitted
    rivals = tuple(_rival(settings, rival, options, fitted.symbols, Stage(journal, f"rival {place}"))
                   for place, rival in enumerate(finding.rivals))
    for rival in rivals:
        if rival.status in ENDED_EARLY:
            return replace(fitted, status=rival.status, message=rival.status.advice)
    return replace(fitted, alternatives=tuple(rival for rival in rivals if rival.essential.any()))


def _rival(settings, rival, options, symbols, stage):
    """The fit of a rival description, up to its own degree; its message is the evidence."""
    nothing = replace(settings, epsilon=None, gap=None, start=None, max_degree=rival.searched.found.degree)
    limit = Deadline() if options.says_more else loop_limit(*rival.points.values.shape)
    fitted = run(rival.points, found_settings(nothing, options, rival), False, symbols, stage, limit)
    return replace(fitted, noise_log_errors=rival.noise_log_errors, outliers=rival.outliers, message=rival.case)
