r"""A file that a long computation keeps its finished steps in: killed at any moment, the same call goes on from there.

One line for each record, with a checksum before it; lines are only ever added, and flushed to the disk before work goes
on.  What a kill or a full disk leaves of a line is not a line, and is cut off when the file is opened again.  The first line
says what the records belong to: a digest of data and options.  The file is locked as long as it is open, by the system,
which lets go of it however the process ends.

Records are JSON: numbers, names and flags, and floats come back to the last bit.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Iterable
from types import TracebackType
from typing import Any, BinaryIO

import numpy as np

from .errors import InvalidModel, InvalidOption

FORMAT, VERSION = "symknot checkpoint", 1
DIGEST = 16
"""Characters of the checksum of a line: a convention; 64 bits, and what it guards against is half a line."""


def digest(parts: Iterable[Any]) -> str:
    """What tells data and options from others: arrays by their bytes, all else by its text.

    Examples
    --------
    >>> digest([np.arange(3), "auto", None]) == digest([np.arange(3), "auto", None])
    True
    >>> digest([np.arange(3), "auto"]) == digest([np.arange(3.0), "auto"])
    False
    """
    found = hashlib.sha256()
    for part in parts:
        text = f"{part.dtype} {part.shape}" if isinstance(part, np.ndarray) else repr(part)
        found.update(f"{len(text)} {text}\n".encode())
        if isinstance(part, np.ndarray):
            found.update(np.ascontiguousarray(part).tobytes())
    return found.hexdigest()


class Journal:
    """The records of one computation; a context, in which the file is locked.

    Parameters
    ----------
    path : path-like
        Made if there is no such file; an empty one is taken, too.
    belongs_to : str
        `digest` of data and options.

    Raises
    ------
    InvalidOption
        The file belongs to other data or options, or another process has it open.
    InvalidModel
        It is no such file.
    OSError
        It cannot be read or written.
    """

    def __init__(self, path: str | os.PathLike[str], belongs_to: str) -> None:
        self.path = os.fspath(path)
        if not self.path or "\0" in self.path:
            raise InvalidOption("checkpoint", self.path, "the name of a file")
        number = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0), 0o666)
        self._file: BinaryIO = open(number, "r+b", buffering=0)
        try:
            self._lock()
            self.records = self._read(belongs_to)
        except BaseException:
            self._file.close()
            raise

    def _lock(self):
        try:
            if os.name == "nt":
                import msvcrt
                msvcrt.locking(self._file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                import fcntl
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:                             # a browser has one process
            pass
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EACCES, errno.EDEADLK):
                raise
            raise InvalidOption("checkpoint", self.path, "a file that no other process is writing to; wait for it, or name "
                                "another file") from None

    def _read(self, belongs_to):
        """The records that are whole; whatever comes after them is cut off."""
        lines, length, content = [], 0, self._file.read()
        for line in content.split(b"\n")[:-1]:
            record = _record(line)
            if record is None:
                break
            lines.append(record)
            length += len(line) + 1
        header = {"format": FORMAT, "version": VERSION, "belongs_to": belongs_to}
        if not lines and (b"\n" in content or not _begins_one(content[:DIGEST + 1])):
            raise InvalidModel(f"{self.path}: not a {FORMAT}; name a new file, or one that an earlier call has made")
        if lines and (not isinstance(lines[0], dict) or lines[0].get("format") != FORMAT):
            raise InvalidModel(f"{self.path}: not a {FORMAT}")
        if lines and lines[0] != header:
            raise InvalidOption("checkpoint", self.path, "of the same data, options and version of symknot as this call, or a "
                                "new file")
        self._cut(length)
        if not lines:
            self.add(header)
        return lines[1:]

    def _cut(self, length):
        self._file.truncate(length)
        self._file.seek(length)

    def add(self, record: Any) -> None:
        """Write one more record; on the disk when this returns.  If it cannot be written, those before it are whole."""
        text = json.dumps(record, allow_nan=False).encode()
        start, data = self._file.tell(), memoryview(_checksum(text) + b" " + text + b"\n")
        try:
            while data:
                data = data[self._file.write(data) or 0:]
            os.fsync(self._file.fileno())
        except OSError as error:
            self._cut(start)
            raise OSError(error.errno, error.strerror, self.path) from None

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()


def _checksum(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest()[:DIGEST].encode()


def _record(line: bytes) -> Any:
    """What a line holds; None if it is not whole."""
    checksum, _, text = line.partition(b" ")
    if checksum != _checksum(text):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _begins_one(start: bytes) -> bool:
    """Whether half a first line may be left of a checkpoint."""
    return all(letter in b"0123456789abcdef" for letter in start[:DIGEST]) and start[DIGEST:] in (b"", b" ")
