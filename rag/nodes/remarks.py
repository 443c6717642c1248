"""What is told beside an answer: the game it is from, and pages that could not be opened; pure."""

from collections.abc import Iterator, Sequence

from rag.library.books.catalog import plain
from rag.library.books.found_page import FoundPage, FoundReference
from rag.library.references.entries import tied_name
from rag.nodes.citations import find_quote, paragraph_around
from rag.state import AnswerWithSources, Authority, MeantGames, Outcome, Question, Source, Span

MOST_PLACES = 3
"""Places that quoted rules refer to in vain and that are told."""


def pages_of_taken_games(pages: Sequence[FoundPage], questions: Sequence[Question]) -> list[FoundPage]:
    """The pages of the games that the question is answered from, and those it names; else all."""
    meant = _meant(questions)
    named = frozenset[object]().union(*(question.named for question in questions))
    if meant is None:
        return list(pages)
    kept = {page.id for page in pages if _game(page) in meant.taken or page.id in named}
    # A table's own rules may lie outside of the game whose rules they change.
    kept |= {one.other.id for page in pages if page.id in kept for one in (*page.amends, *page.amended_by)}
    return [page for page in pages if page.id in kept] or list(pages)


def games_answered_from(
    answer: AnswerWithSources, questions: Sequence[Question]
) -> tuple[str | None, list[str]]:
    """The game of an answer's first source, and the others that could answer; none where one was named."""
    meant = _meant(questions)
    if meant is None or not answer.sources:
        return None, []
    own = {source.book for source in answer.sources if source.authority is not Authority.BOOK}
    quoted = {*answer.games, *own}
    return answer.games[0], [game for game in (*meant.taken, *meant.others) if game not in quoted]


def _meant(questions: Sequence[Question]) -> MeantGames | None:
    """The games that the asker's own question, the first that was searched, may mean."""
    return questions[0].games if questions else None


def _game(page: FoundPage) -> str:
    return page.game or page.book


def with_absent_pages(answer: AnswerWithSources, questions: Sequence[Question]) -> AnswerWithSources:
    """The answer, told which pages the asker's own question, the first, names in vain or without a book.

    Passages quoted in their place have nothing to do with them, and are left out: it ends with what is not
    there, or with asking which book is meant.
    """
    absent = list(questions[0].absent) if questions else []
    ambiguous = list(questions[0].ambiguous) if questions else []
    has_named = any(question.named for question in questions)
    is_in_vain = bool(absent or ambiguous) and not has_named and answer.outcome is Outcome.PASSAGES
    told = answer.model_copy(update={"absent": absent, "ambiguous": ambiguous})
    if not is_in_vain:
        return told
    return told.model_copy(update={"answer": "", "found": False, "sources": [], "overruled": []})


def places_elsewhere(sources: Sequence[Source], pages: Sequence[FoundPage]) -> list[str]:
    """The printed pages of other books to which the quoted paragraphs refer in vain: "Machines p. 4".

    `pages` are those the sources were quoted from. At most three places, each once.
    """
    quoted = {page.id: page for page in pages}
    places = [
        place for source in sources if (page := quoted.get(source.page_id)) for place in _places(source, page)
    ]
    return list(dict.fromkeys(places))[:MOST_PLACES]


def _places(source: Source, page: FoundPage) -> Iterator[str]:
    in_vain = [
        reference
        for reference in page.references
        if reference.book not in ("", source.book)
        and reference.label
        and not reference.pages
        and not _names_own_rule(reference, page)
    ]
    span = find_quote(source.quote, page.text) if in_vain else None
    paragraph = paragraph_around(page.text, span) if span else Span(0, 0)
    for reference in in_vain:
        if paragraph.start <= reference.start < paragraph.end:
            yield reference.place


def _names_own_rule(reference: FoundReference, page: FoundPage) -> bool:
    """Whether what looks like a book is the rule that a table's own one changes: "Initiative – p. 30"."""
    if page.authority is Authority.BOOK:
        return False
    end = reference.start + len(reference.text)
    return tied_name(page.text, reference.start, end) == plain(reference.book)
