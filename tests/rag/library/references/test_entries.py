"""Entries of house rules, in the shapes in which groups write them: which words each one is."""

import re

import pytest

from rag.library.books.page import Heading, Page
from rag.library.references.entries import entries

CODE = re.compile(r"\b(?:B|MA)\d+")


def own(text: str) -> list[str]:
    """The words of each entry of a page; lines with "# " are headings."""
    printed, headings = "", []
    for line in text.split("\n"):
        if line.startswith("# "):
            headings.append(Heading(2, line[2:], len(printed)))
        printed += line.removeprefix("# ") + "\n"
    page = Page(1, None, printed.rstrip(), tuple(headings), "text", False)
    found = entries(page, [match.span() for match in CODE.finditer(page.text)])
    return [page.text[one.place.start : one.place.end].strip() for one in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Wounds\n\nThey hurt.\n\nMore.", ["Wounds\n\nThey hurt.\n\nMore."]),
        ("# Combat\n\n# Mooks\n\nThey die.", ["Mooks\n\nThey die."]),
        (
            "# Ours\n\n• Bleeding – B1: twice.\n• Luck (B2)\n• No elves.",
            ["• Bleeding – B1: twice.", "• Luck (B2)\n• No elves."],
        ),
        ("# Ours\n\nRule  Page\nBleeding  B1\nLuck  B2", ["Rule  Page", "Bleeding  B1", "Luck  B2"]),
        (
            "Bleeding – B1\n\nTwice.\n\nAlso at night.\n\nLuck – B2\n\nNone.",
            ["Bleeding – B1\n\nTwice.\n\nAlso at night.", "Luck – B2\n\nNone."],
        ),
        ("Luck – B2\n\nNone.\n\nMooks\n\nThey die.", ["Luck – B2\n\nNone.", "Mooks", "They die."]),
        ("# Blood\n\nBleeding – B1\nTwice.", ["Blood\n\nBleeding – B1\nTwice."]),
        ("# Banned\n\nLuck – B2", ["Banned\n\nLuck – B2"]),
    ],
)
def test_an_entry_is_a_heading_with_its_text_or_lines_of_their_own(text: str, expected: list[str]) -> None:
    assert own(text) == expected
