"""Players who ask for more than is theirs: another's cards, another's turn, a turn that is over."""

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import asdict

from engine import Discard, Move, View
from net.protocol.events import write_move
from net.protocol.messages import (
    Accepted,
    ClientCommand,
    CloseReason,
    CommandRefused,
    HostMessage,
    Refusal,
    Snapshot,
    StepFrame,
)
from net.protocol.requests import MakeMove
from tests.net.attack.connection_attack import a_game
from tests.net.attack.messages import malformed_messages, well_formed
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


def only_their_own(message: HostMessage, seat: int | None) -> bool:
    """Whether all that is addressed in a message is addressed to this seat."""
    match message:
        case StepFrame(events=events) | Snapshot(history=events):
            mine = all(getattr(event, "to", seat) == seat for event in events)
        case _:
            mine = True
    if isinstance(message, Snapshot) and message.own is not None:
        own = asdict(message.own)["seat"]
        return mine and own == (-1 if seat is None else seat)
    return mine


@pytest.mark.level("thorough")  # `room/test_commands` has such moves
async def test_moves_out_of_turn_twice_stale_or_from_the_future_are_refused(where: Path) -> None:
    async with a_game(where) as hosted:
        for _ in range(4):
            await hosted.next_move()
        before = hosted.state
        mover, other = whose_turn(hosted)
        assert await other.wants(
            MakeMove(other.step, write_move(a_move(other.state.status.view)))
        ) is (Refusal.NOT_YOUR_TURN)
        move = write_move(a_move(mover.state.status.view))
        for seen in (0, before.turn - 1, before.number + 1, 2**31 - 1):
            assert await mover.wants(MakeMove(seen, move)) is Refusal.STALE
        assert hosted.state == before
        commands = mover.state.commands
        command = ClientCommand(commands.last_id + 1, MakeMove(mover.step, move))
        mover.state.commands = commands.after(command.id + 1)
        mover.say(command, command, ClientCommand(command.id + 1, command.request), command)
        await until(lambda: sum(one == Accepted(command.id) for one in mover.got) == 2)
        assert CommandRefused(command.id + 1, Refusal.NOT_YOUR_TURN) in mover.got
        assert hosted.state.number == before.number + 1, "once"
        await hosted.all_know()


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


@pytest.mark.level("thorough")  # `room/test_no_leak` asks all of that
@pytest.mark.parametrize("attacker", ["Ben", "Eve"])
async def test_no_answer_to_anything_tells_of_another_seat(where: Path, attacker: str) -> None:
    async with a_game(where, but=attacker) as hosted:
        for _ in range(6):
            await hosted.next_move()
        people = {guest.state.name: guest for guest in hosted.guests}
        eve = people.get(attacker) or await Guest(attacker, hosted.port).join()
        seat, chance = eve.state.status.seat, Random(7341)
        good = chance.sample(well_formed(hosted.state.number), 25)
        bad = chance.sample(malformed_messages(hosted.state.number), 8)
        for said in [*good, *bad]:
            if eve.connection is None:
                await eve.leave()
                await eve.come_back()
            connection, heard = eve.connection, len(eve.got)
            assert connection is not None
            connection.send(said)
            await until(lambda heard=heard: eve.connection is None or len(eve.got) > heard)  # type: ignore[misc] # - mypy infers none
            if said in bad:
                await until(lambda: eve.connection is None)
        assert eve.state.status.seat == seat
        assert all(only_their_own(one, seat) for one in eve.got)
        await eve.leave()
        await eve.come_back()
        await hosted.next_move()
        if eve not in hosted.guests:
            await eve.leave()
