"""Text from anybody, made harmless."""

import pytest

from net.text import harmless


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, ñ and 雪", "plain, ñ and 雪"),
        ("a\tb\nc", "a b c"),
        ("\x1b[2Jred\u202eder\x07", "[2Jredder"),
    ],
)
def test_what_a_terminal_would_obey_is_taken_out(text: str, shown: str) -> None:
    assert harmless(text) == shown
