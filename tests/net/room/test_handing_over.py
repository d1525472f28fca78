"""A table that is handed over, or goes on elsewhere: who comes late, goes again, or says too much.

Everything goes wrong for nobody but who went wrong: guests cannot choose cards or stop others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace as with_fields

import pytest
from msgspec.structs import replace

from engine.events import Skipped
from engine.facts import secrets_of
from net.discovery.advert import Standing
from net.protocol.lobby import Presence, Settings, Stage
from net.protocol.lobby_events import BroughtBack, DrawnAnew, PresenceChanged, Reopened
from net.protocol.messages import (
    KNOWLEDGE_BYTES,
    NOTHING_SEEN,
    BeginNow,
    ClientMessage,
    CloseReason,
    CommitShare,
    EnterTable,
    Gathering,
    GoneOver,
    Knowledge,
    KnowledgeWanted,
    Refusal,
    ShowShare,
    Welcome,
    write_told,
)
from net.protocol.requests import GiveHost, HandOver, Kick, TakeHost
from net.room import inputs
from tests.net.room.moved_table import fall_behind, gathers, lose_host, move_to, seat_of, tick
from tests.net.room.room_fixture import Guest, Table, key_of, midway, play_on, playing

ALL = ("Ann", "Ben", "Cleo")
LONG = Settings(seats=3, rounds=3)
NOTHING = Knowledge(write_told(None))
GARBAGE = Knowledge(b"\xff" * KNOWLEDGE_BYTES)


def questions(guest: Guest) -> int:
    """How often a guest's program was asked what its seat knows."""
    return sum(isinstance(message, KnowledgeWanted) for message in guest.got)


def waiting_for(guest: Guest) -> tuple[str, ...]:
    """For whom the table waits, as somebody was last told."""
    return [message.waiting for message in guest.got if isinstance(message, Gathering)][-1]


def host_lost(settings: Settings = LONG) -> Table:
    """A table whose host is lost after some moves."""
    table = midway(4, settings)
    lose_host(table)
    return table


def telling(told: Knowledge) -> Callable[[ClientMessage], ClientMessage]:
    """What tells this in the place of what a program knows."""
    return lambda message: told if isinstance(message, Knowledge) else message


def gone_on(cleo: Knowledge | None = None, table: Table | None = None) -> Table:
    """A table that goes on at Ben's; Cleo came, and may tell what she does not know."""
    there = move_to(table or host_lost(), "Ben")
    if cleo is not None:
        there.changes["Cleo"] = telling(cleo)
    there.come_all("Ben", "Cleo")
    assert not gathers(there)
    return there


def handed_over() -> Table:
    """A table that Ann hands over to Ben, who has taken it."""
    table = playing(LONG)
    assert table.wants("Ann", GiveHost(2)) is None
    assert table.wants("Ben", TakeHost()) is None
    return table


# At the table that is left.


def test_a_table_that_is_handed_over_shows_strangers_that_nobody_plays_there() -> None:
    assert playing(LONG).room.standing == Standing(plays=True, people=3, term=0)
    assert handed_over().room.standing == Standing(plays=False, people=0, term=0)


def test_a_host_whose_program_has_gone_over_closes_the_table_and_all_hear_that_it_moved() -> None:
    table = handed_over()
    effects = table.say(table.people["Ann"], GoneOver())
    assert effects.finished
    assert table.lobby.stage is Stage.CLOSED
    assert {person.farewell for person in table.people.values()} == {CloseReason.MOVED}


def test_nobody_but_the_host_says_that_the_table_has_gone_over() -> None:
    table = handed_over()
    effects = table.say(table.people["Cleo"], GoneOver())
    assert not effects.finished
    assert table.people["Cleo"].farewell is CloseReason.OUT_OF_ORDER
    assert table.lobby.stage is Stage.PLAYING
    assert not table.people["Ann"].ended


# Until the table goes on.


