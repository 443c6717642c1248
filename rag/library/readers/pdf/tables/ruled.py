"""Ruled tables: cells told by the lines and filled bands between them. Pure geometry.

Where rules cross, they are the cells (as pdfplumber's `find_tables` takes them, after A. Nurminen, 2013).
Where only horizontal rules or bands stand over one another, they part the rows, and gaps the columns.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from rag.library.readers.pdf.hyphenation import join_cell
from rag.library.readers.pdf.lines import Cell, Line, RawPage, Word
from rag.library.readers.pdf.tables.rulings import Band, Rule, Rulings
from rag.library.readers.pdf.tables.unruled import Row, Table, find_tables

_TOUCH = 3.0  # points between rules that meet
_SAME_RULE = 4.0  # points: double rules are one
_SAME_ENDS = 4.0  # points: rules over one another begin and end alike
_SAME_LEVEL = 3.0  # points between baselines
_OWN = 12.0  # points that a rule of a table stands out of it, on both sides
_NEXT_PART = 8.0  # points between a header and its rows that are ruled apart
_INSIDE = 2.0  # points that text may stand out of its table
_MIDDLE = 0.3  # of the font size above the baseline
_SPACE = 0.6  # font sizes: a gap that is wider parts cells
_CLOSE = 0.38  # font sizes: a gap no wider is a space for sure
_SIMILAR = 0.12  # difference of font sizes within a table, relative
_GAP = 0.5  # font sizes between columns, at least
_CROSSING = 0.1  # of the rows may cross a gap between columns
_TYPICAL = 0.4  # of the rows have as many cells
_MANY = 6  # rows that agree on a gap
_FEWEST_VOTERS = 3  # rows that tell the columns, without the names of groups of columns above them
_NEXT_ROW = 2.6  # font sizes to a row beyond the last band
_WRAPPED = 1.45  # font sizes from a line of a cell to the next
_FARTHER = 1.25  # times the distance of lines: that of rows
_PROSE = 3.5  # words of a line of prose, on average
_RUN_ON = 0.25  # of the lines may go over columns
_FULL = 0.55  # of the column's width: a line of prose, at least
_LONGEST_TITLE = 90  # characters
_MOST_HEADER_LINES = 4
_EVEN = 1.5  # times the narrowest gap: the spaces of a justified line
_AFTER_SENTENCE = 2.2  # times the narrowest gap: the space after a full stop or colon
_STRETCHED = 2.0  # font sizes: a space of justified text is no wider
_FEWEST_WORDS = 4  # whose gaps tell running text from cells
_NEARLY_ALL, _MOSTLY, _HALF, _FEW = 0.8, 0.7, 0.5, 0.25
_MOST_RULES = 3_000  # of a page: more are a drawing
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGIT = "9"


def ruled_tables(
    lines: Sequence[Line], rulings: Rulings, known: Collection[str]
) -> tuple[list[Line], list[Table]]:
    """The lines of a page, parted where a ruled table stands beside other text, and its ruled tables."""
    rest, tables = list(lines), list[Table]()
    if len(rulings.horizontal) + len(rulings.vertical) > _MOST_RULES:
        return rest, []
    for region in _regions(rulings):
        taken = {id(line) for table in tables for line in table.lines}
        for part in _parts(region, [line for line in rest if id(line) not in taken]):
            rest, inside = _parted(rest, part)
            grid = _Grid(part, [line for line in inside if id(line) not in taken], rulings.bands)
            if grid.is_table:
                tables.append(grid.table(known))
    return rest, tables


def header_lines(raw_page: RawPage) -> set[int]:
    """Identities of the lines that head a table, ruled or bold: one goes on at the top of the next page."""
    lines, ruled = ruled_tables(raw_page.lines, raw_page.rulings, ())
    taken = {id(line) for table in ruled for line in table.lines}
    free = find_tables([line for line in lines if id(line) not in taken], ())
    heads = [line for table in ruled if table.header for line in table.lines]
    heads += [line for table in free if table.header for line in table.lines if line.bold]
    return {id(line) for line in heads if len(line.cells) > 1}


@dataclass(slots=True)
class _Region:
    """Rules that belong together, with their box."""

    horizontal: list[Rule]
    vertical: list[Rule]
    x0: float = 0.0
    x1: float = 0.0
    top: float = 0.0
    bottom: float = 0.0
    columns: list[float] = field(default_factory=list)

    @classmethod
    def of(cls, horizontal: Sequence[Rule], vertical: Sequence[Rule]) -> "_Region":
        xs = [x for rule in horizontal for x in (rule.start, rule.end)] + [rule.at for rule in vertical]
        ys = [y for rule in vertical for y in (rule.start, rule.end)] + [rule.at for rule in horizontal]
        return cls(list(horizontal), list(vertical), min(xs), max(xs), min(ys), max(ys))

    @property
    def inner(self) -> list[Rule]:
        """The vertical rules between its left and its right edge."""
        return [rule for rule in self.vertical if self.x0 + _SAME_RULE < rule.at < self.x1 - _SAME_RULE]

    def is_over(self, other: "_Region") -> bool:
        """Whether both begin and end alike, at the left and at the right."""
        return abs(self.x0 - other.x0) < _SAME_ENDS and abs(self.x1 - other.x1) < _SAME_ENDS

    def stacks_with(self, below: "_Region") -> bool:
        """Whether both may be one table: far apart only single rules are, or bands of one row each."""
        is_near = below.top - self.bottom < _NEXT_PART
        is_row = len(below.horizontal) <= 2 and bool(self.vertical) == bool(below.vertical)
        return self.is_over(below) and (is_near or is_row)

    def goes_on_with(self, below: "_Region") -> bool:
        """Whether another begins right below this one and has the same columns."""
        columns, others = _heights(self.inner), _heights(below.inner)
        is_next = self.is_over(below) and -_TOUCH < below.top - self.bottom < _NEXT_PART
        return is_next and len(columns) == len(others)


def _regions(rulings: Rulings) -> list[_Region]:
    """Rules that meet, and horizontal ones of the same ends over one another, from the smallest region."""
    crossed: list[_Region] = []
    stacks: list[_Region] = []
    for region in sorted(_meeting(rulings), key=lambda region: region.top):
        if region.inner:
            above = next((one for one in crossed if one.goes_on_with(region)), None)
            if above:
                crossed.remove(above)
                region = _Region.of(above.horizontal + region.horizontal, above.vertical + region.vertical)
            crossed.append(region)
            continue
        stack = next((stack for stack in stacks if stack.stacks_with(region)), None)
        if stack:
            stacks.remove(stack)
            region = _Region.of(stack.horizontal + region.horizontal, stack.vertical + region.vertical)
        stacks.append(region)
    found = [region for region in crossed + stacks if len(region.horizontal) > 1]
    return sorted(found, key=lambda region: (region.bottom - region.top) * (region.x1 - region.x0))


def _meeting(rulings: Rulings) -> list[_Region]:
    """The rules in groups of those that meet."""
    groups: list[tuple[list[Rule], list[Rule]]] = [([rule], []) for rule in rulings.horizontal]
    for vertical in rulings.vertical:
        met = [group for group in groups if any(_meet(rule, vertical) for rule in group[0])]
        groups = [group for group in groups if not any(group is one for one in met)]
        whole: tuple[list[Rule], list[Rule]] = ([], [vertical])
        for one in met:
            whole[0].extend(one[0])
            whole[1].extend(one[1])
        groups.append(whole)
    return [_Region.of(_alike(rules), verticals) for rules, verticals in groups if rules]


def _alike(rules: list[Rule]) -> list[Rule]:
    """The rules that end as most of a table do; one that runs through it is the page's own."""
    start, end = median(rule.start for rule in rules), median(rule.end for rule in rules)
    return [rule for rule in rules if rule.start > start - _OWN or rule.end < end + _OWN]


