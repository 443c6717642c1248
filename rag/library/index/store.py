"""One snapshot of the index, opened for reading: its segments as one, and the references among its books."""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from pydantic_core import from_json

from rag.library.books.book import BookSummary, IsSeen
from rag.library.books.catalog import Catalog
from rag.library.index.bm25 import Ids, Posting, joined_postings
from rag.library.index.manifest import Manifest
from rag.library.index.nearest import NearestChunks, joined
from rag.library.index.recent import Recent
from rag.library.index.segment import PAGE_ROW, OpenedLinks, PageRow, SectionPart, Segment
from rag.library.index.tables import marks
from rag.library.index.topics import Name, TopicArrays, number_of
from rag.library.index.vocabulary import Vocabulary, Words
from rag.library.references.resolve import LONGEST_RANGE

if TYPE_CHECKING:
    from rag.config import Audience

SCOPES_KEPT = 32
"""Choices of books for which searches keep what they computed: a few bytes a chunk each."""
COSINE_DIGITS = 5
"""Decimals of a cosine that count: beyond, it differs by who reckoned it, and equal ones change places."""
POSTINGS_KEPT = 1_000
"""Postings that are kept: some ten megabytes in 20,000 pages, most words being rare."""
_NOWHERE = Posting(np.zeros(0, np.int32), np.zeros(0, np.float32))
_DASHES = str.maketrans(dict.fromkeys("‐‑–—−", "-"))
"""Labels with a chapter ("2-3") are kept with a hyphen."""


TermInFiles: TypeAlias = tuple[str, str, frozenset[str]]
"""A stem of a language in some files."""


@dataclass(frozen=True, slots=True)
class AmendmentRow:
    """A correction: characters `start` to `end` of `page` are changed by characters `at` to `until` of
    the page `amending`.
    """

    page: int
    start: int
    end: int
    amending: int
    at: int
    until: int


@dataclass(frozen=True, slots=True)
class ReferenceRow:
    """A printed reference; `pages` are the ids of the pages it means, none where it does not resolve."""

    page: int
    start: int
    text: str
    name: str | None
    label: str | None
    pages: tuple[int, ...]


@dataclass(frozen=True)
class Scope:
    """The part of the library that a search may see: arrays over all chunks and pages, numbers of books."""

    files: frozenset[str]
    columns: Ids
    chunks: npt.NDArray[np.bool_]
    pages: npt.NDArray[np.bool_]


GONE = -1
"""In place of the number of what a segment still holds, or a link still names, and the snapshot does not."""


class _Order:
    """The order by file of what several segments hold one behind the other.

    `places` tells where each number stands there; `numbers` has an array a segment with the numbers of what
    it holds.
    """

    def __init__(self, ranks: Sequence[Ids]) -> None:
        self.places = _by_rank(np.concatenate(ranks))
        self._firsts = np.cumsum([0, *map(len, ranks)])
        self.numbers = np.split(_by_rank(self.places), self._firsts[1:-1])

    def held(self, part: int, numbers: Iterable[int]) -> list[int]:
        """Those of some numbers that a segment holds, as it numbers them itself."""
        places = self.places[sorted(set(numbers))] - self._firsts[part]
        own: list[int] = places[(places >= 0) & (places < len(self.numbers[part]))].tolist()
        return own


@dataclass(frozen=True)
class _Placed:
    """A segment in a snapshot: the numbers of its books, pages, chunks and first topic among all."""

    segment: Segment
    columns: Ids
    pages: Ids
    chunks: Ids
    topic: int


