"""DOCX → blocks, by way of the HTML that mammoth makes of it.

Cited by section: a DOCX holds no pages, only breaks that some program has rendered once, with its own fonts.
"""

import re
import zipfile
from collections.abc import Mapping
from html import unescape
from io import BytesIO
from pathlib import Path

from rag.library.books.book import ParsedBook
from rag.library.books.library_toml import readable
from rag.library.readers.archive import Archive
from rag.library.readers.html import read_html
from rag.library.readers.sections import book_of, top_heading

_TYPES, _FACTS = "[Content_Types].xml", "docProps/core.xml"
_READ = (".xml", ".rels")
"""Endings of the parts that are read: no pictures, fonts or programs."""
_STYLES = """
p[style-name='Title'] => h1.title:fresh
p[style-name='Subtitle'] => p:fresh
p[style-name^='toc '] => !
p[style-name^='TOC '] => !
"""
"""Beside mammoth's own: the title is told; a table of contents is left out, for it repeats what follows."""
_TOLD = re.compile(r"<h1 class=\"title\">(?P<title>.*?)</h1>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_TITLE = re.compile(r"<dc:title\b[^>]*>(?P<title>[^<]*)</dc:title>")
_BACK_LINK = re.compile(r"<a href=\"#(?:foot|end)note-ref[^\"]*\">↑</a>")


def read_book(path: Path) -> ParsedBook:
    """Read a DOCX file.

    Raises `BookEmpty`, `BookNeedsPassword`, `BookNotItsFormat`, `BookTooLarge` or `BookWithoutWords`.
    """
    with Archive(path, "DOCX") as archive:
        if _TYPES not in archive.parts:
            raise archive.damaged
        parts = {name: archive.xml(name) for name in archive.parts if name.endswith(_READ)}
        try:
            html = _html(parts)
        except Exception as error:  # mammoth has no type for a document that it cannot follow
            raise archive.damaged from error
    blocks = read_html(_BACK_LINK.sub("", html)).blocks
    facts = _TITLE.search(parts.get(_FACTS, b"").decode("utf-8", "replace"))
    # What stands in the document in the style of a title, if that is one thing.
    titles = [unescape(_TAG.sub("", match["title"])) for match in _TOLD.finditer(html)]
    on_top = titles[0] if len(titles) == 1 else ""
    title = on_top or top_heading(blocks) or (unescape(facts["title"]) if facts else "")
    return book_of(blocks, path.name, readable(path.stem), title)


def _html(parts: Mapping[str, bytes]) -> str:
    import mammoth  # here, for a library without changes reads no book

    document = BytesIO()
    with zipfile.ZipFile(document, "w") as checked:
        for name, content in parts.items():
            checked.writestr(name, content)
    result = mammoth.convert_to_html(
        document, style_map=_STYLES, convert_image=lambda _: [], include_embedded_style_map=False
    )
    return str(result.value)
