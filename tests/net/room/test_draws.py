"""Seeds that all programs at a table draw together: who is asked, who is left out, and when.

Each round is dealt from its own seed, drawn when it is dealt: no journal tells a later round.
"""

from __future__ import annotations

import msgspec
import pytest

from engine import Phase
from engine.dealing import Draw, commitment, draw_id
from engine.notation import Record, parse_record
from net.protocol.lobby import SeedDraw, Settings, Stage
from net.protocol.lobby_events import DrawBegan, LobbyEvent, SharesCommitted, SharesShown
from net.protocol.messages import (
    ClientMessage,
    CloseReason,
    CommitShare,
    DiskStatus,
    Refusal,
    ShowShare,
)
from net.protocol.requests import (
    ChangeSettings,
    FreeSeat,
    GoOnWithout,
    HandOver,
    Kick,
    Leave,
    NextRound,
    PutBot,
    SetReady,
    Sit,
    StandUp,
    Start,
    TableRequest,
)
from net.room import inputs
from net.room.seeds import deal_basis
from net.room.state import Begin, DealNext, Step, read_step, write
from tests.net.room.room_fixture import Guest, Table, bots, play_on, playing

THREE = Settings(seats=3, rounds=2)


class SlowTable(Table):
    """A table at which a draw is looked at."""

    def __init__(self, settings: Settings = THREE) -> None:
        super().__init__(settings)

    @property
    def draw(self) -> SeedDraw:
        """The draw in the lobby."""
        assert self.lobby.draw is not None
        return self.lobby.draw

    @property
    def dealt(self) -> Draw:
        """The draw of the last round that was dealt."""
        record = self.room.state.record
        assert record is not None
        draw = record.draws[-1]
        assert draw is not None
        return draw

    def draw_news(self, name: str = "Ben") -> list[LobbyEvent]:
        """What somebody was told of draws."""
        draws = DrawBegan | SharesCommitted | SharesShown
        return [event for event in self.people[name].news if isinstance(event, draws)]


def ready(settings: Settings = THREE) -> SlowTable:
    """Ann, Ben and Cleo in the lobby, who are ready, and Wim who watches."""
    table = SlowTable(settings)
    for name in ("Ann", "Ben", "Cleo"):
        table.come(name)
        table.ready(name)
    table.come("Wim", watch=True)
    return table


def drawing(*slow: str, kinds: tuple[type[ClientMessage], ...] = (CommitShare,)) -> SlowTable:
    """The same while a draw waits for some of them."""
    table = ready()
    table.holds = dict.fromkeys(slow, kinds)
    assert table.wants("Ann", Start()) is None
    assert table.lobby.is_drawing
    return table


def between_rounds() -> SlowTable:
    """The same after their first round."""
    table = ready()
    assert table.wants("Ann", Start()) is None
    play_on(table)
    assert table.room.state.phase is Phase.DEAL
    return table


def test_all_commit_before_anybody_shows_a_share_and_the_host_shows_none() -> None:
    table = ready()
    basis = deal_basis(table.lobby, None, (2, 3))
    assert table.wants("Ann", Start()) is None
    began, committed, shown = table.draw_news()
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
    assert table.dealt.dealers == ("Ann", "Ben", "Cleo")
    for guest in table.people.values():
        assert not any(table.seed in repr(message).encode() for message in guest.got)
        assert repr(table.seed) not in repr(guest.got)


def test_the_host_bots_and_watchers_are_not_asked() -> None:
    table = SlowTable(Settings(seats=4, rounds=1))
    for name in ("Ann", "Ben"):
        table.come(name)
        assert table.wants(name, SetReady(ready=True)) is None
    table.come("Wim", watch=True)
    bots(table, (2, 3))
    assert table.wants("Ann", Start()) is None
    assert table.dealt.dealers == ("Ann", "Ben")
    assert table.dealt.left_out == ()


def test_a_host_who_only_watches_draws_with_the_one_who_plays() -> None:
    table = SlowTable()
    table.come("Ann")
    assert table.wants("Ann", StandUp()) is None
    table.come("Ben")
    bots(table, (1, 2))
    assert table.wants("Ben", SetReady(ready=True)) is None
    assert table.wants("Ann", Start()) is None
    assert table.dealt.dealers == ("Ann", "Ben")


