"""Budgets: what fits is booked, what does not is told, and a clock may do what it likes."""

from hypothesis import given
from hypothesis import strategies as st

from net.secure.limits import (
    ConnectionQuota,
    Quota,
    SourceLimits,
    TokenBucket,
)

ALLOWANCE = Quota(frames=1, frames_burst=2, bytes=100, bytes_burst=1000)


def test_a_bucket_gives_its_burst_at_once_and_then_its_rate() -> None:
    token_bucket = TokenBucket(rate=2, burst=3, now=100)
    assert [token_bucket.take(1, 100) for _ in range(4)] == [True, True, True, False]
    assert [token_bucket.take(1, 100.5) for _ in range(2)] == [True, False]
    assert [token_bucket.take(1, 1000) for _ in range(4)] == [True, True, True, False]


def test_a_clock_that_jumps_back_gives_nothing() -> None:
    token_bucket = TokenBucket(rate=1, burst=1, now=100)
    assert token_bucket.take(1, 100)
    assert not token_bucket.take(1, 50)
    assert token_bucket.take(1, 51)


@given(st.lists(st.tuples(st.floats(0, 5), st.floats(0, 4)), max_size=50))
def test_no_bucket_gives_more_than_burst_and_rate(takes: list[tuple[float, float]]) -> None:
    token_bucket, now, taken = TokenBucket(rate=2, burst=3, now=0), 0.0, 0.0
    for pause, amount in takes:
        now += pause
        taken += amount if token_bucket.take(amount, now) else 0
    assert taken <= 3 + 2 * now + 1e-6


def test_each_source_has_its_limit_and_all_together_have_theirs() -> None:
    limits = SourceLimits(rate=2, total=5, burst_s=1)
    assert [limits.take("ana", 100) for _ in range(3)] == [True, True, False]
    assert [limits.take("bruno", 100) for _ in range(3)] == [True, True, False]
    assert [limits.take("clara", 100) for _ in range(2)] == [True, False]
    assert [limits.take("ana", 101) for _ in range(3)] == [True, True, False]


def test_only_the_most_recent_sources_are_remembered() -> None:
    limits = SourceLimits(rate=1, total=100, burst_s=1, known=2)
    assert [limits.take(source, 100) for source in "abacab"] == [
        True,
        True,
        False,
        True,
        False,
        True,
    ]


def test_neither_too_many_bytes_nor_too_many_frames_may_be_sent() -> None:
    quota = ConnectionQuota(ALLOWANCE, 0)
    assert quota.spend(frames=1, size=500, now=0)
    assert not quota.spend(frames=0, size=501, now=0)
    assert quota.spend(frames=1, size=500, now=0)
    assert not quota.spend(frames=1, size=0, now=0)
    assert quota.spend(frames=1, size=100, now=1)


def test_a_link_has_so_many_seconds_to_be_trusted() -> None:
    quota = ConnectionQuota(ALLOWANCE, 100, join_seconds=10)
    assert quota.deadline == 110


def test_a_trusted_link_has_a_new_allowance_and_no_deadline() -> None:
    quota = ConnectionQuota(ALLOWANCE, 0)
    quota.spend(frames=2, size=1000, now=0)
    quota.trust(ALLOWANCE, 0)
    assert quota.spend(frames=2, size=1000, now=0)
    assert quota.deadline == float("inf")
