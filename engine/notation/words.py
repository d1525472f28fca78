"""The words of a record after its tags, taken one after another.

Knows where each stands, and nothing of what it means.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.notation.text import Piece


class Words:
    """Words that are still to be read, up to `end`."""

    def __init__(self, words: Sequence[Piece], end: Piece) -> None:
        self._words = words
        self._end = end
        self._at = 0

    @property
    def next(self) -> str:
        """The next word, empty where there is none."""
        return self._words[self._at].text if self._at < len(self._words) else ""

    def take(self) -> Piece:
        """Take the next word. Raises `NotationError` where there is none."""
        if self._at == len(self._words):
            raise self._end.wrong("more should stand here")
        self._at += 1
        return self._words[self._at - 1]

    def expect(self, *texts: str) -> None:
        """Take the next words, which can only be these. Raises `NotationError`."""
        for text in texts:
            must_be(self.take(), text)

    def expect_nothing(self) -> None:
        """Raise `NotationError` unless all words are taken."""
        if self.next:
            raise self.take().wrong("nothing should stand here")


def must_be(piece: Piece, text: str) -> None:
    """Raise `NotationError` unless this stands there."""
    if piece.text != text:
        raise piece.wrong("{text} should stand here", text=text)
