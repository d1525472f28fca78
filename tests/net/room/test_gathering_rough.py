"""A table that goes on at another computer, with guests who err, lie, hurry or leave meanwhile."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.events import GoldReceived, GoldShown, Private
from engine.facts import Secrets, secrets_of
from net.protocol.lobby import Settings
from net.protocol.lobby_events import BroughtBack
from net.protocol.messages import (
    KNOWLEDGE_BYTES,
    ClientMessage,
    CloseReason,
    CommitShare,
    GoneOver,
    HostMessage,
    Knowledge,
    KnowledgeWanted,
    Resync,
    SharesWanted,
    ShowShare,
    StepAway,
    read_told,
    write_told,
)
from net.room import inputs
from net.room.gathering import deal_anew, member_with
from tests.net.room.moved_table import gathers, lose_host, move_to, seat_of, tick
from tests.net.room.room_fixture import Guest, Table, key_of, midway, play_on, playing
from tests.net.room.test_gathering import lines, views

LONG = Settings(seats=3, rounds=3)


def gone_on(table: Table, *holds: type[ClientMessage]) -> Table:
    """Go on with a table at Ben's computer, holding back some of what Cleo says."""
    lose_host(table)
    there = move_to(table, "Ben")
    there.holds["Cleo"] = holds
    return there


def at_ben(moves: int = 3, *holds: type[ClientMessage]) -> Table:
    """The same, after this many moves of a game."""
    table = midway(moves)
    return gone_on(table, *holds)


def messages_to(guest: Guest, kind: type[HostMessage]) -> list[HostMessage]:
    """All messages of a kind that somebody was sent."""
    return [message for message in guest.got if isinstance(message, kind)]


def test_nobody_is_asked_before_the_hosts_own_program_is_there() -> None:
    there = at_ben()
    cleo = there.come("Cleo")
    tick(there, 30)
    assert gathers(there)
    assert not messages_to(cleo, KnowledgeWanted)
    assert lines(cleo) == [("Ben",)]
    there.come("Ben")
    assert not gathers(there)
    assert cleo.client.entered


def test_a_second_connection_of_somebody_takes_the_place_of_the_first() -> None:
    there = at_ben()
    first = there.come("Cleo")
    second = there.come("Cleo")
    assert first.farewell is CloseReason.REPLACED
    assert not second.ended
    there.come("Ben")
    assert not gathers(there)
    assert second.client.entered
    assert not messages_to(first, KnowledgeWanted)


@pytest.mark.parametrize("name", ["Ben", "Cleo"])
def test_only_the_host_gives_the_table_up_for_one_elsewhere(name: str) -> None:
    there = at_ben()
    there.come("Wim", watch=True)
    guest = there.come(name)
    there.say(guest, GoneOver())
    assert there.room.is_gone_over is (name == "Ben")
    why = CloseReason.MOVED if name == "Ben" else CloseReason.OUT_OF_ORDER
    assert guest.farewell is why
    assert there.people["Wim"].ended is (name == "Ben")
    assert gathers(there), "it does not go on here"


def test_bytes_that_tell_nothing_end_the_connection_and_the_others_go_on() -> None:
    there = at_ben(3, Knowledge)
    there.come_all("Ben", "Cleo")
    before = views(there, "Ben", "Cleo")
    cleo = there.people["Cleo"]
    there.holds.clear()
    there.say(cleo, Knowledge(b"\0\1\xc1".ljust(KNOWLEDGE_BYTES, b"\0")))
    assert cleo.farewell is CloseReason.OUT_OF_ORDER
    cleo.ended = True
    tick(there, 4)
    assert not gathers(there)
    (relocation,) = there.lobby.relocations
    assert seat_of(there.lobby, "Cleo") in relocation.anew
    assert views(there, "Ben") == {"Ben": before["Ben"]}
    there.come("Cleo")
    assert views(there, "Cleo") == {"Cleo": before["Cleo"]}, "an honest answer brings it"


@pytest.mark.parametrize("kind", [Knowledge, CommitShare])
def test_a_guest_cut_off_while_asked_is_left_out_of_the_next(kind: type[ClientMessage]) -> None:
    there = at_ben(3, kind)
    there.come_all("Ben", "Cleo")
    ben = there.people["Ben"]
    assert len(messages_to(ben, KnowledgeWanted)) == 1
    there.drop("Cleo")
    tick(there, 0.5)
    first, second = messages_to(ben, KnowledgeWanted)
    assert isinstance(first, KnowledgeWanted)
    assert isinstance(second, KnowledgeWanted)
    assert [drawer.name for drawer in first.drawers] == ["Cleo"]
    assert second.drawers == ()
    assert not gathers(there)


