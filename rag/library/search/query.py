"""What a query says: its words, the language it asks in, the pages and books it names."""

from dataclasses import dataclass

from rag.library.language.words import content_words
from rag.library.search.page_lookup import AbsentPage


@dataclass(frozen=True, slots=True)
class Query:
    """A query as understood: the language it is asked in, and the pages and books it names.

    `text` is what is searched for: the query without the names of `books`, the files it wants to be
    answered from; `works` are those of each work it names. `meaning` is what is embedded of it: the text
    with the books' words for its own, where they speak another language. `absent` are pages it names in
    vain.
    """

    text: str
    meaning: str
    language: str
    named: tuple[int, ...]
    is_fetch: bool
    books: frozenset[str]
    works: tuple[frozenset[str], ...]
    absent: tuple[AbsentPage, ...] = ()

    @property
    def texts(self) -> list[str]:
        """What must be embedded to search for it: the query, and its words; nothing for a mere fetch."""
        if self.is_fetch:
            return []
        return [self.meaning, *filter(str.isalpha, content_words(self.text, self.language))]
