"""Commands described in each user's language."""

import discord
from discord import app_commands

from bot.texts import texts_in
from rag.texts import LOCALES


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
        is_ours = any(locale.value.startswith(ours.partition("-")[0]) for ours in LOCALES)
        return texts_in(locale.value)(key) if key and is_ours else None


def locale_of(guild: discord.Guild | None) -> str | None:
    """The language of a server; None in a direct message, where the question's own is taken."""
    return guild.preferred_locale.value if guild else None
