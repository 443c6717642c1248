"""Asks every question of a file and measures search, context and answer."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from rag.config import Audience, StrategyName
from rag.errors import RulesError
from rag.evaluation.gold_lines import in_prompt
from rag.evaluation.questions import GoldQuestion, QuestionLanguage
from rag.evaluation.scores import (
    CONTEXT_MEASURES,
    RANKING_MEASURES,
    Scores,
    mean,
    means,
    missing,
    page_scores,
    quantile,
    quotation_scores,
)
from rag.graph import PAGES_ANSWERED_FROM, RulesGraph
from rag.library.books.found_page import FoundPage
from rag.library.library import Library
from rag.nodes.citations import printed
from rag.nodes.rewrite import standalone_question
from rag.state import PageId, Question, Reply
from rag.strategies.context import merged_context, prompt_pages
from rag.strategies.multi_question import MultiQuestionStrategy

PAGES_SEARCHED = 10
ALL = "all"
"""The name of the row over all types of questions."""

LANGUAGES: tuple[QuestionLanguage, ...] = get_args(QuestionLanguage)

Wording = tuple[GoldQuestion, QuestionLanguage, str]
"""A question as it is asked in one language."""


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """What became of one question in one language; `reply` no longer holds the pages themselves."""

    question: GoldQuestion
    language: QuestionLanguage
    searched: Sequence[PageId]
    context: Sequence[PageId]
    reply: Reply
    scores: Scores

    def to_json(self) -> dict[str, Any]:
        """The question, and the pages that it lacks: in the search, and in the context of the answer."""
        return {
            "id": self.question.id,
            "type": self.question.type,
            "language": self.language,
            "question": self.reply.question,
            "missing_in_search": missing(self.searched, self.question),
            "missing_in_context": missing(self.context, self.question),
        }


@dataclass(frozen=True)
class Evaluation:
    """All results, and how they were got."""

    results: Sequence[QuestionResult]
    strategy: StrategyName

    def rows(self) -> list[tuple[QuestionLanguage, str, Scores]]:
        """The scores by language and type, each language's row over all types first."""
        groups: dict[tuple[QuestionLanguage, str], list[QuestionResult]] = {}
        for kind in (ALL, *dict.fromkeys(one.question.type for one in self.results)):
            for one in self.results:
                if kind in (ALL, one.question.type):
                    groups.setdefault((one.language, kind), []).append(one)
        ordered = sorted(groups.items(), key=lambda group: LANGUAGES.index(group[0][0]))
        return [(*group, _scores(results)) for group, results in ordered]

    def misses(self) -> list[QuestionResult]:
        """The results where a needed page is missing, or an answer was given that the books do not hold."""
        told = ("full@10", "context", "refused")
        return [result for result in self.results if 0 in [result.scores[name] for name in told]]

    def to_json(self) -> dict[str, Any]:
        """Everything for programs; the mode is "model" where it did not fail each time."""
        modes = [result.reply.mode for result in self.results]
        return {
            "strategy": self.strategy,
            "mode": "model" if "model" in modes else "quotes",
            "scores": [{"language": language, "type": kind, **row} for language, kind, row in self.rows()],
            "misses": [result.to_json() for result in self.misses()],
        }


def _scores(results: Sequence[QuestionResult]) -> Scores:
    """The means of a group of results, and how long answers took."""
    seconds = [result.reply.seconds for result in results]
    return {
        "questions": len(results),
        **means([result.scores for result in results]),
        "seconds_median": quantile(seconds, 0.5),
        "seconds_p95": quantile(seconds, 0.95),
    }


