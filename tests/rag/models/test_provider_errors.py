"""What a server's replies mean, without a server."""

import pytest

from rag.models.provider_errors import retry_after


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("3", 3.0),
        ("0.5", 0.5),
        ("-1", 0.0),
        ("Thu, 01 Jan 1970 00:01:30 GMT", 30.0),
        ("Thu, 01 Jan 1970 00:00:30 GMT", 0.0),
        ("soon", None),
        ("inf", None),
        (None, None),
    ],
)
def test_retry_after_is_read_as_seconds_or_as_a_date(header: str | None, seconds: float | None) -> None:
    assert retry_after(header, now=lambda: 60.0) == seconds
