"""Right, Wrong, Not what I asked: what somebody thinks of an answer, kept without telling anybody who."""

import asyncio

from bot.answers.question_file import Rating
from bot.buttons.answer_button import AnswerButton, Pressed
from bot.messages.reply_message import accept, respond
from bot.texts import texts_in
from rag.texts import Texts

LABELS = {
    Rating.RIGHT: "button-right",
    Rating.WRONG: "button-wrong",
    Rating.NOT_ASKED: "button-not-asked",
}
RATINGS = tuple(LABELS)
"""In the order of their numbers, which stand in the ids of all buttons that were ever sent."""


class RatingButton(AnswerButton, name="rate"):
    """Rates an answer, once a person; its number is that of the rating."""

    async def pressed(self, interaction: Pressed) -> None:
        """Keep it for whoever may see the answer, and say so above the menu."""
        await accept(interaction)
        bot, rating = interaction.client, RATINGS[self.number]
        kept = await bot.asking.kept(interaction, self.answer)
        book = kept.book or bot.channel_games.game_of(kept.home)
        await asyncio.to_thread(bot.feedback.rate, kept, interaction.user.id, rating, book)
        await respond(
            interaction, content=texts_in(interaction.locale.value)("rating-noted", rating=rating.value)
        )


def rating_buttons(answer: int, texts: Texts) -> list[RatingButton]:
    """A button a rating."""
    return [RatingButton(answer, texts(LABELS[rating]), number) for number, rating in enumerate(RATINGS)]
