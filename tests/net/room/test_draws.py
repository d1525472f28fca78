"""Seeds that all programs at a table draw together: who is asked, who is left out, and when.

Each round is dealt from its own seed, drawn when it is dealt: no journal tells a later round.
"""

from __future__ import annotations

import msgspec
import pytest

from engine import Phase
from engine.dealing import Draw, commitment, draw_id
from engine.notation import Record, parse_record
from net.protocol import requests as ask
from net.protocol.lobby import SeedDraw, Settings, TablePhase
from net.protocol.lobby_events import DrawBegan, SharesCommitted, SharesShown
from net.protocol.messages import (
    ClientMessage,
    CloseReason,
    CommitShare,
    DiskStatus,
    Refusal,
    ShowShare,
)
from net.room import inputs
from net.room.seeds import deal_basis
from net.room.steps import Begin, DealNext, Step, read_step, write
from tests.net.room.room_fixture import (
    Guest,
    Table,
    play_on,
    seat_bots,
    three_in_game,
    three_in_lobby,
)

TWO_ROUNDS = Settings(seats=3, rounds=2)
SHARES = (CommitShare, ShowShare)


def draw_of(table: Table) -> SeedDraw:
    """The draw in the lobby."""
    assert table.lobby.draw is not None
    return table.lobby.draw


def last_draw(table: Table) -> Draw:
    """The draw of the last round that was dealt."""
    record = table.room.state.record
    assert record is not None
    assert record.draws[-1] is not None
    return record.draws[-1]


