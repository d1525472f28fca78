"""The list of games on rough networks: closed doors, calls, moves, sleep and forged hints."""

from __future__ import annotations

from net.discovery.address import Address
from net.discovery.game import Status
from net.discovery.games import MOST_TABLES, MOST_WAYS
from net.discovery.networks import Network
from net.discovery.questions import Heard
from net.discovery.status import CHECKING
from net.discovery.table import (
    BEST_EVERY,
    KNOCK_AFTER,
    KNOCK_EVERY,
    LOST_AFTER,
)
from net.discovery.turns import BURST, FAR, FAR_BURST, KNOCKS, QUESTIONS
from tests.net.discovery.listing import (
    ANA,
    BRUNO,
    FAR_AWAY,
    HERE,
    THERE,
    advert_number,
    answered,
    found,
    new_games,
    statuses,
)


def test_a_table_whose_questions_are_lost_can_be_joined_if_its_door_is_open() -> None:
    games = new_games()
    games.hint(ANA, [HERE, THERE, FAR_AWAY], 0.0)
    games.due(0.0)
    assert games.knocks(KNOCK_AFTER - 0.01) == ()
    assert set(games.knocks(KNOCK_AFTER)) == {HERE, THERE}
    games.knocked(THERE, is_open=True)
    games.knocked(HERE, is_open=False)
    (game,) = games.listing(KNOCK_AFTER)
    assert (game.status, game.addresses) == (Status.JOINABLE, (THERE, HERE, FAR_AWAY))
    assert games.knocks(KNOCK_AFTER + KNOCK_EVERY - 0.01) == ()
    assert set(games.knocks(KNOCK_AFTER + KNOCK_EVERY)) == {HERE, THERE}
    games.knocked(THERE, is_open=False)
    assert statuses(games, KNOCK_AFTER + KNOCK_EVERY) == {"Ana": Status.UNREACHABLE}


def test_nobody_knocks_at_a_table_that_answers_or_that_mdns_does_not_name() -> None:
    games = found()
    answered(games, BRUNO, THERE, 0.0)
    assert games.knocks(9.0) == ()


def test_only_so_many_doors_are_tried_whatever_is_forged() -> None:
    games = new_games()
    for number in range(50):
        games.hint(advert_number(number), [Address("10.9.9.9", 2000 + number)], 0.0)
    assert len(games.knocks(1.0)) == KNOCKS
    assert len(games.knocks(2.0)) == KNOCKS


def test_a_table_on_other_networks_alone_is_listed_as_elsewhere_unless_it_answers() -> None:
    games = new_games()
    games.hint(ANA, [FAR_AWAY], 0.0)
    assert games.due(0.0) == (FAR_AWAY,)
    assert statuses(games, CHECKING) == {"Ana": Status.ELSEWHERE}
    answered(games, ANA, FAR_AWAY, CHECKING)
    assert statuses(games, CHECKING) == {"Ana": Status.JOINABLE}


def test_no_flood_of_hints_makes_us_ask_off_our_networks_more_than_a_trickle() -> None:
    games = new_games()
    games.hint(ANA, [HERE], 0.0)
    asked: list[Address] = []
    now = 0.0
    for number in range(1000):
        now = number / 100
        address = Address(f"203.0.113.{number % 250}", 2000 + number)
        games.hint(advert_number(number), [address], now)
        asked += games.due(now)
    far = [address for address in asked if address != HERE]
    assert FAR * FAR_BURST <= len(far) <= FAR * (FAR_BURST + 10)
    assert HERE in asked
    assert now < games.wake(now) <= now + 1 / FAR, "no waking up for what must wait"


def test_addresses_on_our_own_networks_come_before_all_others() -> None:
    games = new_games()
    games.hint(ANA, [Address(f"1.2.3.{number}", 7341) for number in range(20)] + [HERE], 0.0)
    games.due(0.0)
    assert games.listing(CHECKING)[0].addresses[0] == HERE


def test_a_change_of_networks_asks_those_again_who_were_silent() -> None:
    games = new_games()
    games.hint(ANA, [FAR_AWAY], 0.0)
    games.due(0.0)
    assert games.due(0.1) == ()
    games.here([Network("203.0.113.9", 24)])
    assert games.due(0.1) == (FAR_AWAY,)
    assert statuses(games, CHECKING) == {"Ana": Status.UNREACHABLE}


def test_after_an_hour_of_sleep_nothing_is_listed_until_it_answers_again() -> None:
    games = found()
    games.hint(BRUNO, [THERE], 0.0)
    assert games.listing(3600.0) == ()
    games.answer_to_call(Heard(HERE, 3600.0, ANA), 3600.0)
    assert statuses(games, 3600.0) == {"Ana": Status.JOINABLE}


