"""Who sits where, by name, and who of them is "you".

Names come from strangers. They are cleaned here as everywhere (NFC, no control or format
characters, at most 24 terminal cells), and no two of them look alike to a reader who does not see
capitals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from net.protocol.text import MAX_NAME_CELLS, clean_name
from sabtui.text.i18n import _, listed, pgettext


@dataclass(frozen=True, slots=True)
class PlayerNames:
    """The players' names by seat, fit to be shown; `me` is the reader's seat, `None` watching."""

    names: tuple[str, ...]
    me: int | None

    @staticmethod
    def of(names: Iterable[str], me: int | None) -> PlayerNames:
        """The cast of a table from names as they were given."""
        seated: list[str] = []
        for seat, name in enumerate(names, 1):
            seated.append(_unlike(clean_name(name) or _("Player {seat}").format(seat=seat), seated))
        return PlayerNames(tuple(seated), me)

    def name(self, seat: int) -> str:
        """What a seat is called where the reader is no exception: in a list of all."""
        name = self.names[seat]
        return _("{name} (you)").format(name=name) if seat == self.me else name

    def call(self, seat: int) -> str:
        """What a seat is called in a row of others: "you", or by name."""
        return pgettext("a player", "you") if seat == self.me else self.names[seat]

    def call_all(self, seats: Iterable[int]) -> str:
        """Several seats in a row."""
        return listed([self.call(seat) for seat in seats])

    def say(self, seat: int, to_me: str, of_others: str, **fields: str | int) -> str:
        """The sentence said to the reader, or the one about another, whose {name} it has.

        Filled in here and nowhere else: what a field brings is never looked through for fields.
        """
        sentence = to_me if seat == self.me else of_others
        return sentence.format(name=self.names[seat], **fields)


def width(text: str) -> int:
    """How many terminal cells a text takes, as screens count them."""
    return cell_len(text)


def padded(text: str, columns: int) -> str:
    """A text with blanks after it, up to so many terminal cells."""
    return text + " " * (columns - width(text))


def _unlike(name: str, others: Sequence[str]) -> str:
    """A name that none of the others has: with a number where it is needed."""
    taken = {other.casefold() for other in others}
    unlike, number = name, 2
    while unlike.casefold() in taken:
        tail = f" {number}"
        cut = name
        while width(cut) + len(tail) > MAX_NAME_CELLS:
            cut = cut[:-1]
        unlike, number = cut.rstrip() + tail, number + 1
    return unlike
