"""An answer as titled blocks, for embeds and terminal alike; pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from rag.state import Outcome, Reply
from rag.texts import Texts


class Role(StrEnum):
    """What a block is to the reader; renderers give each its place and look."""

    VERDICT = "verdict"
    EXPLANATION = "explanation"
    SOURCE = "source"
    MISSING = "missing"
    HEADINGS = "headings"
    NOTICE = "notice"
    FOOTER = "footer"


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of an answer: what it is, its title ("Core Rules, p. 12") and its text."""

    role: Role
    text: str
    title: str = ""


def blocks(reply: Reply, texts: Texts) -> list[Block]:
    """The verdict first, then the explanation, the sources, what is missing, and how it was found."""
    claim = [*_claim(reply, texts), *_absent(reply, texts)]
    return [*claim, *_sources(reply, texts), *_remarks(reply, texts), _footer(reply, texts)]


def claimed(statements: Iterable[str]) -> list[Block]:
    """Statements as blocks: the first is the verdict, the others explain it."""
    verdict, *further = [*statements] or [""]
    explanation = [Block(Role.EXPLANATION, "\n".join(further))] if further else []
    return [Block(Role.VERDICT, verdict), *explanation] if verdict else []


def citation(book: str, page: str | None, pdf_page: int, texts: Texts) -> str:
    """Book and printed page; the position in the PDF, and that it is one, where no number is known."""
    if page is None:
        return texts("page-unnumbered", book=book, page=str(pdf_page))
    return texts("page-printed", book=book, page=page)


def _claim(reply: Reply, texts: Texts) -> list[Block]:
    answer = reply.answer
    if answer.outcome is Outcome.PASSAGES:
        note = texts(answer.notice) if answer.notice else texts("answer-passages-note")
        return [Block(Role.VERDICT, texts("answer-passages")), Block(Role.NOTICE, note)]
    if not answer.statements:
        return [Block(Role.VERDICT, answer.answer)]
    return claimed(
        f"{statement.text} {''.join(f'[{number + 1}]' for number in statement.sources)}"
        for statement in answer.statements
    )


def _absent(reply: Reply, texts: Texts) -> list[Block]:
    return [
        Block(
            Role.NOTICE,
            texts("answer-page-absent", book=one.book, page=one.page, printed=one.printed)
            if one.printed
            else texts("answer-book-absent", book=one.book),
        )
        for one in reply.answer.absent
    ]


def _sources(reply: Reply, texts: Texts) -> list[Block]:
    return [
        Block(Role.SOURCE, source.quote, citation(source.book, source.page, source.pdf_page, texts))
        for source in reply.answer.sources
    ]


def _remarks(reply: Reply, texts: Texts) -> list[Block]:
    answer = reply.answer
    remarks = []
    if answer.notice and answer.outcome is not Outcome.PASSAGES:
        remarks.append(Block(Role.NOTICE, texts(answer.notice)))
    if reply.forgotten:
        remarks.append(Block(Role.NOTICE, texts("notice-conversation-evicted")))
    if answer.missing:
        remarks.append(Block(Role.MISSING, texts("answer-missing", missing=answer.missing)))
    if answer.elsewhere:
        places = ", ".join(answer.elsewhere)
        remarks.append(
            Block(Role.MISSING, texts("answer-elsewhere", places=places, count=len(answer.elsewhere)))
        )
    if answer.headings:
        remarks.append(Block(Role.HEADINGS, "\n".join(answer.headings), texts("answer-headings")))
    return remarks


def _footer(reply: Reply, texts: Texts) -> Block:
    return Block(
        Role.FOOTER,
        texts("footer", strategy=reply.strategy, hops=reply.hops, seconds=reply.seconds),
    )
