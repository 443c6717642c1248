"""The two parts of a question that asks for two things: "a fighter or a thief?". Pure."""

import re
from collections.abc import Callable, Sequence
from itertools import takewhile
from operator import eq

from rag.library.language.follow_ups import begins_by_asking, says_what_is_asked, stands_alone
from rag.library.language.grammar_words import one_of
from rag.library.language.identify import told_language
from rag.library.language.language import LANGUAGES, OUR_LANGUAGES, QUESTIONS
from rag.library.language.words import content_words, fold
from rag.library.references import names_page
from rag.rules import rule

_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_SENTENCE = re.compile(r"(?<=[?!;])\s+(?=\w)")
_CLAUSE = re.compile(r"[,;:.?!]\s")
_BETWEEN = rf"\b{one_of(QUESTIONS.between)}\s"
"""What two things that are compared stand behind: "between a mace and a sword"."""

FEWEST_TOLD = 2
"""Words of content on each side of "and" by which they are two questions: "and I fail?" is none."""


@rule(without=lambda question, is_name: [])
def parts_of(question: str, is_name: Callable[[str], bool]) -> list[str]:
    """The two questions in one, each whole; none where it asks for one thing, or all of it is a name.

    What stands on both sides of "or" is alike: so many words of content before it are left out of the second
    question as stand behind it, and as many behind it of the first; but no name is cut. Where a word is said
    on both sides, both begin with it ("level 5 or level 6 xp"). What is asked of two names in a further
    sentence is asked of each: "dodge or parry? which is better".
    """
    language = told_language(question) or OUR_LANGUAGES[0]
    if names_page(question):
        return []
    sentences = [one for one in _SENTENCE.split(question) if content_words(one, language)]
    if len(sentences) > 1:
        first, rest = sentences[0], " ".join(sentences[1:])
        sides = parts_of(first, is_name)
        if sides and all(is_name(own_words(*pair)) for pair in (sides, sides[::-1])):
            return [f"{side} {rest}" for side in sides]
        return [first, _whole(sentences[1], first)]
    joints = one_of([*LANGUAGES[language].tables["pages"].joints, *QUESTIONS.versus])
    for joint in re.finditer(rf"(?<=\w)\s*,?\s+{joints}\s+(?=\w)", question, re.IGNORECASE):
        before, after = question[: joint.start()], question[joint.end() :]
        clause = _CLAUSE.search(after)
        begins = [one.end() for one in re.finditer(rf"{_CLAUSE.pattern}|{_BETWEEN}", before, re.IGNORECASE)]
        left, right = (
            _content(before, language),
            _content(after[: clause.start() if clause else None], language),
        )
        is_choice = re.fullmatch(rf"\W*{one_of(QUESTIONS.versus)}\W*", joint[0], re.IGNORECASE)
        is_choice = is_choice or re.search(_BETWEEN, before, re.IGNORECASE)
        if right and not is_choice and begins_by_asking(after) and stands_alone(before):
            return [before, _whole(after, before)]
        if min(len(left), len(right)) < (1 if is_choice else FEWEST_TOLD) or is_name(question):
            continue
        said = [fold(word[0]) for word in left]
        alike = said[::-1].index(fold(right[0][0])) + 1 if fold(right[0][0]) in said else len(right)
        count = min(alike, len(left), len(right))
        ends = [word.end() for word in right]
        end = max((end for end in ends if is_choice and is_name(after[:end])), default=ends[count - 1])
        starts = [word.start() for word in left]
        names = [start for start in starts if is_choice and is_name(before[start:])]
        begins += names[:1] or [starts[-count]] * (not begins)
        return [before + after[end:], _joined(before[: max(begins)], after)]
    return []


def own_words(side: str, other: str) -> str:
    """The words of one of two questions that the other has not before and behind: the thing it asks for."""
    own, others = ([fold(word.strip("?!")) for word in one.split()] for one in (side, other))
    before = sum(takewhile(bool, map(eq, own, others)))
    behind = sum(takewhile(bool, map(eq, own[before:][::-1], others[before:][::-1])))
    return " ".join(own[before : len(own) - behind])


def _whole(question: str, before: str) -> str:
    """A question that follows another one, with that where it does not tell what it is about."""
    return question if stands_alone(question) or says_what_is_asked(question) else f"{before} {question}"


def _joined(begun: str, after: str) -> str:
    """What a question begins with and the other thing, without the small words that both say: "in the"."""
    said, following = begun.lower().split(), after.lower().split()
    twice = next(
        count for count in range(len(said), -1, -1) if said[len(said) - count :] == following[:count]
    )
    return begun + " ".join(after.split()[twice:]) if twice else begun + after


def _content(text: str, language: str) -> Sequence[re.Match[str]]:
    """The words of content of a text, with their places."""
    return [word for word in _WORD.finditer(text) if content_words(word[0], language)]
