"""Which game of several an answer is from, where the question named none; pure."""

from collections.abc import Sequence

from rag.library.books.found_page import FoundPage
from rag.state import AnswerWithSources, Authority, MeantGames, Question


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
