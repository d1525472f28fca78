"""A game in the list that a player sees, and how two lists differ.

Knows what a face shows. Must not know how it was found out, nor how it is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from net.discovery.address import Address
from net.discovery.advert import Advert


class Status(StrEnum):
    """What can be done about a game. One that is gone is in no list."""

    JOINABLE = "joinable"
    """It speaks our version, and answers, or at least its door is open. Whether a seat is free,
    its advert tells."""

    UNREACHABLE = "unreachable"
    """It is announced on a network of ours, and neither answers nor lets anybody in: most likely
    its host's firewall, else a network that keeps its guests apart."""

    ELSEWHERE = "elsewhere"
    """It is announced, all its addresses are on networks that are not ours, and none answers."""

    UPDATE_THEIRS = "update theirs"
    """Its host plays an older version."""

    UPDATE_OURS = "update ours"
    """Its host plays a newer version."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game and its addresses, those that answer first, in the order to try them.

    `title` is its name, with a part of the id where games of the list share a name or have none.
    """

    title: str
    advert: Advert
    status: Status
    addresses: tuple[Address, ...]


@dataclass(frozen=True, slots=True)
class Appeared:
    """A game that was not in the list."""

    game: Game


@dataclass(frozen=True, slots=True)
class Changed:
    """A game of which anything is different now."""

    game: Game


@dataclass(frozen=True, slots=True)
class Gone:
    """A game that said goodbye, or answers no more; as it was."""

    game: Game


Change = Appeared | Changed | Gone


def titled(games: Iterable[Game]) -> tuple[Game, ...]:
    """Sort games by name, then id, with titles that differ."""
    ordered = sorted(games, key=lambda game: (game.advert.name.casefold(), game.advert.id))
    names = Counter(game.advert.name.casefold() for game in ordered)
    return tuple(
        game
        if game.advert.name and names[game.advert.name.casefold()] == 1
        else replace(game, title=f"{game.advert.name} {game.advert.tail}".strip())
        for game in ordered
    )


def changes(before: Iterable[Game], after: Iterable[Game]) -> Iterator[Change]:
    """Tell what became of a list: what is gone, then the rest in its new order."""
    old = {game.advert.id: game for game in before}
    new = {game.advert.id: game for game in after}
    yield from (Gone(game) for table, game in old.items() if table not in new)
    for table, game in new.items():
        if table not in old:
            yield Appeared(game)
        elif game != old[table]:
            yield Changed(game)


def called(games: Iterable[Game], text: str) -> tuple[Game, ...]:
    """The games that a typed name may mean: the one of that title, else all of that name."""
    games = tuple(games)
    wanted = text.strip().casefold()
    exact = tuple(game for game in games if game.title.casefold() == wanted)
    return exact or tuple(game for game in games if game.advert.name.casefold() == wanted)
