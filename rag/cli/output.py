"""How the terminal shows answers and pages; the same blocks as in Discord."""

from collections.abc import AsyncIterator, Sequence
from itertools import groupby

from langchain_core.documents import Document
from rich.padding import Padding
from rich.text import Text

from rag.cli.console import REMARK, err, out
from rag.errors import RulesError
from rag.library.books.found_page import FoundPage
from rag.library.books.page import SECTION_JOINT
from rag.state import Progress, Reply, Span, Stated
from rag.texts import Texts, texts_for
from rag.texts.blocks import Block, Role, blocks, citation, source_citation
from rag.texts.passages import MARKED, Paragraph, ParagraphKind, paragraphs
from rag.texts.why import why_blocks

STYLES = {
    Role.VERDICT: "bold",
    Role.MISSING: REMARK,
    Role.NOTICE: REMARK,
    Role.FURTHER: "dim",
    Role.FOOTER: "dim",
}

INDENT = 3
"""Columns before what a book says."""


def print_question(question: str) -> None:
    """A question before its answer, where nobody typed it."""
    out.print(Text.assemble(("?", "bold"), " ", question))


def print_reply(reply: Reply, *, numbers_games: bool = False) -> None:
    """An answer, block by block, in its own language; the further passages by their numbers, on one line."""
    texts = texts_for(reply.locale)
    of_role = groupby(blocks(reply, texts), key=lambda block: block.role)
    for role, group in of_role:
        if role is Role.FURTHER:
            places = " · ".join(block.title for block in group)
            out.print("\n" + texts("answer-further", places=places), style=STYLES[role])
            continue
        for block in group:
            if role is Role.SOURCE:
                _print_source(block)
            else:
                _print_block(block)
    if reply.other_games:
        first = len(reply.answer.sources) + 1
        options = " · ".join(
            f"[{number}] {game}" if numbers_games else f'--book "{game}"'
            for number, game in enumerate(reply.other_games, first)
        )
        out.print(texts("answer-other-games", options=options), style=STYLES[Role.FOOTER])
    out.print()


def print_passage(reply: Reply, number: int) -> bool:
    """Print the whole passage behind a number of an answer; whether there is one."""
    if not 0 < number <= len(reply.answer.sources):
        return False
    source = reply.answer.sources[number - 1]
    title = source_citation(source, texts_for(reply.locale))
    _print_source(Block(Role.SOURCE, source.whole_quote, title, source.passage, number))
    out.print()
    return True


def print_why(reply: Reply) -> None:
    """How an answer was found, in its language."""
    for block in why_blocks(reply.trace, texts_for(reply.locale)):
        _print_block(block)
    out.print()


def print_pages(pages: Sequence[Document], texts: Texts) -> None:
    """Ranked pages with the passage that matched best."""
    for rank, page in enumerate(map(FoundPage.of, pages), start=1):
        place = citation(page.book, page.label, page.pdf_page, texts, page.section)
        headings = "" if place == page.section else SECTION_JOINT.join(page.headings)
        out.print(Text.assemble((f"{rank}. {place}", "bold"), "  ", (headings, "dim")))
        hit = next(iter(page.hits), Span(0, 300))
        _print_indented(Text(" ".join(page.text[hit.start : hit.end].split())))


async def awaited_reply(events: AsyncIterator[Progress | Stated | Reply], texts: Texts) -> Reply:
    """The reply at the end of the events; meanwhile a terminal shows the step that lasts."""
    reply: Reply | None = None
    with err.status("") as status:
        async for event in events:
            if isinstance(event, Reply):
                reply = event
            elif isinstance(event, Progress):
                status.update(texts(event.stage.value, hop=event.hop, target=event.target or "none"))
    if reply is None:
        raise RulesError
    return reply


def _print_source(block: Block) -> None:
    """A quotation under its place, numbered as the statements refer to it."""
    out.print(f"\n[{block.number}] {block.title}", style=f"bold {REMARK}")
    if block.passage:
        for paragraph in paragraphs(block.passage, out.width - INDENT):
            _print_paragraph(paragraph)
    else:
        _print_indented(Text(f"“{block.text}”"))


def _print_block(block: Block) -> None:
    if block.role is Role.LIST:
        out.print(f"\n{block.title}", style="bold")
        for line in block.text.splitlines():
            _print_indented(Text(line))
        return
    if block.role is Role.FOOTER:
        out.print()
    for text in filter(None, (block.title, block.text)):
        out.print(text, style=STYLES.get(block.role, ""))


def _print_paragraph(paragraph: Paragraph) -> None:
    """A paragraph of a passage, what answers best of it in bold."""
    between = Text("\n" if paragraph.kind is ParagraphKind.TABLE else " ")
    mark = "" if paragraph.kind is ParagraphKind.TABLE else MARKED
    runs = between.join(
        Text(mark + run.text, "bold") if run.is_closest else Text(run.text) for run in paragraph.runs
    )
    if paragraph.kind is ParagraphKind.HEADING:
        runs.stylize("italic")
    for line in runs.split():
        _print_indented(line)


def _print_indented(text: Text) -> None:
    """Indented paragraphs on a terminal; one whole line for programs and files."""
    out.print(Padding(text, (0, 0, 0, INDENT)) if out.is_terminal else Text(" " * INDENT).append(text))
