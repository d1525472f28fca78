"""The list of games: what hints, answers, goodbyes and silence make of it, second by second."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.discovery import games
from net.discovery.advert import Advert, AdvertStage
from net.discovery.networks import Network
from net.discovery.search import MAX_ASKED
from net.protocol import Versions
from net.secure.address import Address

OURS = Versions(2, 3)
ANA = Advert("aaaa000000000001", "Ana", OURS, AdvertStage.LOBBY, 1, 5)
BRUNO = Advert("bbbb000000000002", "Bruno", OURS, AdvertStage.PLAYING, 3, 4)
HERE = Address("10.0.0.1", 7341)
THERE = Address("10.0.0.2", 7341)
FAR_AWAY = Address("203.0.113.5", 7341)
OURS_IS = Network("10.0.0.99", 8)


def new_games() -> games.GameList:
    """Games of somebody whose network is `OURS_IS`."""
    listed = games.GameList(OURS)
    listed.set_networks([OURS_IS])
    return listed


def hint_games(advert: Advert = ANA, *addresses: Address) -> games.GameList:
    """Games with one that mDNS has named at time 0."""
    listed = new_games()
    listed.note_hint(advert, addresses or (HERE,), 0.0)
    return listed


def statuses(listed: games.GameList, now: float) -> dict[str, games.GameStatus]:
    return {game.title: game.status for game in listed.list_games(now)}


def find_game(advert: Advert = ANA) -> games.GameList:
    """Games with one that was hinted, asked and answered at time 0."""
    listed = hint_games(advert)
    assert listed.take_due(0.0) == (HERE,)
    listed.note_answer(HERE, advert, 0.0)
    return listed


def advert_number(number: int) -> Advert:
    return replace(ANA, id=f"{number:016x}", name=f"Table {number}")


def test_a_hint_is_asked_at_once_and_listed_once_it_answers() -> None:
    listed = new_games()
    listed.note_hint(ANA, [HERE], 10.0)
    assert listed.take_due(10.0) == (HERE,)
    assert listed.list_games(10.0) == ()
    listed.note_answer(HERE, replace(ANA, players=4), 10.1)
    assert listed.list_games(10.1) == (
        games.DiscoveredGame("Ana", replace(ANA, players=4), games.GameStatus.JOINABLE, (HERE,)),
    )


def test_a_hint_that_nobody_answers_for_is_listed_as_unreachable() -> None:
    listed = hint_games()
    assert listed.list_games(games.CHECK_TIMEOUT_S - 0.01) == ()
    assert statuses(listed, games.CHECK_TIMEOUT_S) == {"Ana": games.GameStatus.UNREACHABLE}
    listed.note_hint(replace(ANA, players=2), [HERE], 33.0)
    assert listed.list_games(33.0)[0].advert.players == 2


@pytest.mark.parametrize(
    ("theirs", "status"),
    [
        (Versions(1, 1), games.GameStatus.OTHER_VERSION),
        (Versions(4, 5), games.GameStatus.OTHER_VERSION),
        (Versions(3, 4), games.GameStatus.JOINABLE),
    ],
    ids=str,
)
def test_a_game_of_another_version_is_listed_as_such(
    theirs: Versions, status: games.GameStatus
) -> None:
    listed = find_game(replace(ANA, versions=theirs))
    assert statuses(listed, 0.0) == {"Ana": status}


def test_a_game_is_asked_twice_a_second_and_its_answer_is_believed_before_a_hint() -> None:
    listed = find_game()
    assert listed.take_due(games.QUESTION_INTERVAL_S - 0.01) == ()
    assert listed.take_due(games.QUESTION_INTERVAL_S) == (HERE,)
    listed.note_answer(HERE, ANA, games.QUESTION_INTERVAL_S)
    listed.note_hint(replace(ANA, players=5), [HERE], 0.6)
    assert listed.list_games(0.6)[0].advert.players == 1
    assert listed.take_due(0.6) == ()
    listed.note_answer(HERE, replace(ANA, players=5), 0.6)
    assert listed.list_games(0.6)[0].advert.players == 5


def test_several_addresses_of_one_table_are_one_game_the_answering_first() -> None:
    listed = hint_games(ANA, THERE, HERE)
    assert listed.take_due(0.0) == (HERE, THERE)
    listed.note_answer(THERE, ANA, 0.1)
    assert listed.list_games(0.1)[0].addresses == (THERE, HERE)
    listed.note_answer(HERE, ANA, 0.2)
    assert listed.list_games(0.2)[0].addresses == (HERE, THERE)
    assert set(listed.take_due(games.QUESTION_INTERVAL_S)) == {HERE, THERE}


def test_a_hint_with_new_addresses_drops_the_old_ones_that_do_not_answer() -> None:
    listed = hint_games(ANA, HERE, THERE)
    listed.take_due(0.0)
    listed.note_answer(HERE, ANA, 0.0)
    elsewhere = Address("10.0.0.3", 7341)
    listed.note_hint(ANA, [elsewhere], 1.0)
    assert listed.list_games(1.0)[0].addresses == (HERE, elsewhere)


def test_an_address_belongs_to_the_table_that_answers_there() -> None:
    listed = hint_games()
    listed.take_due(0.0)
    listed.note_answer(HERE, BRUNO, 0.1)
    assert statuses(listed, games.CHECK_TIMEOUT_S) == {"Bruno": games.GameStatus.JOINABLE}


def test_silence_takes_a_game_off_the_list_and_an_answer_brings_it_back() -> None:
    listed = find_game()
    assert listed.list_games(games.ADDRESS_LOST_AFTER_S - 0.01)
    assert listed.list_games(games.ADDRESS_LOST_AFTER_S) == ()
    assert listed.take_due(30.0) == (HERE,)
    listed.note_answer(HERE, ANA, 30.0)
    assert listed.list_games(30.0)


def test_a_goodbye_takes_a_game_off_until_it_answers() -> None:
    listed = find_game()
    listed.note_goodbye(ANA.label)
    assert listed.list_games(1.0) == ()
    assert listed.take_due(1.0) == ()
    listed.note_answer(HERE, ANA, 1.01, is_broadcast=True)
    assert statuses(listed, 1.01) == {"Ana": games.GameStatus.JOINABLE}


def test_a_table_that_mdns_names_no_more_is_forgotten() -> None:
    listed = hint_games()
    assert listed.take_due(games.FORGET_AFTER_S - 0.01) == (HERE,)
    assert listed.list_games(games.FORGET_AFTER_S - 0.01)
    assert listed.take_due(games.FORGET_AFTER_S) == ()
    assert listed.list_games(games.FORGET_AFTER_S) == ()


def test_a_sought_address_is_listed_if_somebody_plays_there_then_forgotten() -> None:
    listed = new_games()
    listed.seek([HERE, THERE])
    listed.seek([HERE])
    assert listed.take_due(0.0) == (HERE, THERE)
    listed.note_answer(HERE, ANA, 0.1)
    assert statuses(listed, 0.1) == {"Ana": games.GameStatus.JOINABLE}
    assert HERE in listed.take_due(games.FORGET_AFTER_S)
    assert HERE not in listed.take_due(0.2 + games.FORGET_AFTER_S)
    assert listed.list_games(0.2 + games.FORGET_AFTER_S) == ()


def test_games_of_one_name_or_none_get_titles_that_differ() -> None:
    listed = new_games()
    adverts = [
        ANA,
        replace(ANA, id="cccc000000000003", name="ana"),
        BRUNO,
        replace(ANA, id="dddd000000000004", name=""),
    ]
    for number, advert in enumerate(adverts):
        listed.note_answer(Address("10.0.0.1", 7341 + number), advert, 0.0)
    titles = [game.title for game in listed.list_games(0.0)]
    assert titles == ["(dddd)", "Ana (aaaa)", "ana (cccc)", "Bruno"]


steps = st.lists(
    st.tuples(
        st.sampled_from(["hint", "answer", "call", "goodbye", "seek", "here", "due", "due"]),
        st.integers(0, 3),
        st.lists(st.integers(0, 3), max_size=4),
        st.floats(0, 5),
    ),
    max_size=60,
)


@given(steps)
def test_the_list_stays_sound_always(happened: list[tuple[str, int, list[int], float]]) -> None:
    """Addresses lead to one live table each, and silence empties the list."""
    listed = new_games()
    now = 0.0
    for what, table, places, passed in happened:
        now += passed
        advert = advert_number(table)
        addresses = [Address(f"10.0.0.{place % 2}", 7341 + place) for place in places]
        match what:
            case "hint":
                listed.note_hint(advert, addresses, now)
            case "answer" | "call":
                for address in addresses:
                    listed.note_answer(address, advert, now, is_broadcast=what == "call")
            case "here":
                listed.set_networks([Network("10.0.0.99", 32 - place) for place in places])
            case "goodbye":
                listed.note_goodbye(advert.label)
            case "seek":
                listed.seek(addresses)
            case _:
                listed.take_due(now)
        shown = listed.list_games(now)
        assert len({game.title for game in shown}) == len(shown)
        assert all(game.addresses for game in shown)
    listed.take_due(now)
    assert listed.take_due(now) == ()
    listed.take_due(now + games.FORGET_AFTER_S)
    assert listed.list_games(now + games.FORGET_AFTER_S) == ()


MOVED = replace(ANA, term=1, players=3)
"""Ana's table, at the computer of another host."""


