"""Each rule of the specification with a body that keeps it and one that breaks it."""

import json
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
    UnknownRoute,
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


def rows(*components: Body) -> Body:
    return message(components=[row(*components)])


def command(**parts: Body) -> Body:
    return [{"name": "rules", "description": "Ask the rules"} | parts]


def option(name: str = "question", **parts: Body) -> Body:
    return {"type": 3, "name": name, "description": "What to settle"} | parts


def options(*given: Body) -> Body:
    return command(options=list(given))


def choices(count: int, text: str = "Powers") -> list[Body]:
    return [{"name": text, "value": f"{text}{number}"} for number in range(count)]


def completion(count: int, text: str = "Powers") -> Body:
    return {"type": 8, "data": {"choices": choices(count, text)}}


def text_input(custom_id: str = "question", **parts: Body) -> Body:
    return row({"type": 4, "custom_id": custom_id, "style": 2, "label": "Question"} | parts)


def modal(*components: Body, title: str = "Follow up") -> Body:
    return {"type": 9, "data": {"title": title, "custom_id": "follow", "components": list(components)}}


def huge_command(letters: int) -> Body:
    described = [option(f"o{n}", description="d" * 100, choices=choices(25, "c" * 90)) for n in range(25)]
    return options(*described[: letters // 4500])


RULES: list[tuple[str, tuple[str, str], Body, Body, type[SpecificationViolation]]] = [
    ("content 2000", SEND, message(content="x" * 2000), message(content="x" * 2001), LimitExceeded),
    ("content in UTF-16", SEND, message(content=CAT * 1000), message(content=CAT * 1001), LimitExceeded),
    ("embed title 256", SEND, embed(title="x" * 256), embed(title="x" * 257), SchemaViolation),
    ("title in UTF-16", SEND, embed(title=CAT * 128), embed(title=CAT * 129), LimitExceeded),
    ("description", SEND, embed(description=CAT * 2048), embed(description=CAT * 2049), LimitExceeded),
    ("footer", SEND, embed(footer={"text": CAT * 1024}), embed(footer={"text": CAT * 1025}), LimitExceeded),
    ("author", SEND, embed(author={"name": CAT * 128}), embed(author={"name": CAT * 129}), LimitExceeded),
    ("field name", SEND, fields((CAT * 128, "b")), fields((CAT * 129, "b")), LimitExceeded),
    ("field value", SEND, fields(("a", CAT * 512)), fields(("a", CAT * 513)), LimitExceeded),
    ("field name shows", SEND, fields(("a", "b")), fields((" ", "b")), EmptyText),
    ("field value shows", SEND, fields(("a", "b")), fields(("a", "")), EmptyText),
    (
        "6000 over all embeds",
        SEND,
        message(embeds=[{"description": "x" * 3000}] * 2),
        message(embeds=[{"description": "x" * 3000}, {"description": "x" * 3000, "title": "y"}]),
        LimitExceeded,
    ),
    ("embed shows", SEND, embed(), message(embeds=[{"color": 1}]), EmptyText),
    ("message shows", SEND, message(), {"allowed_mentions": {"parse": []}}, EmptyText),
    ("mentions given", SEND, message(), {"content": "@everyone"}, MentionsNotSuppressed),
    (
        "mentions empty",
        SEND,
        message(),
        message(allowed_mentions={"parse": ["users"]}),
        MentionsNotSuppressed,
    ),
    (
        "nobody is pinged by a reply",
        SEND,
        message(allowed_mentions={"parse": [], "replied_user": False}),
        message(allowed_mentions={"parse": [], "replied_user": True}),
        MentionsNotSuppressed,
    ),
    (
        "custom_id unique",
        SEND,
        rows(button("a"), button("b")),
        rows(button("a"), button("a")),
        ComponentViolation,
    ),
    (
        "5 rows",
        SEND,
        message(components=[row(button(str(n))) for n in range(5)]),
        message(components=[row(button(str(n))) for n in range(6)]),
        LimitExceeded,
    ),
    ("button label", SEND, rows(button(label=CAT * 40)), rows(button(label=CAT * 41)), LimitExceeded),
    ("button has a face", SEND, rows(button()), rows(button(label=None)), ComponentViolation),
    ("thread name in UTF-16", THREAD, {"name": CAT * 50}, {"name": CAT * 51}, LimitExceeded),
    ("thread name shows", THREAD, {"name": "x"}, {"name": "  "}, EmptyText),
    ("completion 100", CALLBACK, completion(1, CAT * 49), completion(1, CAT * 51), LimitExceeded),
    (
        "modal title in UTF-16",
        CALLBACK,
        modal(text_input(), title=CAT * 22),
        modal(text_input(), title=CAT * 23),
        LimitExceeded,
    ),
    (
        "1 to 5 inputs",
        CALLBACK,
        modal(*[text_input(str(n)) for n in range(5)]),
        modal(*[text_input(str(n)) for n in range(6)]),
        ModalViolation,
    ),
    (
        "input ids unique",
        CALLBACK,
        modal(text_input("a"), text_input("b")),
        modal(text_input("a"), text_input("a")),
        ComponentViolation,
    ),
    (
        "input label",
        CALLBACK,
        modal(text_input(label="x" * 45)),
        modal(text_input(label=CAT * 23)),
        LimitExceeded,
    ),
    ("command name", SYNC, command(name="rules"), command(name="ask rules"), CommandViolation),
    ("command name in any script", SYNC, command(name="कानून"), command(name="rules!"), CommandViolation),
    ("command name lower case", SYNC, command(name="regras"), command(name="Regras"), CommandViolation),
    (
        "a menu entry may be a sentence",
        SYNC,
        [{"name": "Ask the rules", "type": 3}],
        command(name="Ask the rules"),
        CommandViolation,
    ),
    ("description 1", SYNC, command(), command(description=""), EmptyText),
    (
        "locales of Discord",
        SYNC,
        command(description_localizations={"pt-BR": "Pergunte"}),
        command(description_localizations={"pt": "Pergunte"}),
        CommandViolation,
    ),
    (
        "translated names keep the pattern",
        SYNC,
        command(name_localizations={"pt-BR": "regras"}),
        command(name_localizations={"pt-BR": "As Regras"}),
        CommandViolation,
    ),
    (
        "choices or completion",
        SYNC,
        options(option(autocomplete=True)),
        options(option(autocomplete=True, choices=choices(1))),
        CommandViolation,
    ),
    (
        "option names unique",
        SYNC,
        options(option("a"), option("b")),
        options(option("a"), option("a")),
        CommandViolation,
    ),
    (
        "required options first",
        SYNC,
        options(option("a", required=True), option("b")),
        options(option("a"), option("b", required=True)),
        CommandViolation,
    ),
    (
        "subcommands do not mix with options",
        SYNC,
        options(option("rules", type=1), option("check", type=1)),
        options(option("rules", type=1), option("question")),
        CommandViolation,
    ),
    ("command 8000", SYNC, huge_command(4500), huge_command(9000), LimitExceeded),
    ("names unique", SYNC, command() + command(name="status"), command() + command(), CommandViolation),
    (
        "the type of a value",
        SEND,
        message(content=None, embeds=[{"title": "x"}]),
        message(content=5),
        SchemaViolation,
    ),
    ("a body where one is needed", SEND, message(), None, SchemaViolation),
    ("no body where none is taken", ("POST", "/channels/1/typing"), None, {"content": "x"}, SchemaViolation),
]


@pytest.mark.parametrize(
    ("request_line", "kept"), [(rule[1], rule[2]) for rule in RULES], ids=[rule[0] for rule in RULES]
)
def test_accepts_what_keeps_the_rule(request_line: tuple[str, str], kept: Body) -> None:
    check_request(*request_line, kept)


@pytest.mark.parametrize(
    ("request_line", "broken", "violation"),
    [(rule[1], *rule[3:]) for rule in RULES],
    ids=[rule[0] for rule in RULES],
)
def test_refuses_what_breaks_the_rule(
    request_line: tuple[str, str], broken: Body, violation: type[SpecificationViolation]
) -> None:
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


def test_an_edit_that_only_takes_the_buttons_away_needs_no_mentions() -> None:
    check_request("PATCH", "/channels/1/messages/2", {"components": []})


def test_reads_the_json_part_of_a_form_and_counts_its_files() -> None:
    payload = message(content="", attachments=[{"id": 0, "filename": "page.png"}])
    check_request(*SEND, {"payload_json": json.dumps(payload), "files[0]": b"png"})
    with pytest.raises(SpecificationViolation, match=r"files\[1\]"):
        check_request(*SEND, {"payload_json": json.dumps(payload), "files[0]": b"png", "files[1]": b"png"})


def test_takes_whole_addresses_with_a_query() -> None:
    check_request("POST", "http://127.0.0.1:1/api/v10/webhooks/1/token?wait=true", message())


def test_refuses_routes_that_discord_does_not_have() -> None:
    with pytest.raises(UnknownRoute, match="/channels/1/answers"):
        check_request("POST", "/channels/1/answers", {})


def test_says_where_a_body_breaks_the_schema() -> None:
    with pytest.raises(SchemaViolation, match="embeds/0/title"):
        check_request(*CALLBACK, {"type": 4, "data": embed(title=5)})
