"""What scripted models state over the lines that answer a question: true statements, and false ones. Pure."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import cycle, islice

from rag.evaluation.gold_lines import quoted_lines
from rag.evaluation.questions import GoldQuestion, QuestionLanguage
from rag.strategies.lines import CitedLine, lines_of

MOST_STATEMENTS = 5
SHORTEST_SENTENCE, LONGEST_SENTENCE = 40, 300
UNKNOWN_PAGE = 99
LINES_AROUND = 3
MOST_EVIDENCE = 8


@dataclass(frozen=True, slots=True)
class Stating:
    """A statement as a model drafts it, whether it is true, and the lines (by id) that would prove it."""

    text: str
    evidence: tuple[str, ...]
    is_true: bool
    proving: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """The lines of a prompt by their ids, and of a question those that hold its gold quotations."""

    lines: Mapping[str, CitedLine]
    gold: tuple[str, ...]

    def around(self) -> list[str]:
        """The ids of the lines near those that hold the quotations, on their pages, the nearest first."""
        distances: dict[str, int] = {}
        for name, cited in self.lines.items():
            for gold in (self.lines[one] for one in self.gold):
                distance = abs(_place(cited) - _place(gold))
                if cited.page.id == gold.page.id and distance <= LINES_AROUND:
                    distances[name] = min(distance, distances.get(name, distance))
        return sorted(distances, key=lambda name: distances[name])

    def texts(self, ids: Sequence[str]) -> list[str]:
        """The book's words of some lines."""
        return [self.lines[one].line.printed for one in ids]


def _place(cited: CitedLine) -> int:
    """How many lines of its page that may be cited stand before a line."""
    return sum(not line.is_name for line in lines_of(cited.page)[: cited.line.number])


Kind = Callable[[GoldQuestion, Shown, QuestionLanguage], list[Stating]]


def exact(question: GoldQuestion, shown: Shown, language: QuestionLanguage) -> list[Stating]:
    """Each gold line's own sentence, a row as it reads under its column names."""
    return [
        Stating(shown.lines[name].line.text, (name,), True, (name,)) for name in shown.gold[:MOST_STATEMENTS]
    ]


def answer(question: GoldQuestion, shown: Shown, language: QuestionLanguage) -> list[Stating]:
    """The answer of the question file over the lines it names and those around them; it is in English.

    Where several pages answer together, all that the file names must be shown.
    """
    also_ok = [quoted_lines(shown.lines, page) or () for page in question.also_ok]
    if not question.answer or (len(question.gold) > 1 and not all(also_ok)):
        return []
    named = [*shown.gold, *(name for names in also_ok for name in names), *shown.around()]
    evidence = tuple(dict.fromkeys(named))[:MOST_EVIDENCE]
    return [Stating(question.answer, evidence, True, shown.gold)]


def paraphrasing(question: GoldQuestion, shown: Shown, language: QuestionLanguage) -> list[Stating]:
    """Statements written by hand in English, over all gold lines."""
    return _by_hand(question, shown, "en")


def other_language(question: GoldQuestion, shown: Shown, language: QuestionLanguage) -> list[Stating]:
    """Statements written by hand in Portuguese over lines in English."""
    return _by_hand(question, shown, "pt")


def _by_hand(question: GoldQuestion, shown: Shown, language: QuestionLanguage) -> list[Stating]:
    texts = written_by_hand().get(question.id, {}).get(language, [])
    return [Stating(text, shown.gold, True, shown.gold) for text in texts[:MOST_STATEMENTS]]


def wrong_ids(question: GoldQuestion, shown: Shown, language: QuestionLanguage) -> list[Stating]:
    """True sentences under the id of no line."""
    return [
        Stating(one.text, (f"{UNKNOWN_PAGE}.{number}",), True, one.proving)
        for number, one in enumerate(exact(question, shown, language), 1)
    ]


def other_ids(question: GoldQuestion, shown: Shown, language: QuestionLanguage) -> list[Stating]:
    """True sentences under the id of another page's line."""
    others = [name for name in shown.lines if name not in shown.gold]
    return [
        Stating(one.text, (other,), True, one.proving)
        for one, other in zip(exact(question, shown, language), reversed(others), strict=False)
    ]


