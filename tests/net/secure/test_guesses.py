"""The account of guesses: five at once, then one in three seconds, and who is next."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.secure.guesses import ADDRESSES, FREE, PACE, GuessLimiter, WrongCodes


def test_after_five_wrong_codes_there_is_one_guess_in_three_seconds() -> None:
    guesses = GuessLimiter()
    for _ in range(5):
        assert guesses.admit("a", 100) == 0
        guesses.wrong()
    assert guesses.admit("a", 100) == pytest.approx(3)
    assert guesses.admit("a", 101) == pytest.approx(2)
    assert guesses.admit("a", 103) == 0
    assert guesses.admit("a", 103) == pytest.approx(3)
    assert guesses.admit("a", 1000) == 0
    assert guesses.admit("a", 1000) == pytest.approx(3)


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
        assert guesses.admit("a", 3) == 0
        guesses.right("a", 3)


def test_the_host_is_told_of_the_5th_10th_20th_and_40th_wrong_code() -> None:
    guesses = GuessLimiter()
    told = [alarm for _ in range(79) if (alarm := guesses.wrong())]
    assert told == [WrongCodes(5), WrongCodes(10), WrongCodes(20), WrongCodes(40)]


def siege(strangers: int, now: float) -> GuessLimiter:
    """A table at which so many addresses have guessed as fast as they may, up to now."""
    guesses, at = GuessLimiter(), 0.0
    while at < now:
        guess(guesses, strangers, at)
        at += 0.5
    return guesses


def guess(guesses: GuessLimiter, strangers: int, now: float) -> None:
    """All of them ask, and guess wrong where they may."""
    for number in range(strangers):
        if not guesses.admit(f"stranger {number}", now):
            guesses.wrong()


def friend_gets_in(guesses: GuessLimiter, strangers: int, now: float, typos: int) -> float:
    """After how many seconds a friend is in, who comes when told, and a bit late."""
    at, due = now, now
    while at < now + 1000 * PACE:
        guess(guesses, strangers, at)
        if at >= due:
            wait = guesses.admit("friend", at)
            if not wait and not typos:
                return at - now
            typos -= not wait
            due = at + wait + 0.7
        at += 0.5
    raise AssertionError("they never get in")


@pytest.mark.broad
@pytest.mark.parametrize("strangers", [1, 3, 10, 30])
def test_a_friend_is_in_by_the_time_each_stranger_has_had_one_guess(strangers: int) -> None:
    now = strangers * 3 * PACE
    took = friend_gets_in(siege(strangers, now), strangers, now, typos=0)
    assert took <= (strangers + 2) * PACE
    later = now + strangers * 20 * PACE
    took = friend_gets_in(siege(strangers, later), strangers, later, typos=0)
    assert took <= 3 * PACE, "all of them have tried too often by now"


@pytest.mark.broad
@pytest.mark.parametrize("strangers", [1, 10, 30])
def test_a_friend_who_mistypes_twice_stands_back_a_little_and_gets_in(strangers: int) -> None:
    now = strangers * 20 * PACE
    took = friend_gets_in(siege(strangers, now), strangers, now, typos=2)
    assert took <= 3 * (strangers + 3) * PACE


def test_strangers_with_a_new_address_for_each_guess_do_not_keep_a_friend_out() -> None:
    guesses, number, due, at = GuessLimiter(), 0, 60.0, 0.0
    while at < 1000 * PACE:
        number += 1
        if not guesses.admit(f"stranger {number}", at):
            guesses.wrong()
        if at >= due:
            wait = guesses.admit("friend", at)
            if not wait:
                break
            due = at + wait + 0.7
        at += 0.5
    assert at <= 60 + 120 * PACE, "those alone were before that had asked before"


def test_a_place_in_the_line_is_lost_by_who_does_not_come() -> None:
    guesses = GuessLimiter()
    for _ in range(FREE):
        guesses.admit("friend", 0)
        guesses.wrong()
    assert guesses.admit("a", 0) == pytest.approx(3)
    assert guesses.admit("b", 0) == pytest.approx(6)
    assert guesses.admit("b", 3) == pytest.approx(3), "the place is kept"
    assert guesses.admit("b", 6.1) == 0, "and not for ever"


def test_a_clock_that_jumps_back_keeps_no_place_for_ever() -> None:
    guesses = GuessLimiter()
    for _ in range(FREE):
        guesses.admit("friend", 10_000)
        guesses.wrong()
    assert guesses.admit("a", 10_000) == pytest.approx(3)
    assert guesses.admit("b", 0) == pytest.approx(6)
    assert guesses.admit("b", 7) == 0


def test_a_crowd_of_addresses_is_not_kept_in_mind_for_ever() -> None:
    guesses = GuessLimiter()
    for number in range(2 * ADDRESSES):
        guesses.admit(f"stranger {number}", number * 100.0)
    assert len(guesses._tries) == ADDRESSES
    assert len(guesses._line) <= 1


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
    assert made <= 5 + forward / 3 + 1e-6
