"""Hosts that move for others."""

from __future__ import annotations

import pytest

from net.protocol.events import write_move
from net.room.state import GameStep, Step
from tests.workshop.rigged import ALL, Evening, findings_told, state_held

pytestmark = pytest.mark.level("thorough")


async def test_move_for_a_guest(table: Evening) -> None:
    """It is Ben's turn, he is there, and the host does not wait for him."""
    await table.begin()
    ben, seat = table.people["Ben"], table.lobby.seat_of(table.member("Ben"))
    game = table.table.state.game
    while game is not None and game.to_act != seat:
        await table.play(1)
        game = table.table.state.game
    assert game is not None
    before = len(ben.updates)
    table.table.commit(Step(act=GameStep(write_move(game.legal_moves()[0]))))
    table.says("Ben")
    await table.all_know()
    seen = [one.received for one in ben.updates[before:] if one.received is not None]
    assert {one.settled for one in seen if one.events} == {0}, "no move that Ben has asked for"
    assert state_held(ben).view is not None
    await table.play_out()
    for name in ALL:
        assert set(findings_told(table.people[name])) == {"let in", "audit: checked"}