def _meet(horizontal: Rule, vertical: Rule) -> bool:
    across = horizontal.start - _TOUCH <= vertical.at <= horizontal.end + _TOUCH
    return across and vertical.start - _TOUCH <= horizontal.at <= vertical.end + _TOUCH


def _middle(line: Line) -> float:
    return line.baseline - _MIDDLE * line.size


def _is_inside(line: Line, word: Word, region: _Region) -> bool:
    is_level = region.top - _INSIDE < _middle(line) < region.bottom + _INSIDE
    return is_level and region.x0 - _INSIDE <= (word.x0 + word.x1) / 2 <= region.x1 + _INSIDE


def _parted(lines: Sequence[Line], region: _Region) -> tuple[list[Line], list[Line]]:
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


Run = Cell
"""Words of a line that stand close."""


@dataclass(slots=True)
class _Level:
    """What stands at one height, from left to right."""

    baseline: float
    size: float
    runs: list[Run]

    @property
    def middle(self) -> float:
        return self.baseline - _MIDDLE * self.size


def _levels(lines: Iterable[Line]) -> list[_Level]:
    """Lines from top to bottom, those at one height together, in runs of close words."""
    levels: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.baseline):
        if levels and line.baseline - levels[-1][0].baseline <= _SAME_LEVEL:
            levels[-1].append(line)
        else:
            levels.append([line])
    return [_level(level) for level in levels]


