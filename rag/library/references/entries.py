"""The entries of a table's own rules: which words are one, and the names of the rules it is tied to. Pure.

Groups write them as headings with text below, as lines of a list, as rows of a table, or one below the other.
An entry is tied to a rule by a line that names it beside its page: "Bleeding – B420".
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from rag.library.books.catalog import plain
from rag.library.books.page import Page
from rag.library.language.language import GRAMMAR_FUNCTION_WORDS
from rag.library.references.corrections import ITEM, PageSpan, PrintedCorrection, opening_name
from rag.library.references.patterns import SEE

_MARK = r"(?:\d{1,2}[.)]\s+|[^\w\n(\[]+)*+"
_LABEL = r"(?:\[[^\]\n]*\]\s*|[^:\n]{1,40}:\s+)*+"
_NAME = r"(?P<name>[^\s:.()\[\]]+(?:[^\S\n][^\s:.()\[\]]+){0,5}?)"
_BEFORE = re.compile(rf"{_MARK}{_LABEL}{_MARK}{_NAME}(?:\s*[(,:–—-][\s(]*|\s{{2,}})")
"""What stands on a line before the page that it is tied to: "Bleeding – ", "3. Banned: Luck (", a cell."""
_BEHIND = re.compile(rf"(?P<parted>[\s),:–—*_-]*){_NAME}\s*(?:[:.]|\s[–—-]\s|\s{{2,}}|$)")
"""What stands behind a page with which a line begins: "B420 Bleeding: …"."""
_SEPARATOR = re.compile(r"[(,:–—-]\s*")
_UNNAMED = re.compile(rf"{_MARK}{_LABEL}[\s(]*")
_PARTED = re.compile(r"[\s)*_]*(?:[,:.;–—-]|\s{2,})")
"""What parts a page from words that follow it on its line."""
_LIKE_HEADING = re.compile(r".{1,60}[^\W_][)*]*")
"""A short line that ends in no sign of a sentence."""
_SEE = re.compile(rf"{SEE}\b")


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a page from `start` on: the rule it is tied to, "" if none; whether it says nothing else."""

    text: str
    start: int
    tied: str
    is_alone: bool

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def is_item(self) -> bool:
        """Whether it is one of a list, or a row of a table."""
        return bool(ITEM.match(self.text))


def tied_name(text: str, start: int, end: int) -> str:
    """The name, in plain letters, that a line ties to the page reference in it; "" if none.

    Where words follow, it begins with none that only joins others: "As in Fright Checks (B433) but …".
    """
    line, behind = text.rfind("\n", 0, start) + 1, text[end:].partition("\n")[0]
    # What refers to a page may hold the name: "Bleeding – p. 420".
    ends = [start, *(start + parted.end() for parted in _SEPARATOR.finditer(text[start:end]))]
    if tied := next(filter(None, (_BEFORE.fullmatch(text, line, at) for at in ends)), None):
        goes_on = any(map(str.isalpha, behind)) and not _PARTED.match(behind)
        is_joined = goes_on and tied["name"].split()[0].lower() in GRAMMAR_FUNCTION_WORDS
        return "" if is_joined or _SEE.match(tied["name"]) else plain(tied["name"])
    named = _BEHIND.match(behind) if _UNNAMED.fullmatch(text, line, start) else None
    is_name = named and (named["parted"].strip() or named["name"][0].isupper())
    return plain(named["name"]) if named and is_name else ""


def entries(page: Page, references: Collection[tuple[int, int]]) -> list[PrintedCorrection]:
    """The entries of a page of a table's own rules; `references` are its places that refer to pages.

    A heading is one with the text below it; of lines of a list that are tied to rules each is one. A heading
    that only stands over others, or over such lines, is none.
    """
    bounds = sorted({0, len(page.text), *(heading.offset for heading in page.headings)})
    headings = {heading.offset: heading.text for heading in page.headings}
    return [
        entry
        for start, end in pairwise(bounds)
        for entry in _in_section(page, headings.get(start, ""), start, end, references)
    ]


def _in_section(
    page: Page, heading: str, start: int, end: int, references: Collection[tuple[int, int]]
) -> Iterator[PrintedCorrection]:
    """The entries from a heading to the next one: all of it, or its lines that are one each."""
    lines = list(_lines(page.text, start, end, references))
    top = lines.pop(0) if heading and lines else None
    ties = [line for line in lines if line.tied]
    is_first_alone = ties == lines[:1] and not (lines and lines[0].is_item)
    is_whole = top is not None and (top.tied or not ties or is_first_alone)
    if top and is_whole and (lines or top.tied):
        place = PageSpan(page.position, start, end if lines else top.end)
        name = top.tied or plain(heading)
        yield PrintedCorrection(place, name, name)
    elif top and ties and (own := list(takewhile(lambda line: not (line.tied or line.is_item), lines))):
        name = plain(heading)
        yield PrintedCorrection(PageSpan(page.position, start, own[-1].end), name, name)
        lines = lines[len(own) :]
    groups: list[list[_Line]] = []
    for line in lines:
        if groups and _goes_on(groups[-1], line):
            groups[-1].append(line)
        else:
            groups.append([line])
    for group in groups:
        name = group[0].tied or opening_name(group[0].text)
        if len(group) > 1 and not name and _LIKE_HEADING.fullmatch(group[0].text):
            name = plain(group[0].text)
        if not is_whole or (name and group[0].is_item and not ties):
            place = PageSpan(page.position, group[0].start, group[-1].end)
            yield PrintedCorrection(place, name, name)


def _lines(text: str, start: int, end: int, references: Collection[tuple[int, int]]) -> Iterator[_Line]:
    for found in re.finditer(r"[^\n]+", text[start:end]):
        first, last = start + found.start(), start + found.end()
        here = ((tied_name(text, at, stop), stop) for at, stop in references if first <= at < last)
        name, stop = next((one for one in here if one[0]), ("", first))
        yield _Line(found[0], first, name, bool(name) and not any(map(str.isalnum, text[stop:last])))


def _goes_on(group: Sequence[_Line], line: _Line) -> bool:
    """Whether a line belongs to the entry above it, as do those below a line that only names a rule."""
    first, last = group[0], group[-1]
    if line.tied:
        return last.is_alone and not last.is_item
    if first.is_alone:
        return last.is_alone or line.is_item or not _LIKE_HEADING.fullmatch(line.text)
    return not (first.is_item or line.is_item) and line.start == last.end + 1
