"""Line to copy: a quotation with its book and page as one plain line, which a phone can copy."""

from typing import TYPE_CHECKING

from bot.answers.table import KeptSource
from bot.buttons.answer_button import AnswerButton
from bot.errors import AnswerGone, PassageGone
from bot.messages.calls import persist
from bot.messages.reply_message import acknowledge
from bot.render.markdown import fitted
from rag.library.books.found_page import place_of

if TYPE_CHECKING:
    from bot.buttons.answer_button import Pressed

LONGEST_QUOTE = 1600


class CopyLineButton(AnswerButton, name="copy"):
    """Shows a source as a line to copy; its number is the source's, from 0."""

    async def pressed(self, interaction: "Pressed") -> None:
        """Show it in a private message that holds nothing else."""
        await acknowledge(interaction, private=True)
        bot = interaction.client
        kept = await bot.asking.kept(interaction, self.answer)
        if self.number >= len(kept.sources):
            raise AnswerGone
        source = kept.sources[self.number]
        reader = await bot.asking.reader(interaction, kept.audience)
        if all(book.file != source.file for book in bot.book_list.books(reader)):
            raise PassageGone(book=source.book)
        await persist(lambda: interaction.edit_original_response(content=line_to_copy(source)))


def line_to_copy(source: KeptSource) -> str:
    """A quotation behind its place: "Basic Set p. 420: “…”"."""
    first, last = source.before or source, source.after or source
    last_label = last.page if last is not first else None
    place = place_of(source.book, first.page, first.pdf_page, source.section, last_label)
    quote = " ".join(source.whole_quote.split())
    return f"{fitted(place, LONGEST_QUOTE // 8)}: “{fitted(quote, LONGEST_QUOTE)}”"
