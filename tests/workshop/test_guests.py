"""Guests whose programs cheat in a draw, by their seats, or come without end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from net.client.draws import OwnShare
from net.protocol.lobby import Lobby, SeedDraw
from net.protocol.messages import (
    ClientMessage,
    CommandRefused,
    CommitShare,
    Refusal,
    ShowShare,
    Welcome,
)
from net.protocol.requests import Leave, Start
from net.secure.authenticate import AuthenticationFailed
from net.secure.client import Rejection
from net.secure.keys import SeatKey
from tests.net.server.served_table import Guest
from tests.workshop.rigged import ALL, Evening, findings_told, until
from tests.workshop.test_dealing import each

pytestmark = pytest.mark.thorough

Answer = tuple[CommitShare | ShowShare, ...]


class RiggedShare(OwnShare):
    """A guest's part in a draw, as `lie` has it."""

    lie: Callable[[SeedDraw, Answer], Answer]

    def answer(self, lobby: Lobby, member: int) -> Answer:
        """Return what the lie makes of the honest answer."""
        honest = OwnShare.answer(self, lobby, member)
        assert lobby.draw is not None or not honest
        return self.lie(lobby.draw, honest) if lobby.draw is not None else honest


def silent(_draw: SeedDraw, _honest: Answer) -> Answer:
    """Say nothing."""
    return ()


def nonsense(draw: SeedDraw, honest: Answer) -> Answer:
    """Answer another draw, and show what was not committed to."""
    return tuple(
        CommitShare(b"x" * 16, one.commitment)
        if isinstance(one, CommitShare)
        else ShowShare(draw.id, b"y" * 32)
        for one in honest
    )


def withheld(_draw: SeedDraw, honest: Answer) -> Answer:
    """Commit, and show nothing."""
    return tuple(one for one in honest if isinstance(one, CommitShare))


@pytest.mark.parametrize("lie", [silent, nonsense, withheld])
async def test_bad_answer(table: Evening, lie: Callable[[SeedDraw, Answer], Answer]) -> None:
    rigged = RiggedShare()
    rigged.lie = lie
    table.people["Cleo"].session.publisher.state.share = rigged
    await begin_without(table, "Cleo")
    await table.play_out()
    ben = findings_told(table.people["Ben"])
    assert "audit: round 1 without Cleo" in ben
    assert "audit: void, no answer: Cleo" in ben
    assert "audit: checked" in ben


async def begin_without(table: Evening, name: str) -> None:
    """Begin the game; the time is up as soon as only this one has not answered."""
    table.people["Ann"].session.request(Start())
    while table.table.state.game is None:
        await until(lambda: table.table.state.game is not None or find_awaited(table) == [name])
        if table.table.state.game is None:
            table.time_is_up()
        await until(lambda: find_awaited(table) != [name])


def find_awaited(table: Evening) -> list[str]:
    """Those whose answer a draw waits for."""
    draw = table.lobby.draw
    if draw is None or draw.done:
        return []
    given = table.table.answers.given
    return [one.name for one in draw.people if one.member not in given]


async def test_copied_commitment(table: Evening) -> None:
    """Cleo's program, in league with the host, commits to what Ben has committed to."""
    cleo = table.member("Cleo")

    def hear(name: str, message: ClientMessage) -> bool:
        given = table.table.answers.given
        if isinstance(message, CommitShare) and name == "Cleo":
            return False
        if isinstance(message, CommitShare):
            given[cleo] = message.commitment
        return True

    rigged = RiggedShare()
    rigged.lie = lambda draw, _honest: (ShowShare(draw.id, b"y" * 32),)
    table.people["Cleo"].session.publisher.state.share = rigged
    table.hears = hear
    await begin_without(table, "Cleo")
    await table.play_out()
    assert {"audit: round 1 without Cleo", "audit: checked"} <= set(
        findings_told(table.people["Ben"])
    )


async def test_move_for_another(table: Evening) -> None:
    await table.begin()
    await table.play(1)
    game = table.table.state.game
    assert game is not None
    assert game.to_act is not None
    other = next(name for name in ALL if table.lobby.seat_of(table.member(name)) != game.to_act)
    session, number = table.people[other].session, table.table.state.number
    move = game.legal_moves()[0]
    session.request(session.status.move_request(move))
    await until(lambda: not session.status.unanswered)
    refused = [one.received.refused for one in table.people[other].updates if one.received]
    assert [one.reason for one in refused if one] == [Refusal.NOT_YOUR_TURN]
    assert table.table.state.number == number


async def test_seat_of_another(table: Evening) -> None:
    """A stranger comes by the address of the table, without the key of Ben's seat."""
    await table.begin()
    stranger = Guest("Ben", table.hosted.port, SeatKey.new())
    stranger.pin = table.hosted.table.certificate.fingerprint
    with pytest.raises(AuthenticationFailed) as refused:
        await stranger.come_back()
    assert refused.value.rejected.why is Rejection.NOT_SEATED
    await table.play_out()
    each(table, "audit: checked")


async def test_coming_and_going(table: Evening) -> None:
    refused: list[Refusal] = []
    for number in range(40):
        guest = table.hosted.guest(f"Zoe{number}")
        coming = asyncio.create_task(guest.join())
        await until(lambda: any(isinstance(one, Welcome | CommandRefused) for one in guest.got))  # noqa: B023 - called here
        coming.cancel()
        refused += [one.reason for one in guest.got if isinstance(one, CommandRefused)]
        guest.say(*guest.state.request(Leave()))
        if not refused:
            await until(lambda: guest.connection is None)  # noqa: B023 - as above
        await guest.leave()
        if refused:
            break
    assert refused == [Refusal.BUSY]
