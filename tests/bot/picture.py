"""Take the pictures of `docs/`: what the real bot shows over the sample game, as a phone shows it.

`answer.png` is an answer, `page.png` its quotation marked on its page, `ruling.png` an answer by a ruling.
Run: python -m tests.bot.picture. It needs `simcord[preview]` and Chromium, which the tests do not.
"""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path
from typing import Any

import discord
import simcord
from PIL import Image, ImageChops, ImageDraw

from bot.client import RulesBot, Services
from bot.operations.ingestion import Ingestion
from rag.config import SAMPLE_LIBRARY, Settings
from rag.graph import RulesGraph
from rag.library.ingest.ingest import ingest
from rag.library.library import Library
from rag.library.page_pictures.process import DrawingProcess
from rag.models.embeddings import EmbeddingModel, embedding_model
from rag.state import Progress, Reply, Stated
from tests.bot.in_process.reading import response
from tests.bot.in_process.test_rulings import prefilled
from tests.scripted import ScriptedModel, drafted

PICTURES = Path("docs")
WIDTH, HEIGHT, SCALE = 500, 960, 1.6  # CSS pixels, no fewer than Chromium has, and how many true ones each is
TOOLBAR = 116  # CSS pixels of the preview's own controls
MIDDLE = (100, 0, 700, round((HEIGHT - TOOLBAR) * SCALE))
MARGIN = 24
FAINT = 16  # of 255
AVATAR = "https://cdn.discordapp.com/embed/avatars/0.png"
THINKING_SECONDS = 1.2
QUESTION = "We have no line and must cross a pool. What is the Difficulty of the Swimming test?"
RULED_ON = "How far does a storm lamp light?"
RULING = "In fog a storm lamp lights three paces, and whatever is nearer has seen it first."
STATEMENTS = [
    (
        "Without a line the Swimming test is Difficulty 8, not 6.",
        "without a line the Swimming test is Difficulty 8, not 6",
    ),
    (
        "Wading Orders prints Difficulty 6 for the Swimming test.",
        "Without a line it is a Swimming test, Difficulty 6",
    ),
]


def draft(prompt: str) -> dict[str, Any]:
    """What a chat model would draft, in about the time it would take."""
    time.sleep(THINKING_SECONDS)
    if RULING in prompt:
        return drafted(prompt, (RULING, RULING))
    if RULED_ON in prompt:
        return drafted(prompt, ("A storm lamp lights six paces.", "A storm lamp lights six paces"))
    return drafted(prompt, *STATEMENTS)


SCRIPT: dict[str, Any] = {
    "SubQuestions": {"sub_questions": ["Swimming test without a line", "errata Swimming", "crossing a pool"]},
    "Sufficiency": {"sufficient": True, "new_queries": []},
    "Draft": draft,
    "SupportVerdicts": {"supports": [{"id": "s2", "verdict": "yes"}]},
}


class TimedRulesGraph(RulesGraph):
    """Takes the time by a clock that the simulation does not stop."""

    async def ask(self, *question: Any, **how: Any) -> AsyncIterator[Progress | Stated | Reply]:
        began = time.perf_counter()
        async for event in super().ask(*question, **how):
            if isinstance(event, Reply):
                yield event.model_copy(update={"seconds": round(time.perf_counter() - began, 3)})
            else:
                yield event


def make_bot(folder: Path, settings: Settings, embedding: EmbeddingModel) -> RulesBot:
    """The bot over the sample game, with a scripted chat model."""
    library = Library.open(settings, embedding)
    model = ScriptedModel(script=SCRIPT)
    services = Services(
        settings=settings.model_copy(update={"data_dir": folder}),
        library=library,
        rules_graph=TimedRulesGraph(library, model, embedding),
        embed=embedding.embeddings.embed_query,
        chat_model=None,
        ingestion=Ingestion(settings.library_dir),
        drawing=DrawingProcess(),
    )
    return RulesBot(services, message_content=False)