@pytest.mark.parametrize("kind", [CommitShare, ShowShare])
def test_who_is_silent_is_left_out_and_all_others_draw_anew(kind: type[ClientMessage]) -> None:
    table = drawing("Cleo", kinds=(kind,))
    first = table.draw
    table.wait(2.5)
    assert table.draw == first
    table.seed = bytes(32)
    table.wait(0.5)
    assert table.lobby.stage is Stage.PLAYING
    draw = table.dealt
    assert (draw.dealers, draw.left_out) == (("Ann", "Ben"), ("Cleo",))
    assert draw.id != first.id
    assert draw.host.share == bytes(32)
    assert table.draw.commitments[0] not in first.commitments
    table.let_go()
    assert table.dealt == draw, "what comes too late changes nothing"


def test_who_is_gone_is_left_out_at_once() -> None:
    table = ready()
    inputs.drop_connection(table.room, table.now, table.people["Cleo"].connection)
    table.wait(10, "Cleo")
    assert table.wants("Ann", Start()) is None
    assert (table.dealt.dealers, table.dealt.left_out) == (("Ann", "Ben"), ("Cleo",))


def test_if_all_are_gone_there_is_nobody_to_wait_for() -> None:
    table = ready()
    for name in ("Ben", "Cleo"):
        inputs.drop_connection(table.room, table.now, table.people[name].connection)
    table.wait(10, "Ben", "Cleo")
    assert table.wants("Ann", Start()) is Refusal.FEW_HERE
    assert table.wants("Ann", GoOnWithout()) is None
    assert table.wants("Ann", Start()) is None
    assert (table.dealt.dealers, table.dealt.left_out) == (("Ann",), ("Ben", "Cleo"))


def test_who_says_that_they_are_ready_while_a_seed_is_drawn_is_not_refused() -> None:
    table = drawing("Ben")
    for said in (False, True):
        assert table.wants("Ben", SetReady(said)) is None
    table.let_go()
    assert table.lobby.stage is Stage.PLAYING
    assert not table.lobby.is_ready(1), "they say it again for the next round"


@pytest.mark.parametrize(
    ("name", "request_", "reason"),
    [
        ("Ann", Start(), Refusal.NOT_NOW),
        ("Ann", NextRound(), Refusal.NOT_NOW),
        ("Ann", FreeSeat(2), Refusal.NOT_NOW),
        ("Ann", PutBot(2, "Bo", "easy"), Refusal.NOT_NOW),
        ("Ann", HandOver(2, 4), Refusal.NOT_NOW),
        ("Ann", ChangeSettings(Settings(seats=4, rounds=2)), Refusal.NOT_NOW),
        ("Ben", StandUp(), Refusal.NOT_NOW),
        ("Wim", Sit(2), Refusal.NOT_NOW),
    ],
)
def test_while_a_seed_is_drawn_nobody_changes_seats_and_nothing_else_begins(
    name: str, request_: TableRequest, reason: Refusal
) -> None:
    table = drawing("Ben")
    before = table.lobby
    assert table.wants(name, request_) is reason
    assert table.lobby == before
    table.let_go()
    assert table.lobby.stage is Stage.PLAYING


def test_who_comes_while_a_seed_is_drawn_watches() -> None:
    table = SlowTable(Settings(seats=4, rounds=1))
    for name in ("Ann", "Ben", "Cleo"):
        table.come(name)
        table.ready(name)
    table.holds = {"Ben": (CommitShare, ShowShare)}
    assert table.wants("Ann", Start()) is None
    assert table.come("Dede").client.status.seat is None
    table.let_go()
    assert len(table.lobby.chairs) == 3


@pytest.mark.parametrize("goes", [("Ben", Leave()), ("Ann", Kick(2)), ("Ann", Kick(3))])
def test_a_draw_before_a_game_is_void_if_a_player_goes(goes: tuple[str, TableRequest]) -> None:
    table = drawing("Ben")
    assert table.wants(*goes) is None
    assert table.lobby.draw is None
    assert table.room.state.game is None
    bots(table, [table.lobby.free_seats[0]])
    table.let_go()
    assert table.wants("Ann", Start()) is None
    assert table.room.state.game is not None


