"""The letters of a file come out, whatever editor has saved it."""

from pathlib import Path

import pytest

from rag.errors import BookEmpty, BookError, BookNotText, BookTooLarge
from rag.library.readers import decode
from rag.library.readers.decode import decoded, file_bytes

PORTUGUESE = "Regras da casa: sangramento não é ferida; custa 1 ponto por rodada — até a atadura, “já”."
POLISH = (
    "Krwawienie: postać traci jeden punkt życia na rundę, aż ktoś ją opatrzy. Źródło: zasady domowe, łąka."
)
RUSSIAN = "Кровотечение: персонаж теряет одно очко здоровья каждый раунд, пока его не перевяжут."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
def test_portuguese_is_read_in_every_encoding_that_editors_offer(encoding: str) -> None:
    assert decoded(PORTUGUESE.encode(encoding), "regras.txt") == PORTUGUESE


@pytest.mark.parametrize(("text", "encoding"), [(POLISH, "cp1250"), (RUSSIAN, "cp1251")])
def test_other_letters_are_told_by_what_they_look_like(text: str, encoding: str) -> None:
    assert decoded((text * 8).encode(encoding), "rules.txt") == text * 8


def test_what_a_file_says_of_itself_counts_where_it_is_not_utf_8() -> None:
    assert decoded(RUSSIAN.encode("koi8-r"), "rules.html", "koi8-r") == RUSSIAN
    assert decoded(RUSSIAN.encode(), "rules.html", "koi8-r") == RUSSIAN


@pytest.mark.parametrize("declared", ["klingon", "", "rot13", "base64", "utf-16", "idna"])
def test_an_encoding_that_cannot_be_meant_is_not_taken(declared: str) -> None:
    assert decoded(PORTUGUESE.encode("cp1252"), "regras.html", declared) == PORTUGUESE


@pytest.mark.parametrize(
    "content", [bytes(range(256)) * 40, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"\1\2\3\4" * 99]
)
def test_what_is_no_text_is_refused(content: bytes) -> None:
    with pytest.raises(BookNotText):
        decoded(content, "rules.txt")


@pytest.mark.parametrize(
    ("content", "fault"), [(b"", BookEmpty), (b" \r\n\0 ", BookEmpty), (b"x" * 11, BookTooLarge)]
)
def test_an_empty_and_a_huge_file_are_refused_before_they_are_read(
    content: bytes, fault: type[BookError], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decode, "MOST_BYTES", 10)
    path = tmp_path / "rules.txt"
    path.write_bytes(content)
    with pytest.raises(fault):
        file_bytes(path)
