"""A passage as paragraphs: sentences together, headings alone, table rows aligned where they fit."""

import pytest

from rag.state import PassageLine, Source
from rag.texts.passages import Paragraph, ParagraphKind, Run, excerpt, paragraphs

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


def test_a_stat_block_of_two_columns_is_a_table_whose_first_column_has_no_name() -> None:
    (block,) = drawn(PassageLine(text="Armor Class: 16 17", row="Armor Class:; Troll: 16; Trollwife: 17"))
    assert [run.text for run in block.runs] == [
        "                Troll  Trollwife",
        "  Armor Class:  16     17",
    ]


def test_columns_stand_in_the_order_of_the_fullest_row() -> None:
    arrow, bow = "Weapon: Arrow; Damage: 1d6", "Weapon: Bow; Price: 60 gp; Damage: 1d8"
    (table,) = drawn(*(PassageLine(text=row, row=row) for row in (arrow, bow)))
    assert table.runs[0].text.split() == ["Weapon", "Price", "Damage"]


def test_a_row_with_a_doubled_column_reads_as_it_is() -> None:
    odd = PassageLine(text="?", row="Mv: 1; Load: 2; Mv: 3; Load: 4")
    assert drawn(odd) == [Paragraph(ParagraphKind.TEXT, (Run(odd.row),))]


def test_a_wide_table_names_its_columns_at_the_nearest_row_alone() -> None:
    nearest = SWORD.model_copy(update={"is_closest": False, "is_nearest": True})
    assert [one.runs[0].text for one in drawn(CLUB, nearest, width=12)] == [CLUB.text, SWORD.row]


def quoted(*lines: PassageLine, heading: str = "") -> list[str]:
    """The lines that are shown of a passage."""
    source = Source(book="Core", file="c.pdf", game="", page="1", pdf_page=1, quote="…", verified=True)
    return [line.text for line in excerpt(source.model_copy(update={"passage": lines, "heading": heading}))]


SENTENCES = [PassageLine(text=f"{number}. {'word ' * 12}") for number in range(9)]


def test_what_a_phone_has_room_for_is_shown_around_the_nearest_line() -> None:
    SENTENCES[4:5] = [SENTENCES[4].model_copy(update={"is_nearest": True})]
    assert quoted(*SENTENCES) == [line.text for line in SENTENCES[3:6]]


@pytest.mark.parametrize(("second", "shown"), [(6, [1, 2, 6]), (3, [1, 2, 3])])
def test_what_comes_next_to_the_nearest_line_is_shown_before_what_stands_around(
    second: int, shown: list[int]
) -> None:
    lines = [
        PassageLine(
            text=f"{n}. {'word ' * 12}", is_nearest=n == 1, rank=n == second, number=n, begins_line=n == 1
        )
        for n in range(9)
    ]
    assert quoted(*lines) == [lines[n].text for n in shown]
    told = [[run.text for run in one.runs] for one in drawn(*(lines[n] for n in shown))]
    nearest, further = [lines[n].text for n in shown[:2]], lines[second].text
    assert told == ([nearest, [f"… {further}"]] if second == 6 else [[*nearest, further]])


def test_a_line_that_surely_answers_has_one_beside_it_on_each_side() -> None:
    short = [PassageLine(text=f"{n}.", is_nearest=n == 2, is_closest=n == 2) for n in range(5)]
    assert quoted(*short) == ["1.", "2.", "3."]


def test_beside_a_row_that_surely_answers_no_row_is_shown_without_its_column_names() -> None:
    wide = "; Notes: light, cheap, and sold in every village"
    club, sword = (one.model_copy(update={"row": one.row + wide}) for one in (CLUB, SWORD))
    sure = sword.model_copy(update={"is_nearest": True})
    assert quoted(club, sure) == [SWORD.text]
    assert quoted(CLUB, SWORD.model_copy(update={"is_nearest": True})) == [CLUB.text, SWORD.text]


BEFORE, AFTER = (
    "Once a fight you may cling to your bond. " * 4,
    "Else you must mark that you are shaken. " * 4,
)


@pytest.mark.parametrize(
    ("begins_line", "shown"),
    [(True, ["If you do, reroll.", AFTER]), (False, [BEFORE, "If you do, reroll."])],
)
def test_a_sentence_in_the_midst_of_its_line_is_shown_with_the_one_that_it_goes_on_from(
    begins_line: bool, shown: list[str]
) -> None:
    nearest = PassageLine(text="If you do, reroll.", begins_line=begins_line, is_nearest=True)
    assert quoted(PassageLine(text=BEFORE), nearest, PassageLine(text=AFTER)) == shown


def test_what_leads_to_a_sentence_is_shown_where_one_of_a_line_above_is() -> None:
    strong = PassageLine(text="On a strong hit, mark experience." + " word" * 30, begins_line=True, rank=1)
    weak = PassageLine(text="On a weak hit, there is more to be done.", begins_line=True)
    seen = PassageLine(text="Envision what you discover.")
    nearest = PassageLine(text="Then, mark experience.", is_nearest=True)
    assert quoted(strong, weak, seen, nearest) == [one.text for one in (strong, weak, seen, nearest)]


def test_what_stands_apart_from_the_sentence_before_is_drawn_by_itself() -> None:
    lines = [
        PassageLine(text="You fall.", number=1, begins_line=True),
        PassageLine(text="You land.", number=4),
    ]
    assert [one.runs[0].text for one in drawn(*lines)] == ["You fall.", "… You land."]


def test_the_heading_told_above_a_passage_is_not_told_again() -> None:
    heading = PassageLine(text="Falling", is_heading=True)
    assert quoted(heading, PassageLine(text="You fall.", is_nearest=True), heading="Falling") == ["You fall."]


def test_a_passage_of_which_nothing_comes_nearest_is_shown_whole() -> None:
    assert quoted(CLUB, CLUB) == [CLUB.text, CLUB.text]
