"""A Discord-shaped server on loopback: HTTP API and gateway for the bot as a process.

    async with DiscordServer() as discord:
        table = discord.channel("table")
        ana = discord.member("Ana", locale="pt-BR")
        bot = await discord.start_bot({"LIBRARY_DIR": str(books)}, cwd=tmp_path)

        asked = await ana.slash("rules", question="Can I grapple a ghost?")
        assert (await asked.acknowledged()).seconds < 1
        answer = await asked.answer(where=lambda message: bool(message.buttons))
        await ana.says("@bot and while prone?", answer.thread)
        await discord.message_in(answer.thread, lambda message: "prone" in message.text)

        assert await bot.terminate() == 0

At the end of the block the processes are ended, and every request that broke Discord's specification is
raised. Everybody may do everything, and it has the routes that the tests of the real process need: another
one is raised, too. What permissions forbid is tried on the simulated client (`tests/bot/in_process`).
"""

from .gateway import Intent
from .interactions import Interaction
from .messages import Message
from .people import Person
from .places import Channel, Guild, Thread
from .process import BotProcess
from .refusals import Refusal
from .server import DiscordServer

__all__ = [
    "BotProcess",
    "Channel",
    "DiscordServer",
    "Guild",
    "Intent",
    "Interaction",
    "Message",
    "Person",
    "Refusal",
    "Thread",
]