def test_what_is_told_by_who_watches_counts_for_nothing() -> None:
    there = at_ben(3, Knowledge)
    wim = there.come("Wim", watch=True)
    there.come_all("Ben", "Cleo")
    there.say(wim, Knowledge(write_told(())))
    assert not wim.ended, "an honest program may have been asked elsewhere"
    assert gathers(there), "nobody else's answer is Cleo's"
    there.let_go()
    assert not gathers(there)
    (relocation,) = there.lobby.relocations
    assert relocation.at_odds == ()
    assert relocation.anew == (seat_of(there.lobby, "Ann"),)


def test_commitments_count_only_of_those_who_draw_and_in_this_draw() -> None:
    there = at_ben(3, CommitShare)
    wim = there.come("Wim", watch=True)
    there.come_all("Ben", "Cleo")
    ((_cleo, mine),) = there.held_back
    assert isinstance(mine, CommitShare)
    cleo = there.people["Cleo"]
    there.holds.clear()
    for guest, draw in ((cleo, bytes(16)), (wim, mine.draw), (there.people["Ben"], mine.draw)):
        there.say(guest, CommitShare(draw, bytes(32)))
    assert gathers(there)
    assert not messages_to(cleo, SharesWanted)
    there.let_go()
    (wanted,) = messages_to(cleo, SharesWanted)
    assert isinstance(wanted, SharesWanted)
    assert wanted.commitments == (mine.commitment,)
    assert not gathers(there)


def test_a_share_counts_only_if_it_was_committed_to() -> None:
    there = at_ben(3, ShowShare)
    there.come_all("Ben", "Cleo")
    ((_cleo, mine),) = there.held_back
    assert isinstance(mine, ShowShare)
    there.holds.clear()
    cleo = there.people["Cleo"]
    for wrong in (
        ShowShare(mine.draw, bytes(32)),
        ShowShare(bytes(16), mine.share),
        CommitShare(mine.draw, bytes(32)),
    ):
        there.say(cleo, wrong)
        assert gathers(there)
    there.say(there.people["Ben"], mine)
    assert gathers(there), "it is not Ben's to show"
    there.let_go()
    assert not gathers(there)
    assert cleo.client.entered


def test_a_share_shown_before_all_have_committed_does_not_count() -> None:
    there = at_ben(3, Knowledge, ShowShare)
    there.come_all("Ben", "Cleo")
    cleo = there.people["Cleo"]
    share = cleo.client.gathering_share
    early = ShowShare(share.draw, share.share)
    there.happen(inputs.receive(there.room, there.now, cleo.connection, early))
    there.holds["Cleo"], held, there.held_back = (ShowShare,), there.held_back, []
    for _cleo, message in held:
        there.say(cleo, message)
    assert len(messages_to(cleo, SharesWanted)) == 1
    tick(there, 1)
    assert gathers(there), "it is asked for now"
    assert (cleo, early) in there.held_back
    there.let_go()
    assert not gathers(there)


def tells(table: Table, secrets: Sequence[Private]) -> None:
    """Cleo's program tells other secrets than those that are held back."""
    lie = Knowledge(write_told(secrets))
    table.changes["Cleo"] = lambda message: lie if isinstance(message, Knowledge) else message
    table.let_go()


def secrets_held(table: Table) -> tuple[Private, ...]:
    """The secrets that Cleo's program was about to tell."""
    (told,) = [
        read_told(message.told)
        for _guest, message in table.held_back
        if isinstance(message, Knowledge)
    ]
    assert told is not None
    return told


def test_once_a_round_has_ended_it_stays_so_though_programs_disagree() -> None:
    table = playing(LONG)
    play_on(table)
    before = views(table, "Ben")["Ben"]
    there = gone_on(table, Knowledge)
    there.come_all("Ben", "Cleo")
    tells(there, secrets_held(there)[:-1])
    (relocation,) = there.lobby.relocations
    assert relocation.at_odds == (seat_of(there.lobby, "Cleo"),)
    after = views(there, "Ben", "Cleo")
    assert after["Ben"].table == after["Cleo"].table == before.table
    assert after["Ben"].score.number == before.score.number
    there.come("Ann")
    there.ready("Ann", "Ben", "Cleo")
    assert there.game.score.number == before.score.number + 1


def in_round_two() -> Table:
    """A game in its second round, in which something was played."""
    table = playing(LONG)
    play_on(table)
    table.ready("Ann", "Ben", "Cleo")
    play_on(table, 4, "random")
    assert table.room.state.round == 2
    return table