@pytest.mark.parametrize("is_silent", [True, False])
def test_whose_connection_is_ended_while_a_table_gathers_is_waited_for_no_longer_than_others(
    is_silent: bool,  # noqa: FBT001 - a parameter
) -> None:
    there = move_to(handed_over(), "Ben", is_handed_over=True)
    there.come_all("Ben", "Cleo")
    ben, cleo = there.people["Ben"], there.people["Cleo"]
    if not is_silent:
        there.say(cleo, cleo.client.begin_connection())  # which no honest program says twice
    for _ in range(42):
        there.now += 0.5
        there.say(ben, ben.client.ping())
        there.happen(inputs.tick(there.room, there.now))
    assert cleo.farewell is (CloseReason.TOO_SLOW if is_silent else CloseReason.OUT_OF_ORDER)
    assert waiting_for(ben) == ("Ann", "Cleo")
    assert not gathers(there)
    assert there.lobby.relocations[-1].anew == (0, 2)


def test_a_table_whose_round_not_all_saw_dealt_goes_on_in_its_lobby_once_time_is_up() -> None:
    table = handed_over()
    lose_host(table)
    cleo = table.people["Cleo"]
    while cleo.client.status.view is not None:
        fall_behind(cleo)
    there = move_to(table, "Ben", is_handed_over=True)
    there.come_all("Ben", "Cleo")
    tick(there, 16.5)
    assert gathers(there)
    there.now += 0.5
    there.happen(inputs.tick(there.room, there.now))
    assert not gathers(there)
    assert there.lobby.stage is Stage.LOBBY
    assert there.lobby.host == 2
    assert questions(cleo) == 0, "nobody knows a secret of it"
    assert {person.name for person in there.lobby.people if person.presence is Presence.THERE} == {
        "Ben",
        "Cleo",
    }


def test_who_first_came_after_the_step_from_which_a_table_goes_on_is_not_let_in() -> None:
    table = playing(LONG)
    dan = table.come("Dan", watch=True)
    lose_host(table)
    cleo = table.people["Cleo"]
    held = cleo.client.status.game_state
    while held is not None and held.lobby.has_name("Dan"):
        fall_behind(cleo)
        held = cleo.held
    there = move_to(table, "Ben")
    dan = there.come("Dan", watch=True)
    there.come_all("Ben", "Cleo")
    assert not gathers(there)
    assert dan.refusals == [Refusal.NOT_NOW]
    assert not there.lobby.has_name("Dan")
    assert not any(isinstance(message, Welcome) for message in dan.got)


def test_a_table_that_gathers_and_is_brought_back_gathers_on() -> None:
    there = move_to(host_lost(), "Ben")
    there.come("Ben")
    there.crash()
    assert gathers(there)
    assert there.disk == [], "nothing has happened there"
    there.come_all("Ben", "Cleo")
    assert not gathers(there)
    assert Reopened() not in there.people["Ben"].news
    assert there.lobby.relocations[-1].anew == (0,)


def test_what_was_asked_before_a_table_went_on_may_come_after_it() -> None:
    there = gone_on()
    before, ben = len(there.disk), there.people["Ben"]
    there.say(ben, BeginNow())
    there.say(there.people["Cleo"], NOTHING)
    assert len(there.disk) == before
    assert not ben.ended
    assert not there.people["Cleo"].ended


# Before the first move.


def test_who_could_tell_nothing_keeps_the_cards_drawn_anew_when_they_come_again() -> None:
    there = gone_on(NOTHING)
    assert there.lobby.relocations[-1].anew == (0, 2)
    drawn = there.people["Cleo"].view
    there.drop("Cleo")
    cleo = there.come("Cleo")
    assert questions(cleo) == 0, "what they have seen here is their own"
    assert there.people["Cleo"].view == drawn


def test_a_watcher_who_saw_less_than_all_others_sees_what_they_do() -> None:
    table = host_lost()
    wim = table.people["Wim"]
    fall_behind(wim)
    fall_behind(wim)
    there = gone_on(table=table)
    wim = there.come("Wim", watch=True)
    assert [message.gone for message in wim.got if isinstance(message, Welcome)] == [0], (
        "nothing is lost"
    )
    assert there.people["Wim"].view.table == there.people["Ben"].view.table
    assert questions(wim) == 0