def test_a_table_that_two_hosts_announce_is_one_row_with_the_later_host_first() -> None:
    listed = find_game()
    listed.note_hint(MOVED, [THERE], 1.0)
    listed.note_answer(THERE, MOVED, 1.1)
    listed.note_answer(HERE, ANA, 1.2)
    listed.note_hint(ANA, [HERE], 1.3)
    (game,) = listed.list_games(1.4)
    assert (game.advert, game.addresses) == (MOVED, (THERE, HERE))
    (again,) = listed.list_games(1.1 + games.ADDRESS_LOST_AFTER_S)
    assert again.addresses == (HERE, THERE), "the later host is silent"
    listed.note_answer(HERE, ANA, 1.3 + games.ADDRESS_LOST_AFTER_S)
    (again,) = listed.list_games(1.3 + games.ADDRESS_LOST_AFTER_S)
    assert again.advert == ANA


def test_the_goodbye_of_an_earlier_host_changes_nothing() -> None:
    listed = find_game()
    listed.note_answer(THERE, MOVED, 1.0)
    listed.note_goodbye(ANA.label)
    assert len(listed.list_games(1.1)) == 1
    listed.note_goodbye(MOVED.label)
    assert listed.list_games(1.1) == ()


STRANGER = replace(ANA, term=9)
"""What a stranger answers in the name of Ana's table."""


