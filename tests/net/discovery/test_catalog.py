"""The list of games: what hints, answers, goodbyes and silence make of it, second by second."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.discovery.advert import Advert
from net.discovery.candidates import (
    BEST_ADDRESS_INTERVAL_S,
    CHECK_TIMEOUT_S,
    DOUBT_S,
    FORGET_AFTER_S,
    GOODBYE_LINGER_S,
    HINT_LIFETIME_S,
    LOST_AFTER_S,
    OTHER_ADDRESS_INTERVAL_S,
)
from net.discovery.catalog import DiscoveredGame, GameStatus, games_named
from net.discovery.networks import Network
from net.discovery.probe import ProbeReply
from net.protocol import Versions
from net.secure.address import Address
from tests.net.discovery.catalog_fixture import (
    ANA,
    BRUNO,
    HERE,
    THERE,
    advert_number,
    answer_probe,
    find_game,
    new_games,
    statuses,
)


def test_a_hint_is_asked_at_once_and_listed_once_it_answers() -> None:
    catalog = new_games()
    catalog.hint(ANA, [HERE], 10.0)
    assert catalog.due(10.0) == (HERE,)
    assert catalog.listing(10.0) == ()
    answer_probe(catalog, replace(ANA, players=4), HERE, 10.1)
    assert catalog.listing(10.1) == (
        DiscoveredGame("Ana", replace(ANA, players=4), GameStatus.JOINABLE, (HERE,)),
    )


def test_a_hint_that_nobody_answers_for_is_listed_as_unreachable_and_asked_ever_more_rarely() -> (
    None
):
    catalog = new_games()
    catalog.hint(ANA, [HERE], 0.0)
    assert catalog.listing(CHECK_TIMEOUT_S - 0.01) == ()
    assert statuses(catalog, CHECK_TIMEOUT_S) == {"Ana": GameStatus.UNREACHABLE}
    asked = [step / 8 for step in range(8 * 33) for _ in catalog.due(step / 8)]
    assert asked == [0.0, 0.25, 0.75, 1.75, 3.75, 7.75, 15.75, 23.75, 31.75]
    catalog.hint(replace(ANA, players=2), [HERE], 33.0)
    assert catalog.listing(33.0)[0].advert.players == 2
    assert catalog.due(33.0) == ()


@pytest.mark.parametrize(
    ("theirs", "status"),
    [
        (Versions(1, 1), GameStatus.UPDATE_THEIRS),
        (Versions(4, 5), GameStatus.UPDATE_OURS),
        (Versions(3, 4), GameStatus.JOINABLE),
    ],
    ids=str,
)
def test_a_version_that_does_not_fit_says_which_side_to_update(
    theirs: Versions, status: GameStatus
) -> None:
    catalog = find_game(replace(ANA, versions=theirs))
    assert statuses(catalog, 0.0) == {"Ana": status}


def test_a_hint_alone_tells_of_a_version_too() -> None:
    catalog = new_games()
    catalog.hint(replace(ANA, versions=Versions(9, 9)), [HERE], 0.0)
    assert statuses(catalog, CHECK_TIMEOUT_S) == {"Ana": GameStatus.UPDATE_OURS}


def test_a_game_that_answers_is_asked_twice_a_second_and_at_once_when_there_is_news() -> None:
    catalog = find_game()
    assert catalog.due(BEST_ADDRESS_INTERVAL_S - 0.01) == ()
    assert catalog.due(BEST_ADDRESS_INTERVAL_S) == (HERE,)
    answer_probe(catalog, ANA, HERE, BEST_ADDRESS_INTERVAL_S)
    catalog.hint(replace(ANA, players=5), [HERE], 0.6)
    assert catalog.listing(0.6)[0].advert.players == 1, "an answer is believed before a hint"
    assert catalog.due(0.6) == (HERE,)
    answer_probe(catalog, replace(ANA, players=5), HERE, 0.6)
    assert catalog.listing(0.6)[0].advert.players == 5


def test_several_addresses_of_one_table_are_one_game_the_answering_first() -> None:
    catalog = new_games()
    catalog.hint(ANA, [THERE, HERE], 0.0)
    assert catalog.due(0.0) == (HERE, THERE)
    answer_probe(catalog, ANA, THERE, 0.1)
    assert catalog.listing(0.1)[0].addresses == (THERE, HERE)
    answer_probe(catalog, ANA, HERE, 0.2)
    assert catalog.listing(0.2)[0].addresses == (HERE, THERE)
    assert catalog.due(BEST_ADDRESS_INTERVAL_S) == (HERE,)
    assert set(catalog.due(OTHER_ADDRESS_INTERVAL_S)) == {HERE, THERE}


def test_a_hint_with_new_addresses_drops_the_old_ones_that_do_not_answer() -> None:
    catalog = new_games()
    catalog.hint(ANA, [HERE, THERE], 0.0)
    catalog.due(0.0)
    answer_probe(catalog, ANA, HERE, 0.0)
    elsewhere = Address("10.0.0.3", 7341)
    catalog.hint(ANA, [elsewhere], 1.0)
    assert catalog.listing(1.0)[0].addresses == (HERE, elsewhere)


def test_an_address_belongs_to_the_table_that_answers_there() -> None:
    catalog = new_games()
    catalog.hint(ANA, [HERE], 0.0)
    catalog.due(0.0)
    answer_probe(catalog, BRUNO, HERE, 0.1)
    assert statuses(catalog, CHECK_TIMEOUT_S) == {"Bruno": GameStatus.JOINABLE}


def test_silence_takes_a_game_off_the_list_and_an_answer_brings_it_back() -> None:
    catalog = find_game()
    assert catalog.listing(LOST_AFTER_S - 0.01)
    assert catalog.listing(LOST_AFTER_S) == ()
    assert catalog.due(30.0) == (HERE,)
    answer_probe(catalog, ANA, HERE, 30.0)
    assert catalog.listing(30.0)


def test_a_goodbye_takes_a_game_off_at_once_and_for_good() -> None:
    catalog = find_game()
    catalog.goodbye(ANA.id, 1.0)
    assert catalog.listing(1.0) == ()
    catalog.answer(ProbeReply(HERE, 0.9, ANA), 1.1)
    assert catalog.listing(1.1) == (), "asked before the goodbye"
    for now in (1.0, 1.25, 1.75, 2.75):
        assert catalog.due(now) == (HERE,)
    catalog.due(1.0 + GOODBYE_LINGER_S)
    assert catalog.due(100.0) == ()


def test_a_table_that_takes_its_answer_back_is_gone_though_mdns_never_named_it() -> None:
    catalog = new_games()
    reply = ProbeReply(HERE, 0.0, ANA, is_broadcast=True)
    catalog.answer(reply, 0.0)
    catalog.withdraw(ProbeReply(HERE, 0.0, BRUNO), 0.1)
    catalog.withdraw(ProbeReply(THERE, 0.0, ANA), 0.1)
    assert list(statuses(catalog, 0.1)) == ["Ana"], "neither knows it"
    catalog.withdraw(reply, 0.2)
    assert not catalog.listing(0.2)
    catalog.answer(reply, 0.3)
    assert not catalog.listing(0.3), "it was asked before"
    answer_probe(catalog, ANA, HERE, 0.4)
    assert list(statuses(catalog, 0.4)) == ["Ana"]


def test_a_forged_goodbye_is_undone_by_the_next_answer() -> None:
    catalog = find_game()
    catalog.goodbye(ANA.id, 1.0)
    assert catalog.due(1.0) == (HERE,)
    catalog.answer(ProbeReply(HERE, 1.0, ANA), 1.01)
    assert catalog.listing(1.01) == ()
    catalog.answer(ProbeReply(HERE, 1.02, ANA), 1.03)
    assert statuses(catalog, 1.03) == {"Ana": GameStatus.JOINABLE}


def test_a_goodbye_for_a_game_nobody_knows_changes_nothing() -> None:
    catalog = find_game()
    catalog.goodbye(BRUNO.id, 1.0)
    assert catalog.listing(1.0)


def test_a_game_announced_again_after_its_goodbye_begins_anew() -> None:
    catalog = find_game()
    catalog.goodbye(ANA.id, 1.0)
    catalog.hint(ANA, [THERE], 2.0)
    assert catalog.due(2.0) == (THERE,)
    assert statuses(catalog, 2.0 + CHECK_TIMEOUT_S) == {"Ana": GameStatus.UNREACHABLE}
    answer_probe(catalog, ANA, THERE, 3.5)
    assert catalog.listing(3.5)[0].addresses == (THERE,)


def test_a_table_that_mdns_names_no_more_is_forgotten() -> None:
    catalog = new_games()
    catalog.hint(ANA, [HERE], 0.0)
    assert catalog.listing(HINT_LIFETIME_S - 0.01)
    assert catalog.listing(HINT_LIFETIME_S) == ()
    catalog.due(FORGET_AFTER_S)
    assert catalog.due(FORGET_AFTER_S + 9.0) == ()


def test_a_sought_address_is_listed_if_somebody_plays_there_and_forgotten_in_a_minute() -> None:
    catalog = new_games()
    catalog.seek([HERE, THERE])
    catalog.seek([HERE])
    assert catalog.due(0.0) == (HERE, THERE)
    answer_probe(catalog, ANA, HERE, 0.1)
    assert statuses(catalog, 0.1) == {"Ana": GameStatus.JOINABLE}
    assert catalog.listing(0.1 + FORGET_AFTER_S) == ()
    assert HERE in catalog.due(FORGET_AFTER_S)
    assert HERE not in catalog.due(0.2 + FORGET_AFTER_S)


def test_games_of_one_name_or_none_get_titles_that_differ() -> None:
    catalog = new_games()
    adverts = [
        ANA,
        replace(ANA, id="cccc000000000003", name="ana"),
        BRUNO,
        replace(ANA, id="dddd000000000004", name=""),
    ]
    for number, advert in enumerate(adverts):
        answer_probe(catalog, advert, Address("10.0.0.1", 7341 + number), 0.0)
    listed = catalog.listing(0.0)
    assert [game.title for game in listed] == ["(dddd)", "Ana (aaaa)", "ana (cccc)", "Bruno"]
    assert [game.title for game in games_named(listed, " ANA ")] == ["Ana (aaaa)", "ana (cccc)"]
    assert [game.title for game in games_named(listed, "ana (CCCC)")] == ["ana (cccc)"]
    assert games_named(listed, "Chiara") == ()


steps = st.lists(
    st.tuples(
        st.sampled_from(
            ["hint", "answer", "call", "late", "goodbye", "seek", "here", "port", "due", "due"]
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
    """Addresses lead to one live table each, and silence empties the list."""
    catalog = new_games()
    now = 0.0
    for what, table, places, passed in happened:
        now += passed
        advert = advert_number(table)
        addresses = [Address(f"10.0.0.{place % 2}", 7341 + place) for place in places]
        match what:
            case "hint":
                catalog.hint(advert, addresses, now)
            case "answer" | "late":
                for address in addresses:
                    asked = now if what == "answer" else now - 2.0
                    catalog.answer(ProbeReply(address, asked, advert), now)
            case "call":
                for address in addresses:
                    catalog.answer(ProbeReply(address, now, advert, is_broadcast=True), now)
            case "here":
                catalog.here([Network("10.0.0.99", 32 - place) for place in places])
            case "port":
                for address in catalog.ports_to_check(now):
                    catalog.note_port(address, is_open=bool(table))
            case "goodbye":
                catalog.goodbye(advert.id, now)
            case "seek":
                catalog.seek(addresses)
            case _:
                catalog.due(now)
        shown = catalog.listing(now)
        assert len({game.title for game in shown}) == len(shown)
        assert all(game.addresses for game in shown)
    catalog.due(now)
    catalog.ports_to_check(now)
    assert catalog.due(now) == catalog.ports_to_check(now) == ()
    assert catalog.listing(now + HINT_LIFETIME_S) == ()


MOVED = replace(ANA, term=1, players=3)
"""Ana's table, at the computer of another host."""


