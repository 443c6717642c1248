"""People at random: whatever they press, in whatever order, every promise of each single press is kept."""

import json
import logging
import random
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import discord
import pytest
from simcord import ChannelHandle, Env, GuildHandle, InteractionResult, MemberActor, ResponseMessage
from simcord.backend.errors import BackendError, SetupError

from rag.errors import IndexUnreachable
from rag.state import Progress, Reply, Stated
from tests.bot.in_process.conftest import Chat
from tests.bot.in_process.reading import bot_in, buttons, mention
from tests.bot.table import KNOTS, SECRETS, WADING, ScriptedRulesGraph, Table, answer, book, source

HALLS = book("Deep Halls", game="Dark")
BOOKS = {"Tides": WADING, "Dark": HALLS}
"""A book of each game."""
QUESTIONS = ("How far does a storm lamp light?", "Can I swim?", "And in fog?", "valeu", "???")
STEPS = 40
TALK = (discord.MessageType.default, discord.MessageType.reply, discord.MessageType.chat_input_command)
STEPS_BACK = 6
"""So many responses back somebody presses at most."""


class GraphOfGames(ScriptedRulesGraph):
    """Answers from a book that whoever asks may see."""

    async def ask(
        self, question: str, thread: str | None = None, **facts: Any
    ) -> AsyncIterator[Progress | Stated | Reply]:
        games = sorted(game for game, book in BOOKS.items() if facts["is_seen"](book))
        self.said = answer(sources=[source(BOOKS[games[0]])])
        self.other_games = games[1:]
        async for event in super().ask(question, thread, **facts):
            yield event.model_copy(update={"followed": []}) if isinstance(event, Reply) else event


@dataclass
class Walk:
    """Two servers with a game each, their people, and all that stands there to be pressed."""

    env: Env
    table: Table
    chance: random.Random
    servers: dict[str, GuildHandle]
    places: dict[str, list[ChannelHandle]]
    people: dict[str, list[MemberActor]]
    shown: list[tuple[str, MemberActor, ResponseMessage]] = field(default_factory=list)

    async def step(self) -> tuple[str, MemberActor, str]:
        """Let somebody do something; in which server it was, who did it, and what."""
        game = self.chance.choice(sorted(self.servers))
        person, place = self.chance.choice(self.people[game]), self._place(game)
        act = self.chance.choice((self._press,) * 6 + (self._command,) * 3 + (self._say, self._mischief))
        with suppress(BackendError, SetupError):
            # What Discord itself allows nobody to do.
            return game, person, await act(game, person, place)
        return game, person, f"not {act.__name__}"

    def _place(self, game: str) -> ChannelHandle:
        channel = self.chance.choice(self.places[game])
        return self.chance.choice([channel, *channel.threads[-2:]])

    async def _command(self, game: str, person: MemberActor, place: ChannelHandle) -> str:
        question = self.chance.choice(QUESTIONS)
        commands: list[tuple[str, dict[str, Any]]] = [
            ("rules", {"question": question}),
            ("rules", {"question": question, "private": True, "book": BOOKS[game].title}),
            ("gm rules", {"question": question}),
            ("library search", {"text": "lamp"}),
            ("library page", {"book": BOOKS[game].title, "page": "3"}),
            ("gm feedback", {}),
            ("gm ruling add", {}),
            ("gm game", {"game": game}),
            ("privacy forget", {}),
            ("privacy show", {}),
        ]
        name, options = self.chance.choice(commands)
        if name in person.available_commands(place):
            await self._answered(game, person, await person.slash(place, name, **options))
        return f"/{name} {options}"

    async def _press(self, game: str, person: MemberActor, place: ChannelHandle) -> str:
        """Press something that somebody sees, once or twice."""
        of_game = [(owner, shown) for of_game, owner, shown in self.shown if of_game == game]
        seen = [shown for owner, shown in of_game if owner is person or not shown.ephemeral]
        seen = [shown for shown in seen[-STEPS_BACK:] if buttons(shown, pressable=True)]
        if not seen:
            return await self._command(game, person, place)
        shown = self.chance.choice(seen)
        label = self.chance.choice(buttons(shown, pressable=True))
        for _ in range(self.chance.choice((1, 1, 2))):
            if label in buttons(shown, pressable=True):
                await self._answered(game, person, await person.click(shown, label=label))
        return f"press {label}"

    async def _answered(self, game: str, person: MemberActor, result: InteractionResult) -> None:
        """Fill the window that was opened, and keep in mind what was shown."""
        assert result.acknowledged, result
        if result.modal:
            fields = [row["component"] for row in result.modal["components"]]
            typed = {one["custom_id"]: one.get("value") or "Can I swim?" for one in fields}
            if "held" in typed:
                typed["held"] = ["session"]
            result = await person.submit_modal(result, typed)
            assert result.acknowledged, result
        for shown in filter(None, (result.response, *result.followups)):
            self.shown.append((game, person, shown))

    async def _say(self, game: str, person: MemberActor, place: ChannelHandle) -> str:
        said = f"{mention(self.env)} {self.chance.choice(QUESTIONS)}"
        await person.send(place, said)
        return said

    async def _mischief(self, game: str, person: MemberActor, place: ChannelHandle) -> str:
        """What upsets what stands there: a restart, a failure, a book that leaves, a deleted answer."""
        graph, books = self.table.rules_graph, self.table.library.all_books
        graph.failure = None
        match self.chance.choice(("fail", "leave", "return", "delete", "restart", "forget")):
            case "fail":
                graph.failure = IndexUnreachable()
            case "leave" if BOOKS[game] in books:
                books.remove(BOOKS[game])
            case "return" if BOOKS[game] not in books:
                books.append(BOOKS[game])
            case "delete":
                mine = [one for one in place.history() if one.author.bot and not one.flags.ephemeral]
                if mine:
                    self.env.backend.delete_message(place.id, mine[-1].id)
                    await self.env.settle()
            case "restart":
                await self.env.restart_bot(self.table.restarted())
            case "forget":
                await bot_in(self.env).forgetting.server(self.servers[game].id)
        return "mischief"


