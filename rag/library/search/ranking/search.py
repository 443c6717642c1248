"""From understood queries to ranked pages: words and meaning, fused; and pages fetched by identity."""

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate, chain, islice

import numpy as np
from langchain_core.documents import Document

from rag.config import Audience
from rag.library.books.book import BookSummary
from rag.library.index.bm25 import Ids, Posting, Weights, bm25, in_common, in_groups, occurrences
from rag.library.index.nearest import NONE_NEAR, NearestChunks
from rag.library.index.store import Scope, Store
from rag.library.index.vocabulary import SHORTEST
from rag.library.language.glossary import meanings
from rag.library.language.language import LANGUAGES
from rag.library.language.short_forms import short_forms_of
from rag.library.language.words import content_words, fold, stem
from rag.library.search.found_pages import Hit, found_pages
from rag.library.search.mentioned_headings import mentioned_headings
from rag.library.search.query import Query
from rag.library.search.ranking.fused_pages import FusedPages
from rag.library.search.ranking.games import OWN_LANGUAGE, SPOKEN_OF, evidence, game_factors, meant_games
from rag.library.search.ranking.held_words import NEAR, HeldWords, held_words
from rag.library.search.ranking.named_topics import NAMED, Term, named_topics, rarities
from rag.library.search.ranking.near_words import near_terms, near_words
from rag.library.search.ranking.searched_books import SearchedBooks, searched_books
from rag.library.search.ranking.shares import Scores, best_of_pages, by_rank, by_score
from rag.models.embeddings import Vector
from rag.rules import rule
from rag.state import MeantGames, PageId, SearchResult

RANKING_DEPTH = 100
"""How deep each ranking of passages and pages goes before fusion."""

DEEPEST = 500
"""How deep the vectors are asked: there may be several games, or queries that name different books.

With 1000 another passage was shown for 1 of 423 questions, no more of them were answered, and in 20,000 pages
a search took 3 ms more.
"""

PAGE_WORDS = 0.5
"""The weight of the scores by words of whole pages, beside 1 for those of passages and the embedding's own.

Measured flat: from half to twice these the results on two libraries stay within a question or two. Words
count by their scores, not by their ranks: of 500 questions on three libraries two in a hundred more had their
page first, one more among five.
"""

SYNONYM = 0.5
"""What a near word of the question's own language counts, beside the word asked; of another language 1."""

LIKELY, SURE = 0.3, 0.5
"""The least weight of a word that is counted, and of one that tells which game is meant.

Of another language's words the five nearest are known, however far they are: in the few hundred words of a
small book most of them mean something else. They only tell that a page may hold what was asked.
"""

MOST_MENTIONED = 4
"""Pages that a passage leads on to by the headings that it mentions; some of them are known."""

TOP_PAGES, POINTED_AT = 5, 0.9
"""A page that the best passage of one of the first pages refers to has so much of that page's score."""

NEARNESS = 0.5
"""The power of the cosine that a first page's score is multiplied by. Measured flat from 0.4 to 0.6."""


