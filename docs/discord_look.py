"""Draws a message of the bot as Discord shows it on a phone; nothing of Discord's is copied.

All measures are Discord's own pixels. The picture has twice as many. It is drawn with four times as many,
so that letters are even.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import simcord
from PIL import Image, ImageDraw, ImageFont

FONTS = Path(simcord.__file__).parent / "preview" / "static" / "fonts"
SCALE, SHARPNESS = 4, 2
WIDTH, TALLEST = 420, 1200
MARGIN, LEFT, FACE = 12, 60, 40
PAD, EDGE, CORNER = 14, 4, 6
BUTTON, BETWEEN = 32, 8
BACK, SURFACE, RAISED, QUOTED = "#323339", "#393a41", "#4a4b53", "#5c5e66"
TEXT, FAINT, WHITE, BLUE, ARROW = "#e6e6ea", "#a5a8b0", "#ffffff", "#5865f2", "#3b88c3"
FILLS = {1: BLUE, 2: RAISED}
"""By Discord's number of a button's style; the bot has these two."""
COLOURS = 128
MARKS = re.compile(r"\\(?P<kept>.)|(?P<bold>\*\*)|(?P<italic>\*)|(?P<words>[^\\*]+)", re.DOTALL)
TURNED = {"◀": ((0.7, 0.25), (0.7, 0.75), (0.25, 0.5)), "▶": ((0.3, 0.25), (0.3, 0.75), (0.75, 0.5))}
"""Arrows as Discord draws them: the corners of the triangle in its square."""


@dataclass(frozen=True, slots=True)
class Style:
    """How letters look."""

    size: int = 14
    colour: str = TEXT
    is_bold: bool = False
    is_italic: bool = False

    @property
    def font(self) -> ImageFont.FreeTypeFont:
        """The letters themselves."""
        return _font(self.size, self.is_bold, self.is_italic)

    @property
    def line(self) -> int:
        """How high a line is."""
        return round(self.size * 1.4)


@cache
def _font(size: int, is_bold: bool, is_italic: bool) -> ImageFont.FreeTypeFont:
    name = "noto-sans-latin-italic-v2.015.ttf" if is_italic else "noto-sans-latin-v2.015.ttf"
    font = ImageFont.truetype(FONTS / name, size * SCALE)
    font.set_variation_by_axes([650 if is_bold else 400, 100])
    return font


SMALL = Style(12, FAINT)
STRONG = Style(14, WHITE, is_bold=True)
LABEL = Style(14, WHITE)


@dataclass(frozen=True, slots=True)
class MessageShown:
    """What a message shows: its embed and its rows of buttons as Discord keeps them, and its pictures."""

    embed: Mapping[str, Any]
    rows: tuple[Mapping[str, Any], ...]
    pictures: Mapping[str, bytes]
    above: str = ""
    """What Discord says above the message."""
    below: str = ""


def picture(message: MessageShown) -> Image.Image:
    """The message, in few colours."""
    column = Column(WIDTH, BACK)
    column.y = MARGIN
    if message.above:
        column.write(message.above, SMALL, LEFT)
        column.y += 4
    column.face(MARGIN, column.y, FACE)
    end = column.words(LEFT, column.y + 10, "Rules", STRONG) + 6
    column.tag(end, column.y + 10, "APP")
    column.y += 24
    column.paste(_embed(message), LEFT, int(message.embed["color"]))
    for row in message.rows:
        column.y += BETWEEN
        column.row(row["components"])
    if message.below:
        column.y += BETWEEN
        column.write(message.below, SMALL, LEFT)
    column.y += MARGIN
    return column.drawn().reduce(SCALE // SHARPNESS).quantize(COLOURS)


def _embed(message: MessageShown) -> Image.Image:
    """What is inside the box: author, title, text, fields, picture, footer, those that there are."""
    embed = message.embed
    column = Column(WIDTH - LEFT - MARGIN, SURFACE)
    column.y = PAD
    if "author" in embed:
        column.face(PAD, column.y, 22)
        column.write(embed["author"]["name"], STRONG, PAD + 30)
        column.y += BETWEEN
    if "title" in embed:
        column.write(embed["title"], Style(15, WHITE, is_bold=True), PAD)
        column.y += BETWEEN
    column.markdown(embed.get("description", ""))
    for field in embed.get("fields", ()):
        column.y += BETWEEN
        column.write(field["name"], STRONG, PAD)
        column.y += 2
        column.markdown(field["value"])
    if "image" in embed:
        column.image(message.pictures[embed["image"]["url"].removeprefix("attachment://")])
    if footer := embed.get("footer", {}).get("text"):
        column.y += BETWEEN
        column.write(footer, SMALL, PAD)
    column.y += PAD
    return column.drawn()


class Column:
    """A picture that grows downwards; `y` is where the next thing goes."""

    def __init__(self, width: int, background: str) -> None:
        self.width = width
        self.y = 0
        self._image = Image.new("RGB", (width * SCALE, TALLEST * SCALE), background)
        self._draw = ImageDraw.Draw(self._image)

    def drawn(self) -> Image.Image:
        """All that is drawn so far."""
        return self._image.crop((0, 0, self._image.width, self.y * SCALE))

    def box(self, x: float, y: float, width: float, height: float, fill: str, corner: int = CORNER) -> None:
        """Fill a rounded box."""
        edges = [edge * SCALE for edge in (x, y, x + width, y + height)]
        self._draw.rounded_rectangle(edges, corner * SCALE, fill)

    def words(self, x: float, middle: int, text: str, style: Style) -> float:
        """Write on one line, whose middle is given; returns where it ends."""
        for part in re.split("([◀▶])", text):
            if part in TURNED:
                self.box(x, middle - 8, 16, 16, ARROW, 2)
                corners = [
                    ((x + 16 * across) * SCALE, (middle - 8 + 16 * down) * SCALE)
                    for across, down in TURNED[part]
                ]
                self._draw.polygon(corners, WHITE)
                x += 16
            else:
                self._draw.text((x * SCALE, middle * SCALE), part, style.colour, style.font, "lm")
                x += _width(part, style)
        return x

    def write(self, text: str, style: Style, left: int) -> None:
        """Write plain words, on as many lines as they take."""
        self._flow([(word, style) for word in _words(text)], left)

    def markdown(self, text: str) -> None:
        """Write text with the marks of Discord that the bot uses."""
        for line in text.split("\n"):
            style, left = Style(), PAD
            top = self.y
            if line.startswith("> "):
                line, left = line.removeprefix("> "), PAD + 12
            elif line.startswith("-# "):
                line, style = line.removeprefix("-# "), SMALL
            self._flow(list(_marked(line, style)), left)
            if left > PAD:
                self.box(PAD, top, 3, self.y - top, QUOTED, 1)

    def image(self, data: bytes) -> None:
        """Draw a picture as wide as the column."""
        width = (self.width - 2 * PAD) * SCALE
        read = Image.open(BytesIO(data)).convert("RGB")
        scaled = read.resize((width, round(read.height * width / read.width)), Image.Resampling.LANCZOS)
        self._image.paste(scaled, (PAD * SCALE, self.y * SCALE), _rounded(scaled.size))
        self.y += scaled.height // SCALE

    def paste(self, embed: Image.Image, left: int, colour: int) -> None:
        """Put an embed here, its edge in its colour."""
        edged = Image.new("RGB", embed.size, f"#{colour:06x}")
        edged.paste(embed.crop((EDGE * SCALE, 0, embed.width, embed.height)), (EDGE * SCALE, 0))
        self._image.paste(edged, (left * SCALE, self.y * SCALE), _rounded(edged.size))
        self.y += embed.height // SCALE

    def face(self, x: int, y: int, size: int) -> None:
        """Draw the round picture of somebody who has chosen none."""
        self.box(x, y, size, size, BLUE, size // 2)
        head, body = size * 0.14, size * 0.25
        for centre, radius, shape in ((0.38, head, 360), (0.8, body, 0)):
            middle = (x + size / 2, y + size * centre)
            edges = [
                side * SCALE
                for side in (middle[0] - radius, middle[1] - radius, middle[0] + radius, middle[1] + radius)
            ]
            self._draw.pieslice(edges, 180, 180 + (shape or 180), WHITE)

    def tag(self, x: float, middle: int, text: str) -> None:
        """Draw the mark of a bot behind its name."""
        style = Style(10, WHITE, is_bold=True)
        self.box(x, middle - 7, _width(text, style) + 8, 15, BLUE, 3)
        self.words(x + 4, middle, text, style)

    def row(self, components: list[Mapping[str, Any]]) -> None:
        """Draw buttons side by side, or a menu of choices."""
        x: float = LEFT
        for one in components:
            label = one.get("label") or one["placeholder"]
            is_menu = "options" in one
            wide = WIDTH - LEFT - MARGIN if is_menu else _width(label, LABEL) + 24
            self.box(x, self.y, wide, BUTTON, SURFACE if is_menu else FILLS[one["style"]])
            self.words(x + 12, self.y + BUTTON // 2, label, LABEL)
            x += wide + BETWEEN
        self.y += BUTTON

    def _flow(self, words: list[tuple[str, Style]], left: int) -> None:
        """Write words line after line; one that ends without a space holds on to the next one."""
        x: float = left
        height = words[0][1].line if words else BETWEEN
        may_break = False
        for word, style in words:
            if may_break and x + _width(word.rstrip(), style) > self.width - PAD:
                x, self.y = left, self.y + height
            x = self.words(x, self.y + height // 2, word, style)
            may_break = word.endswith(" ")
        self.y += height


def _words(text: str) -> list[str]:
    """The words, each with the space behind it."""
    return re.findall(r"\S+ *| +", text)


def _marked(line: str, style: Style) -> Iterator[tuple[str, Style]]:
    """The words of a line of markdown, each in its style."""
    is_bold = is_italic = False
    for found in MARKS.finditer(line):
        is_bold ^= found.lastgroup == "bold"
        is_italic ^= found.lastgroup == "italic"
        said = found["kept"] or found["words"] or ""
        colour = WHITE if is_bold else style.colour
        yield from ((word, Style(style.size, colour, is_bold, is_italic)) for word in _words(said))


def _width(text: str, style: Style) -> float:
    return style.font.getlength(text) / SCALE


def _rounded(size: tuple[int, int]) -> Image.Image:
    """A mask that rounds the corners of a picture."""
    mask = Image.new("L", size)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, size[0] - 1, size[1] - 1), CORNER * SCALE, 255)
    return mask
