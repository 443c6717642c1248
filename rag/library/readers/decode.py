"""The letters of a text file: bytes → text, in whatever encoding an editor has saved it."""

import codecs
import re
from pathlib import Path

from rag.errors import BookEmpty, BookNotText, BookTooLarge

MOST_BYTES = 64 * 1024 * 1024
"""Of a text file: fifty times a long novel."""
_MARK = "\ufeff"
_MARKED = ("utf-8", "utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")
"""Encodings that are told by the mark of byte order at the beginning, the longer marks first."""
_SAMPLE = 4096
_MOSTLY = 0.6
"""Of the letters beyond ASCII: then text in cp1252 reads well."""
_FEW_DAMAGED = 0.01
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_MOST_CONTROL = 0.02
"""Characters that no text holds, beyond which a file is none."""
_COMMONEST = "cp1252"
_OF_LETTERS = re.compile(r"iso|cp\d|koi8|mac|ptcp|kz|tis|big5|gb|hz|euc|shift|johab")
"""How encodings of an alphabet begin, in Python's names."""
_ALONE_IN_WESTERN = frozenset("ÀÁÂÃÇÉÊÍÓÔÕÚàáâãçéêíóôõúñÑüÜ“”‘’–—…•ºª°½")
"""What is read where bytes of English, Portuguese or Spanish in cp1252 are taken for such."""


def file_bytes(path: Path) -> bytes:
    """The content of a text file. Raises `BookEmpty` or `BookTooLarge`."""
    if path.stat().st_size > MOST_BYTES:
        raise BookTooLarge(file=path.name, limit=MOST_BYTES // 1024**2)
    content = path.read_bytes()
    if not content.strip(b"\0 \t\r\n"):
        raise BookEmpty(file=path.name)
    return content


def decoded(content: bytes, file: str, declared: str | None = None) -> str:
    """The text of a file, its line ends as `\\n`; `declared` is the encoding that it names itself.

    A mark at the beginning wins, then UTF-8 where the bytes are that, then what is declared, then what they
    look like. Raises `BookNotText` where they are no text.
    """
    text = _decoded(content, declared)
    if len(_CONTROL.findall(text)) > len(text) * _MOST_CONTROL:
        raise BookNotText(file=file)
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).removeprefix(_MARK)


def _decoded(content: bytes, declared: str | None) -> str:
    for encoding in _MARKED:
        if content.startswith(_MARK.encode(encoding)):
            return content.decode(encoding, "replace")
    text = content.decode("utf-8", "replace")
    foreign = text.count("\ufffd")
    if not foreign or foreign < _FEW_DAMAGED * sum(letter > "\x7f" for letter in text):
        return text
    return content.decode(_known(declared) or _likeliest(content), "replace")


def _known(encoding: str | None) -> str | None:
    """An encoding of Python's by the name a file gives it; none where it is unknown, or none of letters."""
    try:
        name = codecs.lookup((encoding or "").strip()).name
    except (LookupError, ValueError):
        return None
    if name in ("iso8859-1", "ascii"):
        return _COMMONEST
    return name if _OF_LETTERS.match(name) else None


def _likeliest(content: bytes) -> str:
    """The encoding of one byte a letter that the bytes look like, cp1252 where it reads well."""
    text = content.decode(_COMMONEST, "replace")
    special = [letter for letter in text if letter > "\x7f"]
    if sum(letter in _ALONE_IN_WESTERN for letter in special) > len(special) * _MOSTLY:
        return _COMMONEST
    from charset_normalizer import from_bytes  # here, for hardly any book needs it

    best = from_bytes(content[: _SAMPLE * 16]).best()
    return best.encoding if best else _COMMONEST
