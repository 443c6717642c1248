"""The rules of what pages a question leads to, and of which lines a prompt shows."""

from typing import Any

from rag.rules import Rule
from rag.strategies.context import (
    places_kept,
    room_left_over,
)
from rag.strategies.lines import torn_sentence
from rag.strategies.linked_pages import (
    corrections,
    headings_mentioned,
    references_followed,
    referring_page,
)

RULES: list[Rule[..., Any]] = [
    references_followed,
    headings_mentioned,
    referring_page,
    corrections,
    places_kept,
    room_left_over,
    torn_sentence,
]
