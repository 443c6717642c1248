"""The library as the rest of the program sees it: what ingestion published, opened for reading."""

import asyncio
import logging
import threading
from collections.abc import Sequence
from difflib import get_close_matches

from rag.config import Audience, Settings
from rag.errors import (
    AmbiguousPage,
    EmptyLibrary,
    IndexDamaged,
    IndexUnreachable,
    PictureError,
    QuotationNotLocated,
    SystemExhausted,
    UnknownBook,
    UnknownPage,
    UnknownSection,
    UnnumberedPage,
    quoted,
)
from rag.library.books.book import BookSummary, IsSeen, languages_of
from rag.library.books.files import kind_of
from rag.library.books.found_page import FoundPage, section_in
from rag.library.books.page import SECTION_JOINT, Page
from rag.library.books.ruling import Ruling
from rag.library.books.servers import ServerGames
from rag.library.index.local import Index
from rag.library.index.open import index_of, latest, open_snapshot, path_of
from rag.library.index.store import Store
from rag.library.language.identify import told_language
from rag.library.page_pictures.pages import PageToDraw, PictureFile, quoted_on
from rag.library.search.found_pages import Hit, found_pages
from rag.library.search.page_lookup import page_name, pages_called, without_number
from rag.library.search.query import NOTHING_SAID, Conversation, QueryReader
from rag.library.search.ranking.search import Search
from rag.library.search.retriever import ParentDocumentRetriever
from rag.library.search.rulings import Likeness, RulingsRetriever, ruling_pages
from rag.library.search.sections import pages_of_sections, section_parts, sections_above, sections_around
from rag.models.embeddings import EmbeddingModel
from rag.state import AbsentPage, PageId
from rag.texts import logged

log = logging.getLogger(__name__)

_SECTIONS_TOLD = 3
"""Sections that are named where one is asked for in vain."""


