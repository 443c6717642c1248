"""The rows of a table of cells, each read under the names of its groups and of its columns. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from rag.library.books.page import GROUP_JOINT, TITLE_END
from rag.library.readers.blocks import DocumentBlock, is_heading_like
from rag.library.readers.runs import in_runs


@dataclass(frozen=True, slots=True, eq=False)
class TableCell:
    """The text of a cell, how many columns and rows it takes, whether it is for names, and how it is set."""

    text: str
    columns: int = 1
    rows: int = 1
    is_name: bool = False
    is_bold: bool = False
    is_italic: bool = False


@dataclass(frozen=True, slots=True)
class _Row:
    """A row: its own cells, and the cell that covers each column, perhaps down from above."""

    cells: Sequence[TableCell]
    places: Mapping[int, TableCell]
    width: int

    @property
    def own(self) -> list[TableCell]:
        """Its own cells that hold a text, not just a dash."""
        return [cell for cell in self.cells if any(map(str.isalnum, cell.text))]

    @property
    def is_single(self) -> bool:
        """Whether it holds one text, its own, of several columns."""
        filled = {cell for cell in self.places.values() if any(map(str.isalnum, cell.text))}
        return len(filled) == 1 and filled == set(self.own) and self.width > 1

    @property
    def is_lone(self) -> bool:
        """Whether its only text stands in the first column."""
        return self.is_single and self.own[0] is self.places[0]

    @property
    def is_whole(self) -> bool:
        """Whether one cell goes over all columns, or is the only one that the row has."""
        return self.is_single and (self.own[0].columns >= self.width or len(self.cells) == 1)

    @property
    def names_columns(self) -> bool:
        """Whether all its cells are for names, or bold."""
        return all(cell.is_name for cell in self.cells) or {cell.is_bold for cell in self.own} == {True}

    @property
    def printed(self) -> str:
        """Its texts as they stand."""
        return "  ".join(cell.text for cell in self.cells).strip()

    @property
    def signs(self) -> int:
        """How many signs set its first text apart."""
        cell = self.own[0]
        is_marked = self.printed == cell.text and (cell.text.isupper() or cell.text.endswith(":"))
        return cell.is_name + cell.is_bold + cell.is_italic + is_marked + self.is_whole

    @property
    def is_of_words(self) -> bool:
        return not any(_has_digit(cell.text) for cell in self.own)

    def text(self, column: int) -> str:
        """What stands in a column."""
        return self.places[column].text if column in self.places else ""


Cells = Sequence[Sequence[TableCell]]
"""Those of each row of a table."""


def goes_on(above: Cells, cells: Cells) -> bool:
    """Whether a table goes on under the column names of the one right above it.

    It has as many columns, no names of its own, and numbers in every column that holds nothing else above.
    """
    before, rows = _rows(above), _rows(cells)
    names = _headers(before)
    body = [row for number, row in enumerate(before) if number not in names and not row.is_lone]
    columns = range(before[0].width if names else 0)
    numbers = [one for one in columns if body and all(_has_digit(row.text(one)) for row in body)]
    is_named = bool(names and rows and (numbers or not body)) and not _headers(rows)
    is_alike = is_named and rows[0].width == before[0].width
    return is_alike and all(_has_digit(row.text(one)) for row in rows if not row.is_lone for one in numbers)


def table_rows(cells: Cells, title: str, before: Cells = ()) -> list[DocumentBlock]:
    """The rows of a table with this title, which may go on below the rows of the one `before`.

    A row that names columns holds for those below it until the next; so does one that names a group.
    """
    rows = _rows([*before, *cells])
    headers = _headers(rows)
    groups = _groups(rows, headers)
    blocks: list[DocumentBlock] = []
    names = [""] * rows[0].width if rows else []
    titles: list[str] = []
    in_force: list[int] = []
    above: list[str] = []
    for number, row in enumerate(rows):
        reading = ""
        if number in headers:
            begins = next(start for start in range(number, -1, -1) if start - 1 not in headers)
            names, above = _column_names(rows[begins : number + 1]), []
        elif number in groups:
            above = []
            rest = next(end for end in range(number, len(rows)) if end not in groups)
            if rest in headers:
                titles = [*(titles if number - 1 in groups else []), row.own[0].text]
                in_force = []
            else:
                in_force = _in_force(in_force, number, rows, groups)
        elif not row.is_whole:
            above = _completed(row, above)
            own = [title, *titles, *(rows[one].own[0].text for one in in_force)]
            over = GROUP_JOINT.join(name.strip(" :") for name in own if name).replace(TITLE_END, " - ")
            read = _reading(row, above, names)
            is_named = over != title or row.cells[0].is_name or any(map(all, zip(names, above, strict=True)))
            reading = (f"{over}{TITLE_END}{read}" if over else read) if is_named else ""
        blocks.append(DocumentBlock(row.printed, is_line=number > 0, reading=reading))
    return blocks[len(_rows(before)) :]


def _rows(cells: Cells) -> list[_Row]:
    """The rows that hold a text, with the cells that reach over several columns and down from above."""
    cells = [_joined(row) for row in cells]
    grid: list[dict[int, TableCell]] = [{} for _ in cells]
    for number, row in enumerate(cells):
        column = 0
        for cell in row:
            while column in grid[number]:
                column += 1
            for places in grid[number : number + max(1, cell.rows)]:
                places |= {column + step: cell for step in range(cell.columns)}
    width = max((column + 1 for places in grid for column in places), default=0)
    rows = zip(cells, grid, strict=True)
    return [_Row(row, places, width) for row, places in rows if any(cell.text for cell in row)]


def _joined(row: Sequence[TableCell]) -> list[TableCell]:
    """The cells of a row, one for a name in several side by side, as where no cell can be wide."""
    is_one = len(row) > 2 and len({cell.text for cell in row}) == 1 and not _has_digit(row[0].text)
    runs = in_runs(row, lambda run, cell: run[-1].text == cell.text != "" and (cell.is_name or is_one))
    return [replace(run[0], columns=sum(cell.columns for cell in run)) for run in runs]


def _headers(rows: Sequence[_Row]) -> set[int]:
    """The numbers of the rows that name columns: on top, right below such a row, or further down."""
    marked = [row.names_columns and not row.is_lone for row in rows]
    plain = [number for number, row in enumerate(rows) if not row.is_lone]
    if not plain:
        return set()
    first, body = plain[0], [number for number in plain if not marked[number]]
    found: set[int] = set()
    if marked[first] or _is_over_numbers([rows[number] for number in plain]):
        found.add(first)
    elif rows[0].is_lone and rows[0].cells[0].is_name and not rows[0].is_whole:
        found.add(0)
    for number in range(1, body[-1] if found and body else 0):
        row, is_below = rows[number], number - 1 in found
        is_again = any(row.printed == rows[one].printed for one in found)
        is_name = marked[number] and not row.is_single and (row.is_of_words or row.cells[-1].is_name)
        # Names for several columns under one.
        above = rows[number - 1]
        is_over = any(cell.columns > 1 or not cell.text for cell in above.cells)
        is_sparse = not above.text(0) and above.width - len(above.own) > 1
        is_named = row.text(0) in ("", above.text(0)) or (is_sparse and _is_over_numbers(rows[number:]))
        is_part = is_below and is_over and is_named and row.is_of_words
        if is_again or is_name or is_part:
            found.add(number)
    return found


def _is_over_numbers(rows: Sequence[_Row]) -> bool:
    """Whether the first row has words in every column, and some column below it numbers alone."""
    first, *below = rows
    is_full = bool(below) and first.is_of_words and all(map(first.text, range(1, first.width)))
    is_numbers = (
        all(_has_digit(row.text(column)) for row in below if not row.names_columns)
        for column in range(first.width)
    )
    return is_full and any(is_numbers)


def _groups(rows: Sequence[_Row], headers: Collection[int]) -> set[int]:
    """The numbers of the rows that name those below them.

    Such a row is set apart, or it is the first and no two stand together; else its other cells are empty.
    """
    body = [number for number, row in enumerate(rows) if not row.is_single and number not in headers]
    usual = min((rows[number].signs for number in body if rows[number].own), default=0)
    names = [
        number
        for number, row in enumerate(rows[: max(body, default=0)])
        if row.is_single and number not in headers
        if row.own[0].text[0].isalnum() and is_heading_like(row.own[0].text.rstrip(" :"))
    ]
    found = {number for number in names if rows[number].is_whole or rows[number].signs > usual}
    others = [
        number for number in names if number not in found and rows[number].printed == rows[number].text(0)
    ]
    is_first = bool(others) and (others[0] - 1 in {-1, *headers, *found})
    is_apart = all(not rows[number + 1].is_lone for number in others)
    if is_first and is_apart and len(others) <= len(body) and rows[0].width > 2:
        found.update(others)
    return found


def _in_force(before: Sequence[int], number: int, rows: Sequence[_Row], groups: Collection[int]) -> list[int]:
    """The groups in force below a row that names one.

    One right below another is a part of it. So many as stand together replace as many, at least those that
    are set no more apart.
    """
    if number - 1 in groups:
        return [*before, number]
    together = next(end for end in range(number, len(rows)) if end not in groups) - number
    alike = [at for at, one in enumerate(before) if rows[one].signs >= rows[number].signs]
    kept = min(max(0, len(before) - together), alike[-1] if alike else 0)
    return [*before[:kept], number]


def _column_names(header: Sequence[_Row]) -> list[str]:
    """What all rows of a header say over each column.

    A name of one column with nothing beside it goes on over the next where both are named below it.
    """
    names: list[list[str]] = [[] for _ in range(header[0].width)]
    for row, below in zip(header, [*header[1:], None], strict=True):
        goes_on = ""
        for column, name in enumerate(names):
            text = row.text(column)
            if not text and below and below.text(column):
                text = goes_on
            is_open = column not in row.places or row.places[column].columns == 1
            goes_on = text if is_open and below and below.text(column) else ""
            name += [text.strip(" :")] if text else []
    return [" ".join(dict.fromkeys(name)) for name in names]


def _completed(row: _Row, above: Sequence[str]) -> list[str]:
    """What stands in each column; in the first ones, where nothing does, what stands above."""
    texts = [row.text(column) for column in range(row.width)]
    filled = next(column for column, text in enumerate(texts) if text)
    return [*above[:filled], *texts[len(above[:filled]) :]]


def _reading(row: _Row, texts: Sequence[str], names: Sequence[str]) -> str:
    """A row with each cell under the names of its columns."""
    read = []
    for column in [column for column in range(row.width) if texts[column]]:
        cell = row.places.get(column)
        if column and cell and row.places.get(column - 1) is cell:
            continue
        own = [name for place, name in enumerate(names) if place == column or row.places.get(place) is cell]
        name = ", ".join(dict.fromkeys(filter(None, own)))
        read.append(f"{name}: {texts[column]}" if name else texts[column])
    return "; ".join(read)


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))