def wrong_numbers(question: GoldQuestion, shown: Shown, language: QuestionLanguage) -> list[Stating]:
    """True statements in which one number is changed by one."""
    return list(_perturbed(_true_ones(question, shown, language), number_changed))


def dropped_negation(question: GoldQuestion, shown: Shown, language: QuestionLanguage) -> list[Stating]:
    """True statements without their refusal."""
    return list(_perturbed(_true_ones(question, shown, language), negation_dropped))


def dropped_limit(question: GoldQuestion, shown: Shown, language: QuestionLanguage) -> list[Stating]:
    """True statements without the limit or exception that their lines have as well."""
    limited = [
        one
        for one in _true_ones(question, shown, language)
        if LIMITED.search(" ".join(shown.texts(one.evidence)))
    ]
    return list(_perturbed(limited, limit_dropped))


def turned_word(question: GoldQuestion, shown: Shown, language: QuestionLanguage) -> list[Stating]:
    """True statements in which one word is turned into its opposite, or into another of its kind."""
    return list(_perturbed(_true_ones(question, shown, language), word_turned))


def invented(question: GoldQuestion, shown: Shown, language: QuestionLanguage) -> list[Stating]:
    """Sentences that no line says, over lines that answer the question."""
    place = sum(map(ord, question.id))
    texts = islice(cycle(INVENTED[language]), place, place + 3)
    return [Stating(text, shown.gold, False) for text in texts]


