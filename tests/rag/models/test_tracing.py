"""What arrives at LangSmith, over a real socket, and that nothing does while it is not asked for."""

import asyncio
import json
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from pydantic import SecretStr

from rag.config import Settings
from rag.errors import ConfigurationError
from rag.models.tracing import FLUSH_SECONDS, tracing
from rag.prompts import PROMPT_FILES
from tests.conftest import SAMPLE_BOOKS, clean_environment
from tests.langsmith_server import LangSmithServer
from tests.model_server import ModelServer, Scripted, refuses
from tests.rag.chat import Talk
from tests.rag.models.one_rule import asked, rules_graph_at
from tests.scripted import Script, drafted, page

KEY = "key-for-langsmith"
THREAD = "thread-of-the-table"
DEAD = "http://127.0.0.1:9"
QUESTION = "How much does Tidesense 3 cost?"
BUSY_MACHINE_SECONDS = 3.0
SCRIPT: Script = {
    "Rewrite": {"standalone": True, "question": ""},
    "SubQuestions": {"sub_questions": ["price of Magery"]},
    "Sufficiency": [
        {"sufficient": False, "new_queries": ["Magery levels"]},
        {"sufficient": True, "new_queries": []},
    ],
    "Draft": lambda prompt: drafted(prompt, ("Magery is never sold.", "Magery costs 5 points.")),
    "SupportVerdicts": {"supports": [{"id": "s1", "verdict": "no"}]},
}
"""The statement is one that code suspects, so that every prompt is asked."""
MODEL: dict[str, Scripted] = {
    "SubQuestions": {"sub_questions": []},
    "Sufficiency": {"sufficient": True, "new_queries": []},
    "Draft": {"statements": [], "missing": None},
}


@pytest_asyncio.fixture
async def server() -> AsyncIterator[LangSmithServer]:
    async with LangSmithServer() as running:
        yield running


def traced(server: LangSmithServer) -> Settings:
    return Settings(langsmith_tracing=True, langsmith_api_key=SecretStr(KEY), langsmith_endpoint=server.url)


async def ask(settings: Settings, *questions: str, sent: Callable[[], bool] = lambda: True) -> None:
    """Questions of one thread; `Magery levels` finds a page of its own, so that there is a second hop."""
    costs, levels = page("Magery costs 5 points.", 12), page("Magery has three levels.", 13)
    with tracing(settings):
        talk = Talk({"levels": [levels]}, SCRIPT, fallback=[costs])
        for question in questions:
            await talk.ask(question, THREAD)
        # The end waits for the traces with the loop standing still, and the server is on this loop.
        await until(sent)


async def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20.0
    while not condition():
        assert time.monotonic() < deadline, "it never came"
        await asyncio.sleep(0.02)


def finished(server: LangSmithServer, count: int) -> Callable[[], bool]:
    """Whether the runs of so many questions have arrived, with their ends."""
    return lambda: sum("end_time" in run.facts for run in server.named("question")) == count


async def test_each_question_of_a_conversation_is_a_trace_that_tells_nodes_prompts_and_hops(
    server: LangSmithServer,
) -> None:
    await ask(traced(server), "What does Magery cost?", "And its levels?", sent=finished(server, 2))
    roots = [run for run in server.runs if run.parent is None]
    for root in roots:
        nodes = [run.name for run in server.runs if run.parent == root.id]
        assert (root.name, nodes) == ("question", ["rewrite", "strategy", "generate"])
    assert len(roots) == 2
    told = {(run.metadata["strategy"], run.metadata["thread_id"]) for run in server.runs}
    assert told == {("multi-hop", THREAD)}
    assert all("strategy:multi-hop" in run.tags for run in server.runs)
    calls = [run for run in server.runs if run.facts["run_type"] == "llm"]
    for run in calls:
        assert (run.metadata["prompt"], run.metadata["prompt_version"]) == (
            run.name,
            PROMPT_FILES[run.name].version,
        )
        assert f"prompt:{run.name}" in run.tags
    assert {run.name: run.metadata["langgraph_node"] for run in calls} == {
        "rewrite": "rewrite",
        "sub_questions": "strategy",
        "sufficiency": "strategy",
        "generate": "generate",
        "support": "generate",
    }
    assert [run.metadata["hop"] for run in server.named("sufficiency")][:2] == [1, 2]
    assert {run.metadata["hop"] for run in server.named("search")} == {1, 2}


async def test_an_endpoint_and_a_key_send_nothing_while_tracing_is_off(server: LangSmithServer) -> None:
    settings = Settings(langsmith_api_key=SecretStr(KEY), langsmith_endpoint=server.url)
    await ask(settings, "What does Magery cost?")
    await asyncio.sleep(0.7)
    assert server.requests == []


def test_tracing_without_a_key_is_one_clear_error() -> None:
    with (
        pytest.raises(ConfigurationError, match="tracing-key-missing"),
        tracing(Settings(langsmith_tracing=True)),
    ):
        pytest.fail("nothing may run untraced")


async def test_the_variables_work_from_the_env_file_and_no_secret_is_in_a_trace(
    server: LangSmithServer, sample_index: Path, checkout: Path
) -> None:
    (checkout / ".env").write_text(
        f"LANGSMITH_TRACING=true\nLANGSMITH_API_KEY={KEY}\nLANGSMITH_ENDPOINT={server.url}\n"
        "LANGSMITH_PROJECT=table\nOPENAI_API_KEY=key-for-the-model\nEMBEDDING_MODEL=embedded\n"
    )
    async with ModelServer(MODEL) as model:
        settings = {"INDEX_DIR": str(sample_index), "LIBRARY_DIR": str(SAMPLE_BOOKS)}
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "rag", "ask", QUESTION, "--json"),
            cwd=checkout,
            env=clean_environment(**settings, OPENAI_BASE_URL=model.url),
            stdout=PIPE,
            stderr=PIPE,
        )
        answer, errors = await process.communicate()
    assert json.loads(answer)
    assert (process.returncode, errors) == (0, b"")
    assert {key for _, key in server.requests} == {KEY}
    assert {run.facts["session_name"] for run in server.runs} == {"table"}
    assert server.named("generate")
    sent = b"".join(server.bodies)
    assert KEY.encode() not in sent
    assert b"key-for-the-model" not in sent


async def test_nothing_that_a_model_server_says_of_a_fault_is_in_a_trace(server: LangSmithServer) -> None:
    async with ModelServer(MODEL, fault=refuses(401, "Incorrect API key provided: sk-secret")) as model:
        with tracing(traced(server)):
            await asked(rules_graph_at(model))
            await until(finished(server, 1))
    assert any("KeyRefused" in str(run.facts.get("error")) for run in server.runs)
    assert b"sk-secret" not in b"".join(server.bodies)


async def test_a_server_that_is_gone_holds_up_the_end_briefly_and_is_told_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    began = time.monotonic()
    await ask(
        Settings(langsmith_tracing=True, langsmith_api_key=SecretStr(KEY), langsmith_endpoint=DEAD), QUESTION
    )
    assert time.monotonic() - began < FLUSH_SECONDS + BUSY_MACHINE_SECONDS
    (line,) = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert "LangSmith" in line
