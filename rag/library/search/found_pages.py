"""What a search found, as pages: the text, where it stands, what matched, and what it leads to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rag.config import Audience
from rag.library.books.authority import authority_of
from rag.library.books.catalog import Catalog, plain
from rag.library.books.found_page import Correction, FoundPage, FoundReference, LinkedPage, section_in
from rag.library.books.page import SECTION_JOINT, SectionStart, path_at, section_at
from rag.library.index.recent import Recent
from rag.library.index.segment import PageRow
from rag.library.index.store import AmendmentRow, ReferenceRow, Store
from rag.library.references.names import is_title
from rag.state import PageId, Span

PAGES_KEPT = 256
"""Pages that are remembered as read: a question of three hops finds some hundred, again and again."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A page to return: its score, and the chunks on it that matched, best first."""

    page: int
    score: float = 1.0
    chunks: tuple[int, ...] = ()


def found_pages(hits: Sequence[Hit], store: Store, reader: Audience) -> list[FoundPage]:
    """One page a hit, in order, with everything the reader may know about it."""
    key = ("pages", reader, store.files[reader])
    kept: Recent[int, _KnownPage] = store.kept.get(key, lambda: Recent(PAGES_KEPT))
    known = kept.get_all((hit.page for hit in hits), _PageReader(store, store.catalog(reader), reader).pages)
    spans = store.spans(chunk for hit in hits for chunk in hit.chunks)
    return [_found(known[hit.page], hit, spans) for hit in hits]


def linked(page: FoundPage, at: int = 0) -> LinkedPage:
    """A page as another tells of it, with the section in force at an offset of its text."""
    facts = page.model_dump(include={"book", "label", "authority"})
    return LinkedPage(id=page.id, section=page.section_at(at), **facts)


_KnownPage = tuple[FoundPage, PageRow]
"""A page with everything but what a query finds of it, and as it is stored."""


def _found(known: _KnownPage, hit: Hit, spans: Mapping[int, tuple[int, int]]) -> FoundPage:
    """A page as a query found it."""
    page, row = known
    hits = tuple(Span(*spans[chunk]) for chunk in hit.chunks)
    headings = path_at(row.path, row.headings, hits[0].start if hits else 0)
    return page.model_copy(update={"score": hit.score, "hits": hits, "headings": tuple(headings)})


