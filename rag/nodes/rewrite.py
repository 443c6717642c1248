"""First node: a question of a conversation becomes a question that stands alone."""

import logging
import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from langchain_core.language_models import BaseChatModel
from pydantic import BaseModel

from rag.errors import ModelError
from rag.library.language.follow_ups import begins_by_going_on, says_what_is_asked, stands_alone
from rag.library.language.language import LANGUAGES, OUR_LANGUAGES
from rag.library.language.short_forms import written_out
from rag.library.language.words import fold, without_courtesies, words
from rag.library.questions.things import of_another_thing
from rag.library.references import names_page
from rag.library.search.named_books import NamedBooks
from rag.models.structured_output import fill
from rag.prompts import PROMPT_FILES, Delimited, Prompts, delimited, joined
from rag.state import Exchange

log = logging.getLogger(__name__)

HISTORY_WINDOW = 20
"""Question/answer pairs that rewrite and generate see; older ones are in no prompt."""
ALWAYS_ALLOWED, LONGEST_REWRITE = 300, 10
"""A rewrite of more than so many characters that is this many times as long as the question has gone wrong:
"Why?" may become a long one."""

_NUMBER = re.compile(r"\d{1,4}(?!\w)")


class Rewrite(BaseModel):
    """The model's reply."""

    standalone: bool
    question: str
    asks: bool | None = None


async def standalone_question(
    model: BaseChatModel | None,
    question: str,
    history: Sequence[Exchange],
    prompts: Prompts = PROMPT_FILES,
    *,
    named_books: Callable[[str], NamedBooks] | None = None,
    explains: Callable[[str], bool] = lambda name: False,
) -> str:
    """The question with what it leaves to the conversation spelled out.

    The first question of a thread, and one that stands alone already, is returned byte for byte.
    Without a model what one leans on is put before it: the last question that stands alone, and the one it
    follows. So it is with one that says nothing but names of books, as `named_books` tells; one that names
    some is asked of these, not of those named before. A failed rewrite is the raw question.
    """
    if not history:
        return question
    if model is None:
        named = named_books(question) if named_books else None
        if named_books and named and named.names:
            history = [{**pair, "question": named_books(pair["question"]).rest} for pair in history]
        return _without_model(question, history, explains, only_names_books=bool(named and named.is_all))
    try:
        reply = await _rewrite(model, question, history, prompts)
    except ModelError:
        log.info("no rewrite: the question is searched as it was asked")
        return question
    return question if reply.standalone else accepted(reply.question, question)


async def asks_anything(
    model: BaseChatModel, said: str, history: Sequence[Exchange], prompts: Prompts = PROMPT_FILES
) -> bool:
    """Whether what was said in a conversation asks anything; where the model does not tell, it does."""
    try:
        reply = await _rewrite(model, said, history, prompts)
    except ModelError:
        return True
    return reply.asks is not False


async def _rewrite(
    model: BaseChatModel, question: str, history: Sequence[Exchange], prompts: Prompts
) -> Rewrite:
    return await fill(
        model,
        prompts["rewrite"],
        Rewrite,
        conversation=conversation(history),
        question=delimited("question", question),
    )


def leans(question: str, earlier: Sequence[str]) -> bool:
    """Whether a question that says nothing by itself asks on from earlier ones: "Why?", "And 10?"."""
    if not earlier:
        return False
    rest = without_courtesies(question)
    is_polite = rest != question and "?" not in question
    is_worded = any(word in LANGUAGES[code].function_words for code in OUR_LANGUAGES for word in words(rest))
    return (is_worded and not is_polite) or of_another_number(question, earlier[-1]) is not None


def goes_on(question: str, standalone: str, history: Sequence[Exchange]) -> bool:
    """Whether a question of a conversation leans on what was said before."""
    return bool(history) and (standalone != question or not stands_alone(question))


