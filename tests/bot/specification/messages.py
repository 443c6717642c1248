"""Rules for the messages that are sent and edited.

Limits: https://discord.com/developers/docs/resources/message#embed-object-embed-limits
"""

from collections.abc import Iterable
from typing import Any

from .components import check_components
from .violations import (
    EmptyText,
    LimitExceeded,
    MentionsNotSuppressed,
    SpecificationViolation,
    check_count,
    check_length,
    check_text,
    length,
)

CONTENT = 2000
EMBEDS = 10
EMBED_TOTAL = 6000
TITLE = 256
DESCRIPTION = 4096
FIELDS = 25
FIELD_NAME = 256
FIELD_VALUE = 1024
FOOTER = 2048
AUTHOR = 256
FILES = 10
VISIBLE = ("title", "description", "fields", "footer", "author", "image", "thumbnail")

Payload = dict[str, Any]


def check_message(message: Payload, files: Iterable[str] = (), *, new: bool) -> None:
    """Check a message as it is sent (`new`) or edited; `files` are the names of the uploaded parts.

    Raises a `SpecificationViolation`.
    """
    embeds = message.get("embeds") or []
    check_length(message.get("content"), CONTENT, "content")
    _check_embeds(embeds)
    check_components(message.get("components") or [])
    _check_files(message.get("attachments") or [], list(files))
    if new:
        _check_not_empty(message, files)
    if embeds or message.get("content"):
        _check_mentions(message.get("allowed_mentions"))


def _check_embeds(embeds: list[Payload]) -> None:
    check_count(len(embeds), EMBEDS, "embeds")
    for number, embed in enumerate(embeds):
        _check_embed(embed, f"embeds[{number}]")
    total = sum(length(text) for embed in embeds for text in _counted_texts(embed))
    if total > EMBED_TOTAL:
        raise LimitExceeded(f"embeds: {total} of at most {EMBED_TOTAL} characters over all embeds")


def _check_embed(embed: Payload, place: str) -> None:
    if not any(embed.get(part) for part in VISIBLE):
        raise EmptyText(f"{place}: an embed must show something")
    check_length(embed.get("title"), TITLE, f"{place}.title")
    check_length(embed.get("description"), DESCRIPTION, f"{place}.description")
    if footer := embed.get("footer"):
        check_text(footer.get("text"), FOOTER, f"{place}.footer.text")
    if author := embed.get("author"):
        check_text(author.get("name"), AUTHOR, f"{place}.author.name")
    fields = embed.get("fields") or []
    check_count(len(fields), FIELDS, f"{place}.fields")
    for number, field in enumerate(fields):
        check_text(field["name"], FIELD_NAME, f"{place}.fields[{number}].name")
        check_text(field["value"], FIELD_VALUE, f"{place}.fields[{number}].value")


def _counted_texts(embed: Payload) -> Iterable[str]:
    yield embed.get("title") or ""
    yield embed.get("description") or ""
    yield (embed.get("footer") or {}).get("text") or ""
    yield (embed.get("author") or {}).get("name") or ""
    for field in embed.get("fields") or []:
        yield field["name"]
        yield field["value"]


def _check_files(attachments: list[Payload], files: list[str]) -> None:
    check_count(len(files), FILES, "files")
    declared = {str(attachment.get("id")) for attachment in attachments}
    for name in files:
        index = name.removeprefix("files[").removesuffix("]")
        if attachments and index not in declared:
            raise SpecificationViolation(f"attachments: the uploaded {name} is not declared")


def _check_not_empty(message: Payload, files: Iterable[str]) -> None:
    parts = ("content", "embeds", "components", "sticker_ids", "poll")
    if not any(message.get(part) for part in parts) and not list(files):
        raise EmptyText("message: cannot send an empty message")


def _check_mentions(allowed: Payload | None) -> None:
    if allowed is None:
        raise MentionsNotSuppressed("allowed_mentions: missing, so whatever the text names is notified")
    opened = [key for key in ("parse", "users", "roles", "replied_user") if allowed.get(key)]
    if opened or "parse" not in allowed:
        raise MentionsNotSuppressed(f"allowed_mentions: must be empty, opens {', '.join(opened) or 'all'}")
