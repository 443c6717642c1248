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
from rag.errors import ConfigurationError, HubPromptUnknown, HubSilent, PromptFormUnfit, PromptPlacesDiffer
from rag.nodes.rewrite import standalone_question
from rag.prompts import PROMPT_FILES, delimited
from rag.prompts import hub as hub_module
from rag.prompts.hub import PULL_SECONDS, chosen_prompts
from tests.langsmith_server import LangSmithServer
from tests.scripted import ScriptedModel

pytestmark = pytest.mark.slow

OWN_WORDS = "Spell out what the conversation leaves open."


def manifest(system: str = OWN_WORDS, user: str = "{conversation}\n{question}", **options: Any) -> Any:
    """A prompt as the hub hands it out."""
    return dumpd(ChatPromptTemplate.from_messages([("system", system), ("user", user)], **options))


def asking(server: LangSmithServer, **overrides: str) -> Settings:
    named = cast(dict[PromptName, str], overrides)
    return Settings(langsmith_endpoint=server.url, langsmith_api_key=SecretStr("key"), prompt_overrides=named)


async def test_a_prompt_of_the_hub_takes_its_files_place_with_its_commit_as_version() -> None:
    async with LangSmithServer({"table/rewrite/live": manifest()}) as server:
        prompts = await chosen_prompts(asking(server, rewrite="table/rewrite:live"))
    prompt = prompts["rewrite"]
    assert (prompt.version, prompt.hub) == ("0f1e2d3c", "table/rewrite:live@0f1e2d3c")
    assert prompts["generate"] == PROMPT_FILES["generate"]


async def test_the_overridden_prompt_is_what_the_model_is_asked() -> None:
    async with LangSmithServer({"table/rewrite/live": manifest()}) as server:
        prompts = await chosen_prompts(asking(server, rewrite="table/rewrite:live"))
    model = ScriptedModel(script={"Rewrite": {"standalone": True, "question": ""}})
    await standalone_question(model, "And that?", [{"question": "Magery?", "answer": "5"}], prompts)
    assert OWN_WORDS in model.prompts_for("Rewrite")[0]


async def test_values_are_escaped_in_an_overridden_prompt_as_well() -> None:
    async with LangSmithServer({"table/rewrite/live": manifest()}) as server:
        prompts = await chosen_prompts(asking(server, rewrite="table/rewrite:live"))
    messages = prompts["rewrite"].messages(
        conversation="</page> {question} <system>", question=delimited("question", "<page>")
    )
    assert messages[1].text == "‹/page› {question} ‹system›\n<question>\n‹page›\n</question>"


async def test_a_prompt_without_an_owner_is_the_workspaces_own_and_the_newest_without_a_tag() -> None:
    async with LangSmithServer({"-/rewrite/latest": manifest()}) as server:
        prompts = await chosen_prompts(asking(server, rewrite="rewrite"))
    assert prompts["rewrite"].hub == "rewrite@0f1e2d3c"


@pytest.mark.parametrize(
    "places", ["{conversation}", "{conversation} {question} {secret}", "{conversation.__class__} {question}"]
)
async def test_other_places_than_the_files_are_refused(places: str, caplog: pytest.LogCaptureFixture) -> None:
    plain = manifest()
    plain["kwargs"]["messages"][1]["kwargs"]["prompt"]["kwargs"]["template"] = places
    plain["kwargs"]["messages"][1]["kwargs"]["prompt"]["kwargs"]["input_variables"] = []
    plain["kwargs"]["input_variables"] = []
    async with LangSmithServer({"table/rewrite/live": plain}) as server:
        prompts = await chosen_prompts(asking(server, rewrite="table/rewrite:live"))
    assert prompts["rewrite"].template == PROMPT_FILES["rewrite"].template
    assert isinstance(prompts["rewrite"].refusal, PromptPlacesDiffer | PromptFormUnfit)
    (line,) = warnings(caplog)
    assert "rewrite" in line


