"""A table's own rules are told from books by the names of their files."""

import pytest

from rag.library.books.authority import authority_of
from rag.state import Authority


@pytest.mark.parametrize(
    "file",
    [
        "house-rules.md",
        "GURPS/House Rules.docx",
        "GURPS/gm/our_house_rules_2026.txt",
        "dnd/HouseRules.md",
        "Regras da Casa.docx",
        "regras-da-mesa.txt",
        "hausregeln.md",
    ],
)
def test_a_file_named_house_rules_is_the_tables_own(file: str) -> None:
    assert authority_of(file) is Authority.HOUSE_RULES
