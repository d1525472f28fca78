"""Players' names and colours by seat, and which of them is "you".

Names come from strangers. They are cleaned here as everywhere (NFC, no control or format
characters, at most 24 terminal cells), and made unique regardless of case.

Colours are numbers below `COLOURS`, different at one table. The colour of a person follows from
their number as a member, and that of a bot from its name, wherever they sit. A record, which knows
no members, tells the colours in a tag; without it seats have colours in their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from net.protocol.fields import MAX_SEATS
from net.protocol.lobby import BOT_NAMES, BotChair, Free, Lobby, Taken
from net.protocol.text import MAX_NAME_CELLS, clean_name
from sabtui.text.i18n import _, join_words, pgettext
from sabtui.text.layout import width


@dataclass(frozen=True, slots=True)
class PlayerNames:
    """Names by seat, fit to be shown; `me` is the reader's seat, `None` for a watcher."""

    names: tuple[str, ...]
    me: int | None
    spelt: bool = False  # sentences also name cells and path cards, for readers who see no board
    colours: tuple[int, ...] = ()  # numbers of their colours, below `COLOURS`

    @staticmethod
    def of(names: Iterable[str], me: int | None, colours: tuple[int, ...] = ()) -> PlayerNames:
        """Return cleaned and unique names; without `colours`, each seat has that of its number."""
        seated: list[str] = []
        for seat, name in enumerate(names, 1):
            seated.append(_unlike(_cleaned(name) or _("Player {seat}").format(seat=seat), seated))
        if len(colours) != len(seated):
            colours = tuple(range(len(seated)))
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


COLOURS: Final = MAX_SEATS  # number of colours: enough for a full table
COLOURS_TAG: Final = "Colours"  # tag of a record that tells the players' colours
BOTS_TAG: Final = "Bots"  # tag of a record that tells the seats of bots


def table_colours(lobby: Lobby) -> tuple[int, ...]:
    """Choose the colours of the players at a table, by seat.

    People choose first, by their numbers, then bots, by their names. If a
    colour is taken, the next free one is used.
    """
    wishes: list[tuple[int, int, str, int, int]] = []  # three sort keys, the colour, the seat
    for seat, chair in enumerate(lobby.chairs):
        match chair:
            case Taken(member):
                wishes.append((0, member, "", member - 1, seat))
            case BotChair(name):
                first = name.partition(" ")[0]
                at = BOT_NAMES.index(first) if first in BOT_NAMES else sum(map(ord, name))
                wishes.append((1, 0, name, COLOURS - 1 - at, seat))  # people begin at the other end
            case Free():
                wishes.append((2, 0, "", seat, seat))
    granted: dict[int, int] = {}
    for *_keys, colour, seat in sorted(wishes):
        colours = ((colour + further) % COLOURS for further in range(COLOURS))
        granted[seat] = next(free for free in colours if free not in granted.values())
    return tuple(granted[seat] for seat in range(len(wishes)))


def write_colours(colours: Sequence[int]) -> str:
    """Return colours as text for a record, counted from 1."""
    return " ".join(str(colour + 1) for colour in colours)


def read_colours(text: str, players: int) -> tuple[int, ...]:
    """Return the colours of that many players, () if the text of a record is no such thing."""
    words = text.split()
    known = {str(colour + 1): colour for colour in range(COLOURS)}
    if len(words) != players or len(set(words)) != players or not known.keys() >= set(words):
        return ()
    return tuple(known[word] for word in words)


def write_bots(lobby: Lobby) -> str:
    return " ".join(str(seat + 1) for seat in range(len(lobby.chairs)) if lobby.is_bot(seat))


def read_bots(text: str, players: int) -> frozenset[int]:
    """Return the seats of bots, none if the text of a record is no such thing."""
    known = {str(seat + 1): seat for seat in range(players)}
    words = text.split()
    return frozenset(known[word] for word in words) if known.keys() >= set(words) else frozenset()
