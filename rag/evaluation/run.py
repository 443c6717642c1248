"""Asks every question of a file and measures search, context and answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, get_args

from langchain_core.retrievers import BaseRetriever

from rag.config import Audience, StrategyName
from rag.errors import NothingAsked, RulesError
from rag.evaluation.gold_lines import in_prompt, shown_of
from rag.evaluation.questions import GoldQuestion, QuestionLanguage
from rag.evaluation.scores import (
    Scores,
    context_scores,
    mean,
    missing,
    quantile,
    quotation_scores,
    ranking_scores,
)
from rag.graph import PAGES_ANSWERED_FROM, RulesGraph, SearchableLibrary
from rag.library.books.found_page import FoundPage
from rag.library.search.named_books import NamedBooks
from rag.nodes.citations import printed
from rag.nodes.rewrite import standalone_question
from rag.nodes.verification import Fault
from rag.state import AnswerWithSources, Mode, Outcome, PageId, Reply, Source, Usage, placed
from rag.strategies.context import merged_context, prompt_pages
from rag.strategies.multi_question import MultiQuestionStrategy

PAGES_SEARCHED = 10
ALL = "all"
"""The name of the row over all types of questions."""

LANGUAGES: tuple[QuestionLanguage, ...] = get_args(QuestionLanguage)


@dataclass(frozen=True, slots=True)
class Citation:
    """A source as checked: whether the quote stands on its page, and whether the printed number is right.

    `is_exact` is None where no gold page tells what is printed there.
    """

    page: PageId
    is_verbatim: bool
    is_exact: bool | None


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """What became of one question in one language; `reply` no longer holds the pages themselves."""

    question: GoldQuestion
    language: QuestionLanguage
    searched: tuple[PageId, ...]
    context: tuple[PageId, ...]
    citations: tuple[Citation, ...]
    reply: Reply
    is_prompted: bool | None = None
    """Whether a prompt of the pages found shows every gold quotation; None where there is none."""


@dataclass(frozen=True)
class Evaluation:
    """All results, and how they were got."""

    results: Sequence[QuestionResult]
    strategy: StrategyName

    @property
    def mode(self) -> Mode:
        """Whether a model answered: where it did not fail each time."""
        return "model" if any(result.reply.mode == "model" for result in self.results) else "quotes"

    def rows(self) -> list[tuple[QuestionLanguage, str, Scores]]:
        """The scores by language and type, each language's row over all types first."""
        types = dict.fromkeys(result.question.type for result in self.results)
        groups = [
            (language, kind, self._group(language, kind)) for language in LANGUAGES for kind in (ALL, *types)
        ]
        return [(language, kind, scores(results)) for language, kind, results in groups if results]

    def statements(self) -> dict[QuestionLanguage, dict[str, int]]:
        """What became of what a model drafted, by language: how much was claimed, and dropped by reason."""
        by_language = {language: self._group(language, ALL) for language in LANGUAGES}
        return {
            language: statement_counts([result.reply.answer for result in results])
            for language, results in by_language.items()
            if results
        }

    def misses(self) -> list[QuestionResult]:
        """The results where a needed page is missing, or an answer was given that the books do not hold."""
        return [result for result in self.results if is_miss(result)]

    def to_json(self) -> dict[str, Any]:
        """Everything for programs."""
        return {
            "strategy": self.strategy,
            "mode": self.mode,
            "scores": [{"language": language, "type": kind, **row} for language, kind, row in self.rows()],
            "statements": self.statements(),
            "misses": [_miss_json(result) for result in self.misses()],
        }

    def _group(self, language: QuestionLanguage, kind: str) -> list[QuestionResult]:
        return [
            result
            for result in self.results
            if result.language == language and kind in (ALL, result.question.type)
        ]


async def evaluate(
    questions: Sequence[GoldQuestion],
    library: SearchableLibrary,
    rules_graph: RulesGraph,
    *,
    languages: Sequence[QuestionLanguage] = LANGUAGES,
    strategy: StrategyName = StrategyName.MULTI_HOP,
    reader: Audience = "player",
    on_done: Callable[[int, int], None] = lambda done, total: None,
) -> Evaluation:
    """Ask each question in each language it is worded in, one after the other.

    `on_done` hears how many of how many are done. Raises what `Graph.ask` raises.
    """
    pages_told = [page for question in questions for page in (*question.gold, *question.also_ok)]
    printed_numbers = {page.id: page.page for page in pages_told}
    asked = [
        (question, language, wording)
        for language in languages
        for question in questions
        if (wording := question.wording(language))
    ]
    results = []
    for question, language, wording in asked:
        named_books = partial(library.named_books, reader=reader)
        pages = await searched(wording, question, library.retriever(reader, question.book), named_books)
        reply = await _reply(rules_graph, wording, question, strategy, reader)
        result = _result(question, language, pages, reply, printed_numbers)
        results.append(replace(result, is_prompted=_is_prompted(question, reply, rules_graph.prompt_tokens)))
        on_done(len(results), len(asked))
    return Evaluation(results, strategy)


async def searched(
    wording: str,
    question: GoldQuestion,
    retriever: BaseRetriever,
    named_books: Callable[[str], NamedBooks],
) -> list[FoundPage]:
    """The pages that search alone finds, best first, at most `PAGES_SEARCHED`.

    One round without a chat model: a follow-up is searched as the answer by quotation searches it.
    """
    standalone = await standalone_question(None, wording, question.history, named_books=named_books)
    search = MultiQuestionStrategy(retriever)
    queries = search.own_queries({"question": wording, "standalone_question": standalone})
    return merged_context(await search.search(queries), PAGES_SEARCHED)


