"""Last node: pages become statements, and only what the pages say survives."""

import logging
import secrets
from collections.abc import Callable, Mapping, Sequence

from langchain_core.language_models import BaseChatModel

from rag.errors import ModelError
from rag.library.books.found_page import FoundPage
from rag.models.structured_output import fill
from rag.nodes.amendments import with_amendments
from rag.nodes.rewrite import conversation
from rag.nodes.verification import (
    MAX_SOURCES,
    Draft,
    StatementWatcher,
    Verification,
    is_remark,
    without_controls,
)
from rag.prompts import PROMPT_FILES, Delimited, Prompts, delimited, joined
from rag.state import AnswerWithSources, Exchange, Outcome, Source, Stated, Statement, unreported
from rag.strategies.context import excerpts
from rag.texts import Texts

log = logging.getLogger(__name__)

MAX_HEADINGS = 3
OVERFLOW_CHARACTERS = 600
"""How much of the next page is shown where a page ends in mid-sentence."""


async def written_answer(
    model: BaseChatModel,
    question: str,
    asked: str,
    pages: Sequence[FoundPage],
    history: Sequence[Exchange],
    texts: Texts,
    prompts: Prompts = PROMPT_FILES,
    report: Callable[[Stated], None] = unreported,
) -> AnswerWithSources:
    """An answer of verified statements, or "the books do not say".

    `question` is the standalone question, `asked` the asker's own words. Numbers of what was asked, now
    or earlier, may stand in a statement; those of a rewrite are the model's and may not. `report` hears
    of each statement as soon as it is verified; the answer begins with those, also where the model then
    fails. Raises `ModelError` where it fails before.
    """
    shown = [
        (secrets.token_hex(4), page, text)
        for page, text in excerpts([page for page in pages if page.is_citable])
    ]
    keyed = {key: page for key, page, _ in shown}
    if not keyed:
        return nothing_found(pages, texts)
    verification = Verification(keyed, [asked, *(pair["question"] for pair in history)])
    try:
        draft = await fill(
            model,
            prompts["generate"],
            Draft,
            watcher=StatementWatcher(verification, report),
            conversation=conversation(history),
            pages=joined([_block(key, page, text) for key, page, text in shown]),
            question=delimited("question", question),
        )
    except ModelError:
        if not verification.statements:
            raise
        return broken_off(verification)
    return finished(verification, draft, texts)


def verified_answer(
    draft: Draft, keyed: Mapping[str, FoundPage], questions: Sequence[str], texts: Texts
) -> AnswerWithSources:
    """The statements of a draft whose quotes and numbers stand in the books; pure.

    `keyed` are the pages by the key they were shown under.
    """
    return finished(Verification(keyed, questions), draft, texts)


def finished(verification: Verification, draft: Draft, texts: Texts) -> AnswerWithSources:
    """The answer of a whole draft, of which the beginning may be verified already.

    What was verified stays, also where the draft in the end is another one.
    """
    if not verification.take_rest(draft):
        if verification.statements:
            return broken_off(verification)
        return verified_answer(draft, verification.keyed, verification.questions, texts)
    if not verification.statements:
        return nothing_found(list(verification.keyed.values()), texts, _verdict(draft))
    complete = not draft.missing and len(verification.statements) == len(draft.statements)
    says_why = draft.missing and is_remark(draft.missing, verification.questions)
    return stated(verification).model_copy(
        update={
            "outcome": Outcome.ANSWERED if complete else Outcome.PARTLY,
            "missing": without_controls(draft.missing or "") if says_why else None,
        }
    )


def _verdict(draft: Draft) -> str:
    """What to say where nothing is proven: the books do not say, or the model said what they do not."""
    is_refuted = draft.answerable and draft.statements
    if is_refuted:
        log.warning("every statement of the model was dropped: no quote of it stands in the books")
    return "answer-unproven" if is_refuted else "answer-not-found"


def broken_off(verification: Verification) -> AnswerWithSources:
    """The answer of the statements that were verified before the model broke off."""
    return stated(verification).model_copy(update={"notice": "notice-model-broke-off"})


def stated(verification: Verification) -> AnswerWithSources:
    """A partial answer of the statements verified so far."""
    pages = list(verification.keyed.values())
    sources, statements = amended(verification.sources, verification.statements, pages)
    return AnswerWithSources(
        answer="\n".join(statement.text for statement in statements),
        sources=sources,
        found=True,
        outcome=Outcome.PARTLY,
        statements=statements,
    )


def amended(
    sources: list[Source], statements: list[Statement], pages: Sequence[FoundPage]
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


def nothing_found(
    pages: Sequence[FoundPage], texts: Texts, verdict: str = "answer-not-found"
) -> AnswerWithSources:
    """The books do not say: no claim, no source, the nearest headings as a way on."""
    headings = [f"{_heading(page)} ({page.place})" for page in pages if page.headings and page.is_citable]
    return AnswerWithSources(
        answer=texts(verdict),
        found=False,
        outcome=Outcome.NOT_FOUND,
        headings=list(dict.fromkeys(headings))[:MAX_HEADINGS],
    )


def overflow(page: FoundPage) -> str:
    """The beginning of the next page where a sentence runs on to it."""
    return f"\n{page.next.text[:OVERFLOW_CHARACTERS]}" if page.continues and page.next else ""


def _block(key: str, page: FoundPage, text: str) -> Delimited:
    return delimited("page", text + overflow(page), key=key, book=page.book, heading=_heading(page))


def _heading(page: FoundPage) -> str:
    return " › ".join(page.headings)
