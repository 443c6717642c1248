"""Names that are no headings, as they are drawn: bold words before their paragraph, and table titles."""

from collections.abc import Sequence

import pytest

from rag.library.readers.pdf.lines import PrintedCell, PrintedLine, Word
from rag.library.readers.pdf.paragraphs import PrintedParagraph
from rag.library.readers.pdf.terms import terms_of


def line(text: str) -> PrintedLine:
    """A line whose words between asterisks are bold."""
    words, is_bold = [], False
    for part in text.split():
        is_bold = is_bold or part.startswith("*")
        words.append(Word(part.strip("*"), 0.0, 1.0, is_bold))
        is_bold = is_bold and not part.endswith("*")
    return PrintedLine([PrintedCell(words)], 0.0, 9.0)


def names(*lines: str, is_row: bool = False, is_caption: bool = False) -> Sequence[tuple[int, str]]:
    drawn = [line(text) for text in lines]
    text = " ".join(one.text for one in drawn)
    is_bold = all(one.bold for one in drawn)
    return list(terms_of(PrintedParagraph(text, 9.0, is_bold, drawn, is_row=is_row, is_caption=is_caption)))


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        pytest.param(["*Lay on Hands.* You touch", "a creature."], [(0, "Lay on Hands.")], id="opening"),
        pytest.param(
            ["*Dash.* You run.", "*Hide.* You hide."], [(0, "Dash."), (15, "Hide.")], id="later line"
        ),
        pytest.param(
            ["*Moving between*", "*Attacks.* You move."], [(0, "Moving between Attacks.")], id="two lines"
        ),
        pytest.param(["You must", "*Never* do so."], [], id="stressed"),
        pytest.param(
            ["*You may never under any circumstances ever touch the water* again."], [], id="a sentence"
        ),
        pytest.param(["*Never do so.*"], [], id="wholly in bold"),
    ],
)
def test_bold_words_before_plain_ones_name_what_they_open(
    lines: Sequence[str], found: list[tuple[int, str]]
) -> None:
    assert names(*lines) == found
