"""Guests whose programs cheat: in a draw, at a comparison, by their seats, or by coming and going."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest
from msgspec import structs

from net.client.draws import OwnShare
from net.client.election_acts import Say
from net.lobby.model import THE_HOSTS_COMPUTER, Lobby, SeedDraw
from net.protocol.election import Compare
from net.protocol.messages import (
    ClientCommand,
    ClientMessage,
    CommandRefused,
    CommitShare,
    Refusal,
    ShowShare,
)
from net.protocol.requests import MakeMove, Start
from net.room.computers import Origin
from net.room.sealing import share_holders
from net.security.client import Rejection
from net.security.code import RoomCode
from net.security.keys import SeatKey
from net.transport.connection import ConnectionFailed
from tests.net.server.served_table import Guest
from tests.workshop.rigged import ALL, Evening, comparisons, held, told, until
from tests.workshop.test_dealing import each

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
    table.people["Cleo"].session._publisher.state.share = rigged
    await begin_without(table, "Cleo")
    await table.play_out()
    ben = told(table.people["Ben"])
    assert "audit: round 1 without Cleo" in ben
    assert ("audit: void, no answer: Cleo" in ben) and "audit: checked" in ben


async def begin_without(table: Evening, name: str) -> None:
    """Begin the game; the time is up as soon as only this one has not answered."""
    table.people["Ann"].session.request(Start())
    while table.table.state.game is None:
        await until(
            lambda: (
                table.table.state.game is not None
                or {table.lobby.name_at(table.lobby.seat_of(one) or 0) for one in awaited(table)}
                == {name}
            )
        )
        table.time_is_up()
        await until(lambda: table.table.state.game is not None or awaited(table) != [])


def awaited(table: Evening) -> list[int]:
    """The members whose answer a draw waits for."""
    draw = table.lobby.draw
    if draw is None or draw.done:
        return []
    return [one.member for one in draw.people if one.member not in table.table.answers.given]


async def test_copied_commitment(table: Evening) -> None:
    """Cleo's program, in league with the host, commits to what Ben has committed to."""
    copied: list[bytes] = []

    def hear(name: str, message: ClientMessage) -> bool:
        if isinstance(message, CommitShare) and name == "Ben":
            copied.append(message.commitment)
        return True

    def copy(_draw: SeedDraw, honest: Answer) -> Answer:
        return tuple(
            CommitShare(one.draw, copied[-1]) if isinstance(one, CommitShare) and copied else one
            for one in honest
        )

    table.hears = hear
    rigged = RiggedShare()
    rigged.lie = copy
    table.people["Cleo"].session._publisher.state.share = rigged
    # Ben answers first, as far as Cleo's program knows.
    assert list(table.people) == list(ALL)
    await begin_without(table, "Cleo")
    await table.play_out()
    assert copied
    assert "audit: checked" in told(table.people["Ben"])


async def test_lies_at_comparing(table: Evening) -> None:
    await table.begin()
    comparing = table.people["Cleo"].session._watch._links.comparing
    honest = comparing._answer

    def lie(member: int) -> list[Say]:
        return [
            Say(one.member, structs.replace(one.message, running=b"x" * 16))
            if isinstance(one.message, Compare)
            else one
            for one in honest(member)
        ]

    comparing._answer = lie  # type: ignore[method-assign] - another hash
    await table.play()
    await until(lambda: bool(comparisons(table.people["Ben"])))
    assert "another game: Cleo" in told(table.people["Ben"])
    assert "another game: Ben" not in told(table.people["Ann"])
    assert "another game: Cleo" in told(table.people["Ann"])


async def test_move_for_another(table: Evening) -> None:
    await table.begin()
    await table.play(1)
    game = table.table.state.game
    assert game is not None
    assert game.to_act is not None
    other = next(name for name in ALL if table.lobby.seat_of(table.member(name)) != game.to_act)
    session, number = table.people[other].session, table.table.state.number
    turn = table.people[table.lobby.name_at(game.to_act)].session.status
    assert turn.view is not None
    session.request(turn.move_request(turn.view.legal_moves()[0]))
    await until(lambda: not session.status.unanswered)
    refused = [one.received.refused for one in table.people[other].updates if one.received]
    assert [one.reason for one in refused if one] == [Refusal.NOT_YOUR_TURN]
    assert table.table.state.number == number


async def test_seat_of_another(table: Evening) -> None:
    """A stranger comes by the address of the table, without the key of Ben's seat."""
    await table.begin()
    stranger = Guest("Ben", table.hosted.port, SeatKey.new())
    stranger.pin = table.hosted.table.certificate.fingerprint
    with pytest.raises(Exception) as refused:  # noqa: PT011 - whichever way it is refused
        await stranger.come_back()
    assert getattr(refused.value, "reason", None) is Rejection.NOT_SEATED or refused.value
    await table.play_out()
    each(table, "audit: checked")


async def test_coming_and_going(table: Evening) -> None:
    refused: list[Refusal] = []
    for number in range(40):
        guest = table.hosted.guest(f"Zoe{number}")
        try:
            await guest.join()
        except (ConnectionFailed, TimeoutError):
            pass
        refused += [one.reason for one in guest.got if isinstance(one, CommandRefused)]
        await guest.leave()
        if refused:
            break
    assert refused == [Refusal.BUSY]


__all__ = [
    "ClientCommand",
    "MakeMove",
    "Origin",
    "RoomCode",
    "THE_HOSTS_COMPUTER",
    "count",
    "held",
    "share_holders",
]
