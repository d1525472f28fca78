"""What a guest types as the address of a table with both doors."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.lan.lan import Lan, NewLan
from tests.lan.players import person

CODE = ("--code", "Room code: amber-tulip")
TYPED = (
    "10.77.0.1:7351",
    "10.77.0.1:7361",
    "http://10.77.0.1:7361/#amber-tulip",
    "https://10.77.0.1",
    "ssh -p 7351 NAME@10.77.0.1",
    "sabtui join 10.77.0.1",
    "ana@10.77.0.1",
    "10.77.0.1 7341",
    "10.77.0.1/24",
    "dov.local",
)

pytestmark = pytest.mark.skipif(
    find_spec("asyncssh") is None, reason="the SSH door needs asyncssh, which is not here"
)


async def join(lan: Lan, home: Path, name: str, typed: str) -> None:
    """Join by what was typed, with the code unless that has it."""
    code = () if "#" in typed else CODE
    words = ("join", *typed.split(), "--plain", "--watch", "--name", name, *code)
    guest = await person(typed, lan, "h2", home / name, *words)
    await guest.reads("^Table: Rush")
    guest.says("quit")


async def test_an_address_joins_however_it_is_typed(new_lan: NewLan, tmp_path: Path) -> None:
    async with new_lan(2) as lan:
        opened = ("host", "Rush", "--headless", "--ssh", "--web", "--code", "amber-tulip")
        host = await person("host", lan, "h1", tmp_path / "ann", *opened)
        for _door in range(2):  # whichever opens first
            await host.reads(r"ssh -p 7351 NAME@10\.77\.0\.1$|http://10\.77\.0\.1:7361/")
        named = await lan.module("h1", "tests.lan.named", "dov.local", "10.77.0.1")
        await named.line()
        for at in range(0, len(TYPED), 3):
            await asyncio.gather(
                *(
                    join(lan, tmp_path, f"Guest {number}", TYPED[number])
                    for number in range(at, min(at + 3, len(TYPED)))
                )
            )