class Store:
    """Reads one snapshot. Safe to use from several threads.

    Books, pages and chunks are numbered by order of file, whichever segment holds them: an index that grew
    has the numbers of one that was made at once. Pages that are out of date have the last numbers, and no
    search sees them. In `kept` searches keep what they compute of this snapshot, under keys of their own.
    """

    def __init__(self, manifest: Manifest, segments: Sequence[Segment], links: OpenedLinks) -> None:
        self.manifest = manifest
        self.segments = segments
        self.links = links
        self._set_books(manifest.books)
        self.kept: Recent[Hashable, Any] = Recent(SCOPES_KEPT)
        self._postings: Recent[TermInFiles, Posting] = Recent(POSTINGS_KEPT)
        self._column = {book.file: number for number, book in enumerate(manifest.books["gm"])}
        self._read_arrays()
        self._number_links()

    def _set_books(self, books: "Mapping[Audience, tuple[BookSummary, ...]]") -> None:
        """Let these be the books that each reader may know."""
        self.books = books
        self.files = {reader: frozenset(book.file for book in known) for reader, known in books.items()}
        self._catalogs = {reader: Catalog(known) for reader, known in books.items()}

    def _read_arrays(self) -> None:
        """Number the pages and chunks of all segments, and lay their arrays together in that order."""
        segments = self.segments
        columns = [np.array(self._columns_in(one), np.int32) for one in segments]
        of_pages = [held[one.page_books] for held, one in zip(columns, segments, strict=True)]
        ranks = [np.where(held == GONE, len(self._column), held) for held in of_pages]
        self._pages = pages = _Order(ranks)
        self._chunks = chunks = _Order(
            [held[one.page_of_chunk] for held, one in zip(ranks, segments, strict=True)]
        )
        topics = np.cumsum([0, *(len(one.topics.chunks) for one in segments)]).tolist()
        self._parts = [
            _Placed(*placed)
            for placed in zip(segments, columns, pages.numbers, chunks.numbers, topics[:-1], strict=True)
        ]
        self.page_columns: Ids = np.concatenate(of_pages)[pages.places]
        self.citable = np.concatenate([one.citable for one in segments])[pages.places]
        self.has_text = np.concatenate([one.has_text for one in segments])[pages.places]
        behind = [part.pages[part.segment.page_of_chunk] for part in self._parts]
        self.page_of_chunk: Ids = np.concatenate(behind)[chunks.places]
        lengths = np.concatenate([one.chunk_lengths for one in segments])
        self.chunk_lengths = lengths[chunks.places].astype(np.float32)
        self.page_lengths = np.bincount(
            self.page_of_chunk, self.chunk_lengths, minlength=len(self.page_columns)
        ).astype(np.float32)
        self.topics = TopicArrays(
            np.concatenate([part.chunks[part.segment.topics.chunks] for part in self._parts]),
            np.concatenate([one.topics.names for one in segments]),
            np.concatenate([one.topics.lengths for one in segments]),
        )
        self._is_current_topic = self.page_columns[self.page_of_chunk[self.topics.chunks]] != GONE

    def _columns_in(self, segment: Segment) -> list[int]:
        """The numbers of a segment's books among all."""
        current = frozenset(self.manifest.current(segment.name))
        return [self._column[file] if file in current else GONE for file in segment.files]

    def _number_links(self) -> None:
        """Tell by which numbers the links know the pages: those of books that are as they were linked."""
        columns, firsts = np.unique(self.page_columns, return_index=True)
        first = dict(zip(columns.tolist(), firsts.tolist(), strict=True))
        contents, pages = self.manifest.contents, [np.zeros(0, np.int32)]
        for file, content, count in self.links.files:
            here = first.get(self._column.get(file)) if contents.get(file) == content else None
            pages.append(np.full(count, GONE) if here is None else np.arange(here, here + count))
        self._page_of_link: Ids = np.concatenate(pages).astype(np.int32)
        self._link_of_page: Ids = np.full(len(self.page_columns), GONE, np.int32)
        known = np.flatnonzero(self._page_of_link != GONE)
        self._link_of_page[self._page_of_link[known]] = known

    def limited(self, is_seen: IsSeen) -> "Store":
        """This store without other books: they are not found, named, linked or counted.

        It shares files and arrays with this one, which numbers books, pages and chunks for both.
        """
        limited = copy(self)
        limited._set_books({reader: tuple(filter(is_seen, books)) for reader, books in self.books.items()})
        seen = np.isin(self.page_columns, self.columns(limited.files["gm"]))
        limited._link_of_page = np.where(seen, self._link_of_page, GONE)
        limited._page_of_link = np.where(np.append(seen, False)[self._page_of_link], self._page_of_link, GONE)
        return limited

    def catalog(self, reader: "Audience") -> Catalog:
        """The books this reader may know."""
        return self._catalogs[reader]

    def scope(self, reader: "Audience", books: Collection[BookSummary] | None = None) -> Scope:
        """What this reader may see, restricted to `books` where given."""
        files = self.files[reader] if books is None else frozenset(book.file for book in books)

        def make() -> Scope:
            columns = np.array(self.columns(files), np.int32)
            pages = np.isin(self.page_columns, columns)
            return Scope(files, columns, pages[self.page_of_chunk], pages)

        scope: Scope = self.kept.get(("scope", files), make)
        return scope

    def columns(self, files: Iterable[str]) -> list[int]:
        """The numbers of books among all books in order of file."""
        return sorted(self._column[file] for file in files)

    def nearest_chunks(
        self, vectors: Sequence[Sequence[float]], scope: Scope, limit: int
    ) -> list[NearestChunks]:
        """For each query vector the nearest chunks in scope, in one query a segment.

        Raises `IndexUnreachable` where the Chroma server does not answer.
        """
        if not vectors:
            return []
        found = [
            [
                NearestChunks(part.chunks[one.chunks], np.round(one.cosines, COSINE_DIGITS))
                for one in part.segment.nearest(vectors, scope.chunks[part.chunks], limit)
            ]
            for part in self._parts
        ]
        return [joined(of_vector).first(limit) for of_vector in zip(*found, strict=True)]

    def _select(self, statement: str, *values: Any) -> Iterator[tuple[_Placed, Any]]:
        """The rows of a statement in each segment."""
        for part in self._parts:
            for row in part.segment.select(statement, *values):
                yield part, row

    def _in_language(
        self, columns: str, language: str, key: str, values: Collection[str]
    ) -> Iterator[tuple[_Placed, Any]]:
        """The rows of a language with one of some values as their key."""
        condition = f"language = ? AND {key} IN ({marks(values)})"
        return self._select(f"SELECT {columns} WHERE {condition}", language, *values)

    def _select_numbered(
        self, statement: str, order: _Order, numbers: Collection[int]
    ) -> Iterator[tuple[_Placed, Any]]:
        """The rows of a statement on pages or chunks with these numbers."""
        for place, part in enumerate(self._parts):
            own = order.held(place, numbers)
            for row in part.segment.select(f"{statement} WHERE id IN ({marks(own)})", *own):
                yield part, row

    def postings(self, terms: Iterable[str], language: str, scope: Scope) -> dict[str, Posting]:
        """Where the given stems stand in the books of a language in scope."""

        def read(missing: Sequence[TermInFiles]) -> dict[TermInFiles, Posting]:
            wanted = {term for term, _, _ in missing}
            held: defaultdict[str, list[Posting]] = defaultdict(lambda: [_NOWHERE])
            rows = self._in_language("term, children, counts FROM postings", language, "term", wanted)
            for part, (term, chunks, counts) in rows:
                numbers = part.chunks[np.frombuffer(chunks, np.int32)]
                held[term].append(Posting(numbers, np.frombuffer(counts, np.float32)))
            return {key: joined_postings(held[key[0]]).among(scope.chunks) for key in missing}

        keys = [(term, language, scope.files) for term in sorted(set(terms))]
        found = self._postings.get_all(keys, read)
        return {term: posting for (term, _, _), posting in found.items() if len(posting.chunks)}

    def topic_postings(self, terms: Iterable[str], language: str) -> dict[str, Ids]:
        """Which topics of the books of a language have the given stems in their names."""
        found: defaultdict[str, list[Ids]] = defaultdict(list)
        wanted = sorted(set(terms))
        rows = self._in_language("term, topics FROM topic_postings", language, "term", wanted)
        for part, (term, topics) in rows:
            numbers = np.frombuffer(topics, np.int32) + np.int32(part.topic)
            if len(current := numbers[self._is_current_topic[numbers]]):
                found[term].append(current)
        return {term: np.concatenate(numbers) for term, numbers in found.items()}

    def explaining(self, names: Iterable[Name], file: str) -> list[PageRow]:
        """The pages of a file on which a topic of one of these names may stand, in order.

        A heading at the foot of a page is kept with the chunk that follows, on the next one.
        """
        of_file = np.isin(self.page_columns, self.columns([file]))
        pages = np.unique(self.page_of_chunk[self._named(names)])
        near = {int(page) - step for page in pages for step in (0, 1)}
        return list(self.pages(page for page in near if page >= 0 and of_file[page]).values())

    def explains(self, names: Iterable[Name], scope: Scope) -> bool:
        """Whether books in scope have a topic of one of these names."""
        return bool(scope.chunks[self._named(names)].any())

    def _named(self, names: Iterable[Name]) -> Ids:
        """The chunks of the topics of these names."""
        return self.topics.chunks[np.isin(self.topics.names, [number_of(name) for name in names])]

    def spellings(self, folded: Sequence[str], language: str, scope: Scope) -> list[str]:
        """The words of the books of a language in scope that are spelt like `folded`, accents ignored.

        They stand in the order of what they are spelt like.
        """
        rows = self._in_language("id, folded, word FROM words", language, "folded", folded)
        found = {
            (folded.index(form), word)
            for part, (row, form, word) in rows
            if np.isin(part.columns[part.segment.word_books[row]], scope.columns).any()
        }
        return [word for _, word in sorted(found)]

    def places(self, term: str, language: str, scope: Scope) -> int:
        """In how many chunks of the books of a language in scope a stem stands."""
        return sum(len(posting.chunks) for posting in self.postings([term], language, scope).values())

    @property
    def dimension(self) -> int:
        """How many numbers a vector of this index has; 0 where nothing could be embedded."""
        return max(segment.dimension for segment in self.segments)

    @property
    def vocabularies(self) -> Mapping[str, Vocabulary]:
        """The words of the books, by language."""
        held: defaultdict[str, list[tuple[Words, Ids]]] = defaultdict(list)
        for part in self._parts:
            for language, words in part.segment.words.items():
                held[language].append((words, part.columns))
        return held

    def pages(self, ids: Iterable[int]) -> dict[int, PageRow]:
        """The pages with the given ids."""
        last = len(self.page_columns)
        wanted = {page for page in ids if 0 <= page < last and self.page_columns[page] != GONE}
        found: dict[int, PageRow] = {}
        for part, (row, held) in self._select_numbered("SELECT id, page FROM pages", self._pages, wanted):
            page = int(part.pages[row])
            with part.segment.noticing():
                found[page] = replace(PAGE_ROW.validate_json(held), id=page)
        return dict(sorted(found.items()))

    def spans(self, chunks: Iterable[int]) -> dict[int, tuple[int, int]]:
        """Start and end of the given chunks in the text of their pages."""
        rows = self._select_numbered("SELECT id, start, end FROM children", self._chunks, set(chunks))
        return {int(part.chunks[row]): (start, end) for part, (row, start, end) in rows}

    def labelled(self, files: Collection[str], label: str) -> list[int]:
        """The pages printed with `label` in the given files; letters in either case, any dash as a hyphen."""
        return self._pages_where(files, "lower(label) = lower(?)", label.translate(_DASHES))

    def positioned(self, files: Collection[str], pdf_page: int, half: int | None = None) -> list[int]:
        """The pages at a 1-based position in the given files; of two on a sheet that `half` where given."""
        return self._pages_where(files, "pdf_page = ? AND half = coalesce(?, half)", pdf_page, half)

    def _pages_where(self, files: Collection[str], condition: str, *values: Any) -> list[int]:
        """The pages of the given files that meet a condition of SQL's, in order."""
        rows = self._select(
            f"SELECT id FROM pages WHERE {condition} AND file IN ({marks(files)})", *values, *files
        )
        pages = [int(part.pages[row]) for part, (row,) in rows]
        return sorted(page for page in pages if self.page_columns[page] != GONE)

    def sections(self, files: Collection[str]) -> list[SectionPart]:
        """The sections of the given files, in order; one that runs over several pages has a part on each."""
        rows = self._select(
            "SELECT id, file, json_extract(page, '$.section_starts') FROM pages "
            f"WHERE file IN ({marks(files)})",
            *files,
        )
        held = sorted((int(part.pages[row]), file, from_json(starts)) for part, (row, file, starts) in rows)
        return [
            SectionPart(page, file, name, start, end)
            for page, file, starts in held
            if self.page_columns[page] != GONE
            for (start, name), end in zip(starts, [*(start for start, _ in starts[1:]), None], strict=False)
        ]

    def references(self, pages: Iterable[int], reader: "Audience") -> dict[int, list[ReferenceRow]]:
        """The references printed on the given pages, resolved as far as this reader may know."""
        found: dict[int, list[ReferenceRow]] = {page: [] for page in sorted(set(pages))}
        wanted = self._linked(found)
        rows = self.links.select(
            "SELECT page, start, text, name, label, first, last FROM page_references "
            f"WHERE reader = ? AND page IN ({marks(wanted)}) ORDER BY page, start, rowid",
            reader,
            *wanted,
        )
        for link, start, text, name, label, first, last in rows:
            page = int(self._page_of_link[link])
            targets = () if first is None else tuple(self._page_of_link[first : last + 1].tolist())
            meant = () if GONE in targets else targets
            found[page].append(ReferenceRow(page, start, text, name, label, meant))
        return found

    def referring(self, pages: Iterable[int], reader: "Audience") -> dict[int, list[tuple[int, int]]]:
        """The other pages that refer to each of some pages, as far as this reader may know, and where.

        First those that mean it alone, then those that mean a range of pages; each in order.
        """
        found: dict[int, list[tuple[int, int]]] = {page: [] for page in sorted(set(pages))}
        wanted = self._linked(found)
        rows = self.links.select(
            f"WITH meant (id) AS (VALUES {', '.join('(?)' for _ in wanted) or '(NULL)'}) "
            "SELECT id, page, start, MIN(last - first) AS length FROM meant "
            f"JOIN page_references ON reader = ? AND first BETWEEN id - {LONGEST_RANGE} AND id "
            "AND last >= id AND page <> id GROUP BY id, page ORDER BY id, length, page",
            *wanted,
            reader,
        )
        for link, referring, start, _ in rows:
            if (other := int(self._page_of_link[referring])) != GONE:
                found[int(self._page_of_link[link])].append((other, start))
        return found

    def _linked(self, pages: Iterable[int]) -> list[int]:
        """The numbers by which the links know some pages."""
        return [int(link) for page in pages if (link := self._link_of_page[page]) != GONE]

    def amending_files(self, files: Collection[str], reader: "Audience") -> set[str]:
        """The files that correct any of the given ones, as far as this reader may know."""
        rows = self.links.select("SELECT DISTINCT page, amending FROM amendments WHERE reader = ?", reader)
        amended, of_book = set(self.columns(files)), [book.file for book in self.manifest.books["gm"]]
        columns = np.append(self.page_columns, GONE)[self._page_of_link]
        return {
            of_book[columns[other]]
            for page, other in rows
            if int(columns[page]) in amended and columns[other] != GONE
        }

    def amendments(
        self, column: Literal["page", "amending"], pages: Iterable[int], reader: "Audience"
    ) -> dict[int, list[AmendmentRow]]:
        """The corrections of each of some pages, or made by it, as far as this reader may know, in order."""
        found: dict[int, list[AmendmentRow]] = {page: [] for page in sorted(set(pages))}
        wanted = self._linked(found)
        rows = self.links.select(
            "SELECT page, start, end, amending, at, until FROM amendments "
            f"WHERE reader = ? AND {column} IN ({marks(wanted)}) ORDER BY amending, at, page, start",
            reader,
            *wanted,
        )
        for page, start, end, amending, at, until in rows:
            here, there = int(self._page_of_link[page]), int(self._page_of_link[amending])
            if GONE not in (here, there):
                row = AmendmentRow(here, start, end, there, at, until)
                found[getattr(row, column)].append(row)
        return found


def _by_rank(ranks: Ids) -> Ids:
    """The places of some numbers in ascending order, equal ones as they stand."""
    return np.argsort(ranks, kind="stable").astype(np.int32)
