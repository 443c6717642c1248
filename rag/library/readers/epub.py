"""EPUB → blocks: the chapters in the order of the spine, with the printed pages that its page list tells.

The parts are read as HTML is: by their tags, without a parser that would expand entities. What a package
holds: EPUB 3.3 (W3C), with the older table of contents of EPUB 2 (`toc.ncx`).
"""

import posixpath
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

from rag.errors import BookProtected
from rag.library.books.book import ParsedBook
from rag.library.books.library_toml import DeclaredBook, readable
from rag.library.readers.archive import Archive
from rag.library.readers.blocks import DocumentBlock
from rag.library.readers.html import decoded_html, read_html
from rag.library.readers.sections import book_of

READER_VERSION = 3
"""Bumped when the output changes: books are read again."""

_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_OF_FONTS = frozenset(("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"))
"""Ways of encryption that hide fonts alone."""
_CHAPTERS = frozenset(("application/xhtml+xml", "text/html"))

Pages = dict[str, dict[str, str]]
"""Printed numbers by the file and the id of the element where each page begins; "" for the file's first."""


@dataclass(slots=True)
class _Element:
    """An element of an XML part by its plain name, and the text up to the next tag."""

    name: str
    attributes: dict[str, str]
    text: str = ""
    is_end: bool = False


@dataclass(frozen=True, slots=True)
class _Package:
    """What a package document tells: title and language, the chapters in order, and the lists of pages."""

    title: str
    language: str
    chapters: list[str]
    navigation: list[str] = field(default_factory=list)


def read_book(
    path: Path,
    declared: DeclaredBook | None = None,
    on_page: Callable[[int, int], None] | None = None,
) -> ParsedBook:
    """Read an EPUB; `on_page(done, all)` is told of each chapter.

    Raises `BookEmpty`, `BookNotItsFormat`, `BookProtected`, `BookTooLarge` or `BookWithoutWords`.
    """
    with Archive(path, "EPUB") as archive:
        if _is_locked(archive):
            raise BookProtected(file=path.name)
        package = _package(archive, path.name)
        pages = _printed_pages(archive, package, path.name)
        blocks: list[DocumentBlock] = []
        for number, name in enumerate(package.chapters, start=1):
            blocks += _chapter(decoded_html(archive.read(name), path.name), pages.get(name, {}))
            if on_page:
                on_page(number, len(package.chapters))
    return book_of(blocks, path.name, readable(path.stem), package.title, package.language)


def _chapter(html: str, pages: dict[str, str]) -> Iterator[DocumentBlock]:
    if "" in pages:
        yield DocumentBlock("", page=pages[""])
    yield from read_html(html, pages).blocks


def _package(archive: Archive, file: str) -> _Package:
    """The package that the container names first."""
    roots = [_path("", one) for one in _values(archive, _CONTAINER, file, "rootfile", "full-path")]
    if not roots or roots[0] not in archive:
        raise archive.damaged
    elements = list(_elements(archive, roots[0], file))
    items = {one.attributes.get("id", ""): one.attributes for one in elements if one.name == "item"}
    folder = posixpath.dirname(roots[0])
    spine = [items.get(one.attributes.get("idref", ""), {}) for one in elements if one.name == "itemref"]
    chapters = [_path(folder, one.get("href", "")) for one in spine if one.get("media-type") in _CHAPTERS]
    navigation = [
        _path(folder, one.get("href", ""))
        for one in items.values()
        if "nav" in one.get("properties", "").split() or one.get("media-type") == "application/x-dtbncx+xml"
    ]
    present = [name for name in dict.fromkeys(chapters) if name in archive and name not in navigation]
    if not present:
        raise archive.damaged
    title = next((one.text for one in elements if one.name == "title" and one.text.strip()), "")
    language = next((one.text for one in elements if one.name == "language" and one.text.strip()), "")
    return _Package(title, language, present, [name for name in navigation if name in archive])


def _printed_pages(archive: Archive, package: _Package, file: str) -> Pages:
    """The page list: `nav epub:type="page-list"`, or `pageList` of EPUB 2."""
    pages: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for name in package.navigation:
        for address, label in _page_list(list(_elements(archive, name, file))):
            target, fragment = urldefrag(address)
            chapter = _path(posixpath.dirname(name), target)
            if label.strip():
                pages[chapter].setdefault(unquote(fragment), label.strip())
    return dict(pages)


def _page_list(elements: list[_Element]) -> Iterator[tuple[str, str]]:
    """Address and printed number of each page in a list of either kind."""
    is_listing, label = False, ""
    for one in elements:
        if one.name in ("nav", "pagelist"):
            is_listing = not one.is_end and (
                one.name == "pagelist" or one.attributes.get("epub:type") == "page-list"
            )
        elif not is_listing or one.is_end:
            continue
        elif one.name == "a":
            yield one.attributes.get("href", ""), one.text
        elif one.name == "text":
            label = one.text
        elif one.name == "content":
            yield one.attributes.get("src", ""), label


def _is_locked(archive: Archive) -> bool:
    """Whether more than fonts is encrypted."""
    if _ENCRYPTION not in archive:
        return False
    ways = _values(archive, _ENCRYPTION, "", "encryptionmethod", "algorithm")
    return any(way not in _OF_FONTS for way in ways)


def _values(archive: Archive, part: str, file: str, name: str, attribute: str) -> list[str]:
    elements = _elements(archive, part, file)
    return [one.attributes[attribute] for one in elements if one.name == name and attribute in one.attributes]


def _elements(archive: Archive, part: str, file: str) -> Iterator[_Element]:
    """The tags of a part in order."""
    reader = _Tags()
    reader.feed(decoded_html(archive.read(part), file))
    reader.close()
    return iter(reader.elements)


def _path(folder: str, address: str) -> str:
    """The name of a part, as an address in a folder gives it."""
    return posixpath.normpath(posixpath.join(folder, unquote(urldefrag(address)[0]))).lstrip("/")


class _Tags(HTMLParser):
    """Collects the tags of an XML part, without the prefixes of their names."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[_Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        name = tag.rpartition(":")[2]
        self.elements.append(_Element(name, {key: value or "" for key, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        self.elements.append(_Element(tag.rpartition(":")[2], {}, is_end=True))

    def handle_data(self, data: str) -> None:
        if self.elements and not self.elements[-1].is_end:
            self.elements[-1].text += data
