"""How far a table goes that no vertical rules bound: which bands between its rules, and which rows beyond."""

from collections.abc import Collection, Sequence

from rag.library.readers.pdf.lines import PrintedLine
from rag.library.readers.pdf.tables.columns import columns_of, is_justified, is_prose
from rag.library.readers.pdf.tables.levels import (
    SAME_LEVEL,
    Level,
    are_near,
    bands_between,
    finer,
    levels_of,
)
from rag.library.readers.pdf.tables.regions import Region, parted_at, places

_NEXT_ROW = 2.6  # font sizes to a row beyond the last band
_WRAPPED = 1.45  # font sizes from a line of a cell to the next
_TOUCH = 3.0  # points that a title stands to the right of the first column
_MOST_HEADER_LINES = 4
_ALL_BELOW = 9_999  # points: to the foot of any page


def tables_in(region: Region, lines: Sequence[PrintedLine]) -> list[Region]:
    """The parts of a region that may be tables: of rules that do not cross, those without prose between."""
    if region.inner:
        return [region]
    levels = levels_of(parted_at(region, lines)[1])
    whole = columns_of(levels)
    parts: list[list[list[Level]]] = [[]]
    bands = bands_between(levels, places(region.horizontal))
    titles = [band[-1].baseline for number, band in enumerate(bands) if _ends_with_title(bands, number)]
    for number, band in enumerate(bands):
        header = _header_of_next(band) if number or _begins_with_rows(band) else []
        own = columns_of(band)
        is_running = (is_prose(band, own) and is_prose(band, whole)) or _begins_over(band, own, whole)
        begins_at_left = band[0].runs[0].x0 < min(whole, default=region.x1)
        if is_running and begins_at_left:
            parts.append([])
        elif band[-1].baseline in titles:
            parts[-1] += [band[:-1]] if len(band) > 1 else []
            parts.append([])
        elif header:
            above = [level for level in band if not level.is_bold]
            parts[-1] += [above] if above else []
            parts.append([header])
        else:
            parts[-1].append(band)
    found = (_stacked(region, _trimmed(part), lines, titles) for part in parts)
    return [part for part in found if part]


def _begins_over(band: Sequence[Level], own: Sequence[float], whole: Sequence[float]) -> bool:
    """Whether several lines without columns of their own begin with one over the table's: prose or a note."""
    is_text = not own or is_justified(band[0], own)
    return is_text and len(band) > 1 and band[0].crosses(whole)


def _begins_with_rows(band: Sequence[Level]) -> bool:
    """Whether a band begins with rows: the rule over it then stands below the header of their table."""
    return all(len(level.runs) > 1 and not level.is_bold for level in band[:2])


def _header_of_next(band: Sequence[Level]) -> list[Level]:
    """The header at the end of a band that holds the title of another table and its header; else nothing."""
    plain = [place for place, level in enumerate(band) if not level.is_bold]
    bold = list(band[plain[-1] + 1 :] if plain else band)
    header = [level for level in bold if are_near(level.size, bold[-1].size)]
    while (
        len(header) > 1 and len(header[0].runs) == 1 and header[0].runs[0].x0 < header[-1].runs[0].x0 + _TOUCH
    ):
        header.pop(0)
    is_titled = len(header) < len(bold) or (plain and header)
    return header if is_titled and len(header[-1].runs) > 1 else []


def _ends_with_title(bands: Sequence[list[Level]], number: int) -> bool:
    """Whether a band ends with the title of the next table: a bold name between rows and a header."""
    band, below = bands[number], bands[number + 1 : number + 2]
    rows = band[:-1] or (bands[number - 1] if number and len(bands[number - 1]) > 1 else [])
    is_named = len(band[-1].runs) == 1 and band[-1].is_bold
    is_over_header = bool(below) and len(below[0]) == 1 and len(below[0][0].runs) > 1
    return (
        is_named
        and is_over_header
        and bool(rows)
        and not any(level.is_bold for level in rows)
        and len(rows[-1].runs) > 1
    )


def _trimmed(bands: list[list[Level]]) -> list[list[Level]]:
    """Bands without those at both ends that hold one cell: headings and notes."""
    while bands and all(len(level.runs) < 2 for level in bands[0]):
        bands = bands[1:]
    while bands and all(len(level.runs) < 2 for level in bands[-1]):
        bands = bands[:-1]
    return bands


def _stacked(
    region: Region, bands: Sequence[list[Level]], lines: Sequence[PrintedLine], titles: Collection[float]
) -> Region | None:
    """The region of some bands, with the rows above and below them that no rule shuts out.

    `titles` are the baselines of what begins another table.
    """
    levels = [level for band in bands for level in band]
    if not levels or (len(bands) == 1 and len(levels) > _MOST_HEADER_LINES):
        return None
    strip = Region([], [], region.x0, region.x1, 0.0, levels[-1].baseline + _ALL_BELOW)
    near = levels_of(parted_at(strip, lines)[1])
    alone = [band[0] for band in bands_between(near, places(region.horizontal)) if len(band) == 1]
    names = [level for level in alone if len(level.runs) == 1 and level.baseline not in titles]
    wider = extended(levels, near, names)
    columns = columns_of(wider)
    if len(wider) < 2 or not columns or is_prose(wider, columns):
        return None
    top, bottom, size = wider[0].middle, wider[-1].middle, wider[0].size
    rules = [rule for rule in region.horizontal if top - size < rule.at < bottom + size]
    return Region(rules, region.vertical, region.x0, region.x1, top, bottom, columns)


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
        if not are_near(level.size, edge.size):
            break
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
        is_fitting = (
            is_group
            or level.is_cut_by(columns)
            or ((parting is fits or is_wrapped) and not level.crosses(parting))
        )
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