@pytest.mark.parametrize(
    "forged", [replace(STRANGER, name="Eve"), replace(STRANGER, versions=Versions(9, 9))]
)
def test_a_stranger_who_names_a_table_otherwise_does_not_hide_it(forged: Advert) -> None:
    for stranger_first in (True, False):
        listed = new_games()
        answers = [(ANA, HERE), (forged, THERE)]
        for advert, address in reversed(answers) if stranger_first else answers:
            listed.note_hint(advert, [address], 0.0)
            listed.note_answer(address, advert, 0.0)
        (game,) = [game for game in listed.list_games(0.1) if game.advert == ANA]
        assert (game.status, game.addresses) == (games.GameStatus.JOINABLE, (HERE,))


# The hosts of one table in the list of games: where it answers, and what makes another row.


FORMER = replace(ANA, people=1)
"""Ana's table at its former host, who is alone."""

LATER = replace(ANA, term=18, plays=True, people=2)
"""Ana's table, which goes on at the computer of another."""


def test_each_host_of_a_table_is_known_with_the_standing_of_its_own() -> None:
    listed = find_game(FORMER)
    listed.note_answer(THERE, LATER, 0.1)
    listed.note_answer(FAR_AWAY, BRUNO, 0.1)
    hosts = listed.find_hosts(ANA.id, 0.2)
    assert dict(hosts) == {HERE: FORMER.rank, THERE: LATER.rank}
    assert len(hosts) == 2
    assert listed.find_hosts(BRUNO.id, 0.2) == ((FAR_AWAY, BRUNO.rank),)
    assert listed.find_hosts("cccc000000000003", 0.2) == ()


