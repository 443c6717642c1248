"""The second look of a calibrated model: how likely its server says a "yes" was decides, not the word."""

import json
import math
from typing import Any

import pytest

from rag.nodes import support
from rag.state import Outcome
from tests.model_server import Json, ModelServer, completion, refuses
from tests.rag.models.one_rule import RULE, asked, only, rules_graph_at

LEAST = 0.8
Tops = list[dict[str, float]]


@pytest.fixture(autouse=True)
def _calibrated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(support.CALIBRATED, "scripted", LEAST)


def reply_of(verdict: str, likely: dict[str, float] | None) -> Any:
    """A second look's reply, and, with these, how likely each word was in place of its verdict."""
    pieces = ['{"supports": [{"id": "s1", "why": "same", "ver', 'dict": "', verdict, '"}]}']

    async def reply(request: Any, body: Json) -> Any:
        assert (body["logprobs"], body["top_logprobs"]) == (True, 10)
        tops = [{piece: 1.0} for piece in pieces]
        tops[2] = likely or {}
        tokens = [
            {
                "token": piece,
                "logprob": -0.1,
                "top_logprobs": [{"token": t, "logprob": math.log(p)} for t, p in top.items()],
            }
            for piece, top in zip(pieces, tops, strict=True)
        ]
        logprobs = {"content": tokens} if likely else None
        return completion(body, {"content": "".join(pieces)}, logprobs=logprobs)

    return only("SupportVerdicts", reply)


@pytest.mark.parametrize(
    ("verdict", "likely", "is_claimed"),
    [
        pytest.param("yes", {"yes": 0.7, " Yes": 0.2, "no": 0.1}, True, id="a likely yes"),
        pytest.param("yes", {"yes": 0.5, "part": 0.2, "no": 0.2}, False, id="an unlikely yes"),
        pytest.param("no", {"yes": 0.09, "no": 0.01, "```": 0.9}, True, id="likely among the verdicts alone"),
        pytest.param("yes", {"```": 0.9}, False, id="no verdict among what was likely"),
        pytest.param("yes", None, True, id="a server that does not tell: its word"),
        pytest.param("no", None, False, id="the same, no"),
    ],
)
async def test_how_likely_a_yes_was_decides_where_the_server_tells(
    server: ModelServer, verdict: str, likely: dict[str, float] | None, is_claimed: bool
) -> None:
    server.fault = reply_of(verdict, likely)
    answer = (await asked(rules_graph_at(server))).answer
    assert [one.text for one in answer.statements] == ([RULE] if is_claimed else [])


async def test_a_server_that_refuses_to_tell_is_asked_without(server: ModelServer) -> None:
    async def refusing(request: Any, body: Json) -> Any:
        return await refuses(400, "logprobs is not supported")(request, body) if "logprobs" in body else None

    server.fault = refusing
    assert (await asked(rules_graph_at(server))).answer.outcome is Outcome.ANSWERED


async def test_a_model_that_nobody_calibrated_is_not_asked_how_likely_its_words_were(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(support.CALIBRATED, "scripted")
    await asked(rules_graph_at(server))
    assert not any("logprobs" in json.dumps(body) for body in server.requests)
