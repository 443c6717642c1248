"""Asks every question of models of many manners and counts what became of what they said."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.language_models import BaseChatModel
from rich.console import Console
from rich.progress import track

from benchmarks.models.drafts import KINDS, UNFINISHED, Shown, Stating
from benchmarks.models.scripted import (
    GATHERINGS,
    Answerer,
    Reply,
    Script,
    ScriptedModel,
    gathering,
    honest_support,
)
from rag.config import Audience
from rag.errors import ModelError
from rag.evaluation.gold_lines import in_prompt
from rag.evaluation.questions import GoldQuestion, QuestionLanguage
from rag.evaluation.scores import mean
from rag.graph import RulesGraph
from rag.library.library import Library
from rag.models.embeddings import EmbeddingModel
from rag.nodes.citations import canonical, quote_parts
from rag.nodes.generate import AnswerRequest, written_answer
from rag.state import AnswerWithSources, Outcome, Stated, Statement
from rag.state import Reply as Answered
from rag.strategies.context import CHARACTERS_A_TOKEN, PromptPages, prompt_pages
from rag.texts import texts_for

SECTIONS = (GATHERING, STATEMENTS) = ("gathering", "statements")
READER: Audience = "gm"
CITABLE = re.compile(r"^\[(\d+\.\d+)\] (.+)$", re.MULTILINE)
SHARING = ("Sufficiency", "Draft")
"""The calls that are shown pages."""
BESIDE = "SubQuestions"
"""The call that runs beside the first judge's: nobody waits for it alone."""

err = Console(stderr=True)


@dataclass(frozen=True, slots=True)
class ModelQuestion:
    """A question in one language; `standalone` has the question before it in front."""

    gold: GoldQuestion
    language: QuestionLanguage
    wording: str

    @property
    def standalone(self) -> str:
        """What a rewrite makes of it."""
        before = [pair["question"] for pair in self.gold.history[-1:]]
        return " ".join([*before, self.wording])


@dataclass(frozen=True, slots=True)
class GatheredPrompt:
    """What a model's manner of gathering brought into the last prompt, and what it cost."""

    asked: ModelQuestion
    shown: PromptPages
    gold: tuple[str, ...] | None
    calls: int
    calls_to_first_line: int | None
    tokens: int
    shared: float


@dataclass(slots=True)
class Fate:
    """What became of the statements of one kind; `false_*` count those shown as claims."""

    drafted: int = 0
    true: int = 0
    claims: int = 0
    as_lines: int = 0
    lost: int = 0
    false: int = 0
    false_claims: int = 0
    false_credulous: int = 0
    """Those that a model shows which says yes to all it is asked to look at again."""
    longest: int = 0
    """Tokens of the longest support request."""
    reasons: Counter[str] = field(default_factory=Counter)
    cases: list[dict[str, Any]] = field(default_factory=list)


