"""Plain JSON: numbers, names and flags in, the same out, never code; files written atomically.

Reading trusts nothing: every entry is checked to be of its kind, finite, and of the
expected shape, and nothing in a file is ever run.
"""

from __future__ import annotations

import errno
import io
import json
import math
import os
import re
import secrets
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from .errors import InvalidModel, InvalidOption, Status
from .wording import beginning

Kind = TypeVar("Kind")


NAME_TRIES = 100
"""Random names tried for a temporary file.  A convention: with 64 random bits not even the second is needed."""
MOST_LINKS = 40
"""Symbolic links followed one after the other: the same convention as Linux's."""


def write_atomically(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write text or bytes to `path`, all or nothing: through a file beside it that takes its place.

    Every thread and process has a temporary file of its own, newly made.  A symbolic link stays and its target is
    replaced; an existing file keeps its mode and, where the system allows it, its owner; one that may not be written to
    is not replaced.  Only regular files are replaced: what is written to a device, a pipe or ``/dev/stdout`` goes
    through it.

    Raises
    ------
    InvalidOption
        If `path` is no name of a file.
    OSError
        If it cannot be written: the old file is whole, and nothing is left beside it.
    """
    text = os.fsdecode(path)
    if not text or "\0" in text:
        raise InvalidOption("path", text, "the name of a file" + (", without the character NUL" if text else ""))
    data = content.encode() if isinstance(content, str) else content
    try:
        if not _written_through(text, data):
            _replace(os.path.realpath(text), data)
    except OSError as error:                            # of the file that was named, not of one beside it
        raise OSError(error.errno, error.strerror, text) from None


def _written_through(path: str, data: bytes) -> bool:
    """Write to what is no regular file, without replacing it; False if there is a regular file or nothing yet."""
    number = _descriptor(path)
    if number is None:
        try:
            kind = os.stat(path).st_mode
        except FileNotFoundError:
            return False
        if stat.S_ISREG(kind):
            return False
        number = os.open(path, os.O_WRONLY)             # says of a folder that it is one
    else:
        number = os.dup(number)
    for stream in (sys.stdout, sys.stderr):             # what was printed before comes before
        if stream is not None:
            stream.flush()
    with open(number, "wb", buffering=0) as file:
        _write_all(file, data)
    return True


def _descriptor(path: str) -> int | None:
    """The open file of this process that a path such as ``/dev/stdout`` stands for."""
    for _ in range(MOST_LINKS):
        match = re.fullmatch(r"/(?:dev|proc/(?:self|thread-self|\d+))/fd/(\d+)", os.path.join(
            os.path.realpath(os.path.dirname(path)), os.path.basename(path)))
        if match:
            own = os.path.realpath(os.path.dirname(path)) in (os.path.realpath("/proc/self/fd"), "/dev/fd")
            return int(match[1]) if own else None
        if not os.path.islink(path):
            return None
        path = os.path.join(os.path.dirname(path), os.readlink(path))
    return None


def _replace(path: str, data: bytes) -> None:
    with replacing(path) as file:
        _write_all(file, data)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[io.BufferedWriter]:
    """A file to be written piece by piece, which takes the place of `path` when all of it is there."""
    path = os.path.realpath(path)
    try:
        old = os.stat(path)
    except FileNotFoundError:
        old = None
    if old is not None and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    number, temporary = _new_file(os.path.dirname(path), 0o666 if old is None else 0o600)
    try:
        with open(number, "wb") as file:
            yield file
            file.flush()
            if old is not None and hasattr(os, "fchmod"):
                _keep_owner_and_mode(number, old)
            os.fsync(number)                            # a full disk is told now, not after the old file has gone
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _new_file(folder: str, mode: int) -> tuple[int, str]:
    """A file that was not there before, open for writing, and its path."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_BINARY", "O_NOINHERIT"):
        flags |= getattr(os, name, 0)
    for _ in range(NAME_TRIES):
        path = os.path.join(folder, f".symknot-{secrets.token_hex(8)}.part")
        try:
            return os.open(path, flags, mode), path
        except FileExistsError:
            continue
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))


def _keep_owner_and_mode(number: int, old: os.stat_result) -> None:
    mode = stat.S_IMODE(old.st_mode)
    if (old.st_uid, old.st_gid) != (os.fstat(number).st_uid, os.fstat(number).st_gid):
        try:
            os.fchown(number, old.st_uid, old.st_gid)
        except OSError:                                 # somebody else's file in a shared folder: it becomes one's own
            mode &= 0o777
    os.fchmod(number, mode)


def _write_all(file: io.RawIOBase | io.BufferedWriter, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) or 0:]


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


def different_names(value: Any) -> tuple[str, ...]:
    """`value` as names of variables: at least one, all of them different."""
    names = tuple(checked(name, str) for name in checked(value, list))
    if not names or len(set(names)) < len(names):
        raise ValueError("names must differ, and there must be at least one")
    return names


def not_negative(value: Any) -> float:
    """`value` as a finite float, zero or above."""
    if number(value) < 0:
        raise ValueError(f"need a number >= 0, got {value}")
    return float(value)


def floats(value: Any, shape: tuple[int | None, ...], each: Callable[[Any], float] = number) -> np.ndarray:
    """`value` as an array of finite floats, each as `each` wants it; None in `shape` stands for any length."""
    array = np.array(value, dtype=object)
    if array.size == 0:
        array = array.reshape([0 if size is None else size for size in shape])
    if array.ndim != len(shape) or any(want is not None and have != want for have, want in zip(array.shape, shape)):
        raise ValueError(f"array of shape {array.shape}, need {shape}")
    return np.array([each(entry) for entry in array.ravel()]).reshape(array.shape)


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