def gold_of(secrets: Sequence[Private]) -> list[Private]:
    """What is told of gold."""
    return [event for event in secrets if isinstance(event, GoldShown | GoldReceived)]


@pytest.mark.parametrize("is_gold_false", [False, True])
def test_a_second_round_is_dealt_anew_and_who_won_the_first_stays_known(
    is_gold_false: bool,  # noqa: FBT001 - a parameter
) -> None:
    table = in_round_two()
    before = views(table, "Ben", "Cleo")
    there = gone_on(table, Knowledge)
    there.come_all("Ben", "Cleo")
    secrets = secrets_held(there)
    gold = gold_of(secrets)
    assert gold
    lie = secrets[1:] if is_gold_false else secrets[:-1]
    assert (len(gold_of(lie)) < len(gold)) is is_gold_false
    tells(there, lie)
    (relocation,) = there.lobby.relocations
    assert relocation.at_odds == (seat_of(there.lobby, "Cleo"),)
    after = views(there, "Ben", "Cleo")
    for name, view in after.items():
        assert view.score.number == 2
        assert view.score.wins == before[name].score.wins
        assert not view.table.discards, "the round begins again"
    play_on(there, 1, "random")


@pytest.mark.parametrize("is_gold_false", [False, True])
def test_a_deal_anew_keeps_gold_as_it_is_told_unless_nobody_can_have_it(
    is_gold_false: bool,  # noqa: FBT001 - a parameter
) -> None:
    game = in_round_two().room.state.game
    assert game is not None
    secrets: Secrets = {seat: secrets_of(game.view(seat)) for seat in range(3)}
    before = {seat: gold_of(told) for seat, told in secrets.items()}
    assert any(before.values())
    if is_gold_false:
        secrets = {seat: gold_of(told)[1:] for seat, told in secrets.items()}
    anew = deal_anew(game.view(None), secrets, bytes(32))
    after = {seat: gold_of(secrets_of(anew.view(seat))) for seat in range(3)}
    assert (after == before) is not is_gold_false
    assert anew.score.number == 2
    assert not anew.round.table.discards
    assert anew.view(None).ledger == game.view(None).ledger, "who got how many all have seen"


def test_a_late_guests_lie_brings_nothing_and_changes_nobodys_cards() -> None:
    table = midway(4)
    before = views(table, "Ben")
    there = gone_on(table, Knowledge)
    there.come("Ben")
    tick(there, 21)
    assert not gathers(there)
    cleo = there.come("Cleo")
    seat = seat_of(there.lobby, "Cleo")
    drawn = there.room.state.view(seat)
    lie = Knowledge(write_told(secrets_held(there)[:-1]))
    there.happen(inputs.receive(there.room, there.now, cleo.connection, lie))
    assert not cleo.ended
    assert there.room.state.view(seat) == drawn
    assert seat in there.lobby.relocations[-1].anew
    assert views(there, "Ben") == before
    assert BroughtBack(seat) not in there.people["Ben"].news


def test_a_seat_key_finds_its_person_and_that_of_a_stranger_nobody() -> None:
    lobby = playing().lobby
    for person in lobby.people:
        assert member_with(lobby, person.key) == person.member
    with pytest.raises(LookupError):
        member_with(lobby, key_of("Dan"))


@pytest.mark.parametrize("goes", [Resync(), StepAway(), "silent", "cut off"])
def test_who_goes_or_is_sent_away_is_waited_for_and_not_asked(goes: ClientMessage | str) -> None:
    there = at_ben()
    wim = there.come("Wim", watch=True)
    cleo = there.come("Cleo")
    assert lines(wim)[-1] == ("Ben",)
    if goes == "silent":
        cleo.ended = True  # it says nothing any more
        tick(there, 11)
        assert cleo.farewell is CloseReason.TOO_SLOW
    elif goes == "cut off":
        there.drop("Cleo")
    else:
        assert not isinstance(goes, str)
        there.say(cleo, goes)
    assert lines(wim)[-1] == ("Ben", "Cleo")
    ben = there.come("Ben")
    assert gathers(there)
    assert lines(ben)[-1] == ("Cleo",)
    there.come("Cleo")
    assert not gathers(there)


def test_gold_is_kept_where_a_round_is_dealt_anew() -> None:
    table = in_round_two()
    before = views(table, "Ben", "Cleo")
    there = gone_on(table, Knowledge)
    there.come_all("Ben", "Cleo")
    tells(there, secrets_held(there)[:-1])
    assert there.lobby.relocations[-1].at_odds
    for name, view in views(there, "Ben", "Cleo").items():
        assert view.ledger == before[name].ledger
