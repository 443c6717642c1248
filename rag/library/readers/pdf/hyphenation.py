"""Words put together again: hyphens at line ends, drop caps, words broken in narrow cells. Pure."""

import re
from collections.abc import Collection, Iterable, Sequence

from rag.library.readers.pdf.lines import HYPHEN, Line

_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_TORN = re.compile(rf"([^\W_][\w'’]*)[-{HYPHEN}‐]$")
_HEAD = re.compile(r"[^\W\d_]+")
_ARTICLES = frozenset("aàáeéioóAÀÁEÉIOÓ")


def vocabulary(lines: Iterable[str]) -> frozenset[str]:
    """Lower-case words and hyphenated compounds that stand within lines."""
    known: set[str] = set()
    torn = False
    for line in lines:
        words = [word.lower() for word in _WORD.findall(line)]
        ends_torn = bool(_TORN.search(line))
        known.update(words[torn : len(words) - ends_torn])
        torn = ends_torn
    return frozenset(known)


def join_lines(before: str, after: str, known: Collection[str]) -> str:
    """Two lines of a paragraph as one, the hyphen between them dropped or kept.

    The hyphen goes where the book has the joined word elsewhere; it stays where it has the compound,
    where both parts are words by themselves, and between numbers and names.
    """
    torn = _TORN.search(before)
    if not torn or not after:
        return f"{before} {after}".strip()
    stem = before[:-1]
    head = _HEAD.match(after)
    if not head:
        return f"{stem}-{after}"
    return stem + ("" if _is_one_word(torn[1], head[0], known) else "-") + after


def _is_one_word(first: str, second: str, known: Collection[str]) -> bool:
    one, two = first.lower(), second.lower()
    if not first.isalpha() or (second[0].isupper() and not first.isupper()):
        return False
    if one + two in known:
        return True
    return not (f"{one}-{two}" in known or (one in known and two in known))


def join_drop_cap(capital: str, line: str, known: Collection[str]) -> str:
    """A large initial and the line beside it: one word, unless the initial is a word by itself."""
    head = _HEAD.match(line)
    if not head or capital not in _ARTICLES or (capital + head[0]).lower() in known:
        return capital + line
    return f"{capital} {line}" if head[0].lower() in known else capital + line


def join_cell(before: str, after: str, known: Collection[str]) -> str:
    """Two lines of a narrow table cell, where words are also broken without a hyphen."""
    last, head = before.rpartition(" ")[2], _HEAD.match(after)
    if last.isalpha() and head and (last + head[0]).lower() in known:
        # What is left of a broken word stands in a line itself, so it may be known.
        is_letter = len(head[0]) == 1 and head[0] not in _ARTICLES
        if is_letter or last.lower() not in known:
            return before + after
    return join_lines(before, after, known)


_CAPITAL_LARGER = 1.7  # times the size of the text beside it
_LONGEST_CAPITAL = 2  # characters: a letter, perhaps after a quotation mark
_CAPITAL_NEAR = 2.0  # font sizes between the initial and the text


def join_drop_caps(lines: Sequence[Line], known: Collection[str]) -> list[Line]:
    """The lines of a page with each drop cap joined to the first line beside it."""
    joined: list[Line] = []
    capital: Line | None = None
    for line in lines:
        if capital and _stands_beside(capital, line):
            line.begin_with(join_drop_cap(capital.text, line.words[0].text, known))
            joined.remove(capital)
        capital = line if _is_initial(line) else None
        joined.append(line)
    return joined


def _is_initial(line: Line) -> bool:
    letters = [character for character in line.text if character.isalpha()]
    return len(line.text) <= _LONGEST_CAPITAL and len(letters) == 1 and letters[0].isupper()


def _stands_beside(capital: Line, line: Line) -> bool:
    is_large = capital.size > _CAPITAL_LARGER * line.size
    is_level = capital.top - line.size < line.baseline <= capital.baseline
    return is_large and is_level and -line.size < line.x0 - capital.x1 < _CAPITAL_NEAR * line.size
