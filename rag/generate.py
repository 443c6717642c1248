"""Last node: pages become statements, and only what the pages say survives."""

import logging
import secrets
from collections.abc import Mapping, Sequence

from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from pydantic import BaseModel

from rag.citations import located, quote_parts, shortened
from rag.context import is_citable, place
from rag.excerpts import excerpts
from rag.numbers import PAGE_REFERENCE, numbers_in, unsupported_numbers
from rag.precedence import with_amendments
from rag.prompts import PROMPT_FILES, Delimited, Prompts, delimited, joined
from rag.rewrite import conversation
from rag.state import AnswerWithSources, Exchange, Outcome, Source, Statement
from rag.structured_output import fill
from rag.texts import Texts

log = logging.getLogger(__name__)

MAX_SOURCES = 5
MAX_STATEMENTS = 8
LONGEST_STATEMENT = 1_000
"""A statement of more characters is none; so is a remark on what is missing."""
MOST_QUOTES = 8
"""A statement that needs more quotes than this says more than one thing."""
MAX_HEADINGS = 3
OVERFLOW_CHARACTERS = 600
"""How much of the next page is shown where a page ends in mid-sentence."""


class DraftQuote(BaseModel):
    """Words the model copied from the page with this key."""

    key: str
    quote: str


class DraftStatement(BaseModel):
    """One sentence of the draft with the quotes it rests on."""

    text: str
    quotes: list[DraftQuote]


class Draft(BaseModel):
    """The model's reply, nothing of it verified yet."""

    answerable: bool
    statements: list[DraftStatement]
    missing: str | None = None


async def written_answer(
    model: BaseChatModel,
    question: str,
    asked: str,
    pages: Sequence[Document],
    history: Sequence[Exchange],
    texts: Texts,
    prompts: Prompts = PROMPT_FILES,
) -> AnswerWithSources:
    """An answer of verified statements, or "the books do not say".

    `question` is the standalone question, `asked` the asker's own words. Numbers of what was asked, now
    or earlier, may stand in a statement; those of a rewrite are the model's and may not. Raises
    `ModelError` where the model gives no usable draft.
    """
    shown = [(secrets.token_hex(4), page, text) for page, text in excerpts([*filter(is_citable, pages)])]
    keyed = {key: page for key, page, _ in shown}
    if not keyed:
        return nothing_found(pages, texts)
    draft = await fill(
        model,
        prompts["generate"],
        Draft,
        conversation=conversation(history),
        pages=joined([_block(key, page, text) for key, page, text in shown]),
        question=delimited("question", question),
    )
    return verified_answer(draft, keyed, [asked, *(pair["question"] for pair in history)], texts)


def verified_answer(
    draft: Draft, keyed: Mapping[str, Document], questions: Sequence[str], texts: Texts
) -> AnswerWithSources:
    """The statements of a draft whose quotes and numbers stand in the books; pure.

    `keyed` are the pages by the key they were shown under.
    """
    sources: list[Source] = []
    statements: list[Statement] = []
    for drafted in draft.statements[:MAX_STATEMENTS] if draft.answerable else ():
        proof = proven_sources(drafted, keyed, questions)
        added = [source for source in proof if source not in sources]
        if not proof or len(sources) + len(added) > MAX_SOURCES:
            log.info("a statement was dropped: %s", "no proof" if not proof else "too many sources")
            continue
        sources += added
        statements.append(
            Statement(text=drafted.text.strip(), sources=[sources.index(source) for source in proof])
        )
    if not statements:
        return nothing_found(list(keyed.values()), texts)
    complete = not draft.missing and len(statements) == len(draft.statements)
    sources, statements = amended(sources, statements, list(keyed.values()))
    return AnswerWithSources(
        answer="\n".join(statement.text for statement in statements),
        sources=sources,
        found=True,
        outcome=Outcome.ANSWERED if complete else Outcome.PARTLY,
        statements=statements,
        missing=draft.missing if draft.missing and is_remark(draft.missing, questions) else None,
    )


def amended(
    sources: list[Source], statements: list[Statement], pages: Sequence[Document]
) -> tuple[list[Source], list[Statement]]:
    """The sources with what corrects them cited before them, as far as there is room; statements follow."""
    ordered = with_amendments(sources, pages, MAX_SOURCES)
    if not set(sources) <= set(ordered):
        return sources, statements
    moved = [
        statement.model_copy(update={"sources": [ordered.index(sources[old]) for old in statement.sources]})
        for statement in statements
    ]
    return ordered, moved


def proven_sources(
    drafted: DraftStatement, keyed: Mapping[str, Document], questions: Sequence[str]
) -> list[Source]:
    """The sources that prove a statement; none where any quote, number or page of it stands nowhere."""
    if not 0 < len(drafted.text.strip()) <= LONGEST_STATEMENT or len(drafted.quotes) > MOST_QUOTES:
        return []
    needed = numbers_in(drafted.text)
    sources: list[Source] = []
    for quote in drafted.quotes:
        page = keyed.get(quote.key)
        for part in quote_parts(quote.quote):
            found = sources_of_quote(part, page, needed) if page else []
            if not found:
                return []
            sources += found
    evidence = [*questions, *(source.quote for source in sources)]
    return list(dict.fromkeys(sources)) if is_supported(drafted.text, evidence) else []


def is_remark(missing: str, questions: Sequence[str]) -> bool:
    """Whether what the model says of the gap may be shown: short, and with no number of its own."""
    return len(missing) <= LONGEST_STATEMENT and is_supported(missing, questions)


def is_supported(text: str, evidence: Sequence[str]) -> bool:
    """Whether every number and every page that a text names stands in its evidence."""
    named_pages = [match[0].casefold() for match in PAGE_REFERENCE.finditer(text)]
    known = " ".join(evidence).casefold()
    return not unsupported_numbers(text, evidence) and all(page in known for page in named_pages)


def sources_of_quote(quote: str, page: Document, needed: set[str]) -> list[Source]:
    """Where a quote stands, on its page or a neighbour; one source a page where it runs over.

    `needed` are the numbers that should survive the cut to the longest quotation.
    """
    facts = page.metadata
    return [
        Source(
            book=facts["book"],
            file=facts["file"],
            game=facts["game"],
            page=found.page,
            pdf_page=found.pdf_page,
            quote=shortened(found.quote, needed),
            verified=True,
        )
        for found in located(quote, page)
    ]


def nothing_found(pages: Sequence[Document], texts: Texts) -> AnswerWithSources:
    """The books do not say: no claim, no source, the nearest headings as a way on."""
    headings = [f"{_heading(page)} ({place(page)})" for page in pages if _heading(page) and is_citable(page)]
    return AnswerWithSources(
        answer=texts("answer-not-found"),
        found=False,
        outcome=Outcome.NOT_FOUND,
        headings=list(dict.fromkeys(headings))[:MAX_HEADINGS],
    )


def overflow(page: Document) -> str:
    """The beginning of the next page where a sentence runs on to it."""
    following = page.metadata.get("next")
    if not page.metadata.get("continues") or not following:
        return ""
    return f"\n{following['text'][:OVERFLOW_CHARACTERS]}"


def _block(key: str, page: Document, text: str) -> Delimited:
    book, heading = str(page.metadata.get("book", "")), _heading(page)
    return delimited("page", text + overflow(page), key=key, book=book, heading=heading)


def _heading(page: Document) -> str:
    return " › ".join(page.metadata.get("headings", []))
