"""Which things a question asked about, and the same question about another thing of their kind. Pure."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter

from rag.library.books.found_page import FoundPage
from rag.library.language.follow_ups import (
    begins_by_asking,
    begins_by_asking_whether,
    begins_by_going_on,
    stands_alone,
)
from rag.library.language.identify import told_language
from rag.library.language.language import LANGUAGES, OUR_LANGUAGES
from rag.library.language.likeness import shared_words
from rag.library.language.words import content_words
from rag.library.search.known_words import put_right
from rag.state import Source, Thing
from rag.strategies.lines import cells, label_of

LONGEST_NAME = 3
"""Words of content by which another thing is named at most."""

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def things_named(
    question: str, sources: Sequence[Source], pages: Sequence[FoundPage], misspelt: Mapping[str, str]
) -> list[Thing]:
    """The words of a question for what is shown: a row, a column, a label or the heading, each with its kind.

    That are the other rows, columns or labels; a heading has none beside it. Where the question names none of
    the columns or labels, they are of a kind for which it has no words.
    """
    things = []
    languages = {page.id: page.language for page in pages}
    for source in sources:
        language = languages.get(source.page_id, "")
        rows = [(cells(line.row), line.is_nearest) for line in source.passage if line.row]
        asked = [row for row, is_nearest in rows if is_nearest]
        columns = [cell.column for row in asked for cell in row]
        labels = [(label, line.is_nearest) for line in source.passage if (label := label_of(line.text))]
        kinds = [
            ([row[0].value for row in asked], [row[0].value for row, _ in rows], []),
            (columns, columns, columns),
            ([label for label, is_nearest in labels if is_nearest], [label for label, _ in labels], labels),
            ([source.heading], [], []),
        ]
        for names, beside, unnamed in kinds:
            for words in _words_for(names, question, language, misspelt) or [""] * bool(unnamed):
                things.append(Thing(words=words, kind=beside, language=language))
    return things


def names_topic(question: str, is_topic: Callable[[str], bool]) -> bool:
    """Whether a question names a topic of the books, by more than a word to ask with: "which rule?"."""
    asking = LANGUAGES[told_language(question) or OUR_LANGUAGES[0]].asking_words
    return any(is_topic(part) for part in _parts(question) if part.lower() not in asking)


def of_another_thing(
    question: str, before: str, things: Sequence[Thing], is_name: Callable[[str], bool]
) -> str | None:
    """The question before about the thing that "and a cleric?" names: for the row, column or heading.

    A column or label of what was shown, for which it has no words, is asked beside it. None where it names
    none, or what is no thing of the books, or without "and" is of another kind.
    """
    new = thing_named(question)
    if not new or stands_alone(question):
        return None
    said = [thing for thing in things if thing["words"] in before]
    beside = [one for one in said if _called(new, one)]
    beside.sort(key=lambda one: -_likeness(_called(new, one), _called(one["words"], one), one["language"]))
    is_other = begins_by_going_on(question) and is_name(new)
    others = sorted(filter(itemgetter("words"), said), key=lambda thing: len(thing["kind"]))
    meant = next(iter(beside or (others if is_other else [])), None)
    if not meant:
        return None
    if not meant["words"]:
        return f"{before} {new}"
    # What the new one's name has as well stays: "level" of "Fighter Level".
    kept = [one for one in meant["words"].split() if _likeness([one], _called(new, meant), meant["language"])]
    words = " ".join(one for one in meant["words"].split() if one not in kept)
    return before.replace(words if words and words in before else meant["words"], new, 1)


def thing_named(question: str) -> str:
    """What a question names by few words, none of which is one to ask with; "" where it says more."""
    language = told_language(question) or OUR_LANGUAGES[0]
    found = [word for word in _WORD.finditer(question) if content_words(word[0], language)]
    asking = LANGUAGES[language].asking_words
    is_idle = any(word[0].lower() in asking or word[0].isdecimal() for word in found)
    if not found or is_idle or len(found) > LONGEST_NAME:
        return ""
    return question[found[0].start() : found[-1].end()]


def doer_asked(question: str, is_name: Callable[[str], bool]) -> list[str]:
    """Who is asked about where it is asked whether he may do something: "may a thief wear chain mail?".

    His name, the longest one, begins the last clause that asks but for the word that does, or stands right
    before that. A question with a number asks for a value.
    """
    language = told_language(question) or OUR_LANGUAGES[0]
    for clause in reversed(re.split(r"[.,;!?]+\s", "" if re.search(r"\d", question) else question)):
        parts = list(_parts(clause))
        for doer in list(filter(is_name, (part for part in parts if part.startswith(parts[0]))))[-1:]:
            behind = clause.partition(doer)[2]
            if any(begins_by_asking_whether(text, language) for text in (clause, behind)):
                return [doer]
        if begins_by_asking(clause):
            break
    return []


def _called(words: str, thing: Thing) -> list[str]:
    """Those of the rows, columns or labels of a thing's kind that some words name."""
    shares = shared_words(words, thing["kind"], [thing["language"]] * len(thing["kind"]))
    return [name for name, share in zip(thing["kind"], shares, strict=True) if share == 1]


def _likeness(names: Sequence[str], others: Sequence[str], language: str) -> float:
    """How much the names of two things have in common: "Fighter Level" and "Cleric Level" are of one kind."""
    return max(
        (share for one in names for share in shared_words(one, others, [language] * len(others))), default=0
    )


def _words_for(names: Sequence[str], question: str, language: str, misspelt: Mapping[str, str]) -> list[str]:
    """The parts of a question of which all words stand in one of some names, the longest first and none
    within another; numbers name nothing.
    """
    found: list[str] = []
    for part in sorted(_parts(question), key=len, reverse=True):
        is_named = 1.0 in shared_words(put_right(part, misspelt), names, [language] * len(names))
        if is_named and not any(part in longer for longer in found):
            found.append(part)
    return found


def _parts(question: str) -> Iterator[str]:
    """The parts of a question that may be names: they begin and end with a word of content, no number."""
    language = told_language(question) or OUR_LANGUAGES[0]
    found = [one for one in _WORD.finditer(question) if content_words(one[0], language)]
    worded = [one for one in found if not one[0].isdecimal()]
    for at, first in enumerate(worded):
        for last in worded[at : at + LONGEST_NAME]:
            yield question[first.start() : last.end()]
