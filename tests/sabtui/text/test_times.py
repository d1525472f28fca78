"""How long ago something was."""

from __future__ import annotations

import pytest

from sabtui.text.errors import ago


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "just now"),
        (59.9, "just now"),
        (60, "1 minute ago"),
        (3599, "59 minutes ago"),
        (7200, "2 hours ago"),
        (90_000, "1 day ago"),
        (-90_000, "just now"),
    ],
)
def test_a_time_is_told_in_its_largest_unit_and_never_as_one_to_come(
    seconds: float, text: str
) -> None:
    assert ago(seconds) == text
