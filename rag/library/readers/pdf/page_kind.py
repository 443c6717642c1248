"""Contents and index pages told from pages of rules, by how their lines end. Pure."""

import re
from collections.abc import Sequence
from itertools import pairwise

from rag.library.books.page import PageKind
from rag.library.language.grammar_words import one_of
from rag.library.language.language import LAYOUT

LEADERS = re.compile(r"(?:(?:\s[.·•…]){2,}|[.·•…_]{3,})[\s.·•…_]*(?=(?:\d{1,4}|[ivxlc]{1,7})$)")
"""The dots between an entry of the contents and its page."""

_FEWEST = 5  # entries
_FEWEST_PAGES = 3
_SOME, _MOSTLY = 0.3, 0.5  # of the lines
_RISING = 0.8
_LABEL = r"(?:\d{1,4}|[ivxlc]{1,7})"
_ENTRY = re.compile(rf"[^\W\d_]{{2}}.*?\s(?P<page>{_LABEL})$")
_SEE = rf"\(?{one_of(LAYOUT.see)}\b.*"
_INDEX_ENTRY = re.compile(
    rf"^[^\W_].*(?:[,\s…]\s*{_LABEL}(?:\s*[-–,]\s*{_LABEL})*(?:[;,.]?\s*{_SEE})?|[;,.]\s*{_SEE})$"
)

_CONTENTS = re.compile(rf"^{one_of(LAYOUT.contents)}$", re.IGNORECASE)
_INDEX = re.compile(rf"^{one_of(LAYOUT.index)}$", re.IGNORECASE)
_FIRST_PART, _LAST_PART = 0.2, 0.7  # of the book: where contents stand, and where an index


def page_kinds(pages: Sequence[Sequence[str]]) -> list[PageKind]:
    """The kind of each page, given its lines in drawing order, headers taken away or not.

    Dots lead to prices as well as to pages: they make contents and indexes only under their heading,
    on the pages that follow it, or early in the book where the numbers go up.
    """
    kinds: list[PageKind] = []
    for number, lines in enumerate(pages):
        before = kinds[-1] if kinds else "text"
        if number >= _LAST_PART * len(pages) and _is_index(lines, before):
            kinds.append("index")
        else:
            is_contents = _is_contents(lines, before, is_early=number < _FIRST_PART * len(pages))
            kinds.append("contents" if is_contents else "text")
    return kinds


def _is_index(lines: Sequence[str], before: PageKind) -> bool:
    if before != "index" and not _has(_INDEX, lines):
        return False
    is_list = _has_leaders(lines) and not _rises(_entries(lines))
    return is_list or _share(_INDEX_ENTRY, lines) >= _MOSTLY


def _is_contents(lines: Sequence[str], before: PageKind, *, is_early: bool) -> bool:
    is_headed, is_next = _has(_CONTENTS, lines), before == "contents"
    entries = _entries(lines)
    if _has_leaders(lines):
        return is_headed or ((is_next or is_early) and _rises(entries))
    return (is_headed or is_next) and _share(_ENTRY, entries) >= _MOSTLY and _rises(entries)


def _entries(lines: Sequence[str]) -> list[str]:
    return [LEADERS.sub(" ", line) for line in lines]


def _has_leaders(lines: Sequence[str]) -> bool:
    return sum(bool(LEADERS.search(line)) for line in lines) >= max(3, _SOME * len(lines))


def _has(heading: re.Pattern[str], lines: Sequence[str]) -> bool:
    return any(heading.match(line.strip()) for line in lines)


def _share(pattern: re.Pattern[str], lines: Sequence[str]) -> float:
    found = sum(bool(pattern.search(line)) for line in lines)
    return found / len(lines) if found >= _FEWEST else 0.0


def _rises(entries: Sequence[str]) -> bool:
    """Whether the pages of the entries go up, as they do in a table of contents."""
    found = filter(None, map(_ENTRY.search, entries))
    pages = [int(match["page"]) for match in found if match["page"].isdecimal()]
    rising = sum(one <= other for one, other in pairwise(pages))
    return len(set(pages)) >= _FEWEST_PAGES and rising >= _RISING * (len(pages) - 1)
