"""The commands as a person or a program runs them, on the sample game with the packaged embedding."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest

from rag.errors import IndexUnreachable
from rag.graph import RulesGraph
from tests.conftest import SAMPLE_BOOKS, Run, clean_environment
from tests.model_server import ModelServer, Scripted
from tests.scripted import CLEARS_ALL, drafted

TIDESENSE = "How much does Tidesense 3 cost?"
WADING = "letters-at-low-water/wading-orders.pdf"


def values(run: "subprocess.CompletedProcess[str]") -> list[Any]:
    assert run.returncode == 0, run.stderr
    return [json.loads(line) for line in run.stdout.splitlines()]


def test_ask_answers_with_book_and_printed_page(rag: Run) -> None:
    (reply,) = values(rag("ask", TIDESENSE, "--json"))
    first = reply["sources"][0]
    assert (first["file"], first["page"], first["pdf_page"]) == (WADING, "9", 14)
    assert "Tidesense 3 costs 21 stamps" in first["quote"]
    told = [reply[key] for key in ("mode", "model_calls", "strategy", "hops")]
    assert told == ["quotes", 0, "multi-hop", 1]


def test_ask_prints_the_shape_of_the_contract(rag: Run) -> None:
    (reply,) = values(rag("ask", TIDESENSE, "--json"))
    promised = (
        "question standalone_question answer found sources questions strategy hops followed outcome "
        "statements dropped model_calls tokens mode"
    )
    assert {*promised.split(), "seconds"} <= set(reply)
    assert set(reply["sources"][0]) >= {"book", "file", "page", "pdf_page", "quote", "verified"}
    assert set(reply["questions"][0]["context"][0]) == {"book", "file", "page", "pdf_page"}


LEVEL = ("Tidesense 3 costs 21 stamps.", "So Tidesense 3 costs 21 stamps")
DENIED = ("No, Tidesense 3 never costs 21 stamps.", "So Tidesense 3 costs 21 stamps")
FIRST = ("Tidesense 1 costs 5 stamps.", "Cost: Tidesense 1 costs 5 stamps")
INVENTED = ("Tidesense 3 costs 999 stamps.", "So Tidesense 3 costs 21 stamps")


async def asked_with_a_model(rag: Run, *statements: tuple[str, str]) -> "subprocess.CompletedProcess[str]":
    """A command that asks with a model which drafts these statements and stands by all it is asked about."""
    script: dict[str, Scripted] = {
        "SubQuestions": {"sub_questions": []},
        "Sufficiency": {"sufficient": True, "new_queries": []},
        "Draft": lambda prompt: drafted(prompt, *statements),
        "SupportVerdicts": CLEARS_ALL,
    }
    async with ModelServer(script) as model:
        return await asyncio.to_thread(rag, "ask", TIDESENSE, "--json", OPENAI_BASE_URL=model.url)


async def test_ask_prints_what_became_of_each_statement(rag: Run) -> None:
    (reply,) = values(await asked_with_a_model(rag, LEVEL, INVENTED))
    (statement,) = reply["statements"]
    assert (reply["outcome"], reply["found"], reply["mode"]) == ("partly", True, "model")
    assert (statement["text"], statement["role"], statement["calculated"]) == (LEVEL[0], "verdict", False)
    (line,) = statement["lines"]
    assert "Tidesense 3 costs 21 stamps" in line
    assert line in reply["sources"][statement["sources"][0]]["quote"]
    assert reply["dropped"] == [{"text": INVENTED[0], "reason": "numbers"}]
    assert all(source["verified"] for source in reply["sources"])


async def test_ask_prints_an_unproven_ruling_as_what_stands_in_the_books(rag: Run) -> None:
    (reply,) = values(await asked_with_a_model(rag, DENIED, FIRST))
    assert (reply["outcome"], reply["found"]) == ("unproven", True)
    assert [(one["text"], one["role"]) for one in reply["statements"]] == [(FIRST[0], "note")]
    assert reply["dropped"] == [{"text": DENIED[0], "reason": "changed"}]
    assert any("Tidesense 3 costs 21 stamps" in source["quote"] for source in reply["sources"])


async def test_ask_prints_that_nothing_was_found_without_a_source(rag: Run) -> None:
    (reply,) = values(await asked_with_a_model(rag))
    assert (reply["outcome"], reply["found"]) == ("not_found", False)
    assert (reply["statements"], reply["sources"], reply["dropped"]) == ([], [], [])


def test_ask_prints_a_line_for_each_line_it_reads(rag: Run) -> None:
    nothing, reply = values(rag("ask", "-", "--json", stdin=f"?\n\n{TIDESENSE}\n"))
    assert nothing["question"] == "?"
    assert nothing["error"].startswith("What would you like to know?")
    assert reply["question"] == TIDESENSE


@pytest.mark.parametrize("command", [["ask", TIDESENSE], ["search", "Tidesense"], ["books"], ["check"]])
def test_books_that_are_not_read_yet_are_told_where_the_sample_game_answers(
    rag: Run, tmp_path: Path, command: Sequence[str]
) -> None:
    (tmp_path / "core.md").write_text("# Core\n\nA fall costs one die.")
    told = f"The rulebooks in {tmp_path} are not read yet: answering from the sample game."
    assert told in rag(*command, LIBRARY_DIR=str(tmp_path)).stderr
    assert told not in rag(*command).stderr


def test_a_thread_named_in_the_terminal_is_a_conversation(rag: Run) -> None:
    questions = f"{TIDESENSE}\nAnd what does it cost to raise it to 4?\n"
    _, second = values(rag("ask", "-", "--thread", "table", "--json", stdin=questions))
    assert second["standalone_question"] == f"{TIDESENSE} And what does it cost to raise it to 4?"


@pytest.mark.parametrize(
    ("command", "status"),
    [([sys.executable, "-m", "rag", "ask", "-"], 130), (["make", "run"], -signal.SIGINT)],
)
def test_an_interrupt_ends_what_waits_for_a_line_without_an_error(
    sample_index: Path, checkout: Path, tmp_path: Path, command: Sequence[str], status: int
) -> None:
    library = tmp_path / "no-books"
    library.mkdir()
    settings = clean_environment(INDEX_DIR=str(sample_index), LIBRARY_DIR=str(library))
    # Tests that run in the background ignore interrupts, and so would what they start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    run = partial(subprocess.Popen, command, cwd=checkout, env=settings, process_group=0)
    with run(stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True) as waiting:
        assert waiting.stdin
        assert waiting.stdout
        waiting.stdin.write(f"{TIDESENSE}\n")
        waiting.stdin.flush()
        assert any("Wading Orders, p. 9" in line for line in waiting.stdout)
        os.killpg(waiting.pid, signal.SIGINT)
        said = waiting.communicate(timeout=30)[1]
    assert (waiting.returncode, "Error" in said) == (status, False)


@pytest.mark.parametrize("word", ["quit", "EXIT", "sair"])
def test_chat_ends_at_a_word(rag: Run, word: str) -> None:
    chat = rag("chat", stdin=f"{word}\n{TIDESENSE}\n")
    assert (chat.returncode, chat.stdout) == (0, "")


@pytest.mark.parametrize("word", ["/help", "Ajuda"])
def test_chat_says_what_can_be_typed(rag: Run, word: str) -> None:
    chat = rag("chat", stdin=f"{word}\nquit\n")
    assert chat.stdout == ""
    assert "quit, exit or sair: the end." in chat.stderr


def test_each_line_of_standard_input_is_printed_before_its_answer(rag: Run) -> None:
    run = rag("ask", "-", stdin=f"Thanks!\n{TIDESENSE}\n")
    assert run.stdout.splitlines()[0] == "? Thanks!"
    assert run.stdout.index(f"? {TIDESENSE}") < run.stdout.index("Wading Orders, p. 9")
    assert run.stderr.startswith("You are welcome!")


def test_a_conversation_goes_on_after_a_courtesy(rag: Run) -> None:
    chat = rag("chat", stdin=f"Oi, quem é você?\n{TIDESENSE}\nobrigado\n")
    assert chat.stderr.startswith("O que você gostaria de saber?")
    assert "You are welcome!" in chat.stderr
    assert "Wading Orders, p. 9" in chat.stdout


@pytest.mark.parametrize("question", ["", "   ", "?", "🐙"])
@pytest.mark.parametrize("command", ["ask", "search"])
def test_nothing_is_searched_for_a_question_without_words(rag: Run, command: str, question: str) -> None:
    run = rag(command, question, "--json")
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith("What would you like to know?")


def test_a_library_folder_that_does_not_exist_is_said(rag: Run, tmp_path: Path) -> None:
    run = rag("books", LIBRARY_DIR=str(tmp_path / "nowhere"))
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith(f"There is no folder {tmp_path / 'nowhere'}. Correct LIBRARY_DIR")


def test_a_path_that_does_not_exist_is_not_blamed_on_a_setting(rag: Run, tmp_path: Path) -> None:
    run = rag("ingest", str(tmp_path / "nowhere.pdf"))
    assert run.returncode == 1
    assert run.stderr.startswith(f"There is no {tmp_path / 'nowhere.pdf'}.")


def test_output_that_nobody_reads_any_more_is_no_failure_to_tell_of(
    sample_index: Path, checkout: Path
) -> None:
    environment = clean_environment(INDEX_DIR=str(sample_index), LIBRARY_DIR=str(SAMPLE_BOOKS))
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "rag", "books", "--json"]
    run = subprocess.run(command, cwd=checkout, env=environment, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (run.returncode, run.stderr) == (141, b"")


def test_a_conversation_outlives_a_question_that_finds_the_index_away(
    rag: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = RulesGraph.ask

    def away_at_first(self: RulesGraph, question: str, *facts: Any, **options: Any) -> Any:
        if question == "Where?":
            raise IndexUnreachable(url="http://index")
        return ask(self, question, *facts, **options)

    monkeypatch.setattr(RulesGraph, "ask", away_at_first)
    run = rag("chat", stdin="Where?\nHow much does Tidesense 3 cost?\n")
    assert run.returncode == 0
    assert "The Chroma server at http://index does not answer" in run.stderr
    assert "Wading Orders, p. 9" in run.stdout


def test_chat_without_input_shows_sample_questions_with_answers(rag: Run) -> None:
    chat = rag("chat")
    assert chat.returncode == 0
    assert chat.stdout.count("? ") >= 3
    assert "Wading Orders, p. " in chat.stdout


def test_chat_reads_what_is_put_into_the_library_before_it_answers(
    rag: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def typed(prompt: str) -> Iterator[str]:
        yield "How much is a pump?"
        (tmp_path / "pumps.md").write_text("# Pumps\n\nA brass pump costs 31 pence.\n")
        yield "How much is a brass pump?"

    monkeypatch.setattr("rag.cli.ask.typed", typed)
    (tmp_path / "lamps.md").write_text("# Lamps\n\nA storm lamp lights six paces.\n")
    settings = {"LIBRARY_DIR": str(tmp_path), "INDEX_DIR": str(tmp_path / "index")}
    rag("ingest", **settings)
    chat = rag("chat", **settings)
    assert chat.stderr.count(f"The books in {tmp_path} have changed") == 1
    assert "costs 31 pence" in chat.stdout


def test_page_prints_the_text_and_beside_it_which_page_it_is(rag: Run) -> None:
    page = rag("page", "W", "9")
    assert "Tidesense 3 costs 21 stamps" in " ".join(page.stdout.split())
    assert rag("page", "knots", "PDF p. 9").stderr == "The Book of Knots, p. 5\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("page", "Wadding Orders", "9"), "Did you mean “Wading Orders”?"),
        (("page", "Letters at Low Water", "9"), "“Wading Orders”. Name one of them."),
        (("page", "No Such Book", "9"), "no book, code or game called “No Such Book”"),
        (("page", "Wading Orders", "999"), "Wading Orders has no page printed 999"),
        (("ask", TIDESENSE, "--book", "Nothing"), "no book, code or game called “Nothing”"),
    ],
)
def test_a_failure_is_one_clear_line_and_status_1(
    rag: Run, arguments: tuple[str, ...], sentence: str
) -> None:
    failed = rag(*arguments)
    assert (failed.returncode, failed.stdout) == (1, "")
    assert sentence in failed.stderr
    assert len(failed.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "arguments", [(), ("search",), ("ask", "?", "--strategy", "best"), ("search", "?", "-k", "0")]
)
def test_wrong_usage_is_status_2(rag: Run, arguments: tuple[str, ...]) -> None:
    assert rag(*arguments).returncode == 2


def test_an_unknown_strategy_in_the_environment_names_both(rag: Run) -> None:
    failed = rag("ask", TIDESENSE, RETRIEVAL_STRATEGY="best")
    assert failed.returncode == 1
    assert "RETRIEVAL_STRATEGY" in failed.stderr
    assert "multi-hop" in failed.stderr
    assert "multi-question" in failed.stderr


def test_a_gm_book_does_not_exist_for_a_player(rag: Run) -> None:
    question = "What really silences a bell-eel?"
    (player,) = values(rag("search", question, "-k", "50", "--json"))
    (gm,) = values(rag("search", question, "-k", "50", "--json", "--as", "gm"))
    assert not any("/gm/" in page["file"] for page in player)
    assert any("/gm/" in page["file"] for page in gm)
    assert rag("page", "What the Water Knows", "1").returncode == 1
    assert rag("ask", question, "--book", "What the Water Knows").returncode == 1


def test_without_own_books_every_command_says_that_the_sample_game_is_the_library(
    rag: Run, tmp_path: Path
) -> None:
    for command in ("books", "ask Tidesense", "ingest", "search sea", "page W 1", "chat"):
        run = rag(*command.split(), LIBRARY_DIR=str(tmp_path))
        assert run.returncode == 0, run.stderr
        assert f"No rulebook in {tmp_path} yet: answering from the sample game" in run.stderr


def test_where_another_command_tells_of_the_sample_game_ingest_does_not(rag: Run, tmp_path: Path) -> None:
    assert rag("ingest", "--told", LIBRARY_DIR=str(tmp_path)).stderr == ""


@pytest.mark.parametrize("command", [("ask", TIDESENSE), ("books",)])
def test_without_own_books_and_index_one_sentence_says_what_to_do(
    rag: Run, tmp_path: Path, command: Sequence[str]
) -> None:
    run = rag(*command, LIBRARY_DIR=str(tmp_path), INDEX_DIR=str(tmp_path / "index"))
    assert (run.returncode, run.stdout, run.stderr.count("\n")) == (1, "", 1)
    assert run.stderr.startswith(f"No rulebook in {tmp_path} yet, and the sample game")


def test_books_and_ingest_say_which_books_are_for_the_gm(rag: Run) -> None:
    for command in ("books", "ingest"):
        lines = [line.split() for line in rag(command).stdout.splitlines()]
        assert lines[0][-3] == "For"
        assert sorted(line[-3] for line in lines[1:] if line[-2].count("/") == 1) == [
            "GM",
            "all",
            "all",
            "all",
        ]


def test_an_answer_speaks_the_language_of_the_question(rag: Run) -> None:
    reply = rag("ask", "Quanto custa a vantagem Tidesense no nível 3?")
    assert "Sem modelo: só citações" in reply.stdout


def test_what_two_books_say_of_one_thing_is_shown_of_each(rag: Run) -> None:
    (reply,) = values(rag("ask", "swimming in the orders book vs the almanac one", "--json"))
    first, second = reply["sources"][:2]
    assert (first["page"], second["page"]) == ("8", "14")


def test_make_run_answers_piped_questions(sample_index: Path, checkout: Path, tmp_path: Path) -> None:
    library = tmp_path / "no-books"
    library.mkdir()
    environment = clean_environment(INDEX_DIR=str(sample_index), LIBRARY_DIR=str(library))
    made = subprocess.run(
        ["make", "run"], cwd=checkout, env=environment, input=f"{TIDESENSE}\n", capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    assert "Wading Orders, p. 9" in made.stdout


def test_a_new_embedding_model_is_told_and_the_library_indexed_anew(
    rag: Run, sample_index: Path, tmp_path: Path
) -> None:
    index = tmp_path / "index"
    shutil.copytree(sample_index, index)
    manifest = index / "current.json"
    of_another = {**json.loads(manifest.read_text()), "model": "another", "sources": "of another"}
    manifest.write_text(json.dumps(of_another))
    run = rag("ingest", INDEX_DIR=str(index))
    assert "made with the embedding model another; it has been made anew with embedded" in " ".join(
        run.stderr.split()
    )


def test_a_book_that_fails_is_one_line_and_status_1_and_the_others_are_indexed_and_asked(
    rag: Run, checkout: Path, tmp_path: Path
) -> None:
    library = tmp_path / "library"
    library.mkdir()
    shutil.copy(next(SAMPLE_BOOKS.glob("*/book-of-knots.pdf")), library / "knots.pdf")
    (library / "empty.pdf").write_bytes(b"")
    (library / "text.pdf").write_text("not a PDF")
    folders = {"LIBRARY_DIR": str(library), "INDEX_DIR": str(tmp_path / "index")}
    run = rag("ingest", **folders)
    assert run.returncode == 1
    assert sorted(run.stderr.splitlines()) == [
        "empty.pdf: the file is empty. Copy it again.",
        "text.pdf: is not a PDF in spite of its name. Replace it by the real file.",
    ]
    (books,) = values(rag("books", "--json", **folders))
    assert [book["file"] for book in books] == ["knots.pdf"]
    make = ["make", "ask", "Q=how much is one knot?"]
    made = subprocess.run(
        make, cwd=checkout, env=clean_environment(**folders), capture_output=True, text=True
    )
    assert (made.returncode, "Knots, p. " in made.stdout) == (0, True), made.stderr


def test_a_name_longer_than_any_sentence_is_cut_in_the_error(rag: Run) -> None:
    run = rag("search", "Tidesense", "--book", "x" * 5000)
    assert run.returncode == 1
    assert 900 < len(run.stderr) < 1300


def test_an_index_folder_that_cannot_be_made_is_said(rag: Run, tmp_path: Path) -> None:
    closed = tmp_path / "loop"
    closed.symlink_to(closed)
    failed = rag("ingest", INDEX_DIR=str(closed))
    assert failed.returncode == 1
    assert failed.stderr == (
        f"The index in {closed} cannot be written (File exists): free disk space, fix the "
        "rights of that folder, or name another one in INDEX_DIR.\n"
    )


async def test_a_question_that_reaches_its_bound_is_answered_by_quotation_without_a_warning(
    rag: Run, caplog: pytest.LogCaptureFixture
) -> None:
    async with ModelServer({}) as model:
        asked = await asyncio.to_thread(
            rag, "ask", TIDESENSE, "--json", OPENAI_BASE_URL=model.url, QUESTION_TOKENS="1"
        )
    (reply,) = values(asked)
    assert (reply["notice"], reply["mode"]) == ("error-question-budget-spent", "quotes")
    assert [record.getMessage() for record in caplog.records if record.levelname == "WARNING"] == []
    assert model.prompts == []


def test_books_as_json_tell_the_kind_and_the_printed_label_of_every_page(rag: Run) -> None:
    (books,) = values(rag("books", "--json"))
    assert {book["title"] for book in books} >= {"Wading Orders", "The Book of Knots", "Almanac of the Ebb"}
    (wading,) = [book for book in books if book["file"] == WADING]
    assert wading["kind"] == "pdf"
    assert len(wading["labels"]) == wading["pages"]
    assert wading["labels"][13] == "9"
