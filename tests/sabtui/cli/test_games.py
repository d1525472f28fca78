"""`sabtui games`, line by line."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from net.discovery.advert import OURS, Advert, AdvertStage, DoorPorts
from net.discovery.games import DiscoveredGame, GameStatus
from net.discovery.networks import PortClaim
from net.discovery.service import Announcer, Browser
from net.secure.address import Address
from sabtui.cli import games
from sabtui.cli.games import game_line, watch_games
from sabtui.text.network import sort_games
from tests.net.discovery import conftest
from tests.net.server.served_table import until
from tests.sabtui.app.test_joining import Hearing

loopback_mdns = conftest.loopback_mdns
no_mdns = conftest.no_mdns
no_networks = conftest.no_networks
own_service = conftest.own_service
port = conftest.port

ANA = Advert("aaaa000000000001", "Ana", OURS, AdvertStage.LOBBY, 1, 5)
GAME = DiscoveredGame("Ana", ANA, GameStatus.JOINABLE, (Address("fd77::1", 7341),))


class Looking(Browser):
    """A browser that looks no longer once it has heard of a table with this many people."""

    enough = 1

    async def __aiter__(self) -> AsyncIterator[tuple[DiscoveredGame, ...]]:
        async for heard in super().__aiter__():
            yield heard
            if any(game.advert.players == self.enough for game in heard):
                return


@pytest.mark.usefixtures("loopback_mdns")
async def test_each_game_has_a_line(
    port: PortClaim, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("net.discovery.games.QUESTION_INTERVAL_S", 0.05)
    monkeypatch.setattr(Looking, "enough", 2)
    monkeypatch.setattr(games, "Browser", Looking)
    out = io.StringIO()
    async with Announcer(ANA, port.port, port.udp) as announcer:
        looking = asyncio.create_task(watch_games(60, out))
        await until(lambda: bool(out.getvalue()))
        announcer.update(replace(announcer.advert, stage=AdvertStage.LOBBY, players=2, seats=5))
        assert await looking == 0
    assert out.getvalue() == f"Ana  127.0.0.1:{port.port}  1/5 players  waiting\n", "only one line"
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("loopback_mdns")
async def test_no_games_are_no_error() -> None:
    out = io.StringIO()
    assert await watch_games(0.05, out) == 0
    assert out.getvalue().startswith("No games found on this network. Ask your host for")


async def test_without_mdns_a_game_that_is_found_is_no_trouble(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    heard = Hearing((GAME,), OSError("port 5353 is taken"))
    monkeypatch.setattr(games, "Browser", lambda _ours: heard)
    out = io.StringIO()
    assert await watch_games(60, out) == 0
    assert out.getvalue() == "Ana  [fd77::1]:7341  1/5 players  waiting\n"
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("no_mdns")
async def test_without_mdns_one_line_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    out = io.StringIO()
    assert await watch_games(0.05, out) == 1
    assert out.getvalue() == ""
    (text,) = capsys.readouterr().err.splitlines()
    assert "sabtui join ADDRESS" in text


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (GameStatus.JOINABLE, "waiting"),
        (GameStatus.UNREACHABLE, "firewall blocks port 7341"),
        (GameStatus.ELSEWHERE, "on another network"),
        (GameStatus.OTHER_VERSION, "has another version of Sabtui: update the older one"),
    ],
)
def test_a_line_says_what_can_be_done_and_what_to_type_at_doors(
    status: GameStatus, words: str
) -> None:
    found = replace(GAME, status=status)
    text = game_line(found)
    assert text.startswith("Ana  [fd77::1]:7341  1/5 players  ")
    assert words in text
    opened = game_line(replace(found, advert=replace(ANA, doors=DoorPorts(7351, 7361))))
    for line in ("ssh -p 7351 NAME@fd77::1", "http://[fd77::1]:7361/"):
        assert (line in opened) is (status is GameStatus.JOINABLE)
        assert line[:4] not in text


def test_a_club_has_people_where_a_table_has_seats() -> None:
    for count, told in ((0, "0 people"), (1, "1 person"), (12, "12 people")):
        club = replace(ANA, stage=AdvertStage.CLUB, players=count, seats=0)
        assert game_line(replace(GAME, advert=club)) == f"Ana  [fd77::1]:7341  {told}  club"


def test_games_that_are_over_come_last_and_before_them_those_that_cannot_be_joined() -> None:
    over = replace(GAME, advert=replace(ANA, stage=AdvertStage.OVER))
    shut = replace(GAME, status=GameStatus.UNREACHABLE)
    playing = replace(GAME, advert=replace(ANA, stage=AdvertStage.PLAYING))
    assert sort_games([over, shut, GAME, playing]) == [GAME, playing, shut, over]
    assert game_line(over).endswith("  finished")


def test_an_address_that_no_browser_knows_is_not_told_for_one() -> None:
    doors = replace(ANA, doors=DoorPorts(web=7361))
    near = replace(GAME, advert=doors, addresses=(Address("fe80::1%eth0", 7341),))
    assert "http" not in game_line(near)
    both = replace(near, addresses=(*near.addresses, Address("10.77.0.1", 7341)))
    assert "http://10.77.0.1:7361/" in game_line(both)
