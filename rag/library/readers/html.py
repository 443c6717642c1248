"""HTML → blocks: headings, paragraphs, list items and table rows; also what other formats are turned into.

A browser's parser makes a tree of any tag soup. What surrounds the text of a web page (navigation, scripts,
forms) is left out; where the page marks its main part, that alone is read.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from operator import itemgetter
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode

from rag.library.books.book import ParsedBook
from rag.library.books.library_toml import DeclaredBook, readable
from rag.library.books.page import TITLE_END
from rag.library.readers.blocks import BOLD_LINE, DocumentBlock, is_heading_like
from rag.library.readers.decode import decoded, file_bytes
from rag.library.readers.sections import book_of, top_heading

READER_VERSION = 4
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
_BOLD = ("b", "strong")
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


def read_book(
    path: Path,
    declared: DeclaredBook | None = None,
    on_page: Callable[[int, int], None] | None = None,
) -> ParsedBook:
    """Read a web page. Raises `BookEmpty`, `BookTooLarge`, `BookNotText` or `BookWithoutWords`."""
    document = read_html(decoded_html(file_bytes(path), path.name))
    title = top_heading(document.blocks) or document.title
    return book_of(document.blocks, path.name, readable(path.stem), title, document.language)


def decoded_html(content: bytes, file: str) -> str:
    """The text of an HTML or XML file, in the encoding that it names. Raises `BookNotText`."""
    match = _DECLARED.search(content[:_HEAD])
    named = (match[1] or match[2]).decode("ascii", "replace") if match else None
    return decoded(content, file, named)


def read_html(text: str, pages: Mapping[str, str] | None = None) -> HtmlDocument:
    """Read a document. `pages` are printed page numbers by the id of the element where each begins."""
    tree = LexborHTMLParser(_SELF_CLOSED.sub(r"<\1\2></\1>", text))
    blocks = _blocks(tree, pages or {}, _NO_TEXT, _BESIDE)
    whole = _blocks(tree, pages or {}, _NO_TEXT)
    if _length(blocks) < _length(whole) * (1 - _BESIDE_SHARE):
        blocks = whole
    title = tree.css_first("head > title")
    root = tree.root.attributes if tree.root else {}
    language = root.get("lang") or root.get("xml:lang") or ""
    return HtmlDocument(" ".join(title.text().split()) if title else "", tuple(blocks), language)


def _blocks(tree: LexborHTMLParser, pages: Mapping[str, str], *left_out: str) -> list[DocumentBlock]:
    """The blocks of a tree without what the selectors name."""
    reader = _Reader(pages, {node.mem_id for selector in left_out for node in tree.css(selector)})
    if tree.body:
        reader.read(tree.body)
    return reader.main_blocks()


@dataclass(slots=True)
class _Row:
    cells: list[list[DocumentBlock]] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    """Columns and rows that each cell takes."""
    are_names: list[bool] = field(default_factory=list)
    is_bold: bool = True


@dataclass(slots=True)
class _Table:
    rows: list[_Row] = field(default_factory=list)
    title: str = ""


class _Reader:
    """Collects blocks; the lists under `_sinks` take them, the innermost open one first."""

    def __init__(self, pages: Mapping[str, str], left_out: set[int]) -> None:
        self._printed_pages = pages
        self._left_out = left_out
        self._sinks: list[list[DocumentBlock]] = [[]]
        self._main: list[DocumentBlock] = []
        self._tables: list[_Table] = []
        self._lists: list[int | None] = []
        self._text: list[str] = []
        self._is_bold: list[bool] = []
        self._bold = 0
        self._preformatted = 0
        self._level = 0
        self._prefix = ""
        self._is_line = False

    def read(self, body: LexborNode) -> None:
        """Read an element and all within it, by a stack: tag soup nests deeper than Python calls."""
        waiting = [(body, False)]
        while waiting:
            node, is_end = waiting.pop()
            if is_end:
                self._leave(node)
            elif node.tag == "-text":
                self._add(node.text(deep=False))
            elif node.is_element_node and self._enter(node):
                waiting.append((node, True))
                waiting += [(child, False) for child in reversed(list(node.iter(include_text=True)))]

    def main_blocks(self) -> list[DocumentBlock]:
        """Every block, or those of the main part."""
        self._flush()
        whole = self._sinks[0]
        return self._main if _length(self._main) > _length(whole) * _MAIN_SHARE else whole

    # --- elements -------------------------------------------------------------------------------------

    def _enter(self, node: LexborNode) -> bool:
        """Begin an element; False where what is in it is left out."""
        tag, attributes = node.tag or "", node.attributes
        self._begin_page(attributes.get("id") or "")
        if node.mem_id in self._left_out:
            return False
        if not _INLINE.fullmatch(tag):
            self._flush()
        if tag == "br":
            self._text.append("\n")
        elif heading := _HEADING.fullmatch(tag):
            self._level = int(heading[1])
        elif _is_main(node):
            self._sinks.append([])
        self._bold += tag in _BOLD
        self._preformatted += tag == "pre"
        self._enter_list(tag, attributes)
        self._enter_table(tag, attributes)
        return True

    def _enter_list(self, tag: str, attributes: Mapping[str, str | None]) -> None:
        if tag in ("ul", "ol"):
            self._lists.append(_whole(attributes.get("start"), 1) if tag == "ol" else None)
        elif tag == "li":
            self._begin_item()
        elif tag == "dd":
            self._is_line = True

    def _enter_table(self, tag: str, attributes: Mapping[str, str | None]) -> None:
        if tag == "table":
            self._tables.append(_Table())
        elif tag == "tr" and self._tables:
            self._tables[-1].rows.append(_Row())
        elif tag in _CELLS and self._tables:
            self._begin_cell(tag, attributes)

    def _leave(self, node: LexborNode) -> None:
        tag = node.tag or ""
        if not _INLINE.fullmatch(tag):
            self._flush()
            self._level = 0
        self._bold -= tag in _BOLD
        self._preformatted -= tag == "pre"
        if tag in ("ul", "ol"):
            self._lists.pop()
        if tag in _LISTS:
            self._prefix, self._is_line = "", False
        if self._tables:
            self._leave_table(tag)
        if _is_main(node):
            kept = self._sinks.pop()
            self._main += kept
            self._sinks[-1] += kept

    def _leave_table(self, tag: str) -> None:
        if tag == "caption":
            self._name_table()
        elif tag in _CELLS:
            self._sinks.pop()
        elif tag == "table":
            table = self._tables.pop()
            self._sinks[-1] += _blocks_of(table)

    def _begin_page(self, name: str) -> None:
        label = self._printed_pages.get(name) if name else None
        if label is not None:
            level, self._level = self._level, 0
            self._flush()
            self._level = level
            self._sinks[0 if self._tables else -1].append(DocumentBlock("", page=label))

    def _begin_item(self) -> None:
        if not self._lists:
            return
        number = self._lists[-1]
        self._prefix = "• " if number is None else f"{number}. "
        if number is not None:
            self._lists[-1] = number + 1
        before = self._sinks[-1][-1:]
        self._is_line = bool(before) and (len(self._lists) > 1 or _is_item(before[0]))

    def _begin_cell(self, tag: str, attributes: Mapping[str, str | None]) -> None:
        row = self._tables[-1].rows[-1]
        columns = min(_whole(attributes.get("colspan"), 1), _WIDEST)
        row.spans.append((columns, _whole(attributes.get("rowspan"), 1)))
        row.are_names.append(tag == "th")
        row.cells.append([])
        self._sinks.append(row.cells[-1])

    def _name_table(self) -> None:
        """Take the block that was written last, the caption, as the title of the innermost table."""
        if self._sinks[-1] and is_heading_like(self._sinks[-1][-1].text):
            caption = self._sinks[-1].pop()
            self._tables[-1].title = caption.text
            self._sinks[-1].append(replace(caption, term=caption.text))

    # --- text -----------------------------------------------------------------------------------------

    def _add(self, text: str) -> None:
        self._text.append(text if self._preformatted else _WHITE.sub(" ", text))
        if text.strip():
            self._is_bold.append(self._bold > 0)

    def _flush(self) -> None:
        """Make a block of the text so far."""
        text = _AROUND_BREAK.sub("\n", "".join(self._text)).strip()
        is_bold = bool(self._is_bold) and all(self._is_bold)
        term = "" if is_bold or self._level or self._tables else self._bold_beginning(text)
        self._text, self._is_bold = [], []
        if not text:
            return
        level = self._level
        if level:
            text = " ".join(text.split())
        elif is_bold and not self._prefix and not self._tables and is_heading_like(text):
            level = BOLD_LINE
        if self._tables and self._tables[-1].rows and not is_bold:
            self._tables[-1].rows[-1].is_bold = False
        self._sinks[-1].append(
            DocumentBlock(self._prefix + text, level, self._is_line and not level, term=term)
        )
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


def _is_main(node: LexborNode) -> bool:
    return node.tag == "main" or node.attributes.get("role") == "main"


def _length(blocks: Sequence[DocumentBlock]) -> int:
    return sum(len(block.text) for block in blocks)


def _whole(text: str | None, default: int) -> int:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 6 else default


def _is_item(block: DocumentBlock) -> bool:
    return not block.level and re.match(r"• |\d+\. ", block.text) is not None


def _blocks_of(table: _Table) -> list[DocumentBlock]:
    """A table's rows under its column names; the content of its cells where it only lays out a page."""
    rows = [row for row in table.rows if any(row.cells)]
    if _is_layout(rows):
        return [block for row in rows for cell in row.cells for block in cell]
    headers = _headers(rows)
    names = _column_names(rows[:headers])
    blocks = [DocumentBlock(_printed(row), is_line=number > 0) for number, row in enumerate(rows[:headers])]
    carried: dict[int, tuple[int, str]] = {}
    for row in rows[headers:]:
        cells = _spread(row, carried)
        named = zip([*names, *[""] * (len(cells) - len(names))], cells, strict=False)
        reading = "; ".join(f"{name}: {cell}" if name else cell for name, cell in named if cell)
        titled = f"{table.title}{TITLE_END}{reading}" if table.title else reading
        blocks.append(
            DocumentBlock(_printed(row), is_line=bool(blocks), reading=titled if any(names) else "")
        )
    return blocks


