"""The clauses of a sentence: what each is about, and what turns it round or limits it; pure.

"They may use any weapon, but may not wear metal armor" says one thing and refuses another: words of
refusal are held against the clause they stand in, not against the whole text.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any

from rag.library.language.glossary import glossary
from rag.library.language.grammar_words import one_of
from rag.library.language.identify import told_language
from rag.library.language.language import LANGUAGES
from rag.library.language.numerals import SPELLED
from rag.library.language.words import fold, stem, words

LONGEST_TEXT = 10_000
"""Characters of a text that are looked at."""
SHARED_BEGINNING = 5
"""Letters with which words of two languages, or of one family, begin alike: "regeneration", "regenerar"."""
PASSIVE = "passive"
"""The role of the words that say that something is done to what stands before them."""
SHORTEST_STEM = 4
"""Letters of a stem by which other forms of a word are known: "pés" has that of "pesado"."""

Pole = tuple[str, int]
"""A pair of opposites and the side of it that a word is on."""

_CONTRACTIONS = (
    (re.compile(r"\bcan(?:no|')t\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
)
_ASIDE = re.compile(r"\(([^()]*)\)")
_TOKEN = re.compile(
    r"(?P<sentence>[.!?;]+(?=\s|$)|\n)|(?P<aside>[()\[\]—–]|:(?=\s)|\s-\s)|(?P<comma>,(?!\d))|(?P<word>[^\W_]+)"
)
_MARKS = ".!?; \t\n"
_SENTENCE = re.compile(r"(?:\([^()]*\)|[^.!?;\n]|[.!?;](?!\s|$))*(?:[.!?;\n]+|$)")
_SPELLED_NUMBER = re.compile(SPELLED)
_WORDS_AHEAD = 20


class ClauseKind(StrEnum):
    """What a word does to its clause; each is a key of the table `clauses` of a language's data file."""

    PLAIN = "plain"
    """Nothing, although a word in the phrase seems to: "no matter"."""
    REFUSAL = "refusal"
    WITHOUT = "without"
    NEGATIVE = "negative"
    ONLY = "only"
    EXCEPT = "except"
    IF = "if"
    AT_MOST = "at_most"
    AT_LEAST = "at_least"
    QUALIFIED = "qualified"
    EVERY = "every"
    EACH = "each"
    ANY = "any"
    """Said of each, but behind a refusal, which it only strengthens: "no shields of any sort"."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word or a number, with the keys by which its counterpart is found in any of the languages.

    Words that questions ask with ("cost", "damage") may say how a sentence is built, not what it is about:
    they are no content, and have their place in the order of words.
    """

    word: str
    language: str
    keys: frozenset[str]
    is_number: bool = False
    is_asking: bool = False
    is_known: bool = False
    """Whether a glossary has words for it in another of the languages."""

    @property
    def is_content(self) -> bool:
        """Whether it says what a clause is about."""
        return not (self.is_number or self.is_asking)


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence: its terms with all their keys, `negated` those right behind a refusal.

    `sequence` are its terms and its numbers, as they follow one another. `roles` are what its small words do,
    `undergone` what is done to something: "hit" in "is hit".
    """

    sentence: int
    terms: tuple[Term, ...]
    sequence: tuple[Term, ...]
    kinds: frozenset[ClauseKind]
    negations: int
    negated: tuple[Term, ...]
    poles: tuple[Pole, ...]
    roles: tuple[str, ...]
    undergone: tuple[Term, ...]
    keys: frozenset[str]
    universals: int
    """How often something is said of all, or of each."""
    anys: int
    """How often it is said of any, which is of each unless the clause refuses it."""


@dataclass(frozen=True, slots=True)
class ClauseWords:
    """The words of a language that part, refuse or limit."""

    phrases: Mapping[str, Sequence[tuple[tuple[str, ...], ClauseKind]]]
    """By their first word the phrases and what they do, the longest first."""
    poles: Mapping[str, frozenset[Pole]]
    """By word and by stem."""
    roles: Mapping[str, str]
    """By small word what it does in a sentence: "must" and "shall" bind, "from" says from where."""
    passive: re.Pattern[str]
    """What is done to something: "is hit", "é atingido"."""
    alike: Mapping[str, frozenset[str]]
    """By stem the groups of words of one meaning."""
    concord: bool
    """Whether several refusals in a clause are one: "não … nunca"."""
    begins: frozenset[str]
    joins: frozenset[str]
    verbs: frozenset[str]
    yes: frozenset[str]
    no: frozenset[str]


@cache
def clause_words() -> Mapping[str, ClauseWords]:
    """The words of each language that there is a list for."""
    return {code: _read(code, language.clauses) for code, language in LANGUAGES.items() if language.clauses}


def language_of(text: str, otherwise: str, languages: Sequence[str]) -> str:
    """The language of a text about books in `languages`; `otherwise` where it does not tell."""
    told = told_language(text[:LONGEST_TEXT], languages)
    return told if told in {*languages, *clause_words()} else otherwise


@lru_cache(maxsize=1_000)
def clauses(text: str, language: str, among: tuple[str, ...]) -> tuple[Clause, ...]:
    """The clauses of a text in a language there is a list for; terms are found again `among` languages.

    Several statements of an answer stand over the same lines.
    """
    listed = clause_words()[language]
    return tuple(
        _clause(sentence, part, language, among)
        for sentence, part in _parts(_plain(text[:LONGEST_TEXT]), listed)
    )


def keys_of(terms: Sequence[Term]) -> frozenset[str]:
    """The keys of several terms."""
    return frozenset().union(*(term.keys for term in terms))


@lru_cache(maxsize=20_000)
def keys(word: str, language: str, among: tuple[str, ...]) -> frozenset[str]:
    """What a word has in common with its counterparts: stems, translations, groups of one meaning."""
    listed = clause_words()[language]
    found = {fold(word)} | {stem(word, one) for one in among}
    if len(word) > SHARED_BEGINNING:
        found.add(fold(word)[:SHARED_BEGINNING] + "…")
    found |= listed.alike.get(stem(word, language), frozenset())
    for other in among:
        for meaning in glossary(language, other).get(stem(word, language), ()) if other != language else ():
            found.add(stem(meaning, other))
            found |= clause_words()[other].alike.get(stem(meaning, other), frozenset())
    return frozenset(found)


def _plain(text: str) -> str:
    text = text.replace("’", "'").lower()
    for contraction, written_out in _CONTRACTIONS:
        text = contraction.sub(written_out, text)
    return text


def _parts(text: str, listed: ClauseWords) -> Iterator[tuple[int, list[str]]]:
    """The words of each clause, with the number of its sentence."""
    tokens = [(str(match.lastgroup), match[0]) for match in _TOKEN.finditer(_asides_last(text, listed))]
    folded = [fold(token) if group == "word" else "" for group, token in tokens]
    sentence, part, phrase_end = 0, list[str](), 0
    for place, (group, token) in enumerate(tokens):
        ahead = tokens[place + 1 : place + _WORDS_AHEAD]
        if group == "comma" and not _is_clause(ahead, listed):
            continue
        # No clause begins within a phrase: "a menos que", "nothing but".
        is_within = place < phrase_end
        if group == "word" and not is_within:
            phrase_end = place + _phrase_at(folded, place, listed)[0]
        if group == "word" and (is_within or not _begins_clause(token, ahead, listed)):
            part.append(token)
            continue
        if part:
            yield sentence, part
        part = [token] if group == "word" else []
        sentence += group == "sentence"
    if part:
        yield sentence, part


def _asides_last(text: str, listed: ClauseWords) -> str:
    """A text with what parentheses say of their own behind their sentence, and without other brackets."""
    return "".join(_aside_last(sentence, listed) for sentence in _SENTENCE.findall(text))


def _aside_last(sentence: str, listed: ClauseWords) -> str:
    moved = []

    def without_brackets(aside: re.Match[str]) -> str:
        inside = words(aside[1])
        is_said = any(word in listed.verbs | listed.begins for word in inside)
        if is_said or any(kind not in (None, ClauseKind.QUALIFIED) for _, kind in _phrases(inside, listed)):
            moved.append(aside[1])
            return " "
        return f" {aside[1]} "

    text = _ASIDE.sub(without_brackets, sentence)
    said = text.rstrip(_MARKS)
    return " ) ".join([said, *moved]) + text[len(said) :]


def _begins_clause(word: str, ahead: Sequence[tuple[str, str]], listed: ClauseWords) -> bool:
    return word in listed.begins or (word in listed.joins and bool(ahead) and ahead[0][1] in listed.verbs)


def _is_clause(ahead: Sequence[tuple[str, str]], listed: ClauseWords) -> bool:
    """Whether what follows a comma says something of its own, and is not the next thing of a list."""
    if _begins_with_each([token for _, token in ahead[:2]], listed):
        return True
    for place, (group, token) in enumerate(ahead):
        if group != "word":
            return False
        if token in listed.begins:
            # "opened, cut or soaked while it stands": what is behind the list begins the clause.
            return not any(word in listed.joins for _, word in ahead[:place])
        if token in listed.verbs or (place < 2 and token.endswith(("ing", "ndo"))):
            return True
    return False


def _begins_with_each(following: Sequence[str], listed: ClauseWords) -> bool:
    """Whether what follows is "and every" or "and each": what stands before is said of one."""
    if len(following) < 2 or following[0] not in listed.joins:
        return False
    return _phrase_at([fold(following[1])], 0, listed)[1] in (
        ClauseKind.EVERY,
        ClauseKind.EACH,
        ClauseKind.ANY,
    )


def _clause(sentence: int, part: Sequence[str], language: str, among: tuple[str, ...]) -> Clause:
    listed = clause_words()[language]
    kinds: list[ClauseKind] = []
    sequence: list[Term] = []
    negated: list[Term] = []
    poles: list[Pole] = []
    roles: list[str] = []
    refused = False
    for phrase, kind in _phrases(part, listed):
        poles += [pole for word in phrase for pole in _poles(word, language)]
        roles += [listed.roles[phrase[0]]] if not kind and phrase[0] in listed.roles else []
        if kind:
            kinds.append(kind)
            refused = refused or kind is ClauseKind.REFUSAL or kind is ClauseKind.WITHOUT
        elif term := _term(phrase[0], language, among):
            sequence.append(term)
            negated += [term] if refused and term.is_content else []
            refused = False
    terms = tuple(term for term in sequence if term.is_content)
    passives = [found[0].split()[-1] for found in listed.passive.finditer(" ".join(part))]
    roles += [PASSIVE] * len(passives)
    return Clause(
        sentence,
        terms,
        tuple(sequence),
        frozenset(kinds),
        _negations(kinds, part, listed),
        tuple(negated),
        tuple(poles),
        tuple(roles),
        tuple(term for word in passives if (term := _term(word, language, among))),
        keys_of(terms),
        kinds.count(ClauseKind.EVERY) + kinds.count(ClauseKind.EACH),
        kinds.count(ClauseKind.ANY),
    )


def _phrases(part: Sequence[str], listed: ClauseWords) -> Iterator[tuple[Sequence[str], ClauseKind | None]]:
    """The phrases of the list in a clause with what they do, and the words between them one by one."""
    folded = list(map(fold, part))
    place = 0
    while place < len(part):
        length, kind = _phrase_at(folded, place, listed)
        yield part[place : place + length], kind
        place += length


def _phrase_at(folded: Sequence[str], place: int, listed: ClauseWords) -> tuple[int, ClauseKind | None]:
    """The length of the longest phrase of the list that begins at a place, and what it does; else 1, None."""
    for phrase, kind in listed.phrases.get(folded[place], ()):
        if tuple(folded[place : place + len(phrase)]) == phrase:
            return len(phrase), kind
    return 1, None


def _negations(kinds: Sequence[ClauseKind], part: Sequence[str], listed: ClauseWords) -> int:
    refusals = kinds.count(ClauseKind.REFUSAL)
    if listed.concord:
        refusals = min(refusals, 1)
    elif refusals > 1:
        refusals = max(1, refusals - sum(word in ("neither", "nor") for word in part))
    return refusals + kinds.count(ClauseKind.WITHOUT) + kinds.count(ClauseKind.NEGATIVE)


def _poles(word: str, language: str) -> frozenset[Pole]:
    poles = clause_words()[language].poles
    return poles.get(fold(word)) or poles.get(f"~{stem(word, language)}", frozenset())


def _term(word: str, language: str, among: tuple[str, ...]) -> Term | None:
    if any(letter.isdigit() for letter in word):
        return Term(word, language, frozenset({word}), is_number=True)
    known = LANGUAGES.get(language)
    if len(word) < 2 or _SPELLED_NUMBER.fullmatch(word) or (known and word in known.function_words):
        return None
    is_asking = known is not None and word in known.asking_words
    is_known = any(stem(word, language) in glossary(language, other) for other in among if other != language)
    return Term(word, language, keys(word, language, among), is_asking=is_asking, is_known=is_known)


def _read(language: str, entries: Mapping[str, Any]) -> ClauseWords:
    phrases: dict[str, list[tuple[tuple[str, ...], ClauseKind]]] = {}
    for kind in ClauseKind:
        for phrase in entries[kind]:
            folded = tuple(fold(phrase).split())
            phrases.setdefault(folded[0], []).append((folded, kind))
    alike: dict[str, set[str]] = {}
    for group in entries["alike"]:
        for word in group.split():
            alike.setdefault(stem(word, language), set()).add(f"={group}")
    return ClauseWords(
        phrases={first: sorted(of, key=lambda one: -len(one[0])) for first, of in phrases.items()},
        poles=_read_poles(language, entries["opposites"]),
        roles={word: role for role, members in entries["roles"].items() for word in members.split()},
        passive=re.compile(rf"\b{one_of(entries['passive'])}\b"),
        alike={word: frozenset(of) for word, of in alike.items()},
        concord=entries["concord"],
        begins=frozenset(entries["begins"].split()),
        joins=frozenset(entries["joins"].split()),
        verbs=frozenset(entries["verbs"].split()),
        yes=frozenset(entries["yes"]),
        no=frozenset(entries["no"]),
    )


def _read_poles(language: str, opposites: Mapping[str, Sequence[str]]) -> dict[str, frozenset[Pole]]:
    """The sides of pairs by word, and by stem where that is long enough to be of these words alone."""
    poles: dict[str, set[Pole]] = {}
    for pair, sides in opposites.items():
        for side, members in enumerate(sides):
            for word in members.split():
                poles.setdefault(fold(word), set()).add((pair, side))
                if len(stem(word, language)) >= SHORTEST_STEM:
                    poles.setdefault(f"~{stem(word, language)}", set()).add((pair, side))
    return {word: frozenset(of) for word, of in poles.items()}