def test_a_table_that_two_hosts_announce_is_one_row_with_the_later_host_first() -> None:
    catalog = find_game()
    catalog.hint(MOVED, [THERE], 1.0)
    answer_probe(catalog, MOVED, THERE, 1.1)
    answer_probe(catalog, ANA, HERE, 1.2)
    catalog.hint(ANA, [HERE], 1.3)
    (game,) = catalog.listing(1.4)
    assert (game.advert, game.addresses) == (MOVED, (THERE, HERE))
    (again,) = catalog.listing(1.1 + LOST_AFTER_S)
    assert again.addresses == (HERE, THERE), "the later host is silent"
    answer_probe(catalog, ANA, HERE, 1.3 + LOST_AFTER_S)
    (again,) = catalog.listing(1.3 + LOST_AFTER_S)
    assert again.advert == ANA


def test_the_goodbye_of_an_earlier_host_takes_only_its_address_away() -> None:
    catalog = find_game()
    answer_probe(catalog, MOVED, THERE, 1.0)
    catalog.goodbye(ANA.id, 1.1)
    assert len(catalog.listing(1.1)) == 1
    catalog.withdraw(ProbeReply(HERE, 1.2, ANA), 1.2)
    (game,) = catalog.listing(1.2)
    assert (game.advert, game.addresses) == (MOVED, (THERE,))
    catalog.goodbye(ANA.id, 1.3, MOVED.term)
    assert catalog.listing(1.3) == ()