def other_subject(question: GoldQuestion, shown: Shown, language: QuestionLanguage) -> list[Stating]:
    """Sentences of other pages over the lines that answer: true in the book, false as a reading of these."""
    pages = {shown.lines[name].page.id for name in shown.gold}
    others = [
        name
        for name, cited in shown.lines.items()
        if cited.page.id not in pages and not cited.line.is_row and _is_sentence(cited.line.printed)
    ]
    chosen = others[:: max(1, len(others) // 3)][:3]
    return [Stating(shown.lines[name].line.printed, shown.gold, False, (name,)) for name in chosen]


KINDS: dict[str, Kind] = {
    "exact": exact,
    "the gold answer": answer,
    "paraphrasing": paraphrasing,
    "other language": other_language,
    "wrong ids": wrong_ids,
    "ids of other lines": other_ids,
    "unfinished": exact,
    "wrong numbers": wrong_numbers,
    "dropped negation": dropped_negation,
    "dropped limit": dropped_limit,
    "turned word": turned_word,
    "invented": invented,
    "another subject": other_subject,
}
UNFINISHED = "unfinished"


@cache
def written_by_hand() -> dict[str, dict[str, list[str]]]:
    """True statements over the gold lines of a question, by its id and their language."""
    text = files("benchmarks.models").joinpath("statements.jsonl").read_text(encoding="utf-8")
    return {row["id"]: row for row in map(json.loads, text.splitlines())}


def _true_ones(question: GoldQuestion, shown: Shown, language: QuestionLanguage) -> list[Stating]:
    """What is perturbed: the lines' own sentences, and what was written by hand in the asker's language."""
    return [*exact(question, shown, language), *_by_hand(question, shown, language)]


def _perturbed(statings: Sequence[Stating], change: Callable[[str], str | None]) -> Iterator[Stating]:
    for one in statings:
        changed = change(one.text)
        if changed and changed != one.text:
            yield Stating(changed, one.evidence, False)


def number_changed(text: str) -> str | None:
    """A text with its last number one higher, None without one; the sides of dice stay."""
    numbers = list(re.finditer(r"(?<![\w.,])\d+(?![\w.,]*\d)", text))
    if not numbers:
        return None
    last = numbers[-1]
    return f"{text[: last.start()]}{int(last[0]) + 1}{text[last.end() :]}"


def negation_dropped(text: str) -> str | None:
    """A text without its first refusal, None without one."""
    return _first_change(text, REFUSALS)


def limit_dropped(text: str) -> str | None:
    """A text without its first limit or exception, None without one."""
    return _first_change(text, LIMITS)


def word_turned(text: str) -> str | None:
    """A text with its first word of a pair turned into the other, None without one."""
    return _first_change(text, TURNS)


def _first_change(text: str, changes: Sequence[tuple[str, str]]) -> str | None:
    for written, instead in changes:
        changed, count = re.subn(written, instead, text, count=1)
        if count and len(changed) > SHORTEST_SENTENCE // 2:
            return changed[0].upper() + changed[1:]
    return None


def _is_sentence(text: str) -> bool:
    return SHORTEST_SENTENCE <= len(text) <= LONGEST_SENTENCE and text.endswith(".") and text[0].isupper()


REFUSALS = (
    (r"^No[,:] (.*?)\b(cannot|can['’]t|may not|do not|does not)\b", r"Yes, \1can"),
    (r"\bcannot\b", "can"),
    (r"\bcan['’]t\b", "can"),
    (r"\bmay not\b", "may"),
    (r"\bdo(?:es)?(?: not|n['’]t) (\w+)", r"can \1"),
    (r"\b(is|are|was|were|must|should|will) not\b", r"\1"),
    (r"\bnever ", ""),
    (r"\bnobody\b", "anybody"),
    (r"\bnor may\b", "and may"),
    (r"\bprohibited\b", "allowed"),
    (r"\bwithout\b", "with"),
    (r"\bunable\b", "able"),
    (r"\bineffective\b", "effective"),
    (r"^Não[,:] (.*?)\bnão ", r"Sim, \1"),
    (r"\b[Nn]ão (pode|podem|é|são|afeta|funciona|exige|exigem)\b", r"\1"),
    (r"\bninguém\b", "qualquer um"),
    (r"\bineficaz\b", "eficaz"),
    (r"\bsem\b", "com"),
)
LIMITS = (
    (r",? (?:unless|except|only if|but only)\b[^.;,)]*", ""),
    (r"\b(may|can|must) only\b", r"\1"),
    (r"\bonly (?=after|once|one|cure|for|by|on)", ""),
    (r",? (?:up )?to (?:a|an) maximum(?: of)? [^.;,)]*", ""),
    (r"\b(?:at most|at least|up to) (?=\w)", ""),
    (r"\bsó (?=pode|podem)", ""),
    (r"\bapenas ", ""),
    (r",? (?:exceto|salvo|a menos que)\b[^.;,)]*", ""),
    (r"\b(?:no máximo|no mínimo|até no máximo) ", ""),
)
TURNED = """
maximum minimum, minimum maximum, more less, less more, higher lower, greater smaller, before after,
after before, if unless, bonus penalty, penalty bonus, add subtract, subtract add, gains loses, success
failure, fails succeeds, all some, each one, first last, may must, must may, feet yards, round hour,
turns days, or and, máximo mínimo, mais menos, menos mais, maior menor, antes depois, depois antes, bônus
penalidade, penalidade bônus, soma subtrai, recupera perde, ganha perde, sucesso fracasso, falha sucesso,
todos alguns, pode deve, deve pode, pés metros, rodada hora, turnos dias, ou e
"""
"""A word and what it is turned into."""
TURNS = [(rf"\b{one}\b", other) for one, other in (pair.split() for pair in TURNED.split(","))]
LIMITED = re.compile(r"\b(unless|except|only|maximum|most|least|up to|minimum)\b", re.IGNORECASE)
INVENTED: dict[QuestionLanguage, tuple[str, ...]] = {
    "en": (
        "Every dragon is immune to fire.",
        "A natural 20 always hits.",
        "Elves do not need to sleep.",
        "You can take two actions in a turn.",
        "Magic items cannot be sold.",
        "A shield gives a bonus to defense.",
        "All spells require a free hand.",
        "You may move after you attack.",
        "Characters regain all hit points after a long rest.",
        "A critical hit doubles the damage.",
        "The game master may always change this result.",
        "Surprised creatures lose their first action.",
        "Poisoned weapons lose their poison after one hit.",
    ),
    "pt": (
        "Todo dragão é imune a fogo.",
        "Um 20 natural sempre acerta.",
        "Elfos não precisam dormir.",
        "Você pode fazer duas ações por turno.",
        "Itens mágicos não podem ser vendidos.",
        "Um escudo dá um bônus na defesa.",
        "Toda magia exige uma mão livre.",
        "Você pode se mover depois de atacar.",
        "Personagens recuperam todos os pontos de vida após um descanso longo.",
        "Um acerto crítico dobra o dano.",
        "O mestre pode sempre mudar esse resultado.",
        "Criaturas surpreendidas perdem a primeira ação.",
        "Armas envenenadas perdem o veneno após um acerto.",
    ),
}
