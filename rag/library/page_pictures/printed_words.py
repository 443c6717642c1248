"""A page as it was read from its PDF, as words with their places. Pure."""

from collections.abc import Iterator

from rag.library.page_pictures.words import Box, Letters, PrintedWord
from rag.library.readers.pdf.lines import PrintedCell, PrintedLine, RawPage
from rag.library.readers.pdf.numbering.sheets import LEFT, WHOLE


def printed_words(raw: RawPage, half: int = WHOLE) -> list[PrintedWord]:
    """The words of a page, or of the half of a sheet, that hold a letter or digit, in drawing order."""
    words = [
        PrintedWord(Letters.of(word.text).characters, word.x0, word.x1, line.baseline, line.size)
        for line, cell in _cells(raw, half)
        for word in cell.words
    ]
    return [word for word in words if word.letters]


def printed_cells(raw: RawPage, half: int = WHOLE) -> Iterator[Box]:
    """What words without a wide gap between them cover, lines of a column as a rule."""
    for line, cell in _cells(raw, half):
        yield PrintedWord("", cell.x0, cell.x1, line.baseline, line.size).box


def sheet_part(raw: RawPage, half: int) -> Box:
    """The page, or the half of a sheet, as a part of what is shown."""
    middle = raw.width / 2
    if half == WHOLE:
        return Box(0.0, 0.0, raw.width, raw.height)
    return Box(0.0, 0.0, middle, raw.height) if half == LEFT else Box(middle, 0.0, raw.width, raw.height)


def _cells(raw: RawPage, half: int) -> Iterator[tuple[PrintedLine, PrintedCell]]:
    """The cells of a page, or of the half of a sheet as it is parted for reading, each with its line."""
    for line in raw.lines:
        for cell in line.cells:
            if half == WHOLE or (cell.middle <= raw.width / 2) == (half == LEFT):
                yield line, cell
