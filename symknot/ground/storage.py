"""Plain JSON: numbers, names and flags in, the same out, never code; files written atomically.

Reading trusts nothing: every entry is checked to be of its kind, finite, and of the
expected shape, and nothing in a file is ever run.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from .errors import InvalidModel, Status
from .wording import beginning

Kind = TypeVar("Kind")


def write_atomically(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write text or bytes to `path` through a file beside it: all or nothing."""
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        temporary.write_bytes(content.encode() if isinstance(content, str) else content)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def plain(value: Any) -> Any:
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


def write_json(path: str | os.PathLike[str], kind: str, version: int, content: Mapping[str, Any]) -> None:
    """Write `content` as JSON of this kind and version."""
    write_atomically(path, json.dumps({"format": kind, "version": version, **content}, allow_nan=False, indent=1))


def read_json(path: str | os.PathLike[str], kind: str, version: int) -> dict[str, Any]:
    """The content of a JSON file, after a look at its kind and version."""
    content = read_any_json(path)
    if content.get("format") != kind:
        raise InvalidModel(f"{path}: not a saved {kind} (no format {kind!r})")
    if content.get("version") != version or isinstance(content["version"], bool):
        raise InvalidModel(f"{path}: format version {content.get('version')!r}; this symknot reads version {version}")
    return content


def kind_of(path: str | os.PathLike[str]) -> Any:
    """The format that a JSON file says it has; None if it says none."""
    return read_any_json(path).get("format")


def read_any_json(path: str | os.PathLike[str]) -> dict[str, Any]:
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


def checked(value: Any, kind: type[Kind]) -> Kind:
    """`value`, which must be of this built-in kind."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ValueError(f"need {kind.__name__}, got {beginning(value)!r}")
    return value


def number(value: Any) -> float:
    """`value` as a finite float."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError(f"need a finite number, got {beginning(value)!r}")
    return float(value)


def positive(value: Any) -> float:
    """`value` as a finite float above zero."""
    if number(value) <= 0:
        raise ValueError(f"need a positive number, got {value}")
    return float(value)


def floats(value: Any, shape: tuple[int | None, ...]) -> np.ndarray:
    """`value` as an array of finite floats; None in `shape` stands for any length."""
    array = np.array(value, dtype=object)
    if array.size == 0:
        array = array.reshape([0 if size is None else size for size in shape])
    if array.ndim != len(shape) or any(want is not None and have != want for have, want in zip(array.shape, shape)):
        raise ValueError(f"array of shape {array.shape}, need {shape}")
    return np.array([number(entry) for entry in array.ravel()]).reshape(array.shape)


def whole_numbers(value: Any, low: int, high: int) -> np.ndarray:
    """`value` as whole numbers from `low` up to but not `high`."""
    array = np.array([checked(entry, int) for entry in checked(value, list)], dtype=np.int64)
    if array.size and not (low <= array.min() and array.max() < high):
        raise ValueError(f"index outside {low} to {high - 1}")
    return array


def flags(value: Any, count: int) -> np.ndarray:
    """`value` as `count` booleans."""
    if len(checked(value, list)) != count or not all(isinstance(entry, bool) for entry in value):
        raise ValueError(f"need {count} flags")
    return np.array(value, dtype=bool)
