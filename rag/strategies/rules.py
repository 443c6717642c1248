"""The rules of what pages a question leads to, and of which lines a prompt shows."""

from typing import Any

from rag.rules import Rule
from rag.strategies.context import (
    places_kept,
    room_left_over,
    section_around,
)
from rag.strategies.lines import torn_sentence
from rag.strategies.linked_pages import (
    amendments,
    headings_mentioned,
    own_rules,
    references_followed,
    referring_page,
)

RULES: list[Rule[..., Any]] = [
    references_followed,
    headings_mentioned,
    referring_page,
    amendments,
    own_rules,
    places_kept,
    room_left_over,
    section_around,
    torn_sentence,
]