async def test_the_places_that_are_needed_are_named(caplog: pytest.LogCaptureFixture) -> None:
    async with LangSmithServer({"table/rewrite/live": manifest(user="{question}")}) as server:
        prompts = await chosen_prompts(asking(server, rewrite="table/rewrite:live"))
    assert isinstance(prompts["rewrite"].refusal, PromptPlacesDiffer)
    assert warnings(caplog) == [
        "using the prompt file of rewrite: table/rewrite:live does not have the places of the file. "
        "It needs exactly: {conversation} {question}"
    ]


@pytest.mark.parametrize(
    "template",
    [
        manifest("{{{conversation}}}", "{{question}}", template_format="mustache"),
        dumpd(ChatPromptTemplate.from_messages([("placeholder", "{conversation}"), ("user", "{question}")])),
        {"lc": 1, "type": "constructor", "id": ["somebody", "else"], "kwargs": {}},
        {},
    ],
    ids=["mustache", "placeholder", "foreign", "empty"],
)
async def test_whatever_is_not_a_prompt_of_plain_texts_is_refused(template: Any) -> None:
    async with LangSmithServer({"table/rewrite/live": template}) as server:
        prompts = await chosen_prompts(asking(server, rewrite="table/rewrite:live"))
    assert isinstance(prompts["rewrite"].refusal, PromptFormUnfit)


async def test_an_unknown_prompt_is_told_and_the_file_used() -> None:
    async with LangSmithServer() as server:
        prompts = await chosen_prompts(asking(server, rewrite="table/rewrite:live"))
    assert isinstance(prompts["rewrite"].refusal, HubPromptUnknown)


async def test_all_prompts_are_pulled_at_once() -> None:
    async with LangSmithServer({f"-/{name}/latest": manifest() for name in PROMPT_FILES}, 0.3) as server:
        await chosen_prompts(asking(server, **{name: name for name in PROMPT_FILES}))
    assert server.most_at_once == len(server.requests) == len(PROMPT_FILES)


async def test_a_silent_hub_costs_the_deadline_once_and_one_line(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(hub_module, "PULL_SECONDS", 0.2)
    async with LangSmithServer(delay=30.0) as server:
        began = time.monotonic()
        prompts = await chosen_prompts(asking(server, **{name: name for name in PROMPT_FILES}))
        assert time.monotonic() - began < PULL_SECONDS
    assert all(isinstance(prompt.refusal, HubSilent) for prompt in prompts.values())
    assert warnings(caplog) == [
        "using the prompt file of rewrite, sub_questions, sufficiency, generate, support: "
        "LangSmith's hub did not answer."
    ]


async def test_a_hub_that_is_gone_costs_no_time() -> None:
    settings = Settings(langsmith_endpoint="http://127.0.0.1:9", prompt_overrides={"generate": "mine:live"})
    began = time.monotonic()
    prompts = await chosen_prompts(settings)
    assert time.monotonic() - began < PULL_SECONDS
    assert isinstance(prompts["generate"].refusal, HubSilent)


async def test_without_overrides_the_hub_is_not_asked() -> None:
    async with LangSmithServer() as server:
        assert await chosen_prompts(asking(server)) is PROMPT_FILES
    assert server.requests == []


def test_overrides_are_read_as_people_type_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROMPT_OVERRIDES", "generate=table/answer:live,  sufficiency = mine ,")
    assert load_settings().prompt_overrides == {"generate": "table/answer:live", "sufficiency": "mine"}


@pytest.mark.parametrize("value", ["generate", "generate=", "answer=mine", "generate=a=b"])
def test_a_mistyped_override_names_the_variable(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROMPT_OVERRIDES", value)
    with pytest.raises(ConfigurationError) as error:
        load_settings()
    assert error.value.values["variable"] == "PROMPT_OVERRIDES"


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    records: Iterable[logging.LogRecord] = caplog.records
    return [record.getMessage() for record in records if record.levelno >= logging.WARNING]
