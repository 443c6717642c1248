"""The books of a library as lines of a list."""

from babel import Locale, UnknownLocaleError

from bot.books.scope import games
from bot.render.markdown import escaped
from bot.texts import texts_in
from rag.library.books.book import BookSummary
from rag.library.language.language import UNKNOWN
from rag.texts import Texts, locale_for


def book_lines(books: list[BookSummary], texts: Texts, locale: str) -> list[str]:
    """A line a book, under its game where there are several."""
    several = len(games(books)) > 1
    lines: list[str] = []
    game = None
    for book in books:
        if several and book.game != game:
            game = book.game
            lines.append(f"### {escaped(game)}" if game else "")
        lines.append(_book_line(book, texts, locale))
    return lines


def _book_line(book: BookSummary, texts: Texts, locale: str) -> str:
    codes = f" ({', '.join(map(escaped, book.codes))})" if book.codes else ""
    facts = [
        texts("books-sections", count=book.sections)
        if book.sections
        else texts("books-pages", count=book.pages)
    ]
    if book.first_label and book.last_label:
        facts.append(texts("books-printed", first=escaped(book.first_label), last=escaped(book.last_label)))
    facts.append(language_name(book.language, locale))
    return f"**{escaped(book.title)}**{codes}\n-# {' · '.join(facts)}"


def language_name(language: str, locale: str) -> str:
    """A language by its name in another, "Portuguese" for "pt"; the code where it has none."""
    if language == UNKNOWN:
        return texts_in(locale)("language-unknown")
    try:
        name = Locale.parse(language).get_display_name(locale_for(locale).replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        name = None
    return name or language
