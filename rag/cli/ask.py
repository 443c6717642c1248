"""`ask` and `chat`: one question, or a conversation in the terminal."""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rag.cli.console import asked, err, print_json, say, typed
from rag.cli.library import ingest_and_tell
from rag.cli.output import awaited_reply, print_passage, print_question, print_reply, print_why
from rag.cli.services import open_library_and_graph
from rag.config import Settings, load_settings
from rag.errors import IndexUnreachable, NothingAsked, PictureError, RulesError
from rag.evaluation.questions_to_try import questions_to_try
from rag.graph import RulesGraph
from rag.library.books.catalog import Catalog
from rag.library.index.open import library_settings
from rag.library.language.identify import told_language
from rag.library.language.words import words
from rag.library.library import Library
from rag.models.embeddings import embedding_model
from rag.state import Reply, thread_id
from rag.texts import Texts, texts_for

EXIT_WORDS = frozenset({"exit", "quit", "sair"})
HELP_WORDS = frozenset({"help", "ajuda"})
GAME_WORDS = frozenset({"game", "jogo", "games", "jogos"})
ALL_WORDS = frozenset({"all", "todos"})


@dataclass
class Session:
    """Questions asked with the options of one command; `texts` are in the conversation's language."""

    library: Library
    rules_graph: RulesGraph
    options: argparse.Namespace
    settings: Settings
    texts: Texts
    files: dict[Path, int] | None = None
    last: Reply | None = None
    is_chat: bool = False

    async def reply(self, question: str, thread: str | None = None) -> Reply:
        """The reply to a question; on a terminal its steps are told meanwhile."""
        events = self.rules_graph.ask(
            question,
            thread,
            strategy=self.options.strategy or self.settings.retrieval_strategy,
            reader=self.options.reader,
            book=self.options.book,
            book_only=self.options.book_only,
        )
        return await awaited_reply(events, self.texts)

    async def answer(self, question: str, thread: str | None) -> None:
        """Print the answer to one of several questions; what cannot be answered does not end the others.

        A program gets a line for each. People are told, in the language of the question's own words, that it
        asks nothing, or that the index is away, which may be back for the next.
        """
        as_json = self.options.json
        try:
            if not words(question):
                raise NothingAsked
            reply = await self.reply(question, thread)
        except RulesError as error:
            language = told_language(question)
            texts = texts_for(language) if language else self.texts
            told = texts(error.key, **error.values)
            if as_json:
                print_json({"question": question, "error": told})
            elif isinstance(error, NothingAsked | IndexUnreachable):
                say(told)
            else:
                raise
        else:
            self.print(reply)
            self.last, self.texts = reply, texts_for(reply.locale)

    def read_new_books(self) -> None:
        """Index the books that were put into the library since this was last called, and tell of them."""
        settings = library_settings(load_settings())
        files = {path: path.lstat().st_mtime_ns for path in settings.library_dir.rglob("*")}
        before, self.files = self.files, files
        if before not in (None, files):
            say(self.texts("chat-books-changed", folder=str(settings.library_dir)))
            ingest_and_tell(settings, embedding_model(settings), self.texts)

    def shows(self, word: str) -> bool:
        """Whether a word asks for help, or by number for a passage of the last answer; then show it."""
        if word in HELP_WORDS:
            say(self.texts("chat-help"))
            return True
        return word.isdecimal() and self.last is not None and print_passage(self.last, int(word))

    async def take(self, line: str, word: str, thread: str) -> None:
        """Answer a line, the last question in the game that it chooses, or show what it asks for."""
        before = self.options.book
        if self.chooses_game(word):
            line = self.last.question if self.last and self.options.book != before else ""
        elif self.shows(word):
            line = ""
        if line:
            self.read_new_books()
            await self.answer(line, thread)

    def chooses_game(self, word: str) -> bool:
        """Whether a line chooses the game to ask from now on, or asks which there are; then tell.

        It is chosen by name, by its number in the list, or by the number before it under the last answer.
        """
        said, _, name = word.partition(" ")
        books = self.library.books(self.options.reader)
        games = sorted({book.own_game for book in books})
        if word.isdecimal() and self.last:
            name = _at(self.last.other_games, int(word) - len(self.last.answer.sources))
        elif said not in GAME_WORDS or name.endswith("?"):
            return False
        elif name.isdecimal():
            name = _at(games, int(name)) or name
        meant = {book.own_game for book in Catalog(books).find(name)}
        if not meant and said not in GAME_WORDS:
            return False
        if name in ALL_WORDS:
            self.options.book = None
        elif meant:
            self.options.book = name if len(meant) > 1 else meant.pop()
        else:
            listed = " · ".join(f"[{number}] {game}" for number, game in enumerate(games, 1))
            say(self.texts("chat-games", games=listed, unknown=name or "none"))
            return True
        say(self.texts("chat-game", game=self.options.book or "all"))
        return True

    def print(self, reply: Reply) -> None:
        """Print an answer, for people with how it was found where that was asked for."""
        if self.options.json:
            print_json(reply.to_json())
            return
        print_reply(reply, numbers_games=self.is_chat)
        if self.options.why:
            print_why(reply)


def _at(games: Sequence[str], number: int) -> str:
    """The game with a number, counted from 1; "" where there is none."""
    return games[number - 1] if 0 < number <= len(games) else ""


async def ask(options: argparse.Namespace, settings: Settings, texts: Texts) -> None:
    """Answer one question, or each line of standard input."""
    is_many = options.question == "-"
    if options.picture and is_many:
        raise PictureError("error-one-picture-alone")
    session = Session(*await open_library_and_graph(settings), options, settings, texts)
    thread = thread_id(options.thread) if options.thread else None
    for question in asked(options.question):
        if is_many:
            if not options.json:
                print_question(question)
            await session.answer(question, thread)
            continue
        reply = await session.reply(question, thread)
        session.print(reply)
        if options.picture:
            from rag.cli.pictures import save_quotation

            save_quotation(reply.answer, session.library, options.reader, options.picture, texts)


async def chat(options: argparse.Namespace, settings: Settings, texts: Texts) -> None:
    """Answer what is typed; where standard input is empty and no terminal, show a few samples."""
    session = Session(*await open_library_and_graph(settings), options, settings, texts, is_chat=True)
    session.read_new_books()
    reader, book = options.reader, options.book
    questions = partial(questions_to_try, session.library, session.rules_graph, texts, reader, book=book)
    is_interactive = sys.stdin.isatty()
    if is_interactive:
        say(texts("chat-hint"))
        with err.status(""), suppress(RulesError):
            if to_try := await questions():
                say("\n  ".join([texts("chat-try"), *to_try]))
    thread = thread_id(f"chat {os.getpid()}")
    is_silent = True
    for line in typed(texts("chat-prompt") if is_interactive else ""):
        is_silent = False
        word = line.casefold().removeprefix("/")
        if word in EXIT_WORDS:
            break
        await session.take(line, word, thread)
    if is_silent and not is_interactive:
        for question in await questions():
            print_question(question)
            print_reply(await session.reply(question))
