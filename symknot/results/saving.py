"""How results are saved and opened again: one registry of file formats.

A saved result is JSON with a ``format`` and a ``version``, numbers and names only.  The function that reads one back
is registered under its format and finds nothing but checked data types; whatever is wrong with a file ends in
`InvalidModel`.  A format of your own registers the same way:

>>> @reader("my format", versions=(1,))
... def read_mine(content):
...     return content["value"]
>>> forget("my format")
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

from ..ground.errors import InvalidModel
from ..ground.wording import beginning


class Reader(NamedTuple):
    """What reads one format: its versions, and the function from a file's content to a result."""

    versions: tuple[int, ...]
    read: Callable[[dict], Any]


READERS: dict[str, Reader] = {}


def reader(kind: str, versions: tuple[int, ...]) -> Callable:
    """Decorator: the function below it reads files of the format `kind`.

    It is given the whole JSON object, in which ``version`` is one of `versions`; KeyError, TypeError, ValueError,
    IndexError and OverflowError in it mean that the file is damaged.
    """
    def register(read: Callable[[dict], Any]) -> Callable[[dict], Any]:
        READERS[kind] = Reader(tuple(versions), read)
        return read
    return register


def forget(kind: str) -> None:
    """Take a format away again."""
    del READERS[kind]


def result_of(content: dict, path: str | os.PathLike[str]) -> Any:
    """The result in the content of the file at `path`, whatever its kind.

    Raises
    ------
    InvalidModel
        If the file holds no saved result, one of an unknown version, or a damaged one.
    """
    kind, version = content.get("format"), content.get("version")
    if not isinstance(kind, str) or kind not in READERS:
        known = ", ".join(sorted(READERS))
        raise InvalidModel(f"{path}: not a saved result (format {beginning(kind)!r}; known: {known})")
    versions, read = READERS[kind]
    if type(version) is not int or version not in versions:
        raise InvalidModel(f"{path}: {kind}, format version {beginning(version)}; this symknot reads version "
                           f"{' and '.join(map(str, versions))}")
    try:
        return read(content)
    except InvalidModel as error:
        raise InvalidModel(f"{path}: {error}") from None
    except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
        raise InvalidModel(f"{path}: damaged: {error!r}") from None
