"""Players' names by seat, and which of them is "you".

Names come from strangers. They are cleaned here as everywhere (NFC, no control or format
characters, at most 24 terminal cells), and made unique regardless of case.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from net.protocol.text import MAX_NAME_CELLS, clean_name
from sabtui.text.colours import named_colours
from sabtui.text.i18n import _, join_words, pgettext
from sabtui.text.width import width


@dataclass(frozen=True, slots=True)
class PlayerNames:
    """Names by seat, fit to be shown; `me` is the reader's seat, `None` for a watcher."""

    names: tuple[str, ...]
    me: int | None
    spelt: bool = False  # sentences also name cells and path cards, for readers who see no board
    colours: tuple[int, ...] = ()  # numbers of their colours (`sabtui.text.colours`)

    @staticmethod
    def of(names: Iterable[str], me: int | None, colours: tuple[int, ...] = ()) -> PlayerNames:
        """Return cleaned and unique names; without `colours`, these follow from the names."""
        seated: list[str] = []
        for seat, name in enumerate(names, 1):
            seated.append(_unlike(_cleaned(name) or _("Player {seat}").format(seat=seat), seated))
        if len(colours) != len(seated):
            colours = named_colours(seated)
        return PlayerNames(tuple(seated), me, colours=colours)

    def colour(self, seat: int) -> int:
        """Return the number of a player's colour, 0 for a seat that a false host made up."""
        return self.colours[seat] if seat < len(self.colours) else 0

    def name(self, seat: int) -> str:
        """Return a seat's name for a list of all players; the reader's is marked."""
        name = self.names[seat]
        return _("{name} (you)").format(name=name) if seat == self.me else name

    def call(self, seat: int) -> str:
        """Return a seat's name within a sentence: "you" for the reader."""
        return pgettext("a player", "you") if seat == self.me else self.names[seat]

    def call_all(self, seats: Iterable[int]) -> str:
        """Return several seats' names joined in a list."""
        return join_words([self.call(seat) for seat in seats])

    def say(self, seat: int, to_me: str, of_others: str, **fields: str | int) -> str:
        """Return `to_me` if `seat` is the reader's, else `of_others` with the name as {name}.

        The fields are filled in once, here: text inside a field is never searched for fields.
        """
        sentence = to_me if seat == self.me else of_others
        return sentence.format(name=self.names[seat], **fields)


_cleaned = lru_cache(maxsize=1 << 12)(clean_name)
"""Cleaning takes a hundred times as long as looking up, and names come again and again."""


def _unlike(name: str, others: Sequence[str]) -> str:
    """Return the name, with a number appended if one of the others has the same."""
    taken = {other.casefold() for other in others}
    unlike, number = name, 2
    while unlike.casefold() in taken:
        tail = f" {number}"
        cut = name
        while width(cut) + len(tail) > MAX_NAME_CELLS:
            cut = cut[:-1]
        unlike, number = cut.rstrip() + tail, number + 1
    return unlike
