"""The one place where ``--json`` is made: what every command tells programs (docs/commandline.md lists the keys).

Numbers are numbers, and null where they are not finite; exact ones are strings, ``"3/4"``.  Keys are only ever added
within one `VERSION`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from os import PathLike
from typing import Any

from .._version import __version__
from ..ground.errors import Status

SCHEMA, VERSION = "symknot.cli", 1
"""What the documents call themselves, and the version of their keys: raised when one changes its meaning or goes."""
PLACES = ("file", "line", "row", "column")
"""Attributes of errors that say where something is."""


def document(command: str | None, exit_code: int, *, result: Any = None, error: Mapping[str, Any] | None = None,
             notes: Iterable[str] = (), files: Iterable[str | PathLike[str]] = ()) -> str:
    """The JSON object of one command, as text.

    Examples
    --------
    >>> text = document("solve", 0, result={"kind": "zeros", "zeros": [Fraction(1, 2), float("nan")]})
    >>> json.loads(text)["result"]
    {'kind': 'zeros', 'zeros': ['1/2', None]}
    """
    content = {"schema": SCHEMA, "version": VERSION, "symknot": __version__, "command": command, "exit_code": exit_code,
               "result": None if result is None else described(result), "error": error, "notes": list(notes),
               "files": [str(file) for file in files]}
    return json.dumps(_plain(content), allow_nan=False, indent=2)


def error_json(error: BaseException, sentence: str, option: str | None = None) -> dict[str, Any]:
    """An error as JSON data; `sentence` is what people read, `option` what it is about."""
    places = {name: getattr(error, name, None) for name in PLACES}
    if isinstance(error, OSError):
        places["file"] = error.filename
    return {"kind": type(error).__name__, "message": sentence, "option": option, **places}


def described(result: Any) -> Mapping[str, Any]:
    """A result of any command as JSON data."""
    if isinstance(result, Mapping):
        return result
    if hasattr(result, "gap"):
        return _spectrum(result)
    return _result(result)


def polynomial_json(poly: Any) -> dict[str, Any]:
    """A `sympy.Poly` in rational numbers."""
    from ..polynomials.conversion import terms_of
    from ..polynomials.equation import Equation

    class Plain(Equation):
        terms, variables, digits = terms_of(poly.as_expr(), poly.gens), poly.gens, {}
        names = tuple(map(str, poly.gens))
    return {**_equation(Plain()), "text": str(poly.as_expr())}


def _result(result: Any) -> dict[str, Any]:
    """A result of any class; what only some classes have comes last."""
    status = result.status
    told = {"kind": type(result).__name__, "names": result.names, "variables": [str(v) for v in result.variables],
            "status": status, "ok": status.ok, "message": result.message,
            "equations": [_equation(g) for g in result._shown_equations()],
            "noise": getattr(result, "noise", None), "knot_count": len(result.knots)}
    if hasattr(result, "outliers"):
        told |= {"estimates": [_equation(g) for g in result.uncertainty()] if result.polynomials else [],
                 "noise_errors": result.noise_errors, "noise_level": result.noise_level,
                 "noise_is_relative": result.law is not None, "epsilon": result.epsilon,
                 "delta": result.delta, "point_count": result.point_count, "outliers": result.outliers,
                 "alternatives": [{"message": rival.message, "equations": [_equation(g) for g in rival.readable()]}
                                  for rival in result.alternatives]}
    if hasattr(result, "route"):
        told |= {"route": result.route, "uncertified": result.uncertified, "partly_certified": result.partly_certified,
                 "remarks": result.notes}
    if hasattr(result, "targets"):
        told |= {"targets": result.targets}
    if hasattr(result, "right_hand_sides"):                         # what the states keep to is in their names alone
        kept = {name: [_equation(g) for g in getattr(result, name)] for name in ("constraints", "invariants")}
        rivals = [{"message": f"odds of {one.odds:.2g} against the model", "text": str(one)} for one in result.alternatives]
        told |= {"equations": [_equation(g) for g in result.polynomials], **kept, "states": result.state_names,
                 "hidden": result.hidden, "spikes": [one._asdict() for one in result.spikes], "alternatives": rivals}
    return told


def _equation(equation: Any) -> dict[str, Any]:
    errors = getattr(equation, "standard_errors", {})
    return {"text": str(equation), "latex": equation.latex(), "degree": equation.degree,
            "target": getattr(equation, "target", None), "residual": getattr(equation, "residual", None),
            "terms": [{"exponents": exponents, "coefficient": Fraction(value), "value": _nearest(value),
                       "standard_error": errors.get(exponents)} for exponents, value in equation.terms.items()]}


def _nearest(value: Fraction) -> float:
    """The nearest float; infinite beyond all floats."""
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _spectrum(spectrum: Any) -> dict[str, Any]:
    gap = spectrum.gap
    return {"kind": "Spectrum", "ok": gap is not None,
            "degrees": [{"degree": row.degree, "values": row.values, "point_count": row.points,
                         "points_left": row.points_left} for row in spectrum.degrees],
            "gap": gap and {name: getattr(gap, name) for name in ("degree", "count", "noise", "below", "above", "epsilon")}}


def _plain(value: Any) -> Any:
    """JSON data of what is made of numbers, arrays, exact numbers and texts."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Status):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if hasattr(value, "tolist"):                         # arrays and numbers of numpy
        return _plain(value.tolist())
    if isinstance(value, (Sequence, set, frozenset)):
        return [_plain(part) for part in value]
    return str(value)
