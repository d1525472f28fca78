"""Which of two tables stands, and a table that is handed over, sleeps, or is come to too late.

Everything goes wrong for nobody but who went wrong: guests cannot choose cards or stop others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace as with_fields
from itertools import combinations

import pytest
from msgspec.structs import replace

from engine.events import Skipped
from engine.facts import secrets_of
from net.protocol import CopyRank, messages
from net.protocol.copies import next_term, rank_of
from net.protocol.lobby import (
    BotChair,
    Chair,
    Free,
    Lobby,
    Person,
    Presence,
    Settings,
    TablePhase,
    Taken,
)
from net.protocol.lobby_events import BroughtBack, DrawnAnew, PresenceChanged, Reopened
from net.protocol.messages import CloseReason, Knowledge, Refusal, Welcome, encode_knowledge
from net.protocol.requests import (
    ContinueWithout,
    GiveHost,
    HandOver,
    Kick,
    NextRound,
    Pause,
    TakeHost,
)
from net.room import inputs
from tests.net.room.moved_table import (
    can_play,
    gathers,
    lose_host,
    miss_last_step,
    move_to,
    seat_of,
    tick,
)
from tests.net.room.room_fixture import (
    Guest,
    Table,
    key_of,
    play_on,
    three_after_moves,
    three_in_game,
)

ALL = ("Ann", "Ben", "Cleo")
LONG = Settings(seats=3, rounds=3)
NO_KNOWLEDGE = Knowledge(encode_knowledge(None))
GARBAGE = Knowledge(b"\xff" * messages.KNOWLEDGE_BYTES)
ANSWERS = (Knowledge, messages.CommitShare, messages.ShowShare)

# Which of two tables stands.


def lobby_of(*chairs: str, term: int = 0) -> Lobby:
    """Return a table with these chairs: `BOT`, `FREE`, or the presence of a person."""
    lobby = Lobby.empty("Gold Rush", Settings(seats=len(chairs)))
    taken: list[Chair] = []
    people: list[Person] = []
    for seat, word in enumerate(chairs):
        member = len(chairs) - seat  # who came last sits in the lowest seat
        if word in Presence.__members__:
            people.insert(0, Person(member, f"P{member}", Presence[word]))
            taken.append(Taken(member, ready=True))
        else:
            taken.append(Free() if word == "FREE" else BotChair("Borin", "medium"))
    return replace(lobby, chairs=tuple(taken), people=tuple(people), term=term)


@pytest.mark.parametrize(
    ("chairs", "plays"),
    [
        ("there there there", True),
        ("gone there there", True),
        ("there gone gone", False),
        ("there gone bot", True),  # half, with the lowest seat
        ("gone there bot", False),
        ("bot gone there", False),
        ("bot there gone", True),
        ("there there gone gone", True),
        ("gone gone there there", False),
        ("gone there there gone there", True),
        ("away there gone there", True),  # who left is not counted
        ("away gone there bot", False),
        ("away away there", True),
        ("there shaky shaky", False),  # silent for five seconds: maybe at another table
        ("away away away", False),
        ("bot bot free", False),
    ],
)
def test_a_table_plays_while_its_people_are_there(chairs: str, *, plays: bool) -> None:
    assert lobby_of(*chairs.upper().split()).has_its_people is plays


def test_of_people_who_were_cut_apart_at_most_one_group_plays() -> None:
    for count in range(3, 8):
        for size in range(count + 1):
            for here in combinations(range(count), size):
                words = ["THERE" if seat in here else "GONE" for seat in range(count)]
                others = ["GONE" if seat in here else "THERE" for seat in range(count)]
                ours, theirs = lobby_of(*words).has_its_people, lobby_of(*others).has_its_people
                assert ours + theirs == 1, words


def read(words: str) -> CopyRank:
    """Read a rank: `plays` or `waits`, the people who are there, the term."""
    word, people, term = words.split()
    return CopyRank(word == "plays", int(people), int(term))


@pytest.mark.parametrize(
    ("stands", "gives_way", "why"),
    [
        ("plays 2 0", "waits 1 19", "my own cable was out, and I pressed G"),
        ("plays 2 19", "waits 1 0", "the host's cable was out"),
        ("plays 2 0", "waits 2 18", "two and two were cut apart"),
        ("plays 2 19", "plays 1 0", "a host came back and was asked nothing"),
        ("waits 1 19", "waits 1 0", "both are alone"),
        ("waits 1 19", "waits 1 18", "two pressed G, and both are alone"),
        ("waits 2 10", "waits 1 19", "of five people two and one are left"),
        ("waits 1 0", "waits 0 19", "nobody came to a headless table"),
        ("plays 3 17", "waits 0 0", "a host was resumed after the others left"),
        ("waits 1 0", "waits 0 -1", "my program knows no copy yet"),
        ("waits 1 19", "waits 3 0", "a moved table short of people, and its old copy"),
    ],
)
def test_one_of_two_tables_stands(stands: str, gives_way: str, why: str) -> None:
    assert read(stands) > read(gives_way), why


def test_a_table_shows_who_is_there_and_its_term() -> None:
    lobby = lobby_of("THERE", "GONE", "THERE", "BOT", term=17)
    assert rank_of(lobby) == read("plays 2 17")


def test_terms_grow_and_no_two_seats_share_one() -> None:
    for term in (0, 7, 10, 19, 20, 3456):
        after = [next_term(term, seat) for seat in range(10)]
        assert after == sorted(set(after), reverse=True)
        assert min(after) > term
        assert max(after) < min(next_term(later, 9) for later in after)


def test_no_table_plays_without_its_people_until_somebody_chooses_to() -> None:
    table = three_in_game(LONG)
    table.wait(12, "Ben", "Cleo")
    assert table.presence("Ben") is Presence.GONE
    assert not can_play(table)
    assert table.room.bot_turn() is None
    if table.name_to_act() == "Ann":
        assert table.plays("Ann", table.move()) is Refusal.FEW_HERE
    assert table.wants("Ann", ContinueWithout()) is None
    assert can_play(table)
    assert not table.room.rank.plays, "which counts for nobody who looks for the table"
    while table.room.state.round == 1:
        if table.name_to_act() == "Ann":
            assert table.plays("Ann", table.move()) is None
        else:
            table.bot_moves()
    assert not can_play(table), "it holds until the round ends"
    assert table.wants("Ann", NextRound()) is Refusal.FEW_HERE
    table.come("Ben")
    assert can_play(table)
    assert table.wants("Ben", Pause(paused=True)) is Refusal.HOST_ONLY


# A table that is handed over.


def questions(guest: Guest) -> int:
    """How often a guest's program was asked what its seat knows."""
    return len(guest.find(messages.KnowledgeWanted))


