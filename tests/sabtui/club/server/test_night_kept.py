"""What a night keeps on the disk of its club, and rounds whose tables that has no room for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from net.protocol.board import Night
from net.protocol.hall import BeginNight, DrawRound
from tests.net.server.served_table import until
from tests.sabtui.club.server.served_club import serve_folder
from tests.sabtui.club.server.served_night import (
    PEOPLE,
    SHORT,
    go_where_drawn,
    night_at,
    organise,
    play,
)


async def test_tables_of_a_round_that_was_not_noted_when_the_club_was_killed_are_none_of_the_night(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serve_folder(tmp_path) as served:
        members = await served.come(*PEOPLE)
        await organise(served, members[0])
        members[0].session.request(BeginNight(1, "Table", SHORT))
        monkeypatch.setattr(served.server, "_seat", lambda _order, _opened: None)
        members[0].session.request(DrawRound())
        await until(lambda: len(served.server.tables) == 2)
        forgotten = set(served.server.tables)
        keys = [one.session.credentials for one in members]
    async with serve_folder(tmp_path) as served:
        await until(lambda: set(served.server.tables) == forgotten)  # and close if nobody comes
        members = [served.member(name) for name in PEOPLE]
        for one, known in zip(members, keys, strict=True):
            one.use(known)
            await one.enter()
        assert not night_at(served).rounds
        members[0].session.request(DrawRound())
        seats = await go_where_drawn(members, 1)
        assert not {seat.table for seat in seats} & forgotten
        await play(seats)
        await until(lambda: night_at(served).is_over)


async def test_a_night_is_told_once_it_is_on_the_disk_and_none_that_is_newer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[Callable[[], None]] = []
    told: list[str] = []

    async with serve_folder(tmp_path) as served:
        server = served.server
        monkeypatch.setattr(server._rows, "keep_night", lambda _row, then: tried.append(then))
        monkeypatch.setattr(server, "happen", lambda _what, news: told.append(news.night.title))
        for title in ("First", "Second"):
            server.night.night = Night(1, title, SHORT.edition, SHORT.rounds)
            server._keep_night()
        for number, titles in enumerate(([], ["Second"])):
            tried[number]()
            assert told == titles
