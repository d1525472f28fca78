"""A phone at the browser door of a host on the LAN, where no route leads outside."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.lan.finding import within
from tests.lan.lan import Lan
from tests.lan.players import Player, host_sits_down, person

CODE = "amber-tulip"
ADDRESS = "http://10.77.0.1:7361/"
SEATED = 5.0
"""Seconds from the address being typed until the phone is at the table."""

CABLE_OUT = 15.0

pytestmark = pytest.mark.skipif(
    find_spec("websockets") is None, reason="the browser door needs websockets, which is not here"
)


async def host(lan: Lan, home: Path) -> None:
    """Open a table with a browser door."""
    opened = ("host", "Rush", "--players", "3", "--bots", "1", "--code", CODE, "--name", "Ann")
    table = await person("table", lan, "h1", home, *opened, "--headless", "--web")
    await table.reads(rf"{ADDRESS}$")


async def phone(lan: Lan, home: Path, address: str = ADDRESS) -> Player:
    """A guest at a laptop with a browser and nothing else."""
    await asyncio.to_thread(home.mkdir)
    arguments = (str(home), address, "eva", CODE)
    return Player("eva", await lan.module("h2", "tests.lan.browse", *arguments))


@pytest.mark.level("thorough")  # `test_web_browser` has a browser at the door in each run
@pytest.mark.needs("chromium")
async def test_a_phone_sits_within_5_s_asks_the_host_alone_and_is_back_after_15_s_without_a_lan(
    new_lan: type[Lan], tmp_path: Path
) -> None:
    async with new_lan(2) as lan:
        await host(lan, tmp_path / "ann")
        games = await person("list", lan, "h2", tmp_path / "list", "games")
        await games.reads(rf"^Rush .* {ADDRESS}$")
        eva = await phone(lan, tmp_path / "eva")
        typed, _open = await eva.reads("^open$")
        seated, _told = await eva.reads("^seated$")
        within(SEATED, "seated", typed, seated)
        eva.says("asked")
        _at, asked = await eva.reads("^http.*")
        ours = (ADDRESS, ADDRESS.replace("http", "ws"))
        assert [address for address in asked[0].split() if not address.startswith(ours)] == []
        await lan.run("cable", "h2", "out")
        await asyncio.sleep(CABLE_OUT)  # what is tested is this very time
        await lan.run("cable", "h2", "in")
        ann = await host_sits_down(lan, tmp_path / "ann")
        ann.says("say hello eva")
        eva.says("sees hello eva")
        await eva.reads("^sees")
        eva.says("tap #keys .menu")
        eva.says("sees ree your seat")
        await eva.reads("^sees ree your seat")
