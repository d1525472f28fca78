"""What somebody learns who counts a connection's bytes: nothing that not all at the table know.

Two games that differ in cards, dwarves and goals that Ben must not know are played at real hosts,
with Ben behind a line on which the length of each TLS record is noted, both ways.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from net.protocol.events import write_move
from net.protocol.messages import HostMessage, Pong
from net.protocol.requests import Chat, MakeMove, SetReady, Start
from net.secure.connection import Connection
from tests.net.cable import cable
from tests.net.room.twin_tables import Script, games, plan, short_of_the_gold, with_other_dwarves
from tests.net.server.served_table import Guest, hosting, until
from tests.samples import first

pytestmark = pytest.mark.level("broad")

BEN = 1


class Quiet(Guest):
    """Somebody who says nothing by the clock."""

    async def _beat(self, connection: Connection) -> None:
        del connection


class RecordLengths:
    """Notes the length of each TLS record that passes."""

    def __init__(self) -> None:
        self.lengths: list[int] = []
        self._begun = bytearray()

    def __call__(self, data: bytes) -> bytes:
        self._begun += data
        while len(self._begun) >= 5:
            length = int.from_bytes(self._begun[3:5], "big")
            if len(self._begun) < 5 + length:
                break
            self.lengths.append(length)
            del self._begun[: 5 + length]
        return data


def has_pong(got: list[HostMessage]) -> bool:
    return any(isinstance(message, Pong) for message in got)


async def settle(guest: Guest) -> None:
    for _ in range(2):
        heard = len(guest.got)
        guest.say(guest.state.ping())
        await until(lambda heard=heard: has_pong(guest.got[heard:]))  # type: ignore[misc] # - mypy infers none


async def lengths_of(
    script: Script, where: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[int], list[int]]:
    dealt = lambda _seed, number, *_: script.deals[number - 1]  # noqa: E731 - it is patched in
    monkeypatch.setattr("engine.notation.record.deal", dealt)
    up, down = RecordLengths(), RecordLengths()
    async with hosting(where) as hosted, cable(hosted.port, up, down) as line:
        for name, port in (("Ann", hosted.port), ("Ben", line.port), ("Cleo", hosted.port)):
            guest = Quiet(name, port, hosted.host_key if name == "Ann" else None)
            hosted.guests.append(await guest.join())
            assert await guest.wants(SetReady(ready=True)) is None
        ann, ben, _ = hosted.guests
        await hosted.all_know()
        await settle(ben)
        before = len(up.lengths), len(down.lengths)
        assert await ann.wants(Start()) is None
        await until(lambda: hosted.state.game is not None)
        for number, move in enumerate(script.moves[0]):
            await hosted.all_know()
            game = hosted.state.game
            assert game is not None
            assert game.to_act is not None
            mover = hosted.guests[game.to_act]
            mover.say(*mover.state.request(mover.state.status.move_request(move)))
            await until(lambda mover=mover: not mover.state.commands)  # type: ignore[misc] # - mypy infers none
            if number in {1, 11, 21}:
                heard = len(ben.got)
                ben.say(*ben.state._resync().send)
                await until(lambda heard=heard: has_pong(ben.got[heard:]))  # type: ignore[misc] # - mypy infers none
            if number % 5 == 2:
                assert await ben.wants(MakeMove(0, write_move(move))) is not None
            if number % 5 == 3:
                assert await ann.wants(Chat("all that is said here")) is None
        await hosted.all_know()
        await settle(ben)
        # In no order: what Ben says may cross what the host says, once so and once not.
        return sorted(up.lengths[before[0] :]), sorted(down.lengths[before[1] :])


@pytest.mark.level("thorough")  # `protocol/test_framing` has lengths, `room/test_no_leak` words
@pytest.mark.rule("K")
@pytest.mark.parametrize("seed", first(1, [4, 6]))
async def test_the_lengths_on_a_link_tell_nothing_that_is_secret(
    where: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = plan(seed, "greedy", players=3, rounds=1)
    _, end = next(games(script))
    script = short_of_the_gold(script)
    other = with_other_dwarves(script, BEN, end, seed)
    assert other.deals[0].hands[0] != script.deals[0].hands[0]
    up, down = await lengths_of(script, where, monkeypatch)
    assert (up, down) == await lengths_of(other, where, monkeypatch)
    assert len(set(up)) == 1, "all that a client says has one length"
    assert len(down) > len(script.moves[0])
    assert len(set(down)) <= 5