class ModelBench:
    """The books and their questions, asked of any model."""

    def __init__(self, library: Library, embedding: EmbeddingModel, tokens: int) -> None:
        self._library = library
        self._embedding = embedding
        self._tokens = tokens

    async def scripted(
        self, asked: Sequence[ModelQuestion], sections: Sequence[str] = SECTIONS
    ) -> dict[str, list[dict[str, Any]]]:
        """The rows of every gathering and of every kind of statement, for questions of one language."""
        language = asked[0].language
        rows: dict[str, list[dict[str, Any]]] = {GATHERING: []}
        for name in GATHERINGS if GATHERING in sections else GATHERINGS[:1]:
            gathered = await self._all_gathered(name, asked)
            rows[GATHERING].append(gathering_row(name, language, gathered))
            err.print(rows[GATHERING][-1], soft_wrap=True)
            if name == GATHERINGS[0] and STATEMENTS in sections:
                fates = await self._fates(gathered)
                rows[STATEMENTS] = [statement_row(kind, language, fate) for kind, fate in fates.items()]
        return rows

    async def _all_gathered(self, name: str, asked: Sequence[ModelQuestion]) -> list[GatheredPrompt]:
        return [await self._gathered(name, one) for one in _tracked(asked, name)]

    async def _gathered(self, name: str, asked: ModelQuestion) -> GatheredPrompt:
        """One question through the whole graph; the draft states the gold lines' own words."""
        model = ScriptedModel(script=gathering(name, asked.wording, asked.standalone))
        model.script["Draft"] = lambda prompt, before: _first_draft(prompt, asked.gold)
        model.script["SupportVerdicts"] = honest_support(())
        first_line, reply = None, None
        async for event in self._graph(model).ask(
            asked.wording, reader=READER, history=asked.gold.history or None
        ):
            if isinstance(event, Stated) and first_line is None:
                first_line = sum(schema != BESIDE for schema, _ in model.calls)
            elif isinstance(event, Answered):
                reply = event
        assert reply is not None
        shown = prompt_pages(reply.questions, self._tokens)
        return GatheredPrompt(
            asked,
            shown,
            in_prompt(shown.lines(), asked.gold),
            len(model.calls),
            first_line,
            sum(len(prompt) for _, prompt in model.calls) // CHARACTERS_A_TOKEN,
            shared_beginning(model.prompts_of(*SHARING)),
        )

    def _graph(self, model: BaseChatModel) -> RulesGraph:
        return RulesGraph(self._library, model, self._embedding, prompt_tokens=self._tokens)

    async def _fates(self, gathered: Sequence[GatheredPrompt]) -> dict[str, Fate]:
        """What became of each kind of statement over the lines that answer, where all of them are shown."""
        fates = {kind: Fate() for kind in KINDS}
        for one in _tracked([one for one in gathered if one.gold], "statements"):
            shown = Shown(one.shown.lines(), one.gold or ())
            for kind, drafting in KINDS.items():
                stated = drafting(one.asked.gold, shown, one.asked.language)
                if stated:
                    await self._draft(kind, stated, one, shown, fates[kind])
        return fates

    async def _draft(
        self, kind: str, stated: Sequence[Stating], gathered: GatheredPrompt, shown: Shown, fate: Fate
    ) -> None:
        cut = 1 if kind == UNFINISHED else None
        stated = stated[:cut]
        false = [one.text for one in stated if not one.is_true]
        proving = {
            one.text: [shown.lines[name].line.text for name in one.proving] for one in stated if one.is_true
        }
        credulous, _ = await self._answer(stated, gathered, cut, honest_support(()))
        answer, requests = await self._answer(stated, gathered, cut, honest_support(false, proving))
        fate.longest = max(fate.longest, *(len(one) // CHARACTERS_A_TOKEN for one in requests), 0)
        for one in stated:
            self._count(one, answer, shown, fate)
            fate.false_credulous += not one.is_true and _claimed(one, credulous, shown)
            if one.is_true and not _claimed(one, answer, shown):
                fate.cases.append(_case(one, answer, gathered.asked, shown))

    async def _answer(
        self, stated: Sequence[Stating], gathered: GatheredPrompt, cut: int | None, support: Answerer
    ) -> tuple[AnswerWithSources, list[str]]:
        """The answer made of a draft with these statements, and the support requests it took, if any."""
        draft = {
            "statements": [{"evidence": list(one.evidence), "text": one.text} for one in stated],
            "missing": None,
        }
        script: Script = {"Draft": lambda prompt, before: draft}
        model = ScriptedModel(script=script | {"SupportVerdicts": support}, cut=cut)
        asked = gathered.asked
        request = AnswerRequest(
            asked.standalone,
            asked.wording,
            asked.gold.history,
            (asked.language, *self._library.languages(READER)),
        )
        try:
            answer = await written_answer(
                model,
                request,
                gathered.shown,
                _no_passages,
                texts_for("en"),
            )
        except ModelError:
            # Nothing was claimed before the model failed: the graph answers by quotation.
            answer = await _no_passages()
        return answer, model.prompts_of("SupportVerdicts")

    @staticmethod
    def _count(one: Stating, answer: AnswerWithSources, shown: Shown, fate: Fate) -> None:
        fate.drafted += 1
        dropped = {drop.text: drop.reason for drop in answer.dropped}
        fate.reasons.update([dropped[one.text]] if one.text in dropped else [])
        if one.is_true:
            fate.true += 1
            fate.claims += _claimed(one, answer, shown)
            is_claim = _claimed(one, answer, shown)
            fate.as_lines += not is_claim and _lines_stand(one, answer, shown)
            fate.lost += not is_claim and not _lines_stand(one, answer, shown)
        else:
            fate.false += 1
            fate.false_claims += _claimed(one, answer, shown)

    async def served(self, model: BaseChatModel, name: str, asked: Sequence[ModelQuestion]) -> dict[str, Any]:
        """The row of a real server's model: what became of its statements; which are true is not known."""
        replies = []
        for one in _tracked(asked, name):
            replies.append(await self._reply(model, one))
            # A slow server's run may be ended before its end.
            err.print(one.gold.id, _served(replies[-1]), soft_wrap=True)
        answers = [reply.answer for reply in replies]
        held = [
            in_prompt(prompt_pages(reply.questions, self._tokens).lines(), one.gold)
            for reply, one in zip(replies, asked, strict=True)
            if one.gold.gold
        ]
        return {
            "model": name,
            "language": asked[0].language,
            "gold in prompt": mean(found is not None for found in held),
            "drafted": sum(len(answer.statements) + len(answer.dropped) for answer in answers),
            "claims": sum(len(answer.statements) for answer in answers),
            "reasons": dict(Counter(drop.reason for answer in answers for drop in answer.dropped)),
            "calls": mean(reply.usage.calls for reply in replies),
            "tokens": mean(reply.usage.input_tokens for reply in replies),
            "seconds": mean(reply.seconds for reply in replies),
        }

    async def _reply(self, model: BaseChatModel, asked: ModelQuestion) -> Answered:
        events = self._graph(model).ask(asked.wording, reader=READER, history=asked.gold.history or None)
        return [event async for event in events if isinstance(event, Answered)][-1]


def shared_beginning(prompts: Sequence[str]) -> float:
    """The share of prompts' characters that an earlier one of them begins with as well."""
    shared = sum(
        max(_shared(prompt, earlier) for earlier in prompts[:place])
        for place, prompt in enumerate(prompts)
        if place
    )
    return shared / (sum(map(len, prompts)) or 1)


def _shared(prompt: str, earlier: str) -> int:
    """How many characters two prompts have in common from the beginning."""
    pairs = enumerate(zip(prompt, earlier, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(prompt), len(earlier)))


def gathering_row(name: str, language: str, found: Sequence[GatheredPrompt]) -> dict[str, Any]:
    """The measures of a manner of gathering."""
    pages = [len(one.shown.render()) // CHARACTERS_A_TOKEN for one in found]
    alone = [one.calls_to_first_line or 0 for one in found if not one.asked.gold.history]
    followups = [one.calls_to_first_line or 0 for one in found if one.asked.gold.history]
    return {
        "gathering": name,
        "language": language,
        "gold in prompt": mean(one.gold is not None for one in found),
        "lost": [one.asked.gold.id for one in found if one.gold is None],
        "calls": mean(one.calls for one in found),
        "to first line": max(alone, default=0),
        "in a follow-up": max(followups, default=0),
        "page tokens": mean(pages),
        "most": max(pages, default=0),
        "all tokens": mean(one.tokens for one in found),
        "prefix": mean(one.shared for one in found),
    }


def statement_row(kind: str, language: str, fate: Fate) -> dict[str, Any]:
    """The measures of a kind of statement."""
    return {
        "kind": kind,
        "language": language,
        "drafted": fate.drafted,
        "true": fate.true,
        "claims": fate.claims,
        "as lines": fate.as_lines,
        "lost": fate.lost,
        "false": fate.false,
        "false claims": fate.false_claims,
        "credulous": fate.false_credulous,
        "request": fate.longest,
        "reasons": dict(fate.reasons),
        "cases": fate.cases,
    }


def _served(reply: Answered) -> dict[str, Any]:
    """What a server's model made of one question."""
    answer = reply.answer
    return {
        "outcome": answer.outcome.value,
        "claims": [claim.text for claim in answer.statements],
        "dropped": [(drop.reason, drop.text) for drop in answer.dropped],
        "notice": answer.notice,
        "calls": reply.usage.calls,
        "seconds": reply.seconds,
    }


async def _no_passages() -> AnswerWithSources:
    return AnswerWithSources(answer="", found=False, outcome=Outcome.PASSAGES)


def _tracked(items: Sequence[Any], name: str) -> Iterator[Any]:
    yield from track(items, name, console=err, transient=True)


def _first_draft(prompt: str, question: GoldQuestion) -> Reply:
    """A draft that states a gold line's own words; of a prompt without one, the first line's."""
    lines = CITABLE.findall(prompt)
    quotes = [canonical(part).characters for page in question.gold for part in quote_parts(page.quote)]
    gold = [(name, text) for name, text in lines if any(q in canonical(text).characters for q in quotes)]
    stated = (gold or lines)[:1]
    return {"statements": [{"evidence": [name], "text": text} for name, text in stated], "missing": None}


def _claim(one: Stating, answer: AnswerWithSources) -> Statement | None:
    return next((claim for claim in answer.statements if claim.text == one.text.strip()), None)


def _claimed(one: Stating, answer: AnswerWithSources, shown: Shown) -> bool:
    """Whether a statement is shown as a claim; a false one over the line that proves it is none."""
    claim = _claim(one, answer)
    if claim is None:
        return False
    own = {shown.lines[name].line.text for name in one.proving}
    return one.is_true or own.isdisjoint(claim.lines)


def _lines_stand(one: Stating, answer: AnswerWithSources, shown: Shown) -> bool:
    """Whether a line that proves a statement is among the quotations."""
    quotes = " ".join(source.quote for source in answer.sources)
    return any(words in quotes for words in shown.texts(one.proving))


def _case(one: Stating, answer: AnswerWithSources, asked: ModelQuestion, shown: Shown) -> dict[str, Any]:
    """A statement that did not fare as it should, for whoever wants to know why."""
    claim = _claim(one, answer)
    reasons = [drop.reason for drop in answer.dropped if drop.text == one.text.strip()]
    named = [shown.lines[name].line.text for name in one.evidence if name in shown.lines]
    return {
        "id": asked.gold.id,
        "question": asked.wording,
        "statement": one.text,
        "is_true": one.is_true,
        "reason": next(iter(reasons), None),
        "lines": claim.lines if claim else named,
    }
