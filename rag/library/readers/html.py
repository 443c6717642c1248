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
from rag.library.books.page import TITLE_END
from rag.library.readers.blocks import BOLD_LINE, DocumentBlock, is_heading_like
from rag.library.readers.decode import decoded, file_bytes
from rag.library.readers.sections import book_of, top_heading

READER_VERSION = 5
"""Bumped when the output changes: books are read again."""

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
_HEADINGS = "h1, h2, h3, h4, h5, h6"
_BOLD = ("b", "strong")
_Places = dict[int, tuple[str, bool]]
"""The cells of a row of a table by column: the text, and whether this is the first column of the cell."""
_LISTS = ("ul", "ol", "li", "dd")
_CELLS = ("td", "th")
_NAME_ENDS = ".:!?…"
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
    whole = _blocks(tree, pages or {}, _NO_TEXT)
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
                self._blocks += _blocks_of(node, self._printed_pages, self._left_out)
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

    def _begin_item(self) -> None:
        number = self._lists[-1]
        self._prefix = "• " if number is None else f"{number}. "
        if number is not None:
            self._lists[-1] = number + 1
        before = self._blocks[-1:]
        self._is_line = bool(before) and (len(self._lists) > 1 or _is_item(before[0]))

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
        is_name = name[:1].isupper() and is_heading_like(name.rstrip(_NAME_ENDS))
        return name if is_name and text.startswith(name) else ""


def _length(blocks: Sequence[DocumentBlock]) -> int:
    return sum(len(block.text) for block in blocks)


def _whole(text: str | None, default: int) -> int:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 6 else default


def _is_item(block: DocumentBlock) -> bool:
    return not block.level and re.match(r"• |\d+\. ", block.text) is not None


@dataclass(frozen=True, slots=True)
class _HtmlRow:
    """The texts of a row's cells, how many columns and rows each takes, and whether they name columns."""

    cells: list[str]
    spans: list[tuple[int, int]]
    is_header: bool
    is_bold: bool

    @property
    def printed(self) -> str:
        return "  ".join(self.cells).strip()


def _holds_rows(table: LexborNode) -> bool:
    """Whether a table holds rows of cells, and does not lay out a page."""
    rows = table.css("tr")
    if len(rows) < 2 or len(table.css(f"table, {_HEADINGS}")) > 1 or table.css_first(_HEADINGS):
        return False
    cells = [_cells(row) for row in rows]
    longest = max((len(cell.text()) for row in cells for cell in row), default=0)
    return max(map(len, cells)) > 1 and longest <= _LONGEST_CELL


def _cells(row: LexborNode) -> list[LexborNode]:
    return [cell for cell in row.iter() if cell.tag in _CELLS]


def _blocks_of(table: LexborNode, pages: Mapping[str, str], left_out: set[int]) -> list[DocumentBlock]:
    """A table's rows under its column names, below its title."""
    caption = table.css_first("caption")
    title = " ".join(caption.text().split()) if caption else ""
    blocks = [DocumentBlock(title, term=title if is_heading_like(title) else "")] if title else []
    rows: list[_HtmlRow] = []
    for node in table.css("tr"):
        cells = [(cell, _Reader(pages, left_out).read(cell)) for cell in _cells(node)]
        within = [block for _, cell in cells for block in cell]
        blocks += [block for block in within if block.page is not None]
        if any(block.text for block in within):
            rows.append(_row(cells))
    headers, grid = _headers(rows), _grid(rows)
    printed = [DocumentBlock(row.printed, is_line=number > 0) for number, row in enumerate(rows[:headers])]
    for row, places in zip(rows[headers:], grid[headers:], strict=True):
        named = [
            (_column_name(grid[:headers], column), places[column][0])
            for column in sorted(places)
            if places[column][1]
        ]
        reading = "; ".join(f"{name}: {cell}" if name else cell for name, cell in named if cell)
        titled = f"{title}{TITLE_END}{reading}" if is_heading_like(title) else reading
        has_names = any(name for name, _ in named)
        printed.append(DocumentBlock(row.printed, is_line=bool(printed), reading=titled if has_names else ""))
    return blocks + printed


def _row(cells: Sequence[tuple[LexborNode, Sequence[DocumentBlock]]]) -> _HtmlRow:
    attributes = [cell.attributes for cell, _ in cells]
    return _HtmlRow(
        [" ".join(" ".join(block.text.split()) for block in blocks) for _, blocks in cells],
        [(min(_whole(one.get("colspan"), 1), _WIDEST), _whole(one.get("rowspan"), 1)) for one in attributes],
        is_header=all(cell.tag == "th" for cell, _ in cells),
        is_bold=all(block.level for _, blocks in cells for block in blocks),
    )


def _headers(rows: Sequence[_HtmlRow]) -> int:
    """How many rows on top name the columns: those of header cells, else a first one in bold or of words."""
    named = sum(1 for _ in takewhile(lambda row: row.is_header, rows[:-1]))
    if named or not rows:
        return named
    first, below = rows[0].cells, zip(*(row.cells for row in rows[1:]), strict=False)
    is_over_numbers = not any(map(_has_digit, first)) and any(
        all(map(_has_digit, column)) for column in below
    )
    return int(all(first) and (rows[0].is_bold or is_over_numbers))


def _column_name(header: Sequence[_Places], column: int) -> str:
    """What all rows of a header say over a column."""
    return " ".join(dict.fromkeys(row[column][0] for row in header if column in row and row[column][0]))


def _grid(rows: Sequence[_HtmlRow]) -> list[_Places]:
    """The cells of each row by column, also those that reach over several columns and down from above."""
    grid: list[_Places] = [{} for _ in rows]
    for number, row in enumerate(rows):
        column = 0
        for text, (columns, height) in zip(row.cells, row.spans, strict=True):
            while column in grid[number]:
                column += 1
            for places in grid[number : number + max(1, height)]:
                places |= {column + step: (text, step == 0) for step in range(columns)}
    return grid


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))