def test_who_tells_what_no_program_does_is_not_let_in_but_may_come_again() -> None:
    before = host_lost()
    known = before.people["Ann"].view
    there = gone_on(table=before)
    there.changes["Ann"] = telling(GARBAGE)
    ann = there.come("Ann")
    assert ann.farewell is CloseReason.OUT_OF_ORDER
    assert not any(isinstance(message, Welcome) for message in ann.got)
    assert there.lobby.relocations[-1].anew == (0,)
    there.changes.clear()
    there.come("Ann")
    assert there.people["Ann"].view == known
    assert BroughtBack(0) in there.people["Cleo"].news


def test_who_is_removed_from_an_open_table_while_their_program_is_asked_is_not_let_in() -> None:
    there = gone_on(table=host_lost(replace(LONG, is_open=True)))
    there.holds["Ann"] = (Knowledge,)
    ann = there.come("Ann")
    assert there.wants("Ben", Kick(1)) is None
    there.holds.clear()
    ann.forget()  # as a program may that wants to stay
    there.say(ann, NOTHING)
    assert not there.lobby.has_name("Ann")
    assert ann.farewell is CloseReason.KICKED


def test_all_are_told_with_the_first_move_whose_cards_stay_drawn_anew() -> None:
    there = gone_on(NOTHING)
    there.drop("Cleo")
    there.come("Cleo")
    there.come("Ann")
    play_on(there, 1, "random")
    assert DrawnAnew((2,)) in there.people["Ben"].news, "Ann brought hers"


# A host whose computer slept.


def test_who_returns_before_a_table_is_opened_again_is_there_at_once() -> None:
    table = playing(LONG)
    table.resume()
    table.come("Ben")
    table.happen(inputs.reopen(table.room, table.now))
    presence = {person.name: person.presence for person in table.lobby.people}
    assert presence == {
        "Ann": Presence.GONE,
        "Ben": Presence.THERE,
        "Cleo": Presence.GONE,
        "Wim": Presence.GONE,
    }
    assert table.people["Ben"].news[-2:] == [Reopened(), PresenceChanged(2, Presence.THERE)]


def test_a_host_that_slept_while_it_was_brought_back_counts_on_nobody() -> None:
    table = playing(LONG)
    table.resume()
    table.now += 60
    table.happen(inputs.tick(table.room, table.now))
    assert {person.presence for person in table.lobby.people} == {Presence.SHAKY}
    assert not table.room.may_play
    table.happen(inputs.reopen(table.room, table.now))
    assert {person.presence for person in table.lobby.people} == {Presence.GONE}


def test_a_host_that_slept_believes_no_pings_that_came_meanwhile() -> None:
    table = playing(LONG)
    table.now += 60
    for name in ALL:  # Ben and Cleo have gone on elsewhere since
        table.say(table.people[name], table.people[name].client.ping())
    assert not table.room.may_play
    table.wait(3, "Ben", "Cleo")
    assert not table.room.may_play
    table.wait(0.5, "Cleo")
    assert table.room.may_play, "Ann and Ben are there"


def test_a_host_that_slept_while_its_table_gathers_gathers_on() -> None:
    there = move_to(host_lost(), "Ben")
    there.come("Ben")
    there.now += 60
    there.happen(inputs.tick(there.room, there.now))
    assert there.disk == []
    assert gathers(there)
    there.come("Cleo")
    assert not gathers(there)


ANSWERS = (Knowledge, CommitShare, ShowShare)


def at_bens(*behind: str, moves: int = 4, is_handed_over: bool = True) -> Table:
    """A table that goes on at Ben's computer; some say that they have not seen the last step."""
    table = midway(moves, LONG)
    lose_host(table, *behind)
    return move_to(table, "Ben", is_handed_over=is_handed_over)


def test_who_goes_as_soon_as_all_are_asked_pushes_nobody_out_who_has_not_answered_yet() -> None:
    there = at_bens()
    cleos = there.people["Cleo"].view
    there.holds = dict.fromkeys(("Ann", "Cleo"), ANSWERS)
    there.come_all("Ben", "Cleo", "Ann")
    there.drop("Ann")
    there.holds = {}
    tick(there, 0.5)
    assert not there.people["Cleo"].ended
    assert there.room.gathering is None
    assert there.lobby.relocations[-1].anew == (seat_of(there.lobby, "Ann"),)
    assert there.people["Cleo"].view == cleos


