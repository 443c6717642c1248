"""Commands described in each user's language."""

import discord
from discord import app_commands

from bot.texts import texts_in
from rag.texts import LOCALES, locale_for


def described(key: str) -> app_commands.locale_str:
    """A sentence of ours as a description that Discord shows in the user's language."""
    return app_commands.locale_str(texts_in("en")(key), key=key)


class CommandTranslator(app_commands.Translator):
    """Gives Discord the wording of every description in each language we have."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The wording for a locale of Discord's; None where we have none of our own."""
        key = string.extras.get("key")
        if key is None or not _is_ours(locale):
            return None
        return texts_in(locale_for(locale.value))(key)


def _is_ours(locale: discord.Locale) -> bool:
    return locale.value.startswith(tuple(ours.partition("-")[0] for ours in LOCALES))


def locale_of(guild: discord.Guild | None) -> str | None:
    """The language of a server; None in a direct message, where the question's own is taken."""
    return guild.preferred_locale.value if guild else None
