"""Limits on what is sent, on connections and on guesses; a clock may do what it likes."""

from heapq import heappop, heappush

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.secure import limits
from net.secure.code import words
from net.secure.limits import (
    ADDRESS_LATER_TRIES,
    ADDRESS_TRIES,
    LATER_TRIES,
    NETWORK_TRIES,
    TABLE_TRIES,
    AdmissionControl,
    GuessLimiter,
    Limit,
    Limiter,
    Quota,
    home_of,
    network_of,
)
from tests.samples import first

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
    limiter.refund(TWO_A_SECOND, 7.1 + wait)
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


# Admission: places in all and for one, who goes when they are taken, and whose turn it is.


def test_where_one_address_has_all_its_places_its_own_oldest_goes() -> None:
    admission = AdmissionControl(places=8, places_of_one=2)
    admission.enter("b")
    assert [admission.enter("a")[1] for _ in range(4)] == [None, None, 2, 3]
    assert admission.enter("b") == (6, None)


def test_when_all_is_taken_the_oldest_of_the_greediest_address_goes() -> None:
    admission = AdmissionControl(places=4, places_of_one=3)
    for address in ("b", "a", "a", "a"):
        admission.enter(address)
    assert admission.enter("c") == (5, 2)
    assert admission.enter("d") == (6, 3)
    assert admission.enter("e") == (7, 1)


def test_a_known_party_behind_one_address_holds_its_places_against_strangers_of_many() -> None:
    admission = AdmissionControl(places=12, places_of_one=11)
    admission.trust(admission.enter("party")[0])
    admission.trust(1)
    assert len(admission) == 0
    for _ in range(10):
        admission.enter("party")
    evicted = [admission.enter(f"stranger {number}")[1] for number in range(5)]
    assert evicted == [None, None, 12, 13, 14]
    evicted = [admission.enter("greedy")[1] for _ in range(4)]
    assert evicted == [15, 16, 17, 18]


def turns(admission: AdmissionControl, now: float) -> list[int]:
    return list(iter(lambda: admission.turn(now), None))


def test_a_burst_begins_at_once_and_then_a_few_a_second() -> None:
    admission = AdmissionControl(starts=Limit(10, 3))
    assert turns(admission, 0) == []
    for _ in range(6):
        admission.enter("a")
    assert admission.crowded
    begun = [turns(admission, now) for now in (0, 0.05, 0.1, 0.15, 0.2)]
    assert begun == [[1, 2, 3], [], [4], [], [5]]
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
    admission.trust(admission.enter("friend")[0])
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
            entry, evicted = admission.enter(event)
            inside[entry] = event
            if evicted is not None:
                del inside[evicted]
        assert len(admission) == len(inside) <= 4
        assert all(list(inside.values()).count(address) <= 2 for address in "abcdefgh")


# The account of guesses: first tries at once, and few later ones, for one address and for all.


def test_one_stranger_leaves_the_others_half_of_the_later_tries() -> None:
    guesses = GuessLimiter()
    for _ in range(2):
        guesses.admit("friend", 0)
    for tenth in range(6000):
        guesses.admit("stranger", tenth / 10)
    assert guesses.admit("friend", 600) == 0


def test_friends_who_know_the_code_do_not_slow_each_other_down() -> None:
    guesses = GuessLimiter()
    for _ in range(5):
        guesses.admit("a", 0)
        guesses.note_wrong()
    for _ in range(20):
        assert guesses.admit("a", 10) == 0
        guesses.note_right("a", 10)


def test_the_host_is_told_of_the_5th_10th_20th_and_40th_wrong_code() -> None:
    guesses = GuessLimiter()
    told = [alarm for _ in range(79) if (alarm := guesses.note_wrong())]
    assert told == [5, 10, 20, 40]