def _level(lines: Sequence[Line]) -> _Level:
    size = median(line.size for line in lines)
    runs: list[Run] = []
    for word in sorted((word for line in lines for word in line.words), key=lambda word: word.x0):
        if runs and word.x0 - runs[-1].x1 < _SPACE * size:
            runs[-1].words.append(word)
        else:
            runs.append(Run([word]))
    return _Level(lines[0].baseline, size, runs)


def _finer(level: _Level, columns: int) -> _Level:
    """A level with its runs cut at narrower gaps, where that makes one for each column."""
    cut = _Level(level.baseline, level.size, [])
    for run in level.runs:
        cut.runs.append(Run([run.words[0]]))
        for before, word in pairwise(run.words):
            if word.x0 - before.x1 > _CLOSE * level.size:
                cut.runs.append(Run([]))
            cut.runs[-1].words.append(word)
    return cut if len(cut.runs) == columns else level


def _columns(levels: Sequence[_Level]) -> list[float]:
    """Where columns part: the middles of the gaps that run through nearly all rows of several cells.

    Names over groups of columns leave no gap there: without them more columns may be told.
    """
    counts = Counter(len(level.runs) for level in levels)
    most = max(counts.values(), default=0)
    common = max((count for count, times in counts.items() if times >= _TYPICAL * most), default=0)
    ordered = sorted(levels, key=lambda level: level.baseline)
    voters = [level for level in ordered if len(level.runs) > 1 and len(level.runs) >= _HALF * common]
    columns = _parting(voters, ordered)
    groups = next((place for place, level in enumerate(voters) if len(level.runs) >= common), 0)
    if not groups or len(voters) - groups < _FEWEST_VOTERS:
        return columns
    below = [level for level in ordered if level.baseline >= voters[groups].baseline]
    return max(columns, _parting(voters[groups:], below), key=len)


def _parting(voters: Sequence[_Level], levels: Sequence[_Level]) -> list[float]:
    """The middles of the gaps through nearly all voters, each where the fewest cells of all levels stand."""
    allowed = int(_CROSSING * len(voters))
    gaps: list[list[_Gap]] = [[]]
    for gap in _gaps(voters):
        if gap.crossings > allowed:
            gaps.append([])
        else:
            gaps[-1].append(gap)
    least = (_GAP if len(voters) < _MANY else _CLOSE) * voters[0].size if voters else 0.0
    wide = [run for run in gaps if run and run[-1].end - run[0].start > least]
    clear = [min(run, key=lambda gap: (gap.crossings, gap.start - gap.end)) for run in wide]
    bounds = [_clearest(gap, levels).middle for gap in clear]
    return [x for x in bounds if _parts_levels(x, voters, allowed)]


def _clearest(gap: "_Gap", levels: Sequence[_Level]) -> "_Gap":
    """The part of a gap between columns that the fewest cells of all levels stand in."""
    within = [
        _Gap(max(one.start, gap.start), min(one.end, gap.end), one.crossings)
        for one in _gaps(levels)
        if one.start < gap.end and gap.start < one.end
    ]
    return min(within, key=lambda one: (one.crossings, one.start - one.end), default=gap)


def _parts_levels(x: float, levels: Sequence[_Level], fewest: int) -> bool:
    """Whether more than a few levels have something to the left of a place, and to the right."""
    left = sum(level.runs[0].middle < x for level in levels)
    right = sum(level.runs[-1].middle > x for level in levels)
    return min(left, right) > fewest


@dataclass(frozen=True, slots=True)
class _Gap:
    """A stretch between two edges of cells, and how many cells cross it."""

    start: float
    end: float
    crossings: int

    @property
    def middle(self) -> float:
        return (self.start + self.end) / 2


def _gaps(levels: Sequence[_Level]) -> Iterator[_Gap]:
    """All stretches between edges of cells, from left to right."""
    edges = [edge for level in levels for run in level.runs for edge in ((run.x0, 1), (run.x1, -1))]
    crossings = 0
    for (x, step), (after, _) in pairwise(sorted(edges)):
        crossings += step
        if after > x:
            yield _Gap(x, after, crossings)


def _is_prose(levels: Sequence[_Level], columns: Sequence[float]) -> bool:
    """Whether lines run on in every column, or in one alone."""
    if not columns:
        return len(levels) > 1
    if sum(_crosses(level, columns) for level in levels) > max(1, _RUN_ON * len(levels)):
        return True
    parts: list[list[Run]] = [[] for _ in range(len(columns) + 1)]
    for level in levels:
        for run in level.runs:
            parts[bisect_right(columns, run.middle)].append(run)
    return all(_runs_on(part) for part in parts)


