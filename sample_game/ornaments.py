"""What is drawn rather than set: the stamp on a title page, postmarks, waves."""

import math
from collections.abc import Callable

from reportlab.lib.colors import Color, HexColor, white
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject


def tint(colour: Color, strength: float) -> Color:
    """The colour mixed with white: 1 is the colour itself, 0 is white."""
    red, green, blue = (1 - strength * (1 - part) for part in (colour.red, colour.green, colour.blue))
    return Color(red, green, blue)


def wave(path: PDFPathObject, x: float, y: float, width: float, height: float, length: float) -> None:
    """Add a sine-like line from (x, y) to the right, in half waves of `length` points."""
    count = max(1, round(width / length))
    step = width / count
    path.moveTo(x, y)
    for i in range(count):
        lift = height if i % 2 == 0 else -height
        left = x + i * step
        path.curveTo(left + step / 3, y + lift, left + 2 * step / 3, y + lift, left + step, y)


def sea(canvas: Canvas, x: float, y: float, width: float, height: float, colour: Color) -> None:
    """Fill a band whose upper edge is a swell."""
    path = canvas.beginPath()
    wave(path, x, y + height, width, height * 0.22, 34)
    path.lineTo(x + width, y)
    path.lineTo(x, y)
    path.close()
    canvas.setFillColor(colour)
    canvas.drawPath(path, stroke=0, fill=1)


def postmark(canvas: Canvas, x: float, y: float, text: str, colour: Color) -> None:
    """A round postmark with its cancelling waves to the right, as it opens a chapter."""
    canvas.saveState()
    canvas.setStrokeColor(colour)
    canvas.setFillColor(colour)
    for radius, thickness in ((19, 1.4), (15, 0.6)):
        canvas.setLineWidth(thickness)
        canvas.circle(x, y, radius)
    canvas.setLineWidth(1)
    for i in range(4):
        path = canvas.beginPath()
        wave(path, x + 19, y + 9 - 6 * i, 66, 3, 11)
        canvas.drawPath(path)
    canvas.setFont("Helvetica-Bold", 15)
    canvas.drawCentredString(x, y - 5, text)
    if not text:
        swell(canvas, x - 9, y + 2, 18, colour)
    canvas.restoreState()


def swell(canvas: Canvas, x: float, y: float, width: float, colour: Color) -> None:
    """A short double wave, the ornament between parts."""
    canvas.saveState()
    canvas.setStrokeColor(colour)
    canvas.setLineWidth(0.8)
    for drop in (0, 4):
        path = canvas.beginPath()
        wave(path, x, y - drop, width, 3, 9)
        canvas.drawPath(path)
    canvas.restoreState()


def stamp(canvas: Canvas, x: float, y: float, width: float, height: float, ink: Color, emblem: str) -> None:
    """A perforated postage stamp: night, moon, the retreating sea, and the book's emblem."""
    canvas.saveState()
    canvas.setFillColor(tint(ink, 0.16))
    canvas.rect(x - 8, y - 8, width + 16, height + 16, stroke=0, fill=1)
    _perforate(canvas, x - 8, y - 8, width + 16, height + 16)
    _picture(canvas, x + 6, y + 6, width - 12, height - 12, ink)
    EMBLEMS[emblem](canvas, x + width / 2, y + height * 0.33, ink)
    canvas.restoreState()


def small_stamp(canvas: Canvas, x: float, y: float, ink: Color, emblem: str) -> None:
    """The same stamp at less than half its size, around (x, y): a tailpiece."""
    canvas.saveState()
    canvas.translate(x, y)
    canvas.scale(0.42, 0.42)
    stamp(canvas, -118, -160, 236, 320, ink, emblem)
    canvas.restoreState()


