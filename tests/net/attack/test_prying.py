"""Players who ask for more than is theirs: another's cards, another's turn, a turn that is over."""

from pathlib import Path

import pytest

from engine import Discard, Move, View
from net.protocol.events import write_move
from net.protocol.messages import (
    CloseReason,
    Refusal,
)
from net.protocol.requests import MakeMove
from tests.net.attack.connection_attack import a_game
from tests.net.cable import cable
from tests.net.server.served_table import Guest, Hosted, until

pytestmark = pytest.mark.level("broad")


def whose_turn(hosted: Hosted) -> tuple[Guest, Guest]:
    """Who is to move, and somebody who is not."""
    game = hosted.state.game
    assert game is not None
    mover = next(guest for guest in hosted.guests if guest.state.status.seat == game.to_act)
    return mover, next(guest for guest in hosted.guests if guest is not mover)


def a_move(view: View | None) -> Move:
    """Some legal move, or a discard out of turn."""
    assert view is not None
    return Discard(view.hand[0])


async def test_a_move_from_a_link_that_was_replaced_is_not_made(where: Path) -> None:
    async with a_game(where, but="Ann") as hosted, cable(hosted.port) as line:
        ann = hosted.guests[0]
        await ann.leave()
        ann.port = line.port
        await ann.come_back()
        while whose_turn(hosted)[0] is not ann:
            await hosted.next_move()
        step = hosted.state.number
        play = MakeMove(ann.step, write_move(a_move(ann.state.status.view)))
        line.freeze()
        ann.say(*ann.state.request(play))
        newer = Guest("Ann", hosted.port, ann.key)
        newer.pin = ann.pin
        hosted.guests[0] = newer
        await newer.come_back()
        line.thaw()
        await until(lambda: ann.connection is None)
        assert ann.farewell is CloseReason.REPLACED
        assert await newer.wants(MakeMove(0, play.move)) is Refusal.STALE
        assert hosted.state.number == step
        await ann.leave()
