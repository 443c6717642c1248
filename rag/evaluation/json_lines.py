"""Files with one JSON object a line, written by people."""

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from rag.errors import QuestionFileError

Line = TypeVar("Line", bound=BaseModel)


def read_json_lines(path: Path, kind: type[Line]) -> list[Line]:
    """The objects of a file, in order; empty lines are skipped.

    Raises `QuestionFileError` with the line and what is wrong there, also for a file without any.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not a text file in UTF-8"
        raise QuestionFileError(file=str(path), line=0, reason=reason) from error
    read = [_line(line, number, path, kind) for number, line in enumerate(lines, 1) if line.strip()]
    if not read:
        raise QuestionFileError(file=str(path), line=0, reason="no question in it")
    return read


def _line(line: str, number: int, path: Path, kind: type[Line]) -> Line:
    try:
        return kind.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        reason = f"{field}: {first['msg']}" if field else first["msg"]
        raise QuestionFileError(file=str(path), line=number, reason=reason) from None