def waiting_for(guest: Guest) -> tuple[str, ...]:
    """For whom the table waits, as somebody was last told."""
    return guest.find(messages.Gathering)[-1].waiting


def table_without_host(*behind: str, moves: int = 4, settings: Settings = LONG) -> Table:
    """A table whose host is lost after some moves; some say that they have not seen the last."""
    table = three_after_moves(moves, settings)
    lose_host(table, *behind)
    return table


def replace_knowledge(
    told: Knowledge,
) -> Callable[[messages.ClientMessage], messages.ClientMessage]:
    """A change of a client's messages: what it knows is replaced by this."""
    return lambda message: told if isinstance(message, Knowledge) else message


def moved_to_ben(cleo: Knowledge | None = None, table: Table | None = None) -> Table:
    """A table moved to Ben's computer, to which Cleo came; `cleo` replaces what she knows."""
    there = move_to(table or table_without_host(), "Ben")
    if cleo is not None:
        there.changes["Cleo"] = replace_knowledge(cleo)
    there.come_all("Ben", "Cleo")
    assert not gathers(there)
    return there


def table_handed_over(moves: int = 0) -> Table:
    """A table that Ann hands over to Ben, who has taken it."""
    table = three_after_moves(moves, LONG) if moves else three_in_game(LONG)
    assert table.wants("Ann", GiveHost(4)) is Refusal.NO_SEAT, "who watches has none"
    assert table.wants("Cleo", TakeHost()) is Refusal.NOT_NOW
    assert table.room.rank == read("plays 3 0")
    assert table.wants("Ann", GiveHost(2)) is None
    assert table.wants("Ben", TakeHost()) is None
    assert table.room.rank == read("waits 0 0"), "nobody plays there any more"
    assert not can_play(table), "it stands still"
    return table