def page_ids(pages: Sequence[FoundPage]) -> tuple[PageId, ...]:
    """The pages by file and position."""
    return tuple(page.id for page in pages)


def scores(results: Sequence[QuestionResult]) -> Scores:
    """Every measure over a group of results."""
    cited = [citation for result in results for citation in result.citations]
    replies = [result.reply for result in results]
    seconds = [reply.seconds for reply in replies]
    return {
        "questions": len(results),
        **ranking_scores((result.searched, result.question) for result in results),
        **context_scores((result.context, result.question) for result in results),
        **quotation_scores((result.reply.answer.sources, result.question) for result in results),
        "prompted": mean(
            result.is_prompted
            for result in results
            if result.is_prompted is not None and result.reply.mode != "quotes"
        ),
        "gold_cited": mean(_cites_gold(result) for result in results if result.question.gold),
        "pages_exact": mean(citation.is_exact for citation in cited if citation.is_exact is not None),
        "quotes_verified": mean(citation.is_verbatim for citation in cited),
        "refused": mean(not result.reply.answer.found for result in results if not result.question.gold),
        "model_failed": mean(reply.answer.notice is not None for reply in replies),
        "hops": mean(reply.hops for reply in replies),
        "model_calls": mean(reply.usage.calls for reply in replies),
        "seconds_median": quantile(seconds, 0.5),
        "seconds_p95": quantile(seconds, 0.95),
    }


def statement_counts(answers: Sequence[AnswerWithSources]) -> dict[str, int]:
    """How many statements were drafted, claimed, claimed as calculated, and dropped for each reason."""
    claims = [claim for answer in answers for claim in answer.statements]
    reasons = [drop.reason for answer in answers for drop in answer.dropped]
    return {
        "drafted": len(claims) + len(reasons),
        "claimed": len(claims),
        "calculated": sum(claim.calculated for claim in claims),
        **{fault.value: reasons.count(fault.value) for fault in Fault},
    }


def is_miss(result: QuestionResult) -> bool:
    """Whether a needed page is missing, or an answer was given that the books do not hold."""
    if not result.question.gold:
        return result.reply.answer.found
    return bool(missing(result.searched, result.question) or missing(result.context, result.question))


async def _reply(
    rules_graph: RulesGraph, wording: str, question: GoldQuestion, strategy: StrategyName, reader: Audience
) -> Reply:
    asked = rules_graph.ask(
        wording,
        strategy=strategy,
        reader=reader,
        book=question.book,
        history=question.history or None,
    )
    try:
        async for event in asked:
            if isinstance(event, Reply):
                return event
    except NothingAsked:
        return _refusal(wording, strategy)
    raise RulesError


def _refusal(wording: str, strategy: StrategyName) -> Reply:
    """The reply to a question that asks nothing: it is asked back, and nothing is found."""
    return Reply(
        question=wording,
        standalone_question=wording,
        answer=AnswerWithSources(answer="", found=False, outcome=Outcome.NOT_FOUND),
        questions=[],
        strategy=strategy,
        hops=0,
        followed=[],
        usage=Usage(),
        mode="quotes",
        seconds=0.0,
        locale="en",
    )


def _result(
    question: GoldQuestion,
    language: QuestionLanguage,
    searched: Sequence[FoundPage],
    reply: Reply,
    printed_numbers: Mapping[PageId, str | None],
) -> QuestionResult:
    texts = _texts([FoundPage.of(page) for asked in reply.questions for page in asked.context])
    citations = [checked(source, texts, printed_numbers) for source in reply.answer.sources]
    context = page_ids(merged_context(reply.questions, PAGES_ANSWERED_FROM))
    without_pages = reply.model_copy(update={"questions": []})
    return QuestionResult(question, language, page_ids(searched), context, tuple(citations), without_pages)


def _is_prompted(question: GoldQuestion, reply: Reply, tokens: int) -> bool | None:
    if not question.gold:
        return None
    return in_prompt(shown_of(prompt_pages(reply.questions, tokens)), question) is not None


def checked(
    source: Source, texts: Mapping[PageId, str], printed_numbers: Mapping[PageId, str | None]
) -> Citation:
    """A source held against the pages' texts, each on one line, and their printed numbers."""
    page = source.page_id
    return Citation(
        page,
        is_verbatim=printed(source.quote) in texts.get(page, ""),
        is_exact=source.page == printed_numbers[page] if page in printed_numbers else None,
    )


def _texts(pages: Sequence[FoundPage]) -> dict[PageId, str]:
    """The text of every page found and of its neighbours, on one line each."""
    texts: dict[PageId, str] = {}
    for page in pages:
        texts |= {near.id: printed(near.text) for near in (page.previous, page.next) if near}
        texts[page.id] = printed(page.text)
    return texts


def _cites_gold(result: QuestionResult) -> bool:
    return not result.question.accepted.isdisjoint(citation.page for citation in result.citations)


def _miss_json(result: QuestionResult) -> dict[str, Any]:
    question = result.question
    lost = {
        "missing_in_search": missing(result.searched, question),
        "missing_in_context": missing(result.context, question),
    }
    return {
        "id": question.id,
        "type": question.type,
        "language": result.language,
        "question": result.reply.question,
        **{
            key: [placed(page.model_dump(exclude={"quote"})) for page in question.gold if page.id in pages]
            for key, pages in lost.items()
        },
    }
