"""The rules of a search, each of which can be turned off to see what it brings."""

from rag.library.search.mentioned_headings import mentioned_headings
from rag.library.search.misspellings import Misspellings
from rag.library.search.named_books import named_anywhere, named_books
from rag.library.search.ordinary_words import OrdinaryWords
from rag.library.search.ranking.games import game_factors
from rag.library.search.ranking.named_topics import named_topics
from rag.library.search.ranking.near_words import near_words
from rag.library.search.ranking.search import Search, words_of_whole_pages

RULES = (
    named_books,
    named_anywhere,
    OrdinaryWords.is_ordinary_word,
    Misspellings.misspelt,
    Search.near_passages,
    near_words,
    words_of_whole_pages,
    named_topics,
    game_factors,
    Search.raise_referenced_pages,
    Search.works_in_turn,
    mentioned_headings,
)
