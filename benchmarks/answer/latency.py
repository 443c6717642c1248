"""How long an answer takes beside the model calls that must wait for one another."""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from benchmarks.answer.bench import Bench, answered, warmed_up
from benchmarks.answer.figures import Figure
from benchmarks.answer.model_server import WORDING, model_server
from benchmarks.plain_pipeline import PlainPipeline
from bot.operations.interpreter import take_short_turns
from rag.graph import RulesGraph
from rag.library.books.found_page import FoundPage
from rag.state import Reply, Stated
from rag.strategies.context import page_key, pages_of
from rag.strategies.multi_hop import MultiHopStrategy

DELAY_SECONDS = 0.5
RUNS = 3
SHARE_ALLOWED, SECONDS_ALLOWED = 0.05, 0.05
"""What an answer may take beyond its critical path."""
WORDS_A_QUERY = 8
FOLLOW_UP = "And what else must be known about it?"


@dataclass(frozen=True, slots=True)
class Scenario:
    """A question that takes so many hops; a follow-up has one before it."""

    hops: int
    is_follow_up: bool = False

    @property
    def path(self) -> int:
        """The model calls that must wait for one another."""
        return min(self.hops + 1, 3) + self.is_follow_up

    @property
    def name(self) -> str:
        hops = f"{self.hops} hop{'s' * (self.hops > 1)}"
        calls = f"{self.path} calls of {DELAY_SECONDS:g} s in a row"
        return f"{'follow-up, ' * self.is_follow_up}{hops}: {calls} until the first line"


SCENARIOS = (Scenario(1), Scenario(2), Scenario(3), Scenario(1, is_follow_up=True))


def measure(bench: Bench) -> Iterator[Figure]:
    """The median wall time until an answer's first line and until its end, beside the same steps in a row."""
    take_short_turns()
    question = bench.questions[0]
    queries = asyncio.run(queries_to_new_pages(bench, question))
    for scenario in SCENARIOS:
        with model_server(DELAY_SECONDS, scenario.hops, queries) as url:
            yield from asyncio.run(_measured(bench, scenario, question, url))


async def queries_to_new_pages(bench: Bench, question: str, count: int = 2) -> list[str]:
    """Words of pages that neither the question nor the model's wordings of it find: a hop for each."""
    retriever = bench.retriever()
    state = await MultiHopStrategy(retriever).execute({"question": question, "standalone_question": question})
    wordings = await retriever.abatch([f"{WORDING} {number}" for number in ("one", "two", "three")])
    known = {key for asked in state["questions"] for key in pages_of(asked)}
    known |= {page_key(FoundPage.of(page)) for pages in wordings for page in pages}
    queries: list[str] = []
    for page in tenth_pages(bench):
        query = " ".join(page.text.split()[:WORDS_A_QUERY])
        found = {page_key(FoundPage.of(page)) for page in await retriever.ainvoke(query)} if query else known
        if found - known:
            queries.append(query)
            known |= found
        if len(queries) == count:
            return queries
    raise RuntimeError("the library has too few pages for a question of several hops")


def tenth_pages(bench: Bench) -> Iterator[FoundPage]:
    """Every tenth page of every book."""
    for book in bench.library.books("player"):
        for pdf_page in range(1, book.pages, 10):
            yield bench.library.page_at(book.file, pdf_page, "player")


async def _measured(bench: Bench, scenario: Scenario, question: str, url: str) -> list[Figure]:
    rules_graph = await warmed_up(bench.rules_graph(url), question)
    # LangChain's client as it comes: structured output of ours is read by `fill` alone.
    model = ChatOpenAI(model="fixed", api_key=SecretStr("none"), base_url=url, use_responses_api=False)
    plain = PlainPipeline(model, bench.retriever())

    async def ours(run: int) -> tuple[float, float]:
        asked = FOLLOW_UP if scenario.is_follow_up else question
        return await _seconds(rules_graph, asked, f"{scenario.name} {run}", scenario.hops)

    async def rival() -> float:
        started = time.perf_counter()
        await plain.ask(question, history="Question: …" if scenario.is_follow_up else "")
        return time.perf_counter() - started

    if scenario.is_follow_up:
        for run in range(RUNS):
            await answered(rules_graph, question, f"{scenario.name} {run}")
    waiting = scenario.path * DELAY_SECONDS
    first_lines, ends = zip(*[await ours(run) for run in range(RUNS)], strict=True)
    return [
        Figure(
            scenario.name,
            median(first_lines),
            "s",
            at_most=waiting * (1 + SHARE_ALLOWED) + SECONDS_ALLOWED,
            rival=median([await rival() for _ in range(RUNS)]),
            rival_name="the same steps one after the other",
        ),
        Figure("… and until its end, looked at again", median(ends), "s"),
    ]


async def _seconds(rules_graph: RulesGraph, question: str, thread: str, hops: int) -> tuple[float, float]:
    """The seconds until an answer's first readable line, and until its end."""
    started = time.perf_counter()
    first_line = 0.0
    async for event in rules_graph.ask(question, thread):
        if isinstance(event, Stated | Reply):
            first_line = first_line or time.perf_counter() - started
        if isinstance(event, Reply) and event.hops != hops:
            raise RuntimeError(f"the answer took {event.hops} hops, not {hops}")
    return first_line, time.perf_counter() - started
