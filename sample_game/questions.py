"""The gold questions: each quote is looked up in the books, so that their pages are never typed."""

import json
import re
from pathlib import Path
from typing import Any

import pypdfium2

QUESTIONS = Path(__file__).parent / "questions.jsonl"

SOFT_HYPHEN_AT_LINE_END = re.compile("[\ufffe\x02]\\s*")


def read_questions(path: Path = QUESTIONS) -> list[dict[str, Any]]:
    """One question a line; the format is described in `docs/evaluation.md`."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def page_texts(pdf: bytes) -> list[str]:
    """The text of every page on one line, line-end hyphens joined."""
    with pypdfium2.PdfDocument(pdf) as document:
        raw = [page.get_textpage().get_text_range() for page in document]
    return [" ".join(SOFT_HYPHEN_AT_LINE_END.sub("", text).split()) for text in raw]


def fill_pages(
    questions: list[dict[str, Any]], pdfs: dict[str, bytes], labels: dict[str, list[str]]
) -> list[dict[str, Any]]:
    """The questions with every gold page set to where its quote stands, by file.

    Raises `ValueError` for a quote that stands on no page, or on several.
    """
    texts = {file: page_texts(pdf) for file, pdf in pdfs.items()}
    for question in questions:
        for gold in [*question["gold"], *question["also_ok"]]:
            found = [i for i, text in enumerate(texts[gold["file"]]) if gold["quote"] in text]
            if len(found) != 1:
                raise ValueError(f"{question['id']}: on {len(found)} pages: {gold['quote']!r}")
            gold["page"], gold["pdf_page"] = labels[gold["file"]][found[0]], found[0] + 1
    return questions


def write_questions(questions: list[dict[str, Any]], path: Path = QUESTIONS) -> None:
    """Write one question a line."""
    lines = [json.dumps(question, ensure_ascii=False) + "\n" for question in questions]
    path.write_text("".join(lines), encoding="utf-8")
