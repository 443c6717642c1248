"""Draws what the bot shows over the sample game, as it is asked in a simulated Discord.

`answer.png` is an answer, `page.png` its quotation marked on its page, `ruling.png` an answer by a ruling.
Each picture also holds what it shows as text, which `tests/bot/in_process/test_drawn_answers.py` compares.

Run in the program's folder: python -m docs.discord_answers. It needs what `make check` installs.
"""

import asyncio
import json
import re
import shutil
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import discord
import simcord
from PIL.PngImagePlugin import PngInfo

from bot.client import RulesBot, Services
from bot.operations.ingestion import Ingestion
from docs.discord_look import MessageShown, picture
from rag.config import SAMPLE_LIBRARY, Settings
from rag.graph import RulesGraph
from rag.library.ingest.ingest import ingest
from rag.library.library import Library
from rag.library.page_pictures.process import DrawingProcess
from rag.models.embeddings import embedding_model
from rag.state import Progress, Reply, Stated
from tests.bot.in_process.reading import response
from tests.bot.in_process.test_rulings import prefilled
from tests.scripted import CLEARS_ALL, Script, ScriptedModel, drafted

DOCS = Path(__file__).parent
SHOWS = "shows"
"""Under which word a picture keeps what it shows."""
QUESTION = "We have no line and must cross a pool. What is the Difficulty of the Swimming test?"
RULED_ON = "How far does a storm lamp light?"
RULING = "In fog a storm lamp lights three paces, and whatever is nearer has seen it first."
VERDICT = "Without a line the Swimming test is Difficulty 8, not 6."
THINKING_SECONDS = 1.2
MEASURED = re.compile(r"\d+\.\d s|\d+ \w+ \d{4}")
"""What is another one each time: how long an answer took, and the date of a ruling."""


def draft(prompt: str) -> dict[str, Any]:
    """What a chat model would draft, in about the time it would take."""
    time.sleep(THINKING_SECONDS)
    if RULING in prompt:
        return drafted(prompt, (RULING, RULING))
    if RULED_ON in prompt:
        return drafted(prompt, ("A storm lamp lights six paces.", "A storm lamp lights six paces"))
    return drafted(prompt, (VERDICT, VERDICT.lower().rstrip(".")))


SCRIPT: Script = {
    "SubQuestions": {"sub_questions": ["Swimming test without a line", "errata Swimming", "crossing a pool"]},
    "Sufficiency": {"sufficient": True, "new_queries": []},
    "Draft": draft,
    "SupportVerdicts": CLEARS_ALL,
}


class TimedRulesGraph(RulesGraph):
    """Takes the time by a clock that the simulation does not stop."""

    async def ask(self, *question: Any, **how: Any) -> AsyncIterator[Progress | Stated | Reply]:
        began = time.perf_counter()
        async for event in super().ask(*question, **how):
            if isinstance(event, Reply):
                yield event.model_copy(update={"seconds": time.perf_counter() - began})
            else:
                yield event


async def messages(folder: Path, index: Path) -> dict[str, MessageShown]:
    """By the picture's name what the bot shows Ana, with a scripted chat model, over the sample game."""
    # As a group's own books: the notice of the sample game belongs into no picture.
    books = shutil.copytree(SAMPLE_LIBRARY, folder / "books")
    settings = Settings(library_dir=books, index_dir=index, data_dir=folder, embedding_model="embedded")
    embedding = embedding_model(settings)
    await asyncio.to_thread(ingest, settings, embedding)
    library = Library.open(settings, embedding)
    services = Services(
        settings=settings,
        library=library,
        rules_graph=TimedRulesGraph(library, ScriptedModel(script=SCRIPT), embedding),
        embed=embedding.embeddings.embed_query,
        chat_model=None,
        ingestion=Ingestion(books),
        drawing=DrawingProcess(),
    )
    bot = RulesBot(services, message_content=False)
    async with simcord.run(bot, shard_count=1, settle_timeout=60) as env:
        guild = env.create_guild("Letters at Low Water")
        role = guild.create_role("Tellers", permissions=discord.Permissions(manage_guild=True))
        gm = guild.add_member(env.create_user("Gil"), roles=[role])
        ana = guild.add_member(env.create_user("Ana"))
        channel = guild.create_text_channel("the-table")
        answered = await ana.slash(channel, "rules", question=QUESTION)
        page = await ana.click(response(answered), label="Show page")
        before = await gm.slash(channel, "rules", question=RULED_ON)
        menu = await gm.click(response(before), label="More")
        window = await gm.click(response(menu), label="Write a ruling")
        await gm.submit_modal(window, {**prefilled(window.modal), "text": RULING, "held": ["good"]})
        ruled = await ana.slash(channel, "rules", question=RULED_ON)
        return {"answer": await shown(answered), "page": await shown(page), "ruling": await shown(ruled)}


async def shown(result: simcord.InteractionResult) -> MessageShown:
    """What answers an interaction, as Ana sees it."""
    message = response(result)
    pictures = {one.filename: await one.read() for one in message.attachments}
    seen_by = {"below": "Only you can see this"} if message.ephemeral else {"above": "Ana used /rules"}
    return MessageShown(message.embeds[0].to_dict(), tuple(message.components), pictures, **seen_by)


def record(message: MessageShown) -> str:
    """What a message says, without what is measured: its embed, and the words of its buttons and choices."""
    labels = [one.get("label") or one["placeholder"] for row in message.rows for one in row["components"]]
    return MEASURED.sub("…", json.dumps({"embed": message.embed, "labels": labels}, ensure_ascii=False))


def main(folder: Path) -> None:
    """Draw all pictures."""
    for name, message in asyncio.run(messages(folder, folder / "index")).items():
        kept = PngInfo()
        kept.add_itxt(SHOWS, record(message))
        picture(message).save(DOCS / f"{name}.png", optimize=True, pnginfo=kept)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        main(Path(temporary))
