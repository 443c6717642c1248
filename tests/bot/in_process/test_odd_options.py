"""Commands with options that nobody plans for: always an answer or a friendly sentence."""

from hypothesis import given
from hypothesis import strategies as st
from simcord import InteractionResult

from bot.cogs.library import LONGEST_PLACE
from bot.messages.error_replies import UNEXPECTED
from bot.questions.followups import LONGEST_QUESTION
from bot.texts import texts_in
from tests.bot.in_process.conftest import Chat
from tests.bot.in_process.reading import response
from tests.odd_texts import fuzzing, odd_texts

LONGEST_OPTION = 6000
"""What Discord takes of an option without a limit of ours, in characters."""


def options(longest: int) -> st.SearchStrategy[str]:
    """Odd texts as Discord delivers them: not blank, and not too long."""
    return odd_texts(exclude="\0").map(lambda text: text[:longest]).filter(str.strip)


def is_friendly(result: InteractionResult) -> bool:
    """Whether something is said, and it is not that something unexpected happened."""
    message = response(result)
    said = message.content + "".join(f"{one.title or ''}{one.description or ''}" for one in message.embeds)
    return bool(said.strip()) and texts_in("en")(UNEXPECTED) not in said


@fuzzing(examples=12)
@given(question=options(LONGEST_QUESTION), book=st.none() | options(LONGEST_OPTION), private=st.booleans())
async def test_any_question_about_any_book_gets_an_answer_or_a_friendly_sentence(
    chat: Chat, question: str, book: str | None, private: bool
) -> None:
    narrowed = {"book": book} if book else {}
    assert is_friendly(
        await chat.gm.slash(chat.channel, "rules", question=question, private=private, **narrowed)
    )


@fuzzing(examples=12)
@given(book=options(LONGEST_OPTION), page=options(LONGEST_PLACE))
async def test_any_page_of_any_book_is_shown_or_a_friendly_sentence_says_why_not(
    chat: Chat, book: str, page: str
) -> None:
    assert is_friendly(await chat.ana.slash(chat.channel, "library page", book=book, page=page))
