"""A table that goes on at another computer, out of what its seats know.

Guests err, lie, hurry or leave meanwhile: all goes wrong for nobody but who went wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.events import GoldReceived, GoldShown, Private
from engine.view import View
from net.protocol import CopyRank, messages
from net.protocol.lobby import Settings, TablePhase
from net.protocol.lobby_events import BroughtBack, DrawnAnew
from net.protocol.messages import (
    ClientMessage,
    CloseReason,
    CommitShare,
    Knowledge,
    KnowledgeWanted,
    ShowShare,
    decode_knowledge,
    encode_knowledge,
)
from net.protocol.requests import Kick, NextRound, PutBot, Start
from net.room import inputs
from tests.net.room.moved_table import (
    can_play,
    gathers,
    go_on_at,
    lose_host,
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
    three_in_lobby,
)

ALL = ("Ann", "Ben", "Cleo")
LONG = Settings(seats=3, rounds=3)


def views(table: Table, *names: str) -> dict[str, View]:
    """What the programs of people hold of the game."""
    return {name: table.people[name].view for name in names}


def move_away(table: Table, *came: str) -> tuple[dict[str, View], Table]:
    """What all hold of a table whose host is lost then, and it at Ben's; some came."""
    before = views(table, *ALL)
    return before, go_on_at(table, "Ben", *came)


def move_to_ben(table: Table, *holds: type[ClientMessage]) -> Table:
    """Go on with a table at Ben's computer, holding back some of what Cleo says."""
    lose_host(table)
    there = move_to(table, "Ben")
    there.holds["Cleo"] = holds
    return there


def waits_told(guest: Guest) -> list[tuple[str, ...]]:
    """For whom somebody was told that the table waits, again and again."""
    return [message.waiting for message in guest.find(messages.Gathering)]


@pytest.mark.level("broad")
@pytest.mark.parametrize("moves", [0, 1, 7, 23])
def test_all_keep_what_they_know_and_the_game_is_played_to_its_end(moves: int) -> None:
    table = three_in_game(LONG)
    play_on(table, moves, "random") if moves else None
    before, there = move_away(table, "Cleo")
    assert there.lobby.host == 2
    assert views(there, "Ben", "Cleo") == {name: before[name] for name in ("Ben", "Cleo")}
    there.come("Ann")
    assert views(there, *ALL) == before, "who comes before the first move brings it, too"
    play_on(there)
    there.ready(*ALL)
    assert there.lobby.stage is TablePhase.PLAYING
    assert there.game.score.number == 2


def test_a_table_moves_again_and_again_and_is_resumed_from_its_journal() -> None:
    table = three_after_moves(5, LONG)
    before = views(table, *ALL)
    for host in ("Ben", "Cleo", "Ann"):
        table = go_on_at(table, host, *(name for name in ALL if name != host))
        assert views(table, *ALL) == before
        terms = [relocation.term for relocation in table.lobby.relocations]
        assert terms == sorted(set(terms)), "each host has a later term"
    play_on(table, 2, "random")
    after = views(table, *ALL)
    assert after != before
    table.crash()
    table.come_all(*ALL)
    assert views(table, *ALL) == after
    play_on(table)


def test_all_see_for_whom_the_table_waits_and_a_stranger_is_sent_away_meanwhile() -> None:
    there = go_on_at(three_in_game(), "Ben")
    assert there.room.rank == CopyRank(plays=False, people=1, term=18)
    assert waits_told(there.people["Ben"]) == [("Cleo",)], "not for the lost host"
    assert there.come("Dan").refusals == [messages.Refusal.BUSY]
    assert there.come("Stage", is_projector=True).refusals == [messages.Refusal.BUSY]
    there.come("Cleo")
    assert not gathers(there)
    assert there.room.rank == CopyRank(plays=True, people=2, term=18)
    assert there.room.state.host_key == key_of("Ben")


@pytest.mark.parametrize("is_asked", [True, False])
def test_somebody_who_does_not_come_is_waited_for_until_time_is_up_or_the_host_waits_no_longer(
    *, is_asked: bool
) -> None:
    before, there = move_away(three_after_moves(4))
    tick(there, 16)
    assert gathers(there)
    if is_asked:
        there.say(there.people["Ben"], messages.BeginNow())
    else:
        tick(there, 1.5)
    assert not gathers(there)
    assert views(there, "Ben") == {"Ben": before["Ben"]}
    assert not can_play(there), "it does not play before more are back"
    there.come("Cleo")
    assert views(there, "Cleo") == {"Cleo": before["Cleo"]}
    assert can_play(there)