async def evaluate(
    questions: Sequence[GoldQuestion],
    library: Library,
    rules_graph: RulesGraph,
    *,
    languages: Sequence[QuestionLanguage] = LANGUAGES,
    strategy: StrategyName = StrategyName.MULTI_HOP,
    reader: Audience = "player",
    track: Callable[[Sequence[Wording]], Iterable[Wording]] = iter,
) -> Evaluation:
    """Ask each question in each language it is worded in, one after the other.

    `track` gives them one by one, and may show how many are left. Raises what `RulesGraph.ask` raises.
    """
    labels = {page.id: page.page for one in questions for page in (*one.gold, *one.also_ok)}
    asked = list(wordings(questions, languages))
    results = []
    for question, language, wording in track(asked):
        found = page_ids(await searched(wording, question, library, reader))
        reply = await _reply(rules_graph, wording, question, strategy, reader)
        context = page_ids(merged_context(reply.questions, PAGES_ANSWERED_FROM))
        shown = prompt_pages(reply.questions, rules_graph.prompt_tokens).lines()
        scores = {
            **page_scores(RANKING_MEASURES, found, question),
            **page_scores(CONTEXT_MEASURES, context, question),
            "prompted": bool(in_prompt(shown, question)) if question.gold else None,
            **_answer_scores(question, reply, labels),
        }
        kept = reply.model_copy(update={"questions": []})
        results.append(QuestionResult(question, language, found, context, kept, scores))
    return Evaluation(results, strategy)


def wordings(questions: Sequence[GoldQuestion], languages: Sequence[QuestionLanguage]) -> Iterator[Wording]:
    """Each question in each language in which the file has it, language by language."""
    for language in languages:
        for question in questions:
            if wording := question.wording(language):
                yield question, language, wording


async def searched(
    wording: str, question: GoldQuestion, library: Library, reader: Audience
) -> list[FoundPage]:
    """The pages that search alone finds, best first, at most `PAGES_SEARCHED`.

    One round without a chat model: a follow-up is searched as the answer by quotation searches it.
    """
    named_books = library.queries(reader).named_books
    standalone = await standalone_question(None, wording, question.history, named_books=named_books)
    retriever = library.retriever(reader, question.book)
    search = MultiQuestionStrategy(retriever)
    queries = search.own_queries({"question": wording, "standalone_question": standalone})
    found = await search.search(queries)
    return merged_context(found, PAGES_SEARCHED)


def page_ids(pages: Sequence[FoundPage]) -> list[PageId]:
    """The pages by file and position."""
    return [page.id for page in pages]


async def _reply(
    rules_graph: RulesGraph, wording: str, question: GoldQuestion, strategy: StrategyName, reader: Audience
) -> Reply:
    asked = rules_graph.ask(
        wording, strategy=strategy, reader=reader, book=question.book, history=question.history or None
    )
    async for event in asked:
        if isinstance(event, Reply):
            return event
    raise RulesError


def _answer_scores(question: GoldQuestion, reply: Reply, labels: dict[PageId, str | None]) -> Scores:
    """What an answer quotes and cites, and what it took; `labels` are the printed numbers of gold pages."""
    answer, sources = reply.answer, reply.answer.sources
    texts = _texts(reply.questions)
    is_drafted = reply.mode == "model"
    cites_gold = any(source.page_id in question.accepted for source in sources)
    return {
        **quotation_scores(sources, question),
        "gold_cited": cites_gold if question.gold else None,
        "pages_exact": mean(one.page == labels[one.page_id] for one in sources if one.page_id in labels),
        "quotes_verified": mean(printed(one.quote) in texts.get(one.page_id, "") for one in sources),
        "refused": None if question.gold else not answer.found,
        "claimed": len(answer.statements) if is_drafted else None,
        "dropped": len(answer.dropped) if is_drafted else None,
        "model_failed": answer.notice is not None,
        "hops": reply.hops,
        "model_calls": reply.usage.calls,
    }


def _texts(questions: Sequence[Question]) -> dict[PageId, str]:
    """The text of every page found and of its neighbours, on one line each."""
    texts: dict[PageId, str] = {}
    pages = [FoundPage.of(page) for question in questions for page in question.context]
    for page in pages:
        texts |= {near.id: printed(near.text) for near in (page.previous, page.next) if near}
    return texts | {page.id: printed(page.text) for page in pages}
