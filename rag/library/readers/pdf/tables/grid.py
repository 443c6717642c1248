"""The rows and columns of a region, and the table that they make."""

from collections.abc import Collection, Sequence
from itertools import pairwise

from rag.library.readers.pdf.hyphenation import join_cell
from rag.library.readers.pdf.lines import PrintedLine
from rag.library.readers.pdf.tables.cells import CellRow, colour_behind, open_columns, spans_of
from rag.library.readers.pdf.tables.header import header_rows, heading_of, widen_groups
from rag.library.readers.pdf.tables.levels import SAME_LEVEL, Level, bands_between, finer, levels_of
from rag.library.readers.pdf.tables.regions import Region, places
from rag.library.readers.pdf.tables.rows import is_title, rows_of
from rag.library.readers.pdf.tables.rulings import Band
from rag.library.readers.pdf.tables.table import Table

_LONGEST_TITLE = 90  # characters


class Grid:
    """The rows and columns of a region."""

    def __init__(self, region: Region, lines: Sequence[PrintedLine], bands: Sequence[Band] = ()) -> None:
        self._lines = list(lines)
        self._is_ruled = region.is_ruled
        levels = levels_of(lines)
        self._columns = region.columns or _ruled_columns(region, levels)
        levels = [finer(level, len(self._columns) + 1) for level in levels]
        ruled = bands_between(levels, places(region.horizontal))
        self._rows = [CellRow(row) for row in rows_of(ruled, self._columns, self._lines)]
        self._above_rule = sum(row.middle < region.head for row in self._rows)
        for row in self._rows:
            row.spans = list(spans_of(row, region, self._columns))
            row.joins_above = [False for _ in self._all]
        if len(self._rows) > 1 and all(
            is_title(level, self._rows[1].levels[0]) for level in self._rows[0].levels
        ):
            self._rows[0].spans = [(0, len(self._columns))]
        for above, row in pairwise(self._rows):
            row.joins_above = open_columns(above, row, region, self._columns)
        for row in self._rows:
            row.colour = colour_behind(row, region, self._columns, bands)

    @property
    def _all(self) -> range:
        return range(len(self._columns) + 1)

    @property
    def is_table(self) -> bool:
        """Whether there are rows and columns."""
        return sum(len(row.spans) > 1 for row in self._rows) > 1

    def tables(self, known: Collection[str]) -> list[Table]:
        """The tables of the region: one, or several where a further header stands between the rows."""
        self._write(known)
        is_header = self._is_further_band if self._is_form else self._is_further_header
        starts = [0, *(place for place in range(2, len(self._rows)) if is_header(place))]
        ends = [*starts[1:], len(self._rows)]
        return [self._table(self._rows[start:end], known) for start, end in zip(starts, ends, strict=True)]

    def _is_further_header(self, place: int) -> bool:
        """Whether a row between others has a bold name in every column, and no other row is bold like it."""
        row, around = self._rows[place], [*self._rows[1:place], *self._rows[place + 1 :]]
        is_alone = place + 1 < len(self._rows) and not any(other.is_bold for other in around)
        is_of_words = not any(map(str.isdigit, "".join(row.texts)))
        return is_alone and row.is_bold and all(row.texts) and is_of_words

    @property
    def _is_form(self) -> bool:
        """Whether filled bands of one line, the first on top, part boxes, most of several lines."""
        first = self._rows[0]
        bands = [row for row in self._rows if row.colour == first.colour]
        boxes = [row for row in self._rows if row.colour != first.colour]
        are_bands = len(bands) > 1 and all(self._height(band) == 1 for band in bands)
        are_tall = sum(self._height(box) > 1 for box in boxes) > len(boxes) / 2
        return first.colour is not None and are_bands and are_tall

    def _height(self, row: CellRow) -> int:
        """How many lines the cells of a row have, without those that hang down from above."""
        return sum(any(row.own_runs(level, self._columns)) for level in row.levels)

    def _is_further_band(self, place: int) -> bool:
        return self._rows[place].colour == self._rows[0].colour

    def _table(self, rows: Sequence[CellRow], known: Collection[str]) -> Table:
        top, bottom, title = rows[0].levels[0].baseline, rows[-1].levels[-1].baseline, ""
        if rows[0].is_whole and len(rows) > 2 and len(rows[0].texts[0]) <= _LONGEST_TITLE:
            title, rows = rows[0].texts[0], rows[1:]
        first = header_rows(rows, self._above_rule, is_ruled=self._is_ruled)
        widen_groups(rows[:first], rows[first:], self._columns)
        return Table(
            # In drawing order.
            [line for line in self._lines if top <= line.baseline <= bottom + SAME_LEVEL],
            list(rows[:first]),
            list(rows[first:]),
            [heading_of(rows[:first], column, known) for column in self._all],
            title,
        )

    def _write(self, known: Collection[str]) -> None:
        """Fill the cells with their words; of a cell over several rows all stand in the first."""
        for number, row in enumerate(self._rows):
            row.texts = ["" for _ in self._all]
            for span in row.spans:
                first, owner = span[0], number
                while owner and self._rows[owner].joins_above[first]:
                    owner -= 1
                cells = self._rows[owner].texts
                for run in row.runs(span, self._columns):
                    cells[first] = join_cell(cells[first], run.text, known)


def _ruled_columns(region: Region, levels: Sequence[Level]) -> list[float]:
    """The places of the inner rules, those of columns without any words left out."""
    inner = places(region.inner)
    filled = set[int]().union(*(level.filled(inner) for level in levels))
    own = [place for number, place in enumerate(inner, start=1) if number in filled]
    return own if 0 in filled else own[1:]
