"""Words put together again: hyphens at line ends, drop caps, words broken in narrow cells. Pure."""

import re
from collections.abc import Collection, Iterable, Sequence

from rag.library.language.language import OUR_LANGUAGES
from rag.library.language.spelling import is_spelt_right
from rag.library.readers.pdf.lines import HYPHEN, INITIAL_LARGER, PrintedLine, is_initial
from rag.rules import rule

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
    head = _HEAD.match(after)
    is_one = head is not None and _is_one_word(torn[1], head[0], known)
    return before[:-1] + ("" if is_one else "-") + after


def _is_one_word(first: str, second: str, known: Collection[str]) -> bool:
    one, two = first.lower(), second.lower()
    if not first.isalpha() or (second[0].isupper() and not first.isupper()):
        return False
    return one + two in known or not (f"{one}-{two}" in known or (one in known and two in known))


def join_drop_cap(capital: str, line: str, known: Collection[str]) -> str:
    """A large initial and the line beside it: one word, unless the initial is a word by itself."""
    head = _HEAD.match(line)
    if not head or capital not in _ARTICLES:
        return capital + line
    whole, rest = (capital + head[0]).lower(), head[0].lower()
    # The rest of a word stands in the line itself, so it is always known: a dictionary tells it from a word.
    is_rest = any(is_spelt_right(whole, code) and not is_spelt_right(rest, code) for code in OUR_LANGUAGES)
    is_two = rest in known and whole not in known and not is_rest
    return f"{capital} {line}" if is_two else capital + line


@rule(without=join_lines)
def join_cell(before: str, after: str, known: Collection[str]) -> str:
    """Two lines of a narrow table cell, where words are also broken without a hyphen."""
    last, head = before.rpartition(" ")[2], _HEAD.match(after)
    if last.isalpha() and head and (last + head[0]).lower() in known:
        # What is left of a broken word stands in a line itself, so it may be known.
        is_letter = len(head[0]) == 1 and head[0] not in _ARTICLES
        if is_letter or last.lower() not in known:
            return before + after
    return join_lines(before, after, known)


_CAPITAL_NEAR = 2.0  # font sizes between the initial and the text


@rule(without=lambda lines, known: lines)
def join_drop_caps(lines: Sequence[PrintedLine], known: Collection[str]) -> list[PrintedLine]:
    """The lines of a page with each drop cap joined to the uppermost line beside it, however drawn."""
    left_out: set[int] = set()
    for capital in [line for line in lines if is_initial(line.text)]:
        if beside := [line for line in lines if _stands_beside(capital, line)]:
            first = min(beside, key=lambda line: line.baseline)
            first.begin_with(join_drop_cap(capital.text, first.words[0].text, known))
            left_out.add(id(capital))
    return [line for line in lines if id(line) not in left_out]


def _stands_beside(capital: PrintedLine, line: PrintedLine) -> bool:
    is_large = capital.size > INITIAL_LARGER * line.size
    is_level = capital.top - line.size < line.baseline <= capital.baseline
    return is_large and is_level and -line.size < line.x0 - capital.x1 < _CAPITAL_NEAR * line.size
