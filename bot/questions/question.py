"""A question on its way from where it was asked to its answer."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.books.readers import Reader
from bot.messages.places import PlaceKind
from bot.render.embeds import Asker
from bot.texts import texts_in
from rag.library.books.ruling import Ruling
from rag.library.language.identify import told_language
from rag.texts import Texts


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence beside an answer, by its key: only the answer tells the language of a direct message.

    Of its `values` a time is as Discord shows it to each reader.
    """

    key: str
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question with everything that its answer depends on.

    `place` is the kind of place it was asked in, `home` the channel it was asked in, or that its thread
    belongs to. `thread_id` is LangGraph's, `locale` the language of our own sentences (None: the question's).
    `resumes` says that the conversation may have begun before this process did, `is_by_gm` that its asker is
    a GM, whoever reads. `notices` stand beside its answer. With `opens_thread` a thread opens on its message.
    `began` is by the clock that never goes back.

    `book` is where it is searched, `chosen` what somebody chose of that (the rest is the channel's game), and
    `narrowing` tells the asker of either. With `book_only` a table's own rules are left out. Until the answer
    tells the question's language, ours are written in that of its own words, else in that of the
    `place_locale`. `is_by_message`: whoever asked may have Discord's notification of the message on which it
    is worked. `rulings` are those that hold at its reader's table when its turn comes.
    """

    question: str
    thread_id: str
    asker: int
    guild: int | None
    reader: Reader
    home: int = 0
    place: PlaceKind = PlaceKind.CHANNEL
    book: str | None = None
    private: bool = False
    book_only: bool = False
    locale: str | None = None
    resumes: bool = False
    is_by_gm: bool = False
    notices: tuple[Notice, ...] = ()
    opens_thread: bool = False
    chosen: str | None = None
    narrowing: Notice | None = None
    place_locale: str | None = None
    shown_asker: Asker | None = None
    is_by_message: bool = False
    rulings: Sequence[Ruling] = ()
    began: float = field(default_factory=time.monotonic)

    @property
    def is_in_place(self) -> bool:
        """Whether its conversation has no thread of its own, and goes on until somebody ends it."""
        return self.private or self.place in (PlaceKind.DIRECT, PlaceKind.SPOKEN)

    @property
    def early_locale(self) -> str | None:
        """The language of our own sentences until there is an answer."""
        return self.locale or told_language(self.question) or self.place_locale

    @property
    def early_texts(self) -> Texts:
        """Our own sentences until there is an answer."""
        return texts_in(self.early_locale)