def test_a_host_hands_the_table_over_and_closes_once_all_have_gone() -> None:
    table = table_handed_over(4)
    before = {name: table.people[name].view for name in ALL}
    there = move_to(table, "Ben", is_handed_over=True)
    there.come("Ben")
    assert waiting_for(there.people["Ben"]) == ("Ann", "Cleo"), "the former host is waited for"
    there.come_all("Cleo", "Ann")
    assert {name: there.people[name].view for name in ALL} == before
    assert can_play(there)
    assert not there.lobby.handing
    for name in ALL:
        table.apply(inputs.drop_connection(table.room, table.now, table.people[name].connection))
    tick(table, 1)
    assert table.room.has_moved
    assert table.people["Wim"].farewell is CloseReason.MOVED


def test_a_table_that_too_few_follow_stays_with_its_host() -> None:
    table = table_handed_over()
    table.drop("Ben")
    tick(table, 21)
    assert table.lobby.stage is TablePhase.PLAYING
    assert not table.lobby.handing
    assert can_play(table)


# Until the table goes on.


@pytest.mark.parametrize("is_silent", [True, False])
def test_whose_connection_is_ended_while_a_table_gathers_is_waited_for_no_longer_than_others(
    *, is_silent: bool
) -> None:
    there = move_to(table_handed_over(), "Ben", is_handed_over=True)
    there.come_all("Ben", "Cleo")
    ben, cleo = there.people["Ben"], there.people["Cleo"]
    if not is_silent:
        there.say(cleo, cleo.client.begin_connection())  # which no honest program says twice
    there.wait(21, "Ann", "Cleo", "Wim")
    assert cleo.farewell is (CloseReason.TOO_SLOW if is_silent else CloseReason.OUT_OF_ORDER)
    assert waiting_for(ben) == ("Ann", "Cleo")
    assert not gathers(there)
    assert there.lobby.relocations[-1].anew == (0, 2)


def test_a_table_whose_round_not_all_saw_dealt_goes_on_in_its_lobby_once_time_is_up() -> None:
    table = table_handed_over()
    lose_host(table)
    cleo = table.people["Cleo"]
    while cleo.client.status.view is not None:
        miss_last_step(cleo)
    there = move_to(table, "Ben", is_handed_over=True)
    there.come_all("Ben", "Cleo")
    tick(there, 16.5)
    assert gathers(there)
    there.now += 0.5
    there.apply(inputs.tick(there.room, there.now))
    assert not gathers(there)
    assert there.lobby.stage is TablePhase.LOBBY
    assert there.lobby.host == 2
    assert questions(cleo) == 0, "nobody knows a secret of it"
    here = [person.name for person in there.lobby.people if not person.presence.is_gone]
    assert here == ["Ben", "Cleo"]


def test_somebody_who_first_came_after_the_step_from_which_a_table_goes_on_is_not_let_in() -> None:
    table = three_in_game(LONG)
    table.come("Dan", watch=True)
    lose_host(table)
    cleo = table.people["Cleo"]
    while cleo.held.lobby.has_name("Dan"):
        miss_last_step(cleo)
    there = move_to(table, "Ben")
    dan = there.come("Dan", watch=True)
    there.come_all("Ben", "Cleo")
    assert not gathers(there)
    assert dan.refusals == [Refusal.NOT_NOW]
    assert not there.lobby.has_name("Dan")
    assert not dan.find(Welcome)


def test_a_table_that_gathers_and_is_brought_back_or_slept_gathers_on() -> None:
    there = move_to(table_without_host(), "Ben")
    there.come("Ben")
    there.crash()
    assert gathers(there)
    there.come("Ben")
    there.now += 60
    there.apply(inputs.tick(there.room, there.now))
    assert gathers(there)
    assert there.disk == [], "nothing has happened there"
    there.come_all("Ben", "Cleo")
    assert not gathers(there)
    assert Reopened() not in there.people["Ben"].news
    assert there.lobby.relocations[-1].anew == (0,)


