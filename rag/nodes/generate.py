"""Last node: pages become statements, and only what their lines prove is claimed.

Beside an answer it is told which game it is from, and which pages that were asked for are not here.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import chain

from langchain_core.language_models import BaseChatModel

from rag.errors import ModelError
from rag.library.books.found_page import FoundPage
from rag.library.language.identify import signs_of
from rag.library.language.language import LANGUAGES
from rag.models.structured_output import Watcher, fill
from rag.nodes.amendments import overruled, with_amendments
from rag.nodes.citations import sources_of
from rag.nodes.draft import Draft
from rag.nodes.rewrite import conversation
from rag.nodes.support import supported
from rag.nodes.verification import (
    Fault,
    Proof,
    Verification,
    Verifier,
    names_a_thing,
    without_controls,
)
from rag.prompts import PROMPT_FILES, Prompts, delimited
from rag.state import (
    AnswerWithSources,
    Authority,
    DroppedStatement,
    Exchange,
    Outcome,
    PassageLine,
    Question,
    Source,
    Stated,
    Statement,
    StatementRole,
    unreported,
)
from rag.strategies.context import PromptPages
from rag.texts import Texts

log = logging.getLogger(__name__)

FEWEST_SIGNS = 2
"""Words or letters of a question that tell its language to a model."""
MAX_SOURCES = 8
"""Quotations of an answer, corrections aside."""
CLOSEST_BESIDE = 3
"""Closest passages beside an answer without a proven ruling."""

Quote = Callable[[], Awaitable[AnswerWithSources]]
"""Makes the answer by quotation, for the passages beside an unproven ruling."""


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """A question as the generator takes it.

    `question` stands alone, `asked` are the asker's own words. `languages` are the asker's first, then the
    books'.
    """

    question: str
    asked: str
    history: Sequence[Exchange] = ()
    languages: Sequence[str] = ("en",)

    @property
    def told_language(self) -> dict[str, str]:
        """The English name of the question's language for a prompt, where the asker's words tell it."""
        told = (
            surely_told_language(said)
            for said in reversed([*(pair["question"] for pair in self.history), self.asked])
        )
        language = LANGUAGES.get(next(filter(None, told), ""))
        return {"language": language.stemmer.capitalize()} if language else {}

    @property
    def case(self) -> list[str]:
        """What the asker said: its numbers may be repeated. Those of a rewrite are the model's."""
        return [self.asked, *(pair["question"] for pair in self.history)]


async def written_answer(
    model: BaseChatModel,
    asked: AnswerRequest,
    pages: PromptPages,
    quote: Quote,
    texts: Texts,
    prompts: Prompts = PROMPT_FILES,
    report: Callable[[Stated], None] = unreported,
    supporter: BaseChatModel | None = None,
) -> AnswerWithSources:
    """An answer of proven statements; what could not be proven stands as its lines.

    `supporter` is the model of the second look; without it the same one looks. `report` hears of each claim
    as soon as nothing can take it back. Where the model then fails, the answer keeps those, and the lines of
    the rest. Raises `ModelError` where it fails before.
    """
    lines = pages.lines()
    if not lines:
        return nothing_found(texts)
    verifier = Verifier(lines, asked.question, asked.case, asked.languages[0])
    verification = Verification(verifier, lambda proof, is_verdict: _tell(proof, is_verdict, report))

    async def looked_at(proofs: Sequence[Proof]) -> list[Proof]:
        return await supported(supporter or model, proofs, asked.question, pages.pages, prompts)

    try:
        draft = await drafted(model, asked, pages, prompts, verification)
    except ModelError:
        if not any(proof.cited for proof in verification.proofs):
            raise
        return await broken_off(await looked_at(verification.proofs), pages, quote, texts)
    if not await asyncio.to_thread(verification.take_rest, draft):
        if verification.has_told:
            return await broken_off(await looked_at(verification.proofs), pages, quote, texts)
        verification = Verification(verifier)
        await asyncio.to_thread(verification.take_rest, draft)
    missing = without_controls(draft.missing or "").strip(" .")
    is_read = any(proof.is_open for proof in verification.proofs)
    is_named = is_read and names_a_thing(missing, asked.case, asked.languages[0])
    beside = [Proof(f"missing: {missing}")] if is_named else []
    looked = await looked_at([*verification.proofs, *beside])
    proofs = looked[: len(verification.proofs)]
    answer = await assembled(proofs, pages, quote, texts)
    is_whole = answer.outcome is Outcome.PARTLY and not draft.missing and not answer.dropped
    return answer.model_copy(
        update={
            "outcome": Outcome.ANSWERED if is_whole else answer.outcome,
            "missing": missing if beside and looked[-1].is_cleared else None,
        }
    )


