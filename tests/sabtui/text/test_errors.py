"""What is wrong with a file, in the reader's language if the reason is common; relative times."""

from __future__ import annotations

import errno
import os

import pytest

from sabtui.text.errors import ago, not_written, system_words
from sabtui.text.i18n import Locale
from tests.sabtui.text.made_up_languages import LETTERS, Pseudo
from tests.sabtui.tui.tour import speak


def error(number: int) -> OSError:
    """An error of the system, as Python raises it."""
    return OSError(number, os.strerror(number))


def test_a_common_reason_is_told_in_the_readers_language() -> None:
    assert system_words(error(errno.ENOSPC)) == "No space left on device"
    with speak(Locale("xx", Pseudo())):
        assert system_words(error(errno.ENOSPC)) == "No space left on device".translate(LETTERS)


def test_a_rare_reason_is_told_in_the_systems_own_words() -> None:
    with speak(Locale("xx", Pseudo())):
        assert system_words(error(errno.EISDIR)) == os.strerror(errno.EISDIR)


def test_what_cannot_be_written_is_told_with_the_reason() -> None:
    assert not_written("game.sab", error(errno.EACCES)) == (
        "Cannot write game.sab (Permission denied)."
    )
    assert not_written("\0", ValueError("embedded null")) == "Cannot write \0 (embedded null)."


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
def test_a_time_is_told_in_its_largest_unit(seconds: float, text: str) -> None:
    assert ago(seconds) == text
