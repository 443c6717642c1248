"""The rows of buttons under what the bot writes."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import discord

from bot.buttons.sent import NO_ANSWER, Sent, number_of
from bot.questions.question import AskedQuestion
from bot.render.markdown import one_line
from rag.texts import Texts
from rag.texts.blocks import Block

Button: TypeAlias = discord.ui.Button[Any]
Select: TypeAlias = discord.ui.Select[Any]
Item: TypeAlias = Button | Select

LABEL = 80
"""Characters that Discord shows on a button."""
OPTION, HINT, MOST_OPTIONS = 100, 150, 25
"""Characters of an option in a menu, and of what stands on the closed menu; how many options there may be."""
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
    asked: AskedQuestion,
    texts: Texts,
    *,
    has_sources: bool,
    page: int | None,
    other_games: Sequence[str],
    game: str | None,
    further: Sequence[Block],
) -> discord.ui.View:
    """The buttons under an answer: what all have, and the other games, or all books, that could answer.

    With the `game` it was answered from, they ask which game the channel plays.
    `page` is the source whose page can be shown. Below the buttons the further passages can be opened.

    A private one may be shown to others; one whose conversation has no thread of its own can end that.
    """
    gms = GMS if asked.reader.audience == "gm" else 0
    buttons = [button("sources", texts("button-sources"), answer)] if has_sources else []
    if page is not None:
        buttons.append(button("page", texts("button-show-page"), answer, page))
    buttons.append(button("followup", texts("button-followup"), answer, gms, PRIMARY))
    buttons.append(button("more", texts("button-more"), answer))
    if game:
        buttons.append(button(STAYS, one_line(game, LABEL), answer, number_of(game)))
    for other in other_games[:GAMES]:
        name, label = ("plays", other) if game else ("game", texts("button-other-game", game=other))
        buttons.append(button(name, one_line(label, LABEL), answer, number_of(other)))
    if asked.chosen is not None:
        buttons.append(button("all", texts("button-all-books"), answer))
    if asked.private and asked.guild is not None:
        buttons.append(button(SHOW_TO_TABLE, texts("button-show-to-table"), answer))
    if asked.is_in_place:
        buttons.append(button(NEW_TOPIC, texts("button-new-topic"), answer, gms))
    hint = texts("answer-further", places=" · ".join(block.title for block in further))
    return row_of([*buttons, *menu("source", hint, [(one.number - 1, one.title) for one in further], answer)])


def menu(name: str, hint: str, labels: Iterable[tuple[int, str]], answer: int = NO_ANSWER) -> list[Select]:
    """A menu that does what its name says with the number that is chosen by its label; none of no labels."""
    options = [
        discord.SelectOption(label=one_line(label, OPTION), value=str(number)) for number, label in labels
    ][:MOST_OPTIONS]
    custom_id = Sent(name, answer, 0).custom_id
    shown = one_line(hint, HINT)
    return [discord.ui.Select(custom_id=custom_id, placeholder=shown, options=options)] if options else []


def menus_of(message: discord.Message | None, name: str) -> list[Item]:
    """The menus of that name as a message has them."""
    return [item for sent, item in _items(message) if sent.name == name]


def same_row(message: discord.Message, answer: int, *, without: Sequence[str]) -> discord.ui.View:
    """The buttons and menus of a message for an answer, as they were sent, those of some names left out."""
    kept = [(sent, item) for sent, item in _items(message) if sent.name not in without]
    for sent, item in kept:
        item.custom_id = sent._replace(answer=answer).custom_id
    return row_of(item for _, item in kept)


def _items(message: discord.Message | None) -> Iterator[tuple[Sent, Item]]:
    """What can be pressed or chosen on a message, as it was sent, with what its id says."""
    for item in discord.ui.View.from_message(message).children if message else ():
        if isinstance(item, discord.ui.Button | discord.ui.Select) and (sent := Sent.of(item.custom_id)):
            yield sent, item