class Siege:
    """Addresses that guess as fast as they may, each as soon as it is told that it may again."""

    def __init__(self, strangers: int) -> None:
        self.guesses = GuessLimiter()
        self.now = 0.0
        self.due = [(0.0, f"10.0.{number % 8}.{number // 8 % 250}") for number in range(strangers)]

    def go_on(self, until: float) -> None:
        while self.due and self.due[0][0] <= until:
            at, address = heappop(self.due)
            self.now = at
            wait = self.guesses.admit(address, at)
            if not wait:
                self.guesses.note_wrong()
            heappush(self.due, (at + (wait or 0.1), address))
        self.now = until

    def friend_gets_in(self, address: str, typos: int = 0) -> float:
        began = self.now
        while self.now < began + 600:
            wait = self.guesses.admit(address, self.now)
            if not wait and not typos:
                self.guesses.note_right(address, self.now)
                return self.now - began
            typos -= not wait
            self.go_on(self.now + wait + 0.7)
        raise AssertionError("they never get in")


@pytest.mark.level("broad")
@pytest.mark.parametrize("strangers", first(3, [1, 20, 150, 1000]))
def test_a_friend_is_in_within_seconds_however_many_addresses_guess(strangers: int) -> None:
    siege = Siege(strangers)
    waits: list[float] = []
    for number in range(100):
        siege.go_on(siege.now + 7)
        waits.append(siege.friend_gets_in(f"10.0.{number % 8}.254", typos=number % 2))
    assert sorted(waits)[98] <= 5.0


def test_an_evening_of_guesses_hits_the_code_as_seldom_as_is_written() -> None:
    codes = len(words()) * (len(words()) - 1)
    assert codes == 1_051_650
    at_once = TABLE_TRIES.burst + LATER_TRIES.burst
    assert at_once == 2051
    hourly = 3600 * (TABLE_TRIES.rate + LATER_TRIES.rate)
    assert hourly == 1020
    assert (at_once + 5 * hourly) / codes < 0.0068
    alone = ADDRESS_TRIES.burst + ADDRESS_LATER_TRIES.burst
    assert (alone + 5 * 3600 * ADDRESS_LATER_TRIES.rate) / codes < 0.0018


@pytest.mark.level("broad")
def test_one_network_does_not_use_up_the_first_goes_of_all() -> None:
    guesses = GuessLimiter()
    for number in range(1536):
        guesses.admit(f"2001:db8:1:2::{number:x}", 0)
    assert guesses.admit("2001:db8:1:2:ffff::1", 0) > 0
    assert guesses.admit("2001:db8:1:3::1", 0) == 0
    assert guesses.admit("192.168.1.7", 0) == 0
    later = 4 / NETWORK_TRIES.rate
    assert guesses.admit("2001:db8:1:2:ffff::2", later) == 0


def test_a_network_is_a_24_or_a_64_and_what_is_no_address_is_its_own() -> None:
    assert network_of("192.168.1.7") == network_of("::ffff:192.168.1.9") == "192.168.1.0/24"
    assert network_of("fe80::1%eth0") == network_of("fe80::2%eth1") == "fe80::/64"
    assert network_of("2001:db8::1") != network_of("2001:db8:0:1::1")
    assert network_of("") == ""


def test_a_home_is_an_address_or_a_64() -> None:
    assert home_of("192.168.1.7") == "192.168.1.7"
    assert home_of("2001:db8::1") == home_of("2001:db8::2")


def test_the_first_goes_of_all_have_an_end_and_there_are_more_later() -> None:
    guesses, address = GuessLimiter(), 0
    for number in range(2051):
        address = number
        assert guesses.admit(f"10.{number >> 8}.{number & 255}.1", 0) == 0
    assert guesses.admit(f"11.{address >> 8}.{address & 255}.1", 0) > 0
    assert guesses.admit("12.0.0.1", 1 / TABLE_TRIES.rate) == 0


@given(st.lists(st.tuples(st.floats(-3, 9), st.sampled_from("abc"), st.booleans()), max_size=80))
def test_no_pace_of_trying_gives_a_stranger_more(tries: list[tuple[float, str, bool]]) -> None:
    guesses, now, forward, made = GuessLimiter(), 0.0, 0.0, 0
    for pause, address, finished in tries:
        now += pause
        forward += max(0.0, pause)
        if not guesses.admit(address, now):
            made += 1
            if finished:
                guesses.note_wrong()
    assert made <= 3 * ADDRESS_TRIES.burst + LATER_TRIES.burst + forward * LATER_TRIES.rate + 1e-3
