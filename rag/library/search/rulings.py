"""A table's rulings beside the books: few and short, and searched in memory as soon as they are made."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from langchain_core.documents import Document
from pydantic import InstanceOf

from rag.library.books.found_page import Correction, FoundPage
from rag.library.books.ruling import Ruling, ruling_file
from rag.library.index.recent import Recent
from rag.library.language.identify import told_language
from rag.library.language.likeness import shared_words
from rag.library.search.changed_rules import changed_rules
from rag.library.search.found_pages import linked
from rag.library.search.query import NOTHING_SAID, QueryReader
from rag.library.search.retriever import ParentDocumentRetriever
from rag.models.embeddings import EmbeddingModel, Vector, usable_vectors
from rag.state import Authority, PageId, SearchResult

log = logging.getLogger(__name__)

SAID, MEANT = 0.6, 0.5
"""Share of a question's words, or cosine to it, from which a ruling is about it, whatever page it changes.

Of 20 questions that none of 10 rulings was about 2 come so near, of 22 that one was about, in other words
than the ruling's or in another language, 10; for the rest there is the page, and `PERHAPS`.
"""

PERHAPS = 0.6
MOST_PERHAPS = 2
PAGES_BEFORE = 3
"""From this share of either on a ruling may be about a question: so many are read behind so many pages.

Of the same 22 questions 19 so find their ruling, and 18 are answered by quotation with it; of the 42 in all
4 are with another ruling, too.
"""

TEXTS_KEPT = 512
"""Rulings and questions whose vectors are remembered."""


class Likeness:
    """How close texts come to a question in meaning, by an embedding that costs nothing; else not at all."""

    def __init__(self, model: EmbeddingModel) -> None:
        self._model = model
        self._vectors: Recent[str, Vector] = Recent(TEXTS_KEPT)

    def of(self, question: str, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """The cosine of each text to the question; 0 where nothing is embedded, and words alone decide."""
        if self._model.is_provided:
            return np.zeros(len(texts), np.float32)
        try:
            vectors = self._vectors.get_all([question, *texts], self._embedded)
        except Exception as error:
            # Whatever an embedding raises, words go on without it.
            log.warning("comparing by words alone: the embedding failed: %s", type(error).__name__)
            return np.zeros(len(texts), np.float32)
        rows = np.array([vectors[text] for text in (question, *texts)], np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        cosines: npt.NDArray[np.float32] = rows[1:] @ rows[0]
        return cosines

    def _embedded(self, texts: list[str]) -> dict[str, Vector]:
        vectors = usable_vectors(texts, self._model.embeddings.embed_documents(texts))
        return dict(zip(texts, vectors, strict=True))


class RulingsRetriever(ParentDocumentRetriever):
    """Finds the pages of the reader's books and the rulings of their table, which are pages, too."""

    rulings: tuple[FoundPage, ...]
    likeness: InstanceOf[Likeness]

    async def asearch(self, texts: Sequence[str]) -> list[SearchResult]:
        """What is found for each query, behind the rulings on it; pages tell what rulings change.

        What may be on it, too, stands behind the best pages: a model may rule by it, and among passages it is
        quoted where it comes as close as theirs.
        """
        results = await super().asearch(texts)
        found = await asyncio.to_thread(lambda: [*map(self._among, texts, (one.context for one in results))])
        return [one.model_copy(update={"context": pages}) for one, pages in zip(results, found, strict=True)]

    def fetch(self, pages: Sequence[PageId]) -> list[Document]:
        """The rulings and pages with these identities, in order."""
        own = {one.id: one.document() for one in self.rulings if one.id in pages}
        fetched = super().fetch([page for page in pages if page not in own])
        found = {FoundPage.of(one).id: one for one in self._told_on(fetched)} | own
        return [found[page] for page in pages if page in found]

    def _among(self, text: str, pages: Sequence[Document]) -> list[Document]:
        """The rulings on a text and the pages found for it."""
        about = [" ".join((*one.headings, one.text)) for one in self.rulings]
        words = shared_words(text, about, [page.language for page in self.rulings])
        # From 1 on a ruling is surely meant.
        near = np.maximum(np.array(words) / SAID, self.likeness.of(text, about) / MEANT)
        order = np.argsort(-near, kind="stable")
        surely = [self.rulings[at].document() for at in order if near[at] >= 1]
        perhaps = [self.rulings[at].document() for at in order if PERHAPS <= near[at] < 1]
        told = self._told_on(pages)
        return [*surely, *told[:PAGES_BEFORE], *perhaps[:MOST_PERHAPS], *told[PAGES_BEFORE:]]

    def _told_on(self, documents: Sequence[Document]) -> list[Document]:
        """The pages, each with the rulings that change it."""
        corrections: defaultdict[PageId, list[Correction]] = defaultdict(list)
        for ruling in self.rulings:
            for one in ruling.amends:
                corrections[one.other.id].append(one.model_copy(update={"other": linked(ruling)}))
        pages = ((document, FoundPage.of(document)) for document in documents)
        return [
            page.model_copy(update={"amended_by": (*page.amended_by, *corrections[page.id])}).document()
            if page.id in corrections
            else document
            for document, page in pages
        ]


def ruling_pages(rulings: Sequence[Ruling], queries: QueryReader) -> tuple[FoundPage, ...]:
    """Those of the rulings that belong to the games of the searched books, each with what it changes."""
    games = {book.game for book in queries.books}
    own = tuple(one for one in rulings if one.game in games and one.text.strip())
    queries = replace(queries, conversation=NOTHING_SAID)
    key = ("rulings", queries.reader, frozenset(book.file for book in queries.books), own)
    made: tuple[FoundPage, ...] = queries.store.kept.get(
        key, lambda: tuple(_page(number, one, queries) for number, one in enumerate(own, start=1))
    )
    return made


def _page(number: int, ruling: Ruling, queries: QueryReader) -> FoundPage:
    return FoundPage(
        text=ruling.text,
        book=ruling.heading,
        file=ruling_file(ruling.game),
        game=ruling.game,
        pdf_page=number,
        language=told_language(f"{ruling.rule} {ruling.question} {ruling.text}") or queries.books[0].language,
        headings=tuple(dict.fromkeys((ruling.heading, ruling.question))),
        section_starts=((0, ruling.heading),),
        amends=tuple(changed_rules(ruling, queries)),
        authority=Authority.RULING,
        made=ruling.made,
    )
