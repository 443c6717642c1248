"""What stands on a page but is not its text: running heads, folios, lines naming the buyer. Pure."""

from collections.abc import Sequence

from rag.library.readers.pdf.folios import edge_lines, is_lone_number
from rag.library.readers.pdf.lines import Line, Sheet
from rag.library.readers.pdf.margins import running_heads
from rag.library.readers.pdf.stamps import stamped_lines


def bodies(sheets: Sequence[Sheet], labels: Sequence[str | None]) -> list[list[Line]]:
    """The lines of each page, given its printed label, without what is not its text."""
    heads, stamps = running_heads(sheets, labels), stamped_lines(sheets)
    return [_body(*page) for page in zip(sheets, heads, stamps, strict=True)]


def _body(sheet: Sheet, heads: set[int], stamps: set[int]) -> list[Line]:
    numbers = {id(line) for line in edge_lines(sheet) if is_lone_number(line, sheet.lines)}
    return [line for line in sheet.lines if id(line) not in heads | stamps | numbers]
