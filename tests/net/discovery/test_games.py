"""The list of games: what hints, answers, goodbyes and silence make of it, second by second."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.discovery.address import Address
from net.discovery.advert import Advert, Stage
from net.discovery.game import Appeared, Changed, Game, Gone, Status, called, changes, titled
from net.discovery.games import LINGER, MOST_TABLES, MOST_WAYS, Games
from net.discovery.networks import Network
from net.discovery.questions import Heard
from net.discovery.status import CHECKING
from net.discovery.table import (
    BEST_EVERY,
    FORGET,
    KNOCK_AFTER,
    KNOCK_EVERY,
    LOST_AFTER,
    NAMED_FOR,
    OTHERS_EVERY,
)
from net.discovery.turns import BURST, FAR, FAR_BURST, KNOCKS, QUESTIONS
from net.secure.versions import Versions

OURS = Versions(2, 3)
ANA = Advert("aaaa000000000001", "Ana", OURS, Stage.LOBBY, 1, 5)
BRUNO = Advert("bbbb000000000002", "Bruno", OURS, Stage.PLAYING, 3, 4)
HERE = Address("10.0.0.1", 7341)
THERE = Address("10.0.0.2", 7341)
FAR_AWAY = Address("203.0.113.5", 7341)
OURS_IS = Network("10.0.0.99", 8)


def new_games() -> Games:
    """Games of somebody whose network is `OURS_IS`."""
    games = Games(OURS)
    games.here([OURS_IS])
    return games


def answered(games: Games, advert: Advert, address: Address, now: float) -> None:
    games.answer(Heard(address, now, advert), now)


def statuses(games: Games, now: float) -> dict[str, Status]:
    return {game.title: game.status for game in games.listing(now)}


def found(advert: Advert = ANA, address: Address = HERE) -> Games:
    """Games with one that was hinted, asked and answered at time 0."""
    games = new_games()
    games.hint(advert, [address], 0.0)
    assert games.due(0.0) == (address,)
    answered(games, advert, address, 0.0)
    return games


def test_a_hint_is_asked_at_once_and_listed_once_it_answers() -> None:
    games = new_games()
    games.hint(ANA, [HERE], 10.0)
    assert games.wake(10.0) == 10.0
    assert games.due(10.0) == (HERE,)
    assert games.listing(10.0) == ()
    answered(games, replace(ANA, players=4), HERE, 10.1)
    assert games.listing(10.1) == (Game("Ana", replace(ANA, players=4), Status.JOINABLE, (HERE,)),)


def test_a_hint_that_nobody_answers_for_is_listed_as_unreachable_and_asked_ever_more_rarely() -> (
    None
):
    games = new_games()
    games.hint(ANA, [HERE], 0.0)
    assert games.listing(CHECKING - 0.01) == ()
    assert statuses(games, CHECKING) == {"Ana": Status.UNREACHABLE}
    asked: list[float] = []
    now = 0.0
    while now < 33.0:
        asked += [now] * len(games.due(now))
        games.knocks(now)
        now = max(games.wake(now), now + 0.001)
    assert asked == [0.0, 0.25, 0.75, 1.75, 3.75, 7.75, 15.75, 23.75, 31.75]
    games.hint(replace(ANA, players=2), [HERE], 33.0)
    assert games.listing(33.0)[0].advert.players == 2
    assert games.due(33.0) == ()


def test_the_list_wakes_up_when_a_hint_becomes_unreachable() -> None:
    games = new_games()
    games.hint(ANA, [HERE], 0.0)
    for now in (0.0, 0.25, 0.75):
        games.due(now)
        games.knocks(now)
    assert games.wake(0.75) == CHECKING


@pytest.mark.parametrize(
    ("theirs", "status"),
    [
        (Versions(1, 1), Status.UPDATE_THEIRS),
        (Versions(4, 5), Status.UPDATE_OURS),
        (Versions(3, 4), Status.JOINABLE),
    ],
    ids=str,
)
def test_a_version_that_does_not_fit_says_which_side_to_update(
    theirs: Versions, status: Status
) -> None:
    games = found(replace(ANA, versions=theirs))
    assert statuses(games, 0.0) == {"Ana": status}


def test_a_hint_alone_tells_of_a_version_too() -> None:
    games = new_games()
    games.hint(replace(ANA, versions=Versions(9, 9)), [HERE], 0.0)
    assert statuses(games, CHECKING) == {"Ana": Status.UPDATE_OURS}


def test_a_game_that_answers_is_asked_twice_a_second_and_at_once_when_there_is_news() -> None:
    games = found()
    assert games.wake(0.0) == BEST_EVERY
    assert games.due(BEST_EVERY - 0.01) == ()
    assert games.due(BEST_EVERY) == (HERE,)
    answered(games, ANA, HERE, BEST_EVERY)
    games.hint(replace(ANA, players=5), [HERE], 0.6)
    assert games.listing(0.6)[0].advert.players == 1, "an answer is believed before a hint"
    assert games.due(0.6) == (HERE,)
    answered(games, replace(ANA, players=5), HERE, 0.6)
    assert games.listing(0.6)[0].advert.players == 5


def test_several_addresses_of_one_table_are_one_game_the_answering_first() -> None:
    games = new_games()
    games.hint(ANA, [THERE, HERE], 0.0)
    assert games.due(0.0) == (HERE, THERE)
    answered(games, ANA, THERE, 0.1)
    assert games.listing(0.1)[0].addresses == (THERE, HERE)
    answered(games, ANA, HERE, 0.2)
    assert games.listing(0.2)[0].addresses == (HERE, THERE)
    assert games.due(BEST_EVERY) == (HERE,)
    assert set(games.due(OTHERS_EVERY)) == {HERE, THERE}


def test_a_hint_with_new_addresses_drops_the_old_ones_that_do_not_answer() -> None:
    games = new_games()
    games.hint(ANA, [HERE, THERE], 0.0)
    games.due(0.0)
    answered(games, ANA, HERE, 0.0)
    elsewhere = Address("10.0.0.3", 7341)
    games.hint(ANA, [elsewhere], 1.0)
    assert games.listing(1.0)[0].addresses == (HERE, elsewhere)


def test_an_address_belongs_to_the_table_that_answers_there() -> None:
    games = new_games()
    games.hint(ANA, [HERE], 0.0)
    games.due(0.0)
    answered(games, BRUNO, HERE, 0.1)
    assert statuses(games, CHECKING) == {"Bruno": Status.JOINABLE}


def test_silence_takes_a_game_off_the_list_and_an_answer_brings_it_back() -> None:
    games = found()
    assert games.listing(LOST_AFTER - 0.01)
    assert games.listing(LOST_AFTER) == ()
    assert games.due(30.0) == (HERE,)
    answered(games, ANA, HERE, 30.0)
    assert games.listing(30.0)


def test_the_list_wakes_up_when_silence_takes_a_game_off() -> None:
    games = found()
    now = 0.0
    while now < LOST_AFTER:
        assert games.listing(now)
        games.due(now)
        now = games.wake(now)
    assert now == LOST_AFTER
    assert games.listing(now) == ()


def test_a_goodbye_takes_a_game_off_at_once_and_for_good() -> None:
    games = found()
    games.goodbye(ANA.id, 1.0)
    assert games.listing(1.0) == ()
    games.answer(Heard(HERE, 0.9, ANA), 1.1)
    assert games.listing(1.1) == (), "asked before the goodbye"
    for now in (1.0, 1.25, 1.75, 2.75):
        assert games.due(now) == (HERE,)
    assert games.wake(2.75) == 1.0 + LINGER
    games.due(1.0 + LINGER)
    assert games.due(100.0) == ()
    assert games.wake(100.0) == 100.0 + FORGET


def test_a_forged_goodbye_is_undone_by_the_next_answer() -> None:
    games = found()
    games.goodbye(ANA.id, 1.0)
    assert games.due(1.0) == (HERE,)
    games.answer(Heard(HERE, 1.0, ANA), 1.01)
    assert games.listing(1.01) == ()
    games.answer(Heard(HERE, 1.02, ANA), 1.03)
    assert statuses(games, 1.03) == {"Ana": Status.JOINABLE}


def test_a_goodbye_for_a_game_nobody_knows_changes_nothing() -> None:
    games = found()
    games.goodbye(BRUNO.id, 1.0)
    assert games.listing(1.0)


def test_a_game_announced_again_after_its_goodbye_begins_anew() -> None:
    games = found()
    games.goodbye(ANA.id, 1.0)
    games.hint(ANA, [THERE], 2.0)
    assert games.due(2.0) == (THERE,)
    assert statuses(games, 2.0 + CHECKING) == {"Ana": Status.UNREACHABLE}
    answered(games, ANA, THERE, 3.5)
    assert games.listing(3.5)[0].addresses == (THERE,)


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


def test_a_table_that_mdns_names_no_more_is_forgotten() -> None:
    games = new_games()
    games.hint(ANA, [HERE], 0.0)
    assert games.listing(NAMED_FOR - 0.01)
    assert games.listing(NAMED_FOR) == ()
    games.due(FORGET)
    assert games.due(FORGET + 9.0) == ()


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


def test_a_sought_address_is_listed_if_somebody_plays_there_and_forgotten_in_a_minute() -> None:
    games = new_games()
    games.seek([HERE, THERE])
    games.seek([HERE])
    assert games.due(0.0) == (HERE, THERE)
    answered(games, ANA, HERE, 0.1)
    assert statuses(games, 0.1) == {"Ana": Status.JOINABLE}
    assert games.listing(0.1 + FORGET) == ()
    assert HERE in games.due(FORGET)
    assert HERE not in games.due(0.2 + FORGET)


def test_hints_that_lead_nowhere_are_neither_asked_nor_listed() -> None:
    games = new_games()
    games.hint(ANA, [Address("224.0.0.251", 7341), Address("10.0.0.1", 22)], 0.0)
    assert games.due(0.0) == ()
    assert games.listing(CHECKING) == ()


def advert_number(number: int) -> Advert:
    return replace(ANA, id=f"{number:016x}", name=f"Table {number}")


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


def test_games_of_one_name_or_none_get_titles_that_differ() -> None:
    games = new_games()
    adverts = [
        ANA,
        replace(ANA, id="cccc000000000003", name="ana"),
        BRUNO,
        replace(ANA, id="dddd000000000004", name=""),
    ]
    for number, advert in enumerate(adverts):
        answered(games, advert, Address("10.0.0.1", 7341 + number), 0.0)
    listed = games.listing(0.0)
    assert [game.title for game in listed] == ["(dddd)", "Ana (aaaa)", "ana (cccc)", "Bruno"]
    assert [game.title for game in called(listed, " ANA ")] == ["Ana (aaaa)", "ana (cccc)"]
    assert [game.title for game in called(listed, "ana (CCCC)")] == ["ana (cccc)"]
    assert called(listed, "Chiara") == ()


def test_two_lists_differ_by_what_appeared_changed_and_is_gone() -> None:
    ana = Game("Ana", ANA, Status.JOINABLE, (HERE,))
    bruno = Game("Bruno", BRUNO, Status.JOINABLE, (THERE,))
    fuller = replace(ana, advert=replace(ANA, players=2))
    assert list(changes([], [ana])) == [Appeared(ana)]
    assert list(changes([ana, bruno], [fuller, bruno])) == [Changed(fuller)]
    assert list(changes([ana, bruno], [bruno])) == [Gone(ana)]
    assert titled([]) == ()


steps = st.lists(
    st.tuples(
        st.sampled_from(
            ["hint", "answer", "call", "late", "goodbye", "seek", "here", "knock", "due", "due"]
        ),
        st.integers(0, 3),
        st.lists(st.integers(0, 3), max_size=4),
        st.floats(0, 5),
    ),
    max_size=60,
)


@given(steps)
def test_whatever_happens_the_list_stays_sound(
    happened: list[tuple[str, int, list[int], float]],
) -> None:
    """Addresses lead to one live table each, silence empties the list, and waking moves on."""
    games = new_games()
    now = 0.0
    for what, table, places, passed in happened:
        now += passed
        advert = advert_number(table)
        addresses = [Address(f"10.0.0.{place % 2}", 7341 + place) for place in places]
        match what:
            case "hint":
                games.hint(advert, addresses, now)
            case "answer" | "late":
                for address in addresses:
                    asked = now if what == "answer" else now - 2.0
                    games.answer(Heard(address, asked, advert), now)
            case "call":
                for address in addresses:
                    games.answer_to_call(Heard(address, now, advert), now)
            case "here":
                games.here([Network("10.0.0.99", 32 - place) for place in places])
            case "knock":
                for address in games.knocks(now):
                    games.knocked(address, is_open=bool(table))
            case "goodbye":
                games.goodbye(advert.id, now)
            case "seek":
                games.seek(addresses)
            case _:
                games.due(now)
        assert games.wake(now) >= now
        shown = games.listing(now)
        assert len({game.title for game in shown}) == len(shown)
        assert all(game.addresses for game in shown)
    games.due(now)
    games.knocks(now)
    assert games.due(now) == games.knocks(now) == ()
    assert games.wake(now) > now
    assert games.listing(now + NAMED_FOR) == ()
