"""Word documents and e-books made on the spot, part by part."""

import zipfile
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from io import BytesIO

Part = tuple[str, str | bytes]

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_STYLES = {
    "Title": "Title",
    **{f"Heading{level}": f"heading {level}" for level in range(1, 7)},
    "TOC1": "toc 1",
}


def packed(parts: Iterable[Part]) -> bytes:
    """A zip file of parts."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts:
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def unpacked_parts(archive: bytes) -> dict[str, bytes]:
    """The content of each part of a zip file."""
    with zipfile.ZipFile(BytesIO(archive)) as parts:
        return {name: parts.read(name) for name in parts.namelist()}


# --- DOCX -----------------------------------------------------------------------------------------


def paragraph(text: str, style: str = "", *, is_bold: bool = False) -> str:
    """A paragraph of a Word document."""
    named = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    bold = "<w:rPr><w:b/></w:rPr>" if is_bold else ""
    return f'<w:p>{named}<w:r>{bold}<w:t xml:space="preserve">{escape(text)}</w:t></w:r></w:p>'


def table(*rows: Sequence[str]) -> str:
    """A table of a Word document, a string a cell."""
    cells = ("".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"


def docx(*body: str, title: str = "", parts: Iterable[Part] = ()) -> bytes:
    """A Word document of paragraphs and tables; `title` is what its properties say."""
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{name}"><w:name w:val="{called}"/></w:style>'
        for name, called in _STYLES.items()
    )
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    return packed(
        [
            (
                "[Content_Types].xml",
                f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="xml" ContentType="text/xml"/>'
                f'<Override PartName="/word/document.xml" ContentType="{kind}.document.main+xml"/></Types>',
            ),
            (
                "_rels/.rels",
                f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" '
                f'Type="{_OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>',
            ),
            (
                "word/_rels/document.xml.rels",
                f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" '
                f'Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
            ),
            ("word/styles.xml", f'<w:styles xmlns:w="{_WORD}">{styles}</w:styles>'),
            (
                "word/document.xml",
                f'<w:document xmlns:w="{_WORD}"><w:body>{"".join(body)}</w:body></w:document>',
            ),
            (
                "docProps/core.xml",
                f'<p xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{escape(title)}</dc:title></p>',
            ),
            *parts,
        ]
    )


# --- EPUB -----------------------------------------------------------------------------------------


def epub(
    chapters: Mapping[str, str],
    title: str = "",
    pages: Mapping[str, str] | None = None,
    parts: Iterable[Part] = (),
    told: str = "",
) -> bytes:
    """An e-book of chapters, the body of each by its file; `pages` is the page list: label to address.

    `told` is what else its metadata says.
    """
    items = "".join(
        f'<item id="c{number}" href="{name}" media-type="application/xhtml+xml"/>'
        for number, name in enumerate(chapters)
    )
    spine = "".join(f'<itemref idref="c{number}"/>' for number in range(len(chapters)))
    listed = "".join(f'<li><a href="{address}">{label}</a></li>' for label, address in (pages or {}).items())
    return packed(
        [
            ("mimetype", "application/epub+zip"),
            (
                "META-INF/container.xml",
                '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
                '<rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/>'
                "</rootfiles></container>",
            ),
            (
                "OEBPS/book.opf",
                '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" '
                'xmlns:dc="http://purl.org/dc/elements/1.1/">'
                f"<metadata><dc:title>{escape(title)}</dc:title>{told}</metadata><manifest>{items}"
                '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
                f"</manifest><spine>{spine}</spine></package>",
            ),
            (
                "OEBPS/nav.xhtml",
                '<html xmlns:epub="http://www.idpf.org/2007/ops"><body><nav epub:type="toc"><ol><li>'
                f'<a href="one.xhtml">One</a></li></ol></nav><nav epub:type="page-list"><ol>{listed}</ol>'
                "</nav></body></html>",
            ),
            *(
                (
                    f"OEBPS/{name}",
                    '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" '
                    'xmlns:epub="http://www.idpf.org/2007/ops"><head><title>x</title></head>'
                    f"<body>{body}</body></html>",
                )
                for name, body in chapters.items()
            ),
            *parts,
        ]
    )
