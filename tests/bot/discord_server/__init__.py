"""A Discord-shaped server on loopback: HTTP API and gateway, for the real bot and for tests of it.

    async with DiscordServer() as discord:
        table = discord.channel("table")
        ana = discord.member("Ana", locale="pt-BR")
        bot = await discord.start_bot({"LIBRARY_DIR": str(books)}, cwd=tmp_path)

        asked = await ana.slash("rules", question="Can I grapple a ghost?")
        assert (await asked.acknowledged()).seconds < 1
        answer = await asked.answer(where=lambda message: bool(message.buttons))
        thread = await discord.thread_on(answer)
        await ana.says("@bot and while prone?", thread)
        await discord.message_in(thread, lambda message: "prone" in message.text)

        assert await bot.terminate() == 0

At the end of the block the processes are ended, and every request that broke Discord's
specification is raised.
"""

from .gateway import Close, Intent
from .interactions import Interaction
from .messages import Message
from .people import NotOfferedError, Person
from .places import Channel, Guild, Role, Thread
from .process import BotProcess
from .refusals import Refusal
from .server import DiscordServer

__all__ = [
    "BotProcess",
    "Channel",
    "Close",
    "DiscordServer",
    "Guild",
    "Intent",
    "Interaction",
    "Message",
    "NotOfferedError",
    "Person",
    "Refusal",
    "Role",
    "Thread",
]
