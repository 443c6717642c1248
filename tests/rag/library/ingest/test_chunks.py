"""Chunks of a page: about 110 words, ending where a reader would stop."""

from hypothesis import given
from hypothesis import strategies as st

from rag.library.ingest.chunks import TARGET_WORDS, split_page

words = st.text("abcdefgh", min_size=1, max_size=8)
sentences = st.lists(words, min_size=1, max_size=60).map(lambda text: " ".join(text).capitalize() + ".")
paragraphs = st.lists(sentences, min_size=1, max_size=8).map(" ".join)
rows = st.lists(st.lists(words, min_size=2, max_size=6).map("  ".join), min_size=1, max_size=12).map(
    "\n".join
)
pages = st.lists(paragraphs | rows, max_size=8).map("\n\n".join)


def passages(text: str, headings: list[int] | None = None) -> list[str]:
    return [text[start:end] for start, end in split_page(text, headings or [])]


@given(pages)
def test_every_word_is_in_exactly_one_passage(text: str) -> None:
    assert " ".join(passages(text)).split() == text.split()


@given(pages)
def test_no_passage_is_longer_than_an_embedding_can_hold(text: str) -> None:
    assert all(len(passage.split()) < 2 * TARGET_WORDS for passage in passages(text))


@given(st.lists(rows, min_size=1, max_size=10).map("\n\n".join))
def test_a_table_row_stays_whole(text: str) -> None:
    table_rows = [row for row in text.split("\n") if row]
    for passage in passages(text):
        assert all(row in table_rows for row in passage.split("\n") if row)


def test_a_passage_begins_at_a_heading() -> None:
    before = "One rule after another is told here in a sentence. " * 8
    text = f"{before.strip()}\n\nFalling\n\nA fall costs one die a yard."
    assert passages(text, [text.index("Falling")])[-1].startswith("Falling")