def _without_model(
    question: str, history: Sequence[Exchange], explains: Callable[[str], bool], *, only_names_books: bool
) -> str:
    """The question with the last one that stands alone before it, and what was asked on from that last."""
    subject, asked_on = history[0]["question"], ""
    for before, pair in pairwise(history):
        subject, asked_on = _gone_on(pair["question"], subject, before, explains)
    if other := _of_another(question, subject, history[-1], explains):
        return other
    if _is_whole(question, history[-1], explains) and not only_names_books:
        return question
    return " ".join(filter(None, [subject, asked_on, question]))


def _gone_on(
    question: str, subject: str, before: Exchange, explains: Callable[[str], bool]
) -> tuple[str, str]:
    """What is asked about after a question, and the words of one that does not tell that by itself."""
    if other := _of_another(question, subject, before, explains):
        return other, ""
    return (question, "") if _is_whole(question, before, explains) else (subject, question)


def _is_whole(question: str, before: Exchange, explains: Callable[[str], bool]) -> bool:
    """Whether a question needs none of those before it.

    That is one that says what it is about, that names a page, or that only names what the books explain, and
    what the answer before does not speak of.
    """
    if stands_alone(question) or names_page(question):
        return True
    named = [word for word in words(question) if not word.isdecimal()]
    is_new = _forms(named).isdisjoint(_forms(words(before["answer"])))
    return is_new and not begins_by_going_on(question) and explains(" ".join(named))


def _of_another(question: str, subject: str, before: Exchange, explains: Callable[[str], bool]) -> str | None:
    """The question that was asked before, of the number or the thing that is asked for now."""
    return of_another_number(question, subject) or of_another_thing(
        question, subject, before.get("things", []), explains
    )


def of_another_number(question: str, before: str) -> str | None:
    """The question before, with the number that "and 10?" or "and level 10?" asks for instead of its own.

    None where the question says more than that, or alone names a page, or the one before has no single
    number, nor one behind the same word.
    """
    numbers = list(re.finditer(_NUMBER, question))
    is_new = names_page(question) and not names_page(before)
    if len(numbers) != 1 or is_new or _says_more(question, before):
        return None
    (number,) = numbers
    own = _forms(words(question[: number.start()])[-1:])
    places = list(re.finditer(_NUMBER, before))
    called = [one for one in places if own & _forms(words(before[: one.start()])[-1:])]
    if len(meant := called or places) != 1:
        return None
    return before[: meant[0].start()] + number[0] + before[meant[0].end() :]


def _says_more(question: str, before: str) -> bool:
    """Whether a question has words besides numbers, those of the one before, and those that ask for pages."""
    spoken = [LANGUAGES[code] for code in OUR_LANGUAGES]
    idle = {fold(word) for one in spoken for word in one.function_words | one.asking_words}
    idle |= _forms(words(before))
    asked = words(without_courtesies(question))
    return any(not word.isdecimal() and not _forms([word]) & idle for word in asked)


def _forms(said: Sequence[str]) -> set[str]:
    """Words, and what they are short for: "lvl" is "level"."""
    long = {form for word in said for code in OUR_LANGUAGES for form in written_out(word, code)}
    return {fold(word) for word in {*said, *long}}


def quoted_by(question: str, standalone: str) -> str:
    """The words by which passages are chosen where no model rewrote the question.

    The asker's own, where they say what is asked: the question before would outweigh them. Of that they keep
    the numbers ("level 7"), where they have none themselves.
    """
    kept = [] if _NUMBER.search(question) else re.findall(r"[^\W\d]+ \d{1,4}(?![\w.,]*\w)", standalone)
    return " ".join([question, *kept]) if says_what_is_asked(question) else standalone


def accepted(rewrite: str, question: str) -> str:
    """A rewrite, unless it is empty or far too long: then the raw question."""
    rewrite = rewrite.strip()
    longest = max(ALWAYS_ALLOWED, LONGEST_REWRITE * len(question))
    return rewrite if 0 < len(rewrite) <= longest else question


def conversation(history: Sequence[Exchange]) -> Delimited:
    """The newest pairs of a history, as data for a prompt."""
    pairs = [
        delimited("exchange", f"Question: {pair['question']}\nAnswer: {pair['answer']}")
        for pair in history[-HISTORY_WINDOW:]
    ]
    return joined(pairs)
