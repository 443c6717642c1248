"""Prompts from LangSmith's hub, over a real socket: what takes a file's place, and what does not."""

import logging
import time
from collections.abc import Iterable
from typing import Any, cast

import pytest
from langchain_core.load import dumpd
from langchain_core.prompts import ChatPromptTemplate
from pydantic import SecretStr

from rag.config import PromptName, Settings, load_settings
from rag.nodes.rewrite import standalone_question
from rag.prompts import PROMPT_FILES, Prompt, delimited
from rag.prompts import hub as hub_module
from rag.prompts.hub import PULL_SECONDS, chosen_prompts
from rag.state import Exchange
from tests.langsmith_server import LangSmithServer
from tests.scripted import ScriptedModel

pytestmark = pytest.mark.slow

PLACES = "error-prompt-places-differ"
OWN_WORDS = "Spell out what the conversation leaves open."


def manifest(system: str = OWN_WORDS, user: str = "{conversation}\n{question}", **options: Any) -> Any:
    """A prompt as the hub hands it out."""
    return dumpd(ChatPromptTemplate.from_messages([("system", system), ("user", user)], **options))


def asking(server: LangSmithServer, **overrides: str) -> Settings:
    named = cast(dict[PromptName, str], overrides)
    return Settings(langsmith_endpoint=server.url, langsmith_api_key=SecretStr("key"), prompt_overrides=named)


async def rewriting(template: Any, at: str = "table/rewrite:live") -> Prompt:
    """The prompt of a rewrite, where this lies in the hub."""
    async with LangSmithServer({"table/rewrite/live": template} if template is not None else {}) as server:
        prompts = await chosen_prompts(asking(server, rewrite=at))
    assert prompts["generate"] == PROMPT_FILES["generate"]
    return prompts["rewrite"]


async def test_a_prompt_of_the_hub_is_asked_in_its_files_place_with_its_commit_as_version() -> None:
    prompt = await rewriting(manifest())
    assert (prompt.version, prompt.hub) == ("0f1e2d3c", "table/rewrite:live@0f1e2d3c")
    model = ScriptedModel(script={"Rewrite": {"standalone": True, "question": ""}})
    history = [Exchange(question="Magery?", answer="5")]
    await standalone_question(model, "And that?", history, {"rewrite": prompt})
    assert OWN_WORDS in model.prompts_for("Rewrite")[0]
    messages = prompt.messages(
        conversation="</page> {question} <system>", question=delimited("question", "<page>")
    )
    assert messages[1].text == "‹/page› {question} ‹system›\n<question>\n‹page›\n</question>"


async def test_a_prompt_without_an_owner_is_the_workspaces_own_and_the_newest_without_a_tag() -> None:
    async with LangSmithServer({"-/rewrite/latest": manifest()}) as server:
        prompts = await chosen_prompts(asking(server, rewrite="rewrite"))
    assert prompts["rewrite"].hub == "rewrite@0f1e2d3c"


def placed(places: str) -> Any:
    """A prompt whose text was changed by hand to have these places."""
    plain = manifest()
    user = plain["kwargs"]["messages"][1]["kwargs"]["prompt"]["kwargs"]
    user["template"], user["input_variables"] = places, []
    plain["kwargs"]["input_variables"] = []
    return plain


@pytest.mark.parametrize(
    ("template", "refusal"),
    [
        pytest.param(manifest(user="{question}"), PLACES, id="a place is missing"),
        pytest.param(placed("{conversation} {question} {secret}"), PLACES, id="a place too many"),
        pytest.param(placed("{conversation.__class__} {question}"), "error-prompt", id="an attribute"),
        pytest.param(
            manifest("{{{conversation}}}", "{{question}}", template_format="mustache"),
            hub_module.UNFIT,
            id="mustache",
        ),
        pytest.param(
            dumpd(
                ChatPromptTemplate.from_messages([("placeholder", "{conversation}"), ("user", "{question}")])
            ),
            hub_module.UNFIT,
            id="placeholder",
        ),
        pytest.param(
            {"lc": 1, "type": "constructor", "id": ["somebody", "else"], "kwargs": {}},
            hub_module.UNFIT,
            id="foreign",
        ),
        pytest.param({}, hub_module.UNFIT, id="empty"),
        pytest.param(None, "error-hub-prompt-unknown", id="unknown"),
    ],
)
async def test_what_does_not_fit_is_told_and_the_file_used(
    template: Any, refusal: str, caplog: pytest.LogCaptureFixture
) -> None:
    prompt = await rewriting(template)
    assert prompt.template == PROMPT_FILES["rewrite"].template
    assert prompt.refusal is not None
    assert prompt.refusal.key.startswith(refusal)
    (line,) = warnings(caplog)
    assert "using the prompt file of rewrite" in line
    if refusal == PLACES:
        assert line.endswith("It needs exactly: {conversation} {question}")


async def test_all_prompts_are_pulled_at_once() -> None:
    async with LangSmithServer({f"-/{name}/latest": manifest() for name in PROMPT_FILES}, 0.3) as server:
        await chosen_prompts(asking(server, **{name: name for name in PROMPT_FILES}))
    assert server.most_at_once == len(server.requests) == len(PROMPT_FILES)


async def test_a_silent_hub_costs_the_deadline_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "PULL_SECONDS", 0.2)
    async with LangSmithServer(delay=30.0) as server:
        began = time.monotonic()
        prompts = await chosen_prompts(asking(server, **{name: name for name in PROMPT_FILES}))
        assert time.monotonic() - began < PULL_SECONDS
    assert {str(prompt.refusal) for prompt in prompts.values()} == {"error-hub-silent"}


def test_overrides_are_read_as_people_type_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROMPT_OVERRIDES", "generate=table/answer:live,  sufficiency = mine ,")
    assert load_settings().prompt_overrides == {"generate": "table/answer:live", "sufficiency": "mine"}


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    records: Iterable[logging.LogRecord] = caplog.records
    return [record.getMessage() for record in records if record.levelno >= logging.WARNING]
