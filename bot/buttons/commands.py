"""A menu of what the commands of players do, for whoever has none: as with Discord's accessible input."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from discord import AppCommandOptionType, app_commands

from bot.buttons.rows import Select, menu
from bot.buttons.sent import NO_ANSWER, Sent, Window, number_of
from bot.errors import ButtonOutdated
from bot.messages.reply_message import Interaction, acknowledge
from bot.messages.typed import typed_values
from bot.texts import texts_in
from rag.texts import Texts

Command: TypeAlias = app_commands.Command[Any, ..., Any]

RULES = "rules"
YES, NO = "yes", "no"
LONGEST_OPTION = 1000
LONGEST_LABEL = 45
"""Of a choice in a window: https://discord.com/developers/docs/components/reference#label."""


def players_commands(tree: app_commands.CommandTree[Any]) -> dict[str, Command]:
    """What players may do by a command, by its name."""
    commands = [one for one in tree.walk_commands() if isinstance(one, app_commands.Command)]
    return {one.qualified_name: one for one in commands if not one.qualified_name.startswith("gm ")}


def menu_of_commands(tree: app_commands.CommandTree[Any], texts: Texts) -> list[Select]:
    """A menu that does what the commands of players do."""
    told = {name: texts(f"command-{name.replace(' ', '-')}") for name in players_commands(tree)}
    return menu("command", texts("commands-menu"), [(number_of(name), said) for name, said in told.items()])


async def use_command(interaction: Interaction, sent: Sent) -> None:
    """Do what the command of the number does; one with options is asked for them first."""
    command, texts = _command(interaction, sent), texts_in(interaction.locale.value)
    if not command.parameters:
        await _do(command, interaction)
        return
    window = Window(f"/{command.qualified_name}", Sent("command", NO_ANSWER, sent.number))
    for one in command.parameters:
        hint = texts(one.locale_description.extras["key"]) if one.locale_description else ""
        if one.type is AppCommandOptionType.boolean:
            window.choose(hint[:LONGEST_LABEL], one.name, {NO: texts("option-no"), YES: texts("option-yes")})
        else:
            window.ask(one.display_name, one.name, LONGEST_OPTION, hint=hint, required=one.required)
    await interaction.response.send_modal(window)


async def use_with_options(interaction: Interaction, sent: Sent) -> None:
    """Do what a command does with the options of the window."""
    command, typed = _command(interaction, sent), typed_values(interaction)
    given: dict[str, Any] = {
        one.name: typed[one.name] == YES if one.type is AppCommandOptionType.boolean else typed[one.name]
        for one in command.parameters
        if typed.get(one.name)
    }
    await _do(command, interaction, **given)


async def _do(command: Command, interaction: Interaction, **given: Any) -> None:
    """Do what a command of a cog does; an option that is not given has its default."""
    if not command.extras:
        await acknowledge(interaction, private=True)
    call: Callable[..., Awaitable[object]] = command.callback
    await call(command.binding, interaction, **given)


def _command(interaction: Interaction, sent: Sent) -> Command:
    """The command of a number. Raises `ButtonOutdated` where there is none any more."""
    for name, command in players_commands(interaction.client.tree).items():
        if number_of(name) == sent.number:
            return command
    raise ButtonOutdated
