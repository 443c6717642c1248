"""The search behind the retriever: queries in, pages out; between, one embedding request for all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from langchain_core.documents import Document

from rag.library.documents import Found, documents
from rag.library.fusion import fused, ordered
from rag.library.language import content_words, fold, language_of_question, stem
from rag.library.lexical import Ids, Weights, best, bm25
from rag.library.lookup import named_pages
from rag.library.shelf import BookSummary, Shelf
from rag.library.store import Scope, Store

if TYPE_CHECKING:
    from rag.state import Audience

CHILDREN_A_RANKING = 100
"""How deep each ranking goes before fusion; ten pages have about sixty children."""

Vector = Sequence[float]


@dataclass(frozen=True, slots=True)
class Query:
    """A query as understood: the language it is asked in, and the pages it names."""

    text: str
    language: str
    named: tuple[int, ...]
    is_fetch: bool

    def texts(self, languages: Sequence[str]) -> list[str]:
        """What must be embedded to search books in `languages`; nothing where pages are only fetched."""
        if self.is_fetch:
            return []
        abroad = any(language != self.language for language in languages)
        return [self.text, *(content_words(self.text, self.language) if abroad else [])]


@dataclass(frozen=True, slots=True)
class Search:
    """Searches the part of the library a reader may see."""

    store: Store
    reader: "Audience"
    books: tuple[BookSummary, ...]
    dense_weight: float
    k: int

    @property
    def languages(self) -> list[str]:
        """The languages of the books searched."""
        return sorted({book.language for book in self.books})

    def understand(self, texts: Sequence[str]) -> list[Query]:
        """What each query names and in which language it asks."""
        shelf = self.store.shelf(self.reader)
        return [self._understand(text, shelf) for text in texts]

    def _understand(self, text: str, shelf: Shelf) -> Query:
        named = named_pages(text, self.books, shelf, self.store)
        return Query(text, self.language_of(text), named.pages, named.is_all)

    def language_of(self, question: str) -> str:
        """The language a question is asked in, as far as its words and the books tell."""

        def is_known(word: str, language: str) -> bool:
            return self.store.knows(stem(word, language), language)

        return language_of_question(question, self.languages, is_known)

    def find(self, queries: Sequence[Query], vectors: Mapping[str, Vector]) -> list[list[Document]]:
        """The best pages for each query, best first; `vectors` is empty where nothing could be embedded.

        Raises `IndexUnreachable` where the Chroma server does not answer.
        """
        scope = self.store.scope(self.reader, self.books)
        searched = [query for query in queries if query.text in vectors and not query.is_fetch]
        nearby = self.store.nearest_children(
            [vectors[query.text] for query in searched], scope, CHILDREN_A_RANKING
        )
        dense = dict(zip((query.text for query in searched), nearby, strict=True))
        shelf = self.store.shelf(self.reader)
        return [
            documents(
                self._ranked(query, dense.get(query.text, []), vectors, scope), self.store, shelf, self.reader
            )
            for query in queries
        ]

    def _ranked(
        self, query: Query, dense: Sequence[int], vectors: Mapping[str, Vector], scope: Scope
    ) -> list[Found]:
        """The pages a query names, then the best others, `k` in all."""
        if query.is_fetch:
            return [Found(page, 1.0) for page in query.named[: self.k]]
        child_scores, page_scores = self._lexical(query, vectors, scope)
        page_of = self.store.page_of_child
        by_words = best(child_scores, CHILDREN_A_RANKING)
        children = fused([(self.dense_weight, dense), (1.0, by_words)])
        pages = fused(
            [
                (self.dense_weight, _pages_of(dense, page_of)),
                (0.5, best(page_scores, CHILDREN_A_RANKING)),
                (0.5, _pages_of(by_words, page_of)),
            ]
        )
        order = self._citable(pages, scope)
        chosen = list(dict.fromkeys([*query.named, *order]))[: self.k]
        hits: dict[int, list[int]] = {page: [] for page in chosen}
        for child in ordered(children):
            hits.get(int(page_of[child]), []).append(child)
        return [
            Found(page, 1.0 if page in query.named else pages.get(page, 0.0), tuple(hits[page]))
            for page in chosen
        ]

    def _citable(self, pages: Mapping[int, float], scope: Scope) -> list[int]:
        """The ranked pages with rules on them; else any page, for a reader with books gets an answer."""
        order = ordered(dict(pages))
        citable = [page for page in order if self.store.citable[page]]
        readable = np.flatnonzero(scope.pages & self.store.has_text)
        first = [int(page) for page in readable if self.store.citable[page]] or [int(p) for p in readable]
        return citable or order or first[:1]

    def _lexical(self, query: Query, vectors: Mapping[str, Vector], scope: Scope) -> tuple[Weights, Weights]:
        """BM25 of all children and of all pages, each book in its own language."""
        page_of = self.store.page_of_child
        alone = np.arange(len(page_of), dtype=np.int32)
        child_scores = np.zeros(len(page_of), np.float32)
        page_scores = np.zeros(len(scope.pages), np.float32)
        for language in self.languages:
            terms = self._terms(query, language, vectors, scope)
            postings = self.store.postings(terms, language)
            allowed = scope.children & self.store.speaks(language)
            child_scores += bm25(terms, postings, _only(allowed, alone), self.store.child_lengths)
            page_scores += bm25(terms, postings, _only(allowed, page_of), self.store.page_lengths)
        return child_scores, page_scores

    def _terms(
        self, query: Query, language: str, vectors: Mapping[str, Vector], scope: Scope
    ) -> dict[str, float]:
        """The stems to look for in the books of a language, with their weights."""
        asked = content_words(query.text, query.language)
        if language == query.language:
            return {stem(word, language): 1.0 for word in asked}
        terms: dict[str, float] = {}
        for neighbours in self._neighbours(asked, language, vectors, scope):
            for word, similarity in neighbours.items():
                term = stem(word, language)
                terms[term] = max(terms.get(term, 0.0), similarity)
        return terms

    def _neighbours(
        self, asked: Sequence[str], language: str, vectors: Mapping[str, Vector], scope: Scope
    ) -> list[Mapping[str, float]]:
        """For each word, itself where the books know it, else their nearest words."""
        known: list[Mapping[str, float]] = [
            dict.fromkeys(self.store.spellings(fold(word), language), 1.0) for word in asked
        ]
        foreign = [vectors[word] for word in asked if word in vectors]
        if not foreign:
            return known
        vocabulary = self.store.vocabularies[language]
        columns = self.store.columns(scope.files)
        return [*known, *vocabulary.nearest(np.array(foreign, np.float32), columns)]


def _only(allowed: "np.ndarray[tuple[int], np.dtype[np.bool_]]", groups: Ids) -> Ids:
    return np.where(allowed, groups, -1).astype(np.int32)


def _pages_of(children: Sequence[int], page_of: Ids) -> list[int]:
    """The pages of ranked children, each at the rank of its best child."""
    return list(dict.fromkeys(int(page_of[child]) for child in children))