def test_after_the_first_move_a_latecomer_has_cards_drawn_again_and_all_are_told() -> None:
    there = go_on_at(three_after_moves(4), "Ben", "Cleo")
    while there.name_to_act() == "Ann":  # a bot plays for her
        there.bot_moves()
    play_on(there, 1, "random")
    assert DrawnAnew((0,)) in there.people["Cleo"].news
    ann = there.come("Ann")
    assert ann.client.status.view is not None
    assert ann.received[-1].disagreed is False, "which is no contradiction"
    assert there.lobby.relocations[-1].anew == (0,)


def test_a_bots_move_is_dropped_if_its_cards_are_drawn_again_meanwhile() -> None:
    table = three_in_lobby(Settings(seats=4, rounds=1))
    assert table.wants("Ann", PutBot(3, "Dan", "random")) is None
    assert table.wants("Ann", Start()) is None
    while table.name_to_act() != "Dan":
        play_on(table, 1, "random")
    there = go_on_at(table, "Ben", "Cleo")
    turn = there.turn
    there.come("Ann")
    assert BroughtBack(0) in there.people["Cleo"].news
    before = there.room.state
    for move in turn.view.legal_moves():
        there.apply(inputs.make_bot_move(there.room, there.now, turn, move))
    assert there.room.state == before
    there.bot_moves()
    assert there.name_to_act() != "Dan"


@pytest.mark.parametrize("behind", ["Ben", "Cleo"])
def test_the_table_goes_on_from_the_newest_step_that_all_have(behind: str) -> None:
    table = three_after_moves(5)
    lose_host(table, behind)
    before = views(table, behind)
    there = move_to(table, "Ben")
    there.come_all("Ben", "Cleo")
    assert views(there, behind) == before
    ahead = "Cleo" if behind == "Ben" else "Ben"
    assert there.people[ahead].lost_steps == [1]
    assert there.people[behind].lost_steps == []
    assert there.people["Ben"].view.table == there.people["Cleo"].view.table


@pytest.mark.parametrize("name", ["Dov", "Wim"])
@pytest.mark.parametrize("is_playing", [False, True], ids=["in the lobby", "in a game"])
def test_a_guest_who_claims_to_have_seen_less_brings_nobody_back_who_was_removed(
    name: str, *, is_playing: bool
) -> None:
    table = three_in_lobby(Settings(seats=4))
    table.come("Dov")
    table.ready("Dov")
    if is_playing:
        assert table.wants("Ann", Start()) is None
        play_on(table, 3, "random")
    member = table.people[name].client.status.member
    assert table.wants("Ann", Kick(member)) is None
    lose_host(table, "Cleo")
    there = move_to(table, "Ben")
    there.come_all("Cleo", *(["Dov"] if name == "Wim" else []), "Ben")
    assert there.people["Ben"].lost_steps == [1]
    assert not there.room.is_known(key_of(name))
    assert not any(place.member == member for place in there.lobby.deserted)
    there.come("Ann")
    assert there.people["Cleo"].held.lobby == there.lobby
    if is_playing:
        play_on(there)


def test_a_finished_game_stays_behind_and_its_lobby_goes_on() -> None:
    table = three_in_game()
    play_on(table)
    there = go_on_at(table, "Cleo")
    assert there.lobby.stage is TablePhase.LOBBY
    there.come("Ben")
    assert there.people["Ben"].client.status.view is None


def test_between_rounds_the_gold_of_all_goes_with_them() -> None:
    table = three_in_game(LONG)
    play_on(table)
    before, there = move_away(table, "Cleo", "Ann")
    assert views(there, *ALL) == before
    assert there.wants("Ben", NextRound()) is None


def test_a_program_that_is_silent_keeps_its_cards_later() -> None:
    table = three_after_moves(3)
    before = views(table, "Cleo")
    there = move_to_ben(table, Knowledge)
    there.come_all("Ben", "Cleo")
    assert gathers(there)
    tick(there, 4)
    assert there.people["Cleo"].ended
    there.holds.clear()
    tick(there, 4)
    assert not gathers(there)
    there.come("Cleo")
    assert views(there, "Cleo") == before


# Guests who err, lie, hurry or leave.


