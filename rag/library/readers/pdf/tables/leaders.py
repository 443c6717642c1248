"""Dots that lead from one cell to the next ("Torch ..... 1 cp") taken out: the gap parts the cells."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from rag.library.readers.pdf.lines import PrintedCell, PrintedLine, Word
from rag.rules import rule

_LEADER = re.compile(r"(?:[.·•…]\s?){4,}|…")
_DOTS = re.compile(r"[.·•…]{3,}|…")  # within a word
_DOT = re.compile(r"[.·•…]+")
_SHORTEST = 2.0  # font sizes: shorter dots are part of a sentence


@rule(without=lambda lines: lines)
def without_leaders(lines: Sequence[PrintedLine]) -> list[PrintedLine]:
    """The lines, with cells of their own on both sides of dots that lead from one to the other."""
    return [_parted(line) for line in lines]


def _parted(line: PrintedLine) -> PrintedLine:
    if not _LEADER.search(line.text):
        return line
    cells: list[list[Word]] = [[]]
    dots: list[Word] = []
    for word in [piece for whole in line.words for piece in _pieces(whole)]:
        if _DOT.fullmatch(word.text):
            dots.append(word)
            continue
        if dots and dots[-1].x1 - dots[0].x0 >= _SHORTEST * line.size:
            cells.append([])
        else:
            cells[-1] += dots
        dots = []
        cells[-1].append(word)
    if dots or len(cells) == 1 or not cells[0]:
        return line
    return PrintedLine([PrintedCell(words) for words in cells], line.baseline, line.size)


def _pieces(word: Word) -> Iterator[Word]:
    """A word parted before and after the dots that are set close to it; all letters taken as equally wide."""
    width = (word.x1 - word.x0) / max(1, len(word.text))
    places = [0, *(place for match in _DOTS.finditer(word.text) for place in match.span()), len(word.text)]
    for start, end in pairwise(places):
        if start < end:
            yield Word(word.text[start:end], word.x0 + start * width, word.x0 + end * width, word.bold)