def test_what_was_asked_before_a_table_went_on_may_come_after_it() -> None:
    there = moved_to_ben()
    before, ben = len(there.disk), there.people["Ben"]
    there.say(ben, messages.BeginNow())
    there.say(there.people["Cleo"], NO_KNOWLEDGE)
    assert len(there.disk) == before
    assert not ben.ended
    assert not there.people["Cleo"].ended


def test_a_player_who_goes_once_all_are_asked_pushes_nobody_out_who_has_yet_to_answer() -> None:
    there = move_to(table_without_host(), "Ben", is_handed_over=True)
    cleos = there.people["Cleo"].view
    there.holds = dict.fromkeys(("Ann", "Cleo"), ANSWERS)
    there.come_all("Ben", "Cleo", "Ann")
    there.drop("Ann")
    there.let_go()
    tick(there, 0.5)
    assert not there.people["Cleo"].ended
    assert not gathers(there)
    assert there.lobby.relocations[-1].anew == (seat_of(there.lobby, "Ann"),)
    assert there.people["Cleo"].view == cleos


def test_somebody_who_has_seen_less_and_goes_leaves_nobody_at_odds() -> None:
    there = move_to(table_without_host("Ann", moves=8), "Ben", is_handed_over=True)
    there.holds = {"Ann": ANSWERS}
    there.come_all("Ben", "Cleo", "Ann")
    there.drop("Ann")
    tick(there, 0.5)
    assert not gathers(there)
    (relocation,) = there.lobby.relocations
    assert (relocation.at_odds, relocation.anew) == ((), (seat_of(there.lobby, "Ann"),))


def test_two_who_answer_by_turns_do_not_have_a_table_gather_for_ever() -> None:
    there = move_to(table_without_host(), "Ben", is_handed_over=True)
    there.holds = {"Cleo": ANSWERS}
    there.come_all("Ben", "Cleo", "Ann")
    for silent in ("Ann", "Cleo", "Ann"):
        there.holds = {silent: ANSWERS}
        tick(there, 3.5)
        for name in ("Ann", "Cleo"):
            if there.people[name].ended and gathers(there):
                there.come(name)
    assert not gathers(there)


def test_a_table_whose_lost_host_told_of_what_no_game_has_goes_on_in_its_lobby() -> None:
    table = table_without_host()
    for guest in table.people.values():
        held = guest.client.kept.pop()
        assert held.view is not None
        held = with_fields(held, view=held.view.after(Skipped(1)))
        guest.client.kept.append(held)
        guest.client.status = with_fields(guest.client.status, game_state=held)
    there = moved_to_ben(table=table)
    assert there.lobby.stage is TablePhase.LOBBY
    for name in ("Ben", "Cleo"):
        assert there.people[name].client.entered
        assert there.people[name].client.status.view is None


# Before the first move.


def test_a_player_without_knowledge_keeps_the_cards_drawn_again_and_all_are_told() -> None:
    there = moved_to_ben(NO_KNOWLEDGE)
    assert there.lobby.relocations[-1].anew == (0, 2)
    drawn = there.people["Cleo"].view
    there.drop("Cleo")
    cleo = there.come("Cleo")
    assert questions(cleo) == 0, "what they have seen here is their own"
    assert cleo.view == drawn
    there.come("Ann")
    play_on(there, 1, "random")
    assert DrawnAnew((2,)) in there.people["Ben"].news, "Ann brought hers"


def test_a_watcher_who_saw_less_than_all_others_sees_what_they_do() -> None:
    table = table_without_host()
    for _ in range(2):
        miss_last_step(table.people["Wim"])
    there = moved_to_ben(table=table)
    wim = there.come("Wim", watch=True)
    assert [message.gone for message in wim.find(Welcome)] == [0], "nothing is lost"
    assert wim.view.table == there.people["Ben"].view.table
    assert questions(wim) == 0


