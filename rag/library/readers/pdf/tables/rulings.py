"""The ruling lines of a PDF page and its filled bands, from the paths that PDFium finds on it."""

import ctypes
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import pypdfium2
import pypdfium2.raw as pdfium

_THIN = 4.0  # points: a rectangle no thicker is a line
_STRAIGHT = 1.0  # points from one end of a line to the other, across it
_SHORTEST = 8.0  # points: a shorter line rules nothing
_SAME_PLACE = 1.5  # points: lines drawn piece by piece are one
_BROKEN, _STROKE = 6.0, 12.0  # points between dots and dashes, and their length
_MOST_SEGMENTS = 400  # of one path: more are a picture
_MOST_PATHS = 6_000  # of one page: more are a map
_FULL_PAGE = 0.9  # of the page's width and height: its background
_DEEPEST = 4  # forms within forms

Matrix = tuple[float, float, float, float, float, float]
Point = tuple[float, float]
Place = Callable[[float, float], Point]
_IDENTITY: Matrix = (1, 0, 0, 1, 0, 0)


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
        width = right - left
        horizontal = [
            DrawnLine(one.at, max(one.start - left, 0.0), min(one.end - left, width))
            for one in self.horizontal
        ]
        vertical = [
            DrawnLine(one.at - left, one.start, one.end) for one in self.vertical if left <= one.at <= right
        ]
        bands = [
            Band(max(one.x0 - left, 0.0), one.top, min(one.x1 - left, width), one.bottom, one.colour)
            for one in self.bands
        ]
        return DrawnLines(
            tuple(one for one in horizontal if one.end - one.start >= _SHORTEST),
            tuple(vertical),
            tuple(one for one in bands if one.x1 > one.x0),
        )


@dataclass(slots=True)
class _Drawn:
    """The lines and bands of a page as they were drawn, piece by piece."""

    place: Place
    width: float
    height: float
    horizontal: list[DrawnLine]
    vertical: list[DrawnLine]
    bands: list[Band]

    def add_line(self, one: Point, other: Point) -> None:
        """A straight line; a slanting one rules nothing."""
        (x0, y0), (x1, y1) = one, other
        if abs(y1 - y0) <= _STRAIGHT:
            self.horizontal.append(DrawnLine((y0 + y1) / 2, min(x0, x1), max(x0, x1)))
        elif abs(x1 - x0) <= _STRAIGHT:
            self.vertical.append(DrawnLine((x0 + x1) / 2, min(y0, y1), max(y0, y1)))

    def add_rectangle(self, corners: Sequence[Point], colour: int | None, *, is_stroked: bool) -> None:
        """A rectangle, filled if it has a colour: a thick line, a band, or its edges."""
        x0, x1 = min(x for x, _ in corners), max(x for x, _ in corners)
        y0, y1 = min(y for _, y in corners), max(y for _, y in corners)
        if x1 - x0 > _FULL_PAGE * self.width and y1 - y0 > _FULL_PAGE * self.height:
            return
        if colour is not None and y1 - y0 <= _THIN:
            self.horizontal.append(DrawnLine((y0 + y1) / 2, x0, x1))
        elif colour is not None and x1 - x0 <= _THIN:
            self.vertical.append(DrawnLine((x0 + x1) / 2, y0, y1))
        else:
            if colour is not None:
                self.bands.append(Band(x0, y0, x1, y1, colour))
            if is_stroked:
                self.add_edges(x0, y0, x1, y1)

    def add_edges(self, x0: float, top: float, x1: float, bottom: float) -> None:
        """The four sides of a rectangle."""
        self.horizontal += [DrawnLine(top, x0, x1), DrawnLine(bottom, x0, x1)]
        self.vertical += [DrawnLine(x0, top, bottom), DrawnLine(x1, top, bottom)]


def read_rulings(page: pypdfium2.PdfPage, place: Place, width: float, height: float) -> DrawnLines:
    """The rulings of a page; `place` turns PDF coordinates into those of its lines."""
    drawn = _Drawn(place, width, height, [], [], [])
    for count, (path, matrix) in enumerate(_paths(page)):
        if count > _MOST_PATHS:
            return DrawnLines()
        _add_path(drawn, path, matrix)
    bands = _joined(drawn.bands)
    for band in bands:
        drawn.add_edges(band.x0, band.top, band.x1, band.bottom)
    return DrawnLines(_whole(drawn.horizontal), _whole(drawn.vertical), tuple(bands))


def _paths(page: pypdfium2.PdfPage) -> Iterator[tuple[pdfium.FPDF_PAGEOBJECT, Matrix]]:
    """The paths of a page and of the forms on it, each with what places it on the page."""
    for index in range(pdfium.FPDFPage_CountObjects(page)):
        yield from _paths_of(pdfium.FPDFPage_GetObject(page, index), _IDENTITY, 0)


def _paths_of(
    thing: pdfium.FPDF_PAGEOBJECT, outer: Matrix, depth: int
) -> Iterator[tuple[pdfium.FPDF_PAGEOBJECT, Matrix]]:
    kind = pdfium.FPDFPageObj_GetType(thing)
    if kind == pdfium.FPDF_PAGEOBJ_PATH:
        yield thing, _times(_matrix(thing), outer)
    elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _DEEPEST:
        inner = _times(_matrix(thing), outer)
        for index in range(pdfium.FPDFFormObj_CountObjects(thing)):
            yield from _paths_of(pdfium.FPDFFormObj_GetObject(thing, index), inner, depth + 1)


def _matrix(thing: pdfium.FPDF_PAGEOBJECT) -> Matrix:
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(thing, matrix):
        return _IDENTITY
    return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f


