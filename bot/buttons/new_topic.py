"""New topic: where a conversation has no thread of its own, it begins anew."""

from typing import TYPE_CHECKING

from bot.buttons.answer_button import AnswerButton
from bot.buttons.follow_up import GMS
from bot.errors import MayNotWriteHere
from bot.messages.calls import persist
from bot.messages.reply_message import acknowledge
from bot.messages.threads import may_write
from bot.texts import texts_in
from rag.config import Audience

if TYPE_CHECKING:
    from bot.buttons.answer_button import Pressed


class NewTopicButton(AnswerButton, name="topic"):
    """Forgets what was said in a direct message, in the chat of a voice channel, or privately.

    Its number tells a GM's conversation. It says so where the conversation is, to all who took part.
    """

    async def pressed(self, interaction: "Pressed") -> None:
        """Forget it, and say so."""
        bot, shown = interaction.client, interaction.message
        private = shown is not None and shown.flags.ephemeral
        if not private and not may_write(interaction, interaction.channel):
            raise MayNotWriteHere
        await acknowledge(interaction, private=private)
        audience: Audience = "gm" if self.number == GMS else "player"
        thread_id = await bot.asking.thread_id_here(interaction, audience, private=private)
        bot.answering.begin_topic(thread_id)
        line = texts_in(interaction.locale.value)("new-topic")
        await persist(lambda: interaction.edit_original_response(content=line))
