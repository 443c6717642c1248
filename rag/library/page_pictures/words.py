"""The words that a quotation is made of, each with its place on the page. Pure, without the PDF's reader."""

import unicodedata
from dataclasses import dataclass
from typing import NamedTuple

_ABOVE, _BELOW = 0.82, 0.24
"""How far letters reach above and below their baseline, in font sizes."""
_SAME_LINE = 0.55
"""How far the baselines of words of one line are apart at most, in font sizes."""


class Box(NamedTuple):
    """A part of an upright page, in points from its left and its upper edge."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def middle(self) -> float:
        """Half way between its upper and its lower edge."""
        return (self.top + self.bottom) / 2

    def around(self, other: "Box") -> "Box":
        """The smallest box that holds both."""
        left, top, right, bottom = zip(self, other, strict=True)
        return Box(min(left), min(top), max(right), max(bottom))

    def within(self, other: "Box") -> "Box":
        """What of it lies in another."""
        left, top, right, bottom = zip(self, other, strict=True)
        return Box(max(left), max(top), min(right), min(bottom))

    def widened(self, across: float, down: float) -> "Box":
        """The box with a margin on each side."""
        return Box(self.left - across, self.top - down, self.right + across, self.bottom + down)


@dataclass(frozen=True, slots=True)
class PrintedWord:
    """A word of a page by its letters and digits alone, with the place where it stands."""

    letters: str
    x0: float
    x1: float
    baseline: float
    size: float

    @property
    def box(self) -> Box:
        """What the word covers."""
        return Box(self.x0, self.baseline - _ABOVE * self.size, self.x1, self.baseline + _BELOW * self.size)

    def is_on_line_of(self, other: "PrintedWord") -> bool:
        """Whether it stands on the line of another word."""
        return abs(self.baseline - other.baseline) < _SAME_LINE * min(self.size, other.size)


@dataclass(frozen=True, slots=True)
class Letters:
    """The letters and digits of a text in one case, each with its offset in it."""

    characters: str
    offsets: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> "Letters":
        """What is left of a text where quotation marks, dashes, spaces and hyphens do not matter."""
        pairs = [
            (character, offset)
            for offset, printed in enumerate(text)
            for character in unicodedata.normalize("NFKC", printed).casefold()
            if character.isalnum()
        ]
        return cls("".join(character for character, _ in pairs), tuple(offset for _, offset in pairs))
