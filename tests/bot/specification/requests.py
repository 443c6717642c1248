"""A request, checked against the schema of its route and then against the rules of its kind."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
from discord import InteractionResponseType

from .commands import check_choices, check_command, check_commands
from .components import check_modal
from .messages import check_message
from .violations import SchemaViolation, UnknownRoute, check_text

OPENAPI = Path(__file__).parent.parent / "openapi.json"
DOCUMENT = "urn:discord"
THREAD_NAME = 100

MESSAGES = "/channels/{channel_id}/messages"
MESSAGE = "/channels/{channel_id}/messages/{message_id}"
FOLLOWUPS = "/webhooks/{webhook_id}/{webhook_token}"
CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
CHANNEL = "/channels/{channel_id}"
THREADS = ("/channels/{channel_id}/threads", "/channels/{channel_id}/messages/{message_id}/threads")
COMMANDS = (
    "/applications/{application_id}/commands",
    "/applications/{application_id}/guilds/{guild_id}/commands",
)

Payload = dict[str, Any]


def check_request(method: str, path: str, body: Any = None) -> None:
    """Check the body of one request to Discord's HTTP API.

    `path` may carry the API's base address and a query. `body` is the decoded JSON, None where there
    is none, or the parts of a multipart form by name: `payload_json`, and `files[0]`, `files[1]` … with
    any value. Raises a `SpecificationViolation` whose text names the rule.
    """
    route = _route(method, path)
    payload, files = _parts(body)
    _check_schema(method, route, payload)
    if payload:
        _check_rules(method, route, payload, files)


def _parts(body: Any) -> tuple[Any, list[str]]:
    """The JSON of a body, and the names of the files beside it."""
    if not isinstance(body, dict):
        return body, []
    files = [name for name in body if name.startswith("files[")]
    if "payload_json" in body:
        return json.loads(body["payload_json"]), files
    return ({name: body[name] for name in body if name not in files} if files else body), files


# --- the schema ---------------------------------------------------------------------------------


@cache
def _document() -> Payload:
    document: Payload = json.loads(OPENAPI.read_text(encoding="utf-8"))
    # Discord reads ids written as numbers as well, and discord.py writes them so.
    document["components"]["schemas"]["SnowflakeType"] = {"type": ["string", "integer"]}
    return document


@cache
def _registry() -> jsonschema_rs.Registry:
    return jsonschema_rs.Registry([(DOCUMENT, _document())], draft=jsonschema_rs.Draft202012)


def _route(method: str, path: str) -> str:
    """The template of the specification that the path fits, literal segments first."""
    segments = path.partition("?")[0].partition("/api/v10")[2] or path.partition("?")[0]
    wanted = segments.strip("/").split("/")
    fitting: list[str] = [
        template
        for template, operations in _document()["paths"].items()
        if method.lower() in operations and _fits(template.strip("/").split("/"), wanted)
    ]
    if not fitting:
        raise UnknownRoute(f"{method} {path}: no such route in Discord's specification")
    return min(fitting, key=lambda template: template.count("{"))


def _fits(template: list[str], segments: list[str]) -> bool:
    return len(template) == len(segments) and all(
        expected.startswith("{") or expected == segment
        for expected, segment in zip(template, segments, strict=True)
    )


def _check_schema(method: str, route: str, payload: Any) -> None:
    request = _document()["paths"][route][method.lower()].get("requestBody")
    if request is None:
        if payload:
            raise SchemaViolation(f"{method} {route}: takes no body")
        return
    if payload is None:
        if request.get("required"):
            raise SchemaViolation(f"{method} {route}: needs a body")
        return
    errors = _validator(method.lower(), route).iter_errors(payload)
    leaves = [leaf for error in errors for leaf in _leaves(error)]
    if leaves:
        worst = max(leaves, key=lambda leaf: len(leaf.instance_path))
        place = "/".join(map(str, worst.instance_path))
        raise SchemaViolation(f"{method} {route}: at {place or 'the body'}: {worst.message[:300]}")


@cache
def _validator(method: str, route: str) -> jsonschema_rs.Draft202012Validator:
    pointer = route.replace("~", "~0").replace("/", "~1").replace("{", "%7B").replace("}", "%7D")
    schema = f"{DOCUMENT}#/paths/{pointer}/{method}/requestBody/content/application~1json/schema"
    return jsonschema_rs.Draft202012Validator({"$ref": schema}, registry=_registry(), validate_formats=True)


def _leaves(error: jsonschema_rs.ValidationError) -> Iterator[jsonschema_rs.ValidationError]:
    """The innermost errors: below a failed `oneOf` the one that lies deepest tells the most."""
    branches = getattr(error.kind, "context", None) or []
    inner = [leaf for branch in branches for cause in branch for leaf in _leaves(cause)]
    yield from inner or [error]


# --- the rules beside it ------------------------------------------------------------------------


def _check_rules(method: str, route: str, payload: Any, files: list[str]) -> None:
    if route in (MESSAGES, MESSAGE, FOLLOWUPS) or route.startswith(f"{FOLLOWUPS}/messages/"):
        check_message(payload, files, new=method == "POST")
    elif route == CALLBACK:
        _check_callback(payload, files)
    elif route in THREADS or (route == CHANNEL and "name" in payload):
        check_text(payload["name"], THREAD_NAME, "thread name")
        if "message" in payload:
            check_message(payload["message"], files, new=True)
    elif route in COMMANDS:
        check_commands(payload) if isinstance(payload, list) else check_command(payload)


def _check_callback(callback: Payload, files: list[str]) -> None:
    data = callback.get("data") or {}
    kind = callback["type"]
    if kind == InteractionResponseType.channel_message.value:
        check_message(data, files, new=True)
    elif kind == InteractionResponseType.message_update.value:
        check_message(data, files, new=False)
    elif kind == InteractionResponseType.autocomplete_result.value:
        check_choices(data.get("choices") or [], "autocomplete")
    elif kind == InteractionResponseType.modal.value:
        check_modal(data)
