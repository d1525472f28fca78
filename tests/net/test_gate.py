"""The gate: places in all and for one, who goes when they are taken, and whose turn it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net import gate as gate_module
from net.gate import Entered, Gate


def test_links_enter_and_leave() -> None:
    gate = Gate(places=2, places_of_one=1)
    assert gate.enter("a") == Entered(1)
    assert gate.enter("b") == Entered(2)
    gate.leave(1)
    gate.leave(1)
    assert gate.enter("a") == Entered(3)
    assert len(gate) == 2


def test_where_one_address_has_all_its_places_its_own_oldest_goes() -> None:
    gate = Gate(places=8, places_of_one=2)
    gate.enter("b")
    assert [gate.enter("a").evicted for _ in range(4)] == [None, None, 2, 3]
    assert gate.enter("b") == Entered(6)


def test_when_all_is_taken_the_oldest_of_the_greediest_address_goes() -> None:
    gate = Gate(places=4, places_of_one=3)
    for address in ("b", "a", "a", "a"):
        gate.enter(address)
    assert gate.enter("c") == Entered(5, evicted=2)
    assert gate.enter("d") == Entered(6, evicted=3)
    assert gate.enter("e") == Entered(7, evicted=1)


def test_a_known_party_behind_one_address_holds_its_places_against_strangers_of_many() -> None:
    gate = Gate(places=12, places_of_one=11)
    gate.trust(gate.enter("party").entry)
    gate.trust(1)
    assert len(gate) == 0
    for _ in range(10):
        gate.enter("party")
    evicted = [gate.enter(f"stranger {number}").evicted for number in range(5)]
    assert evicted == [None, None, 12, 13, 14]
    evicted = [gate.enter("greedy").evicted for _ in range(4)]
    assert evicted == [15, 16, 17, 18]


def turns(gate: Gate, now: float) -> list[int]:
    """All whose turn it is now."""
    return list(iter(lambda: gate.turn(now), None))


def test_so_many_begin_at_once_and_then_so_many_a_second() -> None:
    gate = Gate(rate=10, burst=3)
    assert turns(gate, 0) == []
    for _ in range(6):
        gate.enter("a")
    assert gate.crowded
    assert [turns(gate, now) for now in (0, 0.05, 0.1, 0.15, 0.2)] == [[1, 2, 3], [], [4], [], [5]]
    assert turns(gate, 9) == [6]
    assert not gate.crowded


def test_turns_go_round_by_address_and_who_is_gone_has_none() -> None:
    gate = Gate(rate=1, burst=9)
    for address in "aaaabbc":
        gate.enter(address)
    gate.leave(2)
    assert turns(gate, 0) == [1, 5, 7, 3, 6, 4]


def test_the_known_and_all_others_take_turns() -> None:
    gate = Gate(rate=1, burst=9)
    gate.trust(gate.enter("friend").entry)
    for address in ("x", "y", "z", "friend", "friend", "friend"):
        gate.enter(address)
    assert turns(gate, 0) == [5, 2, 6, 3, 7, 4]


def test_an_address_that_knocks_without_end_is_forgotten_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gate_module, "REMEMBERED", 2)
    gate = Gate(rate=1, burst=99)
    for address in ("a", "b", "c", "d"):
        gate.enter(address)
    assert turns(gate, 0) == [1, 2, 3, 4]
    for address in ("d", "c", "a"):
        gate.enter(address)
    assert turns(gate, 0) == [7, 6, 5]


@given(st.lists(st.sampled_from("abcdefgh") | st.integers(1, 40), max_size=80))
def test_no_more_links_than_places_are_ever_in(events: list[str | int]) -> None:
    gate = Gate(places=4, places_of_one=2)
    inside: dict[int, str] = {}
    for event in events:
        if isinstance(event, int):
            gate.leave(event)
            inside.pop(event, None)
        else:
            entered = gate.enter(event)
            inside[entered.entry] = event
            if entered.evicted is not None:
                del inside[entered.evicted]
        assert len(gate) == len(inside) <= 4
        assert all(list(inside.values()).count(address) <= 2 for address in "abcdefgh")
