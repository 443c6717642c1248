"""The second look as decisions: a choice a statement, within the bounds of every call of a model."""

import asyncio
from typing import Any

import pytest

from rag.models.decisions import DECISIONS
from rag.nodes import support
from rag.state import Outcome, Reply
from tests.model_server import Fault, ModelServer, no_fault, refuses
from tests.rag.models.one_rule import RULE, asked, rules_graph_at

NAME = f"{DECISIONS}luna"


async def decided(server: ModelServer, fault: Fault = no_fault, seconds: float = 30) -> Reply:
    """The reply to a question of which the statements are decided on, where deciding meets a fault."""

    async def only_decisions(request: Any, body: Any) -> Any:
        return await fault(request, body) if "questions" in body else None

    server.fault = only_decisions
    return (await asked(rules_graph_at(server, support=NAME, model_call_seconds=seconds))).reply


@pytest.mark.parametrize(
    ("likely", "least", "is_claimed"),
    [
        pytest.param({"yes": 0.6, "not stated": 0.4}, {}, True, id="a choice"),
        pytest.param({"yes": 0.4, "not stated": 0.6}, {}, False, id="not stated"),
        pytest.param({"yes": 0.6, "no": 0.4}, {NAME: 0.8}, False, id="an unlikely yes of a calibrated model"),
        pytest.param({}, {}, False, id="a refusal"),
    ],
)
async def test_a_statement_is_claimed_by_the_choice_or_how_likely_it_is(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch, likely: Any, least: Any, is_claimed: bool
) -> None:
    monkeypatch.setattr(support, "CALIBRATED", least)
    server.likely = likely
    claims = (await decided(server)).answer.statements
    assert [one.text for one in claims] == ([RULE] if is_claimed else [])


async def test_all_statements_are_one_request_which_is_counted(server: ModelServer) -> None:
    server.likely = {"yes": 1.0}
    usage = (await decided(server)).usage
    (body,) = server.decisions
    (question,) = body["questions"]
    assert (body["model"], question["type"], question["name"]) == ("luna", "choice", "s1")
    assert {"yes", "no", "not stated"} <= {choice["value"] for choice in question["choices"]}
    assert (usage.calls, usage.output_tokens) == (4, 3 * 1 + 7)


async def test_a_busy_server_is_asked_again_and_a_silent_one_is_not_waited_for(server: ModelServer) -> None:
    async def silent(request: Any, body: Any) -> Any:
        await asyncio.sleep(60)

    assert (await decided(server, refuses(503, retry_after="0"))).answer.outcome is Outcome.UNPROVEN
    assert len(server.decisions) == 3
    assert (await decided(server, silent, seconds=0.5)).answer.outcome is Outcome.UNPROVEN
