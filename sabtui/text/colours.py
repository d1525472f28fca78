"""The colours of the players' names: a number below `COLOURS` for each, different at one table.

A person's follows from their number as a member, and a bot's from its name, wherever they sit. A
record, which knows no members, has them; without them people have theirs in order of their names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from net.protocol.fields import MAX_SEATS
from net.protocol.lobby import BOT_NAMES, BotChair, Free, Lobby, Taken

COLOURS: Final = MAX_SEATS  # number of colours: enough for a full table
COLOURS_TAG: Final = "Colours"  # tag of a record that tells the players' colours


_Wish: TypeAlias = tuple[int, int, str, int]
"""The colour that a player has if it is free, after what ranks them: the lowest chooses first."""


def table_colours(lobby: Lobby) -> tuple[int, ...]:
    """Return the colours of the players at a table, by seat."""
    wishes: list[_Wish] = []
    for seat, chair in enumerate(lobby.chairs):
        match chair:
            case Taken(member):
                wishes.append((0, member, "", member - 1))
            case BotChair(name):
                wishes.append(_bot_wish(name))
            case Free():
                wishes.append((2, seat, "", seat))
    return _grant(wishes)


def named_colours(names: Sequence[str]) -> tuple[int, ...]:
    """Return colours by seat for players of whom nothing is known but their names."""
    people = sorted(name.casefold() for name in names if name.partition(" ")[0] not in BOT_NAMES)
    ranks = {name: rank for rank, name in enumerate(people)}
    ranked = ((name, ranks.get(name.casefold())) for name in names)
    return _grant(
        [_bot_wish(name) if rank is None else (0, rank, "", rank) for name, rank in ranked]
    )


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


def _bot_wish(name: str) -> _Wish:
    """Return the wish of a bot: from the other end than people have theirs."""
    first = name.partition(" ")[0]
    at = BOT_NAMES.index(first) if first in BOT_NAMES else sum(map(ord, name))
    return 1, 0, name, COLOURS - 1 - at


def _grant(wishes: Sequence[_Wish]) -> tuple[int, ...]:
    """Return a colour for each wish: that wished for, or the next one that is free."""
    granted: dict[int, int] = {}
    for seat in sorted(range(len(wishes)), key=wishes.__getitem__):
        colour = wishes[seat][-1] % COLOURS
        while colour in granted.values():
            colour = (colour + 1) % COLOURS
        granted[seat] = colour
    return tuple(granted[seat] for seat in range(len(wishes)))
