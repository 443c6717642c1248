"""Each rule of the specification with a body that keeps it and one that breaks it."""

from typing import Any

import pytest

from tests.bot.specification import (
    CommandViolation,
    ComponentViolation,
    EmptyText,
    LimitExceeded,
    MentionsNotSuppressed,
    ModalViolation,
    SchemaViolation,
    SpecificationViolation,
    check_request,
)

Body = Any

SEND = ("POST", "/channels/1/messages")
CALLBACK = ("POST", "/interactions/1/token/callback")
SYNC = ("PUT", "/applications/1/commands")
THREAD = ("POST", "/channels/1/messages/2/threads")
CAT = "\N{CAT FACE}"  # one code point, two UTF-16 code units


def message(**parts: Body) -> Body:
    return {"content": "Yes.", "allowed_mentions": {"parse": []}} | parts


def embed(**parts: Body) -> Body:
    return message(embeds=[{"title": "Grappling"} | parts])


def fields(*pairs: tuple[str, str]) -> Body:
    return embed(fields=[{"name": name, "value": value} for name, value in pairs])


def button(custom_id: str = "more", **parts: Body) -> Body:
    return {"type": 2, "style": 2, "label": "More", "custom_id": custom_id} | parts


def row(*components: Body) -> Body:
    return {"type": 1, "components": list(components)}


def buttons(*components: Body) -> Body:
    return message(components=[row(*components)])


def mentioning(parse: list[str], replied_user: bool = False) -> Body:
    return message(allowed_mentions={"parse": parse, "replied_user": replied_user})


def command(**parts: Body) -> Body:
    return [{"name": "rules", "description": "Ask the rules"} | parts]


def described_in(locale: str) -> Body:
    return command(description_localizations={locale: "Pergunte"})


def option(name: str = "question", **parts: Body) -> Body:
    return {"type": 3, "name": name, "description": "What to settle"} | parts


def options(*given: Body) -> Body:
    return command(options=list(given))


def completion(text: str) -> Body:
    return {"type": 8, "data": {"choices": [{"name": text, "value": text}]}}


def modal(*inputs: str, title: str = "Follow up", label: str = "Question") -> Body:
    typed = [row({"type": 4, "custom_id": one, "style": 2, "label": label}) for one in inputs]
    return {"type": 9, "data": {"title": title, "custom_id": "follow", "components": typed}}


LONG, SHORT = {"description": "x" * 3000}, {"title": "x"}
COMPLETED, NEEDED = option(autocomplete=True), option("a", required=True)
CHOICE = {"name": "Powers", "value": "powers"}
Rule = tuple[tuple[str, str], Body, Body, type[SpecificationViolation]]
RULES: dict[str, Rule] = {
    "content": (SEND, message(content=CAT * 1000), message(content=CAT * 1001), LimitExceeded),
    "embed title": (SEND, embed(title="x" * 256), embed(title="x" * 257), SchemaViolation),
    "field value": (SEND, fields(("a", CAT * 512)), fields(("a", CAT * 513)), LimitExceeded),
    "all embeds": (SEND, message(embeds=[LONG] * 2), message(embeds=[LONG] * 2 + [SHORT]), LimitExceeded),
    "embed shows": (SEND, embed(), message(embeds=[{"color": 1}]), EmptyText),
    "message shows": (SEND, message(), {"allowed_mentions": {"parse": []}}, EmptyText),
    "mentions given": (SEND, message(), {"content": "@everyone"}, MentionsNotSuppressed),
    "nobody is pinged": (SEND, mentioning([]), mentioning(["users"]), MentionsNotSuppressed),
    "nor by a reply": (SEND, mentioning([], False), mentioning([], True), MentionsNotSuppressed),
    "ids": (SEND, buttons(button("a"), button("b")), buttons(button("a"), button("a")), ComponentViolation),
    "button has a face": (SEND, buttons(button()), buttons(button(label=None)), ComponentViolation),
    "thread name": (THREAD, {"name": CAT * 50}, {"name": CAT * 51}, LimitExceeded),
    "completion": (CALLBACK, completion(CAT * 49), completion(CAT * 51), LimitExceeded),
    "1 to 5 inputs": (CALLBACK, modal(*"abcde"), modal(*"abcdef"), ModalViolation),
    "inputs": (CALLBACK, modal("a", "b"), modal("a", "a"), ComponentViolation),
    "command name": (SYNC, command(name="कानून"), command(name="ask rules"), CommandViolation),
    "lower case": (SYNC, command(name="regras"), command(name="Regras"), CommandViolation),
    "description shows": (SYNC, command(), command(description=""), EmptyText),
    "locales": (SYNC, described_in("pt-BR"), described_in("pt"), CommandViolation),
    "choices": (SYNC, options(COMPLETED), options(COMPLETED | {"choices": [CHOICE]}), CommandViolation),
    "options": (SYNC, options(option("a"), option("b")), options(option("a"), option("a")), CommandViolation),
    "required first": (SYNC, options(NEEDED, option("b")), options(option("b"), NEEDED), CommandViolation),
    "names": (SYNC, command() + command(name="status"), command() + command(), CommandViolation),
    "type of a value": (SEND, message(embeds=[SHORT]), message(content=5), SchemaViolation),
    "a body": (SEND, message(), None, SchemaViolation),
    "no body": (("POST", "/channels/1/typing"), None, {"content": "x"}, SchemaViolation),
}


@pytest.mark.parametrize(("request_line", "kept", "broken", "violation"), RULES.values(), ids=RULES)
def test_accepts_what_keeps_a_rule_and_refuses_what_breaks_it(
    request_line: tuple[str, str], kept: Body, broken: Body, violation: type[SpecificationViolation]
) -> None:
    check_request(*request_line, kept)
    with pytest.raises(violation):
        check_request(*request_line, broken)


@pytest.mark.parametrize(
    ("method", "path", "wrap"),
    [
        ("PATCH", "/channels/1/messages/2", lambda body: body),
        ("POST", "/webhooks/1/token", lambda body: body),
        ("PATCH", "/webhooks/1/token/messages/@original", lambda body: body),
        ("PATCH", "/webhooks/1/token/messages/3", lambda body: body),
        ("POST", "/interactions/1/token/callback", lambda body: {"type": 4, "data": body}),
        ("POST", "/interactions/1/token/callback", lambda body: {"type": 7, "data": body}),
        ("POST", "/channels/1/threads", lambda body: {"name": "Grappling", "message": body}),
    ],
)
def test_every_way_to_send_or_edit_a_message_has_the_rules_of_messages(
    method: str, path: str, wrap: Any
) -> None:
    check_request(method, path, wrap(message()))
    with pytest.raises(LimitExceeded):
        check_request(method, path, wrap(message(content=CAT * 1001)))
