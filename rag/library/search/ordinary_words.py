"""Which names of books are words of the rules as well, told by how the books print them."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rag.library.index.bm25 import Ids
from rag.library.index.store import Scope, Store
from rag.library.language.glossary import glossary
from rag.library.language.identify import OUR_LANGUAGES
from rag.library.language.language import LANGUAGES
from rag.library.language.spelling import is_spelt_right
from rag.library.language.words import fold, stem
from rag.rules import rule

_PAGES_READ = 40
_SHORTEST = 3  # letters
_BETWEEN = r"\W+"


@dataclass(frozen=True, slots=True)
class OrdinaryWords:
    """The words of the books that are searched, in these languages, as far as they tell a name from a word
    of the rules.
    """

    store: Store
    scope: Scope
    languages: Sequence[str]

    @rule(without=lambda books, name: False)
    def is_ordinary_word(self, name: Sequence[str]) -> bool:
        """Whether a name, in folded words, says something else as well.

        It does where a book prints it in small letters, as no name is printed, and where people ask with it;
        so does a word of a language that no book prints, as initials may be.
        """
        if len(name) == 1 and (len(name[0]) < _SHORTEST or self._is_asked_with(name[0])):
            return True
        words = _BETWEEN.join(map(re.escape, name))
        printed = re.compile(rf"(?<![\w./@-]){words}(?![\w/@]|\.\w)")
        pages = self.store.pages(self._pages(name)).values()
        if len(name) == 1 and not pages:
            return any(is_spelt_right(name[0], code) for code in OUR_LANGUAGES)
        return any(printed.search(_without_accents(page.text)) for page in pages)

    def has(self, word: str) -> bool:
        """Whether a word is one of the books', one that people ask with, or at least spelt right."""
        known = any(self.store.knows(stem(word, code), code, self.scope) for code in self.languages)
        return known or self._is_asked_with(word) or any(is_spelt_right(word, code) for code in OUR_LANGUAGES)

    def _is_asked_with(self, word: str) -> bool:
        """Whether a word builds questions, or is one, or a short form, for what books call otherwise."""
        return word in _ASKED_WITH or any(
            stem(word, asked) in glossary(asked, printed)
            for asked in OUR_LANGUAGES
            for printed in self.languages
        )

    def _pages(self, name: Sequence[str]) -> list[int]:
        """Pages that hold every word of a name, evenly spread where they are many."""
        found: list[int] = []
        for language in self.languages:
            terms = {stem(word, language) for word in name}
            postings = self.store.postings(terms, language, self.scope)
            if len(postings) == len(terms):
                chunks = (one.chunks for one in postings.values())
                found += sorted(set.intersection(*map(self._pages_of, chunks)))
        return found[:: 1 + len(found) // _PAGES_READ]

    def _pages_of(self, chunks: Ids) -> set[int]:
        return {int(page) for page in self.store.page_of_chunk[chunks]}


def _without_accents(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def _folded(words: Iterable[str]) -> frozenset[str]:
    return frozenset(map(fold, words))


_ASKED_WITH = frozenset().union(
    *(
        _folded(
            [*LANGUAGES[code].function_words, *LANGUAGES[code].asking_words, *LANGUAGES[code].short_forms]
        )
        for code in OUR_LANGUAGES
    )
)
