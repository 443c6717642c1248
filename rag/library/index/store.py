"""One snapshot of the index, opened for reading: its segments as one, and the references among its books."""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rag.library.books.book import BookSummary
from rag.library.books.catalog import Catalog
from rag.library.index.bm25 import Ids, Posting, joined_postings
from rag.library.index.manifest import Manifest
from rag.library.index.nearest import NONE_NEAR, NearestChunks, joined
from rag.library.index.recent import ENTRY_BYTES, Recent
from rag.library.index.segment import OpenedLinks, PageRow, SectionPart, Segment
from rag.library.index.tables import marks
from rag.library.index.topics import Name, TopicArrays, number_of
from rag.library.index.vocabulary import Vocabulary
from rag.library.references.resolve import LONGEST_RANGE

if TYPE_CHECKING:
    from rag.config import Audience

SCOPES_KEPT = 32
"""Choices of books for which searches keep what they computed: a few bytes a chunk each."""
FEW_CHUNKS = 8_000
"""So many chunks are compared with a query one by one: a thousand pages, all there are or those of a game."""
COSINE_DIGITS = 5
"""Decimals of a cosine that count: beyond, it differs by who reckoned it, and equal ones change places."""
DEEPEST, SPARE, ENOUGH = 4_000, 50, 100
"""How many of the nearest chunks are looked through at most for those that a search may see, how many more
than are likely needed, and how many are enough.
"""
POSTINGS_KEPT = 32_000_000
"""Bytes of postings that are kept: those of some hundred words in 20,000 pages."""
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

    reader: "Audience"
    files: frozenset[str]
    columns: Ids
    chunks: npt.NDArray[np.bool_]
    pages: npt.NDArray[np.bool_]


GONE = -1
"""In place of the number of what a segment still holds, or a link still names, and the snapshot does not."""


