"""Pages asked for or referred to that are not here: their book lacks them, or is not in the library; pure."""

from collections.abc import Iterator, Sequence

from langchain_core.documents import Document

from rag.nodes.citations import find_quote, paragraph_around
from rag.state import AbsentPage, AnswerWithSources, Outcome, Question, Source, Span


def absent_pages(questions: Sequence[Question]) -> list[AbsentPage]:
    """The pages that the first question, the asker's own, names in vain, as its search found out."""
    best = [page for question in questions[:1] for page in question.context[:1]]
    return [AbsentPage.model_validate(one) for page in best for one in page.metadata.get("absent", [])]


def with_absent_pages(answer: AnswerWithSources, questions: Sequence[Question]) -> AnswerWithSources:
    """The answer, told which pages there are not; passages quoted in their place do not count as found."""
    absent = absent_pages(questions)
    has_named = any(page.metadata.get("named") for question in questions for page in question.context)
    is_in_vain = bool(absent) and not has_named and answer.outcome is Outcome.PASSAGES
    return answer.model_copy(update={"absent": absent, "found": answer.found and not is_in_vain})


MOST_PLACES = 3


def places_elsewhere(sources: Sequence[Source], pages: Sequence[Document]) -> list[str]:
    """The printed pages of other books to which the quoted paragraphs refer in vain: "Machines p. 4".

    `pages` are those the sources were quoted from. At most three places, each once.
    """
    quoted = {(page.metadata["file"], page.metadata["pdf_page"]): page for page in pages}
    places = [
        place
        for source in sources
        if (page := quoted.get((source.file, source.pdf_page)))
        for place in _places(source, page)
    ]
    return list(dict.fromkeys(places))[:MOST_PLACES]


def _places(source: Source, page: Document) -> Iterator[str]:
    span = find_quote(source.quote, page.page_content)
    paragraph = paragraph_around(page.page_content, span) if span else Span(0, 0)
    for reference in page.metadata.get("references", []):
        is_quoted = paragraph.start <= reference["start"] < paragraph.end
        names_book = reference["book"] and reference["book"] != source.book
        if is_quoted and names_book and reference["page"] and not reference["query"]:
            yield f"{reference['book']} p. {reference['page']}"
