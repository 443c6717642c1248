"""Contents and index pages told from pages of rules, by how their lines end. Pure."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

PageKind = Literal["text", "contents", "index"]

LEADERS = re.compile(r"(?:(?:\s[.·•…]){2,}|[.·•…_]{3,})[\s.·•…_]*(?=(?:\d{1,4}|[ivxlc]{1,7})$)")
"""The dots between an entry of the contents and its page."""

_FEWEST = 5  # entries
_FEWEST_PAGES = 3
_SOME, _MOSTLY = 0.3, 0.5  # of the lines
_RISING = 0.8
_LABEL = r"(?:\d{1,4}|[ivxlc]{1,7})"
_ENTRY = re.compile(rf"[^\W\d_]{{2}}.*?\s(?P<page>{_LABEL})$")
_INDEX_ENTRY = re.compile(rf"^[^\W_].*[,\s…]\s*{_LABEL}(?:\s*[-–,]\s*{_LABEL})*$")
_CONTENTS = re.compile(r"^(?:table\s+of\s+)?(?:contents|conteúdo|sumário|índice)$", re.IGNORECASE)
_INDEX = re.compile(r"^(?:index|índice\s+remissivo|índice)$", re.IGNORECASE)
_LAST_PART = 0.7  # of the book: where an index stands


def page_kinds(pages: Sequence[Sequence[str]]) -> list[PageKind]:
    """The kind of each page, given its lines in drawing order, running heads taken away or not."""
    kinds: list[PageKind] = []
    for number, lines in enumerate(pages):
        before = kinds[-1] if kinds else "text"
        kinds.append(_kind(lines, before, number >= _LAST_PART * len(pages)))
    return kinds


def _kind(lines: Sequence[str], before: PageKind, is_late: bool) -> PageKind:
    if is_late and (before == "index" or _has(_INDEX, lines)) and _share(_INDEX_ENTRY, lines) >= _MOSTLY:
        return "index"
    entries = [LEADERS.sub(" ", line) for line in lines]
    has_leaders = sum(bool(LEADERS.search(line)) for line in lines) >= max(3, _SOME * len(lines))
    if has_leaders and is_late and not _rises(entries):
        return "index"
    is_announced = before == "contents" or _has(_CONTENTS, lines)
    if has_leaders or (is_announced and _share(_ENTRY, entries) >= _MOSTLY and _rises(entries)):
        return "contents"
    return "text"


def _has(heading: re.Pattern[str], lines: Sequence[str]) -> bool:
    return any(heading.match(line.strip()) for line in lines)


def _share(pattern: re.Pattern[str], lines: Sequence[str]) -> float:
    found = sum(bool(pattern.search(line)) for line in lines)
    return found / len(lines) if found >= _FEWEST else 0.0


def _rises(entries: Sequence[str]) -> bool:
    """Whether the pages of the entries go up, as they do in a table of contents."""
    found = [match["page"] for entry in entries if (match := _ENTRY.search(entry))]
    pages = [int(page) for page in found if page.isdecimal()]
    steps = list(pairwise(pages))
    return len(set(pages)) >= _FEWEST_PAGES and sum(one <= other for one, other in steps) >= _RISING * len(
        steps
    )