def _is_layout(rows: Sequence[_Row]) -> bool:
    cells = [cell for row in rows for cell in row.cells]
    if len(rows) < 2 or max((len(row.cells) for row in rows), default=0) < 2:
        return True
    return any(
        block.level or block.reading or len(block.text) > _LONGEST_CELL for cell in cells for block in cell
    )


def _headers(rows: Sequence[_Row]) -> int:
    """How many rows on top name the columns: those of header cells, else a first one in bold or of words."""
    named = 0
    while named < len(rows) - 1 and all(rows[named].are_names):
        named += 1
    if named:
        return named
    first = [_text(cell) for cell in rows[0].cells]
    are_words = all(first) and not any(map(_has_digit, first))
    has_numbers = any(
        all(_has_digit(_text(cell)) for cell in column)
        for column in zip(*(row.cells for row in rows[1:]), strict=False)
    )
    return int(all(first) and (rows[0].is_bold or (are_words and has_numbers)))


def _column_names(rows: Sequence[_Row]) -> list[str]:
    """The name of each column, from one row or several."""
    carried: dict[int, tuple[int, str]] = {}
    spread = [_spread(row, carried, repeats=True) for row in rows]
    width = max(map(len, spread), default=0)
    columns = [[row[column] for row in spread if column < len(row)] for column in range(width)]
    return [" ".join(dict.fromkeys(filter(None, names))) for names in columns]


def _spread(row: _Row, carried: dict[int, tuple[int, str]], *, repeats: bool = False) -> list[str]:
    """The cells by column, with those that reach down from rows above; a wide one in its first column."""
    cells: list[str] = []
    waiting = list(zip(map(_text, row.cells), row.spans, strict=True))
    while waiting or len(cells) in carried:
        column = len(cells)
        if column in carried:
            rows, text = carried.pop(column)
            cells.append(text)
            if rows > 1:
                carried[column] = (rows - 1, text)
            continue
        text, (columns, rows) = waiting.pop(0)
        for number in range(columns):
            cells.append(text if repeats or not number else "")
            if rows > 1:
                carried[column + number] = (rows - 1, cells[-1])
    return cells


def _printed(row: _Row) -> str:
    return "  ".join(map(_text, row.cells)).strip()


def _text(cell: Sequence[DocumentBlock]) -> str:
    return " ".join(" ".join(block.text.split()) for block in cell)


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))
