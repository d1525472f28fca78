"""Those who were let in, and send too much, take nothing, or ask for what is not theirs."""

import logging
import time
from pathlib import Path

import pytest

from engine import Discard, KeepGold, Move, View
from net.protocol.events import write_move
from net.protocol.framing import MAX_CLIENT_FRAME_BYTES, pack
from net.protocol.messages import (
    ClientCommand,
    ClientMessage,
    CloseReason,
    Ping,
    Refusal,
    Resync,
    Snapshot,
)
from net.protocol.requests import Chat, MakeMove
from net.secure.connection import ConnectionFault
from net.secure.limits import GUEST_QUOTA
from tests.net.attack.connection_attack import a_game
from tests.net.cable import cable
from tests.net.server.served_table import Guest, Hosted, until
from tests.samples import first

pytestmark = pytest.mark.level("broad")

FLOODS: list[tuple[ClientMessage, int]] = [
    (Ping(0), 500),
    (ClientCommand(10**6, MakeMove(0, write_move(KeepGold(1)))), 500),
    (ClientCommand(10**6, Chat("buy gold")), 500),
    (Resync(), 40),  # no more frames than a link may send: the room itself ends it
    (Resync(), 500),
]
"""Messages, and how many of each are sent at once."""

SNAPSHOTS, SNAPSHOTS_A_SECOND = 6, 0.5
"""How often a table answers a member with all there is: a few times at once, then every 2 s."""


@pytest.mark.parametrize("attacker", first(1, ["Ben", "Eve"], thorough=2))
async def test_a_flood_ends_the_link_it_came_on_and_nothing_else(
    where: Path, attacker: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "net.server.live_table")
    farewells = {}
    async with a_game(where, but=attacker) as hosted:
        people = {guest.state.name: guest for guest in hosted.guests}
        eve = people.get(attacker) or await Guest(attacker, hosted.port).join()
        eve.attacks = True
        begun = time.monotonic()
        for flood, many in FLOODS:
            assert eve.connection is not None
            heard = len(eve.got)
            eve.connection._transport.write(pack(flood, MAX_CLIENT_FRAME_BYTES) * many)
            await until(lambda: eve.connection is None)
            assert len(eve.got) - heard < 2 * GUEST_QUOTA.frames.burst
            whole = sum(isinstance(message, Snapshot) for message in eve.got[heard:])
            assert whole <= SNAPSHOTS + SNAPSHOTS_A_SECOND * (time.monotonic() - begun)
            farewells[flood, many] = eve.farewell
            await eve.leave()
            await until(lambda: len(hosted.host._connections) == (2 if eve in hosted.guests else 3))
            await eve.come_back()
        await hosted.next_move()
        if eve not in hosted.guests:
            await eve.leave()
    reasons = [message.partition(": ")[2] for message in caplog.messages if "is gone" in message]
    assert farewells[FLOODS[-2]] is CloseReason.TOO_MUCH
    assert reasons.count(ConnectionFault.OVER_BUDGET) >= 3


def whose_turn(hosted: Hosted) -> tuple[Guest, Guest]:
    game = hosted.state.game
    assert game is not None
    mover = next(guest for guest in hosted.guests if guest.state.status.seat == game.to_act)
    return mover, next(guest for guest in hosted.guests if guest is not mover)


def a_move(view: View | None) -> Move:
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
