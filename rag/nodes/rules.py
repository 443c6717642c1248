"""The rules of which passages are quoted where no model writes."""

from typing import Any

from rag.nodes.quotations import (
    heading_worth,
    not_clearly_worse,
    of_one_section,
    rank_worth,
    words_of_its_own,
)
from rag.rules import Rule

RULES: list[Rule[..., Any]] = [
    not_clearly_worse,
    of_one_section,
    words_of_its_own,
    heading_worth,
    rank_worth,
]
