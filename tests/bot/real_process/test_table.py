"""Rulings, ratings and Why in the real process, in both languages, and after its restart."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
import pytest_asyncio

from tests.bot.discord_server import DiscordServer, Interaction, Message, Person
from tests.bot.real_process.conftest import PATIENCE, PRICE, Environment
from tests.model_server import ModelServer

pytestmark = pytest.mark.asyncio(loop_scope="module")

RULING = "Tidesense 3 costs nobody at this table more than twenty stamps."
RULE = "Tidesense – Wading Orders, p. 9"


@dataclass
class Played:
    """A table with a ruling and ratings, after its process was started anew; Gil reads English, Bia not."""

    discord: DiscordServer
    gil: Person
    bia: Person
    rated: Message


async def answered(person: Person) -> Message:
    """The answer to the question that the table rules on."""
    asked = await person.slash("rules", question=PRICE)
    return await asked.answer(PATIENCE, where=lambda message: len(message.buttons) > 2)


async def menu_of(person: Person, answer: Message, label: str) -> Message:
    """The private menu under an answer, More, which has a button of that label."""
    opened = await person.clicks(answer, answer.buttons[-1])
    return await opened.answer(PATIENCE, where=lambda message: label in message.buttons)


async def pressed(person: Person, answer: Message, label: str) -> Interaction:
    """What a button of the menu under an answer does."""
    return await person.clicks(await menu_of(person, answer, label), label)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def played(
    environment: Environment, model: ModelServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Played]:
    folder = tmp_path_factory.mktemp("table")
    async with DiscordServer() as discord:
        variables = environment(model, folder, DISCORD_GUILD_ID=str(discord.guild("Table").id))
        discord.channel("table")
        gil, bia = discord.manager("Gil"), discord.member("Bia", locale="pt-BR")
        bot = await discord.start_bot(variables, folder, ready_within=PATIENCE)
        table = Played(discord, gil, bia, await answered(bia))
        menu = await menu_of(bia, table.rated, "Certa")
        await bia.clicks(menu, "Errada")
        await discord.until(lambda: "sem seu nome: errada" in menu.text or None, PATIENCE, "rating")
        window = await pressed(gil, table.rated, "Write a ruling")
        kept = await gil.submits(window, RULE, PRICE, RULING)
        await kept.answer(PATIENCE, where=lambda message: "From now on it comes first" in message.text)
        await bot.terminate()
        await discord.start_bot(variables, folder, ready_within=PATIENCE)
        yield table


@pytest.mark.parametrize(("who", "told"), [("gil", "Table ruling"), ("bia", "Decisão da mesa")])
async def test_a_ruling_comes_first_in_the_language_of_whoever_asks(
    played: Played, who: str, told: str
) -> None:
    answer = await answered(getattr(played, who))
    assert RULING in answer.text
    assert answer.embeds[0]["fields"][0]["name"].startswith(f"[1] {told}")


async def test_a_gm_sees_what_a_player_thinks_without_a_name(played: Played) -> None:
    shown = await (await played.gil.slash("gm feedback")).answer(PATIENCE)
    assert "wrong: 1" in shown.text
    assert "Bia" not in shown.text


async def test_why_is_told_of_an_answer_of_the_process_before(played: Played) -> None:
    why = await (await pressed(played.bia, played.rated, "Por quê")).answer(PATIENCE)
    assert why.ephemeral
    assert f"Procurado: “{PRICE}”" in why.text


@pytest.mark.parametrize(
    ("command", "options"), [("gm feedback", {}), ("gm ruling list", {}), ("gm ruling end", {"ruling": RULE})]
)
async def test_a_player_who_is_sent_a_command_of_gms_is_turned_away(
    played: Played, command: str, options: dict[str, str]
) -> None:
    refused = await (await played.bia.slash(command, **options)).answer(PATIENCE)
    assert refused.ephemeral
    assert "mestres" in refused.text
