"""Names over groups of columns: which columns each is for, where nothing but its place tells."""

from collections.abc import Iterable, Mapping, Sequence

from rag.library.readers.pdf.tables.cells import CellRow, Span

_CENTRED = 1.0  # font sizes between the middle of a name and that of its columns

Edges = Sequence[tuple[float, float]]
"""The left and the right edge of what stands in each column."""


def widen_groups(header: Sequence[CellRow], rows: Sequence[CellRow], columns: Sequence[float]) -> None:
    """Let each name over the names of columns cover all those that it is centred over.

    One that stands over several columns is for a group of them. One over a single column may be a part of
    its name: it is for a group only where the groups together cover every column but the first.
    """
    if len(header) < 2:
        return
    names = header[-1]
    edges = _edges([names, *rows], columns)
    for row in header[:-1]:
        free = {column for column in range(1, len(edges)) if not row.texts[column] and names.texts[column]}
        named = [span for span in row.spans if row.texts[span[0]]]
        wide = [_widened(row, span, free, edges, columns) for span in named]
        is_all = _columns(wide) >= set(range(1, len(edges)))
        chosen = [one if is_all or own[1] > own[0] else own for one, own in zip(wide, named, strict=True)]
        if len(_columns(chosen)) == sum(last - first + 1 for first, last in chosen):
            _rewrite(row, dict(zip(chosen, named, strict=True)))


def _columns(spans: Iterable[Span]) -> set[int]:
    return {column for first, last in spans for column in range(first, last + 1)}


def _rewrite(row: CellRow, spans: Mapping[Span, Span]) -> None:
    """Give a row wider cells in place of some of its own."""
    texts = {wide[0]: row.texts[own[0]] for wide, own in spans.items()}
    alone = set(range(len(row.texts))) - _columns(spans)
    row.spans = sorted([*spans, *((column, column) for column in alone)])
    row.texts = [texts.get(column, "") for column in range(len(row.texts))]


def _edges(rows: Sequence[CellRow], columns: Sequence[float]) -> list[tuple[float, float]]:
    """The edges of the columns; the cells over several of them left out."""
    runs = [
        [run for row in rows if (column, column) in row.spans for run in row.runs((column, column), columns)]
        for column in range(len(columns) + 1)
    ]
    return [
        (min((run.x0 for run in own), default=0.0), max((run.x1 for run in own), default=0.0)) for own in runs
    ]


def _widened(row: CellRow, own: Span, free: set[int], edges: Edges, columns: Sequence[float]) -> Span:
    """The most columns that a name is centred over, itself and free ones beside it."""
    first, last = own
    runs = list(row.runs(own, columns))
    if not runs:
        return own
    middle = (min(run.x0 for run in runs) + max(run.x1 for run in runs)) / 2
    lefts, rights = [first], [last]
    while lefts[-1] - 1 in free:
        lefts.append(lefts[-1] - 1)
    while rights[-1] + 1 in free:
        rights.append(rights[-1] + 1)
    spans = [(left, right) for left in lefts for right in rights]
    centred = [
        (left, right)
        for left, right in spans
        if abs((edges[left][0] + edges[right][1]) / 2 - middle) < _CENTRED * row.levels[0].size
    ]
    return max(centred, key=lambda span: span[1] - span[0], default=own)