def _runs_on(part: Sequence[Run]) -> bool:
    if len(part) < 3:
        return False
    width = max(run.x1 for run in part) - min(run.x0 for run in part)
    words = sum(len(run.words) for run in part)
    full = sum(run.x1 - run.x0 > _FULL * width for run in part)
    return words >= _PROSE * len(part) and full > _HALF * len(part)


def _heights(rules: Iterable[Rule]) -> list[float]:
    """The heights of horizontal rules, double ones as one."""
    heights: list[float] = []
    for rule in sorted(rules, key=lambda rule: rule.at):
        if not heights or rule.at - heights[-1] > _SAME_RULE:
            heights.append(rule.at)
    return heights


def _between(levels: Sequence[_Level], heights: Sequence[float]) -> list[list[_Level]]:
    """The levels between two heights each; where there are none, nothing."""
    bands: dict[int, list[_Level]] = {}
    for level in levels:
        bands.setdefault(bisect_right(heights, level.middle), []).append(level)
    return [bands[place] for place in sorted(bands)]


def _parts(region: _Region, lines: Sequence[Line]) -> list[_Region]:
    """The parts of a region that may be tables: of rules that do not cross, those without prose between."""
    if region.inner:
        return [region]
    levels = _levels(_parted(lines, region)[1])
    whole = _columns(levels)
    parts: list[list[list[_Level]]] = [[]]
    bands = _between(levels, _heights(region.horizontal))
    titles = [band[-1].baseline for number, band in enumerate(bands) if _ends_with_title(bands, number)]
    for number, band in enumerate(bands):
        header = _header_of_next(band) if number else []
        if _is_prose(band, _columns(band)) and _is_prose(band, whole):
            parts.append([])
        elif band[-1].baseline in titles:
            parts[-1] += [band[:-1]] if len(band) > 1 else []
            parts.append([])
        elif header:
            above = [level for level in band if not _is_bold(level)]
            parts[-1] += [above] if above else []
            parts.append([header])
        else:
            parts[-1].append(band)
    found = (_stacked(region, _trimmed(part), lines, titles) for part in parts)
    return [part for part in found if part]


def _header_of_next(band: Sequence[_Level]) -> list[_Level]:
    """The header at the end of a band that holds the title of another table and its header; else nothing."""
    plain = [place for place, level in enumerate(band) if not _is_bold(level)]
    bold = list(band[plain[-1] + 1 :] if plain else band)
    header = [level for level in bold if _is_near(level.size, bold[-1].size)]
    while (
        len(header) > 1 and len(header[0].runs) == 1 and header[0].runs[0].x0 < header[-1].runs[0].x0 + _TOUCH
    ):
        header.pop(0)
    is_titled = len(header) < len(bold) or (plain and header)
    return header if is_titled and len(header[-1].runs) > 1 else []


def _ends_with_title(bands: Sequence[list[_Level]], number: int) -> bool:
    """Whether a band ends with the title of the next table: a bold name between rows and a header."""
    band, below = bands[number], bands[number + 1 : number + 2]
    rows = band[:-1] or (bands[number - 1] if number and len(bands[number - 1]) > 1 else [])
    is_named = len(band[-1].runs) == 1 and _is_bold(band[-1])
    is_over_header = bool(below) and len(below[0]) == 1 and len(below[0][0].runs) > 1
    return (
        is_named and is_over_header and bool(rows) and not any(map(_is_bold, rows)) and len(rows[-1].runs) > 1
    )


def _is_near(size: float, other: float) -> bool:
    return abs(size - other) < _SIMILAR * other


def _trimmed(bands: list[list[_Level]]) -> list[list[_Level]]:
    """Bands without those at both ends that hold one cell: headings and notes."""
    while bands and all(len(level.runs) < 2 for level in bands[0]):
        bands = bands[1:]
    while bands and all(len(level.runs) < 2 for level in bands[-1]):
        bands = bands[:-1]
    return bands


