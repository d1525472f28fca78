"""Players' names and dwarves by seat, and which of them is "you".

Names come from strangers. They are cleaned here as everywhere (NFC, no control or format
characters, at most 24 terminal cells), and made unique regardless of case.

Faces and colours of the players' dwarves are numbers below `MAX_LOOKS`, different at one table. A
record, which has no members, has them in tags; without these, they follow the order of the seats.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from net.protocol.cleaning import MAX_NAME_CELLS, clean_name
from net.protocol.lobby import MAX_LOOKS, Dwarf, Lobby
from sabtui.text.i18n import _, add_facts, join_words, pgettext
from sabtui.text.layout import width


@dataclass(frozen=True, slots=True)
class PlayerNames:
    """Names by seat, fit to be shown; `me` is the reader's seat, `None` for a watcher."""

    names: tuple[str, ...]
    me: int | None
    spelt: bool = False  # sentences also name cells and path cards, for readers without a board
    dwarves: tuple[Dwarf, ...] = ()

    @staticmethod
    def of(names: Iterable[str], me: int | None, dwarves: tuple[Dwarf, ...] = ()) -> PlayerNames:
        """Return cleaned, unique names; without `dwarves`, a seat has the one of its number."""
        seated: list[str] = []
        for seat, name in enumerate(names, 1):
            seated.append(_unlike(_cleaned(name) or _("Player {seat}").format(seat=seat), seated))
        if len(dwarves) != len(seated):
            dwarves = tuple(Dwarf(at, at) for at in range(len(seated)))
        return PlayerNames(tuple(seated), me, dwarves=dwarves)

    def dwarf(self, seat: int) -> tuple[int, int]:
        """Return a player's face and colour, the first for a seat that a cheating host made up."""
        dwarf = self.dwarves[seat] if seat < len(self.dwarves) else Dwarf(0, 0)
        return dwarf.face, dwarf.colour

    def colour(self, seat: int) -> int:
        return self.dwarf(seat)[1]

    def name(self, seat: int) -> str:
        """Return a seat's name for a list of all players; the reader's is marked."""
        name = self.names[seat]
        return add_facts(name, pgettext("a player", "you")) if seat == self.me else name

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
"""Cached: cleaning takes a hundred times as long as a lookup, and names recur all the time."""


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


COLOURS_TAG: Final = "Colours"  # tag of a record for the colours of the players' dwarves
FACES_TAG: Final = "Faces"  # tag for their faces; without it these have the colours' numbers
BOTS_TAG: Final = "Bots"  # tag of a record for the seats of bots


def write_dwarves(dwarves: Sequence[Dwarf]) -> tuple[tuple[str, str], ...]:
    """Return the tags of a record for faces and colours, counted from 1."""
    faces = " ".join(str(dwarf.face + 1) for dwarf in dwarves)
    colours = " ".join(str(dwarf.colour + 1) for dwarf in dwarves)
    return (COLOURS_TAG, colours), (FACES_TAG, "" if faces == colours else faces)


def read_dwarves(tags: Mapping[str, str], players: int) -> tuple[Dwarf, ...]:
    """Return the dwarves of that many players, () if a record's tags name no such dwarves."""
    colours = _read_looks(tags.get(COLOURS_TAG, ""), players)
    faces = _read_looks(tags.get(FACES_TAG, ""), players) or colours
    return tuple(map(Dwarf, faces, colours))


def _read_looks(text: str, players: int) -> tuple[int, ...]:
    words = text.split()
    known = {str(look + 1): look for look in range(MAX_LOOKS)}
    if len(words) != players or len(set(words)) != players or not known.keys() >= set(words):
        return ()
    return tuple(known[word] for word in words)


def list_faces() -> tuple[str, ...]:
    """Return what the dwarves' faces look like, in the order of their numbers."""
    return (
        # Translators: this and the next nine: what somebody's dwarf looks like.
        _("helmet, long beard"),
        _("pointed hat, round beard"),
        _("horns, braided beard"),
        _("hood, forked beard"),
        _("headscarf, stubble"),
        _("pointed hat, long beard"),
        _("helmet, braided beard"),
        _("horns, round beard"),
        _("headscarf, forked beard"),
        _("hood, round beard"),
    )


def list_colours() -> tuple[str, ...]:
    """Return the words for the dwarves' colours, in the order of their numbers."""
    return (
        # Translators: this and the next nine: the colour of somebody's dwarf.
        pgettext("dwarf", "sky blue"),
        pgettext("dwarf", "pink"),
        pgettext("dwarf", "green"),
        pgettext("dwarf", "orange"),
        pgettext("dwarf", "violet"),
        pgettext("dwarf", "turquoise"),
        pgettext("dwarf", "red"),
        pgettext("dwarf", "yellow"),
        pgettext("dwarf", "blue"),
        pgettext("dwarf", "brown"),
    )


def write_bots(lobby: Lobby) -> str:
    return " ".join(str(seat + 1) for seat in range(len(lobby.chairs)) if lobby.is_bot(seat))


def read_bots(text: str, players: int) -> frozenset[int]:
    """Return the seats of bots, none if a record's text names no such seats."""
    known = {str(seat + 1): seat for seat in range(players)}
    words = text.split()
    return frozenset(known[word] for word in words) if known.keys() >= set(words) else frozenset()