def test_who_answers_a_call_is_listed_at_once_and_asked_from_then_on() -> None:
    games = new_games()
    games.answer_to_call(Heard(HERE, 0.0, ANA), 0.1)
    assert statuses(games, 0.1) == {"Ana": Status.JOINABLE}
    assert games.due(0.1) == (HERE,)


def test_an_answer_to_a_call_counts_on_our_networks_and_at_the_ports_asked_alone() -> None:
    games = new_games()
    for address in (FAR_AWAY, Address("10.0.0.1", 5353)):
        games.answer_to_call(Heard(address, 0.0, ANA), 0.0)
    assert games.listing(0.0) == ()


def test_an_answer_to_a_call_takes_no_address_from_a_table_that_answers_there() -> None:
    games = found()
    games.answer_to_call(Heard(HERE, 0.0, BRUNO), 0.1)
    assert statuses(games, 0.1) == {"Ana": Status.JOINABLE}
    games.answer_to_call(Heard(HERE, LOST_AFTER, BRUNO), LOST_AFTER)
    assert statuses(games, LOST_AFTER) == {"Bruno": Status.JOINABLE}


def test_a_table_that_moved_loses_its_old_address_in_a_minute() -> None:
    games = found()
    for second in range(1, 62):
        answered(games, ANA, THERE, float(second))
        games.due(float(second))
    assert games.listing(61.0)[0].addresses == (THERE,)


def test_an_address_that_falters_comes_after_one_that_answers_long_before_it_counts_as_lost() -> (
    None
):
    games = found()
    now = 0.0
    while games.listing(now)[0].addresses[0] == HERE:
        now += BEST_EVERY
        games.due(now)
        answered(games, ANA, THERE, now)
    assert now == 3 * BEST_EVERY
    assert games.listing(now)[0].addresses == (THERE, HERE)
    answered(games, ANA, HERE, now)
    assert games.listing(now)[0].addresses == (HERE, THERE)


def test_a_new_address_that_answers_has_the_place_of_one_that_does_not() -> None:
    games = new_games()
    games.hint(ANA, [Address(f"10.0.0.{number}", 7341) for number in range(1, 9)], 0.0)
    new = Address("10.1.1.1", 7341)
    answered(games, ANA, new, 0.0)
    addresses = games.listing(0.0)[0].addresses
    assert addresses[0] == new
    assert len(addresses) == MOST_WAYS


def test_hints_that_lead_nowhere_are_neither_asked_nor_listed() -> None:
    games = new_games()
    games.hint(ANA, [Address("224.0.0.251", 7341), Address("10.0.0.1", 22)], 0.0)
    assert games.due(0.0) == ()
    assert games.listing(CHECKING) == ()


def test_forged_hints_never_push_out_a_game_that_answers() -> None:
    games = found()
    for number in range(10 * MOST_TABLES):
        games.hint(advert_number(number), [Address("10.9.9.9", 2000 + number)], 0.5)
    assert len(games.listing(0.5 + CHECKING)) == MOST_TABLES
    assert statuses(games, 0.5 + CHECKING)["Ana"] is Status.JOINABLE


def test_a_full_list_of_games_that_answer_takes_no_more() -> None:
    games = new_games()
    for number in range(MOST_TABLES):
        answered(games, advert_number(number), Address("10.0.0.1", 2000 + number), 0.0)
    games.hint(ANA, [THERE], 0.0)
    answered(games, ANA, THERE, 0.0)
    assert len(games.listing(0.0)) == MOST_TABLES
    assert "Ana" not in statuses(games, 0.0)


def test_a_game_has_so_many_addresses_and_no_more() -> None:
    games = new_games()
    games.hint(ANA, [Address(f"10.0.0.{number}", 7341) for number in range(1, 100)], 0.0)
    assert len(games.due(0.0)) == MOST_WAYS
    for number in range(1, 20):
        answered(games, ANA, Address(f"10.0.0.{number}", 7341), 0.0)
    assert len(games.listing(0.0)[0].addresses) == MOST_WAYS


def test_no_flood_of_hints_makes_us_ask_more_than_so_often() -> None:
    games = new_games()
    asked = 0
    for number in range(1000):
        games.hint(advert_number(number), [Address("10.9.9.9", 2000 + number)], 0.0)
        asked += len(games.due(0.0))
    assert asked == QUESTIONS * BURST
    assert games.wake(0.0) == 0.0
    assert len(games.due(0.1)) == QUESTIONS * 0.1