def _times(inner: Matrix, outer: Matrix) -> Matrix:
    a, b, c, d, e, f = inner
    o, p, q, r, s, t = outer
    return (
        a * o + b * q,
        a * p + b * r,
        c * o + d * q,
        c * p + d * r,
        e * o + f * q + s,
        e * p + f * r + t,
    )


def _add_path(drawn: _Drawn, path: pdfium.FPDF_PAGEOBJECT, matrix: Matrix) -> None:
    """Add the straight lines of a path, and the rectangles that it fills."""
    count = pdfium.FPDFPath_CountSegments(path)
    if not 1 < count <= _MOST_SEGMENTS:
        return
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(path, fill, stroke)
    colour = _colour(path) if fill.value else None
    if colour is None and not stroke.value:
        return
    a, b, c, d, e, f = matrix
    for points in _outlines(path, count):
        corners = [drawn.place(a * x + c * y + e, b * x + d * y + f) for x, y in points]
        if _is_rectangle(corners):
            drawn.add_rectangle(corners, colour, is_stroked=bool(stroke.value))
        elif stroke.value:
            for one, other in pairwise(corners):
                drawn.add_line(one, other)


def _colour(path: pdfium.FPDF_PAGEOBJECT) -> int | None:
    """The colour of a filling, None if it is not seen."""
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not pdfium.FPDFPageObj_GetFillColor(path, red, green, blue, alpha):
        return 0
    return (red.value << 16 | green.value << 8 | blue.value) if alpha.value else None


def _outlines(path: pdfium.FPDF_PAGEOBJECT, count: int) -> Iterator[list[Point]]:
    """The points of each stretch of straight lines in a path; a curve ends a stretch."""
    points: list[Point] = []
    start: Point = (0.0, 0.0)
    x, y = ctypes.c_float(), ctypes.c_float()
    for index in range(count):
        segment = pdfium.FPDFPath_GetPathSegment(path, index)
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        point = (x.value, y.value)
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_LINETO:
            points.append(point)
        else:
            if len(points) > 1:
                yield points
            points = [point]
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            start = point
        if pdfium.FPDFPathSegment_GetClose(segment) and points[-1] != start:
            points.append(start)
    if len(points) > 1:
        yield points


def _is_rectangle(corners: Sequence[Point]) -> bool:
    """Whether four or five points are the corners of an upright rectangle."""
    if len(corners) not in (4, 5) or (len(corners) == 5 and _apart(corners[0], corners[4]) > _STRAIGHT):
        return False
    sides = list(pairwise(corners[:4]))
    turns = [abs(y1 - y0) <= _STRAIGHT for (_, y0), (_, y1) in sides]
    straight = [min(abs(x1 - x0), abs(y1 - y0)) <= _STRAIGHT for (x0, y0), (x1, y1) in sides]
    is_thin = any(_apart(one, other) <= _THIN for one, other in sides)
    return all(straight) and (is_thin or (turns[0] != turns[1] and turns[1] != turns[2]))


def _joined(bands: Iterable[Band]) -> list[Band]:
    """Bands with those of every other row joined, for their cells are filled one by one, and no edge is seen
    between them. Where every row is filled, its cells stay.
    """
    rows = _band_rows(bands)
    apart = {row[0].x0 for row in rows if not any(_touch(row, other) for other in rows)}
    joined: list[Band] = []
    for row in rows:
        if any(abs(row[0].x0 - x0) <= _STRAIGHT for x0 in apart):
            joined.append(replace(row[0], x1=max(band.x1 for band in row)))
        else:
            joined += row
    return joined


def _band_rows(bands: Iterable[Band]) -> list[list[Band]]:
    """Bands of one colour side by side, together."""
    rows: list[list[Band]] = []
    for band in sorted(bands, key=lambda one: (one.colour, round(one.top), round(one.bottom), one.x0)):
        if rows and _is_beside(rows[-1][-1], band):
            rows[-1].append(band)
        else:
            rows.append([band])
    return rows


def _is_beside(left: Band, right: Band) -> bool:
    is_level = abs(left.top - right.top) <= _STRAIGHT and abs(left.bottom - right.bottom) <= _STRAIGHT
    return is_level and left.colour == right.colour and right.x0 - left.x1 <= _STRAIGHT


def _touch(row: Sequence[Band], other: Sequence[Band]) -> bool:
    """Whether one row of bands stands right over or below another."""
    is_next = min(abs(row[0].top - other[0].bottom), abs(other[0].top - row[0].bottom)) <= _THIN
    return is_next and row[0].x0 < other[-1].x1 and other[0].x0 < row[-1].x1


def _apart(one: Point, other: Point) -> float:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def _whole(pieces: Iterable[DrawnLine]) -> tuple[DrawnLine, ...]:
    """Lines in one place as one, those of dots and dashes too; what stays short is left out."""
    whole: list[DrawnLine] = []
    for _, level in groupby(_placed(pieces), key=lambda one: one[0]):
        run: DrawnLine | None = None
        for _, piece in sorted(level, key=lambda one: one[1].start):
            if run and piece.start - run.end <= _gap(run, piece):
                run = DrawnLine(run.at, run.start, max(run.end, piece.end))
            else:
                whole += [run] if run else []
                run = piece
        whole += [run] if run else []
    return tuple(rule for rule in whole if rule.end - rule.start >= _SHORTEST)


def _placed(pieces: Iterable[DrawnLine]) -> Iterator[tuple[int, DrawnLine]]:
    """Lines with the number of their place, from the first."""
    number, before = 0, 0.0
    for piece in sorted(pieces, key=lambda piece: piece.at):
        number += piece.at - before > _SAME_PLACE
        before = piece.at
        yield number, piece


def _gap(run: DrawnLine, piece: DrawnLine) -> float:
    is_broken = piece.end - piece.start <= _STROKE
    return _BROKEN if is_broken else _SAME_PLACE
