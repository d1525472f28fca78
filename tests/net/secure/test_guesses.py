"""The account of guesses: five at once, then one in three seconds, whoever makes them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.secure.guesses import GuessLimiter, WrongCodes


def test_after_five_wrong_codes_there_is_one_guess_in_three_seconds() -> None:
    guesses = GuessLimiter()
    for _ in range(5):
        assert guesses.admit(100) == 0
        guesses.wrong()
    assert guesses.admit(100) == pytest.approx(3)
    assert guesses.admit(101) == pytest.approx(2)
    assert guesses.admit(103) == 0
    assert guesses.admit(103) == pytest.approx(3)
    assert guesses.admit(1000) == 0
    assert guesses.admit(1000) == pytest.approx(3)


def test_guesses_side_by_side_count_before_they_are_wrong() -> None:
    guesses = GuessLimiter()
    assert [guesses.admit(0) > 0 for _ in range(8)] == [False] * 5 + [True] * 3


def test_the_wait_that_is_told_is_enough() -> None:
    guesses = GuessLimiter()
    while not (wait := guesses.admit(7.1)):
        pass
    assert guesses.admit(7.1 + wait) == 0


def test_friends_who_know_the_code_do_not_slow_each_other_down() -> None:
    guesses = GuessLimiter()
    for _ in range(5):
        guesses.admit(0)
        guesses.wrong()
    for _ in range(20):
        assert guesses.admit(3) == 0
        guesses.right(3)


def test_the_host_is_told_of_the_5th_10th_20th_and_40th_wrong_code() -> None:
    guesses = GuessLimiter()
    told = [alarm for _ in range(79) if (alarm := guesses.wrong())]
    assert told == [WrongCodes(5), WrongCodes(10), WrongCodes(20), WrongCodes(40)]


@given(st.lists(st.tuples(st.floats(-3, 9), st.booleans()), max_size=80))
def test_no_pace_of_trying_gives_a_stranger_more(tries: list[tuple[float, bool]]) -> None:
    guesses, now, forward, made = GuessLimiter(), 0.0, 0.0, 0
    for pause, finished in tries:
        now += pause
        forward += max(0.0, pause)
        if not guesses.admit(now):
            made += 1
            if finished:
                guesses.wrong()
    assert made <= 5 + forward / 3 + 1e-6
