"""What a query says: its words, the language it asks in, the pages and books it names."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import permutations

from rag.config import Audience
from rag.library.books.book import BookSummary, languages_of
from rag.library.index.store import Store
from rag.library.index.topics import names_of_topic
from rag.library.language.chatter import is_chatter
from rag.library.language.glossary import commonest_translations
from rag.library.language.identify import language_of_question
from rag.library.language.short_forms import beside_short_forms, written_out_in
from rag.library.language.words import FUNCTION_WORDS, content_words, stem, without_courtesies, words
from rag.library.references import find_references
from rag.library.search.known_words import KnownWords, put_right
from rag.library.search.named_books import NamedBooks, name_of_no_book, named_books
from rag.library.search.page_lookup import Named, PageLookup

_LONGEST_ABBREVIATION = 3
"""Letters of a word that is looked up: it is noise where no book has it."""
_FEWEST_PLACES = 2
"""Passages of the books of one language in which an abbreviation of theirs stands at least."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """What was spoken of before a question: `about` games by their names, and files.

    `goes_on`: the question leans on what was said, so that it is asked of the same books; else they are but
    likelier than others. `new` is what it says itself where that was put to what was asked before.
    """

    about: tuple[str, ...] = ()
    goes_on: bool = False
    new: str = ""

    def files(self, books: Sequence[BookSummary]) -> frozenset[str]:
        """The files of those of `books` that were spoken of."""
        about = {*self.about}
        return frozenset(book.file for book in books if not about.isdisjoint((book.file, book.own_game)))


NOTHING_SAID = Conversation()


@dataclass(frozen=True, slots=True)
class Query:
    """A query as understood: the language it is asked in, and the pages and books it names.

    `text` is searched for: the query without the names of books, its `misspelt` words corrected. `books` are
    the files it wants to be answered from, `works` those of each work it names. `meaning` is embedded: the
    text, and its translation where books are in another language. `named` are the pages it names. `likely`
    are the files of the conversation before, and of what may be a name. `unheard` are words that neither
    books nor dictionaries have: no near word is looked for. `shortened` are its short forms, each with what
    the books may print for it. `elsewhere` is the name of a game that is not here. `new` are the words that
    were put to what was asked before.
    """

    text: str
    meaning: str
    language: str
    named: Named
    books: frozenset[str]
    works: tuple[frozenset[str], ...]
    misspelt: tuple[tuple[str, str], ...] = ()
    likely: frozenset[str] = frozenset()
    unheard: frozenset[str] = frozenset()
    shortened: tuple[tuple[str, tuple[str, ...]], ...] = ()
    elsewhere: str | None = None
    new: frozenset[str] = frozenset()

    @property
    def texts(self) -> list[str]:
        """What must be embedded to search for it: the query, and its words; nothing for a mere look-up."""
        if self.named.is_all:
            return []
        words_asked = filter(str.isalpha, content_words(self.text, self.language))
        return [self.meaning, *(word for word in words_asked if word not in self.unheard)]


@dataclass(frozen=True)
class QueryReader:
    """Understands queries by the books that a reader searches, and by what was spoken of before."""

    store: Store
    reader: Audience
    books: tuple[BookSummary, ...]
    conversation: Conversation = NOTHING_SAID

    @cached_property
    def _words(self) -> KnownWords:
        """The words of the books that are searched."""
        return KnownWords(self.store, self.store.scope(self.reader, self.books), languages_of(self.books))

    def read(self, texts: Sequence[str]) -> list[Query]:
        """What each query names and in which language it asks."""
        return [self._read(text) for text in texts]

    def named_books(self, text: str) -> NamedBooks:
        """The books and games that a text names."""
        return named_books(text, self.books)

    def asks_something(self, question: str) -> bool:
        """Whether a question says what a book could tell of: a page, a word, or an abbreviation of the books.

        Courtesies, numbers alone and what is a word of no book and no language ask nothing, unless a sentence
        asks for them. Nor does chatter ("nice"), unless a book explains something by that name.
        """
        catalog = self.store.catalog(self.reader)
        if find_references(question, catalog.titles, catalog.codes, is_question=True):
            return True
        rest = without_courtesies(question)
        language = self.language_of(rest)
        if is_chatter(rest) and not self.explains(rest):
            return False
        content = content_words(rest, language)
        is_sentence = any(word in FUNCTION_WORDS.get(language, ()) for word in words(rest))
        # The sentence first: a dictionary is read when it is first asked, which takes its time.
        is_printed = partial(self._words.is_printed, language=language)
        return any(
            (is_sentence and not word.isdigit())
            or self._is_telling(word)
            or written_out_in(word, language, is_printed)
            for word in content
        )

    def unheard(self, question: str) -> list[str]:
        """The words of a question that neither books nor dictionaries have, but for mere chatter."""
        unheard = self._words.unheard(question, self.language_of(question))
        return [] if is_chatter(question) else sorted(unheard)

    def _is_telling(self, word: str) -> bool:
        letters = "".join(filter(str.isalpha, word))
        if letters.upper() == letters.lower():
            return letters != ""
        if len(letters) > _LONGEST_ABBREVIATION and self._words.is_known_or_misspelt(letters):
            return True
        forms = {word, letters}
        places = (self._words.places(form, code) for form in forms for code in self._words.languages)
        return max(places, default=0) >= _FEWEST_PLACES

    def language_of(self, question: str) -> str:
        """The language a question is asked in, as far as its words and the books tell."""
        scope = self.store.scope(self.reader)

        def is_known(word: str, language: str) -> bool:
            return self.store.places(stem(word, language), language, scope) > 0

        return language_of_question(question, self._words.languages, is_known)

    def _read(self, text: str) -> Query:
        wanted = self.named_books(text)
        language = self.language_of(text)
        likely = self.conversation.files(self.books)
        bound = likely if self.conversation.goes_on and not self._is_of_others(wanted.rest, language) else ()
        books = wanted.files or frozenset(bound) or self._words.scope.files
        misspelt = self._words.misspelt(wanted.rest, language)
        is_printed = partial(self._words.is_printed, language=language)
        asked = put_right(wanted.rest, misspelt)
        shortened = written_out_in(asked, language, is_printed)
        meant = beside_short_forms(asked, shortened)
        translated = [
            word
            for printed in self._words.languages
            for word in commonest_translations(meant, language, printed)
        ]
        pages = PageLookup(self.store, self.store.catalog(self.reader), self.books, self.explains)
        named = pages.named(text, wanted, frozenset(bound) or likely)
        is_of_rules = partial(self._words.is_word_of_rules, language=language)
        return Query(
            text=asked,
            meaning=" ".join([meant, *translated]),
            language=language,
            named=named,
            books=books,
            works=wanted.works,
            misspelt=tuple(misspelt.items()),
            likely=likely | wanted.likely,
            unheard=self._words.unheard(asked, language),
            shortened=tuple(shortened.items()),
            elsewhere=name_of_no_book(asked, is_of_rules, names_page=named.is_page),
            new=frozenset(content_words(put_right(self.conversation.new, misspelt), language)),
        )

    def explains(self, name: str) -> bool:
        """Whether the books that are searched explain something by a name."""
        language = self.language_of(name)
        name = put_right(name, self._words.misspelt(name, language))
        names = (one for printed in self._words.languages for one in names_of_topic(name, printed))
        translated = (
            one
            for printed in self._words.languages
            if len(theirs := commonest_translations(name, language, printed))
            == len(content_words(name, language))
            # A "bola de fogo" is a fireball.
            for said in (" ".join(theirs), *map("".join, permutations(theirs) if len(theirs) == 2 else ()))
            for one in names_of_topic(said, printed)
        )
        return self.store.explains([*names, *translated], self._words.scope)

    def _is_of_others(self, text: str, language: str) -> bool:
        """Whether words of a text stand in the library, and none of them in the books spoken of before."""
        spoken_of = self.conversation.files(self.books)
        here = self.store.scope(self.reader, [book for book in self.books if book.file in spoken_of])
        asked = list(filter(self._words.stands_in_books, content_words(text, language)))
        return bool(asked) and not any(map(replace(self._words, scope=here).stands_in_books, asked))
