"""A table of its journal: who hosts it, and what a seat knew at a step."""

from __future__ import annotations

from pathlib import Path

from engine.facts import secrets_of
from net.protocol.messages import Mark
from net.protocol.requests import SetReady, Start
from net.secure.keys import SeatKey
from net.server.tables import create, recall
from tests.net.server.served_table import SMALL, hosting, until


async def test_a_journal_tells_what_a_seat_knew_at_a_step_and_nobody_else(where: Path) -> None:
    async with hosting(where) as hosted:
        ann, ben = await hosted.come("Ann", "Ben")
        cleo = (await hosted.come("Cleo"))[0]
        for guest in (ben, cleo):
            assert await guest.wants(SetReady(ready=True)) is None
        assert await ann.wants(Start()) is None
        await until(lambda: hosted.state.game is not None)
        state, path = hosted.state, hosted.table.journal.path
        key = next(person.key for person in state.lobby.people if person.name == "Ben")
        mark = Mark(state.number, state.running)
        view = state.view(state.lobby.seat_of(state.member_with(key) or 0))
        assert view is not None
    assert recall(path, key, mark) == secrets_of(view)
    assert recall(path, SeatKey.new().public, mark) is None
    assert recall(path, key, Mark(state.number, bytes(16))) is None


def test_a_host_signs_that_the_table_is_here(where: Path) -> None:
    key = SeatKey.new()
    table = create(where, name="Rush", host_key=key.public, settings=SMALL, port=0, signed_by=key)
    try:
        assert table.claim is not None
        assert table.claim.key == key.public
        assert table.claim.is_signed(table.id, table.certificate.fingerprint)
        assert not table.claim.is_signed(table.id, bytes(32))
    finally:
        table.journal.close()
