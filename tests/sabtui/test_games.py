"""`sabtui games`, line by line."""

from __future__ import annotations

import asyncio
import io
from dataclasses import replace

import pytest
from zeroconf.asyncio import AsyncZeroconf

from net.discovery import announcer, browser, mdns
from net.discovery.address import Address
from net.discovery.advert import OURS, Advert, Stage
from net.discovery.announcer import Announcer
from net.discovery.game import Game, Status
from net.discovery.ports import LOOPBACK, claim
from sabtui.games import games, line

ANA = Advert("aaaa000000000001", "Ana", OURS, Stage.LOBBY, 1, 5)
GAME = Game("Ana", ANA, Status.JOINABLE, (Address("fd77::1", 7341),))


@pytest.fixture
def loopback_mdns(monkeypatch: pytest.MonkeyPatch) -> None:
    async def open_zeroconf() -> AsyncZeroconf:
        return AsyncZeroconf(["127.0.0.1"])

    monkeypatch.setattr(announcer, "open_zeroconf", open_zeroconf)
    monkeypatch.setattr(browser, "open_zeroconf", open_zeroconf)
    monkeypatch.setattr(mdns, "own_addresses", lambda: ["127.0.0.1"])


@pytest.mark.usefixtures("loopback_mdns")
async def test_each_game_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    port = claim(ports=[0], hosts=LOOPBACK)
    out = io.StringIO()
    async with Announcer(ANA, port.port, port.udp) as announcer:
        looking = asyncio.create_task(games(2.0, out))
        await asyncio.sleep(1.5)
        announcer.update(stage=Stage.LOBBY, players=2, seats=5)
        assert await looking == 0
    port.close()
    assert out.getvalue() == f"Ana  127.0.0.1:{port.port}  1/5 players  waiting for players\n"
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("loopback_mdns")
async def test_no_games_are_no_error() -> None:
    out = io.StringIO()
    assert await games(0.2, out) == 0
    assert out.getvalue() == "No games seen on this network.\n"


async def test_without_mdns_one_line_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def open_zeroconf() -> AsyncZeroconf:
        raise OSError("port 5353 is taken")

    monkeypatch.setattr(browser, "open_zeroconf", open_zeroconf)
    out = io.StringIO()
    assert await games(0.1, out) == 1
    assert out.getvalue() == ""
    (said,) = capsys.readouterr().err.splitlines()
    assert "sabtui join HOST[:PORT]" in said


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (Status.JOINABLE, "waiting for players"),
        (Status.UNREACHABLE, "firewall must let in port 7341"),
        (Status.UPDATE_THEIRS, "the host is to update"),
        (Status.UPDATE_OURS, "update yours"),
    ],
)
def test_a_line_says_what_can_be_done(status: Status, words: str) -> None:
    said = line(replace(GAME, status=status))
    assert said.startswith("Ana  [fd77::1]:7341  1/5 players  ")
    assert words in said


def test_every_stage_has_words_of_its_own() -> None:
    said = {line(replace(GAME, advert=replace(ANA, stage=stage))) for stage in Stage}
    assert len(said) == len(Stage)
