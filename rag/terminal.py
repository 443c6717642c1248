"""How the terminal shows answers and pages; the same blocks as in Discord."""

from collections.abc import AsyncIterator, Sequence

from langchain_core.documents import Document
from rich.markup import escape
from rich.padding import Padding

from rag.errors import RulesError
from rag.graph import Reply
from rag.listing import err, out
from rag.present import Block, Role, blocks, citation
from rag.progress import Progress
from rag.texts import Texts, texts_for

STYLES = {
    Role.VERDICT: "bold",
    Role.EXPLANATION: "",
    Role.MISSING: "yellow",
    Role.HEADINGS: "dim",
    Role.NOTICE: "yellow",
    Role.FOOTER: "dim",
}


def print_question(question: str) -> None:
    """A question before its answer, where nobody typed it."""
    out.print(f"[bold green]?[/] {escape(question)}")


def print_reply(reply: Reply) -> None:
    """An answer, block by block, in its own language."""
    for block in blocks(reply, texts_for(reply.locale)):
        _print_block(block)
    out.print()


def print_pages(pages: Sequence[Document], texts: Texts) -> None:
    """Ranked pages with the passage that matched best."""
    for rank, page in enumerate(pages, start=1):
        facts = page.metadata
        place = citation(facts["book"], facts["page"], facts["pdf_page"], texts)
        out.print(f"[bold]{rank}. {escape(place)}[/]  [dim]{' › '.join(facts['headings'])}[/]")
        start, end = next(iter(facts["hits"]), [0, 300])
        _print_indented(" ".join(page.page_content[start:end].split()))


async def awaited_reply(events: AsyncIterator[Progress | Reply], texts: Texts) -> Reply:
    """The reply at the end of the events; on a terminal each step before it is shown while it lasts."""
    reply: Reply | None = None
    with err.status("") as status:
        async for event in events:
            if isinstance(event, Reply):
                reply = event
            else:
                status.update(escape(texts(event.stage.value, hop=event.hop, target=event.target or "none")))
    if reply is None:
        raise RulesError
    return reply


def _print_block(block: Block) -> None:
    if block.role is Role.SOURCE:
        out.print(f"\n[bold cyan]{escape(block.title)}[/]")
        _print_indented(f"“{block.text}”")
        return
    if block.role is Role.FOOTER:
        out.print()
    if block.title:
        out.print(escape(block.title), style=STYLES[block.role])
    out.print(escape(block.text), style=STYLES[block.role])


def _print_indented(text: str) -> None:
    """Indented paragraphs on a terminal; one whole line for programs and files."""
    out.print(Padding(escape(text), (0, 0, 0, 3)) if out.is_terminal else f"   {escape(text)}")