@dataclass(frozen=True)
class Search:
    """Searches the part of the library a reader may see."""

    store: Store
    reader: Audience
    books: tuple[BookSummary, ...]
    dense_weight: float
    k: int

    def find(self, queries: Sequence[Query], vectors: Mapping[str, Vector]) -> list[SearchResult]:
        """The best pages for each query, best first; `vectors` is empty where nothing could be embedded.

        Raises `IndexUnreachable` where the Chroma server does not answer.
        """
        searched = [query for query in queries if not query.named.is_all]
        with ThreadPoolExecutor(1) as beside:
            # Chroma works without the interpreter.
            finding = beside.submit(self.near_passages, searched, vectors)
            words = self._word_scores(searched, vectors)
            near = finding.result()
        return [self._found(query, near.get(query, NONE_NEAR), words.get(query)) for query in queries]

    def fetch(self, pages: Sequence[PageId]) -> list[Document]:
        """The pages with these identities, in order; those the reader may not see, or that are gone, not.

        Of books that were not chosen, only those that correct a chosen one are opened.
        """
        files = {book.file for book in self.books}
        files |= self.store.amending_files(files, self.reader)
        ids = [
            found
            for page in dict.fromkeys(pages)
            if page.file in files
            for found in self.store.positioned([page.file], page.pdf_page, page.half)
        ]
        return self._documents(ids)

    def mentioned(self, page: PageId, text: str) -> list[Document]:
        """The pages of its game with a heading that a passage of a page mentions, the rarest name first."""
        home = next((book for book in self.books if book.file == page.file), None)
        ids = self.store.positioned([page.file], page.pdf_page, page.half)
        if home is None or not ids:
            return []
        scope = self._scope({book.file for book in self.books if book.own_game == home.own_game})
        found = mentioned_headings(text, ids[0], home.language, scope, self.store)
        return self._documents(found[:MOST_MENTIONED])

    def _documents(self, ids: Sequence[int]) -> list[Document]:
        return [page.document() for page in found_pages(list(map(Hit, ids)), self.store, self.reader)]

    def _searched(self, files: Collection[str]) -> SearchedBooks:
        """The books searched, as far as they are among `files`; remembered."""
        key = ("searched", self.reader, self._files, frozenset(files))
        make = partial(searched_books, self.store, self.reader, self.books, files)
        found: SearchedBooks = self.store.kept.get(key, make)
        return found

    @cached_property
    def _files(self) -> frozenset[str]:
        """The files of all books that may be searched."""
        return frozenset(book.file for book in self.books)

    def _scope(self, files: Collection[str]) -> Scope:
        return self._searched(files).scope

    @rule(without=lambda search, queries, vectors: {})
    def near_passages(
        self, queries: Sequence[Query], vectors: Mapping[str, Vector]
    ) -> dict[Query, NearestChunks]:
        """The chunks nearest to each query in the books it names, in one Chroma query for all."""
        embedded = [query for query in queries if query.meaning in vectors]
        if not embedded:
            return {}
        asked = frozenset().union(*(query.books for query in embedded))
        together = self._scope(asked)
        found = self.store.nearest_chunks([vectors[query.meaning] for query in embedded], together, DEEPEST)
        return {
            query: ranked.among(self._scope(query.books).chunks)
            for query, ranked in zip(embedded, found, strict=True)
        }

    def _found(self, query: Query, nearest: NearestChunks, words: "_WordScores | None") -> SearchResult:
        """The pages a query names, then the best others, `k` in all; without words those it names alone.

        A page that is asked for by its number need not hold any of its words.
        """
        if query.elsewhere:
            return SearchResult(holding_most=frozenset(), missing_word=query.elsewhere)
        if words is None:
            return self._result(query, [Hit(page) for page in query.named.pages[: self.k]])
        books = self._searched(query.books)
        evident = evidence(words.certain, nearest, books.game_of_chunk, self._likelier(query, books))
        pages = self._fused(nearest, words, books, game_factors(evident))
        self.raise_referenced_pages(pages)
        ranked = nearest_first(self._citable(pages, books.scope), pages, nearest)
        ranked = self.works_in_turn(ranked, query.works)
        chosen = list(dict.fromkeys([*query.named.pages, *ranked[: self.k]]))[: self.k]
        matching = pages.passages(chosen)
        most = float(pages.pages.max(initial=1.0))
        scores = [most if page in query.named.pages else float(pages.pages[page]) for page in chosen]
        hits = [
            Hit(page, score, tuple(matching.get(page, ())))
            for page, score in zip(chosen, accumulate(scores, min), strict=True)
        ]
        is_open = len(books.games) > 1 and not query.works
        return self._result(query, hits, words.held, meant_games(evident, books.games) if is_open else None)

    def _result(
        self,
        query: Query,
        hits: Sequence[Hit],
        held: HeldWords | None = None,
        games: MeantGames | None = None,
    ) -> SearchResult:
        """The pages of a ranking, which of them hold most of what is asked, and the games it may mean.

        A page that is asked for by its number holds what is asked.
        """
        found = found_pages(hits, self.store, self.reader)
        ids = {hit.page: page.id for hit, page in zip(hits, found, strict=True)}
        named = frozenset(ids[page] for page in query.named.pages if page in ids)
        return SearchResult(
            context=[page.document() for page in found],
            named=named,
            absent=query.named.absent,
            ambiguous=query.named.ambiguous,
            holding_most=named.union(id for page, id in ids.items() if held and held.on_pages[page]),
            missing_word=held.missing if held else None,
            games=games,
            misspelt=dict(query.misspelt),
        )

    def _likelier(self, query: Query, searched: SearchedBooks) -> Weights:
        """What is added to the score of each game: for the language of the query, and for the talk before."""
        speaking = {game for game, language in searched.parts if language == query.language}
        spoken_of = {book.own_game for book in self.books if query.likely and book.file in query.likely}
        likelier = [
            OWN_LANGUAGE * (game in speaking) + SPOKEN_OF * (game in spoken_of) for game in searched.games
        ]
        return np.array(likelier, np.float32)

    def _fused(
        self, nearest: NearestChunks, words: "_WordScores", books: SearchedBooks, factors: Weights
    ) -> FusedPages:
        """The pages by meaning and words, multiplied by the factor of their game; their matching chunks."""
        page_of, count = self.store.page_of_chunk, len(books.game_of_page)
        near = self.dense_weight * by_rank(nearest.chunks, books.game_of_chunk, RANKING_DEPTH)
        of_pages = best_of_pages(near, page_of, count) + best_of_pages(words.of_chunks, page_of, count)
        of_pages += words_of_whole_pages(words.of_pages)
        of_pages += NAMED * best_of_pages(words.named, page_of, count)
        of_chunks = near + words.of_chunks + NAMED * words.named
        return FusedPages(factors[books.game_of_page] * of_pages, of_chunks, page_of)

    @rule(without=lambda search, pages: None)
    def raise_referenced_pages(self, pages: FusedPages) -> None:
        """Let the pages that the best passages of the top pages refer to follow close behind them.

        A book named in the question may refer to another.
        """
        allowed = self._scope(self._files).pages
        top = [int(page) for page in pages.ordered()[:TOP_PAGES]]
        best = {page: matching[0] for page, matching in pages.passages(top).items()}
        spans = self.store.spans(best.values())
        references = self.store.references(best, self.reader)
        behind = {page: POINTED_AT * pages.pages[page] for page in top}
        for page in filter(best.__contains__, top):
            start, end = spans[best[page]]
            for reference in references[page]:
                if reference.pages and start <= reference.start < end and allowed[reference.pages[0]]:
                    meant = reference.pages[0]
                    pages.pages[meant] = max(pages.pages[meant], behind[page])

    @rule(without=lambda search, ranked, works: list(ranked))
    def works_in_turn(self, ranked: Sequence[int], works: Sequence[Collection[str]]) -> list[int]:
        """The ranked pages; of several works that a question names, each in turn, for it compares them."""
        turns: dict[int, int] = {}
        for work in works:
            own = self._scope(work).pages
            turns |= {page: turn for turn, page in enumerate(filter(own.__getitem__, ranked))}
        return sorted(ranked, key=lambda page: turns.get(page, len(ranked))) if turns else list(ranked)

    def _citable(self, pages: FusedPages, scope: Scope) -> list[int]:
        """The ranked pages with rules on them, else all; else any: a reader with books gets an answer."""
        order, citable = pages.ordered(), self.store.citable
        readable = np.flatnonzero(scope.pages & self.store.has_text)
        choices = (order[citable[order]], order, readable[citable[readable]][:1], readable[:1])
        return next((pages.tolist() for pages in choices if len(pages)), [])

    def _word_scores(
        self, queries: Sequence[Query], vectors: Mapping[str, Vector]
    ) -> "dict[Query, _WordScores]":
        """What the words of each query tell; the neighbours of all their words are looked for at once."""
        asked = {word for query in queries for word in _asked(query)}
        for files in {query.books for query in queries}:
            books = self._searched(files)
            for language in books.languages:
                near_words(self.store, language, books.scope, asked, vectors)
        return {query: self._lexical(query, vectors, self._searched(query.books)) for query in queries}

    def _lexical(self, query: Query, vectors: Mapping[str, Vector], books: SearchedBooks) -> "_WordScores":
        """What the words of a query tell; the books of a game and language by their own statistics."""
        store, scope = self.store, books.scope
        concepts = [self._concept(word, query, vectors, books) for word in _asked(query)]
        phrases = {
            (language, name): [
                self._concept(word, query, vectors, books)
                if language == query.language
                else {(language, stem(word, language)): 1.0}
                for word in name.split()
            ]
            for language, name in chain(*concepts)
            if " " in name
        }
        postings: dict[Term, Posting] = {}
        topics: dict[Term, Ids] = {}
        for language in books.languages:
            parts = chain(concepts, *phrases.values())
            terms = {term for concept in parts for own, term in concept if own == language}
            of_language = store.postings(terms, language, scope)
            postings |= {(language, term): found for term, found in of_language.items()}
            topics_of_language = store.topic_postings(terms, language)
            topics |= {(language, term): found for term, found in topics_of_language.items()}
        for key, of_phrase in phrases.items():
            postings[key] = in_common(occurrences(of_phrase, postings, len(store.page_of_chunk)))
            named = ({*chain(*(topics[term] for term in part if term in topics))} for part in of_phrase)
            topics[key] = np.array(sorted(set.intersection(*named)), np.int32)

        def least_near(printed: str) -> float:
            return NEAR**2 * (SYNONYM if printed == query.language else 1.0)

        levels = [_at_least(least, concepts) for least in (lambda _: LIKELY, lambda _: SURE, least_near)]
        every = iter(occurrences([*chain(*levels)], postings, len(store.page_of_chunk)))
        likely, certain, surely = ([*islice(every, len(level))] for level in levels)
        on_pages = in_groups(likely, store.page_of_chunk, len(scope.pages))
        asking = LANGUAGES[query.language].asking_words if query.language in LANGUAGES else ()
        rarity = rarities(_asked(query), asking, on_pages, int(scope.pages.sum()))
        held = in_groups(surely, store.page_of_chunk, len(scope.pages))
        # What no book says, as a greeting, cannot be what the books explain.
        is_held = [bool(len(one.texts)) for one in on_pages]
        return _WordScores(
            of_chunks=by_score(bm25(likely, books.of_chunks), books.game_of_chunk, RANKING_DEPTH),
            of_pages=by_score(bm25(on_pages, books.of_pages), books.game_of_page, RANKING_DEPTH),
            certain=bm25(certain, books.everywhere),
            named=named_topics(concepts, rarity * is_held, topics, store.topics, scope.chunks),
            held=held_words(_asked(query), query.language, books.languages, held, scope.pages, query.new),
        )

    def _concept(
        self, word: str, query: Query, vectors: Mapping[str, Vector], books: SearchedBooks
    ) -> dict[Term, float]:
        """The stems that may stand for a word in the books of each language, weighted."""
        phrases = [content_words(phrase, query.language) for phrase in dict(query.shortened).get(word, ())]
        concept = {(query.language, " ".join(phrase)): 1.0 for phrase in phrases if len(phrase) > 1}
        others = list(chain(*(short_forms_of(phrase, query.language) for phrase in phrases)))
        others += chain(*(phrase for phrase in phrases if len(phrase) == 1))
        for language in books.languages:
            if not word.isalpha():
                concept[language, stem(word, language)] = 1.0
                continue
            is_own = language == query.language
            worth = SYNONYM if is_own else 1.0
            known = {
                theirs if " " in theirs else stem(theirs, language)
                for own in (word, *others)
                for theirs in meanings(own, query.language, language)
            }
            near = near_words(self.store, language, books.scope, [word], vectors).get(word, {})
            for term, similarity in near_terms(near, language, is_known=bool(known)).items():
                concept[language, term] = worth * similarity**2
            concept |= dict.fromkeys(((language, term) for term in known), worth)
            # The vocabulary of a book holds no word so short, its tables do: XP, HP.
            as_asked = is_own or (len(word) < SHORTEST and not known)
            spellings = [word] if as_asked else self.store.spellings([fold(word)], language, books.scope)
            printed = [*spellings, *(others if is_own else ())]
            concept |= {(language, stem(one, language)): 1.0 for one in printed}
        return concept