def test_who_has_seen_less_and_goes_leaves_nobody_at_odds() -> None:
    there = at_bens("Ann", moves=8)
    there.holds = {"Ann": ANSWERS}
    there.come_all("Ben", "Cleo", "Ann")
    there.drop("Ann")
    tick(there, 0.5)
    assert there.room.gathering is None
    (relocation,) = there.lobby.relocations
    assert (relocation.at_odds, relocation.anew) == ((), (seat_of(there.lobby, "Ann"),))


def test_two_who_answer_by_turns_do_not_have_a_table_gather_for_ever() -> None:
    there = at_bens()
    there.holds = {"Cleo": ANSWERS}
    there.come_all("Ben", "Cleo", "Ann")
    for silent in ("Ann", "Cleo", "Ann"):
        there.holds = {silent: ANSWERS}
        tick(there, 3.5)
        for name in ("Ann", "Cleo"):
            if there.people[name].ended and there.room.gathering is not None:
                there.come(name)
    assert there.room.gathering is None


def begin(table: Table, connection: int, name: str) -> None:
    """Somebody comes in one more connection, without giving up another."""
    table.happen(inputs.add_connection(table.room, table.now, connection, key_of(name)))
    enter = EnterTable(name, watch=False, incarnation=0, seen=NOTHING_SEEN)
    inputs.receive(table.room, table.now, connection, enter)


def test_a_seat_brings_its_cards_once_in_however_many_connections_it_is_asked() -> None:
    there = at_bens(is_handed_over=False)
    anns = there.people["Ann"].view
    there.come_all("Ben", "Cleo")
    for connection in (101, 102):
        begin(there, connection, "Ann")
    inputs.receive(there.room, there.now, 101, Knowledge(write_told(None)))
    drawn = there.room.state.view(0)
    other = Knowledge(write_told(secrets_of(anns)))
    inputs.receive(there.room, there.now, 102, other)
    assert there.room.state.view(0) == drawn, "it has seen these, and cannot choose between two"


def test_who_is_given_a_seat_and_has_seen_its_gold_keeps_it() -> None:
    table = playing(LONG)
    play_on(table)
    anns = secrets_of(table.people["Ann"].view)
    lose_host(table)
    there = move_to(table, "Ben")
    there.come_all("Ben", "Cleo")
    there.come("Wim", watch=True)
    wim = there.people["Wim"].member
    assert there.wants("Ben", HandOver(0, wim)) is None
    drawn = there.room.state.view(0)
    begin(there, 101, "Wim")
    inputs.receive(there.room, there.now, 101, Knowledge(write_told(anns)))
    assert there.room.state.view(0) == drawn


def test_a_program_that_says_it_has_seen_less_takes_steps_back_in_sight_of_all() -> None:
    table = midway(12, LONG)
    number = table.room.state.number
    lose_host(table)
    for _ in range(5):
        fall_behind(table.people["Cleo"])
    there = move_to(table, "Ben")
    there.come_all("Ben", "Cleo")
    gone = [heard.gone for heard in there.people["Ben"].received if heard.gone]
    assert gone == [5]
    assert there.room.state.number < number


def test_a_table_whose_lost_host_told_of_what_no_game_has_goes_on_in_its_lobby() -> None:
    table = midway(4, LONG)
    lose_host(table)
    for guest in table.people.values():
        held = guest.client.kept.pop()
        assert held.view is not None
        held = with_fields(held, view=held.view.after(Skipped(1)))
        guest.client.kept.append(held)
        guest.client.status = with_fields(guest.client.status, game_state=held)
    there = move_to(table, "Ben")
    there.come_all("Ben", "Cleo")
    assert there.room.gathering is None
    assert there.lobby.stage is Stage.LOBBY
    for name in ("Ben", "Cleo"):
        assert there.people[name].client.entered
        assert there.people[name].client.status.view is None