def _stacked(
    region: _Region, bands: Sequence[list[_Level]], lines: Sequence[Line], titles: Collection[float]
) -> _Region | None:
    """The region of some bands, with the rows above and below them that no rule shuts out.

    `titles` are the baselines of what begins another table.
    """
    levels = [level for band in bands for level in band]
    if not levels or (len(bands) == 1 and len(levels) > _MOST_HEADER_LINES):
        return None
    near = _levels(_parted(lines, _Region([], [], region.x0, region.x1, 0.0, levels[-1].baseline + 9_999))[1])
    above = [level for level in near if level.baseline < levels[0].baseline - _SAME_LEVEL]
    below = [level for level in near if level.baseline > levels[-1].baseline + _SAME_LEVEL]
    alone = [band[0] for band in _between(near, _heights(region.horizontal)) if len(band) == 1]
    names = [level for level in alone if len(level.runs) == 1 and level.baseline not in titles]
    wider = [*_further(levels[0], above[::-1], levels, names)[::-1], *levels]
    wider += _further(levels[-1], below, levels, names)
    columns = _columns(wider)
    if len(wider) < 2 or not columns or _is_prose(wider, columns):
        return None
    top, bottom, size = wider[0].middle, wider[-1].middle, wider[0].size
    rules = [rule for rule in region.horizontal if top - size < rule.at < bottom + size]
    return _Region(rules, region.vertical, region.x0, region.x1, top, bottom, columns)


def _further(
    edge: _Level, levels: Sequence[_Level], own: Sequence[_Level], names: Collection[_Level] = ()
) -> list[_Level]:
    """Levels next to the last one of a table that go on with its columns, below one of `names` perhaps."""
    taken: list[_Level] = []
    waiting: list[_Level] = []
    columns = _columns(own)
    for level in levels:
        level = _finer(level, len(columns) + 1)
        before = [*taken, *waiting][-1] if taken or waiting else edge
        step = abs(level.baseline - before.baseline)
        fits = _columns([*own, *taken, *waiting, level])
        places = fits if len(fits) >= len(columns) else columns
        is_late = level.runs[0].x0 > min(places, default=0)
        is_row = len(level.runs) > 1 and step < _NEXT_ROW * level.size
        is_wrapped = bool(taken) and step < _WRAPPED * level.size and is_late
        is_above = level.baseline < edge.baseline and _is_bold(level) and is_late
        is_group = is_above and step < (_WRAPPED if taken else _NEXT_ROW) * level.size
        is_fitting = (
            is_group
            or _is_cut(level, columns)
            or ((places is fits or is_wrapped) and not _crosses(level, places))
        )
        if not _is_near(level.size, edge.size) or _is_justified(level, places):
            break
        if (is_row or is_wrapped or is_group) and is_fitting:
            taken += [*waiting, level]
            waiting = []
        elif waiting or step > _NEXT_ROW * level.size:
            break
        elif level.baseline > edge.baseline and is_late:
            waiting.append(level)  # The first line of a row whose first cell begins below it.
        elif any(level is name for name in names) and not _crosses(level, columns):
            waiting.append(level)
        else:
            break
    return taken


def _is_cut(level: _Level, columns: Sequence[float]) -> bool:
    """Whether close words stand in most columns, none of them in two."""
    words = [word for run in level.runs for word in run.words]
    filled = {bisect_right(columns, (word.x0 + word.x1) / 2) for word in words}
    is_whole = not any(word.x0 < x - _INSIDE and x + _INSIDE < word.x1 for word in words for x in columns)
    return is_whole and len(level.runs) > 1 and len(filled) >= max(2, _MOSTLY * (len(columns) + 1))


def _is_justified(level: _Level, columns: Sequence[float]) -> bool:
    """Whether the gaps of a line are stretched spaces: even ones, between more words than there are columns.

    A space after a full stop or colon may be twice as wide.
    """
    words = [word for run in level.runs for word in run.words]
    if len(level.runs) < 2 or len(words) < max(_FEWEST_WORDS, len(columns) + 2):
        return False
    gaps = [(before.text, after.x0 - before.x1) for before, after in pairwise(words)]
    narrowest = min(gap for _, gap in gaps)
    return all(
        gap < _STRETCHED * level.size
        and gap <= narrowest * (_AFTER_SENTENCE if text.endswith((".", "!", "?", ":")) else _EVEN)
        for text, gap in gaps
    )


def _crosses(level: _Level, columns: Sequence[float]) -> bool:
    return any(run.x0 < x < run.x1 for run in level.runs for x in columns)