@rule(without=lambda ranked, pages, nearest: list(ranked))
def nearest_first(ranked: Sequence[int], pages: FusedPages, nearest: NearestChunks) -> list[int]:
    """The ranked pages, the first of them anew: their scores times the root of their best passage's cosine.

    Ranks tell which pages may answer, and forget how much nearer than the next one a page is.
    """
    cosines = np.zeros(len(pages.page_of))
    cosines[nearest.chunks] = np.maximum(nearest.cosines, 0)
    worth = pages.pages * best_of_pages(cosines, pages.page_of, len(pages.pages)) ** NEARNESS
    return [*sorted(ranked[:TOP_PAGES], key=lambda page: -worth[page]), *ranked[TOP_PAGES:]]


@rule(without=lambda shares: 0.0)
def words_of_whole_pages(shares: Scores) -> Scores | float:
    """Count the words of a whole page beside those of its passages."""
    return PAGE_WORDS * shares


@dataclass(frozen=True, slots=True)
class _WordScores:
    """What words say of chunks and pages: the shares of the best ones of each game.

    `certain` scores chunks by the words of the query and their sure translations, by how rare these are in
    the whole library. `named` tells how strongly chunks explain what is named, `held` which pages hold most
    of what is asked.
    """

    of_chunks: Scores
    of_pages: Scores
    certain: Weights
    named: Weights
    held: HeldWords


def _at_least(
    least: Callable[[str], float], concepts: Sequence[Mapping[Term, float]]
) -> list[dict[Term, float]]:
    """The concepts without the words that stand for them less than is asked of a word of their language."""
    return [
        {term: worth for term, worth in concept.items() if worth >= least(term[0])} for concept in concepts
    ]


def _asked(query: Query) -> list[str]:
    """The words of a query that are searched for, each once."""
    return list(dict.fromkeys(content_words(query.text, query.language)))