async def take(folder: Path) -> None:
    """Ask, look at the page, rule, ask again; take the picture of each."""
    # As a group's own books: the notice of the sample game belongs into no picture.
    shutil.copytree(SAMPLE_LIBRARY, folder / "books")
    settings = Settings(
        library_dir=folder / "books", index_dir=folder / "index", data_dir=folder, embedding_model="embedded"
    )
    embedding = embedding_model(settings)
    await asyncio.to_thread(ingest, settings, embedding, lambda progress: None)
    async with simcord.run(make_bot(folder, settings, embedding), shard_count=1, settle_timeout=60) as env:
        assert env.bot.user is not None
        env.backend.get_user(env.bot.user.id).name = "Rules"
        guild = env.create_guild("Letters at Low Water")
        role = guild.create_role("Tellers", permissions=discord.Permissions(manage_guild=True))
        gm = guild.add_member(env.create_user("Gil"), roles=[role])
        ana = guild.add_member(env.create_user("Ana"))
        channel = guild.create_text_channel("the-table")

        async def keep(name: str, shown: simcord.InteractionResult) -> None:
            for message in env.backend.messages[channel.id].values():
                for embed in message.embeds:
                    # The preview does not know the mark of small print.
                    embed["description"] = embed.get("description", "").replace("-# ", "")
            faces = {AVATAR: ("avatar.png", avatar())}
            async with env.preview(channel, viewers=[ana], assets=faces, width=WIDTH, height=HEIGHT) as page:
                await page.show(shown)
                await asyncio.to_thread(screenshot, page.url, folder / name)
            crop(folder / name, PICTURES / name)

        answered = await ana.slash(channel, "rules", question=QUESTION)
        await keep("answer.png", answered)
        sources = await ana.click(response(answered), label="Sources")
        await keep("page.png", await ana.click(response(sources), label="Show page"))
        before = await gm.slash(channel, "rules", question=RULED_ON)
        window = await gm.click(
            response(await gm.click(response(before), label="More")), label="Write a ruling"
        )
        await gm.submit_modal(window, {**prefilled(window.modal), "text": RULING, "held": ["good"]})
        await keep("ruling.png", await ana.slash(channel, "rules", question=RULED_ON))


def screenshot(address: str, path: Path) -> None:
    """A page as headless Chromium draws it."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("Chromium is needed to take the picture.")
    size = f"--window-size={WIDTH},{HEIGHT}"
    looks = [f"--force-device-scale-factor={SCALE}", "--hide-scrollbars", "--virtual-time-budget=20000"]
    safe = ["--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={path.parent / 'browser'}"]
    command = [chromium, *safe, size, *looks, f"--screenshot={path}", address]
    subprocess.run(command, check=True, capture_output=True, timeout=120)


def avatar() -> bytes:
    """A face for Ana."""
    picture = Image.new("RGB", (64, 64), "#5865F2")
    ImageDraw.Draw(picture).ellipse((20, 12, 44, 36), fill="white")
    ImageDraw.Draw(picture).ellipse((10, 40, 54, 84), fill="white")
    kept = BytesIO()
    picture.save(kept, "PNG")
    return kept.getvalue()


def crop(screen_file: Path, picture_file: Path) -> None:
    """Keep the conversation alone, in few colours."""
    screen = Image.open(screen_file).convert("RGB")
    below = screen.crop((0, round(TOOLBAR * SCALE), screen.width, screen.height))
    empty = Image.new("RGB", below.size, below.getpixel((below.width - 1, below.height - 1)))
    drawn = ImageChops.difference(below.crop(MIDDLE), empty.crop(MIDDLE)).convert("L")
    _, top, _, bottom = drawn.point(lambda change: 255 * (change > FAINT)).getbbox() or MIDDLE
    picture = below.crop((0, max(0, top - MARGIN), below.width, min(below.height, bottom + MARGIN)))
    picture_file.parent.mkdir(exist_ok=True)
    picture.quantize(128).save(picture_file, optimize=True)


if __name__ == "__main__":
    os.environ.pop("DISCORD_TOKEN", None)
    with tempfile.TemporaryDirectory() as temporary:
        asyncio.run(take(Path(temporary)))
