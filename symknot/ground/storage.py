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
    """`value` (arrays, statuses, dataclasses, what has `as_json`, nested) as JSON data."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Status):
        return value.value
    if hasattr(value, "as_json"):
        return value.as_json()
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, (tuple, list)):
        return [plain(part) for part in value]
    return value


def write_json(path, kind, version, content):
    """Write `content` as JSON of this kind and version."""
    write_atomically(path, json.dumps({"format": kind, "version": version, **content}, allow_nan=False, indent=1))


def read_json(path, kind, version):
    """The content of a JSON file, after a look at its kind and version."""
    content = read_any_json(path)
    if content.get("format") != kind:
        raise InvalidModel(f"{path}: not a saved {kind} (no format {kind!r})")
    if content.get("version") != version or isinstance(content["version"], bool):
        raise InvalidModel(f"{path}: format version {content.get('version')!r}; this symknot reads version {version}")
    return content


def kind_of(path):
    """The format that a JSON file says it has; None if it says none."""
    return read_any_json(path).get("format")


def read_any_json(path):
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
