"""All hosts of a table are asked at once, so that strangers delay nobody."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Self

import pytest

from net.discovery import search as search_module
from net.discovery.search import FoundCopy, search
from net.protocol import Standing
from net.secure.address import Address

ID = "0123456789abcdef"


class Seeing:
    """A browser that sees these hosts."""

    def __init__(self, *hosts: Address) -> None:
        self.hosts = hosts

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    def find_hosts(self, _table: str) -> list[tuple[Address, Standing]]:
        return [(host, Standing(plays=True, people=127, term=65000)) for host in self.hosts]


async def silent(_at: Address) -> FoundCopy:
    await asyncio.sleep(60)
    raise AssertionError


@pytest.mark.parametrize("strangers", [1, 10, 60])
async def test_hosts_that_are_silent_keep_nobody_waiting(
    strangers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ben = Address("10.0.0.2", 7341)
    hosts = [Address("10.0.0.9", 2000 + number) for number in range(strangers)]
    monkeypatch.setattr(search_module, "Browser", lambda _: Seeing(*hosts, ben))
    monkeypatch.setattr(search_module, "ASK_TIMEOUT_S", 0.2)
    monkeypatch.setattr(search_module, "ASK_AGAIN_S", 0.3)

    async def ask(at: Address) -> FoundCopy:
        return FoundCopy(at, b"pin", Standing(), b"") if at == ben else await silent(at)

    async with asyncio.timeout(1.5), aclosing(search(ID, lambda _: True, ask)) as copies:
        async for copy in copies:
            if copy is not None:
                assert copy.address == ben
                return


async def test_only_copies_that_are_wanted_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "Browser", lambda _: Seeing(Address("10.0.0.2", 7341)))
    monkeypatch.setattr(search_module, "LOOK_INTERVAL_S", 0.0)
    async with aclosing(search(ID, lambda there: not there.plays, silent)) as copies:
        assert [await anext(copies) for _ in range(3)] == [None] * 3
