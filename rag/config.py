"""Every setting of the program, read once from the environment and `.env`."""

import os
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from rag.errors import ConfigurationError


class StrategyName(StrEnum):
    """How pages are gathered for an answer."""

    MULTI_HOP = "multi-hop"
    MULTI_QUESTION = "multi-question"


PromptName = Literal["rewrite", "sub_questions", "sufficiency", "generate"]
"""What the chat model is asked for, each by a prompt of its own."""

EMBEDDED = "embedded"
OPENAI_EMBEDDING_MODEL = "text-embedding-3-small"
QUESTION_CALLS = 12
QUESTION_TOKENS = 150_000
THREAD_IDLE_DAYS = 7
THREADS_KEPT = 10_000
SAMPLE_LIBRARY = Path(__file__).parent.parent / "sample_game" / "books"


class Settings(BaseSettings):
    """The variables of the README's table; an empty value counts as unset."""

    model_config = SettingsConfigDict(env_file=".env", env_ignore_empty=True, extra="ignore")

    discord_token: SecretStr | None = None
    discord_guild_id: int | None = None
    allowed_guilds: Annotated[frozenset[int], NoDecode] = frozenset()
    gm_role: str | None = None
    message_content: bool = False
    retrieval_strategy: StrategyName = StrategyName.MULTI_HOP
    openai_api_key: SecretStr | None = None
    openai_base_url: str | None = None
    chat_model: str = "gpt-4.1-mini"
    model_call_seconds: float = Field(default=30, gt=0)
    model_question_seconds: float = Field(default=90, gt=0)
    embedding_model: str = "auto"
    library_dir: Path = Path("books")
    index_dir: Path = Path(".index")
    data_dir: Path = Path(".data")
    chroma_url: str | None = None
    question_calls: int = Field(default=QUESTION_CALLS, ge=1)
    question_tokens: int = Field(default=QUESTION_TOKENS, ge=1)
    daily_tokens_user: int = Field(default=1_000_000, ge=0)
    daily_tokens_server: int = Field(default=5_000_000, ge=0)
    price_input: Decimal | None = Field(default=None, ge=0)
    price_output: Decimal | None = Field(default=None, ge=0)
    langsmith_tracing: bool = False
    langsmith_api_key: SecretStr | None = None
    langsmith_endpoint: str | None = None
    langsmith_project: str | None = None
    prompt_overrides: Annotated[dict[PromptName, str], NoDecode] = {}
    answers_kept_days: int = Field(default=90, ge=1)
    thread_idle_days: int = Field(default=THREAD_IDLE_DAYS, ge=1)
    threads_kept: int = Field(default=THREADS_KEPT, ge=1)
    log_level: str = "INFO"

    @field_validator("allowed_guilds", mode="before")
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
            raise ValueError("write it as prompt=name:tag, with commas between several")
        return dict(pairs)

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
        if self.embedding_model != "auto":
            return self.embedding_model
        on_openai = self.openai_api_key and not self.openai_base_url
        return OPENAI_EMBEDDING_MODEL if on_openai else EMBEDDED

    @property
    def has_books(self) -> bool:
        """Whether a PDF lies anywhere under `LIBRARY_DIR`."""
        names = (name for _, _, files in os.walk(self.library_dir, followlinks=True) for name in files)
        return any(name.lower().endswith(".pdf") and not name.startswith(".") for name in names)

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
        return Settings()
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        variable = str(first["loc"][0]).upper()
        raise ConfigurationError(variable=variable, reason=first["msg"]) from None