@pytest.fixture
def graph() -> ScriptedRulesGraph:
    return GraphOfGames()


@pytest.fixture
def walk(env: Env, table: Table, seed: int) -> Walk:
    # A server's own name tells no game.
    chats = {game: Chat(table, env) for game in BOOKS}
    servers = {game: chat.guild for game, chat in chats.items()}
    people = {game: [chat.ana, chat.bia, chat.gm] for game, chat in chats.items()}
    places = {
        game: [chat.channel, chat.read_only, chat.guild.create_voice_channel("voice")]
        for game, chat in chats.items()
    }
    table.library.all_books = [WADING, KNOTS, SECRETS, HALLS]
    table.library.entries.update({str(guild.id): (game,) for game, guild in servers.items()})
    return Walk(env, table, random.Random(seed), servers, places, people)


def public_in(channel: ChannelHandle) -> set[int]:
    """What all see in a channel and its threads, but for what Discord itself writes."""
    places = [channel, *channel.threads]
    messages = [one for place in places for one in place.history() if one.type in TALK]
    return {one.id for one in messages if not one.flags.ephemeral}


@pytest.mark.parametrize("seed", range(2))
async def test_whatever_people_do_is_acknowledged_and_nobody_is_told_or_says_what_they_may_not(
    chat: Chat, walk: Walk, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.questions.queue.QUESTIONS_A_MINUTE", 10_000)
    did = []
    for _ in range(STEPS):
        caplog.clear()
        sent, silent = len(chat.env.http_requests), {game: public_in(walk.places[game][1]) for game in BOOKS}
        game, person, act = await walk.step()
        did.append(f"{person.name} in {game}: {act}")
        told = json.dumps([one.json for one in chat.env.http_requests[sent:]], default=str) + caplog.text
        [other] = {*BOOKS} - {game}
        assert BOOKS[other].title not in told, did
        assert [one for one in caplog.records if one.levelno >= logging.ERROR] == [], (did, caplog.text)
        if person is not walk.people[game][2] and act != "mischief":
            assert public_in(walk.places[game][1]) <= silent[game], did
