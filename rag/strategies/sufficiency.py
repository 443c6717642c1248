"""Whether the pages gathered so far are enough, and what to search next if they are not."""

from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.language_models import BaseChatModel

from rag.errors import ModelError
from rag.models.structured_output import fill
from rag.prompts import PROMPT_FILES, Prompts, delimited
from rag.state import Sufficiency
from rag.strategies.context import PromptPages
from rag.strategies.linked_pages import Link
from rag.strategies.sub_questions import new_queries

MAX_NEW_QUERIES = 4
MAX_LISTED_REFERENCES = 30


@dataclass(frozen=True, slots=True)
class NextSearch:
    """What the judge still misses: queries to search, else references to follow, or nothing.

    `sufficient` is its verdict, None where it gave none.
    """

    queries: tuple[str, ...] = ()
    references: tuple[Link, ...] = ()
    sufficient: bool | None = None

    def __bool__(self) -> bool:
        return bool(self.queries or self.references)


async def judge(
    model: BaseChatModel,
    question: str,
    pages: PromptPages,
    references: Sequence[Link] = (),
    searched: Sequence[str] = (),
    *,
    hop: int = 1,
    prompts: Prompts = PROMPT_FILES,
) -> NextSearch:
    """What the model misses in everything gathered: new queries, else references that are still open.

    A model that fails counts as satisfied: the answer is then written from what there is.
    """
    try:
        reply = await verdict(model, question, pages, references, searched, hop=hop, prompts=prompts)
    except ModelError:
        return NextSearch()
    if reply.sufficient:
        return NextSearch(sufficient=True)
    if queries := new_queries(reply.new_queries, searched, MAX_NEW_QUERIES):
        return NextSearch(queries=tuple(queries), sufficient=False)
    wanted = tuple(one for one in references if one.pages)[:MAX_NEW_QUERIES]
    return NextSearch(references=wanted, sufficient=False)


async def verdict(
    model: BaseChatModel,
    question: str,
    pages: PromptPages,
    references: Sequence[Link] = (),
    searched: Sequence[str] = (),
    *,
    hop: int | None = None,
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


def _listed(references: Sequence[Link]) -> str:
    lines = [
        f"{reference.target}: “{reference.text}” on {reference.origin}"
        + ("" if reference.pages else " (not in the library)")
        for reference in references[:MAX_LISTED_REFERENCES]
    ]
    return "\n".join(lines) or "none"
