"""All hosts of a table are asked at once, so that strangers delay nobody."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Self

import pytest

from net.discovery import search as search_module
from net.discovery.search import MAX_ASKED, FoundCopy, search
from net.protocol import CopyRank
from net.secure.address import Address

ID = "0123456789abcdef"
BEN = Address("10.0.0.2", 7341)
STRANGERS = [Address("10.0.0.9", 2000 + number) for number in range(60)]


class Seeing:
    """A browser that sees these hosts."""

    def __init__(self, *hosts: Address) -> None:
        self.hosts = hosts

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    def find_hosts(self, _table: str) -> list[tuple[Address, CopyRank]]:
        return [(host, CopyRank(plays=True, people=127, term=65000)) for host in self.hosts]


async def test_hosts_that_are_silent_keep_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "Browser", lambda _: Seeing(*STRANGERS, BEN))
    monkeypatch.setattr(search_module, "ASK_TIMEOUT_S", 0.05)
    monkeypatch.setattr(search_module, "ASK_AGAIN_S", 0.0)
    asked, silent, most = list[Address](), 0, 0

    async def ask(at: Address) -> FoundCopy:
        nonlocal silent, most
        asked.append(at)
        if at == BEN:
            return FoundCopy(at, b"pin", CopyRank(), b"")
        silent += 1
        most = max(most, silent)
        try:
            await asyncio.Event().wait()
        finally:
            silent -= 1
        raise AssertionError

    async with asyncio.timeout(60), aclosing(search(ID, lambda _: True, ask)) as copies:
        while (copy := await anext(copies)) is None:
            pass
    assert copy.address == BEN
    assert most == MAX_ASKED == 32
    assert asked[: asked.index(BEN)] == STRANGERS, "nobody twice before he was asked"


async def test_an_answer_does_not_wait_for_silent_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "Browser", lambda _: Seeing(*STRANGERS[:10], BEN))
    monkeypatch.setattr(search_module, "ASK_TIMEOUT_S", 3600.0)

    async def ask(at: Address) -> FoundCopy:
        if at != BEN:
            await asyncio.Event().wait()
        return FoundCopy(at, b"pin", CopyRank(), b"")

    async with asyncio.timeout(60), aclosing(search(ID, lambda _: True, ask)) as copies:
        while (copy := await anext(copies)) is None:
            pass
    assert copy.address == BEN


async def test_only_copies_that_are_wanted_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "Browser", lambda _: Seeing(BEN))
    monkeypatch.setattr(search_module, "LOOK_INTERVAL_S", 0.0)
    asked = list[Address]()

    async def ask(at: Address) -> FoundCopy:
        asked.append(at)
        return FoundCopy(at, b"pin", CopyRank(), b"")

    async with aclosing(search(ID, lambda there: not there.plays, ask)) as copies:
        assert [await anext(copies) for _ in range(3)] == [None] * 3
    assert asked == []
