"""Admission: places in all and for one, who goes when they are taken, and whose turn it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.secure import limits
from net.secure.limits import AdmissionControl, Admitted, Limit


def test_links_enter_and_leave() -> None:
    admission = AdmissionControl(places=2, places_of_one=1)
    assert admission.enter("a") == Admitted(1)
    assert admission.enter("b") == Admitted(2)
    admission.leave(1)
    admission.leave(1)
    assert admission.enter("a") == Admitted(3)
    assert len(admission) == 2


def test_where_one_address_has_all_its_places_its_own_oldest_goes() -> None:
    admission = AdmissionControl(places=8, places_of_one=2)
    admission.enter("b")
    assert [admission.enter("a").evicted for _ in range(4)] == [None, None, 2, 3]
    assert admission.enter("b") == Admitted(6)


def test_when_all_is_taken_the_oldest_of_the_greediest_address_goes() -> None:
    admission = AdmissionControl(places=4, places_of_one=3)
    for address in ("b", "a", "a", "a"):
        admission.enter(address)
    assert admission.enter("c") == Admitted(5, evicted=2)
    assert admission.enter("d") == Admitted(6, evicted=3)
    assert admission.enter("e") == Admitted(7, evicted=1)


def test_a_known_party_behind_one_address_holds_its_places_against_strangers_of_many() -> None:
    admission = AdmissionControl(places=12, places_of_one=11)
    admission.trust(admission.enter("party").entry)
    admission.trust(1)
    assert len(admission) == 0
    for _ in range(10):
        admission.enter("party")
    evicted = [admission.enter(f"stranger {number}").evicted for number in range(5)]
    assert evicted == [None, None, 12, 13, 14]
    evicted = [admission.enter("greedy").evicted for _ in range(4)]
    assert evicted == [15, 16, 17, 18]


def turns(admission: AdmissionControl, now: float) -> list[int]:
    """All whose turn it is now."""
    return list(iter(lambda: admission.turn(now), None))


def test_so_many_begin_at_once_and_then_so_many_a_second() -> None:
    admission = AdmissionControl(starts=Limit(10, 3))
    assert turns(admission, 0) == []
    for _ in range(6):
        admission.enter("a")
    assert admission.crowded
    assert [turns(admission, now) for now in (0, 0.05, 0.1, 0.15, 0.2)] == [
        [1, 2, 3],
        [],
        [4],
        [],
        [5],
    ]
    assert turns(admission, 9) == [6]
    assert not admission.crowded


def test_turns_go_round_by_address_and_who_is_gone_has_none() -> None:
    admission = AdmissionControl(starts=Limit(1, 9))
    for address in "aaaabbc":
        admission.enter(address)
    admission.leave(2)
    assert turns(admission, 0) == [1, 5, 7, 3, 6, 4]


def test_the_known_and_all_others_take_turns() -> None:
    admission = AdmissionControl(starts=Limit(1, 9))
    admission.trust(admission.enter("friend").entry)
    for address in ("x", "y", "z", "friend", "friend", "friend"):
        admission.enter(address)
    assert turns(admission, 0) == [5, 2, 6, 3, 7, 4]


def test_an_address_that_connects_without_end_is_forgotten_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MAX_REMEMBERED", 2)
    admission = AdmissionControl(starts=Limit(1, 99))
    for address in ("a", "b", "c", "d"):
        admission.enter(address)
    assert turns(admission, 0) == [1, 2, 3, 4]
    for address in ("d", "c", "a"):
        admission.enter(address)
    assert turns(admission, 0) == [7, 6, 5]


@given(st.lists(st.sampled_from("abcdefgh") | st.integers(1, 40), max_size=80))
def test_no_more_links_than_places_are_ever_in(events: list[str | int]) -> None:
    admission = AdmissionControl(places=4, places_of_one=2)
    inside: dict[int, str] = {}
    for event in events:
        if isinstance(event, int):
            admission.leave(event)
            inside.pop(event, None)
        else:
            entered = admission.enter(event)
            inside[entered.entry] = event
            if entered.evicted is not None:
                del inside[entered.evicted]
        assert len(admission) == len(inside) <= 4
        assert all(list(inside.values()).count(address) <= 2 for address in "abcdefgh")
