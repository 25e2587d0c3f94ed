"""From the bytes of a file to its text: compression and encoding, found out or as told."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import zlib

from ..ground.errors import InvalidOption, InvalidPoints

_UNPACKED = ((b"\x1f\x8b", gzip.decompress), (b"BZh", bz2.decompress), (b"\xfd7zXZ\x00", lzma.decompress))
"""How compressed files begin, and what opens them."""
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
          (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
"""Byte order marks, the longer ones before those that they begin with."""
BINARY_KINDS = {b"PAR1": ".parquet", b"ARROW1": ".arrow", b"\x93NUMPY": ".npy", b"PK\x03\x04": ".xlsx"}
"""How files begin that are no text, and how their names should end."""
WESTERN = ("cp1252", "latin-1")
"""What text is taken for that is no UTF-8, the first that fits: Windows' form of Latin-1, which has letters where that has
control characters, then Latin-1 itself, which always fits."""
PLAIN_ENCODINGS = ("utf-8", "utf-8-sig")
"""Encodings that are not worth a word."""
_SAMPLE = 4096
"""Bytes that decide about UTF-16 without a mark: a convention."""
_CONTROL = [chr(code) for code in (*range(9), *range(14, 32))]
"""Control characters other than those that end lines and cells."""


def kind_of_content(data: bytes) -> str | None:
    """How the name of a file should end that begins like this, None for text.

    Examples
    --------
    >>> kind_of_content(b"PAR1..."), kind_of_content(b"x,y")
    ('.parquet', None)
    """
    return next((kind for start, kind in BINARY_KINDS.items() if data.startswith(start)), None)


def unpacked(data: bytes, file: str) -> bytes:
    """The bytes of a file, decompressed if they are gzip, bzip2 or xz."""
    for start, unpack in _UNPACKED:
        if data.startswith(start):
            try:
                return unpack(data)
            except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError) as error:
                raise InvalidPoints(f"damaged, it cannot be decompressed ({error})", file=file) from None
    return data


def text_of(data: bytes, encoding: str | None, file: str) -> tuple[str, str]:
    """The text of a file, with "\\n" at the end of lines, and the encoding.

    Parameters
    ----------
    data : bytes
    encoding : str or None
        None finds it out: by the byte order mark, else UTF-16 if every other byte is zero, else UTF-8, else Latin-1.
    file : str
        For messages.

    Examples
    --------
    >>> text_of("größe".encode("latin-1"), None, "data.csv"), text_of(b"a\\r\\nb\\rc", None, "data.csv")
    (('größe', 'cp1252'), ('a\\nb\\nc', 'utf-8'))
    """
    if encoding is not None:
        text, used = _as_told(data, encoding, file)
    else:
        kind = kind_of_content(data)
        if kind is not None:
            raise InvalidPoints(f"not a text file; its content is that of a file whose name ends in {kind}: rename it",
                                file=file)
        text, used = _found_out(data, file)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = text.rstrip("\x1a\x00")                     # what some old programs end a file with
    found = [text.index(character) for character in _CONTROL if character in text]
    if found:
        line, character = text.count("\n", 0, min(found)) + 1, text[min(found)]
        what = "a NUL byte" if character == "\x00" else f"the control character {character!r}"
        raise InvalidPoints(f"not a text file: {what} is no part of a table; save it as CSV, or tell the encoding: "
                            "read(..., encoding=\"utf-16\") or --encoding utf-16", file=file, line=line)
    return text, used


def _as_told(data: bytes, encoding: str, file: str) -> tuple[str, str]:
    try:
        name = codecs.lookup(encoding).name
        text = data.decode(encoding)
    except (LookupError, TypeError):
        raise InvalidOption("encoding", encoding, "the name of an encoding, such as utf-8, utf-16 or latin-1") from None
    except UnicodeError as error:
        raise InvalidPoints(f"not in {encoding} ({error}); leave encoding out to have it found out", file=file) from None
    return text.removeprefix("\ufeff"), name


def _found_out(data: bytes, file: str) -> tuple[str, str]:
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), None) or _without_mark(data)
    if encoding is not None:
        try:
            return data.decode(encoding), encoding
        except UnicodeError as error:
            raise InvalidPoints(f"begins as {encoding} does, but is not ({error}); tell the encoding: "
                                "read(..., encoding=\"latin-1\") or --encoding latin-1", file=file) from None
    for encoding in ("utf-8", *WESTERN):
        try:
            return data.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    raise AssertionError("Latin-1 has a letter for every byte")


def _without_mark(data: bytes) -> str | None:
    """UTF-16 without a mark: nearly every other byte of numbers and Latin letters is zero."""
    sample = data[:_SAMPLE]
    half = len(sample) // 2
    for first, name in ((1, "utf-16-le"), (0, "utf-16-be")):
        if half > 1 and sample[first::2].count(0) > 0.9 * half and sample[1 - first::2].count(0) == 0:
            return name
    return None
