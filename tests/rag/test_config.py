"""What settings are taken as people write them, and how the others are refused: by name, never by value."""

from decimal import Decimal
from pathlib import Path

import pytest

from rag.config import Settings, load_settings
from rag.errors import ConfigurationError
from rag.texts import LOCALES, texts_for

REFUSED = [
    ("OPENAI_API_KEY", "sk-gööd", "header"),
    ("OPENAI_API_KEY", "“sk-good”", "header"),
    ("DISCORD_TOKEN", "two words", "header"),
    ("OPENAI_BASE_URL", "localhost:11434/v1", "url"),
    ("LANGSMITH_ENDPOINT", "https:///traces", "url"),
    ("CHROMA_URL", "http://[chroma", "url"),
    ("CHROMA_URL", "http://chroma:port", "url"),
    ("CHROMA_URL", "http://chroma:8000/a", "database"),
    ("CHROMA_URL", "http://chroma:8000/regras-é", "database"),
    ("CHROMA_URL", "http://chroma:8000/mine/yours", "database"),
    ("EMBEDDING_MODEL", "bge-m3", "no-provider"),
    ("QUESTION_TOKENS", "150.000", "digits"),
    ("QUESTION_CALLS", "1_000", "digits"),
    ("THREADS_KEPT", "many", "digits"),
    ("QUESTION_CALLS", "0", "too-small"),
    ("THREAD_IDLE_DAYS", "99999999999999", "too-large"),
    ("MODEL_CALL_SECONDS", "1e300", "too-large"),
    ("MODEL_CALL_SECONDS", "30,5", "number"),
    ("PRICE_INPUT", "0,40", "number"),
    ("PRICE_INPUT", "NaN", "number"),
    ("LOG_LEVEL", "LOUD", "choice"),
    ("RETRIEVAL_STRATEGY", "best", "choice"),
    ("PROMPT_OVERRIDES", "generate", "overrides"),
    ("PROMPT_OVERRIDES", "generate=a=b", "overrides"),
    ("PROMPT_OVERRIDES", "answer=mine", "choice"),
    ("MESSAGE_CONTENT", "sim", "switch"),
    ("DISCORD_GUILD_ID", "-1", "server-id"),
    ("DISCORD_GUILD_ID", "9" * 30, "server-id"),
    ("ALLOWED_GUILDS", "123 my-server", "server-id"),
    ("SHARD_IDS", "first", "digits"),
    ("SHARD_IDS", "0,1,2", "shards"),
    ("SHARD_COUNT", "0", "too-small"),
]


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(("variable", "value", "reason"), REFUSED)
def test_what_cannot_work_is_refused_in_our_words(
    variable: str, value: str, reason: str, locale: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(ConfigurationError) as error:
        load_settings()
    told = error.value.values
    assert (told["variable"], told["reason"]) == (variable, reason)
    sentence = texts_for(locale)(error.value.key, **told)
    assert variable in sentence
    assert not sentence.endswith(f": {reason}"), "the sentence has no words for this reason"
    assert len(value) < 5 or value not in f"{error.value} {sentence}"


@pytest.mark.parametrize(
    ("shards", "is_one_of_several", "registers"),
    [("0, 1", True, True), ("2,3", True, False), ("3 2 1 0", False, True), ("", False, True)],
)
def test_of_several_processes_the_one_with_the_first_shard_registers_commands(
    shards: str, is_one_of_several: bool, registers: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHARD_IDS", shards)
    monkeypatch.setenv("SHARD_COUNT", "4")
    settings = load_settings()
    assert (settings.is_one_of_several, settings.registers_commands) == (is_one_of_several, registers)


def test_blanks_around_a_value_are_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-good \n")
    monkeypatch.setenv("OPENAI_BASE_URL", " http://localhost:11434/v1 ")
    monkeypatch.setenv("CHROMA_URL", "  ")
    settings = load_settings()
    assert settings.provider_key.get_secret_value() == "sk-good"
    assert (settings.openai_base_url, settings.chroma_url) == ("http://localhost:11434/v1", None)


@pytest.mark.parametrize("url", ["http://chroma:8000", "https://chroma/", "http://chroma:8000/my_rules-2.0"])
def test_a_chroma_server_is_taken_with_and_without_a_database(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHROMA_URL", url)
    assert load_settings().chroma_url == url


@pytest.mark.parametrize(
    ("given", "missing"), [("PRICE_INPUT", "PRICE_OUTPUT"), ("PRICE_OUTPUT", "PRICE_INPUT")]
)
def test_one_price_alone_is_refused(given: str, missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(given, "0.40")
    with pytest.raises(ConfigurationError) as error:
        load_settings()
    assert (error.value.values["variable"], error.value.values["reason"]) == (missing, "one-price")
    monkeypatch.setenv(missing, "1.60")
    assert {load_settings().price_input, load_settings().price_output} == {Decimal("0.40"), Decimal("1.60")}


@pytest.mark.parametrize("variable", ["INDEX_DIR", "DATA_DIR"])
@pytest.mark.parametrize("inside", [".", "deeper/still"])
def test_a_folder_that_is_a_file_or_in_one_is_refused(
    variable: str, inside: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "README.md").write_text("a file")
    monkeypatch.setenv(variable, str(tmp_path / "README.md" / inside))
    with pytest.raises(ConfigurationError) as error:
        load_settings()
    assert (error.value.values["variable"], error.value.values["reason"]) == (variable, "file")


@pytest.fixture
def env_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / ".env"
    monkeypatch.setitem(Settings.model_config, "env_file", str(file))
    return file


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_an_env_file_is_read_as_editors_save_it(encoding: str, env_file: Path) -> None:
    env_file.write_text("GM_ROLE=Árbitro\n", encoding=encoding)
    assert load_settings().gm_role == "Árbitro"


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_an_env_file_in_another_encoding_is_told(encoding: str, env_file: Path) -> None:
    env_file.write_text("GM_ROLE=Árbitro\n", encoding=encoding)
    with pytest.raises(ConfigurationError, match="env-file-unreadable"):
        load_settings()


def test_a_line_of_an_env_file_that_sets_nothing_is_told_without_what_it_holds(env_file: Path) -> None:
    env_file.write_text("GM_ROLE=Keeper\nDISCORD_TOKEN: s3cret\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="error-env-line") as refused:
        load_settings()
    assert refused.value.values == {"file": str(env_file), "line": 2}
