"""Lines parted at the edges of a region: a table may stand beside other text on one line."""

from collections.abc import Iterator, Sequence

from rag.library.readers.pdf.lines import Cell, Line, Word
from rag.library.readers.pdf.tables.levels import middle_of
from rag.library.readers.pdf.tables.regions import Region

_INSIDE = 2.0  # points that text may stand out of its table


def parted_at(region: Region, lines: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """All lines, those that stand partly in a region parted there; and the ones inside."""
    everything: list[Line] = []
    inside: list[Line] = []
    for line in lines:
        flags = [_is_inside(line, word, region) for word in line.words]
        if not any(flags):
            everything.append(line)
            continue
        for is_in, piece in _pieces(line, flags):
            everything.append(piece)
            if is_in:
                inside.append(piece)
    return everything, inside


def _is_inside(line: Line, word: Word, region: Region) -> bool:
    is_level = region.top - _INSIDE < middle_of(line) < region.bottom + _INSIDE
    return is_level and region.x0 - _INSIDE <= (word.x0 + word.x1) / 2 <= region.x1 + _INSIDE


def _pieces(line: Line, flags: Sequence[bool]) -> Iterator[tuple[bool, Line]]:
    """A line in pieces whose words are all inside or all outside."""
    if all(flags):
        yield True, line
        return
    marks = iter(flags)
    runs: list[tuple[bool, list[Cell]]] = []
    for cell in line.cells:
        is_new = True
        for word in cell.words:
            is_in = next(marks)
            if not runs or runs[-1][0] != is_in:
                runs.append((is_in, []))
                is_new = True
            if is_new:
                runs[-1][1].append(Cell([]))
                is_new = False
            runs[-1][1][-1].words.append(word)
    for is_in, cells in runs:
        yield is_in, Line(cells, line.baseline, line.size)