def _perforate(canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
    """Punch white holes along the edges: lines of dots, which are dashes of no length with round caps."""
    canvas.saveState()
    canvas.setStrokeColor(white)
    canvas.setLineWidth(6.2)
    canvas.setLineCap(1)
    for x1, y1, x2, y2, length in (
        (x, y, x + width, y, width),
        (x, y + height, x + width, y + height, width),
        (x, y, x, y + height, height),
        (x + width, y, x + width, y + height, height),
    ):
        canvas.setDash([0, length / round(length / 11)])
        canvas.line(x1, y1, x2, y2)
    canvas.restoreState()


def _picture(canvas: Canvas, x: float, y: float, width: float, height: float, ink: Color) -> None:
    clip = canvas.beginPath()
    clip.rect(x, y, width, height)
    canvas.clipPath(clip, stroke=0)
    bands = 14
    for i in range(bands):
        canvas.setFillColor(tint(ink, 0.35 + 0.6 * i / bands))
        canvas.rect(x, y + i * height / bands, width, height / bands + 1, stroke=0, fill=1)
    canvas.setFillColor(HexColor("#f6ecc9"))
    canvas.circle(x + width * 0.74, y + height * 0.78, 21, stroke=0, fill=1)
    canvas.setFillColor(tint(ink, 0.86))
    canvas.circle(x + width * 0.78, y + height * 0.80, 18, stroke=0, fill=1)
    canvas.setFillColor(HexColor("#f6ecc9"))
    for i in range(17):
        angle = i * 2.399
        away = 0.06 + 0.44 * i / 17
        star_x = x + width * (0.5 + away * math.cos(angle))
        star_y = y + height * (0.74 + 0.22 * math.sin(angle * 1.7))
        canvas.circle(star_x, star_y, 0.9, stroke=0, fill=1)
    for i, strength in enumerate((0.62, 0.75, 0.88, 1.0)):
        sea(canvas, x, y, width, height * (0.30 - 0.065 * i), tint(ink, strength))


def _lighthouse(canvas: Canvas, x: float, y: float, ink: Color) -> None:
    glow = HexColor("#f6ecc9")
    canvas.setFillColor(tint(glow, 0.9))
    for side in (-1, 1):
        beam = canvas.beginPath()
        beam.moveTo(x, y + 79)
        beam.lineTo(x + side * 120, y + 104)
        beam.lineTo(x + side * 120, y + 72)
        beam.close()
        canvas.drawPath(beam, stroke=0, fill=1)
    canvas.setFillColor(white)
    tower = canvas.beginPath()
    tower.moveTo(x - 15, y - 6)
    tower.lineTo(x - 8, y + 72)
    tower.lineTo(x + 8, y + 72)
    tower.lineTo(x + 15, y - 6)
    tower.close()
    canvas.drawPath(tower, stroke=0, fill=1)
    canvas.setFillColor(ink)
    for low, half in ((8, 13.7), (34, 11.4), (58, 9.2)):
        canvas.rect(x - half, y + low, 2 * half, 10, stroke=0, fill=1)
    canvas.rect(x - 10, y + 72, 20, 3, stroke=0, fill=1)
    canvas.rect(x - 6, y + 75, 12, 9, stroke=1, fill=0)
    canvas.wedge(x - 9, y + 78, x + 9, y + 94, 0, 180, stroke=0, fill=1)


def _knot(canvas: Canvas, x: float, y: float, ink: Color) -> None:
    for colour, thickness in ((ink, 13), (HexColor("#ead9b0"), 9)):
        canvas.setStrokeColor(colour)
        canvas.setLineWidth(thickness)
        for side in (-1, 1):
            loop = canvas.beginPath()
            loop.moveTo(x - side * 95, y + 30 + side * 8)
            loop.curveTo(x + side * 10, y + 20, x + side * 80, y - 6, x + side * 66, y + 34)
            loop.curveTo(x + side * 52, y + 76, x - side * 30, y + 62, x - side * 34, y + 30)
            canvas.drawPath(loop)


def _crab(canvas: Canvas, x: float, y: float, ink: Color) -> None:
    canvas.setStrokeColor(tint(ink, 0.9))
    canvas.setLineWidth(4)
    for side in (-1, 1):
        for reach in (30, 42, 50):
            leg = canvas.beginPath()
            leg.moveTo(x + side * 20, y + 12)
            leg.lineTo(x + side * reach, y + 58 - reach * 0.7)
            leg.lineTo(x + side * (reach + 9), y - 10)
            canvas.drawPath(leg)
    canvas.setFillColor(HexColor("#e9c46a"))
    canvas.ellipse(x - 36, y - 4, x + 36, y + 34, stroke=1, fill=1)
    for side in (-1, 1):
        canvas.line(x + side * 26, y + 26, x + side * 48, y + 50)
        canvas.wedge(x + side * 48 - 13, y + 44, x + side * 48 + 13, y + 70, 110, 300, stroke=1, fill=1)
        canvas.line(x + side * 9, y + 32, x + side * 9, y + 44)
        canvas.circle(x + side * 9, y + 46, 3, stroke=0, fill=1)
    canvas.setFillColor(white)
    canvas.circle(x, y + 16, 8, stroke=1, fill=1)


def _eye(canvas: Canvas, x: float, y: float, ink: Color) -> None:
    canvas.setFillColor(HexColor("#f6ecc9"))
    canvas.setStrokeColor(ink)
    canvas.setLineWidth(3)
    lid = canvas.beginPath()
    lid.moveTo(x - 84, y + 34)
    lid.curveTo(x - 40, y + 84, x + 40, y + 84, x + 84, y + 34)
    lid.curveTo(x + 40, y - 12, x - 40, y - 12, x - 84, y + 34)
    lid.close()
    canvas.drawPath(lid, stroke=1, fill=1)
    for radius, colour in ((31, tint(ink, 0.75)), (19, ink), (6, white)):
        canvas.setFillColor(colour)
        canvas.circle(x, y + 35, radius, stroke=0, fill=1)


EMBLEMS: dict[str, Callable[[Canvas, float, float, Color], None]] = {
    "lighthouse": _lighthouse,
    "knot": _knot,
    "crab": _crab,
    "eye": _eye,
}
