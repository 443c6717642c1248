"""The words that print a quotation are told apart from all that reads alike."""

import re
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.library.page_pictures.locate import TextSpan, locate, spans_of
from rag.library.page_pictures.words import Letters, PrintedWord

MIDDLE = 299.0


def line(text: str, baseline: float, x: float = 0.0, size: float = 10.0) -> list[PrintedWord]:
    """Words side by side on a baseline."""
    words = text.split()
    starts = accumulate((len(word) * 5.0 + 5 for word in words), initial=x)
    return [
        PrintedWord(Letters.of(word).characters, at, at + len(word) * 5.0, baseline, size)
        for word, at in zip(words, starts, strict=False)
    ]


def found(quote: str, words: list[PrintedWord], text: str = "") -> list[int]:
    """The words of a quotation on a page that reads as its words were drawn, or as `text`."""
    text = text or " ".join(word.letters for word in words)
    [span] = spans_of(quote, text)
    return locate(text, span, words, MIDDLE)


@pytest.mark.parametrize(
    ("quote", "lines", "text"),
    [
        ("The community pays", ["the com-", "munity pays"], "The community pays"),
        ('roll "2d6" - once', ["roll “2D6” – once"], "Roll “2D6” – once"),
    ],
)
def test_hyphens_quotation_marks_dashes_and_case_do_not_matter(
    quote: str, lines: list[str], text: str
) -> None:
    words = [word for number, printed in enumerate(lines) for word in line(printed, 12 * number)]
    words = [word for word in words if word.letters]
    assert found(quote, words, text) == [*range(len(words))]


def test_a_row_that_reads_like_a_column_is_not_taken_for_it() -> None:
    """Drawn column by column, so that the first column was drawn like the first row reads."""
    columns = [("12", "14", "16"), ("14", "15", "17"), ("16", "18", "19")]
    words = [
        word
        for x, cells in enumerate(columns)
        for y, cell in enumerate(cells)
        for word in line(cell, 14 * y, 60 * x)
    ]
    text = "12  14  16\n14  15  18\n16  17  19"
    assert found("12 14 16", words, text) == [0, 3, 6]


PHRASES = ["range ten paces", "the owl sees", "all that moves", "or less", "in the dark", "roll two dice"]
LINE = st.lists(st.sampled_from(PHRASES), min_size=2, max_size=3).map(" ".join)
LINES = st.lists(LINE, min_size=3, max_size=14, unique=True)


@settings(max_examples=60)
@given(LINES, st.booleans(), st.booleans(), st.data())
def test_words_that_are_found_are_those_of_the_quotation(
    lines: list[str], in_two_columns: bool, drawn_across: bool, data: st.DataObject
) -> None:
    """However often a page repeats its phrases, in whatever order it was drawn: those words, or none."""
    half = (len(lines) + 1) // 2 if in_two_columns else len(lines)
    order = sorted(range(len(lines)), key=lambda number: number % half if drawn_across else number)
    drawn: list[PrintedWord] = []
    printed: dict[int, range] = {}
    for number in order:
        words = line(lines[number], 10 + 12 * (number % half), 300 * (number // half))
        printed[number] = range(len(drawn), len(drawn) + len(words))
        drawn += words
    numbers = [word for number in range(len(lines)) for word in printed[number]]
    first = data.draw(st.integers(0, len(numbers) - 1))
    last = data.draw(st.integers(first + 1, min(len(numbers), first + 12)))
    text = " ".join(lines)
    starts = [match.start() for match in re.finditer(r"\S+", text)]
    span = TextSpan(starts[first], [*starts, len(text) + 1][last] - 1)
    assert locate(text, span, drawn, MIDDLE) in ([], numbers[first:last])