def drawers(table: Table) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who has drawn the last round that was dealt, and who was left out."""
    return last_draw(table).dealers, last_draw(table).left_out


def drawing(*slow: str, kinds: tuple[type[ClientMessage], ...] = (CommitShare,)) -> Table:
    """Ann, Ben and Cleo, and Wim who watches, while a draw waits for some of them."""
    table = three_in_lobby(TWO_ROUNDS)
    table.holds = dict.fromkeys(slow, kinds)
    assert table.wants("Ann", ask.Start()) is None
    assert table.lobby.is_drawing
    return table


def after_a_round(rounds: int = 2, *, alone: bool = False) -> Table:
    """A table whose first round is over, with two guests or with bots."""
    settings = Settings(seats=3, rounds=rounds)
    if alone:
        table = Table(settings)
        table.come("Ann")
        seat_bots(table, (1, 2))
        assert table.wants("Ann", ask.Start()) is None
    else:
        table = three_in_game(settings)
    play_on(table)
    assert table.room.state.phase is Phase.DEAL
    return table


def test_all_commit_before_anybody_shows_a_share_and_the_host_shows_none() -> None:
    table = three_in_lobby(TWO_ROUNDS)
    basis = deal_basis(table.lobby, None, (2, 3))
    assert table.wants("Ann", ask.Start()) is None
    news = table.people["Ben"].news
    began, committed, shown = (
        event for event in news if isinstance(event, DrawBegan | SharesCommitted | SharesShown)
    )
    assert isinstance(began, DrawBegan)
    assert isinstance(committed, SharesCommitted)
    assert isinstance(shown, SharesShown)
    assert began.id == draw_id(began.nonce, basis)
    assert (began.round, began.members, began.absent) == (1, (2, 3), ())
    assert began.commitment == commitment(began.id, "Ann", table.seed)
    assert committed.commitments == tuple(
        commitment(began.id, name, share)
        for name, share in zip(("Ben", "Cleo"), shown.shares, strict=True)
    )
    assert drawers(table) == (("Ann", "Ben", "Cleo"), ())
    for guest in table.people.values():
        assert repr(table.seed) not in repr(guest.got)


@pytest.mark.parametrize("host_plays", [True, False])
def test_bots_and_watchers_are_not_asked_and_a_host_draws_even_one_who_watches(
    *, host_plays: bool
) -> None:
    table = Table(TWO_ROUNDS)
    table.come("Ann")
    if not host_plays:
        assert table.wants("Ann", ask.StandUp()) is None
    table.come("Ben")
    table.come("Wim", watch=True)
    seat_bots(table, table.lobby.free_seats)
    assert table.wants("Ann", ask.Start()) is None
    assert drawers(table) == (("Ann", "Ben"), ())


@pytest.mark.parametrize("kind", SHARES)
def test_a_silent_player_is_left_out_and_all_others_draw_again(kind: type[ClientMessage]) -> None:
    table = drawing("Cleo", kinds=(kind,))
    first = draw_of(table)
    table.wait(2.5)
    assert draw_of(table) == first
    table.seed = bytes(32)
    table.wait(0.5)
    assert table.lobby.stage is TablePhase.PLAYING
    assert drawers(table) == (("Ann", "Ben"), ("Cleo",))
    draw = last_draw(table)
    assert draw.id != first.id
    assert draw.host.share == bytes(32)
    assert draw_of(table).commitments[0] not in first.commitments
    table.let_go()
    assert last_draw(table) == draw, "what comes too late changes nothing"


def test_somebody_who_is_gone_is_left_out_at_once_and_if_all_are_nobody_is_waited_for() -> None:
    table = three_in_lobby(TWO_ROUNDS)
    table.wait(10, "Cleo")
    assert table.wants("Ann", ask.Start()) is None
    assert drawers(table) == (("Ann", "Ben"), ("Cleo",))
    table = three_in_lobby(TWO_ROUNDS)
    table.wait(10, "Ben", "Cleo")
    assert table.wants("Ann", ask.Start()) is Refusal.FEW_HERE
    assert table.wants("Ann", ask.ContinueWithout()) is None
    assert table.wants("Ann", ask.Start()) is None
    assert drawers(table) == (("Ann",), ("Ben", "Cleo"))


def test_somebody_who_says_that_they_are_ready_while_a_seed_is_drawn_is_not_refused() -> None:
    table = drawing("Ben")
    for said in (False, True):
        assert table.wants("Ben", ask.SetReady(said)) is None
    table.let_go()
    assert table.lobby.stage is TablePhase.PLAYING
    assert not table.lobby.is_ready(1), "they say it again for the next round"


def test_while_a_seed_is_drawn_nobody_changes_seats_and_nothing_else_begins() -> None:
    table = drawing("Ben")
    before = table.lobby
    for name, request in (
        ("Ann", ask.Start()),
        ("Ann", ask.NextRound()),
        ("Ann", ask.FreeSeat(2)),
        ("Ann", ask.PutBot(2, "Bo", "easy")),
        ("Ann", ask.HandOver(2, 4)),
        ("Ann", ask.ChangeSettings(Settings(seats=4, rounds=2))),
        ("Ben", ask.StandUp()),
        ("Wim", ask.Sit(2)),
    ):
        assert table.wants(name, request) is Refusal.NOT_NOW
        assert table.lobby == before
    assert table.wants("Wim", ask.Leave()) is None, "a watcher who goes disturbs no draw"
    table.let_go()
    assert table.lobby.stage is TablePhase.PLAYING


def test_somebody_who_comes_while_a_seed_is_drawn_watches() -> None:
    table = three_in_lobby(Settings(seats=4, rounds=1))
    table.holds = {"Ben": SHARES}
    assert table.wants("Ann", ask.Start()) is None
    assert table.come("Dede").client.status.seat is None
    table.let_go()
    assert len(table.lobby.chairs) == 3


@pytest.mark.parametrize("goes", [("Ben", ask.Leave()), ("Ann", ask.Kick(2)), ("Ann", ask.Kick(3))])
def test_a_draw_before_a_game_is_void_if_a_player_goes(goes: tuple[str, ask.TableRequest]) -> None:
    table = drawing("Ben")
    assert table.wants(*goes) is None
    assert table.lobby.draw is None
    assert table.room.state.game is None
    seat_bots(table, [table.lobby.free_seats[0]])
    table.let_go()
    assert table.wants("Ann", ask.Start()) is None
    assert table.room.state.game is not None


def test_if_a_player_goes_between_rounds_the_round_is_drawn_without_them() -> None:
    table = after_a_round()
    table.ready("Ann", "Ben")
    table.holds = {"Cleo": SHARES}
    table.ready("Cleo")
    assert draw_of(table).round == 2
    assert table.wants("Cleo", ask.Leave()) is None
    assert table.lobby.draw is None
    table.wait(0.5)
    assert drawers(table) == (("Ann", "Ben"), ())
    assert table.room.state.phase is Phase.PLAY


# Lost connections, and a host's program that is killed.


@pytest.mark.parametrize("kind", SHARES)
def test_an_answer_lost_with_the_connection_is_given_again(kind: type[ClientMessage]) -> None:
    table = drawing("Ben", kinds=(kind,))
    draw = draw_of(table)
    table.drop("Ben")
    table.holds = {}
    table.wait(2, "Ben")
    table.come("Ben")
    assert last_draw(table).id == draw.id
    assert last_draw(table).left_out == ()


def test_a_program_that_restarted_between_its_commitment_and_its_share_is_left_out() -> None:
    table = drawing("Ben", kinds=(ShowShare,))
    table.people["Ben"].client = Guest("Ben", 0, watch=False).client
    table.holds = {}
    table.come("Ben")
    assert table.lobby.is_drawing
    table.wait(3)
    assert last_draw(table).left_out == ("Ben",)


@pytest.mark.parametrize("kind", SHARES)
def test_a_draw_goes_on_with_the_hosts_share_after_a_crash(kind: type[ClientMessage]) -> None:
    table = drawing("Ben", kinds=(kind,))
    draw, share = draw_of(table), table.seed
    table.seed = b"x" * 32
    table.crash()
    table.wait(9, *table.people)
    assert table.lobby.is_drawing, "all have the usual time to come back"
    assert draw_of(table).absent == ()
    table.holds = {}
    table.come_all(*table.people)
    assert draw_of(table).id == last_draw(table).id == draw.id
    assert draw_of(table).host == draw.host
    assert last_draw(table).host.share == share
    assert last_draw(table).left_out == ()


def test_a_full_disk_holds_a_draw_up_and_nobody_is_left_out_for_it() -> None:
    table = drawing("Ben")
    table.apply(inputs.note_disk(table.room, table.now, DiskStatus.FULL))
    table.let_go()
    table.wait(5)
    assert table.lobby.is_drawing
    table.apply(inputs.note_disk(table.room, table.now, DiskStatus.OK))
    table.wait(0.5)
    assert last_draw(table).left_out == ()


# Answers that no honest program gives.


def test_an_answer_to_another_draw_before_its_time_or_of_a_watcher_is_ignored() -> None:
    table = drawing("Ben")
    before, draw = table.room.state, draw_of(table).id
    table.say(table.people["Cleo"], CommitShare(bytes(16), bytes(32)))
    table.say(table.people["Cleo"], ShowShare(draw, bytes(32)))
    table.say(table.people["Wim"], CommitShare(draw, bytes(32)))
    assert table.room.state == before
    stranger = table.near("Zed", watch=True)
    table.say(stranger, CommitShare(draw, bytes(32)))
    assert stranger.farewell is CloseReason.OUT_OF_ORDER
    table.let_go()
    assert drawers(table) == (("Ann", "Ben", "Cleo"), ())


def test_a_share_that_was_not_committed_to_does_not_count() -> None:
    table = drawing("Ben", kinds=(ShowShare,))
    table.holds = {}
    table.say(table.people["Ben"], ShowShare(draw_of(table).id, bytes(32)))
    table.say(table.people["Ben"], CommitShare(draw_of(table).id, bytes(32)))
    assert table.lobby.is_drawing
    table.let_go()
    assert last_draw(table).left_out == ()


# The seeds of rounds.


def seed_of(number: int) -> bytes:
    """One of many seeds."""
    return number.to_bytes(32, "big")


@pytest.mark.parametrize("alone", [True, False])
def test_two_copies_of_a_journal_deal_two_next_rounds(*, alone: bool) -> None:
    table, games = after_a_round(3, alone=alone), []
    kept = tuple(table.disk)
    for number in (1000, 2000):
        table.seed = seed_of(number)
        table.room = inputs.resume(table.kept, kept, 2, lambda: table.seed, table.now)
        table.come_all(*table.people)
        assert table.wants("Ann", ask.NextRound()) is None
        games.append(table.game)
    one, two = (game.round for game in games)
    assert (one.roles, one.hands, one.pile) != (two.roles, two.hands, two.pile)


def test_each_round_has_a_share_which_the_record_tells_and_no_journal_before_the_deal() -> None:
    table = after_a_round()
    table.seed = seed_of(7)
    before = b"".join(table.disk)
    assert table.wants("Ann", ask.NextRound()) is None
    (share,) = [step.share for step in map(read_step, table.disk) if step.share == seed_of(7)]
    assert share not in before
    play_on(table)
    assert table.room.state.phase is Phase.OVER
    record = parse_record(table.people["Ben"].held.record)
    assert isinstance(record, Record)
    assert record.seeds[1] not in before
    draws = [draw for draw in record.draws if draw is not None]
    assert [draw.host.share for draw in draws] == [bytes(range(32)), seed_of(7)]
    assert [draw.dealers for draw in draws] == [("Ann", "Ben", "Cleo")] * 2
    assert record.seeds == tuple(draw.seed for draw in draws)


def test_a_journal_from_before_each_round_had_a_seed_deals_as_it_did_then() -> None:
    table = after_a_round(3, alone=True)
    old = [*table.disk, msgspec.msgpack.encode([0, 0, [[13]], [2]])]
    new = [*table.disk, write(Step(news=read_step(old[-1]).news, act=DealNext(bytes(range(32)))))]
    begun = next(act for act in (read_step(entry).act for entry in old) if isinstance(act, Begin))
    assert begun.seed == bytes(range(32))
    one, two = (inputs.resume(table.kept, disk, 2, lambda: b"", 0.0).state for disk in (old, new))
    assert one.game == two.game
    assert one.game is not None
    assert one.game.score.number == 2
