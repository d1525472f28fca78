"""The list of games on rough networks: closed doors, calls, moves, sleep and forged hints."""

from __future__ import annotations

from net.discovery.browser import (
    CHECK_TIMEOUT_S,
    LOST_AFTER_S,
    MAX_ADDRESSES_PER_TABLE,
    MAX_TABLES,
    PORT_TRIES,
    PORT_TRY_INTERVAL_S,
    QUERY_LIMIT,
    QUESTION_INTERVAL_S,
)
from net.discovery.games import GameStatus
from net.discovery.networks import Network
from net.secure.address import Address
from tests.net.discovery.browser_fixture import (
    ANA,
    BRUNO,
    FAR_AWAY,
    HERE,
    THERE,
    advert_number,
    answer_probe,
    find_game,
    new_games,
    statuses,
)


def test_a_table_whose_questions_are_lost_can_be_joined_if_its_door_is_open() -> None:
    listed = new_games()
    listed.hint(ANA, [HERE, THERE, FAR_AWAY], 0.0)
    listed.due(0.0)
    assert listed.ports_to_try(QUESTION_INTERVAL_S - 0.01) == ()
    assert set(listed.ports_to_try(QUESTION_INTERVAL_S)) == {HERE, THERE}
    listed.note_port(THERE, is_open=True)
    listed.note_port(HERE, is_open=False)
    (game,) = listed.games(QUESTION_INTERVAL_S)
    assert (game.status, game.addresses) == (GameStatus.JOINABLE, (THERE, HERE, FAR_AWAY))
    assert listed.ports_to_try(QUESTION_INTERVAL_S + PORT_TRY_INTERVAL_S - 0.01) == ()
    assert set(listed.ports_to_try(QUESTION_INTERVAL_S + PORT_TRY_INTERVAL_S)) == {HERE, THERE}
    listed.note_port(THERE, is_open=False)
    assert statuses(listed, QUESTION_INTERVAL_S + PORT_TRY_INTERVAL_S) == {
        "Ana": GameStatus.UNREACHABLE
    }


def test_no_port_is_checked_of_a_table_that_answers_or_that_mdns_does_not_name() -> None:
    listed = find_game()
    answer_probe(listed, BRUNO, THERE, 0.0)
    assert listed.ports_to_try(9.0) == ()


def test_only_so_many_ports_are_checked_whatever_is_forged() -> None:
    listed = new_games()
    for number in range(50):
        listed.hint(advert_number(number), [Address("10.9.9.9", 2000 + number)], 0.0)
    assert len(listed.ports_to_try(1.0)) == PORT_TRIES.rate
    assert len(listed.ports_to_try(2.0)) == PORT_TRIES.rate


def test_a_table_on_other_networks_alone_is_listed_as_elsewhere_unless_it_answers() -> None:
    listed = new_games()
    listed.hint(ANA, [FAR_AWAY], 0.0)
    assert listed.due(0.0) == ()
    assert statuses(listed, CHECK_TIMEOUT_S) == {"Ana": GameStatus.ELSEWHERE}
    answer_probe(listed, ANA, FAR_AWAY, CHECK_TIMEOUT_S)
    assert statuses(listed, CHECK_TIMEOUT_S) == {"Ana": GameStatus.JOINABLE}


def test_no_hint_makes_us_ask_off_our_networks_or_everybody_there() -> None:
    listed = new_games()
    everybody = Address("10.255.255.255", 7341)
    listed.hint(ANA, [FAR_AWAY, everybody, HERE], 0.0)
    assert listed.due(0.0) == (HERE,)


def test_a_change_of_networks_asks_those_who_are_near_now() -> None:
    listed = new_games()
    listed.hint(ANA, [FAR_AWAY], 0.0)
    assert listed.due(0.0) == ()
    listed.here([Network("203.0.113.9", 24)])
    assert listed.due(0.1) == (FAR_AWAY,)
    assert statuses(listed, CHECK_TIMEOUT_S) == {"Ana": GameStatus.UNREACHABLE}


def test_after_an_hour_of_sleep_nothing_is_listed_until_it_answers_again() -> None:
    listed = find_game()
    listed.hint(BRUNO, [THERE], 0.0)
    assert listed.due(3600.0) == ()
    assert listed.games(3600.0) == ()
    listed.answer(HERE, ANA, 3600.0, is_broadcast=True)
    assert statuses(listed, 3600.0) == {"Ana": GameStatus.JOINABLE}


def test_an_answer_to_a_call_counts_on_our_networks_and_at_the_ports_asked_alone() -> None:
    listed = new_games()
    for address in (FAR_AWAY, Address("10.0.0.1", 5353)):
        listed.answer(address, ANA, 0.0, is_broadcast=True)
    assert listed.games(0.0) == ()


def test_an_answer_to_a_call_takes_no_address_from_a_table_that_answers_there() -> None:
    listed = find_game()
    listed.answer(HERE, BRUNO, 0.1, is_broadcast=True)
    assert statuses(listed, 0.1) == {"Ana": GameStatus.JOINABLE}
    listed.answer(HERE, BRUNO, LOST_AFTER_S, is_broadcast=True)
    assert statuses(listed, LOST_AFTER_S) == {"Bruno": GameStatus.JOINABLE}


def test_a_new_address_that_answers_has_the_place_of_one_that_does_not() -> None:
    listed = new_games()
    listed.hint(ANA, [Address(f"10.0.0.{number}", 7341) for number in range(1, 9)], 0.0)
    new = Address("10.1.1.1", 7341)
    answer_probe(listed, ANA, new, 0.0)
    addresses = listed.games(0.0)[0].addresses
    assert addresses[0] == new
    assert len(addresses) == MAX_ADDRESSES_PER_TABLE


def test_forged_hints_never_push_out_a_game_that_answers() -> None:
    listed = find_game()
    for number in range(10 * MAX_TABLES):
        listed.hint(advert_number(number), [Address("10.9.9.9", 2000 + number)], 0.5)
    assert len(listed.games(0.5 + CHECK_TIMEOUT_S)) == MAX_TABLES
    assert statuses(listed, 0.5 + CHECK_TIMEOUT_S)["Ana"] is GameStatus.JOINABLE


def test_a_full_list_of_games_that_answer_takes_no_more() -> None:
    listed = new_games()
    for number in range(MAX_TABLES):
        answer_probe(listed, advert_number(number), Address("10.0.0.1", 2000 + number), 0.0)
    listed.hint(ANA, [THERE], 0.0)
    answer_probe(listed, ANA, THERE, 0.0)
    assert len(listed.games(0.0)) == MAX_TABLES
    assert "Ana" not in statuses(listed, 0.0)


def test_a_game_has_so_many_addresses_and_no_more() -> None:
    listed = new_games()
    listed.hint(ANA, [Address(f"10.0.0.{number}", 7341) for number in range(1, 100)], 0.0)
    assert len(listed.due(0.0)) == MAX_ADDRESSES_PER_TABLE
    for number in range(1, 20):
        answer_probe(listed, ANA, Address(f"10.0.0.{number}", 7341), 0.0)
    assert len(listed.games(0.0)[0].addresses) == MAX_ADDRESSES_PER_TABLE


def test_no_flood_of_hints_makes_us_ask_more_than_so_often() -> None:
    listed = new_games()
    asked = 0
    for number in range(500):
        listed.hint(advert_number(number), [Address("10.9.9.9", 2000 + number)], 0.0)
        asked += len(listed.due(0.0))
    assert asked == QUERY_LIMIT.burst
    assert len(listed.due(0.1)) == QUERY_LIMIT.rate * 0.1
