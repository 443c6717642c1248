"""Rules for application commands at the sync.

https://discord.com/developers/docs/interactions/application-commands
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import jsonschema_rs
from discord import AppCommandOptionType, AppCommandType, Locale

from .violations import CommandViolation, LimitExceeded, check_count, check_text, length

NAME = 32
DESCRIPTION = 100
OPTIONS = 25
CHOICES = 25
CHOICE_TEXT = 100
COMMAND_TOTAL = 8000
COMMANDS_OF_TYPE = {
    AppCommandType.chat_input.value: 100,
    AppCommandType.user.value: 15,
    AppCommandType.message.value: 15,
}
NESTING = 2

CHAT_INPUT = AppCommandType.chat_input.value
SUBCOMMAND = AppCommandOptionType.subcommand.value
GROUP = AppCommandOptionType.subcommand_group.value
CONTAINERS = {SUBCOMMAND, GROUP}
LOCALES = {locale.value for locale in Locale}
# `re` has no Unicode scripts; the schema library's expressions do, in Discord's own notation.
CHAT_INPUT_NAME = jsonschema_rs.Draft202012Validator(
    {"pattern": r"^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$"}
)

Payload = dict[str, Any]


def check_commands(commands: list[Payload]) -> None:
    """Check a bulk overwrite; raises a `SpecificationViolation`."""
    kinds = Counter(command.get("type") or CHAT_INPUT for command in commands)
    for kind, count in kinds.items():
        check_count(count, COMMANDS_OF_TYPE.get(kind, 1), f"commands of type {kind}")
    names = ((command.get("type") or CHAT_INPUT, command["name"]) for command in commands)
    _check_unique(names, "commands: names of one type")
    for command in commands:
        check_command(command)


def check_command(command: Payload) -> None:
    """Check one command with everything in it; raises a `SpecificationViolation`."""
    name = command["name"]
    if (command.get("type") or CHAT_INPUT) == CHAT_INPUT:
        _check_named(command, name)
        _check_options(command.get("options") or [], name, depth=0)
    else:
        _check_menu(command)
    total = _size(command)
    if total > COMMAND_TOTAL:
        raise LimitExceeded(f"command {name}: {total} of at most {COMMAND_TOTAL} characters in all")


def _check_menu(command: Payload) -> None:
    for text in _translations(command, "name"):
        check_text(text, NAME, f"command {command['name']}: name")
    if command.get("description") or command.get("options"):
        raise CommandViolation(f"command {command['name']}: a menu entry has no description and no options")


def _check_named(node: Payload, place: str) -> None:
    for name in _translations(node, "name"):
        if not CHAT_INPUT_NAME.is_valid(name):
            raise CommandViolation(f"{place}: the name {name!r} breaks Discord's pattern")
        if name != name.lower():
            raise CommandViolation(f"{place}: the name {name!r} must be lower case")
    for description in _translations(node, "description"):
        check_text(description, DESCRIPTION, f"{place}: description")


def _translations(node: Payload, field: str) -> Iterator[str]:
    translated: dict[str, str] = node.get(f"{field}_localizations") or {}
    unknown = translated.keys() - LOCALES
    if unknown:
        raise CommandViolation(f"{node['name']}: {field} in locales Discord does not know: {sorted(unknown)}")
    yield node.get(field) or ""
    yield from translated.values()


def _check_options(options: list[Payload], place: str, depth: int) -> None:
    check_count(len(options), OPTIONS, f"{place}: options")
    _check_unique((option["name"] for option in options), f"{place}: option names")
    containers = [option for option in options if option["type"] in CONTAINERS]
    if containers and len(containers) != len(options):
        raise CommandViolation(f"{place}: subcommands and plain options do not mix")
    if containers and depth >= NESTING:
        raise CommandViolation(f"{place}: subcommands are nested too deep")
    _check_required_first(options, place)
    for option in options:
        inner = f"{place} {option['name']}"
        _check_named(option, inner)
        if option["type"] in CONTAINERS:
            deeper = depth + 1 if option["type"] == GROUP else NESTING
            _check_options(option.get("options") or [], inner, deeper)
        else:
            _check_choices(option, inner)


def _check_required_first(options: list[Payload], place: str) -> None:
    required = [bool(option.get("required")) for option in options]
    if required != sorted(required, reverse=True):
        raise CommandViolation(f"{place}: required options stand before optional ones")


def _check_choices(option: Payload, place: str) -> None:
    choices = option.get("choices") or []
    if choices and option.get("autocomplete"):
        raise CommandViolation(f"{place}: an option has choices or completes, not both")
    check_choices(choices, place)


def check_choices(choices: list[Payload], place: str) -> None:
    """Check the choices of an option, or of an autocomplete answer."""
    check_count(len(choices), CHOICES, f"{place}: choices")
    for choice in choices:
        for name in _translations(choice, "name"):
            check_text(name, CHOICE_TEXT, f"{place}: choice name")
        if isinstance(choice["value"], str):
            check_text(choice["value"], CHOICE_TEXT, f"{place}: choice value")


def _size(node: Payload) -> int:
    """Characters of a command that count: of each text, its longest translation."""
    own = sum(max(map(length, _translations(node, field))) for field in ("name", "description"))
    value = node.get("value")
    inner = [*(node.get("options") or []), *(node.get("choices") or [])]
    return own + (length(value) if isinstance(value, str) else 0) + sum(map(_size, inner))


def _check_unique(values: Iterable[object], place: str) -> None:
    repeated = [value for value, count in Counter(values).items() if count > 1]
    if repeated:
        raise CommandViolation(f"{place}: must be unique, repeated {repeated}")
