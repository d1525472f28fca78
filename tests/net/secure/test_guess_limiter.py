"""The account of guesses: first tries at once, and few later ones, for one address and for all."""

from bisect import bisect_left
from heapq import heappop, heappush

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.secure.code import words
from net.secure.limits import (
    ADDRESS_LATER_TRIES,
    ADDRESS_TRIES,
    LATER_TRIES,
    MAX_GUESS_ADDRESSES,
    NETWORK_TRIES,
    TABLE_TRIES,
    GuessLimiter,
    home_of,
    network_of,
)
from tests.samples import first


def test_after_five_wrong_codes_of_one_address_there_is_one_guess_in_ten_seconds() -> None:
    guesses = GuessLimiter()
    for _ in range(5):
        assert guesses.admit("a", 100) == 0
        guesses.wrong()
    assert guesses.admit("a", 100) == pytest.approx(10)
    assert guesses.admit("a", 104) == pytest.approx(6)
    assert guesses.admit("a", 110) == 0
    assert guesses.admit("a", 110) == pytest.approx(10)


def test_one_stranger_leaves_the_others_half_of_the_later_tries() -> None:
    guesses = GuessLimiter()
    for _ in range(2):
        guesses.admit("friend", 0)
    for tenth in range(6000):
        guesses.admit("stranger", tenth / 10)
    assert guesses.admit("friend", 600) == 0


def test_guesses_side_by_side_count_before_they_are_wrong() -> None:
    guesses = GuessLimiter()
    assert [guesses.admit("a", 0) > 0 for _ in range(8)] == [False] * 5 + [True] * 3


def test_the_wait_that_is_told_is_enough() -> None:
    guesses = GuessLimiter()
    while not (wait := guesses.admit("a", 7.1)):
        pass
    assert guesses.admit("a", 7.1 + wait) == 0


def test_friends_who_know_the_code_do_not_slow_each_other_down() -> None:
    guesses = GuessLimiter()
    for _ in range(5):
        guesses.admit("a", 0)
        guesses.wrong()
    for _ in range(20):
        assert guesses.admit("a", 10) == 0
        guesses.right("a", 10)


def test_the_host_is_told_of_the_5th_10th_20th_and_40th_wrong_code() -> None:
    guesses = GuessLimiter()
    told = [alarm for _ in range(79) if (alarm := guesses.wrong())]
    assert told == [5, 10, 20, 40]


class Siege:
    """Addresses that guess as fast as they may, each as soon as it is told that it may again."""

    def __init__(self, strangers: int, networks: int = 8) -> None:
        self.guesses = GuessLimiter()
        self.now = 0.0
        self.wrong: list[float] = []
        self.due = [
            (0.0, f"10.0.{number % networks}.{number // networks % 250}")
            for number in range(strangers)
        ]

    def go_on(self, until: float) -> None:
        """Let them guess until then."""
        while self.due and self.due[0][0] <= until:
            at, address = heappop(self.due)
            self.now = at
            wait = self.guesses.admit(address, at)
            if not wait:
                self.guesses.wrong()
                self.wrong.append(at)
            heappush(self.due, (at + (wait or 0.1), address))
        self.now = until

    def friend_gets_in(self, address: str, typos: int = 0) -> float:
        """After how many seconds a friend is in, who comes now, and again when told, a bit late."""
        began = self.now
        while self.now < began + 600:
            wait = self.guesses.admit(address, self.now)
            if not wait and not typos:
                self.guesses.right(address, self.now)
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


@pytest.mark.level("broad")
@pytest.mark.parametrize(
    ("strangers", "minutes"), first(3, [(1, 300), (20, 300), (150, 60), (1000, 12)])
)
def test_however_many_addresses_guess_all_of_them_make_so_many_guesses_an_hour(
    strangers: int, minutes: int
) -> None:
    siege = Siege(strangers)
    siege.go_on(minutes * 60.0)
    at_once = min(ADDRESS_TRIES.burst * strangers, TABLE_TRIES.burst) + LATER_TRIES.burst
    for minute in range(1, minutes + 1):
        made = bisect_left(siege.wrong, 60 * minute)
        assert made <= at_once + 60 * minute * (LATER_TRIES.rate + TABLE_TRIES.rate) + 1


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


@pytest.mark.level("broad")
def test_friends_who_know_the_code_get_their_first_goes_back() -> None:
    guesses = GuessLimiter()
    for number in range(6000):
        assert guesses.admit("192.168.1.7", number) == 0
        guesses.right("192.168.1.7", number)


def test_a_clock_that_jumps_back_keeps_nobody_out_for_ever() -> None:
    guesses = GuessLimiter()
    for _ in range(5):
        assert guesses.admit("a", 10_000) == 0
    assert guesses.admit("a", 0) == pytest.approx(10)
    assert guesses.admit("a", 10) == 0


def test_a_crowd_of_addresses_is_not_kept_in_mind_for_ever() -> None:
    guesses = GuessLimiter()
    for number in range(2 * MAX_GUESS_ADDRESSES):
        guesses.admit(f"stranger {number}", number * 100.0)
    assert len(guesses._limiter._buckets) == MAX_GUESS_ADDRESSES


@given(st.lists(st.tuples(st.floats(-3, 9), st.sampled_from("abc"), st.booleans()), max_size=80))
def test_no_pace_of_trying_gives_a_stranger_more(
    tries: list[tuple[float, str, bool]],
) -> None:
    guesses, now, forward, made = GuessLimiter(), 0.0, 0.0, 0
    for pause, address, finished in tries:
        now += pause
        forward += max(0.0, pause)
        if not guesses.admit(address, now):
            made += 1
            if finished:
                guesses.wrong()
    assert made <= 3 * ADDRESS_TRIES.burst + LATER_TRIES.burst + forward * LATER_TRIES.rate + 1e-3
