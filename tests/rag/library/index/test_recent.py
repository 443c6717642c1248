"""What is kept of what was asked for last."""

from rag.library.index.recent import Recent


def lengths(words: list[str]) -> dict[str, int]:
    return {word: len(word) for word in words}


def nothing(words: list[str]) -> dict[str, int]:
    raise AssertionError(f"made again: {words}")


def test_what_is_kept_is_not_made_again() -> None:
    kept: Recent[str, int] = Recent(2)
    kept.get_all(["orc", "elf"], lengths)
    assert kept.get_all(["elf", "orc"], nothing) == {"elf": 3, "orc": 3}


def test_what_was_asked_for_longest_ago_is_dropped_first() -> None:
    kept: Recent[str, int] = Recent(2)
    kept.get_all(["orc", "elf"], lengths)
    kept.get("orc", lambda: 0)
    kept.get("dwarf", lambda: 5)
    assert kept.get("orc", lambda: 0) == 3
    assert kept.get("elf", lambda: 0) == 0


def test_values_count_as_much_as_they_weigh() -> None:
    kept: Recent[str, str] = Recent(5, len)
    kept.keep({"orc": "four", "elf": "e"})
    kept.keep({"elf": "el"})
    assert kept.known(["orc", "elf"]) == {"elf": "el"}
