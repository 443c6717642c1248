"""Show to the table: a private answer, for everyone in its channel.

A player's answer is shown as it is. A GM's may rest on the GM's books in ways that no quotation tells, so it
is never shown: its question is asked anew in the open, of the players' books alone, once the GM knows that.
"""

from bot.buttons.rows import PRIMARY, button, row_of
from bot.buttons.sent import Pressed, Sent
from bot.messages.calls import persist
from bot.render.markdown import fitted
from bot.texts import texts_in

QUESTION_SHOWN = 1500


async def show_to_table(interaction: Pressed, sent: Sent) -> None:
    """Show a player's answer in its channel, once; tell a GM first what players will see."""
    asking = interaction.client.asking
    kept = await asking.own(interaction, sent.answer)
    if kept.audience != "gm":
        await asking.show_to_all(interaction, kept)
        return
    texts = texts_in(interaction.locale.value)
    row = row_of([button("open", texts("button-ask-in-the-open"), sent.answer, style=PRIMARY)])
    said = texts("show-gm-answer", question=fitted(kept.question, QUESTION_SHOWN))
    await persist(lambda: interaction.followup.send(said, view=row, ephemeral=True))


async def ask_in_the_open(interaction: Pressed, sent: Sent) -> None:
    """Ask the question of a GM's answer as a player's; the message that told the GM points to the answer."""
    asking = interaction.client.asking
    kept = await asking.own(interaction, sent.answer)
    await asking.in_the_open(interaction, kept.question)
