"""Rated answers as a question file, which `python -m rag evaluate` scores; pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from pydantic import Json

from bot.answers.table import KeptSource
from rag.config import Audience
from rag.evaluation.questions import GoldPage, GoldQuestion
from rag.library.books.ruling import is_ruling

BETWEEN_QUOTES = " … "


class Rating(StrEnum):
    """What somebody thinks of an answer."""

    RIGHT = "right"
    WRONG = "wrong"
    NOT_ASKED = "not-asked"


@dataclass(frozen=True, slots=True)
class RatedAnswer:
    """An answer that somebody has rated, without a name.

    `book` is the book or game it was searched in, `ratings` how many chose each, `page` what the GM says
    answers the question. `has_statements` tells whether its sources belong to statements; else they are the
    closest passages. In the table, what is `Json` is text.
    """

    message: int
    audience: Audience
    book: str | None
    question: str
    standalone_question: str
    sources: Json[tuple[KeptSource, ...]]
    has_statements: bool
    created: float
    ratings: dict[Rating, int]
    page: Json[KeptSource] | None = None


def question_file(answers: Iterable[RatedAnswer]) -> str:
    """One question a line as JSON; empty where no answer says which pages are right."""
    questions = filter(None, map(gold_question, answers))
    return "".join(f"{one.model_dump_json(exclude_defaults=True)}\n" for one in questions)


def gold_question(answer: RatedAnswer) -> GoldQuestion | None:
    """The question with the pages that answer it, None where nobody knows them.

    These are the page that a GM wrote down, else the sources of an answer that all who rated it as an answer
    found right. Of closest passages each may be the one that answers. A ruling is in no book: an answer that
    rests on rulings alone is no question to the books.
    """
    printed = [source for source in answer.sources if not is_ruling(source.file)]
    if answer.page:
        gold, also_ok = _pages([answer.page]), []
    elif answer.sources and not printed:
        return None
    elif Rating.RIGHT in answer.ratings and Rating.WRONG not in answer.ratings:
        pages = _pages(printed)
        needed = len(pages) if answer.has_statements else 1
        gold, also_ok = pages[:needed], pages[needed:]
    else:
        return None
    return GoldQuestion(
        id=str(answer.message),
        type=("unanswerable", "single", "multi")[min(len(gold), 2)],
        question=answer.standalone_question,
        book=answer.book,
        gold=gold,
        also_ok=also_ok,
    )


def _pages(sources: Iterable[KeptSource]) -> list[GoldPage]:
    """The pages of sources, each once with all its quotations; a section has no position that stays."""
    quotes: dict[tuple[str, int, str | None, str | None], list[str]] = {}
    for source in sources:
        place = (source.file, source.pdf_page, source.page, source.section)
        quotes.setdefault(place, []).append(source.quote)
    return [
        GoldPage(
            file=file,
            page=page,
            pdf_page=None if section else position,
            section=section,
            quote=BETWEEN_QUOTES.join(filter(None, said)),
        )
        for (file, position, page, section), said in quotes.items()
    ]
