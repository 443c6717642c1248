"""Questions to try, of the sample game."""

from pathlib import Path

import pytest

from rag.config import Settings
from rag.errors import EmptyLibrary, UnknownBook
from rag.evaluation.questions_to_try import questions_to_try
from rag.graph import RulesGraph
from rag.library.library import Library
from rag.models.embeddings import embedding_model
from rag.state import Reply
from rag.texts import texts_for
from tests.conftest import SAMPLE_BOOKS

Books = tuple[Library, RulesGraph]


@pytest.fixture
def sample(sample_index: Path) -> Books:
    settings = Settings(library_dir=SAMPLE_BOOKS, index_dir=sample_index, embedding_model="embedded")
    embedding = embedding_model(settings)
    library = Library.open(settings, embedding)
    return library, RulesGraph(library, None, embedding)


@pytest.mark.parametrize(
    ("locale", "row", "heading"), [("en", "What ", "What are "), ("pt-BR", "Qual é o ", "Quais são ")]
)
async def test_three_are_made_of_a_table_and_headings_in_ones_language_and_each_is_answered(
    sample: Books, locale: str, row: str, heading: str
) -> None:
    library, graph = sample
    of_table, *of_headings = questions = await questions_to_try(library, graph, texts_for(locale))
    assert len(questions) == 3
    assert of_table.startswith(row)
    assert all(question.startswith(heading) for question in of_headings)
    for question in questions:
        (reply,) = [event async for event in graph.ask(question) if isinstance(event, Reply)]
        assert reply.answer.found


async def test_they_are_of_the_books_that_somebody_may_see(sample: Books) -> None:
    library, graph = sample
    texts = texts_for("en")
    assert await questions_to_try(library, graph, texts, book="The Book of Knots")
    with pytest.raises(EmptyLibrary):
        await questions_to_try(library, graph, texts, is_seen=lambda book: False)
    with pytest.raises(UnknownBook):
        await questions_to_try(library, graph, texts, book="What the Water Knows")
