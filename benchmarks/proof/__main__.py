"""Statements as chat models write them, true and false, and which of them are claimed.

`python -m benchmarks.proof [--sealed] [--cases] [--json]` typesets the invented books of `books/`, indexes
them, and lets a scripted model draft each statement over its real pages, as the verdict. The second look is
one that fails, an honest one that knows which are true, and one that says yes to all. The open half is to
work with; the sealed half is measured at the end of a change.
"""

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from langchain_core.language_models import BaseChatModel
from pydantic import BaseModel
from rich.console import Console
from rich.table import Table

from benchmarks.models.scripted import Answerer, ScriptedModel, honest_support
from benchmarks.proof.library import HERE, write_books
from rag.config import load_settings
from rag.evaluation.questions import read_json_lines
from rag.library.books.found_page import FoundPage
from rag.library.ingest.ingest import ingest
from rag.library.language.identify import likeliest_language, told_language
from rag.library.library import Library
from rag.models.embeddings import embedding_model
from rag.nodes.citations import canonical
from rag.nodes.generate import AnswerRequest, written_answer
from rag.nodes.verification import names_a_thing
from rag.state import AnswerWithSources, Outcome, PageId
from rag.strategies.context import PagePart, PromptPages
from rag.strategies.lines import cells, lines_of
from rag.texts import texts_for

ROW = "row: "
"""Before the first cell of a table row that is evidence."""
LOOKS = ("fails", "honest", "yes to all")


class StatedCase(BaseModel):
    """A statement over a book: the words of its lines, and whether it is true and answers the question."""

    id: str
    book: str
    question: str
    evidence: list[str]
    calculation: str | None = None
    statement: str
    kind: str
    true: bool
    why: str = ""


class MissingCase(BaseModel):
    """What a model says is missing, and whether it names a thing."""

    question: str
    book: str
    missing: str
    ok: bool


class StatedFate(BaseModel):
    """What became of a statement: claimed with each second look, why not, whether it is marked calculated."""

    case: StatedCase
    claimed: dict[str, bool]
    reason: str = ""
    is_calculated: bool = False
    is_shown: bool = False


