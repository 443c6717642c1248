"""Every setting of the program, read once from the environment and `.env`."""

import codecs
import os
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError
from pydantic_settings import BaseSettings, DotEnvSettingsSource, NoDecode, SettingsConfigDict

from rag.errors import (
    ConfigurationError,
    EnvFileUnreadable,
)

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
ShardId = Annotated[Whole, Field(ge=0, le=10_000)]
Secret = Annotated[SecretStr, AfterValidator(_header)]
WebAddress = Annotated[str, AfterValidator(_web_address)]
ChromaAddress = Annotated[WebAddress, AfterValidator(_chroma_database)]
Folder = Annotated[Path, AfterValidator(_folder)]


class StrategyName(StrEnum):
    """How pages are gathered for an answer."""

    MULTI_HOP = "multi-hop"
    MULTI_QUESTION = "multi-question"


class PageImages(StrEnum):
    """Which pictures of pages Discord shows."""

    OFF = "off"
    CROP = "crop"
    """The quoted lines, with some lines above and below."""
    PAGE = "page"
    """These, and whole pages to whoever asks for one."""


PromptName = Literal["rewrite", "sub_questions", "sufficiency", "generate", "support"]
"""What the chat model is asked for, each by a prompt of its own."""

LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]

AUTO, EMBEDDED = "auto", "embedded"
OPENAI_EMBEDDING_MODEL = "text-embedding-3-small"
PROMPT_TOKENS = 6_500
QUESTION_CALLS = 12
QUESTION_TOKENS = 150_000
THREAD_IDLE_DAYS = 7
THREADS_KEPT = 10_000
DEFAULT_LIBRARY = Path("books")
SAMPLE_LIBRARY = Path(__file__).parent.parent / "sample_game" / "books"


class Settings(BaseSettings):
    """The variables of `docs/configuration.md`; an empty value counts as unset."""

    model_config = SettingsConfigDict(env_file=".env", env_ignore_empty=True, extra="ignore")

    discord_token: Secret | None = None
    discord_guild_id: ServerId | None = None
    allowed_guilds: Annotated[frozenset[ServerId], NoDecode] = frozenset()
    gm_role: str | None = None
    message_content: bool = False
    shard_ids: Annotated[frozenset[ShardId], NoDecode] = frozenset()
    shard_count: Annotated[Whole, Field(ge=1, le=10_000)] | None = None
    retrieval_strategy: StrategyName = StrategyName.MULTI_HOP
    openai_api_key: Secret | None = None
    openai_base_url: WebAddress | None = None
    chat_model: str = "gpt-4.1-mini"
    model_call_seconds: Seconds = 30
    model_question_seconds: Seconds = 90
    embedding_model: str = AUTO
    library_dir: Path = DEFAULT_LIBRARY
    index_dir: Folder = Path(".index")
    data_dir: Folder = Path(".data")
    chroma_url: ChromaAddress | None = None
    prompt_tokens: Count = PROMPT_TOKENS
    question_calls: Count = QUESTION_CALLS
    question_tokens: Count = QUESTION_TOKENS
    daily_tokens_user: Tokens = 1_000_000
    daily_tokens_server: Tokens = 5_000_000
    price_input: Decimal | None = Field(default=None, ge=0, le=1_000_000)
    price_output: Decimal | None = Field(default=None, ge=0, le=1_000_000)
    langsmith_tracing: bool = False
    langsmith_api_key: Secret | None = None
    langsmith_endpoint: WebAddress | None = None
    langsmith_project: str | None = None
    prompt_overrides: Annotated[dict[PromptName, str], NoDecode] = {}
    page_images: PageImages = PageImages.CROP
    books_kept_days: Days = 30
    answers_kept_days: Days = 90
    thread_idle_days: Days = THREAD_IDLE_DAYS
    threads_kept: Count = THREADS_KEPT
    log_level: LogLevel = "INFO"

    @model_validator(mode="before")
    @classmethod
    def _without_blanks(cls, values: dict[str, Any]) -> dict[str, Any]:
        return without_blanks(values)

    @field_validator("log_level", mode="before")
    @classmethod
    def _in_capitals(cls, value: object) -> object:
        return value.upper() if isinstance(value, str) else value

    @field_validator("embedding_model")
    @classmethod
    def _own_words_in_any_case(cls, value: str) -> str:
        return value.lower() if value.lower() in (AUTO, EMBEDDED) else value

    @field_validator("allowed_guilds", "shard_ids", mode="before")
    @classmethod
    def _split_ids(cls, value: object) -> object:
        """Accept ids separated by commas or spaces, as people type them."""
        return value.replace(",", " ").split() if isinstance(value, str) else value

    @field_validator("prompt_overrides", mode="before")
    @classmethod
    def _split_overrides(cls, value: object) -> object:
        """Accept pairs as people type them: "generate=owner/name:tag, sufficiency=name"."""
        if not isinstance(value, str):
            return value
        pairs = [[side.strip() for side in pair.split("=")] for pair in value.split(",") if pair.strip()]
        if not all(len(pair) == 2 and all(pair) for pair in pairs):
            raise unfit("overrides")
        return dict(pairs)

    @model_validator(mode="after")
    def _agree(self) -> Self:
        """Refuse settings that make sense only together."""
        if self.embedding_name != EMBEDDED and not self.has_chat_model:
            raise unfit("no-provider", variable="EMBEDDING_MODEL")
        if (self.price_input is None) != (self.price_output is None):
            raise unfit("one-price", variable="PRICE_INPUT" if self.price_input is None else "PRICE_OUTPUT")
        if any(shard >= (self.shard_count or 0) for shard in self.shard_ids):
            raise unfit("shards", variable="SHARD_IDS")
        return self

    @property
    def is_one_of_several(self) -> bool:
        """Whether other processes have other shards of the bot."""
        return bool(self.shard_ids) and len(self.shard_ids) < (self.shard_count or 0)

    @property
    def registers_commands(self) -> bool:
        """Whether this process registers the commands: of several the one with the first shard."""
        return not self.is_one_of_several or 0 in self.shard_ids

    @property
    def has_chat_model(self) -> bool:
        """Whether a provider is configured; without one, answers are quotations."""
        return bool(self.openai_api_key or self.openai_base_url)

    @property
    def provider_key(self) -> SecretStr:
        """The key to send; servers of one's own want none, but the client insists on something."""
        return self.openai_api_key or SecretStr("unused")

    @property
    def embedding_name(self) -> str:
        """The embedding model after `auto` is settled."""
        if self.embedding_model != AUTO:
            return self.embedding_model
        on_openai = self.openai_api_key and not self.openai_base_url
        return OPENAI_EMBEDDING_MODEL if on_openai else EMBEDDED

    def with_sample_game(self) -> "Settings":
        """The same settings with the sample game as the library."""
        return self.model_copy(update={"library_dir": SAMPLE_LIBRARY})


