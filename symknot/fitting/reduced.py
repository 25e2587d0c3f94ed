r"""A fit of many variables: on the planes of their linear equations, and back.

Linear equations of many variables are found first (`planes`).  With orthonormal directions V across the planes and W along
them, and the mean m, inside,

.. math:: V^T (u - m) = 0, \qquad y = W^T (u - m) ,

the points have as many coordinates y as there are directions left, in which distances, and so noise, slopes and knots, are what
they were.  They are fitted as any points are; this finds further planes, or equations of higher degree, or none.  Its result is
that of the original variables with y written out: of the recursion only the first layer knows the variables, and only
that one changes.  Knots are put back on the planes, so the linear equations vanish on them exactly.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ..ground.errors import EARLY_ENDS, Status, ended_by
from ..ground.journal import Journal
from ..ground.progress import Progress
from ..polynomials.monomials import count
from ..polynomials.symbols import own_symbols
from ..reading.points import Points
from .finding import planes_first
from .fitted import DegreeRecord, Fitted
from .knotting import Knotting
from .loop import without_equations
from .normalization import Normalization
from .planes import Planes, planes_of
from .recursion import Layer, Products, Recursion
from .rivals import find
from .search import COEFFICIENTS_PER_POINT
from .settings import DEFAULT_COOLING, DEFAULT_DELTA, TOLERANCE, Options, Settings


def find_reduced(inside: Points, strategies: tuple[Normalization, Knotting], options: Options, progress: Progress,
                 names: Iterable[object] | None = None, journal: Journal | None = None) -> Fitted:
    """As `rivals.find`; where variables are many and epsilon is to be found, with linear equations first."""
    if options.epsilon is not None or options.noise == TOLERANCE or not strategies[0].residual_is_distance:
        return find(inside, strategies, options, progress, names, journal)
    try:
        planes = planes_of(inside, options.noise, options.loss)
    except EARLY_ENDS as end:
        nothing = Settings(*strategies, None, DEFAULT_DELTA, None, 0, DEFAULT_COOLING)
        return without_equations(inside, nothing, ended_by(end), own_symbols(names))
    if planes is None:
        return find(inside, strategies, options, progress, names, journal)
    on_them = find_reduced(planes.reduced(), strategies, options._replace(noise="given"), progress, None, journal)
    fitted = replace(_lifted(on_them, planes), symbols=own_symbols(names), noise_log_errors=planes.log_errors)
    return replace(fitted, spectrum=planes_first(planes, on_them.spectrum))


def _lifted(found: Fitted, planes: Planes) -> Fitted:
    """What was found on the planes in the original variables, with the planes themselves."""
    own, k, mass = planes.points, planes.count, found.mass
    knots = planes.mean + found.knots / own.unit @ planes.along.T
    residuals = planes.values[:k] * own.unit * np.sqrt(mass)
    shares = found.knot_weights / found.knot_weights.sum() * mass
    left = np.sqrt(shares @ ((knots - planes.mean) @ planes.across) ** 2) * own.unit
    recursion = found.recursion if found.recursion.layers else _linear(planes, found.recursion.constant)
    first = found.history[:1] or (DegreeRecord(1, 0, np.zeros(0), np.zeros(0), 0.0, planes.along.shape[1], 0, 0, 0,
                                               len(knots), 0.0),)
    first = (replace(first[0], data_values=np.concatenate([residuals, first[0].data_values]),
                     knot_values=np.concatenate([left, first[0].knot_values]), G_size=first[0].G_size + k,
                     essential=first[0].essential + k),)
    gap = planes_first(planes, found.spectrum).gap
    assert gap is not None
    status = _status(found, planes)
    message = found.message if status is found.status else status.advice
    return replace(
        found, names=own.names, center=own.center, scale=own.scale, unit=own.unit, status=status, message=message,
        recursion=_in_all_variables(recursion, planes), essential=np.concatenate([np.ones(k, bool), found.essential]),
        residuals=np.concatenate([residuals, found.residuals]), knot_residuals=np.concatenate([left, found.knot_residuals]),
        knots=own.outside(knots), epsilon=max(gap.epsilon, found.epsilon or 0.0), history=first + found.history[1:],
        outliers=np.union1d(planes.outliers, found.outliers).astype(int),
        alternatives=tuple(_lifted(one, planes) for one in found.alternatives))


def _status(found, planes):
    """How it ended: a fit that found nothing on the planes has found the planes."""
    if found.status.ok or found.status not in (Status.NO_GAP, Status.NO_POLYNOMIAL):
        return found.status
    if planes.is_trend:
        return Status.TREND
    carried = count(planes.along.shape[1], 2) - 1 <= COEFFICIENTS_PER_POINT * planes.points.effective_count
    return Status.SETTLED if carried else Status.UNRESOLVED


def _linear(planes, constant):
    """The recursion of a fit that ended before its first degree: coordinates along the planes, of unit size."""
    r = planes.along.shape[1]
    F = np.vstack([np.zeros(r), np.diag(constant / planes.values[planes.count:])])[:, ::-1]
    return Recursion(r, constant, (Layer(Products(np.arange(r), np.zeros(r, int), np.eye(r)), F, np.zeros((1 + r, 0)),
                                         np.ones(r, bool)),))


def _in_all_variables(recursion, planes):
    """The recursion with y written out, and the equations of the planes in its first layer."""
    d, layer, mean = len(planes.mean), recursion.layers[0], planes.mean

    def written_out(columns, turn):
        slopes = turn @ columns[1:]
        return np.vstack([columns[0] - mean @ slopes / recursion.constant, slopes])

    across = np.vstack([np.zeros(planes.count), np.eye(planes.count)])
    G = np.hstack([written_out(across, planes.across), written_out(layer.G, planes.along)])
    first = Layer(Products(np.arange(d), np.zeros(d, int), np.eye(d)), written_out(layer.F, planes.along), G, layer.adjustable)
    return Recursion(d, recursion.constant, (first, *recursion.layers[1:]))