def test_a_watcher_who_goes_disturbs_no_draw() -> None:
    table = drawing("Ben")
    assert table.wants("Wim", Leave()) is None
    table.let_go()
    assert table.lobby.stage is Stage.PLAYING


def test_if_a_player_goes_between_rounds_the_round_is_drawn_without_them() -> None:
    table = between_rounds()
    table.ready("Ann", "Ben")
    table.holds = {"Cleo": (CommitShare, ShowShare)}
    assert table.wants("Cleo", SetReady(ready=True)) is None
    assert table.draw.round == 2
    assert table.wants("Cleo", Leave()) is None
    assert table.lobby.draw is None
    table.wait(0.5)
    assert (table.dealt.dealers, table.dealt.left_out) == (("Ann", "Ben"), ())
    assert table.room.state.phase is Phase.PLAY


# Lost connections, and a host's program that is killed.


@pytest.mark.parametrize("kind", [CommitShare, ShowShare])
def test_an_answer_lost_with_the_connection_is_given_again(kind: type[ClientMessage]) -> None:
    table = drawing("Ben", kinds=(kind,))
    draw = table.draw
    inputs.drop_connection(table.room, table.now, table.people["Ben"].connection)
    table.people["Ben"].client.end_connection()
    table.holds = {}
    table.wait(2, "Ben")
    table.come("Ben")
    assert table.dealt.id == draw.id
    assert table.dealt.left_out == ()


def test_a_program_that_was_started_anew_between_its_commitment_and_its_share_is_left_out() -> None:
    table = drawing("Ben", kinds=(ShowShare,))
    fresh = Guest("Ben", 0, watch=False)
    table.people["Ben"].client = fresh.client
    table.holds = {}
    table.come("Ben")
    assert table.lobby.is_drawing
    table.wait(3)
    assert table.dealt.left_out == ("Ben",)


@pytest.mark.parametrize("kind", [CommitShare, ShowShare])
def test_a_draw_goes_on_with_the_hosts_share_after_a_crash(kind: type[ClientMessage]) -> None:
    table = drawing("Ben", kinds=(kind,))
    draw, share = table.draw, table.seed
    table.seed = b"x" * 32
    table.crash()
    table.holds = {}
    for name in table.people:
        table.come(name)
    assert table.draw.id == table.dealt.id == draw.id
    assert table.draw.host == draw.host
    assert table.dealt.host.share == share
    assert table.dealt.left_out == ()


def test_after_a_restart_all_have_the_usual_time_to_come_back() -> None:
    table = drawing("Ben")
    table.crash()
    table.wait(9, *table.people)
    assert table.lobby.is_drawing
    assert table.draw.absent == ()
    table.holds = {}
    for name in table.people:
        table.come(name)
    assert table.dealt.left_out == ()


def test_a_table_resumed_at_any_step_of_a_draw_holds_the_same() -> None:
    table = drawing("Ben", kinds=(ShowShare,))
    table.let_go()
    for count in range(len(table.disk) + 1):
        copy = SlowTable()
        copy.kept, copy.disk = table.kept, table.disk[:count]
        copy.crash()
        assert copy.room.state.number == count + 1
        if count == len(table.disk):
            assert copy.lobby.draw == table.draw
            assert copy.room.state.record == table.room.state.record


def test_a_full_disk_holds_a_draw_up_and_nobody_is_left_out_for_it() -> None:
    table = drawing("Ben")
    table.happen(inputs.note_disk(table.room, table.now, DiskStatus.FULL))
    table.let_go()
    table.wait(5)
    assert table.lobby.is_drawing
    table.happen(inputs.note_disk(table.room, table.now, DiskStatus.OK))
    table.wait(0.5)
    assert table.dealt.left_out == ()


# Answers that no honest program gives.


def test_an_answer_to_another_draw_or_before_its_time_is_ignored() -> None:
    table = drawing("Ben")
    before = table.room.state
    table.say(table.people["Cleo"], CommitShare(bytes(16), bytes(32)))
    table.say(table.people["Cleo"], ShowShare(table.draw.id, bytes(32)))
    assert table.room.state == before
    table.let_go()
    assert table.dealt.left_out == ()


