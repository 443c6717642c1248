"""Whether the pages gathered so far are enough, and what to search next if they are not."""

import logging
from collections.abc import Sequence

from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel

from rag.errors import ModelError
from rag.models.structured_output import fill
from rag.prompts import PROMPT_FILES, Delimited, Prompts, delimited, joined
from rag.state import Sufficiency
from rag.strategies.context import excerpts, is_citable
from rag.strategies.linked_pages import OpenReference
from rag.strategies.sub_questions import new_queries

log = logging.getLogger(__name__)

MAX_NEW_QUERIES = 4
MAX_LISTED_REFERENCES = 30


async def judge(
    model: BaseChatModel,
    question: str,
    pages: Sequence[Document],
    references: Sequence[OpenReference] = (),
    searched: Sequence[str] = (),
    *,
    hop: int = 1,
    prompts: Prompts = PROMPT_FILES,
) -> Sufficiency:
    """The model's verdict over the original question and everything gathered, made consistent.

    A model that fails counts as satisfied: the answer is then written from what there is.
    """
    try:
        reply = await verdict(model, question, pages, references, searched, hop=hop, prompts=prompts)
    except ModelError:
        log.info("no verdict on sufficiency: answering from what was found")
        return Sufficiency(sufficient=True)
    return settled(reply, references, searched)


async def verdict(
    model: BaseChatModel,
    question: str,
    pages: Sequence[Document],
    references: Sequence[OpenReference] = (),
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
        pages=joined([_block(page, text) for page, text in excerpts([*filter(is_citable, pages)])]),
        open_references=delimited("references", _listed(references)),
    )


def settled(
    verdict: Sufficiency, references: Sequence[OpenReference] = (), searched: Sequence[str] = ()
) -> Sufficiency:
    """A verdict one can act on: queries only where it is negative, and negative only with queries.

    Not sufficient without a query: the open references become the queries; none open: stop.
    """
    if verdict.sufficient:
        return Sufficiency(sufficient=True)
    named = [reference.query for reference in references if reference.query]
    queries = new_queries(verdict.new_queries, searched, MAX_NEW_QUERIES) or new_queries(
        named, searched, MAX_NEW_QUERIES
    )
    return Sufficiency(sufficient=not queries, new_queries=queries)


def _block(page: Document, text: str) -> Delimited:
    facts = page.metadata
    headings = " › ".join(facts.get("headings", []))
    return delimited(
        "page",
        text,
        book=str(facts.get("book", "")),
        page=str(facts.get("page") or "?"),
        heading=headings,
    )


def _listed(references: Sequence[OpenReference]) -> str:
    lines = [
        f"{reference.target}: “{reference.text}” on {reference.origin}"
        + ("" if reference.query else " (not in the library)")
        for reference in references[:MAX_LISTED_REFERENCES]
    ]
    return "\n".join(lines) or "none"
