"""The list of games: what hints, answers, goodbyes and silence make of it, second by second."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.discovery.address import Address
from net.discovery.game import Appeared, Changed, Game, Gone, Status, called, changes, titled
from net.discovery.games import LINGER
from net.discovery.networks import Network
from net.discovery.questions import Heard
from net.discovery.status import CHECKING
from net.discovery.table import (
    BEST_EVERY,
    FORGET,
    LOST_AFTER,
    NAMED_FOR,
    OTHERS_EVERY,
)
from net.secure.versions import Versions
from tests.net.discovery.listing import (
    ANA,
    BRUNO,
    HERE,
    THERE,
    advert_number,
    answered,
    found,
    new_games,
    statuses,
)


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


def test_a_table_that_takes_its_answer_back_is_gone_though_mdns_never_named_it() -> None:
    games = new_games()
    heard = Heard(HERE, 0.0, ANA)
    games.answer_to_call(heard, 0.0)
    games.taken_back(Heard(HERE, 0.0, BRUNO), 0.1)
    games.taken_back(Heard(THERE, 0.0, ANA), 0.1)
    assert list(statuses(games, 0.1)) == ["Ana"], "neither knows it"
    games.taken_back(heard, 0.2)
    assert not games.listing(0.2)
    games.answer(heard, 0.3)
    assert not games.listing(0.3), "it was asked before"
    answered(games, ANA, HERE, 0.4)
    assert list(statuses(games, 0.4)) == ["Ana"]


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


def test_a_table_that_mdns_names_no_more_is_forgotten() -> None:
    games = new_games()
    games.hint(ANA, [HERE], 0.0)
    assert games.listing(NAMED_FOR - 0.01)
    assert games.listing(NAMED_FOR) == ()
    games.due(FORGET)
    assert games.due(FORGET + 9.0) == ()


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
