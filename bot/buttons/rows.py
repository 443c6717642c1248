"""The rows of buttons under what the bot writes."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import discord

from bot.buttons.sent import NO_ANSWER, Sent, number_of
from bot.render.markdown import one_line
from rag.texts import Texts
from rag.texts.blocks import Block

Button: TypeAlias = discord.ui.Button[Any]
Select: TypeAlias = discord.ui.Select[Any]

LABEL = 80
"""Characters that Discord shows on a button."""
OPTION, HINT = 100, 150
"""Characters of an option in a menu, and of what stands on the menu while it is closed."""
GMS = 1
"""The number on the button of a GM's answer: told also when that answer is no longer kept."""
SHOW_TO_TABLE, NEW_TOPIC = "show", "topic"
"""The names of buttons that are left out where an answer is shown once more."""
GAMES = 10
"""Of so many more than it was answered from there is a button: a message has room for 25 buttons."""
STAYS = "stays"
"""The name of the button of the game that was answered from: it need not be asked again."""
PRIMARY, SECONDARY = discord.ButtonStyle.primary, discord.ButtonStyle.secondary


def button(
    name: str,
    label: str,
    answer: int = NO_ANSWER,
    number: int = 0,
    style: discord.ButtonStyle = SECONDARY,
    *,
    disabled: bool = False,
) -> Button:
    """A button that does what its name says in `bot/cogs/buttons.py`, for an answer."""
    custom_id = Sent(name, answer, number).custom_id
    return discord.ui.Button(label=label, style=style, custom_id=custom_id, disabled=disabled)


def row_of(buttons: Iterable[discord.ui.Item[Any]]) -> discord.ui.View:
    """Buttons in a row, which never ends."""
    row = discord.ui.View(timeout=None)
    for each in buttons:
        row.add_item(each)
    # A press is taken by the button's id: discord.py need not remember this object.
    row.stop()
    return row


def one_button(name: str, label: str, answer: int) -> discord.ui.View:
    """A row with the one button that is wanted."""
    return row_of([button(name, label, answer, style=PRIMARY)])


def turned(name: str, number: int, count: int, texts: Texts, answer: int = NO_ANSWER) -> list[Button]:
    """Two buttons that turn back and on from one of so many; none where there is but one."""
    if count < 2:
        return []
    back, on = max(0, number - 1), number + 1
    return [
        button(name, texts("button-previous"), answer, back, disabled=number == 0),
        button(name, texts("button-next"), answer, on, disabled=on >= count),
    ]


def answer_row(
    answer: int,
    texts: Texts,
    *,
    has_sources: bool,
    other_games: Sequence[str] = (),
    game: str | None = None,
    by_gm: bool = False,
    is_chosen: bool = False,
    may_be_shown: bool = False,
    is_in_place: bool = False,
    further: Sequence[Block] = (),
) -> discord.ui.View:
    """The buttons under an answer: what all have, and the other games, or all books, that could answer.

    With the `game` it was answered from, they ask which game the channel plays.
    Below them the further passages can be opened.

    A private one may be shown to others; one whose conversation has no thread of its own can end that.
    """
    gms = GMS if by_gm else 0
    buttons = [button("sources", texts("button-sources"), answer)] if has_sources else []
    buttons.append(button("followup", texts("button-followup"), answer, gms, PRIMARY))
    buttons.append(button("more", texts("button-more"), answer))
    if game:
        buttons.append(button(STAYS, one_line(game, LABEL), answer, number_of(game)))
    for other in other_games[:GAMES]:
        name, label = ("plays", other) if game else ("game", texts("button-other-game", game=other))
        buttons.append(button(name, one_line(label, LABEL), answer, number_of(other)))
    if is_chosen:
        buttons.append(button("all", texts("button-all-books"), answer))
    if may_be_shown:
        buttons.append(button(SHOW_TO_TABLE, texts("button-show-to-table"), answer))
    if is_in_place:
        buttons.append(button(NEW_TOPIC, texts("button-new-topic"), answer, gms))
    options = [
        discord.SelectOption(label=one_line(block.title, OPTION), value=str(block.number - 1))
        for block in further
    ]
    hint = texts("answer-further", places=" · ".join(block.title for block in further))
    return row_of([*buttons, *([_opener(answer, one_line(hint, HINT), options)] if options else [])])


def _opener(answer: int, hint: str | None, options: list[discord.SelectOption]) -> Select:
    """A menu that opens a source of an answer, by its number from 0."""
    custom_id = Sent("source", answer, 0).custom_id
    return discord.ui.Select(custom_id=custom_id, placeholder=hint, options=options)


def same_row(message: discord.Message, answer: int, *, without: Sequence[str]) -> discord.ui.View:
    """The buttons and menus of a message for an answer, as they were sent, those of some names left out."""
    lines = [line for line in message.components if isinstance(line, discord.ActionRow)]
    return row_of(
        _opener(answer, item.placeholder, item.options)
        if isinstance(item, discord.SelectMenu)
        else button(sent.name, item.label or "…", answer, sent.number, item.style)
        for item in (item for line in lines for item in line.children)
        if isinstance(item, discord.Button | discord.SelectMenu)
        if (sent := Sent.of(item.custom_id)) and sent.name not in without
    )
