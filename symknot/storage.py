"""Plain JSON: numbers, names and flags in, the same out, never code; files written atomically.

Reading trusts nothing: every entry is checked to be of its kind, finite, and of the
expected shape, and nothing in a file is ever run.
"""

from __future__ import annotations

import json
import math
import os
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np

from .errors import InvalidModel, Status
from .layers import Layer, Products, Recursion
from .spectrum import Gap, Spectrum, SpectrumDegree


def write_atomically(path, content):
    """Write text or bytes to `path` through a file beside it: all or nothing."""
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        temporary.write_bytes(content.encode() if isinstance(content, str) else content)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def plain(value):
    """`value` (arrays, statuses, recursions, dataclasses, nested) as JSON data."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Status):
        return value.value
    if isinstance(value, Recursion):
        return {"dimension": value.dimension, "constant": value.constant,
                "layers": [{"left": layer.products.left.tolist(), "right": layer.products.right.tolist(),
                            "F": _matrix(layer.F), "G": _matrix(layer.G), "adjustable": layer.adjustable.tolist()}
                           for layer in value.layers]}
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, (tuple, list)):
        return [plain(part) for part in value]
    return value


def _matrix(array):
    return {"shape": list(array.shape), "entries": array.ravel().tolist()}


def write_json(path, kind, version, content):
    """Write `content` as JSON of this kind and version."""
    write_atomically(path, json.dumps({"format": kind, "version": version, **content}, allow_nan=False, indent=1))


def read_json(path, kind, version):
    """The content of a JSON file, after a look at its kind and version."""
    content = _read(path)
    if content.get("format") != kind:
        raise InvalidModel(f"{path}: not a saved {kind} (no format {kind!r})")
    if content.get("version") != version or isinstance(content["version"], bool):
        raise InvalidModel(f"{path}: format version {content.get('version')!r}; this symknot reads version {version}")
    return content


def kind_of(path):
    """The format that a JSON file says it has; None if it says none."""
    return _read(path).get("format")


def _read(path):
    """The object in a JSON file; {} where there is something else."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"), parse_constant=_refuse_constant)
    except InvalidModel:
        raise
    except (ValueError, RecursionError) as error:       # bad text, bad JSON, integers of thousands of digits
        raise InvalidModel(f"{path}: not a JSON file ({error})") from None
    return content if isinstance(content, dict) else {}


def _refuse_constant(text):
    raise InvalidModel(f"numbers must be finite, got {text}")


def stored_recursion(content):
    """The `Recursion` that `plain` wrote."""
    dimension = checked(content["dimension"], int)
    if dimension < 1:
        raise ValueError(f"dimension {dimension}")
    recursion = Recursion(dimension, number(content["constant"]))
    for layer in checked(content["layers"], list):
        sizes = recursion.sizes
        first, last = (dimension, 1) if recursion.degree == 0 else (sizes[1], sizes[-1])
        left, right = whole_numbers(layer["left"], 0, first), whole_numbers(layer["right"], 0, last)
        if len(left) != len(right) or (recursion.degree == 0 and len(left) != dimension):
            raise ValueError("products of unequal length")
        rows = sum(sizes) + len(left)
        F, G = (_stored_matrix(layer[key], rows) for key in "FG")
        products = Products(left, right, np.eye(len(left)))
        recursion = recursion.with_layer(Layer(products, F, G, flags(layer["adjustable"], F.shape[1])))
    return recursion


def _stored_matrix(content, rows):
    shape = tuple(checked(size, int) for size in content["shape"])
    if len(shape) != 2 or shape[0] != rows or shape[1] < 0:
        raise ValueError(f"matrix of shape {shape}, need {rows} rows")
    return floats(content["entries"], (shape[0] * shape[1],)).reshape(shape)


def stored_spectrum(content):
    """The `Spectrum` (or None) that `plain` wrote."""
    if content is None:
        return None
    degrees = tuple(SpectrumDegree(checked(row["degree"], int), floats(row["values"], (None,)),
                                   number(row["held_out"]), number(row["points_left"]), number(row["points"])) for row in checked(content["degrees"], list))
    gap = content["gap"]
    if gap is not None:
        gap = Gap(**{field.name: checked(gap[field.name], int) if field.name in ("degree", "count")
                     else number(gap[field.name]) for field in fields(Gap)})
    return Spectrum(degrees, gap, number(content["spread"]))


def checked(value, kind):
    """`value`, which must be of this built-in kind."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ValueError(f"need {kind.__name__}, got {str(value)[:40]!r}")
    return value


def number(value):
    """`value` as a finite float."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError(f"need a finite number, got {str(value)[:40]!r}")
    return float(value)


def positive(value):
    """`value` as a finite float above zero."""
    if number(value) <= 0:
        raise ValueError(f"need a positive number, got {value}")
    return float(value)


def floats(value, shape):
    """`value` as an array of finite floats; None in `shape` stands for any length."""
    array = np.array(value, dtype=object)
    if array.size == 0:
        array = array.reshape([0 if size is None else size for size in shape])
    if array.ndim != len(shape) or any(want is not None and have != want for have, want in zip(array.shape, shape)):
        raise ValueError(f"array of shape {array.shape}, need {shape}")
    return np.array([number(entry) for entry in array.ravel()]).reshape(array.shape)


def whole_numbers(value, low, high):
    """`value` as whole numbers from `low` up to but not `high`."""
    array = np.array([checked(entry, int) for entry in checked(value, list)], dtype=np.int64)
    if array.size and not (low <= array.min() and array.max() < high):
        raise ValueError(f"index outside {low} to {high - 1}")
    return array


def flags(value, count):
    """`value` as `count` booleans."""
    if len(checked(value, list)) != count or not all(isinstance(entry, bool) for entry in value):
        raise ValueError(f"need {count} flags")
    return np.array(value, dtype=bool)