async def drafted(
    model: BaseChatModel,
    asked: AnswerRequest,
    pages: PromptPages,
    prompts: Prompts,
    watcher: Watcher | None = None,
) -> Draft:
    """What the model writes over the pages, nothing of it proven yet. Raises `ModelError`."""
    return await fill(
        model,
        prompts["generate"],
        Draft,
        watcher=watcher,
        conversation=conversation(asked.history),
        pages=pages.render(),
        question=delimited("question", asked.question, **asked.told_language),
    )


def _tell(proof: Proof, is_verdict: bool, report: Callable[[Stated], None]) -> None:
    """Tell readers of a note that is settled; of a verdict, which is still looked at, its lines."""
    role = StatementRole.VERDICT if is_verdict else StatementRole.NOTE
    if proof.is_claim:
        report(Stated(proof.text, tuple(sources_of(proof.cited)), role))
    elif is_verdict and proof.is_open and (sources := tuple(sources_of(proof.cited))):
        quoted = "\n".join(f"“{source.whole_quote}”" for source in sources)
        report(Stated(quoted, sources, role, is_checking=True))


async def assembled(
    proofs: Sequence[Proof], pages: PromptPages, quote: Quote, texts: Texts
) -> AnswerWithSources:
    """The answer of proofs: the claims with their sources, the lines of what could not be proven."""
    if not proofs:
        return nothing_found(texts)
    beside = None if proofs[0].is_claim else await quote()
    return await asyncio.to_thread(_assembled, proofs, pages, beside, texts)


def _assembled(
    proofs: Sequence[Proof], pages: PromptPages, answer: AnswerWithSources | None, texts: Texts
) -> AnswerWithSources:
    """The answer of proofs; `answer` are the closest passages where the first is no claim."""
    claims = [proof for proof in proofs if proof.is_claim]
    has_verdict = proofs[0].is_claim
    sources = with_amendments(_chosen_sources(claims, proofs), pages.pages)
    sources, together = _drawn(sources, {one.source for one in overruled(sources, pages.pages)})
    closest = answer.sources if answer else []
    beside = [one for one in closest if not any(_holds(a, one) or _holds(one, a) for a in sources)]
    sources += beside[:CLOSEST_BESIDE]
    dropped = [
        DroppedStatement(text=without_controls(one.text), reason=(one.fault or Fault.UNSUPPORTED).value)
        for one in proofs
        if not one.is_claim
    ]
    if not sources:
        return nothing_found(texts).model_copy(update={"dropped": dropped})
    statements = [
        _statement(proof, StatementRole.VERDICT if proof is proofs[0] else StatementRole.NOTE, sources)
        for proof in claims
    ]
    told = [statement.text for statement in statements]
    changed = overruled(sources, pages.pages)
    proving = statements[0].sources[:1] if has_verdict else map(sources.index, beside[:1])
    needed = [*proving, *(at for one in changed for at in (one.by, one.source))]
    return AnswerWithSources(
        answer="\n".join(told if has_verdict else [texts("answer-unproven"), *told]),
        sources=sources,
        found=bool(statements) or bool(answer and answer.found),
        outcome=Outcome.PARTLY if has_verdict else Outcome.UNPROVEN,
        statements=statements,
        dropped=dropped,
        checked_by_model=any(proof.is_cleared for proof in proofs),
        overruled=changed,
        shown=max(needed) + 1 if needed else None,
        together=together,
    )


async def broken_off(
    proofs: Sequence[Proof], pages: PromptPages, quote: Quote, texts: Texts
) -> AnswerWithSources:
    """The answer of what was proven before the model broke off."""
    answer = await assembled(proofs, pages, quote, texts)
    return answer.model_copy(update={"notice": "notice-model-broke-off"})


def nothing_found(texts: Texts) -> AnswerWithSources:
    """No claim and no source; what was not seen may hold the answer."""
    return AnswerWithSources(answer=texts("answer-not-found"), found=False, outcome=Outcome.NOT_FOUND)


def pages_of_taken_games(pages: Sequence[FoundPage], questions: Sequence[Question]) -> list[FoundPage]:
    """The pages of the games that the question is answered from, and those it names; else all."""
    named = frozenset[object]().union(*(question.named for question in questions))
    if not questions or (meant := questions[0].games) is None:
        return list(pages)
    kept = {page.id for page in pages if (page.game or page.book) in meant.taken or page.id in named}
    # A table's own rules may lie outside of the game whose rules they change.
    kept |= {one.other.id for page in pages if page.id in kept for one in (*page.amends, *page.amended_by)}
    return [page for page in pages if page.id in kept] or list(pages)