def test_of_hints_alone_the_later_hosts_counts() -> None:
    catalog = new_games()
    catalog.hint(MOVED, [THERE], 0.0)
    catalog.hint(ANA, [HERE], 0.1)
    (game,) = catalog.listing(CHECK_TIMEOUT_S + 0.1)
    assert game.advert == MOVED


STRANGER = replace(ANA, term=9)
"""What a stranger answers in the name of Ana's table."""


@pytest.mark.parametrize(
    "forged", [replace(STRANGER, name="Eve"), replace(STRANGER, versions=Versions(9, 9))]
)
def test_a_stranger_who_names_a_table_otherwise_does_not_hide_it(forged: Advert) -> None:
    for stranger_first in (True, False):
        catalog = new_games()
        answers = [(ANA, HERE), (forged, THERE)]
        for advert, address in reversed(answers) if stranger_first else answers:
            catalog.hint(advert, [address], 0.0)
            answer_probe(catalog, advert, address, 0.0)
        (game,) = [game for game in catalog.listing(0.1) if game.advert == ANA]
        assert (game.status, game.addresses) == (GameStatus.JOINABLE, (HERE,))


def test_a_strangers_goodbye_speaks_for_its_own_address_alone() -> None:
    catalog = find_game()
    answer_probe(catalog, STRANGER, THERE, 1.0)
    catalog.withdraw(ProbeReply(THERE, 1.1, STRANGER), 1.1)
    (game,) = catalog.listing(1.1)
    assert game.addresses == (HERE,)
    assert HERE in catalog.due(1.1), "it is asked at once whether it is there"
    answer_probe(catalog, ANA, HERE, 1.1)
    assert catalog.listing(1.1 + DOUBT_S)
    catalog.withdraw(ProbeReply(HERE, 2.0, ANA), 2.0)
    assert not catalog.listing(2.0)


def test_a_table_that_says_goodbye_at_one_address_is_gone_at_the_others_soon() -> None:
    catalog = find_game()
    answer_probe(catalog, ANA, THERE, 0.1)
    catalog.withdraw(ProbeReply(HERE, 0.2, ANA), 0.2)
    assert catalog.listing(0.2)
    assert not catalog.listing(0.3 + DOUBT_S)
