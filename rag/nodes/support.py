"""The second look: a small request in which the model reads each open statement beside its lines.

The exception of a rule is often its next sentence, and who does what to whom stands in the heading. So the
request shows each line under its headings, with the sentences before and after it, and what corrects it.
"""

import asyncio
import json
import logging
import math
import re
from bisect import bisect
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from itertools import accumulate
from typing import Annotated, Any, Literal, get_args

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from pydantic import BaseModel, BeforeValidator, Field

from rag.errors import ModelError
from rag.library.books.found_page import FoundPage
from rag.library.language.words import words
from rag.models.structured_output import fill
from rag.nodes.amendments import corrections_over
from rag.nodes.citations import printed, shortened
from rag.nodes.verification import Proof
from rag.prompts import PROMPT_FILES, Prompts, delimited
from rag.state import PageId
from rag.strategies.lines import CitedLine, Line, lines_of

log = logging.getLogger(__name__)

MOST_CHARACTERS = 6_000
"""What the request shows in all."""
MOST_OF_A_STATEMENT = 1_500
"""What it shows of one statement, its lines and what stands around them."""
MOST_AROUND = 240
"""Characters of a sentence before or after a line, and of a correction."""
LONGEST_QUESTION = 300
"""Characters of a question that the request shows."""
MOST_SUPPORTS = 8
"""Statements in one request."""
HEADINGS_SHOWN = 2
Verdict = Literal["yes", "partly", "no"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
CALIBRATED: dict[str, float] = json.loads(files("rag.models").joinpath("calibrated.json").read_text("utf-8"))
"""By the name of a model how likely a "yes" of it must be; of any other model its words count.

Written by `python -m benchmarks.models --calibrate`.
"""

_ID = re.compile(r"\D*(\d{1,3})\W*\Z")
_VERDICT = re.compile(r"\W*(yes(?=\W*\Z)|partly|no)\b", re.IGNORECASE)
"""A "yes, but …" is none."""
_WRITTEN_VERDICT = re.compile(r'"id"\s*:\s*"\D*(\d+)(?:(?!"id"\s*:).)*?"verdict"\s*:\s*"', re.DOTALL)
"""What stands before a verdict in a reply, with the number of its statement."""
TELLING = {"logprobs": True, "top_logprobs": 10}
"""Asks a server how likely each token of its reply was, and the likeliest ones in its place."""


async def supported(
    model: BaseChatModel,
    proofs: Sequence[Proof],
    question: str,
    pages: Sequence[FoundPage],
    prompts: Prompts = PROMPT_FILES,
) -> list[Proof]:
    """The proofs after a second look of the model at the open ones: those that it clears are claims.

    What has no room in the request is none, and nothing is where the model fails.
    """
    named = {f"s{number}": proof for number, proof in enumerate(proofs, 1)}
    still_open = {name: proof for name, proof in named.items() if proof.is_open}
    if not still_open:
        return list(proofs)
    shown = await asyncio.to_thread(shown_in_request, still_open, pages)
    least = CALIBRATED.get(getattr(model, "model_name", ""), 0.0)
    sure: dict[str, float] = {}
    try:
        reply = await fill(
            model.model_copy(update=TELLING) if least else model,
            prompts["support"],
            SupportVerdicts,
            heard=lambda said: sure.update(sureness(said)),
            question=delimited("question", printed(question)[:LONGEST_QUESTION]),
            statements=delimited("statements", "\n\n".join(shown.values())),
        )
    except ModelError:
        log.info("no second look: statements are shown as their lines")
        return list(proofs)
    likely = {name for name in shown if sure.get(name, 0.0) >= least}
    cleared = likely if least and sure else reply.cleared(shown)
    return [replace(proof, is_cleared=name in cleared) for name, proof in named.items()]


def shown_in_request(proofs: Mapping[str, Proof], pages: Sequence[FoundPage]) -> dict[str, str]:
    """What the request shows of each statement, by its id ("s1"); what has no room is left out.

    `pages` are those of the prompt: a correction's words stand there.
    """
    known = {page.id: page for page in pages}
    shown: dict[str, str] = {}
    room = MOST_CHARACTERS
    for name, proof in proofs.items():
        text = f"[{name}] {printed(proof.text)}\n" + "\n".join(_beside(proof, known))
        if len(text) <= room and len(shown) < MOST_SUPPORTS:
            shown[name] = text
            room -= len(text)
    return shown


def _beside(proof: Proof, pages: Mapping[PageId, FoundPage]) -> Iterator[str]:
    """What stands below a statement: calculation, lines, what is around them, what corrects them."""
    if proof.calculations:
        yield f"calculation: {'; '.join(map(str, proof.calculations))}"
    keep = set(words(proof.text))
    share = _longest_of([len(one.line.text) for one in proof.cited])
    known = {(one.page.id, one.line.number) for one in proof.cited}
    heading = ""
    for one in proof.cited:
        if (path := _heading_path(one)) != heading:
            heading = path
            yield f"({heading})"
        before, after = _around(one)
        if before and (one.page.id, before.number) not in known:
            yield f"before: {shortened(before.text, keep, MOST_AROUND)}"
        yield f"line: {shortened(one.line.text, keep, share)}"
        if after and (one.page.id, after.number) not in known:
            yield f"after: {shortened(after.text, keep, MOST_AROUND)}"
            known.add((one.page.id, after.number))
        for correction in corrections_over(one):
            if other := pages.get(correction.other.id):
                said = printed(other.text[correction.correcting.start : correction.correcting.end])
                yield f"corrected by: {shortened(said, keep, MOST_AROUND)}"


def _longest_of(lengths: Sequence[int]) -> int:
    """How many characters of each line are shown: what short lines leave is for long ones."""
    left = MOST_OF_A_STATEMENT
    for further, length in zip(range(len(lengths), 0, -1), sorted(lengths), strict=True):
        if length * further > left:
            return max(MOST_AROUND, left // further)
        left -= length
    return MOST_OF_A_STATEMENT


def _heading_path(cited: CitedLine) -> str:
    """The headings over a line, outermost first."""
    return " › ".join(cited.line.headings[-HEADINGS_SHOWN:])


def _around(cited: CitedLine) -> tuple[Line | None, Line | None]:
    """The lines before and after one under the same heading; beside a row no other row."""
    lines = lines_of(cited.page)
    at = cited.line.number - 1
    before = lines[at - 1] if at else None
    after = lines[at + 1] if at + 1 < len(lines) else None
    near = (one if one and _speaks_on(one, cited.line) else None for one in (before, after))
    return next(near), next(near)


def _speaks_on(near: Line, line: Line) -> bool:
    return near.heading == line.heading and not near.is_heading and not (near.is_row and line.is_row)


class Support(BaseModel):
    """What the model says of one statement: why first, then the verdict."""

    id: str
    why: str = ""
    verdict: Verdict


def _legible(supports: Any) -> Any:
    """The verdicts of a reply that can be read; a bad one costs itself alone."""
    if not isinstance(supports, list):
        return supports
    read = [
        {"id": f"s{number[1]}", "why": str(one.get("why") or ""), "verdict": verdict[1].lower()}
        for one in supports
        if isinstance(one, dict)
        and (number := _ID.match(str(one.get("id"))))
        and (verdict := _VERDICT.match(str(one.get("verdict"))))
    ]
    return read[:MOST_SUPPORTS]


class SupportVerdicts(BaseModel):
    """The reply to the request."""

    supports: Annotated[list[Support], BeforeValidator(_legible), Field(max_length=MOST_SUPPORTS)]

    def cleared(self, asked: Collection[str]) -> frozenset[str]:
        """The ids among those asked for of which every verdict, and at least one, is yes."""
        return frozenset(
            name for name in asked if {one.verdict for one in self.supports if one.id == name} == {"yes"}
        )


def sureness(reply: AIMessage) -> dict[str, float]:
    """By the id of a statement how likely "yes" was for its verdict, at the least where it has several.

    Empty where the server does not tell.
    """
    if told := reply.response_metadata.get("likely_yes"):
        return dict(told)
    tokens = (reply.response_metadata.get("logprobs") or {}).get("content") or []
    ends = list(accumulate((len(one["token"]) for one in tokens), initial=0))
    written = _WRITTEN_VERDICT.finditer("".join(one["token"] for one in tokens))
    sure = [(f"s{one[1]}", _likely_yes(tokens[bisect(ends, one.end()) - 1])) for one in written]
    return dict(sorted(sure, key=lambda pair: -pair[1]))


def _likely_yes(token: Mapping[str, Any]) -> float:
    """How likely "yes" was for a token, of all verdicts.

    A server that keeps a reply to its schema tells of all words, as if it did not.
    """
    likely = dict.fromkeys(VERDICTS, 0.0)
    for one in token.get("top_logprobs") or [token]:
        word = one["token"].strip(' "').lower()
        for verdict in VERDICTS:
            likely[verdict] += math.exp(one["logprob"]) if word and verdict.startswith(word) else 0.0
    return likely["yes"] / (sum(likely.values()) or 1.0)
