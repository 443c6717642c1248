"""The ruling lines of a PDF page and its filled bands, from the paths that PDFium finds on it."""

import ctypes
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

import pypdfium2
import pypdfium2.raw as pdfium

from rag.library.readers.runs import in_runs

_THIN = 4.0  # points: a rectangle no thicker is a line
_STRAIGHT = 1.0  # points from one end of a line to the other, across it
_SHORTEST = 8.0  # points: a shorter line rules nothing
_SAME_PLACE = 1.5  # points: lines drawn piece by piece are one
_BROKEN, _STROKE = 6.0, 12.0  # points between dots and dashes, and their length
_MOST_SEGMENTS = 400  # of one path: more are a picture
_MOST_PATHS = 6_000  # of one page: more are a map
_FULL_PAGE = 0.9  # of the page's width and height: its background
_DEEPEST = 5  # forms within forms

Point = tuple[float, float]
Place = Callable[[float, float], Point]


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A straight line: `at` is its distance from the upper edge, for a vertical one from the left edge."""

    at: float
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Band:
    """A filled rectangle, in points from the upper left corner."""

    x0: float
    top: float
    x1: float
    bottom: float
    colour: int


@dataclass(frozen=True, slots=True)
class DrawnLines:
    """What is ruled on a page; the edges of bands are among the rules."""

    horizontal: tuple[DrawnLine, ...] = ()
    vertical: tuple[DrawnLine, ...] = ()
    bands: tuple[Band, ...] = ()

    def between(self, left: float, right: float) -> "DrawnLines":
        """What is ruled between two vertical edges of the page, cut off there, seen from the left one."""
        return DrawnLines(
            tuple(
                DrawnLine(one.at, max(one.start, left) - left, min(one.end, right) - left)
                for one in self.horizontal
                if min(one.end, right) - max(one.start, left) >= _SHORTEST
            ),
            tuple(replace(one, at=one.at - left) for one in self.vertical if left <= one.at <= right),
            tuple(
                replace(one, x0=max(one.x0, left) - left, x1=min(one.x1, right) - left)
                for one in self.bands
                if one.x0 < right and left < one.x1
            ),
        )


@dataclass(slots=True)
class _Drawn:
    """The lines and bands of a page as they were drawn, piece by piece."""

    horizontal: list[DrawnLine]
    vertical: list[DrawnLine]
    bands: list[Band]

    def add_line(self, box: Band, thickest: float) -> bool:
        """A line, given its box; False for one that slants, or a rectangle."""
        if box.bottom - box.top <= thickest:
            self.horizontal.append(DrawnLine((box.top + box.bottom) / 2, box.x0, box.x1))
        elif box.x1 - box.x0 <= thickest:
            self.vertical.append(DrawnLine((box.x0 + box.x1) / 2, box.top, box.bottom))
        else:
            return False
        return True


def read_rulings(page: pypdfium2.PdfPage, place: Place, width: float, height: float) -> DrawnLines:
    """The rulings of a page; `place` turns PDF coordinates into those of its lines."""
    drawn = _Drawn([], [], [])
    paths = list(islice(page.get_objects([pdfium.FPDF_PAGEOBJ_PATH], _DEEPEST), _MOST_PATHS))
    if len(paths) == _MOST_PATHS:
        return DrawnLines()
    for path in paths:
        _add_path(drawn, path, place, (_FULL_PAGE * width, _FULL_PAGE * height))
    bands = _joined(drawn.bands)
    for band in bands:
        drawn.horizontal += [DrawnLine(y, band.x0, band.x1) for y in (band.top, band.bottom)]
        drawn.vertical += [DrawnLine(x, band.top, band.bottom) for x in (band.x0, band.x1)]
    return DrawnLines(_whole(drawn.horizontal), _whole(drawn.vertical), tuple(bands))


def _placing(path: pypdfium2.PdfObject) -> pypdfium2.PdfMatrix:
    """What places a path on the page, through all forms that it stands in."""
    matrix, form = path.get_matrix(), path.container
    while form:
        matrix, form = matrix.multiply(form.get_matrix()), form.container
    return matrix


def _add_path(drawn: _Drawn, path: pypdfium2.PdfObject, place: Place, widest: Point) -> None:
    """Add the straight lines of a path, and the rectangles that it fills; a background is none."""
    count = pdfium.FPDFPath_CountSegments(path)
    if not 1 < count <= _MOST_SEGMENTS:
        return
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(path, fill, stroke)
    colour = _colour(path) if fill.value else None
    matrix = _placing(path)
    for points in _outlines(path, count):
        corners = [place(*matrix.on_point(x, y)) for x, y in points]
        box = _box(corners, colour or 0)
        is_rectangle = _is_rectangle(corners, box)
        if is_rectangle and box.x1 - box.x0 > widest[0] and box.bottom - box.top > widest[1]:
            continue
        if is_rectangle and colour is not None and not drawn.add_line(box, _THIN):
            drawn.bands.append(box)
        if stroke.value:
            for ends in pairwise([*corners, *corners[:is_rectangle]]):
                drawn.add_line(_box(ends), _STRAIGHT)


def _box(points: Sequence[Point], colour: int = 0) -> Band:
    xs, ys = zip(*points, strict=True)
    return Band(min(xs), min(ys), max(xs), max(ys), colour)


def _colour(path: pypdfium2.PdfObject) -> int | None:
    """The colour of a filling, None if it is not seen."""
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not pdfium.FPDFPageObj_GetFillColor(path, red, green, blue, alpha):
        return 0
    return (red.value << 16 | green.value << 8 | blue.value) if alpha.value else None


def _outlines(path: pypdfium2.PdfObject, count: int) -> list[list[Point]]:
    """The points of each stretch of straight lines in a path; a curve ends a stretch."""
    outlines: list[list[Point]] = []
    start: Point = (0.0, 0.0)
    x, y = ctypes.c_float(), ctypes.c_float()
    for index in range(count):
        segment = pdfium.FPDFPath_GetPathSegment(path, index)
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        point = (x.value, y.value)
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind != pdfium.FPDF_SEGMENT_LINETO or not outlines:
            outlines.append([])
        outlines[-1].append(point)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            start = point
        if pdfium.FPDFPathSegment_GetClose(segment) and point != start:
            outlines[-1].append(start)
    return [points for points in outlines if len(points) > 1]


def _is_rectangle(corners: Sequence[Point], box: Band) -> bool:
    """Whether four or five points are the corners of an upright rectangle."""
    return len(corners) in (4, 5) and all(
        min(abs(x - box.x0), abs(x - box.x1)) <= _STRAIGHT
        and min(abs(y - box.top), abs(y - box.bottom)) <= _STRAIGHT
        for x, y in corners
    )


def _joined(bands: Iterable[Band]) -> list[Band]:
    """Bands with those of every other row joined, for their cells are filled one by one, and no edge is seen
    between them. Where every row is filled, its cells stay.
    """
    ordered = sorted(bands, key=lambda one: (one.colour, round(one.top), round(one.bottom), one.x0))
    rows = list(in_runs(ordered, lambda row, band: _is_beside(row[-1], band)))
    apart = {row[0].x0 for row in rows if not any(_touch(row, other) for other in rows)}
    joined: list[Band] = []
    for row in rows:
        if any(abs(row[0].x0 - x0) <= _STRAIGHT for x0 in apart):
            joined.append(replace(row[0], x1=max(band.x1 for band in row)))
        else:
            joined += row
    return joined


def _is_beside(left: Band, right: Band) -> bool:
    is_level = abs(left.top - right.top) <= _STRAIGHT and abs(left.bottom - right.bottom) <= _STRAIGHT
    return is_level and left.colour == right.colour and right.x0 - left.x1 <= _STRAIGHT


def _touch(row: Sequence[Band], other: Sequence[Band]) -> bool:
    """Whether one row of bands stands right over or below another."""
    is_next = min(abs(row[0].top - other[0].bottom), abs(other[0].top - row[0].bottom)) <= _THIN
    return is_next and row[0].x0 < other[-1].x1 and other[0].x0 < row[-1].x1


def _whole(pieces: Iterable[DrawnLine]) -> tuple[DrawnLine, ...]:
    """Lines in one place as one, those of dots and dashes too; what stays short is left out."""
    ordered = sorted(pieces, key=lambda piece: piece.at)
    whole: list[DrawnLine] = []
    for level in in_runs(ordered, lambda same, piece: piece.at - same[-1].at <= _SAME_PLACE):
        for run in in_runs(sorted(level, key=lambda one: one.start), _goes_on):
            whole.append(replace(run[0], end=max(piece.end for piece in run)))
    return tuple(one for one in whole if one.end - one.start >= _SHORTEST)


def _goes_on(run: Sequence[DrawnLine], piece: DrawnLine) -> bool:
    gap = _BROKEN if piece.end - piece.start <= _STROKE else _SAME_PLACE
    return piece.start - max(one.end for one in run) <= gap
