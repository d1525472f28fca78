"""The games that were found, as lists show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from net.discovery.advert import Advert
from net.secure.address import Address


class GameStatus(StrEnum):
    """The status of a listed game."""

    JOINABLE = "joinable"
    """It speaks our version, and answers, or at least its TCP port is open. Its advert says if a
    seat is free."""

    UNREACHABLE = "unreachable"
    """It is announced on one of our networks, but neither answers nor has an open TCP port: most
    likely its host's firewall, else a network that isolates its clients."""

    ELSEWHERE = "elsewhere"
    """It is announced, none of its addresses is on a network of ours, and none answers."""

    UPDATE_THEIRS = "update theirs"
    """Its host plays an older version."""

    UPDATE_OURS = "update ours"
    """Its host plays a newer version."""


@dataclass(frozen=True, slots=True)
class DiscoveredGame:
    """A game and its addresses in the order to try them, those that answer first.

    `title` is its name, with part of the id added if games of the list share the name or it is
    empty. `answering` of the addresses have answered lately.
    """

    title: str
    advert: Advert
    status: GameStatus
    addresses: tuple[Address, ...]
    answering: int = 1


def make_titles(games: Iterable[DiscoveredGame]) -> tuple[DiscoveredGame, ...]:
    """Sort games by name, then id, and make their titles distinct."""
    ordered = sorted(games, key=lambda game: (game.advert.name.casefold(), game.advert.id))
    names = Counter(game.advert.name.casefold() for game in ordered)
    return tuple(
        game
        if game.advert.name and names[game.advert.name.casefold()] == 1
        else replace(game, title=f"{game.advert.name} {game.advert.tail}".strip())
        for game in ordered
    )
