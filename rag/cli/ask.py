"""`ask` and `chat`: one question, or a conversation in the terminal."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rag.cli.console import asked, say, typed
from rag.cli.output import awaited_reply, print_question, print_reply, print_why
from rag.cli.rulings import rulings_in
from rag.cli.services import open_library_and_graph
from rag.config import SAMPLE_LIBRARY, Settings
from rag.errors import IndexUnreachable, NothingAsked, OnePictureAlone, RulesError
from rag.graph import RulesGraph
from rag.library.books.found_page import FoundPage
from rag.library.books.ruling import Ruling
from rag.library.language.identify import told_language
from rag.library.language.words import words
from rag.library.library import Library
from rag.state import Reply, thread_id
from rag.texts import Texts, texts_for

SAMPLE_QUESTIONS = SAMPLE_LIBRARY.parent / "questions.jsonl"
SAMPLES_SHOWN = 3
EXIT_WORDS = frozenset({"exit", "quit", "sair"})
HELP_WORDS = frozenset({"help", "ajuda"})


@dataclass(frozen=True)
class Session:
    """Questions asked with the options of one command; `texts` are in the terminal's language.

    `rulings` are those of the table that the options name.
    """

    rules_graph: RulesGraph
    options: argparse.Namespace
    settings: Settings
    texts: Texts
    rulings: Sequence[Ruling]

    async def reply(self, question: str, thread: str | None = None) -> Reply:
        """The reply to a question; on a terminal its steps are told meanwhile."""
        events = self.rules_graph.ask(
            question,
            thread,
            strategy=self.options.strategy or self.settings.retrieval_strategy,
            reader=self.options.reader,
            book=self.options.book,
            book_only=self.options.book_only,
            rulings=self.rulings,
        )
        return await awaited_reply(events, self.texts, for_people=not self.options.json)

    def print(self, reply: Reply) -> None:
        """Print an answer for people, and how it was found where that was asked for."""
        print_reply(reply)
        if self.options.why:
            print_why(reply)


async def ask(options: argparse.Namespace, settings: Settings, texts: Texts) -> int:
    """Answer one question, or each line of standard input; returns the exit status."""
    if options.picture and options.question == "-":
        raise OnePictureAlone
    library, rules_graph = await open_library_and_graph(settings)
    session = Session(rules_graph, options, settings, texts, _rulings(options))
    thread = thread_id(options.thread) if options.thread else None
    if options.question == "-":
        await _answer_lines(session, thread)
        return 0
    for question in asked(options.question, texts):
        try:
            reply = await session.reply(question, thread)
        except NothingAsked as error:
            say(_texts_of(question, texts)(error.key))
            return 1
        if options.json:
            print(json.dumps(reply.to_json(), ensure_ascii=False), flush=True)
        else:
            session.print(reply)
        if options.picture:
            from rag.cli.pictures import save_quotation

            save_quotation(reply.answer, library, options.reader, options.picture, texts)
    return 0


def _rulings(options: argparse.Namespace) -> Sequence[Ruling]:
    """The rulings of the table that the options name. Raises `NoRulings`."""
    return rulings_in(options.rulings) if options.rulings else ()


async def _answer_lines(session: Session, thread: str | None) -> None:
    """Answer each line of standard input, as JSON or for people."""
    is_json = session.options.json
    for question in asked("-", session.texts, every_line=is_json):
        if is_json:
            told = await _reply_or_error(session, question, thread)
            print(json.dumps(told, ensure_ascii=False), flush=True)
        else:
            await _answer_line(session, question, thread)


async def _answer_line(session: Session, question: str, thread: str | None) -> None:
    """Print a line of standard input and its answer; one that asks nothing does not end the others."""
    print_question(question)
    try:
        session.print(await session.reply(question, thread))
    except NothingAsked as error:
        say(_texts_of(question, session.texts)(error.key))


async def _reply_or_error(session: Session, question: str, thread: str | None) -> dict[str, Any]:
    """A reply as JSON; of a question that cannot be answered why, so that a program gets a line for each."""
    try:
        return (await session.reply(question, thread)).to_json()
    except RulesError as error:
        texts = _texts_of(question, session.texts)
        return {"question": question, "error": texts(error.key, **error.values)}


def _texts_of(question: str, otherwise: Texts) -> Texts:
    """Our sentences in the language that a question's own words tell."""
    told = told_language(question)
    return texts_for(told) if told else otherwise


async def chat(options: argparse.Namespace, settings: Settings, texts: Texts) -> None:
    """Answer what is typed; where standard input is empty and no terminal, show a few samples."""
    library, rules_graph = await open_library_and_graph(settings)
    session = Session(rules_graph, options, settings, texts, _rulings(options))
    is_interactive = sys.stdin.isatty()
    if is_interactive:
        say(texts("chat-hint"))
    is_silent = await _converse(session, texts("chat-prompt") if is_interactive else "")
    if is_silent and not is_interactive:
        for question in await _samples(library, session):
            print_question(question)
            print_reply(await session.reply(question))


async def _converse(session: Session, prompt: str) -> bool:
    """Answer the lines that are typed until the end; whether none was."""
    thread = thread_id(f"chat {os.getpid()}")
    texts, is_silent = session.texts, True
    async for line in typed(prompt):
        is_silent = False
        typed_word = line.casefold().removeprefix("/")
        if typed_word in EXIT_WORDS:
            break
        if typed_word in HELP_WORDS:
            say(texts("chat-help"))
        elif not words(line):
            say(texts(NothingAsked.key))
        else:
            texts = await _say_answer(session, line, thread, texts)
    return is_silent


async def _say_answer(session: Session, question: str, thread: str, texts: Texts) -> Texts:
    """Print the answer within a conversation; returns our sentences in the conversation's language."""
    try:
        reply = await session.reply(question, thread)
    except NothingAsked as error:
        say(_texts_of(question, texts)(error.key))
        return texts
    except IndexUnreachable as error:
        # The index may be back for the next question.
        say(texts(error.key, **error.values))
        return texts
    print_reply(reply)
    return texts_for(reply.locale)


async def _samples(library: Library, session: Session) -> list[str]:
    """A few questions to show: the sample game's own, else after headings of the reader's books."""
    if session.settings.library_dir == SAMPLE_LIBRARY:
        lines = SAMPLE_QUESTIONS.read_text(encoding="utf-8").splitlines()
        return [json.loads(line)["question"] for line in lines[:SAMPLES_SHOWN]]
    retriever = library.retriever(session.options.reader, session.options.book)
    pages = await retriever.ainvoke(session.texts("sample-query"))
    titled = [page for page in map(FoundPage.of, pages) if page.headings]
    return [
        session.texts("sample-question", book=page.book, heading=page.headings[-1])
        for page in titled[:SAMPLES_SHOWN]
    ]