@dataclass(frozen=True)
class _Placed:
    """A segment in a snapshot: which of its `files` count, the numbers of its books among all, and the
    places of its first page, chunk and topic where the segments stand one behind the other.
    """

    segment: Segment
    files: frozenset[str]
    columns: Ids
    page: int
    chunk: int
    topic: int

    def pages_among(self, places: Iterable[int]) -> list[int]:
        """The own numbers of its pages at some places."""
        return _counted_from(self.page, len(self.segment.page_books), places)

    def chunks_among(self, places: Iterable[int]) -> list[int]:
        """The own numbers of its chunks at some places."""
        return _counted_from(self.chunk, len(self.segment.page_of_chunk), places)


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
        self._postings: Recent[TermInFiles, Posting] = Recent(
            POSTINGS_KEPT, lambda posting: posting.nbytes + ENTRY_BYTES
        )
        self._column = {book.file: number for number, book in enumerate(manifest.books["gm"])}
        self._parts = list(self._placed(segments))
        self._read_arrays()
        self._number_links()

    def _set_books(self, books: "Mapping[Audience, tuple[BookSummary, ...]]") -> None:
        """Let these be the books that each reader may know."""
        self.books = books
        self.files = {reader: frozenset(book.file for book in known) for reader, known in books.items()}
        self._catalogs = {reader: Catalog(known) for reader, known in books.items()}

    def _placed(self, segments: Sequence[Segment]) -> Iterator[_Placed]:
        """Place the segments one behind the other."""
        page = chunk = topic = 0
        for one in segments:
            files = frozenset(self.manifest.current(one.name)) & self._column.keys()
            columns = [self._column[file] if file in files else GONE for file in one.files]
            yield _Placed(one, files, np.array(columns, np.int32), page, chunk, topic)
            page += len(one.page_books)
            chunk += len(one.page_of_chunk)
            topic += len(one.topics.chunks)

    def _read_arrays(self) -> None:
        """Lay the segments' arrays of pages, chunks and topics together."""
        parts = [(part, part.segment) for part in self._parts]
        columns = np.concatenate([part.columns[one.page_books] for part, one in parts])
        page_of_chunk = np.concatenate([one.page_of_chunk + part.page for part, one in parts])
        ranks = np.where(columns == GONE, len(self._column), columns)
        pages, chunks = (_by_rank(held) for held in (ranks, ranks[page_of_chunk]))
        self._page_places, self._chunk_places = pages, chunks
        self._page_numbers, self._chunk_numbers = _by_rank(pages), _by_rank(chunks)
        self.page_columns: Ids = columns[pages]
        self.citable = np.concatenate([one.citable for one in self.segments])[pages]
        self.has_text = np.concatenate([one.has_text for one in self.segments])[pages]
        self.page_of_chunk: Ids = self._page_numbers[page_of_chunk[chunks]]
        lengths = np.concatenate([one.chunk_lengths for one in self.segments])
        self.chunk_lengths = lengths[chunks].astype(np.float32)
        self.page_lengths = np.bincount(
            self.page_of_chunk, self.chunk_lengths, minlength=len(self.page_columns)
        ).astype(np.float32)
        self.topics = TopicArrays(
            self._chunk_numbers[np.concatenate([one.topics.chunks + part.chunk for part, one in parts])],
            np.concatenate([one.topics.names for one in self.segments]),
            np.concatenate([one.topics.lengths for one in self.segments]),
        )
        self._is_current_topic = self.page_columns[self.page_of_chunk[self.topics.chunks]] != GONE

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

    def catalog(self, reader: "Audience") -> Catalog:
        """The books this reader may know."""
        return self._catalogs[reader]

    def scope(self, reader: "Audience", books: Collection[BookSummary] | None = None) -> Scope:
        """What this reader may see, restricted to `books` where given."""
        files = self.files[reader] if books is None else frozenset(book.file for book in books)
        scope: Scope = self.kept.get(("scope", reader, files), lambda: self._scope(reader, files))
        return scope

    def _scope(self, reader: "Audience", files: frozenset[str]) -> Scope:
        columns = np.array(self.columns(files), np.int32)
        pages = np.isin(self.page_columns, columns)
        return Scope(reader, files, columns, pages[self.page_of_chunk], pages)

    def columns(self, files: Iterable[str]) -> list[int]:
        """The numbers of books among all books in order of file."""
        return sorted(self._column[file] for file in files)

    def speaks(self, language: str) -> npt.NDArray[np.bool_]:
        """Of every chunk, whether its book is in `language`."""
        files = [book.file for book in self.manifest.books["gm"] if book.language == language]
        return np.isin(self.page_columns, self.columns(files))[self.page_of_chunk]

    def nearest_chunks(
        self, vectors: Sequence[Sequence[float]], scope: Scope, limit: int
    ) -> list[NearestChunks]:
        """For each query vector the nearest chunks in scope, in one query a segment.

        Raises `IndexUnreachable` where the Chroma server does not answer.
        """
        if not vectors:
            return []
        found = [self._nearest_in(part, vectors, scope, limit) for part in self._parts]
        return [joined(of_vector).first(limit) for of_vector in zip(*found, strict=True)]

    def _nearest_in(
        self, part: _Placed, vectors: Sequence[Sequence[float]], scope: Scope, limit: int
    ) -> list[NearestChunks]:
        """The nearest chunks of a segment, numbered as in the whole library.

        Few are compared one by one, which is sooner done than to walk Chroma's graph; of many that are not
        wanted so many more are asked for that enough are left. Chroma itself leaves others out only where
        neither will do: that takes it long.
        """
        total = len(part.segment.page_of_chunk)
        numbers = self._chunk_numbers[part.chunk : part.chunk + total]
        is_wanted = scope.chunks[numbers]
        wanted = int(is_wanted.sum())
        if not wanted:
            return [NONE_NEAR for _ in vectors]
        nearest = part.segment.nearest
        # Of a segment that is small all vectors are kept once, whichever are wanted.
        compared = np.arange(total) if total <= FEW_CHUNKS else np.flatnonzero(is_wanted)
        if len(compared) <= FEW_CHUNKS and part.segment.is_near:
            deep = limit if wanted == total else total
            ranked = part.segment.nearest_of(vectors, compared.astype(np.int32), deep)
            found = [one.among(is_wanted).first(limit) for one in ranked]
        elif wanted == total:
            found = nearest(vectors, None, limit)
        else:
            deep = min(DEEPEST, -(-limit * total // wanted) + SPARE)
            found = [one.among(is_wanted) for one in nearest(vectors, None, deep)]
            if any(len(one) < min(limit, wanted, ENOUGH) for one in found):
                found = nearest(vectors, {"file": {"$in": sorted(scope.files & part.files)}}, limit)
        return [NearestChunks(numbers[one.chunks], np.round(one.cosines, COSINE_DIGITS)) for one in found]

    def postings(self, terms: Iterable[str], language: str, scope: Scope) -> dict[str, Posting]:
        """Where the given stems stand in the books of a language in scope."""

        def read(missing: Sequence[TermInFiles]) -> dict[TermInFiles, Posting]:
            in_all = self._read_postings([term for term, _, _ in missing], language)
            return {key: in_all.get(key[0], _NOWHERE).among(scope.chunks) for key in missing}

        keys = [(term, language, scope.files) for term in sorted(set(terms))]
        found = self._postings.get_all(keys, read)
        return {term: posting for (term, _, _), posting in found.items() if len(posting.chunks)}

    def _read_postings(self, wanted: Sequence[str], language: str) -> dict[str, Posting]:
        found: defaultdict[str, list[Posting]] = defaultdict(list)
        for part in self._parts:
            for term, held in part.segment.postings(wanted, language).items():
                found[term].append(Posting(self._chunk_numbers[held.chunks + part.chunk], held.counts))
        return {term: joined_postings(postings) for term, postings in found.items()}

    def topic_postings(self, terms: Iterable[str], language: str) -> dict[str, Ids]:
        """Which topics of the books of a language have the given stems in their names."""
        wanted = sorted(set(terms))
        found: defaultdict[str, list[Ids]] = defaultdict(list)
        for part in self._parts:
            for term, topics in part.segment.topic_postings(wanted, language).items():
                numbers = topics + np.int32(part.topic)
                if len(current := numbers[self._is_current_topic[numbers]]):
                    found[term].append(current)
        return {term: np.concatenate(numbers) for term, numbers in found.items()}

    def explaining(self, names: Iterable[Name], file: str) -> list[PageRow]:
        """The pages of a file on which a topic of one of these names may stand, in order.

        A heading at the foot of a page is kept with the chunk that follows, on the next one.
        """
        numbers = np.array([number_of(name) for name in names], np.int64)
        behind = self.page_of_chunk[self.topics.chunks[np.isin(self.topics.names, numbers)]]
        of_file = np.isin(self.page_columns, self.columns([file]))
        near = {int(page) - step for page in np.unique(behind) for step in (0, 1)}
        return list(self.pages(page for page in near if page >= 0 and of_file[page]).values())

    def explains(self, names: Iterable[Name], scope: Scope) -> bool:
        """Whether books in scope have a topic of one of these names."""
        numbers = np.array([number_of(name) for name in names], np.int64)
        return bool(scope.chunks[self.topics.chunks[np.isin(self.topics.names, numbers)]].any())

    def spellings(self, folded: Sequence[str], language: str, scope: Scope) -> list[str]:
        """The words of the books of a language in scope that are spelt like `folded`, accents ignored.

        They stand in the order of what they are spelt like.
        """
        found: set[tuple[int, str]] = set()
        for part in self._parts:
            is_wanted = partial(np.isin, part.columns, scope.columns)
            spelt = part.segment.spellings(folded, language, is_wanted)
            found.update((folded.index(form), word) for form, word in spelt)
        return [word for _, word in sorted(found)]

    def knows(self, term: str, language: str, scope: Scope) -> bool:
        """Whether a stem stands anywhere in the books of a language in scope."""
        return self.places(term, language, scope) > 0

    def places(self, term: str, language: str, scope: Scope) -> int:
        """In how many chunks of the books of a language in scope a stem stands."""
        return sum(len(posting.chunks) for posting in self.postings([term], language, scope).values())

    @cached_property
    def dimension(self) -> int:
        """How many numbers a vector of this index has; 0 where nothing could be embedded."""
        return max(segment.dimension for segment in self.segments)

    @cached_property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """The words of the books, by language."""
        held: dict[str, Vocabulary] = {}
        for part in self._parts:
            for language, words in part.segment.words.items():
                before = held.get(language, Vocabulary(()))
                held[language] = Vocabulary((*before.parts, (words, part.columns)))
        return held

    def pages(self, ids: Iterable[int]) -> dict[int, PageRow]:
        """The pages with the given ids."""
        last = len(self.page_columns)
        wanted = {page for page in ids if 0 <= page < last and self.page_columns[page] != GONE}
        places = self._page_places[sorted(wanted)].tolist()
        rows = [
            replace(row, id=int(self._page_numbers[row.id + part.page]))
            for part in self._parts
            for row in part.segment.pages(part.pages_among(places))
        ]
        return {row.id: row for row in sorted(rows, key=attrgetter("id"))}

    def spans(self, chunks: Iterable[int]) -> dict[int, tuple[int, int]]:
        """Start and end of the given chunks in the text of their pages."""
        places = self._chunk_places[sorted(set(chunks))].tolist()
        return {
            int(self._chunk_numbers[chunk + part.chunk]): (start, end)
            for part in self._parts
            for chunk, start, end in part.segment.spans(part.chunks_among(places))
        }

    def labelled(self, files: Collection[str], label: str) -> list[int]:
        """The pages printed with `label` in the given files; letters in either case, any dash as a hyphen."""
        return self._pages_where(files, "lower(label) = lower(?)", label.translate(_DASHES))

    def positioned(self, files: Collection[str], pdf_page: int, half: int | None = None) -> list[int]:
        """The pages at a 1-based position in the given files; of two on a sheet that `half` where given."""
        return self._pages_where(files, "pdf_page = ? AND half = coalesce(?, half)", pdf_page, half)

    def _pages_where(self, files: Collection[str], condition: str, *values: Any) -> list[int]:
        """The pages of the given files that meet a condition of SQL's, in order."""
        return sorted(
            int(self._page_numbers[page + part.page])
            for part in self._parts
            for page in part.segment.pages_where(sorted(part.files.intersection(files)), condition, *values)
        )

    def sections(self, files: Collection[str]) -> list[SectionPart]:
        """The sections of the given files, in order; one that runs over several pages has a part on each."""
        parts = [
            replace(section, page=int(self._page_numbers[section.page + part.page]))
            for part in self._parts
            for section in part.segment.sections(sorted(part.files.intersection(files)))
        ]
        return sorted(parts, key=lambda section: section.page)

    def references(self, pages: Iterable[int], reader: "Audience") -> dict[int, list[ReferenceRow]]:
        """The references printed on the given pages, resolved as far as this reader may know."""
        found: dict[int, list[ReferenceRow]] = {page: [] for page in sorted(set(pages))}
        wanted = self._linked(found)
        rows = self.links.select(
            f"SELECT page, start, text, name, label, {reader}_page, {reader}_last FROM page_references "
            f"WHERE page IN ({marks(wanted)}) ORDER BY page, start, rowid",
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
            f"SELECT id, page, start, MIN({reader}_last - {reader}_page) AS length FROM meant "
            f"JOIN page_references ON {reader}_page BETWEEN id - {LONGEST_RANGE} AND id "
            f"AND {reader}_last >= id AND page <> id GROUP BY id, page ORDER BY id, length, page",
            *wanted,
        )
        for link, referring, start, _ in rows:
            if (other := int(self._page_of_link[referring])) != GONE:
                found[int(self._page_of_link[link])].append((other, start))
        return found

    def _linked(self, pages: Iterable[int]) -> list[int]:
        """The numbers by which the links know some pages."""
        return [int(link) for page in pages if (link := self._link_of_page[page]) != GONE]

    def amending(self, pages: Iterable[int], reader: "Audience") -> dict[int, list[AmendmentRow]]:
        """What corrects each of some pages, as far as this reader may know, in order."""
        return self._amendments("page", pages, reader)

    def amended(self, pages: Iterable[int], reader: "Audience") -> dict[int, list[AmendmentRow]]:
        """What each of some pages corrects, as far as this reader may know, in order."""
        return self._amendments("amending", pages, reader)

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

    def _amendments(
        self, column: str, pages: Iterable[int], reader: "Audience"
    ) -> dict[int, list[AmendmentRow]]:
        """The corrections that have each of some pages in a column."""
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


class LimitedStore(Store):
    """A store in which other books do not exist: they are not found, named, linked or counted.

    It shares files and arrays with the whole one, which numbers books, pages and chunks for both.
    """

    def __init__(self, whole: Store, is_seen: Callable[[BookSummary], bool]) -> None:
        # The arrays are large, and the whole one closes the files when nobody holds it.
        self.__dict__.update(vars(whole))
        self._whole = whole
        self._set_books(
            {reader: tuple(book for book in books if is_seen(book)) for reader, books in whole.books.items()}
        )
        self._is_seen = np.isin(self.page_columns, self.columns(self.files["gm"]))

    @property
    def dimension(self) -> int:
        """How many numbers a vector of this index has."""
        return self._whole.dimension

    @property
    def vocabularies(self) -> "dict[str, Vocabulary]":
        """The words of all books; a search takes those of the books in its scope."""
        return self._whole.vocabularies

    def references(self, pages: Iterable[int], reader: "Audience") -> dict[int, list[ReferenceRow]]:
        """The references printed on the given pages; one to any other book leads nowhere."""
        return {
            page: [
                replace(row, pages=row.pages if all(self._is_seen[target] for target in row.pages) else ())
                for row in rows
            ]
            for page, rows in super().references(pages, reader).items()
        }

    def referring(self, pages: Iterable[int], reader: "Audience") -> dict[int, list[tuple[int, int]]]:
        """The pages of these books that refer to each of some pages, each with where it does."""
        return {
            page: [(other, at) for other, at in places if self._is_seen[other]]
            for page, places in super().referring(pages, reader).items()
        }

    def _amendments(
        self, column: str, pages: Iterable[int], reader: "Audience"
    ) -> dict[int, list[AmendmentRow]]:
        """The corrections among these books alone."""
        return {
            page: [row for row in rows if self._is_seen[row.page] and self._is_seen[row.amending]]
            for page, rows in super()._amendments(column, pages, reader).items()
        }

    def amending_files(self, files: Collection[str], reader: "Audience") -> set[str]:
        """Those of these files that correct any of the given ones."""
        return super().amending_files(files, reader) & self.files["gm"]


def _by_rank(ranks: Ids) -> Ids:
    """The places of some numbers in ascending order, equal ones as they stand."""
    return np.argsort(ranks, kind="stable").astype(np.int32)


def _counted_from(first: int, count: int, places: Iterable[int]) -> list[int]:
    """Those of some places that are among so many behind the first, counted from it."""
    return [place - first for place in places if first <= place < first + count]