def test_copies_that_all_play_are_listed_each_with_a_title_of_its_own() -> None:
    listed = find_game(replace(FORMER, plays=True))
    listed.note_answer(THERE, LATER, 0.1)
    games_now = listed.list_games(0.2)
    assert {game.addresses: game.advert.term for game in games_now} == {(HERE,): 0, (THERE,): 18}
    assert len({game.title for game in games_now}) == len({game.row for game in games_now}) == 2
    (one,) = listed.list_games(0.15 + games.ADDRESS_LOST_AFTER_S - 0.1)
    assert one.addresses[0] == THERE, "once one of them is gone, the other is the table"


def test_a_stranger_with_fifteen_addresses_keeps_no_host_out_and_all_are_asked_at_once() -> None:
    listed = new_games()
    loudest = replace(ANA, plays=True, people=127, term=65000)
    for number in range(15):
        for port in range(7341, 7351):
            at = Address(f"10.0.0.{100 + number}", port)
            listed.note_answer(at, loudest, 0.0, is_broadcast=True)
    listed.note_answer(THERE, ANA, 0.1, is_broadcast=True)
    hosts = [at for at, _rank in listed.find_hosts(ANA.id, 0.1)]
    assert THERE in hosts
    assert len(hosts) <= MAX_ASKED


def test_a_computer_that_answers_at_many_ports_keeps_no_host_out() -> None:
    listed = new_games()
    for number in range(10):
        listed.note_answer(Address("10.0.0.66", 7341 + number), LATER, 0.0)
    listed.note_answer(HERE, FORMER, 0.1)
    hosts = dict(listed.find_hosts(ANA.id, 0.2))
    assert hosts[HERE] == FORMER.rank
    assert len(hosts) == games.MAX_PORTS_PER_HOST + 1


def test_a_host_that_is_silent_or_was_only_named_is_none() -> None:
    listed = find_game(FORMER)
    listed.note_hint(LATER, [THERE], 0.1)
    assert listed.find_hosts(ANA.id, 0.2) == ((HERE, FORMER.rank),)
    listed.note_answer(THERE, LATER, 1.0)
    assert listed.find_hosts(ANA.id, games.ADDRESS_LOST_AFTER_S) == ((THERE, LATER.rank),)
    assert listed.find_hosts(ANA.id, 1.0 + games.ADDRESS_LOST_AFTER_S) == ()


def test_a_row_stays_the_same_as_a_game_begins_and_as_it_moves() -> None:
    listed = find_game(FORMER)
    (before,) = listed.list_games(0.1)
    listed.note_answer(THERE, replace(LATER, players=5), 0.2)
    (after,) = listed.list_games(0.3)
    assert after.advert != before.advert
    assert after.advert.row == before.advert.row


def test_a_table_on_other_networks_alone_is_listed_as_elsewhere_unless_it_answers() -> None:
    listed = new_games()
    listed.note_hint(ANA, [FAR_AWAY], 0.0)
    assert listed.take_due(0.0) == ()
    assert statuses(listed, games.CHECK_TIMEOUT_S) == {"Ana": games.GameStatus.ELSEWHERE}
    listed.note_answer(FAR_AWAY, ANA, games.CHECK_TIMEOUT_S)
    assert statuses(listed, games.CHECK_TIMEOUT_S) == {"Ana": games.GameStatus.JOINABLE}


def test_no_hint_makes_us_ask_off_our_networks_or_everybody_there() -> None:
    listed = new_games()
    everybody = Address("10.255.255.255", 7341)
    listed.note_hint(ANA, [FAR_AWAY, everybody, HERE], 0.0)
    assert listed.take_due(0.0) == (HERE,)


def test_a_change_of_networks_asks_those_who_are_near_now() -> None:
    listed = new_games()
    listed.note_hint(ANA, [FAR_AWAY], 0.0)
    assert listed.take_due(0.0) == ()
    listed.set_networks([Network("203.0.113.9", 24)])
    assert listed.take_due(0.1) == (FAR_AWAY,)
    assert statuses(listed, games.CHECK_TIMEOUT_S) == {"Ana": games.GameStatus.UNREACHABLE}


def test_after_an_hour_of_sleep_nothing_is_listed_until_it_answers_again() -> None:
    listed = find_game()
    listed.note_hint(BRUNO, [THERE], 0.0)
    assert listed.take_due(3600.0) == ()
    assert listed.list_games(3600.0) == ()
    listed.note_answer(HERE, ANA, 3600.0, is_broadcast=True)
    assert statuses(listed, 3600.0) == {"Ana": games.GameStatus.JOINABLE}


