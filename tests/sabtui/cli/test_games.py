"""`sabtui games`, line by line."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from net.discovery import networks
from net.discovery.advert import OURS, Advert, AdvertStage, DoorPorts
from net.discovery.games import DiscoveredGame, GameStatus
from net.protocol import Versions
from net.secure.address import Address
from sabtui.cli import games
from sabtui.cli.games import game_line, watch_games
from sabtui.text.network import sort_games
from tests.net.discovery import conftest
from tests.sabtui.app.test_joining import Hearing

loopback_mdns = conftest.loopback_mdns
no_mdns = conftest.no_mdns
no_networks = conftest.no_networks
own_service = conftest.own_service

ANA = Advert("aaaa000000000001", "Ana", OURS, AdvertStage.LOBBY, 1, 5)
GAME = DiscoveredGame("Ana", ANA, GameStatus.JOINABLE, (Address("fd77::1", 7341),))


@pytest.mark.usefixtures("loopback_mdns")
async def test_no_games_are_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    assert await watch_games(0.05, out) == 0
    assert out.getvalue() == "This computer is not connected to a network. Join the Wi-Fi first.\n"
    home = networks.Network("192.0.2.7", 32)
    monkeypatch.setattr(networks, "own_networks", lambda: (home,))
    out = io.StringIO()
    assert await watch_games(0.05, out) == 0
    assert out.getvalue().startswith("No games found on this network. Ask your host for")


def test_two_versions_that_do_not_fit_are_both_told() -> None:
    later = replace(ANA, versions=Versions(6, 7))
    line = game_line(replace(GAME, status=GameStatus.OTHER_VERSION, advert=later))
    assert f"its host has protocol 6-7 and this program {OURS.high}: update the older" in line


async def test_a_game_has_one_line_and_without_mdns_is_no_trouble(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    joined = replace(GAME, advert=replace(ANA, players=2))
    heard = Hearing((GAME, joined), OSError("port 5353 is taken"))
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
        (GameStatus.OTHER_VERSION, f"this program {OURS.high}: update the older Sabtui"),
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