def test_a_share_that_was_not_committed_to_does_not_count() -> None:
    table = drawing("Ben", kinds=(ShowShare,))
    table.holds = {}
    table.say(table.people["Ben"], ShowShare(table.draw.id, bytes(32)))
    table.say(table.people["Ben"], CommitShare(table.draw.id, bytes(32)))
    assert table.lobby.is_drawing
    table.let_go()
    assert table.dealt.left_out == ()


def test_a_watcher_puts_in_nothing_even_if_they_try() -> None:
    table = drawing("Ben")
    table.say(table.people["Wim"], CommitShare(table.draw.id, bytes(32)))
    table.let_go()
    assert table.dealt.dealers == ("Ann", "Ben", "Cleo")


def test_an_answer_of_somebody_who_has_not_entered_ends_their_connection() -> None:
    table = drawing("Ben")
    stranger = table.near("Zed", watch=True)
    table.say(stranger, CommitShare(table.draw.id, bytes(32)))
    assert stranger.farewell is CloseReason.OUT_OF_ORDER


def seed_of(number: int) -> bytes:
    """One of many seeds."""
    return number.to_bytes(32, "big")


def after_a_round(*, alone: bool = False) -> Table:
    """A table whose first round is over, with two guests or with bots."""
    if alone:
        table = Table(Settings(seats=3, rounds=3))
        table.come("Ann")
        bots(table, (1, 2))
        assert table.wants("Ann", Start()) is None
    else:
        table = playing(Settings(seats=3, rounds=3))
    play_on(table)
    assert table.room.state.phase is Phase.DEAL
    return table


@pytest.mark.parametrize("alone", [True, False])
def test_two_copies_of_a_journal_deal_two_next_rounds(*, alone: bool) -> None:
    table, games = after_a_round(alone=alone), []
    kept = tuple(table.disk)
    for number in (1000, 2000):
        table.seed = seed_of(number)
        table.room = inputs.resume(table.kept, kept, 2, lambda: table.seed, table.now)
        for name in table.people:
            table.come(name)
        assert table.wants("Ann", NextRound()) is None
        games.append(table.game)
    one, two = (game.round for game in games)
    assert (one.roles, one.hands, one.pile) != (two.roles, two.hands, two.pile)


def test_what_is_in_the_journal_before_a_round_is_dealt_holds_no_seed_of_it() -> None:
    table = after_a_round()
    table.seed = seed_of(7)
    before = b"".join(table.disk)
    assert table.wants("Ann", NextRound()) is None
    (share,) = [step.share for step in map(read_step, table.disk) if step.share == seed_of(7)]
    assert share not in before
    record = table.room.state.record
    assert record is not None
    assert record.seeds[1] not in before


def test_the_record_tells_the_shares_of_each_round_and_is_checked_by_them() -> None:
    table = playing(Settings(seats=3, rounds=2))
    play_on(table)
    table.seed = seed_of(1)
    assert table.wants("Ann", NextRound()) is None
    play_on(table)
    assert table.room.state.phase is Phase.OVER
    held = table.people["Ben"].held
    record = parse_record(held.record)
    assert isinstance(record, Record)
    draws = [draw for draw in record.draws if draw is not None]
    assert [draw.host.share for draw in draws] == [bytes(range(32)), seed_of(1)]
    assert [draw.dealers for draw in draws] == [("Ann", "Ben", "Cleo")] * 2
    assert record.seeds == tuple(draw.seed for draw in draws)


def test_a_journal_from_before_each_round_had_a_seed_deals_as_it_did_then() -> None:
    table = after_a_round(alone=True)
    old = [*table.disk, msgspec.msgpack.encode([0, 0, [[13]], [2]])]
    new = [*table.disk, write(Step(news=read_step(old[-1]).news, act=DealNext(bytes(range(32)))))]
    begun = next(act for act in (read_step(entry).act for entry in old) if isinstance(act, Begin))
    assert begun.seed == bytes(range(32))
    one, two = (inputs.resume(table.kept, disk, 2, lambda: b"", 0.0).state for disk in (old, new))
    assert one.game == two.game
    assert one.game is not None
    assert one.game.score.number == 2
