"""Guests whose programs cheat in a draw, by their seats, or come without end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.view import View
from net.client.draws import OwnShare
from net.protocol.lobby import Lobby, SeedDraw
from net.protocol.messages import (
    ClientMessage,
    CommitShare,
    ShowShare,
)
from net.protocol.requests import Start
from net.secure.handshake import AuthenticationFailed, Rejection
from net.secure.keys import SeatKey
from tests.net.server.served_table import Guest
from tests.workshop.rigged import Evening, findings_told, until
from tests.workshop.test_dealing import each

pytestmark = pytest.mark.level("thorough")

Answer = tuple[CommitShare | ShowShare, ...]


class RiggedShare(OwnShare):
    """A guest's part in a draw, as `lie` has it."""

    lie: Callable[[SeedDraw, Answer], Answer]

    def answer(self, lobby: Lobby, view: View | None, member: int) -> Answer:
        """Return what the lie makes of the honest answer."""
        honest = OwnShare.answer(self, lobby, view, member)
        assert lobby.draw is not None or not honest
        return self.lie(lobby.draw, honest) if lobby.draw is not None else honest


def silent(_draw: SeedDraw, _honest: Answer) -> Answer:
    """Say nothing."""
    return ()


def withheld(_draw: SeedDraw, honest: Answer) -> Answer:
    """Commit, and show nothing."""
    return tuple(one for one in honest if isinstance(one, CommitShare))


@pytest.mark.parametrize("lie", [silent, withheld])
async def test_bad_answer(table: Evening, lie: Callable[[SeedDraw, Answer], Answer]) -> None:
    rigged = RiggedShare()
    rigged.lie = lie
    table.people["Cleo"].session.publisher.state.share = rigged
    await begin_without(table, "Cleo")
    await table.play_out()
    ben = findings_told(table.people["Ben"])
    assert "audit: round 1 without Cleo" in ben
    assert "audit: void: Cleo" in ben
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


async def test_seat_of_another(table: Evening) -> None:
    """A stranger comes by the address of the table, without the key of Ben's seat."""
    await table.begin()
    stranger = Guest("Ben", table.hosted.port, SeatKey.new())
    stranger.pin = table.hosted.table.certificate.fingerprint
    with pytest.raises(AuthenticationFailed) as refused:
        await stranger.come_back()
    assert refused.value.why is Rejection.NOT_SEATED
    await table.play_out()
    each(table, "audit: checked")