def test_nobody_is_asked_before_the_hosts_own_program_is_there() -> None:
    there = move_to_ben(three_after_moves(3))
    cleo = there.come("Cleo")
    tick(there, 30)
    assert gathers(there)
    assert not cleo.find(KnowledgeWanted)
    assert waits_told(cleo) == [("Ben",)]
    there.come("Ben")
    assert not gathers(there)
    assert cleo.client.entered


def test_a_gathering_that_goes_on_elsewhere_sends_all_on_without_a_step() -> None:
    there = move_to_ben(three_after_moves(3))
    cleo = there.come("Cleo")
    steps = there.room.state.number
    there.apply(inputs.close_moved(there.room, there.now))
    assert cleo.farewell is messages.CloseReason.MOVED
    assert there.room.state.number == steps


def test_a_second_connection_of_somebody_takes_the_place_of_the_first() -> None:
    there = move_to_ben(three_after_moves(3))
    first, second = there.come("Cleo"), there.come("Cleo")
    assert first.farewell is CloseReason.REPLACED
    assert not second.ended
    there.come("Ben")
    assert not gathers(there)
    assert second.client.entered
    assert not first.find(KnowledgeWanted)


def test_bytes_that_tell_nothing_end_the_connection_and_the_others_go_on() -> None:
    there = move_to_ben(three_after_moves(3), Knowledge)
    there.come_all("Ben", "Cleo")
    before = views(there, "Ben", "Cleo")
    cleo = there.people["Cleo"]
    there.holds.clear()
    there.say(cleo, Knowledge(b"\0\1\xc1".ljust(messages.KNOWLEDGE_BYTES, b"\0")))
    assert cleo.farewell is CloseReason.OUT_OF_ORDER
    tick(there, 4)
    assert not gathers(there)
    (relocation,) = there.lobby.relocations
    assert seat_of(there.lobby, "Cleo") in relocation.anew
    assert views(there, "Ben") == {"Ben": before["Ben"]}
    there.come("Cleo")
    assert views(there, "Cleo") == {"Cleo": before["Cleo"]}, "an honest answer brings it"


def test_a_guest_cut_off_while_asked_is_waited_for_no_longer() -> None:
    there = move_to_ben(three_after_moves(3), Knowledge)
    there.come_all("Ben", "Cleo")
    there.drop("Cleo")
    tick(there, 0.5)
    assert len(there.people["Ben"].find(KnowledgeWanted)) == 1
    assert not gathers(there)


def test_a_guest_back_while_all_are_asked_is_asked_again() -> None:
    table = three_after_moves(3)
    before = views(table, "Cleo")
    there = move_to_ben(table, Knowledge)
    there.holds["Ben"] = (Knowledge,)
    there.come_all("Ben", "Cleo")
    there.drop("Cleo")
    there.holds.clear()
    cleo = there.come("Cleo")
    assert gathers(there), "Ben has told nothing yet"
    there.let_go()
    assert not gathers(there)
    assert len(cleo.find(KnowledgeWanted)) == 1
    assert views(there, "Cleo") == before


def test_answers_to_a_draw_that_was_under_way_change_nothing() -> None:
    there = move_to_ben(three_after_moves(3), Knowledge)
    there.come_all("Ben", "Cleo")
    cleo = there.people["Cleo"]
    there.say(cleo, CommitShare(bytes(16), bytes(32)))
    there.say(cleo, ShowShare(bytes(16), bytes(32)))
    assert gathers(there)
    assert not cleo.ended


def test_what_is_told_by_who_watches_counts_for_nothing() -> None:
    there = move_to_ben(three_after_moves(3), Knowledge)
    wim = there.come("Wim", watch=True)
    there.come_all("Ben", "Cleo")
    there.say(wim, Knowledge(encode_knowledge(())))
    assert not wim.ended, "an honest program may have been asked elsewhere"
    assert gathers(there), "nobody else's answer is Cleo's"
    there.let_go()
    assert not gathers(there)
    (relocation,) = there.lobby.relocations
    assert relocation.at_odds == ()
    assert relocation.anew == (seat_of(there.lobby, "Ann"),)