class Library:
    """The indexed books. Each call sees the snapshot that is published then."""

    def __init__(self, index: Index, model: EmbeddingModel, settings: Settings) -> None:
        self._index = index
        self._model = model
        self._settings = settings
        self._lock = threading.Lock()
        self._likeness = Likeness(model)
        self._opened_at: tuple[tuple[int, int] | None, bool] | None = None
        self._store: Store | None = None

    @classmethod
    def open(cls, settings: Settings, model: EmbeddingModel) -> "Library":
        """The library of these settings, which may be empty yet, or on a server that is away."""
        index = index_of(settings)
        try:
            index.refresh()
        except IndexUnreachable as error:
            log.warning("opened as it was last seen: %s", logged(error))
        index.follow()
        return cls(index, model, settings)

    def is_reachable(self) -> bool:
        """Whether what keeps the index answers."""
        try:
            self._index.refresh()
        except IndexUnreachable:
            return False
        return True

    def awaits_ingest(self) -> bool:
        """Whether damage was met, or the index is gone, which the next ingest makes good."""
        return self._index.is_doubted()

    def servers(self) -> ServerGames | None:
        """Which server sees which games, empty where none has an entry; None where nothing is indexed yet."""
        manifest = self._index.published()
        return manifest.servers if manifest else None

    def limited_to(self, is_seen: IsSeen | None) -> "Library":
        """The library as somebody knows it who may see some books alone; all of it where that is None."""
        return _LimitedLibrary(self, is_seen) if is_seen else self

    def books(self, reader: Audience) -> list[BookSummary]:
        """The books this reader may know, in order of file."""
        manifest = self._index.published()
        return list(manifest.books[reader]) if manifest else []

    def edition(self, file: str) -> str | None:
        """The digest of a file as it is indexed, which tells one edition from another; None without one."""
        manifest = self._index.published()
        stamp = manifest.stamps.get(file) if manifest else None
        return stamp.content if stamp else None

    def languages(self, reader: Audience) -> list[str]:
        """The languages of this reader's books (ISO 639-1)."""
        return languages_of(self.books(reader))

    def question_language(self, question: str, reader: Audience, earlier: Sequence[str] = ()) -> str:
        """The language somebody asks in (ISO 639-1), names of books aside.

        What the question's own words do not tell, the `earlier` questions of the conversation do, the
        newest first; else the books that hold the words of the first one.
        """
        queries, languages = self.queries(reader), self.languages(reader)
        asked = [queries.named_books(text).rest for text in (question, *reversed(earlier))]
        told = (told_language(text, languages) for text in asked)
        return next(filter(None, told), None) or queries.language_of(asked[-1])

    def queries(self, reader: Audience, book: str | None = None) -> QueryReader:
        """What understands questions by the reader's books, or by one book or game.

        Raises `EmptyLibrary` or `UnknownBook`.
        """
        return self.retriever(reader, book).queries

    def absent_pages(self, text: str, reader: Audience) -> tuple[AbsentPage, ...]:
        """The pages that a text names and that no book of this reader has."""
        (query,) = self.queries(reader).read([text])
        return query.named.absent

    def page(self, book: str, label: str, reader: Audience) -> FoundPage:
        """The page called `label` in whichever book that `book` names has it.

        `label` is the printed number, a position as we cite it, "PDF p. 2", or the name of a section, which
        comes whole, with what stands below it. Raises `UnknownBook`, `UnknownPage`, or `AmbiguousPage` where
        several of the books have such a page.
        """
        store = self._opened()
        catalog = store.catalog(reader)
        meant = catalog.find(book)
        if not meant:
            raise UnknownBook(book, catalog.nearest(book))
        files = [found.file for found in meant]
        # As it is printed, else as people write it.
        called = store.labelled(files, label) or pages_called(page_name(label), files, store)
        parts = [] if called else section_parts(store, meant, label)
        pages = store.pages(called or [part.page for part in parts]).values()
        holding = [found for found in meant if any(page.file == found.file for page in pages)]
        if not pages:
            raise _unknown_place(book, meant, label, self.sections(book, reader))
        if len(holding) > 1:
            names = quoted([catalog.own_name(found) for found in holding])
            raise AmbiguousPage(book=book, page=label, books=names)
        first = found_pages([Hit(min(page.id for page in pages))], store, reader)[0]
        return first if called or first.label else _whole(pages_of_sections(parts, store, reader))

    async def search(
        self, query: str, reader: Audience, book: str | None = None, k: int = 10
    ) -> list[FoundPage]:
        """The pages that a query finds, the best first, at most `k`; no chat model is asked.

        Raises `EmptyLibrary` or `UnknownBook`.
        """
        retriever = await asyncio.to_thread(self.retriever, reader, book, k)
        return [FoundPage.of(document) for document in await retriever.ainvoke(query)]

    def section(self, file: str, name: str, reader: Audience) -> list[FoundPage]:
        """The words of a section of one book, by its positions; none where there is no such section."""
        store = self._opened()
        books = [book for book in store.catalog(reader).books if book.file == file]
        return pages_of_sections(section_parts(store, books, name), store, reader)

    def sections(self, book: str, reader: Audience) -> list[str]:
        """The sections of the books that `book` names, as they are cited, each once, in order."""
        store = self._opened()
        meant = {found.file: found.title for found in store.catalog(reader).find(book)}
        named = (
            section_in(meant[part.file], section)
            for part in store.sections(meant)
            for section in sections_above(part.name)
        )
        return list(dict.fromkeys(named))

    def page_at(
        self,
        file: str,
        pdf_page: int,
        reader: Audience,
        label: str | None = None,
        section: str | None = None,
        half: int = 0,
    ) -> FoundPage:
        """A page by its file and its 1-based position there; of two on a sheet that `half`, or `label`.

        In a format without pages the `section` there alone, whole, where it has that one. Raises
        `UnknownBook` or `UnknownPage`.
        """
        store = self._opened()
        title, pages = _located(store, PageId(file, pdf_page, half), reader)
        named = set(pages) & set(store.labelled([file], label)) if label else set()
        meant = min(named or pages)
        parts = sections_around(meant, section, title, store.sections([file])) if section else []
        found = pages_of_sections(parts, store, reader) or found_pages([Hit(meant)], store, reader)
        return _whole(found)

    def page_to_draw(
        self, page: PageId, reader: Audience, quote: str = "", offset: int | None = None
    ) -> PageToDraw:
        """What to draw of a page: all of it, or the lines around a quotation, which begins at `offset`.

        Raises `UnknownBook`, `UnknownPage`, `PictureError`, or `QuotationNotLocated`.
        """
        store = self._opened()
        title, (number, *_) = _located(store, page, reader)
        if kind_of(page.file) != "pdf":
            raise PictureError("error-page-without-picture", book=title)
        row = store.pages([number])[number]
        # Not the row itself: the process that draws would load the whole index to unpack it.
        text = Page(
            row.pdf_page, row.label, row.text, (), row.kind, row.continues, row.rows, row.layer, row.half
        )
        stamp = store.manifest.stamps[page.file]
        path, ocr = path_of(page.file, self._settings), self._index.ocr_folder(stamp.content)
        book = PictureFile(page.file, path, stamp, ocr)
        quoted = quoted_on(quote, text, offset) if quote else None
        if quote and not quoted:
            raise QuotationNotLocated(file=page.file)
        return PageToDraw(book, text, quoted)

    def retriever(
        self,
        reader: Audience,
        book: str | None = None,
        k: int = 10,
        *,
        without_provider: bool = False,
        conversation: Conversation = NOTHING_SAID,
        rulings: Sequence[Ruling] = (),
    ) -> ParentDocumentRetriever:
        """A retriever of at most `k` pages from the reader's books, or from one book or game.

        The `rulings` on their games are found beside them.

        Without the provider an embedding of its is not asked: words alone find the pages. Questions are
        understood as asked in the `conversation`.
        Raises `EmptyLibrary` or `UnknownBook`.
        """
        store = self._opened()
        catalog = store.catalog(reader)
        books = catalog.books if book is None else tuple(catalog.find(book))
        if not catalog.books:
            raise EmptyLibrary()
        if not books:
            raise UnknownBook(book or "", catalog.nearest(book or ""))
        is_current = store.manifest.model == self._model.name
        may_embed = is_current and not (without_provider and self._model.is_provided)
        queries = QueryReader(store, reader, books, conversation)
        search = Search(store, reader, books, self._model.dense_weight, k)
        embeddings = self._model.for_questions if may_embed else None
        if not (own := ruling_pages(rulings, queries)):
            return ParentDocumentRetriever(queries=queries, search=search, embeddings=embeddings)
        return RulingsRetriever(
            queries=queries, search=search, embeddings=embeddings, rulings=own, likeness=self._likeness
        )

    def _opened(self) -> Store:
        """The published snapshot.

        Raises `EmptyLibrary`, `IndexDamaged`, `IndexOutdated` or `SystemExhausted` where there is none,
        `IndexUnreachable` and `IndexLost` for a server.
        """
        with self._lock:
            # Where a question has met damage, the snapshot is opened again: then, and when it was seen to.
            now = self._index.stamp(), self._index.is_doubted()
            if self._store is None or now != self._opened_at:
                try:
                    self._store, self._opened_at = self._open(), now
                except (EmptyLibrary, SystemExhausted) as error:
                    if self._store is None:
                        raise
                    # The next question tries again.
                    log.warning("the books are served as before: %s", logged(error))
            return self._store

    def _open(self) -> Store:
        manifest = self._index.published() or latest(self._index)
        if manifest is None:
            raise EmptyLibrary()
        try:
            store = open_snapshot(self._index, manifest, self._store)
        except IndexDamaged as error:
            self._index.doubt(error, manifest.parts)
            raise
        if store.manifest.model != self._model.name:
            log.warning(
                "the index was made with the embedding model %s, not %s: searching by words alone until the "
                "next ingest",
                store.manifest.model,
                self._model.name,
            )
        return store


