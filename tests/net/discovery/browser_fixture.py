"""What the tests of the list of games share: two games, where they are, and who answers."""

from __future__ import annotations

from dataclasses import replace

from net.discovery.advert import Advert, AdvertStage
from net.discovery.browser import GameList
from net.discovery.games import GameStatus
from net.discovery.networks import Network
from net.protocol import Versions
from net.secure.address import Address

OURS = Versions(2, 3)
ANA = Advert("aaaa000000000001", "Ana", OURS, AdvertStage.LOBBY, 1, 5)
BRUNO = Advert("bbbb000000000002", "Bruno", OURS, AdvertStage.PLAYING, 3, 4)
HERE = Address("10.0.0.1", 7341)
THERE = Address("10.0.0.2", 7341)
FAR_AWAY = Address("203.0.113.5", 7341)
OURS_IS = Network("10.0.0.99", 8)


def new_games() -> GameList:
    """Games of somebody whose network is `OURS_IS`."""
    listed = GameList(OURS)
    listed.here([OURS_IS])
    return listed


def answer_probe(listed: GameList, advert: Advert, address: Address, now: float) -> None:
    listed.answer(address, advert, now)


def statuses(listed: GameList, now: float) -> dict[str, GameStatus]:
    return {game.title: game.status for game in listed.games(now)}


def find_game(advert: Advert = ANA, address: Address = HERE) -> GameList:
    """Games with one that was hinted, asked and answered at time 0."""
    listed = new_games()
    listed.hint(advert, [address], 0.0)
    assert listed.due(0.0) == (address,)
    answer_probe(listed, advert, address, 0.0)
    return listed


def advert_number(number: int) -> Advert:
    return replace(ANA, id=f"{number:016x}", name=f"Table {number}")