@pytest.mark.parametrize("goes", [messages.Resync(), messages.StepAway(), "silent", "cut off"])
def test_people_gone_or_removed_are_waited_for_and_not_asked(goes: ClientMessage | str) -> None:
    there = move_to_ben(three_after_moves(3))
    wim, cleo = there.come("Wim", watch=True), there.come("Cleo")
    assert waits_told(wim)[-1] == ("Ben",)
    if goes == "silent":
        cleo.ended = True  # it says nothing any more
        tick(there, 11)
        assert cleo.farewell is CloseReason.TOO_SLOW
    elif goes == "cut off":
        there.drop("Cleo")
    else:
        assert not isinstance(goes, str)
        there.say(cleo, goes)
    assert waits_told(wim)[-1] == ("Ben", "Cleo")
    assert waits_told(there.come("Ben"))[-1] == ("Cleo",)
    assert gathers(there)
    there.come("Cleo")
    assert not gathers(there)


# Programs that disagree: what was told counts for nothing, and the round is dealt again.


def secrets_held(table: Table) -> tuple[Private, ...]:
    """The secrets that Cleo's program was about to tell."""
    ((_cleo, message),) = table.held_back
    assert isinstance(message, Knowledge)
    told = decode_knowledge(message.told)
    assert told is not None
    return told


def send_secrets(table: Table, secrets: Sequence[Private]) -> None:
    """Cleo's program sends these in place of the secrets held back, and is found out."""
    lie = Knowledge(encode_knowledge(secrets))
    table.changes["Cleo"] = lambda message: lie if isinstance(message, Knowledge) else message
    table.let_go()
    (relocation,) = table.lobby.relocations
    assert relocation.at_odds == (seat_of(table.lobby, "Cleo"),)
    assert relocation.anew == ()


def in_round_two() -> Table:
    """A game in its second round, in which something was played."""
    table = three_in_game(LONG)
    play_on(table)
    table.ready(*ALL)
    play_on(table, 4, "random")
    assert table.room.state.round == 2
    return table


def gold_of(secrets: Sequence[Private]) -> list[Private]:
    """What is told of gold."""
    return [event for event in secrets if isinstance(event, GoldShown | GoldReceived)]


def test_programs_that_disagree_are_named_once_the_round_is_dealt_again() -> None:
    there = move_to_ben(three_after_moves(4), Knowledge)
    there.come_all("Ben", "Cleo")
    send_secrets(there, secrets_held(there)[:-1])
    table = there.game.round.table
    assert not table.discards, "the round begins again"
    assert not table.board.tunnels()
    play_on(there, 1, "random")


def test_once_a_round_has_ended_it_stays_so_though_programs_disagree() -> None:
    table = three_in_game(LONG)
    play_on(table)
    before = table.people["Ben"].view
    there = move_to_ben(table, Knowledge)
    there.come_all("Ben", "Cleo")
    send_secrets(there, secrets_held(there)[:-1])
    for view in views(there, "Ben", "Cleo").values():
        assert view.table == before.table
        assert view.score.number == before.score.number
    there.come("Ann")
    there.ready(*ALL)
    assert there.game.score.number == before.score.number + 1


@pytest.mark.parametrize("is_gold_false", [False, True])
def test_a_second_round_is_dealt_again_and_who_won_the_first_stays_known(
    *, is_gold_false: bool
) -> None:
    table = in_round_two()
    before = views(table, "Ben", "Cleo")
    there = move_to_ben(table, Knowledge)
    there.come_all("Ben", "Cleo")
    secrets = secrets_held(there)
    lie = secrets[1:] if is_gold_false else secrets[:-1]
    assert (len(gold_of(lie)) < len(gold_of(secrets))) is is_gold_false
    send_secrets(there, lie)
    for name, view in views(there, "Ben", "Cleo").items():
        assert view.score.number == 2
        assert view.score.wins == before[name].score.wins
        assert not view.table.discards, "the round begins again"
        assert is_gold_false or view.ledger == before[name].ledger
    play_on(there, 1, "random")


def test_a_late_guests_lie_brings_nothing_and_changes_nobodys_cards() -> None:
    table = three_after_moves(4)
    before = views(table, "Ben")
    there = move_to_ben(table, Knowledge)
    there.come("Ben")
    tick(there, 21)
    assert not gathers(there)
    cleo = there.come("Cleo")
    seat = seat_of(there.lobby, "Cleo")
    drawn = there.room.state.view(seat)
    lie = Knowledge(encode_knowledge(secrets_held(there)[:-1]))
    there.apply(inputs.receive(there.room, there.now, cleo.connection, lie))
    assert not cleo.ended
    assert there.room.state.view(seat) == drawn
    assert seat in there.lobby.relocations[-1].anew
    assert views(there, "Ben") == before
    assert BroughtBack(seat) not in there.people["Ben"].news