def games_answered_from(
    answer: AnswerWithSources, questions: Sequence[Question]
) -> tuple[str | None, list[str]]:
    """The game of an answer's first source, and the others that could answer; none where one was named."""
    if not questions or (meant := questions[0].games) is None or not answer.sources:
        return None, []
    own = {source.book for source in answer.sources if source.authority is not Authority.BOOK}
    quoted = {*answer.games, *own}
    return answer.games[0], [game for game in (*meant.taken, *meant.others) if game not in quoted]


def with_absent_pages(answer: AnswerWithSources, questions: Sequence[Question]) -> AnswerWithSources:
    """The answer, told which pages the asker's own question, the first, names in vain or without a book.

    Passages quoted in their place have nothing to do with them, and are left out: it ends with what is not
    there, or with asking which book is meant.
    """
    absent = list(questions[0].absent) if questions else []
    ambiguous = list(questions[0].ambiguous) if questions else []
    has_named = any(question.named for question in questions)
    is_in_vain = bool(absent or ambiguous) and not has_named and answer.outcome is Outcome.PASSAGES
    told = answer.model_copy(update={"absent": absent, "ambiguous": ambiguous})
    if not is_in_vain:
        return told
    return told.model_copy(update={"answer": "", "found": False, "sources": [], "overruled": []})


def surely_told_language(text: str) -> str | None:
    """The language that at least two words or letters of a text tell, and no other as surely; else None.

    A language that is named falsely to a model is worse than none.
    """
    counts = sorted(((signs_of(text, language), language) for language in LANGUAGES), reverse=True)
    (most, language), (next_most, _) = counts[:2]
    return language if most >= FEWEST_SIGNS and most > next_most else None


def _chosen_sources(claims: Sequence[Proof], proofs: Sequence[Proof]) -> list[Source]:
    """The quotations to show, no line twice: one of each claim, then what there is room for."""
    each = dict.fromkeys(source for one in (*claims, *proofs) for source in sources_of(one.cited))
    wanted = [
        one for one in each if not any(_holds(other, one) and other.quote != one.quote for other in each)
    ]
    begun = [sources_of(claim.cited)[0] for claim in claims]
    first = dict.fromkeys(next(one for one in wanted if _holds(one, own)) for own in begun)
    chosen = set([*first, *(source for source in wanted if source not in first)][:MAX_SOURCES])
    return [source for source in wanted if source in chosen]


def _drawn(sources: Sequence[Source], changed: Collection[int]) -> tuple[list[Source], dict[int, int]]:
    """The sources, first one of each place with the lines of all there, and by each other that one.

    No line comes twice. What another rule changes is drawn by itself.
    """
    places = [
        (one.page_id, one.game, one.section, one.before, one.after, at in changed)
        for at, one in enumerate(sources)
    ]
    firsts = [places.index(place) for place in places]
    order = sorted(range(len(sources)), key=lambda at: firsts[at] != at)
    near = ([one for one, first in zip(sources, firsts, strict=True) if first == at] for at in order)
    drawn = [_with_lines(those or [sources[at]]) for at, those in zip(order, near, strict=True)]
    return drawn, {to: order.index(firsts[at]) for to, at in enumerate(order)}


def _with_lines(sources: Sequence[Source]) -> Source:
    """The first of some sources with the lines of all, those first that are rows or sentences as its own."""
    quoted = (one.passage or (PassageLine(text=one.whole_quote, begins_line=True),) for one in sources)
    first, *others = dict.fromkeys(chain.from_iterable(quoted))
    lines = [first, *sorted(others, key=lambda line: bool(line.row) is not bool(first.row))]
    return sources[0].model_copy(update={"passage": tuple(lines)}) if sources[1:] else sources[0]


def _holds(whole: Source, piece: Source) -> bool:
    """Whether a quotation has all words of another one of its page."""
    return whole.page_id == piece.page_id and f" {piece.quote} " in f" {whole.quote} "


def _statement(proof: Proof, role: StatementRole, sources: Sequence[Source]) -> Statement:
    """A claim with the positions of those of its sources that are shown."""
    own = [shown for shown in sources if any(_holds(shown, one) for one in sources_of(proof.cited))]
    return Statement(
        text=proof.text,
        sources=[sources.index(source) for source in own],
        role=role,
        lines=[one.line.text for one in proof.cited],
        calculated=proof.is_calculated,
    )
