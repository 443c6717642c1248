"""An e-book is read chapter by chapter, and cited by the printed pages that its page list tells."""

from pathlib import Path

import pytest

from rag.errors import BookEmpty, BookError, BookNotItsFormat, BookProtected, BookTooLarge
from rag.library.books.book import ParsedBook
from rag.library.readers import archive
from rag.library.readers.epub import read_book
from tests.rag.library.readers.packed_books import Part, epub, packed

CHAPTERS = {
    "one.xhtml": (
        '<h1>Wounds</h1><p>Before.</p><p>A wound <span id="p12" epub:type="pagebreak">12</span>bleeds.</p>'
    ),
    "two and more.xhtml": "<h1>Falls</h1><p>A fall costs 1d6.</p>",
}
PAGES = {"12": "one.xhtml#p12", "13": "two%20and%20more.xhtml"}


def book(tmp_path: Path, content: bytes) -> ParsedBook:
    path = tmp_path / "core-rules.epub"
    path.write_bytes(content)
    return read_book(path)


def test_printed_pages_are_those_of_the_page_list(tmp_path: Path) -> None:
    parsed = book(tmp_path, epub(CHAPTERS, "Core Rules", PAGES))
    assert [(page.label, page.text) for page in parsed.pages] == [
        (None, "Wounds\n\nBefore.\n\nA wound"),
        ("12", "bleeds."),
        ("13", "Falls\n\nA fall costs 1d6."),
    ]


def test_without_a_page_list_the_sections_are_the_places(tmp_path: Path) -> None:
    parsed = book(tmp_path, epub(CHAPTERS, "Core Rules"))
    assert parsed.title == "Core Rules"
    assert [page.label for page in parsed.pages] == [None]
    assert parsed.sections == ("Wounds", "Falls")


def test_the_older_page_list_is_read_as_well(tmp_path: Path) -> None:
    opf = (
        '<opf:package xmlns:opf="x"><opf:manifest><opf:item id="a" href="one.xhtml" '
        'media-type="application/xhtml+xml"/><opf:item id="n" href="toc.ncx" '
        'media-type="application/x-dtbncx+xml"/></opf:manifest><opf:spine><opf:itemref idref="a"/>'
        "</opf:spine></opf:package>"
    )
    ncx = (
        '<ncx><navMap><navPoint><navLabel><text>Wounds</text></navLabel><content src="one.xhtml"/>'
        "</navPoint></navMap><pageList><pageTarget><navLabel><text>7</text></navLabel>"
        '<content src="one.xhtml#x"/></pageTarget></pageList></ncx>'
    )
    container = '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>'
    parts: list[Part] = [
        ("META-INF/container.xml", container),
        ("book.opf", opf),
        ("toc.ncx", ncx),
        ("one.xhtml", '<body><p>Before.</p><p id="x">A wound bleeds.</p></body>'),
    ]
    pages = book(tmp_path, packed(parts)).pages
    assert [(page.label, page.text) for page in pages] == [(None, "Before."), ("7", "A wound bleeds.")]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", BookEmpty),
        (b"PK\x03\x04 and no more", BookNotItsFormat),
        (b"<html>Not found</html>", BookNotItsFormat),
        (packed([("readme.txt", "x")]), BookNotItsFormat),
        (packed([("META-INF/container.xml", '<rootfile full-path="gone.opf"/>')]), BookNotItsFormat),
        (epub({}), BookNotItsFormat),
        (epub(CHAPTERS)[:-400], BookNotItsFormat),
    ],
)
def test_a_damaged_e_book_is_refused_with_what_to_do(
    content: bytes, fault: type[BookError], tmp_path: Path
) -> None:
    with pytest.raises(fault):
        book(tmp_path, content)


def test_a_book_that_its_seller_has_locked_is_told(tmp_path: Path) -> None:
    locked = (
        '<encryption><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/></encryption>'
    )
    with pytest.raises(BookProtected):
        book(tmp_path, epub(CHAPTERS, parts=[("META-INF/encryption.xml", locked)]))


def test_hidden_fonts_lock_no_book(tmp_path: Path) -> None:
    fonts = '<encryption><enc:EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/></encryption>'
    assert book(tmp_path, epub(CHAPTERS, parts=[("META-INF/encryption.xml", fonts)])).pages


def test_a_part_that_would_fill_the_memory_is_refused_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MOST_BYTES", 10_000)
    bomb = epub({"one.xhtml": "<p>" + "A wound bleeds. " * 1_000})
    assert len(bomb) < 5_000
    with pytest.raises(BookTooLarge):
        book(tmp_path, bomb)


def test_entities_are_not_expanded(tmp_path: Path) -> None:
    body = "<p>A wound bleeds. &lol9;</p>"
    entities = (
        '<!DOCTYPE x [<!ENTITY lol "lol"><!ENTITY lol9 "&lol;&lol;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
    )
    text = book(tmp_path, epub({"one.xhtml": entities + body + "<p>&f;</p>"})).pages[0].text
    assert "lollol" not in text
    assert "root:" not in text