@dataclass(frozen=True, slots=True)
class _PageReader:
    store: Store
    catalog: Catalog
    reader: Audience

    def pages(self, ids: Sequence[int]) -> dict[int, _KnownPage]:
        """The pages with these numbers, read at once."""
        referring = self.store.referring(ids, self.reader)
        amending = self.store.amendments("page", ids, self.reader)
        amended = self.store.amendments("amending", ids, self.reader)
        references = self.store.references(ids, self.reader)
        needed = {near for page in ids for near in (page - 1, page, page + 1)}
        needed |= {end for rows in references.values() for row in rows for end in row.pages}
        needed |= {other for places in referring.values() for other, _ in places}
        needed |= {row.amending for rows in amending.values() for row in rows}
        needed |= {row.page for rows in amended.values() for row in rows}
        pages = self.store.pages(needed)
        leading = {
            number: {
                "referred_by": tuple(self._linked(pages[other], at) for other, at in referring[number]),
                "references": tuple(self._reference(row, pages) for row in references[number]),
                "amended_by": tuple(
                    self._correction(row, pages[row.amending], row.at) for row in amending[number]
                ),
                "amends": tuple(self._correction(row, pages[row.page], row.start) for row in amended[number]),
            }
            for number in ids
        }
        return {
            number: (self._page(pages[number], pages).model_copy(update=leading[number]), pages[number])
            for number in ids
        }

    def _page(self, page: PageRow, pages: Mapping[int, PageRow]) -> FoundPage:
        book = self.catalog.book(page.file)
        return FoundPage(
            text=page.text,
            book=book.title,
            file=page.file,
            game=book.game,
            label=page.label,
            pdf_page=page.pdf_page,
            half=page.half,
            language=book.language,
            kind=page.kind,
            layer=page.layer,
            above=_below_title(book.title, [name for _, name in page.path]),
            sections=tuple(
                (
                    heading.offset,
                    _below_title(book.title, path_at(page.path, page.headings[:at], heading.offset)),
                )
                for at, heading in enumerate(page.headings, start=1)
            ),
            rows=page.rows,
            previous=self._neighbour(pages.get(page.id - 1), page),
            next=self._neighbour(pages.get(page.id + 1), page),
            section_starts=self._section_starts(page),
            authority=authority_of(page.file),
        )

    def _section_starts(self, page: PageRow) -> tuple[SectionStart, ...]:
        """Where sections begin, their names with the title of their book before them."""
        title = self.catalog.book(page.file).title
        return tuple((start, section_in(title, name)) for start, name in page.section_starts)

    def _neighbour(self, near: PageRow | None, page: PageRow) -> LinkedPage | None:
        if near is None or near.file != page.file:
            return None
        is_joined = _are_joined(*sorted((near, page), key=lambda one: one.id))
        return self._linked(
            near, text=near.text, section_starts=self._section_starts(near), is_joined=is_joined
        )

    def _linked(self, page: PageRow, at: int = 0, **told: Any) -> LinkedPage:
        return LinkedPage(
            id=PageId(page.file, page.pdf_page, page.half),
            book=self.catalog.book(page.file).title,
            label=page.label,
            section=section_at(self._section_starts(page), at),
            authority=authority_of(page.file),
            **told,
        )

    def _correction(self, row: AmendmentRow, other: PageRow, at: int) -> Correction:
        return Correction(
            other=self._linked(other, at),
            corrected=Span(row.start, row.end),
            correcting=Span(row.at, row.until),
        )

    def _reference(self, row: ReferenceRow, pages: Mapping[int, PageRow]) -> FoundReference:
        """A reference as printed, with the pages it means where the reader has them."""
        if not row.pages:
            home = self.catalog.book(pages[row.page].file)
            name = row.name or home.title
            is_absent = is_title(name) and not self.catalog.find(name, home)
            return FoundReference(
                text=row.text, start=row.start, book=name, label=row.label, is_absent=is_absent
            )
        meant = [pages[page] for page in row.pages]
        first, last = meant[0], meant[-1]
        title = self.catalog.book(first.file).title
        return FoundReference(
            text=row.text,
            start=row.start,
            book=title,
            label=first.label,
            last_label=last.label if first.label and last is not first else None,
            pages=tuple(PageId(page.file, page.pdf_page, page.half) for page in meant),
            section=section_in(title, _named_section(first, row.text)) if first.section_starts else None,
        )


def _below_title(title: str, path: Sequence[str]) -> tuple[str, ...]:
    """The headings of a path, without the title of the book above others: it tells no more of a rule."""
    return (*(name for name in path[:-1] if name != title), *path[-1:])


def _are_joined(first: PageRow, second: PageRow) -> bool:
    """Whether the last sentence of a page may end on the next one; both of a format with printed pages.

    It does where the next one goes on with the section, and does not begin with a row.
    """
    is_prose = first.continues and first.kind == second.kind == "text"
    begins_anew = any(heading.offset == 0 for heading in second.headings) or any(
        start == 0 for start, _, _ in second.rows
    )
    return is_prose and not begins_anew and not (first.section_starts or second.section_starts)


def _named_section(page: PageRow, words: str) -> str:
    """The section of a page that the words of a reference name; "", the book alone, where they name none."""
    asked = f" {plain(words)} "
    named = [name for _, name in page.section_starts if f" {plain(_heading_of(name))} " in asked]
    return max(named, key=lambda name: len(_heading_of(name)), default="")


def _heading_of(section: str) -> str:
    """The last heading of the name of a section."""
    return section.rpartition(SECTION_JOINT)[2]
