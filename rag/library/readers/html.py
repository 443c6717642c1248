"""HTML → blocks: headings, paragraphs, list items and table rows; also what other formats are turned into.

A browser's parser makes a tree of any tag soup. What surrounds the text of a web page (navigation, scripts,
forms) is left out; where the page marks its main part, that alone is read.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from operator import itemgetter
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode

from rag.library.books.book import ParsedBook
from rag.library.books.library_toml import readable
from rag.library.readers.blocks import BOLD_LINE, DocumentBlock, is_heading_like
from rag.library.readers.decode import decoded, file_bytes
from rag.library.readers.html_tables import Cells, TableCell, goes_on, table_rows
from rag.library.readers.sections import book_of, top_heading

_NO_TEXT = "script, style, noscript, template, iframe, svg, math, object, audio, video, canvas"
_BESIDE = (
    "nav, dialog, button, select, textarea, [hidden], [aria-hidden=true], [role=navigation], [role=search], "
    "[role=doc-pagebreak], [epub\\:type=pagebreak], .mw-editsection, .headerlink, .anchor-link, .noprint"
)
"""What is hidden, can be used, leads through a site, or was put beside a heading by a wiki."""
_INLINE = re.compile(
    "a|abbr|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|q|rp|rt|ruby|s|samp|"
    "small|span|strike|strong|sub|sup|time|tt|u|var|wbr|img|br|input"
)
"""Elements within a line of text; any other parts it."""
_SELF_CLOSED = re.compile(r"<((?!(?:br|hr|img|col|meta|link|input|wbr)\b)[A-Za-z][\w:-]*)((?:\s[^<>]*)?)/>")
"""An element that is empty in XHTML alone; a browser takes it for one that is not closed."""
_HEADING = re.compile(r"h([1-6])")
_ITEM = re.compile(r"• |\d+\. ")
_BOLD = ("b", "strong")
_LISTS = ("ul", "ol", "li", "dd")
_CELLS = ("td", "th")
_WHITE = re.compile(r"[ \t\r\n\f\xa0]+")
_AROUND_BREAK = re.compile(r" *\n *")
_DECLARED = re.compile(
    rb"charset\s*=\s*[\"']?\s*([\w.:-]+)|<\?xml[^>]*encoding\s*=\s*[\"']([\w.:-]+)", re.IGNORECASE
)
_HEAD = 4096  # bytes in which the encoding is named
_WIDEST = 50
"""Columns that a cell may span."""
_LONGEST_CELL = 1500
"""Characters of a cell; a longer one is a part of the page, laid out by a table."""
_MAIN_SHARE = 0.3
"""Of the letters of a page: what is marked as its main part and holds less is not."""
_BESIDE_SHARE = 0.9
"""Of the letters of a page: what seems to stand beside the text and holds more is the text."""


@dataclass(frozen=True, slots=True)
class HtmlDocument:
    """What is read of a document: the title that its head names, its blocks, and the language it tells."""

    title: str
    blocks: tuple[DocumentBlock, ...]
    language: str = ""


def read_book(path: Path) -> ParsedBook:
    """Read a web page. Raises `BookEmpty`, `BookTooLarge`, `BookNotText` or `BookWithoutWords`."""
    document = read_html(decoded_html(file_bytes(path), path.name))
    title = top_heading(document.blocks) or document.title
    return book_of(document.blocks, path.name, readable(path.stem), title, document.language)


def decoded_html(content: bytes, file: str) -> str:
    """The text of an HTML or XML file, in the encoding that it names. Raises `BookNotText`."""
    match = _DECLARED.search(content[:_HEAD])
    named = (match[1] or match[2]).decode("ascii", "replace") if match else None
    return decoded(content, file, named)


def xml_tree(content: bytes, file: str) -> LexborHTMLParser:
    """The elements of a part in XML, which may name its encoding. Raises `BookNotText`."""
    return _tree(decoded_html(content, file))


def read_html(text: str, pages: Mapping[str, str] | None = None) -> HtmlDocument:
    """Read a document. `pages` are printed page numbers by the id of the element where each begins."""
    tree = _tree(text)
    title = tree.css_first("head > title")
    root = tree.root.attributes if tree.root else {}
    language = root.get("lang") or root.get("xml:lang") or ""
    blocks = _blocks(tree, pages or {}, _NO_TEXT, _BESIDE)
    whole = _blocks(tree, pages or {}, _NO_TEXT) if tree.css_matches(_BESIDE) else blocks
    if _length(blocks) < _length(whole) * (1 - _BESIDE_SHARE):
        blocks = whole
    return HtmlDocument(" ".join(title.text().split()) if title else "", tuple(blocks), language)


def _tree(text: str) -> LexborHTMLParser:
    return LexborHTMLParser(_SELF_CLOSED.sub(r"<\1\2></\1>", text))


def _blocks(tree: LexborHTMLParser, pages: Mapping[str, str], *left_out: str) -> list[DocumentBlock]:
    """The blocks of a tree, or of its main part, without what the selectors name."""
    without = {node.mem_id for selector in left_out for node in tree.css(selector)}
    whole, main = (
        _Reader(pages, without).read(node) if node else []
        for node in (tree.body, tree.css_first("main, [role=main]"))
    )
    return main if _length(main) > _length(whole) * _MAIN_SHARE else whole


class _Reader:
    """Collects the blocks of an element."""

    def __init__(self, pages: Mapping[str, str], left_out: set[int]) -> None:
        self._printed_pages = pages
        self._left_out = left_out
        self._blocks: list[DocumentBlock] = []
        self._lists: list[int | None] = []
        self._text: list[str] = []
        self._is_bold: list[bool] = []
        self._bold = 0
        self._preformatted = 0
        self._level = 0
        self._prefix = ""
        self._is_line = False
        self._table: tuple[int, Cells, str] = (0, (), "")
        """The blocks until the end of the last table, its cells and its title."""

    def read(self, whole: LexborNode) -> list[DocumentBlock]:
        """Read an element and all within it, by a stack: tag soup nests deeper than Python calls."""
        waiting = [(whole, False)]
        while waiting:
            node, is_end = waiting.pop()
            if is_end:
                self._leave(node.tag or "")
            elif node.tag == "-text":
                self._add(node.text(deep=False))
            elif not node.is_element_node or not self._reads(node):
                continue
            elif node.tag == "table" and _holds_rows(node):
                self._flush()
                self._add_table(node)
            else:
                self._enter(node.tag or "", node.attributes)
                waiting.append((node, True))
                waiting += [(child, False) for child in reversed(list(node.iter(include_text=True)))]
        self._flush()
        return self._blocks

    # --- elements -------------------------------------------------------------------------------------

    def _reads(self, node: LexborNode) -> bool:
        """Begin the page that begins at an element; False where what is in it is left out."""
        if node.id and node.id in self._printed_pages:
            level = self._level
            self._flush()
            self._level = level
            self._blocks.append(DocumentBlock("", page=self._printed_pages[node.id]))
        return node.mem_id not in self._left_out

    def _enter(self, tag: str, attributes: Mapping[str, str | None]) -> None:
        if not _INLINE.fullmatch(tag):
            self._flush()
        if tag == "br":
            self._text.append("\n")
        elif heading := _HEADING.fullmatch(tag):
            self._level = int(heading[1])
        elif tag in ("ul", "ol"):
            self._lists.append(_whole(attributes.get("start"), 1) if tag == "ol" else None)
        elif tag == "li" and self._lists:
            self._begin_item()
        elif tag == "dd":
            self._is_line = True
        self._bold += tag in _BOLD
        self._preformatted += tag == "pre"

    def _leave(self, tag: str) -> None:
        if not _INLINE.fullmatch(tag):
            self._flush()
            self._level = 0
        self._bold -= tag in _BOLD
        self._preformatted -= tag == "pre"
        if tag in ("ul", "ol"):
            self._lists.pop()
        if tag in _LISTS:
            self._prefix, self._is_line = "", False

    def _add_table(self, table: LexborNode) -> None:
        """Add a table's title and rows, which may go on under the column names of the table right above."""
        caption = table.css_first("caption")
        name = " ".join(caption.text().split()) if caption else ""
        title = name if is_heading_like(name) else ""
        blocks = [DocumentBlock(name, term=title)] if name else []
        cells: list[list[TableCell]] = []
        for node in sorted(table.css("tr"), key=lambda row: _part(row) == "tfoot"):
            row = [(cell, _Reader(self._printed_pages, self._left_out).read(cell)) for cell in _cells(node)]
            blocks += [block for _, own in row for block in own if block.page is not None]
            cells.append([_table_cell(cell, own, is_head=_part(node) == "thead") for cell, own in row])
        end, above, over = self._table
        if any(block.text for block in [*blocks, *self._blocks[end:]]) or not goes_on(above, cells):
            above, over = (), title
        blocks += table_rows(cells, over, above)
        before = [block for block in self._blocks[-len(blocks) - 1 :] if block.page is None]
        self._blocks += blocks if blocks != before[-len(blocks) :] else []
        self._table = len(self._blocks), above or cells, over

    def _begin_item(self) -> None:
        number = self._lists[-1]
        self._prefix = "• " if number is None else f"{number}. "
        if number is not None:
            self._lists[-1] = number + 1
        before = self._blocks[-1] if self._blocks else DocumentBlock("")
        is_next = not before.level and _ITEM.match(before.text) is not None
        self._is_line = is_next or len(self._lists) > 1

    # --- text -----------------------------------------------------------------------------------------

    def _add(self, text: str) -> None:
        self._text.append(text if self._preformatted else _WHITE.sub(" ", text))
        if text.strip():
            self._is_bold.append(self._bold > 0)

    def _flush(self) -> None:
        """Make a block of the text so far."""
        text = _AROUND_BREAK.sub("\n", "".join(self._text)).strip()
        is_bold = bool(self._is_bold) and all(self._is_bold)
        term = "" if is_bold or self._level else self._bold_beginning(text)
        self._text, self._is_bold = [], []
        if not text:
            return
        level = self._level
        if level:
            text = " ".join(text.split())
        elif is_bold and not self._prefix and is_heading_like(text):
            level = BOLD_LINE
        is_line = self._is_line and not level
        self._blocks.append(DocumentBlock(self._prefix + text, level, is_line, term=term))
        if self._prefix:
            self._prefix, self._is_line = "", True
        self._level = 0

    def _bold_beginning(self, text: str) -> str:
        """The few bold words that the text so far begins with, before plain ones; else ""."""
        pieces = [piece for piece in self._text if piece.strip()]
        bold = takewhile(itemgetter(1), zip(pieces, self._is_bold, strict=True))
        name = "".join(piece for piece, _ in bold).strip()
        is_name = name[:1].isupper() and is_heading_like(name.rstrip(".:!?…"))
        return name if is_name and text.startswith(name) else ""


