"""Headings and their levels, by size, weight and the file's outline. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from rag.library.paragraphs import Paragraph

_LARGER = 1.08
_LONGEST = 90
_LETTERS = re.compile(r"[^\W\d_]{2}")
_SPACE_AND_PUNCTUATION = re.compile(r"[\W_]+")

Style = tuple[float, bool]


def body_size(pages: Iterable[Sequence[Paragraph]]) -> float:
    """The font size in which most letters of the book are set, in points."""
    letters: Counter[float] = Counter()
    for page in pages:
        for paragraph in page:
            letters[_rounded(paragraph.size)] += len(paragraph.text)
    return letters.most_common(1)[0][0] if letters else 0.0


def is_heading(paragraph: Paragraph, body: float, bookmarks: frozenset[str]) -> bool:
    """Whether a paragraph is a heading; `bookmarks` are the outline's titles for its page, as `key`s."""
    text = paragraph.text
    if paragraph.is_row or len(text) > _LONGEST or not _LETTERS.search(text):
        return False
    if key(text) in bookmarks:
        return True
    if text.endswith((".", ",", ";", "-")) or not (text[0].isupper() or text[0].isdigit()):
        return False
    return paragraph.size > _LARGER * body or paragraph.bold or (text.isupper() and len(text) > 3)


def levels(headings: Iterable[Paragraph], bookmarked: Iterable[tuple[Paragraph, int]]) -> dict[Style, int]:
    """The level of each style of heading: as the outline has it for most of that style, else by rank."""
    styles = sorted({style(heading) for heading in headings}, reverse=True)
    votes: dict[Style, Counter[int]] = {}
    for heading, level in bookmarked:
        votes.setdefault(style(heading), Counter())[level] += 1
    ranked: dict[Style, int] = {}
    for rank, one in enumerate(styles, start=1):
        ranked[one] = votes[one].most_common(1)[0][0] if one in votes else min(rank, 6)
    return ranked


def style(paragraph: Paragraph) -> Style:
    return _rounded(paragraph.size), paragraph.bold


def key(text: str) -> str:
    """A heading for comparison: no case, no punctuation, no spaces."""
    return _SPACE_AND_PUNCTUATION.sub("", text).casefold()


def _rounded(size: float) -> float:
    return round(2 * size) / 2