def main() -> None:
    """Measure one half and print the counts by kind."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.proof", description=__doc__)
    parser.add_argument("--sealed", action="store_true", help="the half that was kept aside")
    parser.add_argument("--cases", action="store_true", help="name each statement that fared ill")
    parser.add_argument("--json", action="store_true", help="one JSON object a statement")
    options = parser.parse_args()
    half = "sealed" if options.sealed else "open"
    cases = read_json_lines(HERE / f"{half}.jsonl", StatedCase)
    with TemporaryDirectory() as folder:
        fates = asyncio.run(_fates(cases, Path(folder)))
    console = Console(width=140)
    if options.json:
        print(*(fate.model_dump_json() for fate in fates), sep="\n")
        return
    console.print(table(fates))
    missing = read_json_lines(HERE / f"{half}_missing.jsonl", MissingCase)
    told = Counter((one.ok, names_a_thing(one.missing, [one.question], "en")) for one in missing)
    console.print(
        f"missing: names {told[True, True]} of {told[True, True] + told[True, False]} shown, "
        f"claims {told[False, True]} of {told[False, True] + told[False, False]} shown"
    )
    if options.cases:
        for fate in fates:
            if fate.case.true != fate.claimed["honest"] or (
                not fate.case.true and fate.claimed["yes to all"]
            ):
                print(json.dumps({"reason": fate.reason, **fate.case.model_dump()}, ensure_ascii=False))


def table(fates: Sequence[StatedFate]) -> Table:
    """A row a kind: how many are true or false, how many of them are claimed with each second look."""
    shown = Table(
        "kind", "true", *LOOKS, "calculated", "false", *LOOKS, "calculated", box=None, header_style="bold"
    )
    kinds = list(dict.fromkeys(fate.case.kind for fate in fates))
    for kind in [*kinds, "all"]:
        row = [kind]
        for is_true in (True, False):
            those = [one for one in fates if one.case.true is is_true and kind in (one.case.kind, "all")]
            claimed = [sum(one.claimed[look] for one in those) for look in LOOKS]
            row += map(str, (len(those), *claimed, sum(one.is_calculated for one in those)))
        shown.add_row(*row)
    return shown


async def _fates(cases: Sequence[StatedCase], folder: Path) -> list[StatedFate]:
    books = pages_by_book(folder, cases)
    return [await _fate(case, books[case.book]) for case in cases]


def pages_by_book(folder: Path, cases: Sequence[StatedCase]) -> dict[str, list[FoundPage]]:
    """The pages of each book that statements are about; the books are written into a folder and indexed."""
    settings = load_settings().model_copy(
        update={"library_dir": folder / "books", "index_dir": folder / "index", "data_dir": folder / "data"}
    )
    write_books(settings.library_dir)
    embedding = embedding_model(settings)
    ingest(settings, embedding)
    library = Library.open(settings, embedding)
    return {name: _pages(library, name) for name in {case.book for case in cases}}


def _pages(library: Library, name: str) -> list[FoundPage]:
    """All pages of a book that may be cited, as a search would have found them."""
    file = f"{name}/{name}.pdf"
    (book,) = (one for one in library.books("gm") if one.file == file)
    ids = [PageId(file, number) for number in range(1, book.pages + 1)]
    retriever = library.retriever("gm")
    return [page for page in map(FoundPage.of, retriever.fetch(ids)) if page.is_citable]


async def _fate(case: StatedCase, pages: Sequence[FoundPage]) -> StatedFate:
    shown = prompt_of(case, pages)
    draft = drafted(case, shown)
    no_false = honest_support([] if case.true else [case.statement])
    looks: Mapping[str, Answerer | None] = dict(zip(LOOKS, (None, no_false, honest_support(())), strict=True))
    answers = {name: await answered(case, shown, draft, look) for name, look in looks.items()}
    honest = answers["honest"]
    return StatedFate(
        case=case,
        claimed={name: bool(answer.statements) for name, answer in answers.items()},
        reason=next((one.reason for one in answers["yes to all"].dropped), ""),
        is_calculated=any(one.calculated for one in answers["yes to all"].statements),
        is_shown=bool(honest.sources),
    )


def prompt_of(case: StatedCase, pages: Sequence[FoundPage]) -> PromptPages:
    """The pages that hold the evidence, and those that correct them."""
    wanted = [page for page in pages if any(_line_of(one, page) for one in case.evidence)]
    known = {page.id: page for page in pages}
    corrected = [known[one.other.id] for page in wanted for one in page.amended_by if one.other.id in known]
    chosen = {page.id: page for page in [*wanted, *corrected]}.values()
    return PromptPages(tuple(PagePart(number, page, lines_of(page)) for number, page in enumerate(chosen, 1)))


def drafted(case: StatedCase, shown: PromptPages) -> dict[str, Any]:
    """The statement as a model drafts it over these pages."""
    return {"evidence": _ids(case, shown), "calculation": case.calculation, "text": case.statement}


def _ids(case: StatedCase, shown: PromptPages) -> list[str]:
    """The ids of the lines that hold the evidence. Raises `ValueError` where a line is not found."""
    ids = []
    for one in case.evidence:
        found = [
            f"{part.number}.{_line_of(one, part.page)}" for part in shown.parts if _line_of(one, part.page)
        ]
        if not found:
            raise ValueError(f"{case.id}: no line reads {one!r}")
        ids += found[:1]
    return ids


def _line_of(evidence: str, page: FoundPage) -> int | None:
    """The number of the line of a page that holds the words of some evidence, or is of its row."""
    wanted = canonical(evidence.removeprefix(ROW)).characters
    for line in lines_of(page):
        said = canonical(line.text).characters
        if evidence.startswith(ROW):
            if line.is_row and canonical(
                " ".join(one.value for one in cells(line.text))
            ).characters.startswith(wanted):
                return line.number
        elif wanted in said or (said and said in wanted and len(said) > len(wanted) // 2):
            return line.number
    return None


async def answered(
    case: StatedCase,
    shown: PromptPages,
    draft: Mapping[str, Any],
    look: Answerer | None,
    supporter: BaseChatModel | None = None,
) -> AnswerWithSources:
    """The answer of a model that drafts nothing but the statement; `supporter` looks in its place."""
    script: dict[str, Answerer] = {"Draft": lambda prompt, before: {"statements": [draft], "missing": None}}
    script["SupportVerdicts"] = look or _no_reply
    request = AnswerRequest(
        case.question, case.question, (), (_language(case), *{p.language for p in shown.pages})
    )
    model = ScriptedModel(script=script)
    return await written_answer(
        model, request, shown, _no_passages, texts_for("en"), supporter=supporter or model
    )


def _language(case: StatedCase) -> str:
    """The language a statement is written in, as far as its words tell."""
    return told_language(case.statement) or likeliest_language(case.statement)


def _no_reply(prompt: str, before: int) -> dict[str, Any]:
    return {"supports": []}


async def _no_passages() -> AnswerWithSources:
    return AnswerWithSources(answer="", found=False, outcome=Outcome.PASSAGES)


if __name__ == "__main__":
    main()
