"""The rules of what pages a question leads to, and of which lines a prompt shows."""

from typing import Any

from rag.rules import Rule
from rag.strategies import context, lines, linked_pages

RULES: list[Rule[..., Any]] = [
    linked_pages.references_followed,
    linked_pages.headings_mentioned,
    linked_pages.corrections,
    context.places_kept,
    context.room_left_over,
    lines.torn_sentence,
]
