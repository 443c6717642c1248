"""The order of methods and the reader of replies, without a server."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from rag.errors import ModelDeclined, ModelError, ReplyCutOff, ReplyFiltered, UnusableReply
from rag.models.structured_output import (
    Method,
    MethodOrder,
    fill,
    filled_from,
    read,
    reply_tokens,
    request_for,
    response_format,
    text_of,
)
from rag.prompts import load_prompt
from rag.state import Sufficiency
from tests.scripted import ScriptedModel

verdicts = st.builds(Sufficiency, sufficient=st.booleans(), new_queries=st.lists(st.text(), max_size=4))
prose = st.text(st.characters(exclude_characters="{"), max_size=80)
indents = st.sampled_from([None, 2])
MESSAGES = load_prompt("rewrite").messages(conversation="", question="{odd} braces")


@given(verdict=verdicts, before=prose, after=st.text(max_size=80), indent=indents, escapes=st.booleans())
def test_an_object_is_read_through_whatever_stands_around_it(
    verdict: Sufficiency, before: str, after: str, indent: int | None, escapes: bool
) -> None:
    written = json.dumps(verdict.model_dump(), indent=indent, ensure_ascii=escapes)
    assert read(f"{before}{written}{after}", Sufficiency) == verdict


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read(text, Sufficiency)
    except UnusableReply:
        assert '"sufficient"' not in text


@pytest.mark.parametrize(
    ("reply", "failure"),
    [
        (AIMessage(""), UnusableReply),
        (AIMessage("", additional_kwargs={"refusal": "I cannot."}), ModelDeclined),
        (AIMessage("", response_metadata={"finish_reason": "content_filter"}), ReplyFiltered),
        (AIMessage("{}", response_metadata={"finish_reason": "length"}), ReplyCutOff),
    ],
)
def test_a_reply_without_a_text_says_why(reply: AIMessage, failure: type[ModelError]) -> None:
    with pytest.raises(failure):
        text_of(reply)


def test_native_structured_output_requires_every_field_and_no_other() -> None:
    schema = response_format(Sufficiency)["json_schema"]["schema"]
    assert (schema["required"], schema["additionalProperties"]) == (["sufficient", "new_queries"], False)


@pytest.mark.parametrize(
    ("method", "form"), [(Method.JSON, {"response_format": {"type": "json_object"}}), (Method.PLAIN, {})]
)
def test_the_later_methods_carry_the_schema_behind_what_prompts_have_in_common(
    method: Method, form: dict[str, object]
) -> None:
    request = request_for(method, MESSAGES, Sufficiency)
    assert request.arguments == form | {"max_tokens": reply_tokens(Sufficiency)}
    assert json.dumps(Sufficiency.model_json_schema()) in request.messages[-1].text
    assert request.messages[:-1] == MESSAGES[:-1]


def test_two_such_replies_in_a_row_do() -> None:
    order = MethodOrder()
    order.worked(Method.JSON)
    order.worked(Method.PLAIN)
    assert order.methods == (Method.PLAIN,)


async def test_a_model_that_never_fits_is_asked_once_in_each_form() -> None:
    model = ScriptedModel(script={"Sufficiency": {"verdict": "fine"}})
    with pytest.raises(UnusableReply):
        await fill(model, load_prompt("rewrite"), Sufficiency, conversation="", question="")
    assert len(model.prompts) == len(Method)


async def test_whatever_another_model_raises_is_a_model_error() -> None:
    model = ScriptedModel(script={"Sufficiency": ZeroDivisionError()})
    with pytest.raises(ModelError):
        await fill(model, load_prompt("rewrite"), Sufficiency, conversation="", question="")
    assert len(model.prompts) == 1


@pytest.mark.parametrize(
    "thoughts",
    [
        '<think>Perhaps {"sufficient": true}?</think>',
        '\n<think>\n{"sufficient": true}\n</think>\n',
        'Perhaps {"sufficient": true}?</think>',
    ],
)
def test_what_a_model_thinks_first_is_not_its_reply(thoughts: str) -> None:
    assert not read(f'{thoughts}{{"sufficient": false, "new_queries": []}}', Sufficiency).sufficient


def test_a_reply_that_never_ends_to_think_is_none() -> None:
    with pytest.raises(UnusableReply):
        read('<think>Perhaps {"sufficient": true}?', Sufficiency)


def test_what_a_model_hands_to_a_tool_is_its_reply() -> None:
    call = {"name": "Sufficiency", "args": {"sufficient": True, "new_queries": []}, "id": "1"}
    reply = AIMessage("", tool_calls=[call])
    assert filled_from(reply, Sufficiency) == Sufficiency(sufficient=True)


@pytest.mark.parametrize(
    ("queries", "read_as"),
    [("a", ["a"]), ({"1": "a"}, ["a"]), ([{"query": "a"}, 1, ["b"]], ["a", "b"])],
)
def test_queries_are_read_however_they_are_listed(queries: object, read_as: list[str]) -> None:
    reply = json.dumps({"sufficient": False, "new_queries": queries})
    assert read(reply, Sufficiency).new_queries == read_as


def test_null_is_read_as_no_queries() -> None:
    assert read('{"sufficient": false, "new_queries": null}', Sufficiency).new_queries == []
