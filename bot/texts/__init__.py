"""Every sentence that only Discord's users read, beside those of `rag/texts`."""

from rag.texts import Texts, texts_for

LONGEST_NAME = 100


def texts_in(language: str | None) -> Texts:
    """The sentences of the bot and of the graph in a language; English where we have no translation."""
    return texts_for(language, __name__)