def _length(blocks: Sequence[DocumentBlock]) -> int:
    return sum(len(block.text) for block in blocks)


def _whole(text: str | None, default: int) -> int:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 6 else default


def _holds_rows(table: LexborNode) -> bool:
    """Whether a table holds rows of cells, and does not lay out a page; a heading may be a whole cell."""
    if len(table.css("table")) > 1 or not all(map(_is_cell, table.css("h1, h2, h3, h4, h5, h6"))):
        return False
    rows = [_cells(row) for row in table.css("tr")]
    longest = max((len(cell.text()) for row in rows for cell in row), default=0)
    are_rows = len(rows) > 1 or all(cell.tag == "th" for row in rows for cell in row)
    return are_rows and max(map(len, rows), default=0) > 1 and longest <= _LONGEST_CELL


def _is_cell(heading: LexborNode) -> bool:
    cell = heading.parent
    return cell is not None and cell.tag in _CELLS and cell.text().strip() == heading.text().strip()


def _part(row: LexborNode) -> str | None:
    """The part of a table that a row stands in: its head, its body or its foot."""
    return row.parent.tag if row.parent else None


def _cells(row: LexborNode) -> list[LexborNode]:
    return [cell for cell in row.iter() if cell.tag in _CELLS]


def _table_cell(cell: LexborNode, blocks: Sequence[DocumentBlock], *, is_head: bool) -> TableCell:
    attributes = cell.attributes
    return TableCell(
        " ".join(" ".join(block.text.split()) for block in blocks if block.text),
        min(_whole(attributes.get("colspan"), 1), _WIDEST),
        _whole(attributes.get("rowspan"), 1),
        is_name=is_head or cell.tag == "th",
        is_bold=_is_all_in(cell, "b, strong") or (bool(blocks) and all(block.level for block in blocks)),
        is_italic=_is_all_in(cell, "i, em"),
    )


def _is_all_in(cell: LexborNode, elements: str) -> bool:
    """Whether all that a cell holds stands in one of some elements."""
    first = cell.css_first(elements)
    return first is not None and first.text().strip() == cell.text().strip()
