"""EPUB → blocks: the chapters in the order of the spine, with the printed pages that its page list tells.

The parts are read as HTML is, without a parser that would expand entities. What a package holds: EPUB 3.3
(W3C), with the older table of contents of EPUB 2 (`toc.ncx`).
"""

import posixpath
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urldefrag

from selectolax.lexbor import LexborHTMLParser, LexborNode

from rag.errors import BookProtected
from rag.library.books.book import ParsedBook
from rag.library.books.library_toml import readable
from rag.library.readers.archive import Archive
from rag.library.readers.blocks import DocumentBlock
from rag.library.readers.html import decoded_html, read_html, xml_tree
from rag.library.readers.sections import book_of

_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_OF_FONTS = frozenset(("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"))
"""Ways of encryption that hide fonts alone."""
_OLDER_NAVIGATION = "application/x-dtbncx+xml"
_CHAPTERS = frozenset(("application/xhtml+xml", "text/html"))

Pages = dict[str, dict[str, str]]
"""Printed numbers by the file and the id of the element where each page begins; "" for the file's first."""


class _Package(NamedTuple):
    """What a package document tells: title and language, the chapters in order, and the lists of pages."""

    title: str
    language: str
    chapters: list[str]
    navigation: list[str]


def read_book(path: Path) -> ParsedBook:
    """Read an EPUB.

    Raises `BookEmpty`, `BookNotItsFormat`, `BookProtected`, `BookTooLarge` or `BookWithoutWords`.
    """
    with Archive(path, "EPUB") as archive:
        if _is_locked(archive, path.name):
            raise BookProtected(file=path.name)
        package = _package(archive, path.name)
        pages = _printed_pages(archive, package, path.name)
        blocks: list[DocumentBlock] = []
        for name in package.chapters:
            own = pages.get(name, {})
            blocks += [DocumentBlock("", page=own[""])] if "" in own else []
            blocks += read_html(decoded_html(archive.content(name), path.name), own).blocks
    return book_of(blocks, path.name, readable(path.stem), package.title, package.language)


def _package(archive: Archive, file: str) -> _Package:
    """The package that the container names first."""
    roots = [_path("", one) for one in _values(archive, _CONTAINER, file, "rootfile", "full-path")]
    if not roots or roots[0] not in archive.parts:
        raise archive.damaged
    tree = xml_tree(archive.content(roots[0]), file)
    items = {one.attributes.get("id"): one.attributes for one in _named(tree, "item")}
    folder = posixpath.dirname(roots[0])
    spine = [items.get(one.attributes.get("idref"), {}) for one in _named(tree, "itemref")]
    chapters = [_path(folder, one.get("href")) for one in spine if one.get("media-type") in _CHAPTERS]
    navigation = [
        _path(folder, one.get("href"))
        for one in items.values()
        if "nav" in (one.get("properties") or "").split() or one.get("media-type") == _OLDER_NAVIGATION
    ]
    present = [name for name in dict.fromkeys(chapters) if name in archive.parts and name not in navigation]
    if not present:
        raise archive.damaged
    title, language = (
        next(filter(None, (one.text().strip() for one in _named(tree, name))), "")
        for name in ("title", "language")
    )
    return _Package(title, language, present, [name for name in navigation if name in archive.parts])


def _printed_pages(archive: Archive, package: _Package, file: str) -> Pages:
    """The page list: `nav epub:type="page-list"`, or `pageList` of EPUB 2."""
    pages: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for name in package.navigation:
        for address, label in _page_list(xml_tree(archive.content(name), file)):
            target, fragment = urldefrag(address)
            chapter = _path(posixpath.dirname(name), target)
            if label.strip():
                pages[chapter].setdefault(unquote(fragment), label.strip())
    return dict(pages)


def _page_list(tree: LexborHTMLParser) -> Iterator[tuple[str, str]]:
    """Address and printed number of each page in a list of either kind."""
    for link in tree.css("nav[epub\\:type='page-list'] a"):
        yield link.attributes.get("href") or "", link.text()
    for target in tree.css("pagelist pagetarget"):
        place = target.css_first("content")
        yield (place.attributes.get("src") or "" if place else ""), target.text()


def _is_locked(archive: Archive, file: str) -> bool:
    """Whether more than fonts is encrypted."""
    is_encrypted = _ENCRYPTION in archive.parts
    ways = _values(archive, _ENCRYPTION, file, "encryptionmethod", "algorithm") if is_encrypted else []
    return not _OF_FONTS.issuperset(ways)


def _values(archive: Archive, part: str, file: str, name: str, attribute: str) -> list[str]:
    elements = _named(xml_tree(archive.content(part), file), name)
    return list(filter(None, (one.attributes.get(attribute) for one in elements)))


def _named(tree: LexborHTMLParser, name: str) -> list[LexborNode]:
    """The elements of a name, whatever prefix it has."""
    return [one for one in tree.css("*") if (one.tag or "").rpartition(":")[2] == name]


def _path(folder: str, address: str | None) -> str:
    """The name of a part, as an address in a folder gives it."""
    return posixpath.normpath(posixpath.join(folder, unquote(urldefrag(address or "")[0]))).lstrip("/")