def let_langsmith_end_with_the_process() -> None:
    """Have LangSmith's client send from threads that cannot hold up the end of the process.

    It reads these switches from the environment alone. Compressed traces would leave by a pool of
    threads that Python waits for at its end, however long a dead server lets it wait.
    """
    os.environ["LANGSMITH_USE_DAEMON"] = "true"
    os.environ["LANGSMITH_DISABLE_RUN_COMPRESSION"] = "true"


def load_settings() -> Settings:
    """The settings of the environment and `.env`.

    Raises `ConfigurationError` naming the variable; no value stands in it, for it may be a secret.
    """
    try:
        return Settings(_env_file_encoding=_env_file_encoding())  # type: ignore[call-arg]
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise ConfigurationError(**refusal(first)) from None


def misspelt_settings() -> dict[str, str]:
    """The names in `.env` that are none of ours, but nearly: each with the one probably meant."""
    written = DotEnvSettingsSource(Settings, env_file_encoding=_env_file_encoding()).env_vars
    return misspelt(map(str.upper, written), map(str.upper, Settings.model_fields))


def _env_file() -> Path | None:
    name = Settings.model_config.get("env_file")
    file = Path(name) if isinstance(name, str) else None
    return file if file and file.is_file() else None


def _env_file_encoding() -> str:
    """The encoding of `.env`: UTF-8, or the UTF-16 of Windows PowerShell, told by its byte-order mark.

    Raises `EnvFileUnreadable` where it is in neither, or a line in the one was added to a file in the other.
    """
    file = _env_file()
    try:
        content = file.read_bytes() if file else b""
        is_wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        encoding = "utf-16" if is_wide else "utf-8-sig"
        if "\0" in content.decode(encoding):
            raise EnvFileUnreadable(file=str(file))
    except (OSError, UnicodeDecodeError) as error:
        raise EnvFileUnreadable(file=str(file)) from error
    return encoding


Audience = Literal["player", "gm"]
"""Who reads. A player's library has no book for the GM."""
