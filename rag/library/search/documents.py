"""Pages as LangChain documents: the text, where it stands, what matched, and what it points to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from langchain_core.documents import Document

from rag.library.books.catalog import Catalog
from rag.library.books.page import path_at
from rag.library.index.store import AmendmentRow, PageRow, ReferenceRow, Store
from rag.library.search.page_lookup import query_for

if TYPE_CHECKING:
    from rag.config import Audience


@dataclass(frozen=True, slots=True)
class Found:
    """A page to return: its score, the chunks on it that matched, best first, and whether it holds the
    rarest word of the question or a neighbour of it. `named` is a page that the question asks about by
    its number.
    """

    page: int
    score: float
    chunks: tuple[int, ...] = ()
    holds_rarest: bool = True
    named: bool = False


def documents(found: Sequence[Found], store: Store, catalog: Catalog, reader: "Audience") -> list[Document]:
    """One document a page, in the order found, with everything the reader may know about it."""
    ids = [one.page for one in found]
    referring = {page: store.referring(page, reader) for page in ids}
    amending = {page: store.amending(page, reader) for page in ids}
    amended = {page: store.amended(page, reader) for page in ids}
    references = store.references(ids, reader)
    meant = {end for rows in references.values() for row in rows for end in row.pages}
    near = {neighbour for page in ids for neighbour in (page - 1, page, page + 1)}
    others = {other for pages in referring.values() for other in pages}
    others |= {row.amending for rows in amending.values() for row in rows}
    others |= {row.page for rows in amended.values() for row in rows}
    pages = store.pages(near | meant | others)
    spans = store.spans(chunk for one in found for chunk in one.chunks)
    return [
        _document(
            one,
            pages,
            [spans[chunk] for chunk in one.chunks],
            {
                "references": [_reference(row, pages, catalog, store) for row in references[one.page]],
                "referred_by": [_place(pages[other], catalog, store) for other in referring[one.page]],
                "amended_by": [
                    _amendment(row, pages[row.amending], catalog, store) for row in amending[one.page]
                ],
                "amends": [_amendment(row, pages[row.page], catalog, store) for row in amended[one.page]],
            },
            catalog,
        )
        for one in found
    ]


def _document(
    found: Found,
    pages: Mapping[int, PageRow],
    hits: Sequence[tuple[int, int]],
    links: Mapping[str, Sequence[dict[str, Any]]],
    catalog: Catalog,
) -> Document:
    page = pages[found.page]
    book = catalog.book(page.file)
    return Document(
        id=f"{page.file}#{page.pdf_page}",
        page_content=page.text,
        metadata={
            "book": book.title,
            "file": page.file,
            "game": book.game,
            "page": page.label,
            "pdf_page": page.pdf_page,
            "language": book.language,
            "kind": page.kind,
            "score": found.score,
            "holds_rarest": found.holds_rarest,
            "named": found.named,
            "headings": path_at(page.path, page.headings, hits[0][0] if hits else 0),
            "sections": [[heading.offset, heading.text] for heading in page.headings],
            "hits": [list(span) for span in hits],
            **links,
            "previous": _neighbour(pages.get(page.id - 1), page),
            "next": _neighbour(pages.get(page.id + 1), page),
            "continues": page.continues,
        },
    )


def _neighbour(near: PageRow | None, page: PageRow) -> dict[str, Any] | None:
    if near is None or near.file != page.file:
        return None
    return {"page": near.label, "pdf_page": near.pdf_page, "text": near.text}


def _place(page: PageRow, catalog: Catalog, store: Store) -> dict[str, Any]:
    """Another page, and the query that fetches it."""
    book = catalog.book(page.file)
    return {"book": book.title, "page": page.label, "query": query_for(book, page, None, catalog, store)}


def _amendment(row: AmendmentRow, other: PageRow, catalog: Catalog, store: Store) -> dict[str, Any]:
    """The other page of a correction, with the ends of the corrected text and of the correction."""
    place = {"file": other.file, "pdf_page": other.pdf_page}
    return (
        _place(other, catalog, store)
        | place
        | {"start": row.start, "end": row.end, "at": row.at, "until": row.until}
    )


def _reference(
    row: ReferenceRow, pages: Mapping[int, PageRow], catalog: Catalog, store: Store
) -> dict[str, Any]:
    """A reference as printed, and the query that fetches what it means where the reader has it."""
    home = catalog.book(pages[row.page].file)
    if not row.pages:
        return {
            "text": row.text,
            "book": row.name or home.title,
            "page": row.label,
            "query": None,
            "start": row.start,
        }
    first, last = pages[row.pages[0]], pages[row.pages[-1]]
    book = catalog.book(first.file)
    query = query_for(book, first, None if first is last else last, catalog, store)
    return {"text": row.text, "book": book.title, "page": first.label, "query": query, "start": row.start}
