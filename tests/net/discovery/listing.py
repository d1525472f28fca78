"""What the tests of the list of games share: two games, where they are, and who answers."""

from __future__ import annotations

from dataclasses import replace

from net.discovery.address import Address
from net.discovery.advert import Advert, Stage
from net.discovery.game import Status
from net.discovery.games import Games
from net.discovery.networks import Network
from net.discovery.questions import Heard
from net.secure.versions import Versions

OURS = Versions(2, 3)
ANA = Advert("aaaa000000000001", "Ana", OURS, Stage.LOBBY, 1, 5)
BRUNO = Advert("bbbb000000000002", "Bruno", OURS, Stage.PLAYING, 3, 4)
HERE = Address("10.0.0.1", 7341)
THERE = Address("10.0.0.2", 7341)
FAR_AWAY = Address("203.0.113.5", 7341)
OURS_IS = Network("10.0.0.99", 8)


def new_games() -> Games:
    """Games of somebody whose network is `OURS_IS`."""
    games = Games(OURS)
    games.here([OURS_IS])
    return games


def answered(games: Games, advert: Advert, address: Address, now: float) -> None:
    games.answer(Heard(address, now, advert), now)


def statuses(games: Games, now: float) -> dict[str, Status]:
    return {game.title: game.status for game in games.listing(now)}


def found(advert: Advert = ANA, address: Address = HERE) -> Games:
    """Games with one that was hinted, asked and answered at time 0."""
    games = new_games()
    games.hint(advert, [address], 0.0)
    assert games.due(0.0) == (address,)
    answered(games, advert, address, 0.0)
    return games


def advert_number(number: int) -> Advert:
    return replace(ANA, id=f"{number:016x}", name=f"Table {number}")
