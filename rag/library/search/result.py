"""What a search brings beside the pages."""

from dataclasses import dataclass

from langchain_core.documents import Document

from rag.state import AbsentPage, MeantGames, PageId, PageOfSeveralBooks


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The pages for one query, best first, and what became of what it asked for.

    `named` are the pages it names, `absent` those it names in vain, `ambiguous` those that too many books
    have, `holding_most` the found pages that hold most of what it asks for, None where nobody looked. `games`
    are those it may mean where it names none of several. `misspelt` has its misspelt words, each with the
    word that was searched for it.
    """

    pages: list[Document]
    named: frozenset[PageId] = frozenset()
    absent: tuple[AbsentPage, ...] = ()
    holding_most: frozenset[PageId] | None = None
    ambiguous: tuple[PageOfSeveralBooks, ...] = ()
    games: MeantGames | None = None
    misspelt: tuple[tuple[str, str], ...] = ()
