"""A text file comes out as the paragraphs and headings that whoever typed it meant."""

import pytest

from rag.library.readers.plain_text import blocks_of


def levels(text: str) -> list[tuple[int, str]]:
    return [(block.level, block.text) for block in blocks_of(text)]


@pytest.mark.parametrize(
    ("heading", "level"),
    [
        ("Bleeding\n--------", 2),
        ("House Rules\n===========", 1),
        ("WOUNDS AND BLEEDING", 2),
        ("CAPÍTULO 3 – FERIDAS", 1),
        ("Chapter 3: Wounds", 1),
        ("3. Wounds", 3),
        ("3.2 Bleeding wounds", 4),
    ],
)
def test_a_heading_is_told_by_how_it_is_typed(heading: str, level: int) -> None:
    (first, *rest) = levels(f"{heading}\n\nA wound bleeds until it is bandaged.")
    assert first == (level, heading.split("\n")[0])
    assert rest == [(0, "A wound bleeds until it is bandaged.")]


@pytest.mark.parametrize(
    "line",
    [
        "A wound bleeds.",
        "STOP!",
        "1. Take the rope.",
        "12 + 4 = 16",
        "- BANDAGES",
        "* * *",
        "Light      1 HP",
    ],
)
def test_a_line_that_may_be_anything_is_no_heading(line: str) -> None:
    assert all(level == 0 for level, _ in levels(f"Before.\n\n{line}\n\nA wound bleeds until bandaged."))


def test_lines_that_the_margin_broke_are_one_paragraph() -> None:
    text = (
        "A bleeding character loses one hit point each round until\n"
        "Thorn or Maud bandages the wound. No healing helps meanwhile,\nand no prayer."
    )
    assert levels(text) == [(0, " ".join(text.split()))]


def test_short_lines_stay_lines() -> None:
    assert [block.text for block in blocks_of("Cost: 5\nRange: 10\nDamage: 1d6")] == [
        "Cost: 5",
        "Range: 10",
        "Damage: 1d6",
    ]


def test_list_items_stand_on_lines_of_their_own_with_what_belongs_to_them() -> None:
    text = "Take with you:\n- a rope\n- oil, which\n  burns\n1) a wick"
    assert [(block.text, block.is_line) for block in blocks_of(text)] == [
        ("Take with you:", False),
        ("- a rope", True),
        ("- oil, which burns", True),
        ("1) a wick", True),
    ]
