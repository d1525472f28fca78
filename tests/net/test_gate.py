"""The gate: places in all and for one, and who goes when they are taken."""

from hypothesis import given
from hypothesis import strategies as st

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
