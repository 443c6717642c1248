"""How well passages answer a question, and which of their lines surely do. Pure."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from rag.library.language.language import LANGUAGES
from rag.library.language.likeness import asked_share, asking_language, shared_words
from rag.library.language.words import content_words, without_number
from rag.library.quotations.asked_titles import is_labelled, named_headings, say_all, titles_over
from rag.library.quotations.passages import NUMBER, Passage, says_something
from rag.rules import rule
from rag.strategies.lines import Line, label_of

MOST_NEAR = 2
"""Sentences that are shown beside the closest one, where none surely answers."""
PAGE_WORTH = 0.2
"""What being on the best page is worth; later pages get a share."""
CHUNK_WORTH = 0.15
"""What being the best chunk of its page is worth; later chunks get a share."""
ROW_WORTH, HEADING_WORTH = 1.0, 0.25
"""How often the words of a row or section that is asked for by its name, or of a row by a number, count once
more, and how often yet where all words of the heading over it are asked, or the label of a value."""
ALIKE = 0.5
"""What it is worth that both of two things have rows of one kind, and that one stands under the name of its
thing."""
SPOKEN_WORTH = -0.5
"""What it costs that somebody speaks in a line: stories, examples and forewords have the words of rules."""
SURE = 0.8
"""The share of a question's words that a line holds which surely answers."""
_SPEECH = re.compile(r"[\"“«][^\"”»]*[,.!?…][\"”»]")

Similarity = Callable[[str, Sequence[str]], Iterable[float]]
"""How close each of several texts comes to a question, at most 1."""


def scored(
    question: str, passages: Sequence[Passage], similarity: Similarity, own: str = "", doer: str = ""
) -> list[Passage]:
    """The passages with their closest lines and scores, the best first.

    `own` are words of one of two things, `doer` is who is asked about: both call the section that is meant.
    """
    # Likeness chooses no row of a table where a number under one of its columns is asked for.
    numbered = {(one.page.id, line) for one in passages if one.numbers for line in one.lines}
    said = [
        (number, line, f"{without_number(line.heading)}: {line.text}" if line.heading else line.text)
        for number, passage in enumerate(passages)
        for line in passage.asked or passage.lines
        if says_something(line) and (line in passage.asked or (passage.page.id, line) not in numbered)
    ]
    languages = [passages[number].page.language for number, *_ in said]
    plain = [
        _worded(passages[number], line, titles_over(line, passages[number].page, question))
        for number, line, _ in said
    ]
    held = shared_words(question, plain, languages)
    # What stands under a heading that names something else is not surely said.
    sure = [
        text if line.is_row else _worded(passages[number], line, named_headings(line, question, language))
        for text, (number, line, _), language in zip(plain, said, languages, strict=True)
    ]
    of_all = shared_words(question, sure, languages)
    named = shared_words(without_asking(question, languages), sure, languages)
    best: dict[int, list[tuple[float, int]]] = {}
    for at, like in enumerate(similarity(question, [text for *_, text in said])):
        worth = like + held[at] + SPOKEN_WORTH * _is_spoken(said[at][1], languages[at])
        best.setdefault(said[at][0], []).append((worth, -at))
    scored = [
        replace(
            passages[number],
            closest=said[-at][1],
            near=tuple(said[-other][1] for _, other in near[:MOST_NEAR] if not said[-other][1].is_row),
            marked=_surely(question, passages[number], said[-at][1], of_all[-at], named[-at]),
            score=worth
            + rank_worth(passages[number])
            + held[-at] * _name_worth(passages[number], question, said[-at][1], doer)
            + ALIKE * bool(asked_share(doer or own, said[-at][1].heading, languages[-at])),
        )
        for number, ((worth, at), *near) in (
            (number, sorted(each, reverse=True)) for number, each in best.items()
        )
    ]
    return sorted(scored, key=lambda passage: -passage.score)


def _name_worth(passage: Passage, question: str, closest: Line, doer: str) -> float:
    """How much more the words of a passage count for the names by which it is asked for.

    A value whose whole label is asked for, with its numbers, in a section that is, counts as a row does. Of
    what a `doer` may do no row of prices tells, but a section.
    """
    language = passage.page.language
    names = HEADING_WORTH * bool(named_headings(closest, question, language))
    if doer:
        return ROW_WORTH * bool(names and not closest.is_row)
    if not is_labelled(closest, question, language):
        return names + ROW_WORTH * bool(passage.asked)
    is_all = {*NUMBER.findall(question)} <= {*NUMBER.findall(closest.printed)}
    is_all = is_all and bool(asked_share(question, label_of(closest.text), language))
    return (names + (ROW_WORTH if is_all else HEADING_WORTH)) * bool(names)


def _worded(passage: Passage, line: Line, headings: Sequence[str]) -> str:
    """The words of a line under some headings; of a row no numbers but those that are asked for."""
    said = [NUMBER.sub("", line.text), passage.numbers] if line.is_row else [line.text]
    return " ".join([*map(without_number, headings), *said])


def without_asking(question: str, languages: Sequence[str]) -> str:
    """The words of a question that name what it is about, without those that people ask with."""
    language = asking_language(question, frozenset(languages))
    asking = LANGUAGES[language].asking_words if language in LANGUAGES else ()
    return " ".join(word for word in content_words(question, language) if word not in asking)


def _surely(question: str, passage: Passage, closest: Line, held: float, named: float) -> tuple[Line, ...]:
    """The lines of a passage that surely answer: rows asked for, or a line with most of what is asked.

    Beside a row its columns need not have the words that people ask with: "how much does it cost?". Both a
    line and the heading over it speak of what is asked: under another one it tells of something else. Where
    the heading says all that is asked no line does so more than another.
    """
    language = passage.page.language
    if closest.is_row:
        return passage.asked if named >= SURE else ()
    if say_all(titles_over(closest, passage.page, question), question, language):
        return ()
    told = [closest.text, closest.heading or closest.text]
    is_told = all(any(shared_words(question, [one], [language])) for one in told)
    return (closest,) if held >= SURE and is_told else ()


@rule(without=lambda passage: 0.0)
def rank_worth(passage: Passage) -> float:
    """What it is worth that search ranks the page of a passage high, and its chunk on that page."""
    return PAGE_WORTH / (1 + passage.page_rank) + CHUNK_WORTH / (1 + passage.chunk_rank)


def _is_spoken(line: Line, language: str) -> bool:
    """Whether somebody speaks in a line, of himself or in quotation marks; rules do not."""
    speaker = LANGUAGES[language].speaker if language in LANGUAGES else ""
    is_told = bool(speaker) and re.search(rf"\b(?:{speaker})\b", line.text) is not None
    return is_told or _SPEECH.match(line.text) is not None
