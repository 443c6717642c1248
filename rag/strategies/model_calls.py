"""What a strategy asks the chat model: parts of a question, and whether the pages found suffice."""

from collections.abc import Iterable, Sequence
from typing import Annotated

from langchain_core.language_models import BaseChatModel
from pydantic import BaseModel, BeforeValidator, Field

from rag.errors import ModelError
from rag.library.language.likeness import shared_words
from rag.models.structured_output import fill
from rag.prompts import PROMPT_FILES, Prompts, delimited
from rag.state import Sufficiency, texts_in
from rag.strategies.context import PromptPages
from rag.strategies.linked_pages import Link

MAX_SUB_QUESTIONS = 5
MAX_QUERY_CHARACTERS = 300
MAX_NEW_QUERIES = 4
MAX_LISTED_REFERENCES = 8
Wanted = tuple[Sequence[str], Sequence[Link]]
"""What a judge still misses: queries to search, else references to follow; both empty where it is nothing."""


class SubQuestions(BaseModel):
    """The model's reply: 3 to 5 sub-questions."""

    sub_questions: Annotated[list[str], BeforeValidator(texts_in)] = Field(
        description="3 to 5 search queries", json_schema_extra={"maxItems": MAX_SUB_QUESTIONS}
    )


async def sub_questions(
    model: BaseChatModel | None, question: str, languages: Sequence[str], prompts: Prompts = PROMPT_FILES
) -> list[str]:
    """Sub-questions of a question in the books' languages, without the question itself.

    An empty list without a model, and where it fails: the question is then searched alone.
    """
    if model is None:
        return []
    try:
        reply = await fill(
            model,
            prompts["sub_questions"],
            SubQuestions,
            hop=1,
            question=delimited("question", question),
            languages=", ".join(languages),
        )
    except ModelError:
        return []
    return new_queries(reply.sub_questions, searched=[question], limit=MAX_SUB_QUESTIONS)


def new_queries(queries: Iterable[str], searched: Iterable[str], limit: int) -> list[str]:
    """The queries worth searching: not empty, not searched yet, each once, at most `limit`."""
    known = {_folded(query) for query in searched}
    fresh: list[str] = []
    for query in queries:
        short = " ".join(query.split())[:MAX_QUERY_CHARACTERS]
        if short and _folded(short) not in known and len(fresh) < limit:
            known.add(_folded(short))
            fresh.append(short)
    return fresh


def _folded(query: str) -> str:
    return " ".join(query.casefold().split()).rstrip("?!. ")


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


def nearest(question: str, references: Sequence[Link]) -> list[Link]:
    """The references to list: first what can be followed, of that what is nearest to the question."""
    shares = shared_words(question, [one.about for one in references], [one.language for one in references])
    ranked = sorted(zip(shares, references, strict=True), key=lambda pair: (not pair[1].pages, -pair[0]))
    return [one for _, one in ranked][:MAX_LISTED_REFERENCES]


def _listed(references: Sequence[Link]) -> str:
    """A line a reference; one that is unresolved may be searched for by its name."""
    lines = [
        f"{reference.target}: “{reference.text}” on {reference.origin}"
        + ("" if reference.pages else " (unresolved: search for what it names)")
        for reference in references
    ]
    return "\n".join(lines) or "none"
