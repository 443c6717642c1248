"""What the words of a text are: folded, without function words, stemmed."""

import functools
import re
import threading
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from snowballstemmer.basestemmer import BaseStemmer


STEMMERS = {
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fr": "french",
    "it": "italian",
    "pt": "portuguese",
}

FUNCTION_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": "a about after all also am an and any are aren as at be because been before being but by "
        "can could did didn do does doesn doing don each for from get gets had has have he her him "
        "his how i if in into is isn it its just like ll made make many may me might more most much "
        "my need no not of on only or other our out over own re same she should so some such than "
        "that the their them then there these they this to too under up use used using ve very want "
        "was wasn we were what when where which while who whose why will with would you your",
        "pt": "a à ainda ao aos as às até cada com como da das de dela dele deles depois do dos e é ela "
        "elas ele eles em entre era essa esse esta está este eu faz fica foi há isso isto já lhe "
        "mais mas me mesmo meu minha muito na não nas nem no nos nós num numa o onde os ou para "
        "pela pelo pode podem por porque posso pra preciso quais qual quando quanta quantas quanto "
        "quantos que quem quero são se sem ser seu seus só sobre sua suas também tem têm ter teu "
        "tua um uma uns vai vez você vocês "
        "aí cê mto nao né oq pq pras pro pros q qdo qnta qntas qnto qntos qto tá tb tbm tô vc vcs voce",
        "es": "a al algo antes como cómo con cual cuál cuales cuando cuánta cuántas cuánto cuántos de del "
        "desde donde dónde durante e el él ella ellos en entre era es esa ese eso esta está este "
        "esto fue ha hace hacer hay la las le les lo los más me mi mis mucho muy nada ni no nos o "
        "otra otro para pero poder por porque puede puedo que qué quien quién quiero se ser si sin "
        "sobre son su sus también tanto te tiene todo tu un una uno unos y ya yo",
        "fr": "à au aux avec ce ces cet cette combien comment dans de des dois doit du elle elles en est "
        "et être eu faire fait faut il ils je la là le les leur lui ma mais me mes moi mon ne nos "
        "notre nous on ont ou où par pas peut peux plus pour pourquoi qu quand que quel quelle "
        "quelles quels qui sa sans se ses si son sont sur ta te tes toi ton tous tout très tu un "
        "une vos votre vous y",
        "de": "aber alle als also am an auch auf aus bei beim bin bis da dann das dass dem den der des "
        "die dies diese dieser doch du durch ein eine einem einen einer eines er es für gegen gibt "
        "haben hat hatte ich ihm ihn ihr im in ist ja jeder kann kein keine können man mehr mein "
        "meine mit muss nach nicht noch nur ob oder ohne sein seine sich sie sind so über um und "
        "uns unter viel viele vom von vor wann war warum was welche welcher welches wenn wer werden "
        "wie wieviel wird wo zu zum zur",
        "it": "a ad ai al alla alle anche c che chi ci come con cosa cui da dal dalla degli dei del della "
        "delle di do dove due e è ed era fa fare gli ha hanno ho i il in io l la le lei lo loro lui "
        "ma mi mia mio ne nei nel nella no noi non o ogni per perché più posso può qual quale quali "
        "quando quanta quante quanti quanto questa questo se sei si sono su sua sul sulla suo ti "
        "tra tu un una uno voi",
    }.items()
}
"""Words that say how a sentence is built, not what it is about; in chats also as they are spelt there."""

_WORD = re.compile(r"[^\W_]+")
_STEMMING = threading.Lock()
"""A stemmer works on one word at a time, in fields of its own."""


def fold(text: str) -> str:
    """`text` without case and accents, for comparing what people type with what books print."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def words(text: str) -> list[str]:
    """The words and numbers of `text` in order, lower case, accents kept; `dragon's` is two."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).lower())


def content_words(text: str, language: str) -> list[str]:
    """The words of `text` that carry its subject: no function words of `language`, no lone letters."""
    function_words = FUNCTION_WORDS.get(language, frozenset())
    return [word for word in words(text) if word not in function_words and (len(word) > 1 or word.isdigit())]


@functools.cache
def _stemmer(language: str) -> "BaseStemmer":
    import snowballstemmer

    return snowballstemmer.stemmer(STEMMERS.get(language, "english"))


@functools.lru_cache(maxsize=100_000)
def stem(word: str, language: str) -> str:
    """The stem of a lower-case word (Snowball), without accents."""
    with _STEMMING:
        stemmed = _stemmer(language).stemWord(word)
    return fold(stemmed)


def stems(text: str, language: str) -> list[str]:
    """The stems of all words of `text`, in order."""
    return [stem(word, language) for word in words(text)]