def test_somebody_who_tells_what_no_program_does_is_not_let_in_but_may_come_again() -> None:
    before = table_without_host()
    known = before.people["Ann"].view
    there = moved_to_ben(table=before)
    there.changes["Ann"] = replace_knowledge(GARBAGE)
    ann = there.come("Ann")
    assert ann.farewell is CloseReason.OUT_OF_ORDER
    assert not ann.find(Welcome)
    assert there.lobby.relocations[-1].anew == (0,)
    there.changes.clear()
    assert there.come("Ann").view == known
    assert BroughtBack(0) in there.people["Cleo"].news


def test_a_player_removed_from_an_open_table_while_their_program_is_asked_is_kept_out() -> None:
    there = moved_to_ben(table=table_without_host(settings=replace(LONG, is_open=True)))
    there.holds["Ann"] = (Knowledge,)
    ann = there.come("Ann")
    assert there.wants("Ben", Kick(1)) is None
    there.holds.clear()
    ann.forget()  # as a program may that wants to stay
    there.say(ann, NO_KNOWLEDGE)
    assert not there.lobby.has_name("Ann")
    assert ann.farewell is CloseReason.KICKED


def begin(table: Table, connection: int, name: str) -> None:
    """Somebody comes in one more connection, without giving up another."""
    table.apply(inputs.add_connection(table.room, table.now, connection, key_of(name)))
    enter = messages.EnterTable(name, watch=False, incarnation=0, seen=messages.NOTHING_SEEN)
    inputs.receive(table.room, table.now, connection, enter)


def test_a_seat_asked_on_two_connections_brings_its_cards_only_once() -> None:
    table = table_without_host()
    anns = table.people["Ann"].view
    there = moved_to_ben(table=table)
    for connection in (101, 102):
        begin(there, connection, "Ann")
    inputs.receive(there.room, there.now, 101, NO_KNOWLEDGE)
    drawn = there.room.state.view(0)
    other = Knowledge(encode_knowledge(secrets_of(anns)))
    inputs.receive(there.room, there.now, 102, other)
    assert there.room.state.view(0) == drawn, "it has seen these, and cannot choose between two"


def test_somebody_who_is_given_a_seat_and_has_seen_its_gold_keeps_it() -> None:
    table = three_in_game(LONG)
    play_on(table)
    anns = secrets_of(table.people["Ann"].view)
    lose_host(table)
    there = moved_to_ben(table=table)
    there.come("Wim", watch=True)
    assert there.wants("Ben", HandOver(0, there.people["Wim"].member)) is None
    drawn = there.room.state.view(0)
    begin(there, 101, "Wim")
    inputs.receive(there.room, there.now, 101, Knowledge(encode_knowledge(anns)))
    assert there.room.state.view(0) == drawn


# A host whose computer slept.


def test_somebody_who_returns_before_a_table_is_opened_again_is_there_at_once() -> None:
    table = three_in_game(LONG)
    table.resume()
    table.come("Ben")
    table.apply(inputs.reopen(table.room, table.now))
    presences = [table.presence(name) for name in (*ALL, "Wim")]
    assert presences == [Presence.GONE, Presence.THERE, Presence.GONE, Presence.GONE]
    assert table.people["Ben"].news[-2:] == [Reopened(), PresenceChanged(2, Presence.THERE)]


def test_a_host_that_slept_while_it_was_brought_back_counts_on_nobody() -> None:
    table = three_in_game(LONG)
    table.resume()
    table.now += 60
    table.apply(inputs.tick(table.room, table.now))
    assert {person.presence for person in table.lobby.people} == {Presence.SHAKY}
    assert not can_play(table)
    table.apply(inputs.reopen(table.room, table.now))
    assert {person.presence for person in table.lobby.people} == {Presence.GONE}


def test_a_host_that_slept_believes_no_pings_that_came_meanwhile() -> None:
    table = three_in_game(LONG)
    backlog = [(table.people[name], table.people[name].client.ping()) for name in ALL]
    table.now += 60
    for later in (0.0, 0.1, 3.0):  # Ben and Cleo have gone on elsewhere since
        table.now += later
        for guest, ping in backlog:
            table.say(guest, ping)
        assert not can_play(table)
    table.wait(3, "Ben", "Cleo")
    assert not can_play(table)
    table.wait(0.5, "Cleo")
    assert can_play(table), "Ann and Ben are there"
