"""How far a table goes that no vertical rules bound: which bands between its rules, and which rows beyond."""

from collections.abc import Collection, Sequence
from itertools import dropwhile, takewhile

from rag.library.readers.pdf.lines import PrintedLine
from rag.library.readers.pdf.tables.columns import columns_of, is_justified, is_prose
from rag.library.readers.pdf.tables.levels import SAME_LEVEL, Level, bands_between, finer, levels_of
from rag.library.readers.pdf.tables.regions import Region, parted_at, places

_NEXT_ROW = 2.6  # font sizes to a row beyond the last band
_WRAPPED = 1.45  # font sizes from a line of a cell to the next
_MOST_HEADER_LINES = 4
_ALL_BELOW = 9_999  # points: to the foot of any page


def tables_in(region: Region, lines: Sequence[PrintedLine]) -> list[Region]:
    """The parts of a region that may be tables: of rules that do not cross, those without prose between."""
    if region.inner:
        return [region]
    levels = levels_of(parted_at(region, lines)[1])
    parts: list[list[list[Level]]] = [[]]
    whole = columns_of(levels)
    bands = bands_between(levels, places(region.horizontal))
    for number, band in enumerate(bands):
        begins_at_left = band[0].runs[0].x0 < min(whole, default=region.x1)
        if begins_at_left and _is_text(band):
            parts.append([])
        elif ends := _ends_before_title(bands, number):
            rows, header = ends
            parts[-1] += [rows] if rows else []
            parts.append([header] if header else [])
        else:
            parts[-1].append(band)
    return list(filter(None, (_stacked(region, part, lines) for part in parts)))


def _is_text(band: Sequence[Level]) -> bool:
    """Whether a band holds lines of prose, or a note."""
    columns = columns_of(band)
    return is_prose(band, columns) or is_justified(band[0], columns)


def _ends_before_title(bands: Sequence[list[Level]], number: int) -> tuple[list[Level], list[Level]] | None:
    """The rows of a band before the bold title of another table, and the header of that if it is in the band.

    None where no other table begins there: a bold name over rows of the same table is no title.
    """
    band, below = bands[number], bands[number + 1 : number + 2]
    bold = list(takewhile(lambda level: level.is_bold, reversed(band)))[::-1]
    rows = band[: len(band) - len(bold)]
    header = list(dropwhile(lambda level: len(level.runs) == 1, bold))
    if header and (number or (rows and len(rows[0].runs) > 1)) and len(header) < len(band):
        return rows, header
    is_over_header = bool(below) and len(below[0]) == 1
    return (rows, header) if bold and not header and is_over_header and (rows or number) else None


def _stacked(region: Region, bands: Sequence[list[Level]], lines: Sequence[PrintedLine]) -> Region | None:
    """The region of some bands, with the rows above and below them that no rule shuts out."""
    levels = [level for band in bands for level in band]
    if not levels or (len(bands) == 1 and len(levels) > _MOST_HEADER_LINES):
        return None
    strip = Region([], [], region.x0, region.x1, 0.0, levels[-1].baseline + _ALL_BELOW)
    near = levels_of(parted_at(strip, lines)[1])
    alone = [band[0] for band in bands_between(near, places(region.horizontal)) if len(band) == 1]
    names = [level for level in alone if len(level.runs) == 1]
    wider = extended(levels, near, names)
    columns = columns_of(wider)
    if not columns or is_prose(wider, columns):
        return None
    top, bottom = wider[0].middle, wider[-1].middle
    return Region(region.horizontal, region.vertical, region.x0, region.x1, top, bottom, columns)


def extended(own: Sequence[Level], near: Sequence[Level], names: Collection[Level] = ()) -> list[Level]:
    """The levels of a table with those above and below that go on with it, below one of `names` perhaps."""
    above = [level for level in near if level.baseline < own[0].baseline - SAME_LEVEL]
    below = [level for level in near if level.baseline > own[-1].baseline + SAME_LEVEL]
    over = _further(own[0], above[::-1], own, names)
    return [*over[::-1], *own, *_further(own[-1], below, own, names)]


def _further(
    edge: Level, levels: Sequence[Level], own: Sequence[Level], names: Collection[Level]
) -> list[Level]:
    """Levels next to the last one of a table that go on with its columns, below one of `names` perhaps."""
    taken: list[Level] = []
    waiting: list[Level] = []
    columns = columns_of(own)
    for level in levels:
        level = finer(level, len(columns) + 1)
        before = [*taken, *waiting][-1] if taken or waiting else edge
        step = abs(level.baseline - before.baseline)
        fits = columns_of([*own, *taken, *waiting, level])
        parting = fits if len(fits) >= len(columns) else columns
        is_late = level.runs[0].x0 > min(parting, default=0)
        is_row = len(level.runs) > 1 and step < _NEXT_ROW * level.size
        is_wrapped = bool(taken) and step < _WRAPPED * level.size and is_late
        is_above = level.baseline < edge.baseline and level.is_bold and (is_late or len(level.runs) > 1)
        crossed = max(sum(run.x0 < x < run.x1 for x in columns) for run in level.runs)
        is_title = 2 * crossed >= len(columns) > 1
        is_group = is_above and step < _NEXT_ROW * level.size and not is_title
        is_fitting = is_group or level.is_cut_by(columns) or (parting is fits and not level.crosses(parting))
        if is_justified(level, parting):
            break
        if (is_row or is_wrapped or is_group) and is_fitting:
            taken += [*waiting, level]
            waiting = []
        elif waiting or step > _NEXT_ROW * level.size:
            break
        elif is_late:
            waiting.append(level)  # A line of a row whose first cell stands beyond it.
        elif any(level is name for name in names) and not level.crosses(columns):
            waiting.append(level)
        else:
            break
    return taken
