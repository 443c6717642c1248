"""Whether the pages gathered so far are enough, and what to search next if they are not."""

from collections.abc import Sequence

from langchain_core.language_models import BaseChatModel

from rag.models.structured_output import fill
from rag.prompts import PROMPT_FILES, Prompts, delimited
from rag.state import Sufficiency
from rag.strategies.context import PromptPages
from rag.strategies.linked_pages import Link
from rag.strategies.sub_questions import new_queries

MAX_NEW_QUERIES = 4
MAX_LISTED_REFERENCES = 30


Wanted = tuple[Sequence[str], Sequence[Link]]
"""What a judge still misses: queries to search, else references to follow; both empty where it is nothing."""


async def verdict(
    model: BaseChatModel,
    question: str,
    pages: PromptPages,
    references: Sequence[Link],
    searched: Sequence[str],
    hop: int,
    prompts: Prompts = PROMPT_FILES,
) -> Sufficiency:
    """What the model itself says about the pages. Raises `ModelError` where it gives no usable reply."""
    return await fill(
        model,
        prompts["sufficiency"],
        Sufficiency,
        hop=hop,
        question=delimited("question", question),
        searched=delimited("searched", "\n".join(searched)),
        pages=pages.render(),
        open_references=delimited("references", _listed(references)),
    )


def wanted_by(reply: Sufficiency, references: Sequence[Link], searched: Sequence[str]) -> Wanted:
    """What a verdict leads to: its new queries where it is negative, else the references that are open."""
    if reply.sufficient:
        return [], []
    if queries := new_queries(reply.new_queries, searched, MAX_NEW_QUERIES):
        return queries, []
    return [], [one for one in references if one.pages][:MAX_NEW_QUERIES]


def _listed(references: Sequence[Link]) -> str:
    lines = [
        f"{reference.target}: “{reference.text}” on {reference.origin}"
        + ("" if reference.pages else " (not in the library)")
        for reference in references[:MAX_LISTED_REFERENCES]
    ]
    return "\n".join(lines) or "none"
