"""Every sentence that only Discord's users read, beside those of `rag/texts`."""

import os

from rag.texts import Texts, locale_for, texts_for, worded_for


def texts_in(language: str | None) -> Texts:
    """The sentences of the bot and of the graph in a language; English where we have no translation."""
    return texts_for(language, __name__)


def host_texts() -> Texts:
    """The sentences in the language of whoever hosts the bot and reads its log."""
    return texts_in(os.environ.get("LC_ALL") or os.environ.get("LANG"))


def discord_key(key: str) -> str:
    """The key of a sentence as Discord's users read it: where ours differs from the terminal's, ours."""
    return worded_for("discord", key, __name__)


def babel_locale(language: str | None) -> str:
    """The locale of our sentences in a language, as Babel writes it, for numbers, times and names."""
    return locale_for(language).replace("-", "_")
