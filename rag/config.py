"""Every setting of the program, read once from the environment and `.env`."""

import os
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from dotenv.parser import parse_stream
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
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from rag.errors import ConfigurationError

_REASONS = {
    "bool_parsing": "switch",
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
_HOST = r"https?://(?:[^\s/@]+@)?(?:\[[0-9a-f:.]+\]|[^\s/:?#@\[\]]+)(?::[1-9][0-9]*)?"


def unfit(reason: str, **values: str) -> PydanticCustomError:
    """The error of a check of ours; `variable` among the values where it is not of one field alone."""
    return PydanticCustomError(reason, "does not fit", values)


def refusal(error: ErrorDetails) -> dict[str, str]:
    """What the sentence needs to refuse a setting: its `variable`, the `reason`, the `limit` broken."""
    values = error.get("ctx", {})
    variable = values.get("variable") or str(error["loc"][0]).upper()
    limit = next((str(values[name]) for name in ("gt", "ge", "le", "expected") if name in values), "")
    # Pydantic joins choices by a word of English.
    told = limit.replace(" or ", ", ")
    return {"variable": variable, "reason": _REASONS.get(error["type"], error["type"]), "limit": told}


def _without_blanks(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values without the blanks around them, as a dashboard's field adds them; empty ones are unset."""
    stripped = {name: value.strip() if isinstance(value, str) else value for name, value in values.items()}
    return {name: value for name, value in stripped.items() if value != ""}


def _written(pattern: str, reason: str) -> Callable[[object], object]:
    """A check that refuses what is not written in a pattern."""

    def check(value: object) -> object:
        if isinstance(value, str) and not re.fullmatch(pattern, value, re.IGNORECASE):
            raise unfit(reason)
        return value

    return check


def _own_words_in_small_letters(name: str) -> str:
    return name.lower() if name.lower() in (AUTO, EMBEDDED) else name


def _split_ids(ids: object) -> object:
    """Accept ids separated by commas or spaces, as people type them."""
    return ids.replace(",", " ").split() if isinstance(ids, str) else ids


def _folder(path: Path) -> Path:
    """Refuse a path that is a file, or leads through one."""
    # pathlib would fail where a folder may not be looked into.
    if any(os.path.isfile(step) for step in (path, *path.parents)):  # noqa: PTH113
        raise unfit("file")
    return path


# Of "150.000" pydantic would make 150.
Whole = Annotated[int, BeforeValidator(_written("[0-9]+", "digits"))]
Count = Annotated[Whole, Field(ge=1, le=10**7)]
Tokens = Annotated[Whole, Field(ge=0, le=10**12)]
Days = Annotated[Whole, Field(ge=1, le=36_500)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]
ShardId = Annotated[Whole, Field(ge=0, le=10_000)]
ServerId = Annotated[int, BeforeValidator(_written("[1-9][0-9]{0,18}", "server-id"))]
# A header of HTTP takes no letters with accents, no curly quotation marks, and no blanks.
Secret = Annotated[SecretStr, BeforeValidator(_written("[!-~]+", "header"))]
WebAddress = Annotated[str, AfterValidator(_written(rf"{_HOST}(?:[/?#]\S*)?", "url"))]
ChromaAddress = Annotated[
    WebAddress, AfterValidator(_written(rf"{_HOST}/*(?:[a-z0-9._-]{{3,512}}/*)?", "database"))
]
Folder = Annotated[Path, AfterValidator(_folder)]
EmbeddingName = Annotated[str, AfterValidator(_own_words_in_small_letters)]
ServerIds = Annotated[frozenset[ServerId], NoDecode, BeforeValidator(_split_ids)]
ShardIds = Annotated[frozenset[ShardId], NoDecode, BeforeValidator(_split_ids)]


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

LogLevel = Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"], BeforeValidator(str.upper)]

AUTO, EMBEDDED = "auto", "embedded"
OPENAI_EMBEDDING_MODEL = "text-embedding-3-small"
PROMPT_TOKENS = 6_500
THREAD_IDLE_DAYS = 7
THREADS_KEPT = 10_000
DEFAULT_LIBRARY = Path("books")
UPLOADS = "uploads"
"""The folder in DATA_DIR of the books that were uploaded in Discord."""
SAMPLE_LIBRARY = Path(__file__).parent.parent / "sample_game" / "books"


class Settings(BaseSettings):
    """The variables of `docs/configuration.md`; an empty value counts as unset."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8-sig", env_ignore_empty=True, extra="ignore"
    )

    discord_token: Secret | None = None
    discord_guild_id: ServerId | None = None
    allowed_guilds: ServerIds = frozenset()
    gm_role: str | None = None
    message_content: bool = False
    shard_ids: ShardIds = frozenset()
    shard_count: Annotated[Whole, Field(ge=1, le=10_000)] | None = None
    retrieval_strategy: StrategyName = StrategyName.MULTI_HOP
    openai_api_key: Secret | None = None
    openai_base_url: WebAddress | None = None
    chat_model: str = "gpt-4.1-mini"
    support_model: str | None = None
    model_call_seconds: Seconds = 30
    model_question_seconds: Seconds = 90
    embedding_model: EmbeddingName = AUTO
    library_dir: Path = DEFAULT_LIBRARY
    index_dir: Folder = Path(".index")
    data_dir: Folder = Path(".data")
    chroma_url: ChromaAddress | None = None
    prompt_tokens: Count = PROMPT_TOKENS
    question_calls: Count = 12
    question_tokens: Count = 150_000
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
    answer_picture: bool = False
    book_uploads: bool = False
    books_kept_days: Days = 30
    answers_kept_days: Days = 90
    thread_idle_days: Days = THREAD_IDLE_DAYS
    threads_kept: Count = THREADS_KEPT
    log_level: LogLevel = "INFO"

    _stripped = model_validator(mode="before")(_without_blanks)

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
    def book_folders(self) -> list[Path]:
        """The folders of the books."""
        return [self.library_dir, *([self.data_dir / UPLOADS] if self.book_uploads else ())]

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
    def langsmith_secret(self) -> str | None:
        """The key of LangSmith, as its client takes it."""
        return self.langsmith_api_key.get_secret_value() if self.langsmith_api_key else None

    @property
    def embedding_name(self) -> str:
        """The embedding model after `auto` is settled."""
        if self.embedding_model != AUTO:
            return self.embedding_model
        on_openai = self.openai_api_key and not self.openai_base_url
        return OPENAI_EMBEDDING_MODEL if on_openai else EMBEDDED


def let_langsmith_end_with_the_process() -> None:
    """Have LangSmith's client send from threads that cannot hold up the end of the process.

    It reads these switches from the environment alone. Compressed traces would leave by a pool of
    threads that Python waits for at its end, however long a dead server lets it wait.
    """
    os.environ |= {"LANGSMITH_USE_DAEMON": "true", "LANGSMITH_DISABLE_RUN_COMPRESSION": "true"}


def load_settings(**chosen: Any) -> Settings:
    """The settings of the environment and `.env`, and before these the chosen ones.

    Raises `ConfigurationError` naming the variable; no value stands in it, for it may be a secret.
    """
    file = str(Settings.model_config.get("env_file"))
    try:
        _check_lines(Path(file))
        return Settings(**chosen)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError("error-env-file-unreadable", file=file) from error
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise ConfigurationError(**refusal(first)) from None


def _check_lines(env_file: Path) -> None:
    """Refuse a line such as "DISCORD_TOKEN: abc", which would count as nothing."""
    if env_file.is_file():
        with env_file.open(encoding="utf-8-sig") as lines:
            for binding in parse_stream(lines):
                if binding.error:
                    raise ConfigurationError("error-env-line", file=str(env_file), line=binding.original.line)


Audience = Literal["player", "gm"]
"""Who reads. A player's library has no book for the GM."""
