"""A passage as paragraphs: sentences together, headings alone, table rows aligned where they fit."""

import pytest

from rag.state import PassageLine
from rag.texts.passages import Paragraph, ParagraphKind, Run, paragraphs

CLUB = PassageLine(text="Club  3 gp", row="Weapon: Club; Cost: 3 gp")
SWORD = PassageLine(text="Long sword  10 gp", row="Weapon: Long sword; Cost: 10 gp", is_closest=True)


def drawn(*lines: PassageLine, width: int = 38) -> list[Paragraph]:
    return list(paragraphs(lines, width))


def test_sentences_of_one_line_stand_together_and_headings_alone() -> None:
    lines = [
        PassageLine(text="Falling", is_heading=True, begins_line=True),
        PassageLine(text="You fall.", begins_line=True),
        PassageLine(text="It hurts.", is_closest=True),
        PassageLine(text="Then you land.", begins_line=True),
    ]
    assert drawn(*lines) == [
        Paragraph(ParagraphKind.HEADING, (Run("Falling"),)),
        Paragraph(ParagraphKind.TEXT, (Run("You fall."), Run("It hurts.", is_closest=True))),
        Paragraph(ParagraphKind.TEXT, (Run("Then you land."),)),
    ]


def test_rows_stand_under_their_column_names_the_closest_marked() -> None:
    (table,) = drawn(CLUB, SWORD)
    assert [run.text for run in table.runs] == [
        "  Weapon      Cost",
        "  Club        3 gp",
        "▸ Long sword  10 gp",
    ]
    assert [run.is_closest for run in table.runs] == [False, False, True]


def test_a_table_too_wide_for_the_screen_is_a_row_after_the_other_under_its_column_names() -> None:
    assert drawn(CLUB, SWORD, width=12) == [
        Paragraph(ParagraphKind.TEXT, (Run(CLUB.row),)),
        Paragraph(ParagraphKind.TEXT, (Run(SWORD.row, is_closest=True),)),
    ]


def test_rows_with_a_nameless_or_a_doubled_column_read_as_they_are() -> None:
    odd = [PassageLine(text="?", row=row) for row in ("Camel; Cost: 1", "Mv: 1; Load: 2; Mv: 3; Load: 4")]
    for line in odd:
        assert drawn(line) == [Paragraph(ParagraphKind.TEXT, (Run(line.row),))]


@pytest.mark.parametrize("told", ["is_closest", "is_nearest"])
def test_of_a_wide_table_the_rows_around_the_nearest_are_shown(told: str) -> None:
    rows = [
        PassageLine(text=f"{n}", row=f"Level: {n}; Points: many").model_copy(update={told: n == 12})
        for n in range(20)
    ]
    assert [one.runs[0].text[7:9] for one in drawn(*rows, width=5)] == ["10", "11", "12", "13", "14"]