def test_an_answer_to_a_call_counts_on_our_networks_and_at_the_ports_asked_alone() -> None:
    listed = new_games()
    for address in (FAR_AWAY, Address("10.0.0.1", 5353)):
        listed.note_answer(address, ANA, 0.0, is_broadcast=True)
    assert listed.list_games(0.0) == ()


def test_an_answer_to_a_call_takes_no_address_from_a_table_that_answers_there() -> None:
    listed = find_game()
    listed.note_answer(HERE, BRUNO, 0.1, is_broadcast=True)
    assert statuses(listed, 0.1) == {"Ana": games.GameStatus.JOINABLE}
    listed.note_answer(HERE, BRUNO, games.ADDRESS_LOST_AFTER_S, is_broadcast=True)
    assert statuses(listed, games.ADDRESS_LOST_AFTER_S) == {"Bruno": games.GameStatus.JOINABLE}


def test_a_new_address_that_answers_has_the_place_of_one_that_does_not() -> None:
    listed = new_games()
    numbers = range(1, games.MAX_ADDRESSES_PER_TABLE + 1)
    listed.note_hint(ANA, [Address(f"10.0.0.{number}", 7341) for number in numbers], 0.0)
    new = Address("10.1.1.1", 7341)
    listed.note_answer(new, ANA, 0.0)
    addresses = listed.list_games(0.0)[0].addresses
    assert addresses[0] == new
    assert len(addresses) == games.MAX_ADDRESSES_PER_TABLE


def test_a_new_address_waits_while_all_others_of_its_table_answer() -> None:
    listed = new_games()
    for number in range(1, games.MAX_ADDRESSES_PER_TABLE + 1):
        listed.note_answer(Address(f"10.0.0.{number}", 7341), ANA, 0.0)
    new = Address("10.1.1.1", 7341)
    listed.note_answer(new, ANA, 0.0)
    assert new not in listed.list_games(0.0)[0].addresses
    listed.note_answer(new, ANA, games.ADDRESS_LOST_AFTER_S)
    assert new in listed.list_games(games.ADDRESS_LOST_AFTER_S)[0].addresses


def test_forged_hints_never_push_out_a_game_that_answers() -> None:
    listed = find_game()
    for number in range(10 * games.MAX_TABLES):
        listed.note_hint(advert_number(number), [Address("10.9.9.9", 2000 + number)], 0.5)
    assert len(listed.list_games(0.5 + games.CHECK_TIMEOUT_S)) == games.MAX_TABLES
    assert statuses(listed, 0.5 + games.CHECK_TIMEOUT_S)["Ana"] is games.GameStatus.JOINABLE


def test_a_full_list_of_games_that_answer_takes_no_more() -> None:
    listed = new_games()
    for number in range(games.MAX_TABLES):
        listed.note_answer(Address("10.0.0.1", 2000 + number), advert_number(number), 0.0)
    listed.note_hint(ANA, [THERE], 0.0)
    listed.note_answer(THERE, ANA, 0.0)
    assert len(listed.list_games(0.0)) == games.MAX_TABLES
    assert "Ana" not in statuses(listed, 0.0)


def test_a_game_has_a_limited_number_of_addresses() -> None:
    listed = new_games()
    listed.note_hint(ANA, [Address(f"10.0.0.{number}", 7341) for number in range(1, 100)], 0.0)
    assert len(listed.take_due(0.0)) == games.MAX_ADDRESSES_PER_TABLE
    for number in range(1, 20):
        listed.note_answer(Address(f"10.0.0.{number}", 7341), ANA, 0.0)
    assert len(listed.list_games(0.0)[0].addresses) == games.MAX_ADDRESSES_PER_TABLE


def test_no_flood_of_hints_makes_us_ask_more_than_so_often() -> None:
    listed = new_games()
    asked = 0
    for number in range(500):
        listed.note_hint(advert_number(number), [Address("10.9.9.9", 2000 + number)], 0.0)
        asked += len(listed.take_due(0.0))
    assert asked == games.QUERY_LIMIT.burst
    assert len(listed.take_due(0.1)) == games.QUERY_LIMIT.rate * 0.1
