"""What the value of a setting must look like: pure checks, and the reason that a refusal gives.

A reason is a name that the sentence `error-configuration` puts into words; no value stands in it.
"""

import os
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr
from pydantic_core import ErrorDetails, PydanticCustomError

_REASONS = {
    "bool_parsing": "switch",
    "int_parsing": "digits",
    "int_parsing_size": "digits",
    "float_parsing": "number",
    "decimal_parsing": "number",
    "finite_number": "number",
    "greater_than": "too-small",
    "greater_than_equal": "too-small",
    "less_than_equal": "too-large",
    "enum": "choice",
    "literal_error": "choice",
}
"""The reason for each of pydantic's types of error that a setting can meet."""
_LIMITS = ("gt", "ge", "le", "expected")
_LARGEST_ID = 2**63 - 1
_DATABASE = re.compile(r"[A-Za-z0-9._-]{3,512}")
_ALIKE = 0.8


def unfit(reason: str, **values: str) -> PydanticCustomError:
    """The error of a check of ours; `variable` among the values where it is not of one field alone."""
    return PydanticCustomError(reason, "does not fit", values)


def refusal(error: ErrorDetails) -> dict[str, str]:
    """What the sentence needs to refuse a setting: its `variable`, the `reason`, the `limit` broken."""
    values = error.get("ctx", {})
    variable = values.get("variable") or str(error["loc"][0]).upper()
    limit = next((str(values[name]) for name in _LIMITS if name in values), "")
    return {"variable": variable, "reason": _REASONS.get(error["type"], error["type"]), "limit": limit}


def without_blanks(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values without the blanks around them, as a dashboard's field adds them; empty ones are unset."""
    stripped = {name: value.strip() if isinstance(value, str) else value for name, value in values.items()}
    return {name: value for name, value in stripped.items() if value != ""}


def misspelt(names: Iterable[str], known: Iterable[str]) -> dict[str, str]:
    """The names that are nearly one of ours, each with that one."""
    ours = list(known)
    nearest = {name: get_close_matches(name, ours, n=1, cutoff=_ALIKE) for name in names if name not in ours}
    return {name: meant[0] for name, meant in nearest.items() if meant}


def _digits(value: object) -> object:
    """Refuse "150.000": it would be read as 150."""
    if isinstance(value, str) and not re.fullmatch("[0-9]+", value):
        raise unfit("digits")
    return value


def _server_id(value: object) -> object:
    written = str(value)
    if not (re.fullmatch("[0-9]+", written) and 0 < int(written) <= _LARGEST_ID):
        raise unfit("server-id")
    return value


def _header(secret: SecretStr) -> SecretStr:
    """Refuse what cannot stand in a header of HTTP: letters with accents, curly quotation marks, blanks."""
    if not re.fullmatch("[!-~]+", secret.get_secret_value()):
        raise unfit("header")
    return secret


def _web_address(url: str) -> str:
    try:
        parts = urlsplit(url)
        is_whole = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        is_whole = False
    if not is_whole or re.search(r"\s", url):
        raise unfit("url")
    return url


def _chroma_database(url: str) -> str:
    database = urlsplit(url).path.strip("/")
    if database and not _DATABASE.fullmatch(database):
        raise unfit("database")
    return url


def _folder(path: Path) -> Path:
    """Refuse a path that is a file, or leads through one."""
    # pathlib would fail where a folder may not be looked into.
    if any(os.path.isfile(step) for step in (path, *path.parents)):  # noqa: PTH113
        raise unfit("file")
    return path


Whole = Annotated[int, BeforeValidator(_digits)]
Count = Annotated[Whole, Field(ge=1, le=10**7)]
Tokens = Annotated[Whole, Field(ge=0, le=10**12)]
Days = Annotated[Whole, Field(ge=1, le=36_500)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]
ServerId = Annotated[int, BeforeValidator(_server_id)]
Secret = Annotated[SecretStr, AfterValidator(_header)]
WebAddress = Annotated[str, AfterValidator(_web_address)]
ChromaAddress = Annotated[WebAddress, AfterValidator(_chroma_database)]
Folder = Annotated[Path, AfterValidator(_folder)]
