"""Which pages correct which: errata, and books declared to amend another. Pure."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from rag.library.heading_path import HeadingPath, path_at, paths_at_top
from rag.library.pages import Page
from rag.library.shelf import plain

_ERRATA = re.compile(
    r"^(?:(?:an?|the|official|o|a|os|as|uma?)\s+)*(?:erratas?|corrections?|correç(?:ão|ões)|correc(?:ao|oes))\b",
    re.IGNORECASE,
)

Span = tuple[int, int]
"""Start and end in the text of a page."""


def amending_spans(pages: Sequence[Page], *, is_amendment: bool) -> dict[int, list[Span]]:
    """Where a book corrects rules: its errata, by `pdf_page`; all its text where it is declared to amend
    another book and has no errata.
    """
    spans = {
        page.pdf_page: found
        for page, top in zip(pages, paths_at_top(pages), strict=True)
        if page.kind == "text" and (found := list(_under_errata(page, top)))
    }
    if spans or not is_amendment:
        return spans
    return {page.pdf_page: [(0, len(page.text))] for page in pages if page.kind == "text" and page.text}


def _under_errata(page: Page, top: HeadingPath) -> Iterator[Span]:
    ends = sorted({0, len(page.text), *(heading.offset for heading in page.headings)})
    for start, end in pairwise(ends):
        if any(_ERRATA.match(heading) for heading in path_at(top, page.headings, start)):
            yield start, end


def named_headings(page: Page, spans: Sequence[Span], target: Page, title: str) -> bool:
    """Whether the amending `spans` of a page name a heading of `target`, a page of the book `title`.

    One word is named only by a heading of the same name: in running text it may mean anything.
    """
    if target.kind != "text":
        return False
    said = " ".join(f" {plain(page.text[start:end])} " for start, end in spans)
    headings = {
        plain(heading.text)
        for heading in page.headings
        if any(start <= heading.offset < end for start, end in spans)
    }
    names = {plain(heading.text) for heading in target.headings if not _ERRATA.match(heading.text)}
    return any(name in headings or (" " in name and f" {name} " in said) for name in names - {plain(title)})
