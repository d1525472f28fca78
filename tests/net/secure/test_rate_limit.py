"""Limits: what fits is booked, what does not is told, and a clock may do what it likes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.secure.limits import Limit, Limiter, Quota

ALLOWANCE = Quota(frames=Limit(rate=1, burst=2), bytes=Limit(rate=100, burst=1000))
TWO_A_SECOND = Limit(rate=2, burst=3)


def test_a_limit_is_its_burst_at_once_and_then_its_rate() -> None:
    limiter = Limiter()
    assert [limiter.take(TWO_A_SECOND, 100) for _ in range(4)] == [True, True, True, False]
    assert [limiter.take(TWO_A_SECOND, 100.5) for _ in range(2)] == [True, False]
    assert [limiter.take(TWO_A_SECOND, 1000) for _ in range(4)] == [True, True, True, False]


def test_the_wait_that_is_told_is_enough_and_what_is_given_back_can_be_taken_again() -> None:
    limiter, never = Limiter(), Limit(rate=0, burst=1)
    for _ in range(3):
        assert limiter.wait(TWO_A_SECOND, 7.1) == 0
        assert limiter.take(TWO_A_SECOND, 7.1)
    wait = limiter.wait(TWO_A_SECOND, 7.1)
    assert wait == pytest.approx(0.5)
    assert limiter.take(TWO_A_SECOND, 7.1 + wait)
    limiter.give_back(TWO_A_SECOND, 7.1 + wait)
    assert limiter.take(TWO_A_SECOND, 7.1 + wait)
    assert limiter.take(never, 0)
    assert limiter.wait(never, 1e9) == float("inf")


def test_a_clock_that_jumps_back_gives_nothing() -> None:
    limiter, limit = Limiter(), Limit(rate=1, burst=1)
    assert limiter.take(limit, 100)
    assert not limiter.take(limit, 50)
    assert limiter.take(limit, 51)


@given(st.lists(st.tuples(st.floats(0, 5), st.floats(0, 4)), max_size=50))
def test_no_limit_gives_more_than_burst_and_rate(takes: list[tuple[float, float]]) -> None:
    limiter, now, taken = Limiter(), 0.0, 0.0
    for pause, amount in takes:
        now += pause
        taken += amount if limiter.take(TWO_A_SECOND, now, amount=amount) else 0
    assert taken <= 3 + 2 * now + 1e-6 * len(takes)


def test_each_key_and_each_limit_is_counted_by_itself() -> None:
    limiter, other = Limiter(), Limit(rate=2, burst=3)
    for key in ("ana", "bruno"):
        for limit in (TWO_A_SECOND, other):
            taken = [limiter.take(limit, 100, key) for _ in range(4)]
            assert taken == [True, True, True, False]


def test_only_the_keys_used_last_are_remembered() -> None:
    limiter, limit = Limiter(most=2), Limit(rate=1, burst=1)
    taken = [limiter.take(limit, 100, key) for key in "abacab"]
    assert taken == [True, True, False, True, False, True]
    assert limiter.wait(limit, 100, "z") == 0
    assert not limiter.take(limit, 100, "b"), "who takes nothing takes nobody's place"


def test_neither_too_many_bytes_nor_too_many_frames_may_be_sent() -> None:
    limiter = Limiter()
    assert ALLOWANCE.take(limiter, 500, 0)
    assert not ALLOWANCE.take(limiter, 501, 0)
    assert ALLOWANCE.take(limiter, 500, 0)
    assert not ALLOWANCE.take(limiter, 0, 0)
    assert ALLOWANCE.take(limiter, 100, 1)
