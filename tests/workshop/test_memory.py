"""Hosts that would make programs forget a draw or an accusation by a snapshot, and honest ones."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from itertools import repeat
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from engine import Phase
from net.client.draws import NoteKind
from net.protocol.lobby import SeedDraw
from net.protocol.lobby_events import Rematch, apply_all
from net.protocol.messages import ClientMessage, HostMessage, ShowShare, Snapshot
from net.protocol.requests import Kick, NextRound, Request, Start
from net.room import draws
from net.room.steps import RoomState, Step
from tests.net.client.unfair_table import exchange_card
from tests.net.server.served_table import until
from tests.samples import each_in_turn, first
from tests.workshop.rigged import (
    GUESTS,
    LOST,
    Evening,
    Seat,
    evening,
    findings_told,
    state_held,
)

pytestmark = pytest.mark.level("broad")

SHARES = map(Random(7).randbytes, repeat(32))

AGAIN = 3
"""How often a host tries the same."""


@pytest.fixture
async def long_table(where: Path, tmp_path: Path) -> AsyncIterator[Evening]:
    """Three people who are ready for a game of three rounds."""
    async with evening(where, tmp_path, rounds=3) as made:
        yield made


async def ask_for_round(table: Evening, number: int) -> Request:
    """Play up to a round, and return what begins it."""
    while number > 1:
        game = table.table.state.game
        if game is not None and (game.phase, game.score.number) == (Phase.DEAL, number - 1):
            return NextRound()
        await (table.begin() if game is None else table.play(1))
    return Start()


async def hold_last_share_back(table: Evening, wanted: Request) -> SeedDraw:
    """Begin a draw, and keep its last share back: the host knows the deal, and nobody else."""
    heard: set[str] = set()

    def hold_back(name: str, message: ClientMessage) -> bool:
        heard.update([name] if isinstance(message, ShowShare) else [])
        return not isinstance(message, ShowShare)

    table.accepts = hold_back
    table.people["Ann"].session.request(wanted)
    await until(lambda: heard == set(GUESTS))
    draw = table.lobby.draw
    assert draw is not None
    return draw


async def change_and_send(table: Evening, change: Callable[[RoomState], RoomState]) -> None:
    """Change the table in secret, and let each guest ask for a snapshot of that."""
    table.in_secret(change)
    for guest in table.honest:
        async with new_snapshot(guest):
            table.says(guest.name, LOST)


@asynccontextmanager
async def new_snapshot(guest: Seat) -> AsyncIterator[None]:
    """Wait at the end until a guest has one more snapshot."""
    had = findings_told(guest).count("let in")
    yield
    await until(lambda: findings_told(guest).count("let in") > had)


def without_draw(state: RoomState) -> RoomState:
    """The table as before the draw."""
    return replace(state, lobby=replace(state.lobby, draw=None))


def many_steps_later(state: RoomState) -> RoomState:
    """The same, as if more steps had been made than a game has."""
    return replace(without_draw(state), number=state.number + 25)


def in_another_game(state: RoomState) -> RoomState:
    """The same, as if it were another game; before a game there is none."""
    other = bytes(16) if state.game is not None else b""
    return replace(without_draw(state), game_id=other)


def with_another_draw(state: RoomState) -> RoomState:
    """The table with another draw of the round, which asks the same people."""
    draw = state.lobby.draw
    assert draw is not None
    asked = [person.member for person in draw.people]
    step = draws._add_draw(asked, without_draw(state), Step(), next(SHARES))
    return replace(state, lobby=apply_all(without_draw(state).lobby, step.news), share=step.share)


async def check_told(table: Evening, number: int, times: int = AGAIN) -> None:
    """Check that each guest was told at once, each time, and at the end, and read no *Checked*."""
    for guest in table.honest:
        await until(lambda: guest.session.status.audit is not None)  # noqa: B023 - called here
        told = findings_told(guest)
        assert told.count("the host's state is another") >= times, told
        assert "audit: rewritten" in told
        assert not [line for line in told if line.startswith("audit: checked")]
        notes = state_held(guest).deals.notes
        assert len(notes) <= 6, "one of each kind and round"
        again = [note.count for note in notes if note.kind is NoteKind.REWRITTEN]
        assert sum(again) >= times
        assert number in [note.number for note in notes]


@pytest.mark.parametrize(
    ("change", "number"),
    each_in_turn([without_draw, many_steps_later, in_another_game], [1, 2, 3]),
)
async def test_draw_dropped(
    long_table: Evening, change: Callable[[RoomState], RoomState], number: int
) -> None:
    """A host knows the deal, dislikes it, and sends the table without the draw, again and again."""
    wanted = await ask_for_round(long_table, number)
    for _ in range(AGAIN):
        await hold_last_share_back(long_table, wanted)
        await change_and_send(long_table, change)
    long_table.accepts = lambda _name, _message: True
    await long_table.wants("Ann", wanted)
    await until(lambda: long_table.table.state.phase is Phase.PLAY)
    await long_table.play_out()
    await check_told(long_table, number)


@pytest.mark.parametrize("number", first(2, [1, 2, 3], thorough=3))
async def test_draw_exchanged(long_table: Evening, number: int) -> None:
    """The table that it sends has another draw of the same round, with the same people."""
    wanted = await ask_for_round(long_table, number)
    await hold_last_share_back(long_table, wanted)
    for _ in range(AGAIN):
        await change_and_send(long_table, with_another_draw)
    # A guest may have asked for a snapshot by itself, and `change_and_send` have waited for that.
    await until(
        lambda: all(
            findings_told(guest).count("the host's state is another") >= AGAIN
            for guest in long_table.honest
        )
    )
    long_table.time_is_up()
    long_table.accepts = lambda _name, _message: True
    await until(lambda: long_table.table.state.phase is Phase.PLAY)
    await long_table.play_out()
    await check_told(long_table, number)


async def test_game_dropped(table: Evening) -> None:
    """The round is dealt, the host dislikes its hand, and says that there was never a game."""

    def before_the_game(state: RoomState) -> RoomState:
        lobby = apply_all(state.lobby, [Rematch()])
        return replace(state, lobby=lobby, game=None, game_id=b"", record=None)

    for _ in range(AGAIN):
        await table.begin()
        await change_and_send(table, before_the_game)
    await table.begin()
    await table.play_out()
    await check_told(table, 1)


@pytest.mark.parametrize("number", first(2, [1, 2, 3], thorough=3))
async def test_accusation_wiped(long_table: Evening, number: int) -> None:
    """The host swaps a card of a hand, is found out, and says that it is another game now."""
    wanted = await ask_for_round(long_table, number)
    await long_table.wants("Ann", wanted)
    await until(lambda: long_table.table.state.phase is Phase.PLAY)
    await long_table.all_know()

    def swap(_name: str, message: HostMessage) -> Iterable[HostMessage]:
        return [exchange_card(message)] if isinstance(message, Snapshot) else [message]

    long_table.messages_for = swap
    await change_and_send(long_table, lambda state: state)
    long_table.messages_for = lambda _name, message: (message,)
    for time in range(AGAIN):
        other = bytes([time + 1]) * 16
        await change_and_send(long_table, lambda state: replace(state, game_id=other))  # noqa: B023 - called here
    await long_table.play_out()
    await check_told(long_table, number)


async def test_game_replaced_while_cut_off(table: Evening) -> None:
    """The host cuts everybody off, and says that a game was played to its end meanwhile."""
    await table.begin()

    def another_evening(state: RoomState) -> RoomState:
        games = state.lobby.evening.games + 1
        lobby = apply_all(state.lobby, [Rematch()])
        lobby = replace(lobby, evening=replace(lobby.evening, games=games))
        return replace(state, lobby=lobby, game=None, game_id=b"", record=None)

    table.in_secret(lambda state: another_evening(replace(state, number=state.number + 1)))
    table.table.hashes.append(table.table.state.running)
    for guest in table.honest:
        connection = guest.session._connection
        assert connection is not None
        async with new_snapshot(guest):
            connection.close()
    await table.begin()
    await table.play_out()
    for guest in table.honest:
        told = findings_told(guest)
        assert "audit: not the first game" in told
        assert not [line for line in told if line.startswith("audit: checked")]


async def test_ten_thousand_deals(table: Evening) -> None:
    """A program keeps no more of 10,000 deals that were thrown away than of three."""
    await table.begin()
    deals = state_held(table.honest[0]).deals
    for number in range(10_000):
        deals = deals.add_note(NoteKind.VOID, 1, [f"Guest {number}"])
        deals = deals.add_note(NoteKind.VOID, 1 + number % 3)
    await table.play_out()
    assert len(deals.notes) == 4
    assert max(len(note.names) for note in deals.notes) == 10
    assert sum(note.count for note in deals.notes) == 20_000


# Honest hosts.


async def test_honest_leaving_in_a_draw(table: Evening) -> None:
    """Somebody is removed in a draw while another program is cut off: both have honest reasons."""
    await hold_last_share_back(table, Start())
    ben = table.people["Ben"]
    async with new_snapshot(ben):
        table.says("Ben", LOST)
        await table.wants("Ann", Kick(table.member("Cleo")))
    notes = state_held(ben).deals.notes
    assert [(note.kind, note.names) for note in notes] == [(NoteKind.VOID, ("Cleo",))]
    assert "the host's state is another" not in findings_told(ben)


@pytest.mark.parametrize("number", [1, 2])
async def test_honest_restart_in_a_draw(long_table: Evening, number: int) -> None:
    """The host's program ends in a draw and is started again: the same draw goes on."""
    wanted = await ask_for_round(long_table, number)
    await hold_last_share_back(long_table, wanted)
    long_table.accepts = lambda _name, _message: True
    async with long_table.stop_and_resume():
        pass
    await until(lambda: long_table.table.state.phase is Phase.PLAY)
    await long_table.play_out()
    for guest in long_table.honest:
        await until(lambda: guest.session.status.audit is not None)  # noqa: B023 - called here
        assert "audit: checked" in findings_told(guest)
        assert not state_held(guest).deals.notes


async def test_honest_lost_steps(table: Evening) -> None:
    """The host's disk has lost the draw: each program says so, and accuses nobody."""
    async with table.stop_and_resume() as path:
        shutil.copy(path, path.with_suffix(".old"))
    await hold_last_share_back(table, Start())
    table.accepts = lambda _name, _message: True
    async with table.stop_and_resume() as path:
        shutil.copy(path.with_suffix(".old"), path)
    await until(lambda: all("the table went back" in findings_told(at) for at in table.honest))
    await table.begin()
    await table.play_out()
    for guest in table.honest:
        await until(lambda: guest.session.status.audit is not None)  # noqa: B023 - called here
        assert "audit: rewritten" not in findings_told(guest)
        assert "audit: void: nobody" in findings_told(guest)
        assert state_held(guest).deals.lost_steps
