"""Damaged books: a good one with random bytes, numbers, references and objects changed or gone.

The damage is drawn by Hypothesis, so that a run repeats itself and a failure shrinks.
"""

import re
from collections.abc import Callable, Sequence
from functools import reduce
from io import BytesIO
from pathlib import Path

from hypothesis import strategies as st
from pypdf import PdfWriter

Mutation = Callable[[bytes], bytes]

OBJECT = re.compile(rb"\d+ 0 obj\b.*?endobj\s*", re.DOTALL)
REFERENCE = re.compile(rb"\d+ 0 R\b")
NUMBER = re.compile(rb"(?<=[a-zA-Z\[] )-?\d+(?:\.\d+)?")
"""A number in a dictionary or at the head of an array: sizes, counts, positions."""
HOSTILE_NUMBERS = (b"0", b"-1", b"65536", b"2147483647", b"4294967295", b"9223372036854775807", b"1e999")
HOSTILE_TEXTS = (
    b"[" * 5000,
    b"<<" * 5000,
    b"(" * 5000,
    b"q " * 5000,
    b"/" * 300,
    b"\0" * 64,
    b"endobj",
    b"%%EOF",
)
HOSTILE_MARKUP = (
    b"<table><tr><td>" * 3000,
    b"<div><b>" * 5000,
    b"</td></table></p>" * 50,
    b"<td colspan=99999 rowspan=99999>" * 20,
    b"<!DOCTYPE x [<!ENTITY a 'aaaa'>]>&a;",
    b"&#x110000;&#0;&bogus;",
    b"<script>",
    b"<!--",
    b"<![CDATA[",
    b"> " * 3000,
    b"- " * 3000,
    b"[](" * 3000,
    b"|" * 5000,
    b"\n# " * 2000,
    b"*" * 5000,
    b"\xff\xfe",
    b"\0" * 64,
    b"\x1b\x07",
)

places = st.integers(0, 2**32)
lengths = st.integers(1, 2000)


def unpacked(path: Path, pages: int) -> bytes:
    """The first pages of a PDF with their content in the clear, where damage reaches the content itself."""
    writer = PdfWriter()
    writer.append(path, pages=(0, pages))
    for page in writer.pages:
        page.replace_contents(page.get_contents())
    file = BytesIO()
    writer.write(file)
    return file.getvalue()


def mutants(original: bytes, hostile: Sequence[bytes] = HOSTILE_TEXTS) -> st.SearchStrategy[bytes]:
    """The file with one to eight mutations, one upon the other; `hostile` are texts that may be put in."""
    return st.lists(mutation(hostile), min_size=1, max_size=8).map(
        lambda mutations: reduce(lambda content, mutate: mutate(content), mutations, original)
    )


def _overwritten(place: int, by: bytes) -> Mutation:
    return lambda content: _replaced(content, _at(place, content), len(by), by)


def _inserted(place: int, text: bytes) -> Mutation:
    return lambda content: _replaced(content, _at(place, content), 0, text)


def _cut(place: int, length: int) -> Mutation:
    return lambda content: _replaced(content, _at(place, content), length, b"")


def _truncated(place: int) -> Mutation:
    return lambda content: content[: _at(place, content)]


def _spliced(source: int, target: int, length: int) -> Mutation:
    def mutate(content: bytes) -> bytes:
        start = _at(source, content)
        return _replaced(content, _at(target, content), 0, content[start : start + length])

    return mutate


def _without_object(which: int) -> Mutation:
    return lambda content: _match_replaced(OBJECT, which, b"", content)


def _with_number(which: int, number: bytes) -> Mutation:
    return lambda content: _match_replaced(NUMBER, which, number, content)


def _with_reference(which: int, target: int) -> Mutation:
    return lambda content: _match_replaced(REFERENCE, which, b"%d 0 R" % target, content)


def mutation(hostile: Sequence[bytes]) -> st.SearchStrategy[Mutation]:
    """One kind of damage; `hostile` are texts that may be put in."""
    return st.one_of(
        st.builds(_overwritten, places, st.binary(min_size=1, max_size=8)),
        st.builds(_inserted, places, st.sampled_from(hostile)),
        st.builds(_cut, places, lengths),
        st.builds(_truncated, places),
        st.builds(_spliced, places, places, lengths),
        st.builds(_without_object, places),
        st.builds(_with_number, places, st.sampled_from(HOSTILE_NUMBERS)),
        st.builds(_with_reference, places, st.integers(0, 60)),
    )


def _at(place: int, content: bytes) -> int:
    return place % (len(content) + 1)


def _replaced(content: bytes, start: int, length: int, by: bytes) -> bytes:
    return content[:start] + by + content[start + length :]


def _match_replaced(pattern: re.Pattern[bytes], which: int, by: bytes, content: bytes) -> bytes:
    """The content with one match replaced, counted round; as it was where there is none."""
    found = list(pattern.finditer(content))
    if not found:
        return content
    chosen = found[which % len(found)]
    return content[: chosen.start()] + by + content[chosen.end() :]