@dataclass(slots=True)
class _GridRow:
    """A row: what stands in it, the columns that each cell covers, and whether the cell goes on below."""

    levels: list[_Level]
    spans: list[tuple[int, int]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    joins_above: list[bool] = field(default_factory=list)
    colour: int | None = None

    @property
    def middle(self) -> float:
        return (self.levels[0].middle + self.levels[-1].middle) / 2

    @property
    def is_bold(self) -> bool:
        return all(word.bold for level in self.levels for run in level.runs for word in run.words)

    @property
    def first_is_bold(self) -> bool:
        return all(word.bold for word in self.levels[0].runs[0].words)

    @property
    def is_whole(self) -> bool:
        """Whether one cell goes over all columns."""
        return len(self.spans) == 1 and len(self.texts) > 1

    @property
    def has_spanning(self) -> bool:
        return any(last > first and self.texts[first] for first, last in self.spans)


class _Grid:
    """The rows and columns of a region."""

    def __init__(self, region: _Region, lines: Sequence[Line], bands: Sequence[Band]) -> None:
        self._region, self._lines = region, list(lines)
        levels = _levels(lines)
        self._columns = region.columns or self._ruled_columns(levels)
        levels = [_finer(level, len(self._columns) + 1) for level in levels]
        found = _between(levels, _heights(region.horizontal))
        self._ruled_rows = len(found)
        self._rows = [_GridRow(rows) for rows in self._split(found)]
        for row in self._rows:
            row.colour = _colour(row, region, bands)
            row.spans = list(self._spans(row))
            row.joins_above = [False for _ in self._all]
        if len(self._rows) > 1 and _is_title(self._rows[0].levels[-1], self._rows[1].levels[0]):
            self._rows[0].spans = [(0, len(self._columns))]
        for above, row in pairwise(self._rows):
            row.joins_above = [self._is_open(above, row, column) for column in self._all]

    @property
    def _all(self) -> range:
        return range(len(self._columns) + 1)

    @property
    def is_table(self) -> bool:
        """Whether there are rows and columns, and something else than boxes of prose."""
        if len(self._rows) < 2 or not self._columns:
            return False
        long = [row for row in self._rows if len(row.levels) >= 4]
        is_boxes = long and all(_is_prose(row.levels, self._columns) and not row.is_whole for row in long)
        several = sum(len(row.spans) > 1 for row in self._rows)
        return several >= 2 and not (is_boxes and len(self._rows) <= 2 * len(long))

    def _ruled_columns(self, levels: Sequence[_Level]) -> list[float]:
        """The places of the inner rules, those of columns without any words left out."""
        places = _heights(self._region.inner)
        middles = sorted(run.middle for level in levels for run in _cut(level, places).runs)
        filled = {bisect_right(places, middle) for middle in middles}
        return [place for number, place in enumerate(places, start=1) if number in filled][
            0 if 0 in filled else 1 :
        ]

    def _split(self, bands: Sequence[list[_Level]]) -> Iterator[list[_Level]]:
        """The rows between the rules: one, or several where rules only part the header from the rest."""
        body = [band for band in bands[1:] if len(band) > 1 or len(band[0].runs) > 1]
        several = [band for band in body if self._holds_rows(band)]
        is_mostly = len(several) > _HALF * len(body)
        for number, band in enumerate(bands):
            is_first = number == 0 and len(bands) > 1 and len(band) <= _MOST_HEADER_LINES
            holds_rows = is_mostly and any(band is one for one in several)
            if is_first:
                yield from self._header_and_rows(band)
            elif number and not (holds_rows or self._is_list(band)):
                yield band
            else:
                yield from self._rows_of(band)

    def _header_and_rows(self, band: Sequence[_Level]) -> list[list[_Level]]:
        """The first band: a header, perhaps under a title or the names of groups of columns, and what no rule
        parts from it: a row of numbers, a section's name.
        """
        begins = [False]
        for above, level in pairwise(band):
            is_numbers = _numbers(level) > _HALF * len(level.runs) and not _numbers(above)
            is_named = above is band[0] and _is_title(above, level)
            is_name = self._filled(level) == {0} and len(self._filled(above)) > 2 and _is_bold(level)
            begins.append(is_numbers or is_name or is_named or self._is_group(above, level))
        return _cut_where(band, begins[1:])

    def _is_group(self, above: _Level, level: _Level) -> bool:
        """Whether a level has a name over several columns, each of which is named below it."""
        filled = self._filled(level)
        return any(
            run.x0 < x < run.x1 and {column, column + 1} <= filled
            for run in above.runs
            for column, x in enumerate(self._columns)
        )

    def _holds_rows(self, band: Sequence[_Level]) -> bool:
        """Whether a band has several levels that fill most columns, apart from wrapped lines."""
        if len(self._rows_of(band)) < 2:
            return False
        full = [level for level in band if len(self._filled(level)) >= max(2, len(self._columns))]
        return len(full) > 1

    def _is_list(self, band: Sequence[_Level]) -> bool:
        """Whether a band holds more full levels than a row has lines in every cell."""
        full = [level for level in band if len(self._filled(level)) >= max(2, len(self._columns))]
        return len(full) >= _MOST_HEADER_LINES

    def _rows_of(self, band: Sequence[_Level]) -> list[list[_Level]]:
        """The rows of a band without rules: every full level, else by their distance or first cell."""
        needed = max(2, len(self._columns))
        full = [len(self._filled(level)) >= needed for level in band]
        if sum(full) >= _NEARLY_ALL * len(band):
            return _cut_where(band, [0 in self._filled(level) for level in band[1:]])
        steps = [after.baseline - before.baseline for before, after in pairwise(band)]
        line = min(steps, default=0.0)
        far = (line + max(steps, default=0.0)) / 2
        if max(steps, default=0.0) > _FARTHER * line:
            rows = _cut_where(band, [step > far for step in steps])
            if all(any(0 in self._filled(level) for level in row) for row in rows):
                return rows
        return _cut_where(band, [0 in self._filled(level) for level in band[1:]])

    def _filled(self, level: _Level) -> set[int]:
        return {bisect_right(self._columns, run.middle) for run in _cut(level, self._columns).runs}

    def _spans(self, row: _GridRow) -> Iterator[tuple[int, int]]:
        """The first and last column of each cell of a row."""
        first = 0
        for column, x in enumerate(self._columns):
            if not self._is_merged(row, x):
                yield first, column
                first = column + 1
        yield first, len(self._columns)

    def _is_merged(self, row: _GridRow, x: float) -> bool:
        """Whether no rule and no gap parts a row at `x`."""
        rules = [rule for rule in self._region.inner if abs(rule.at - x) <= _SAME_RULE]
        if any(rule.start <= row.middle <= rule.end for rule in rules):
            return False
        length = sum(rule.end - rule.start for rule in rules)
        if length > _HALF * (self._region.bottom - self._region.top):
            return True
        return any(_covers(run, x, level.size) for level in row.levels for run in level.runs)

    def _is_open(self, above: _GridRow, row: _GridRow, column: int) -> bool:
        """Whether a cell goes on from one row to the next: other columns are parted there, this is not."""
        if not self._region.inner:
            return False
        between = [
            rule
            for rule in self._region.horizontal
            if above.levels[0].middle < rule.at < row.levels[-1].middle
        ]
        edges = [self._region.x0, *self._columns, self._region.x1]
        middle = (edges[column] + edges[column + 1]) / 2
        return bool(between) and not any(rule.start <= middle <= rule.end for rule in between)

    def table(self, known: Collection[str]) -> Table:
        """The table that the region holds."""
        self._write(known)
        rows = self._rows
        title = ""
        if rows[0].is_whole and len(rows) > 2 and len(rows[0].texts[0]) <= _LONGEST_TITLE:
            title, rows = rows[0].texts[0], rows[1:]
        first = self._first_row(rows)
        headings = [_heading(rows[:first], column, known) for column in self._all]
        return Table(
            self._lines,
            [_printed(row) for row in rows[:first]],
            [_printed(row) for row in rows[first:]],
            headings,
            title,
            self._columns,
        )

    def _write(self, known: Collection[str]) -> None:
        """Fill the cells with their words; of a cell over several rows all stand in the first."""
        for number, row in enumerate(self._rows):
            row.texts = [""] * len(self._all)
            for first, _ in row.spans:
                owner = number
                while owner and self._rows[owner].joins_above[first]:
                    owner -= 1
                for run in self._runs(row, first):
                    cells = self._rows[owner].texts
                    cells[first] = join_cell(cells[first], run.text, known)

    def _runs(self, row: _GridRow, first: int) -> Iterator[Run]:
        """The runs of a row in the cell that begins with column `first`."""
        starts = [start for start, _ in row.spans]
        parts = [self._columns[start - 1] for start in starts[1:]]
        place = starts.index(first)
        for level in row.levels:
            for run in _cut(level, parts).runs:
                if bisect_right(parts, run.middle) == place:
                    yield run

    def _first_row(self, rows: Sequence[_GridRow]) -> int:
        """How many rows the header has."""
        count = self._marked(rows)
        if not count and not _is_like_the_rest(rows):
            count = 1
        while (
            count
            and count < len(rows)
            and ((rows[count - 1].has_spanning and not rows[count - 1].is_whole) or _joins(rows[count]))
        ):
            count += 1
        while count > 1 and not any(rows[count - 1].texts[1:]):
            count -= 1
        return count if count < len(rows) else 0

    def _marked(self, rows: Sequence[_GridRow]) -> int:
        """How many rows at the top are filled or bold as no others are, or parted by the only rule."""
        colours: list[int | None] = [row.colour for row in rows]
        weights: list[int | None] = [1 if row.is_bold else None for row in rows]
        for marks in (colours, weights):
            if marks[0] is None:
                continue
            count = next((place for place, mark in enumerate(marks) if mark != marks[0]), len(rows))
            if marks[count:].count(marks[0]) < _FEW * len(rows):
                return count if count < len(rows) else 0
        return int(len(rows) >= 3 and self._ruled_rows == 2)


def _is_title(level: _Level, below: _Level) -> bool:
    """Whether a level is one name, set otherwise than the names of columns below it."""
    is_other = not _is_near(level.size, below.size) or _is_bold(level) != _is_bold(below)
    return len(level.runs) == 1 < len(below.runs) and level.runs[0].x0 < below.runs[1].x0 and is_other


def _covers(run: Run, x: float, size: float) -> bool:
    """Whether a run goes over a place, without a gap there that is wider than a space."""
    if not run.x0 < x < run.x1:
        return False
    if any(word.x0 < x < word.x1 for word in run.words):
        return True
    return any(
        before.x1 <= x <= after.x0 and after.x0 - before.x1 < _CLOSE * size
        for before, after in pairwise(run.words)
    )


def _joins(row: _GridRow) -> bool:
    return any(row.joins_above)


def _heading(rows: Sequence[_GridRow], column: int, known: Collection[str]) -> str:
    """What all rows of the header say over a column."""
    texts = [row.texts[first] for row in rows for first, last in row.spans if first <= column <= last]
    heading = ""
    for text in dict.fromkeys(filter(None, texts)):
        heading = join_cell(heading, text, known)
    return heading


def _printed(row: _GridRow) -> Row:
    size = row.levels[0].size
    return Row(list(row.texts), size, row.is_bold, is_whole=row.is_whole, joins_above=list(row.joins_above))


def _cut(level: _Level, columns: Sequence[float]) -> _Level:
    """A level with its runs cut where columns part, between words."""
    runs: list[Run] = []
    for run in level.runs:
        part: list[Word] = []
        for word in run.words:
            column = bisect_right(columns, (word.x0 + word.x1) / 2)
            if part and column != bisect_right(columns, (part[-1].x0 + part[-1].x1) / 2):
                runs.append(Run(part))
                part = []
            part.append(word)
        runs.append(Run(part))
    return _Level(level.baseline, level.size, runs)


def _numbers(level: _Level) -> int:
    """How many cells hold a digit."""
    return sum(any(map(str.isdigit, run.text)) for run in level.runs)


def _is_bold(level: _Level) -> bool:
    return all(word.bold for run in level.runs for word in run.words)


def _cut_where(band: Sequence[_Level], begins: Sequence[bool]) -> list[list[_Level]]:
    rows = [[band[0]]]
    for level, is_new in zip(band[1:], begins, strict=True):
        if is_new:
            rows.append([])
        rows[-1].append(level)
    return rows


def _colour(row: _GridRow, region: _Region, bands: Sequence[Band]) -> int | None:
    """The colour of the smallest band behind a row; None for white and none."""
    behind = [
        band
        for band in bands
        if band.top <= row.middle <= band.bottom
        and band.x0 < row.levels[0].runs[0].middle < band.x1
        and band.bottom - band.top < region.bottom - region.top
    ]
    if not behind:
        return None
    colour = min(behind, key=lambda band: (band.bottom - band.top) * (band.x1 - band.x0)).colour
    return None if colour == 0xFFFFFF else colour


def _is_like_the_rest(rows: Sequence[_GridRow]) -> bool:
    """Whether the first row is one of many: numbers stand in it as below it, or each row has a bold name."""
    first, rest = rows[0], rows[1:]
    if sum(map(bool, first.texts)) <= _HALF * len(first.texts):
        return True
    if all(row.first_is_bold for row in rows) and not any(row.is_bold for row in rows):
        return True
    if sum(row.texts[0].endswith(":") for row in rows) > _HALF * len(rows):
        return True
    return any(
        _DIGIT in (shape := _shape(cell))
        and sum(_shape(row.texts[column]) == shape for row in rest) >= _HALF * len(rest)
        for column, cell in enumerate(first.texts)
    )


def _shape(cell: str) -> str:
    """What a cell is made of: "9" of numbers and signs, "9a" of "1 gp", "9a9" of "2d6"."""
    letters = _LETTERS.sub("a", cell)
    return re.sub(r"[^a9]", "", re.sub(r"[\d\W]*\d[\d\W]*", _DIGIT, letters))
