"""What is made of an object is remembered by the object itself."""

from rag.strategies.identity_cache import cached_by_identity


def test_the_same_object_is_read_once_and_an_equal_one_anew() -> None:
    read: list[list[int]] = []

    @cached_by_identity(8)
    def total(numbers: list[int]) -> int:
        read.append(numbers)
        return sum(numbers)

    first, equal = [1, 2], [1, 2]
    assert [total(first), total(first), total(equal)] == [3, 3, 3]
    assert [id(one) for one in read] == [id(first), id(equal)]


def test_what_was_asked_for_longest_ago_is_forgotten_first() -> None:
    read: list[list[int]] = []

    @cached_by_identity(2)
    def total(numbers: list[int]) -> int:
        read.append(numbers)
        return sum(numbers)

    lists = [[1], [2], [3]]
    for one in [*lists, lists[2], lists[0]]:
        total(one)
    assert read == [[1], [2], [3], [1]]
