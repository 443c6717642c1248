"""Link annotations: words of a page that lead to another page, as the file itself says.

`link_areas` reads them through PDFium, `with_links` finds their words in the pages as read.
"""

import ctypes
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import pypdfium2
import pypdfium2.raw as pdfium

from rag.library.books.page import Page, PageLink
from rag.rules import rule

_MOST_PAGES = 0.3
"""A link that stands on a larger share of pages leads about the file ("Back to contents")."""
_FEWEST_PAGES = 4
_MOST_TEXT = 0.5
"""Of a page of rules, less than this share of the text is links."""


@dataclass(frozen=True, slots=True)
class LinkArea:
    """The letters and digits under a link, and where it leads: a position, in another file where named.

    `x` is the middle of the first letter, in points from the left edge.
    """

    letters: str
    pdf_page: int
    file: str | None = None
    x: float = field(default=0.0, compare=False)


def link_areas(
    page: pypdfium2.PdfPage,
    textpage: pypdfium2.PdfTextPage,
    place: Callable[[float, float], tuple[float, float]],
) -> tuple[LinkArea, ...]:
    """The links of a page that lead to pages, in the order of the page's text.

    `place` turns PDF coordinates into those of its lines.
    """
    found = []
    for rectangle, pdf_page, file in _links(page.pdf, page):
        left, bottom, right, top = rectangle.left, rectangle.bottom, rectangle.right, rectangle.top
        letters = "".join(filter(str.isalnum, textpage.get_text_bounded(left, bottom, right, top)))
        first = textpage.get_index(left, (bottom + top) / 2, (right - left) / 2, (top - bottom) / 2)
        if letters:
            found.append((first or 0, LinkArea(letters, pdf_page, file, place(left, top)[0])))
    return tuple(area for _, area in sorted(found, key=lambda one: one[0]))


def _links(
    document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage
) -> Iterator[tuple[pdfium.FS_RECTF, int, str | None]]:
    """Rectangle, page and perhaps file of each link to a page."""
    position, link = ctypes.c_int(0), pdfium.FPDF_LINK()
    while pdfium.FPDFLink_Enumerate(page, ctypes.byref(position), ctypes.byref(link)):
        rectangle = pdfium.FS_RECTF()
        action = pdfium.FPDFLink_GetAction(link)
        kind = pdfium.FPDFAction_GetType(action) if action else pdfium.PDFACTION_GOTO
        target = pdfium.FPDFLink_GetDest(document, link) or (
            action and pdfium.FPDFAction_GetDest(document, action)
        )
        index = pdfium.FPDFDest_GetDestPageIndex(document, target) if target else -1
        is_placed = pdfium.FPDFLink_GetAnnotRect(link, ctypes.byref(rectangle))
        if index >= 0 and is_placed and kind in (pdfium.PDFACTION_GOTO, pdfium.PDFACTION_REMOTEGOTO):
            file = _file_path(action) if kind == pdfium.PDFACTION_REMOTEGOTO else None
            yield rectangle, index + 1, file


def _file_path(action: pdfium.FPDF_ACTION) -> str:
    size = pdfium.FPDFAction_GetFilePath(action, None, 0)
    buffer = ctypes.create_string_buffer(size)
    pdfium.FPDFAction_GetFilePath(action, buffer, size)
    return buffer.raw.decode("utf-8", "ignore").rstrip("\0")


@rule(without=lambda pages, areas: pages)
def with_links(pages: Sequence[Page], areas: Sequence[Sequence[LinkArea]]) -> list[Page]:
    """The pages with the links in their text, without those that stand on many pages."""
    counts = Counter(area for page in areas for area in set(page))
    most = max(_FEWEST_PAGES, _MOST_PAGES * len(pages))
    return [
        replace(page, links=tuple(_placed(page, [area for area in links if counts[area] <= most])))
        for page, links in zip(pages, areas, strict=True)
    ]


def _placed(page: Page, areas: Sequence[LinkArea]) -> list[PageLink]:
    """The links whose words stand in a page's text, in whole words; none of a list of contents.

    Words that stand there several times are taken in order. Links of one target that touch are one.
    """
    letters = [(letter, at) for at, letter in enumerate(page.text) if letter.isalnum()]
    text = "".join(letter for letter, _ in letters)
    found: list[PageLink] = []
    last = 0
    for area in areas:
        at = max(text.find(area.letters, last), text.find(area.letters) if last else -1)
        if at < 0 or (area.pdf_page == page.pdf_page and area.file is None):
            continue
        last = at + len(area.letters)
        start, end = _whole_words(page.text, letters[at][1], letters[last - 1][1] + 1)
        is_same = bool(found) and found[-1][2:] == (area.pdf_page, area.file)
        if is_same and not any(map(str.isalnum, page.text[found[-1][1] : start])) and start >= found[-1][0]:
            start = found.pop()[0]
        found.append((start, end, area.pdf_page, area.file))
    linked = sum(end - start for start, end, _, _ in found)
    return found if linked < _MOST_TEXT * len(page.text) else []


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    while start > 0 and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end].isalnum():
        end += 1
    return start, end
