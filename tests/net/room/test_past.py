"""The public past that a host keeps: what it knows of it, and how much."""

from __future__ import annotations

import pytest

from net.protocol.lobby import Settings
from net.protocol.messages import NOTHING_SEEN, Mark
from net.protocol.requests import Chat, PlayAgain, Start
from tests.net.room.room_fixture import play_on, playing


def test_it_knows_its_own_marks_and_no_others() -> None:
    table = playing()
    past, number = table.room.past, table.room.state.number
    assert past.hash_at(0) == NOTHING_SEEN.hash
    assert past.has(Mark(number, table.room.state.running))
    assert not past.has(Mark(number, bytes(16)))
    assert past.hash_at(number + 1) == b""
    assert past.part(Mark(5, bytes(16))).base == NOTHING_SEEN
    own = Mark(5, past.hash_at(5))
    assert past.part(own).base == own
    assert len(past.part(own).steps) == number - 5


def test_it_does_not_grow_over_an_evening(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("net.room.past.MAX_KEPT_STEPS", 50)
    table = playing(Settings(seats=3, rounds=1))
    past = table.room.past
    for number in range(2):
        play_on(table, level="random")
        assert table.wants("Ann", Chat(f"game {number}")) is None
        assert table.wants("Ann", PlayAgain()) is None
        assert table.wants("Ann", Start()) is None
        assert len(past._steps) == 50
        assert past._size == sum(len(public) for public, _ in past._steps)
    assert past.hash_at(3) == b""
    oldest = table.room.state.number - 50
    assert past.part(NOTHING_SEEN).base == Mark(oldest, past.hash_at(oldest))


def test_what_a_program_remembers_does_not_grow_over_an_evening() -> None:
    table = playing(Settings(seats=3, rounds=1))
    sizes = list[tuple[int, int, int]]()
    for _ in range(2):
        play_on(table, level="random")
        ben = table.people["Ben"].client
        held = ben.status.game_state
        assert held is not None
        sizes.append((len(ben.trail.states), len(held.deals.draws), len(held.deals.rounds)))
        assert table.wants("Ann", PlayAgain()) is None
        assert table.wants("Ann", Start()) is None
    assert sizes == [(32, 1, 0)] * 2