def _located(store: Store, page: PageId, reader: Audience) -> tuple[str, Sequence[int]]:
    """The title of a page's book, and the ids of the pages there: of one half of the sheet, else of both.

    Raises `UnknownBook` where the reader may not know the book, or `UnknownPage`.
    """
    titles = [book.title for book in store.catalog(reader).books if book.file == page.file]
    if not titles:
        raise UnknownBook(page.file)
    found = store.positioned([page.file], page.pdf_page, page.half or None)
    if not found:
        raise UnknownPage(book=titles[0], page=f"PDF {page.pdf_page}")
    return titles[0], found


def _whole(parts: Sequence[FoundPage]) -> FoundPage:
    """The first of pages that follow one another, with the words of all."""
    return parts[0].model_copy(update={"text": "\n\n".join(part.text for part in parts)})


class _LimitedLibrary(Library):
    """A library in which there are no books but some; limited further, it is never widened."""

    def __init__(self, whole: Library, is_seen: IsSeen) -> None:
        super().__init__(whole._index, whole._model, whole._settings)
        self._whole = whole
        self._likeness = whole._likeness
        self._is_seen = is_seen

    def books(self, reader: Audience) -> list[BookSummary]:
        """Those of these books that this reader may know, in order of file."""
        return [book for book in self._whole.books(reader) if self._is_seen(book)]

    def _opened(self) -> Store:
        store = self._whole._opened()
        return store if all(map(self._is_seen, store.books["gm"])) else store.limited(self._is_seen)


def _unknown_place(
    name: str, meant: Sequence[BookSummary], label: str, sections: Sequence[str]
) -> UnknownPage:
    """That a book has no such page, no numbers at all, or in place of pages sections of other names."""
    titles = {found.title for found in meant}
    book = titles.pop() if len(titles) == 1 else name
    number, is_numbered = page_name(label), any(found.first_label for found in meant)
    if sections and not (is_numbered and number.number.isdecimal()):
        names = dict.fromkeys(section.rpartition(SECTION_JOINT)[2] for section in sections)
        nearest = get_close_matches(label, names, _SECTIONS_TOLD, 0)
        return UnknownSection(book=book, section=label, nearest=quoted(nearest))
    if is_numbered or number.is_pdf_page:
        return UnknownPage(book=book, page=label)
    absent = without_number(meant, number.number)
    exists = "yes" if absent.is_position else "no"
    return UnnumberedPage(book=book, page=absent.page, numbering=absent.numbering, exists=exists)
