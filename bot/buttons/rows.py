"""The rows of buttons under what the bot writes."""

from collections.abc import Sequence

import discord

from bot.buttons.answer_button import NO_ANSWER, SENT, AnswerButton, row_of
from bot.buttons.follow_up import GMS, FollowUpButton, NewTopicButton, TryAgainButton
from bot.buttons.menu import MoreButton
from bot.buttons.other_books import AllBooksButton, OtherGameButton, number_of_game
from bot.buttons.show_to_table import ShowToTableButton
from bot.buttons.sources import SourcesButton
from bot.render.markdown import one_line
from rag.texts import Texts

LABEL = 80
"""Characters that Discord shows on a button."""


def answer_row(
    answer: int,
    texts: Texts,
    *,
    has_sources: bool,
    other_games: Sequence[str] = (),
    by_gm: bool = False,
    is_chosen: bool = False,
    may_be_shown: bool = False,
    is_in_place: bool = False,
) -> discord.ui.View:
    """The buttons under an answer: what all have, and the other games, or all books, that could answer.

    A private one may be shown to others; one whose conversation has no thread of its own can end that.
    """
    gms = GMS if by_gm else 0
    return row_of(
        [
            *([SourcesButton(answer, texts("button-sources"))] if has_sources else ()),
            FollowUpButton(answer, texts("button-followup"), gms),
            MoreButton(answer, texts("button-more")),
            *(
                OtherGameButton(
                    answer, one_line(texts("button-other-game", game=game), LABEL), number_of_game(game)
                )
                for game in other_games
            ),
            *([AllBooksButton(answer, texts("button-all-books"))] if is_chosen else ()),
            *([ShowToTableButton(answer, texts("button-show-to-table"))] if may_be_shown else ()),
            *([NewTopicButton(answer, texts("button-new-topic"), gms)] if is_in_place else ()),
        ]
    )


def same_row(
    message: discord.Message, answer: int, *, without: Sequence[type[AnswerButton]]
) -> discord.ui.View:
    """The buttons of a message for an answer, as they were sent, some left out."""
    known = {one.name: one for one in AnswerButton.__subclasses__() if one not in without}
    row = discord.ui.View(timeout=None)
    for line in message.components:
        for item in line.children if isinstance(line, discord.ActionRow) else ():
            if not isinstance(item, discord.Button):
                continue
            sent = SENT.fullmatch(item.custom_id or "")
            if sent and sent["name"] in known:
                row.add_item(known[sent["name"]](answer, item.label or "…", int(sent["number"])))
    return row


def failure_row(answer: int, texts: Texts) -> discord.ui.View:
    """The button under a question that was not answered."""
    return row_of([TryAgainButton(answer, texts("button-retry"))])


def hint_row(texts: Texts, answer: int = NO_ANSWER) -> discord.ui.View:
    """The button on a hint: a follow-up to an answer, else in the conversation of the place."""
    return row_of([FollowUpButton(answer, texts("button-followup"))])
