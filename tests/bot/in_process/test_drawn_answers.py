"""The pictures of answers on the pages for people show what the bot shows today."""

from pathlib import Path

from PIL import Image

from docs.discord_answers import DOCS, SHOWS, messages, record


async def test_each_picture_of_an_answer_is_of_today(sample_index: Path, tmp_path: Path) -> None:
    for name, message in (await messages(tmp_path, sample_index)).items():
        drawn = Image.open(DOCS / f"{name}.png").info[SHOWS]
        assert drawn == record(message), "draw it again: python -m docs.discord_answers"
