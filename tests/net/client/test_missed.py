"""Missed steps: a host can keep them back, but it cannot exchange them for others."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from msgspec import structs

from engine.cards import CARDS
from engine.events import Dealt, Drew, Passed
from engine.notation import Record, format_record
from engine.state import Phase
from net.client.audit import MismatchKind
from net.client.state import ClientState
from net.client.trail import is_told
from net.protocol.chat import ChatLine
from net.protocol.framing import BadFrame
from net.protocol.lobby import Settings
from net.protocol.lobby_events import (
    HostChanged,
    LobbyEvent,
    RecordPublished,
    Said,
)
from net.protocol.messages import (
    NOTHING_SEEN,
    Mark,
    Past,
    Snapshot,
)
from net.protocol.requests import Chat, NextRound, Sit, StandUp
from net.protocol.state_hash import hash_of_all, public_part
from net.protocol.views import read_view
from net.room import inputs
from tests.net.client.test_unfair_host import exchange_card
from tests.net.client.unfair_table import (
    ALL,
    GUESTS,
    TWO,
    UnfairTable,
    comes_back,
    drop,
    end_alone,
    honest,
    kinds,
    running,
)
from tests.net.room.room_fixture import Guest, Table, awaiting, play_on, playing

# Asked, or not.


def test_a_past_or_a_snapshot_that_nobody_asked_for_ends_the_link() -> None:
    table = playing()
    play_on(table, 3)
    ben = table.people["Ben"].client
    assert ben.status.game_state is not None
    past = Past(ben.status.game_state.mark, (), more=False)
    for unasked in (past, honest(table, "Ben")):
        with pytest.raises(BadFrame):
            ben.receive(unasked)
    awaiting(ben).receive(honest(table, "Ben"))
    with pytest.raises(BadFrame):
        ben.receive(past)


def test_a_snapshot_without_a_past_or_not_at_its_end_ends_the_link() -> None:
    table = playing()
    ben = table.people["Ben"].client
    ben.begin_connection()
    with pytest.raises(BadFrame):
        ben.receive(honest(table, "Ben"))
    assert ben.status.game_state is not None
    ben.receive(Past(ben.status.game_state.mark, (), more=False))
    assert table.wants("Ann", Chat("now")) is None
    with pytest.raises(BadFrame):
        ben.receive(honest(table, "Ben"))


@pytest.mark.parametrize("public", [b"\xc1", b"", public_part(77, (), ()), b"\xa1\xff"])
def test_steps_that_are_none_end_the_link(public: bytes) -> None:
    table = playing()
    ben = table.people["Ben"].client
    held = ben.status.game_state
    assert held is not None
    ben.begin_connection()
    with pytest.raises(BadFrame):
        ben.receive(Past(held.mark, (public,), more=False))
    unclean = public_part(held.step + 1, (Said(1, "\x1b[2J"),), ())
    with pytest.raises(BadFrame):
        ben.receive(Past(held.mark, (unclean,), more=False))
    with pytest.raises(BadFrame):
        ben.receive(Past(Mark(0, b"x" * 16), (), more=False))


# As if they had been seen.


def test_a_newcomer_computes_the_running_hash_from_the_first_step_on() -> None:
    table = playing()
    play_on(table, 9)
    late = table.come("Zoe", watch=True).client
    assert late.status.game_state is not None
    assert late.status.game_state.mark == Mark(table.room.state.number, table.room.state.running)


def ends(guest: Guest) -> list[Mark]:
    """The marks that a guest's program compares with others."""
    return [one.round_end for one in guest.received if one.round_end]


def test_a_round_that_ends_unseen_brings_the_words_of_all() -> None:
    table = playing(TWO)
    play_on(table, 5)
    drop(table, "Wim")
    play_on(table)
    assert len(ends(table.people["Ann"])) == 1
    assert ends(comes_back(table, "Wim")) == ends(table.people["Ann"])


def test_who_was_away_for_a_round_has_seen_all_that_was_public_of_it() -> None:
    table = playing(TWO)
    play_on(table, 5)
    drop(table, "Wim")
    play_on(table)
    assert table.wants("Ann", NextRound()) is None
    play_on(table, 3)
    wim = comes_back(table, "Wim")
    play_on(table)
    assert [(one.unseen, one.mismatches) for one in wim.audits] == [((), ())]


def test_a_round_seen_in_part_is_compared_with_the_record() -> None:
    table = UnfairTable(TWO)
    table.begin()
    play_on(table, 12)
    drop(table, "Ben")
    away_until_the_next_round(table, "Ben")
    table.lie = forging(table)
    end_alone(table)
    assert kinds(table.people["Ben"]) == [MismatchKind.OTHER_EVENTS]


def away_until_the_next_round(table: Table, name: str) -> None:
    """Play on without somebody, whose moves a bot makes, until the next round has begun."""
    table.wait(11, name)
    while table.room.state.phase is not Phase.DEAL:
        turn = table.room.bot_turn()
        if turn is None:
            assert table.plays(table.name_to_act(), table.move()) is None
        else:
            view = table.room.state.view(turn.seat)
            assert view is not None
            move = Random(1).choice(view.legal_moves())
            assert table.room.due is not None
            table.happen(inputs.make_bot_move(table.room, table.now, table.room.due, move))
    assert table.wants("Ann", NextRound()) is None
    table.wait(3, name)
    comes_back(table, name)


def forging(table: UnfairTable) -> Callable[[Guest, LobbyEvent], LobbyEvent | None]:
    """Publish another game with the same draws, in which all else was otherwise."""

    def lie(_guest: Guest, event: LobbyEvent) -> LobbyEvent | None:
        if not isinstance(event, RecordPublished):
            return event
        true, rng = table.record(), Random(3)
        made, game = Record(true.names, rounds=true.rounds, youngest=true.youngest), None
        for draw in true.draws:
            assert draw is not None
            made = made.add_round(draw)
            game, _ = made.next_step(game)
            while game.to_act is not None:
                move = rng.choice(game.legal_moves())
                game, _ = game.apply(move)
                made = made.add_move(move)
        return RecordPublished(format_record(made))

    return lie


# What a snapshot may add.


def other_talk(told: Snapshot) -> Snapshot:
    """A line that nobody said."""
    return structs.replace(told, talk=(*told.talk, ChatLine("Ann", 0, "psst")))


def other_lobby(told: Snapshot) -> Snapshot:
    """A lobby that is locked."""
    lobby = structs.replace(told.lobby, locked=True)
    return with_hash(structs.replace(told, lobby=lobby))


def other_draw(told: Snapshot) -> Snapshot:
    """Another commitment of the host."""
    assert told.lobby.draw is not None
    draw = structs.replace(told.lobby.draw, host=b"x" * 32)
    return with_hash(structs.replace(told, lobby=structs.replace(told.lobby, draw=draw)))


def no_game(told: Snapshot) -> Snapshot:
    """A table at which there is no game."""
    lobby = structs.replace(told.lobby, stage=told.lobby.stage.LOBBY)
    plain = structs.replace(told, lobby=lobby, public=None, own=None, history=())
    return with_hash(plain)


def with_hash(told: Snapshot) -> Snapshot:
    """The same with the hash that its receiver works out."""
    view = None
    if told.public is not None and told.own is not None:
        view = read_view(told.public, told.own, told.history)
    return structs.replace(told, hash=hash_of_all(told.lobby, view))


@pytest.mark.parametrize("lie", [other_talk, other_lobby, other_draw, no_game, exchange_card])
def test_a_snapshot_that_the_missed_steps_do_not_lead_to_is_found_out_at_once_and_at_the_end(
    lie: Callable[[Snapshot], Snapshot],
) -> None:
    table = UnfairTable()
    table.begin()
    ben = table.people["Ben"]
    received = awaiting(ben.client).receive(lie(honest(table, "Ben")))
    assert received.disagreed is not None
    awaiting(ben.client).receive(honest(table, "Ben"))
    play_on(table)
    assert MismatchKind.REWRITTEN in kinds(ben)


def test_a_snapshot_of_another_table_or_record_is_found_out() -> None:
    table = UnfairTable()
    table.play()
    ben = table.people["Ben"].client
    told = structs.replace(honest(table, "Ben"), record="another")
    assert awaiting(ben).receive(told).disagreed is not None
    table = UnfairTable(TWO)
    table.begin()
    play_on(table, 4)
    ben, before = table.people["Ben"].client, honest(table, "Ben")
    while table.name_to_act() == "Ben":
        play_on(table, 1)
    play_on(table, 1)
    stale = structs.replace(
        before, step=table.room.state.number, lobby=table.lobby, talk=table.room.state.talk
    )
    assert awaiting(ben).receive(with_hash(stale)).disagreed is not None


def test_what_is_told_may_hold_more_secrets_than_were_seen_and_nothing_else() -> None:
    secret, public = Dealt(0, CARDS[3]), Drew(0)
    assert is_told((secret, public), (public,))
    assert is_told((secret, public), (secret, public))
    assert not is_told((public,), (secret, public))
    assert not is_told((public, Passed(1)), (public,))
    assert not is_told((public,), (public, Passed(1)))


# Other stories, and other pasts.


def test_who_was_told_another_story_finds_out_on_coming_back() -> None:
    table = UnfairTable()
    table.lie = lambda guest, event: (
        Said(event.member, "psst") if isinstance(event, Said) and guest.name == "Cleo" else event
    )
    assert table.wants("Ann", Chat("hello")) is None
    for name in GUESTS:
        drop(table, name)
        comes_back(table, name)
    assert table.people["Ben"].client.status.undone is None
    assert table.people["Cleo"].client.status.undone is not None


def test_a_host_that_claims_our_past_to_be_its_own_does_not_make_it_so() -> None:
    table = UnfairTable()
    table.lie = lambda guest, event: (
        Said(event.member, "psst") if isinstance(event, Said) and guest.name == "Cleo" else event
    )
    assert table.wants("Ann", Chat("hello")) is None
    cleo = table.people["Cleo"].client
    assert cleo.status.game_state is not None
    awaiting(cleo).receive(honest(table, "Cleo"))
    assert running(cleo) != running(table.people["Ann"].client)


@pytest.mark.parametrize("moves", [4, 45])
def test_a_new_host_that_lost_moves_is_found_out_by_each_program_and_in_its_check(
    moves: int,
) -> None:
    table = playing(Settings(seats=3, rounds=1))
    play_on(table, 5)
    kept = list(table.disk)
    play_on(table, moves)
    for name in (*ALL, "Wim"):
        drop(table, name)
    table.room = inputs.resume(
        table.kept, kept, 1 << 16, lambda: table.seed, table.now, elected=HostChanged(2, 1)
    )
    table.disk = kept
    table.happen(inputs.reopen(table.room, table.now))
    for name in (*ALL, "Wim"):
        guest = table.come(name)
        (lost,) = [one.lost for one in guest.received if one.lost is not None]
        assert len(lost.moves) == moves
        assert guest.client.status.undone is None
    play_on(table)
    for name in ALL:
        (audit,) = table.people[name].audits
        (back,) = audit.rollbacks
        assert (back.host, set(back.names)) == ("Ben", set(ALL))
        assert not audit.mismatches
        assert audit.unseen == (() if moves < 32 else (1,))


def test_a_gap_that_the_host_cannot_fill_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("net.room.past.MAX_KEPT_STEPS", 6)
    monkeypatch.setattr("net.client.missed.MIN_KEPT_STEPS", 6)
    table = playing(TWO)
    play_on(table, 5)
    drop(table, "Wim")
    play_on(table)
    wim = comes_back(table, "Wim")
    assert not any(one.disagreed for one in wim.received)
    assert wim.client.status.undone is None
    assert table.wants("Ann", NextRound()) is None
    play_on(table)
    assert [(one.unseen, one.mismatches) for one in wim.audits] == [((1,), ())]
    assert not wim.audits[0].is_complete
    assert wim.audits[0].has_gap
    assert sum(one.gap for one in wim.received) > 0


def test_a_round_played_beside_a_forged_gap_is_not_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("net.client.missed.MIN_KEPT_STEPS", 3)
    table = UnfairTable()
    table.begin()
    ben, last = table.people["Ben"].client, table.room.state.number
    ben.begin_connection()
    forged = tuple(public_part(last + 50 + n, (), ()) for n in (1, 2, 3))
    ben.receive(Past(Mark(last + 50, b"x" * 16), forged, more=False))
    received = ben.receive(structs.replace(honest(table, "Ben"), step=last + 53))
    assert received.gap == 50
    assert ben.status.game_state is not None
    assert ben.status.game_state.deals.has_gap


def test_a_host_that_has_dropped_what_somebody_lacks_and_little_else_hides_something() -> None:
    table = UnfairTable()
    table.begin()
    play_on(table, 4)
    ben = table.people["Ben"]
    drop(table, "Ben")
    ben.client.begin_connection()
    ben.client.receive(Past(Mark(table.room.state.number + 1, b"x" * 16), (), more=False))
    told = structs.replace(honest(table, "Ben"), step=table.room.state.number + 1)
    assert ben.client.receive(told).disagreed is not None
    held = ben.client.status.game_state
    assert held is not None
    assert held.deals.rewritten


def test_a_past_without_end_ends_the_link() -> None:
    client = ClientState("Ben")
    client.begin_connection()
    with pytest.raises(BadFrame):
        client.receive(Past(NOTHING_SEEN, (), more=True))


def test_a_long_past_comes_in_parts_and_is_asked_for_part_by_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("net.room.past.MAX_PART_BYTES", 500)
    monkeypatch.setattr("net.room.past.MAX_KEPT_BYTES", 9_000)
    table = playing(TWO)
    play_on(table)
    drop(table, "Wim")
    assert table.wants("Ann", NextRound()) is None
    play_on(table, 30)
    back = comes_back(table, "Wim")
    parts = [one for one in back.got if isinstance(one, Past)]
    assert [one.more for one in parts] == [*([True] * (len(parts) - 1)), False]
    assert len(parts) > 1
    late = table.come("Zoe", watch=True)
    assert sum(isinstance(one, Past) for one in late.got) > 2
    for guest in (back, late):
        assert running(guest.client) == table.room.state.running


def test_a_new_seat_in_a_game_is_asked_about_and_followed() -> None:
    table = playing(TWO)
    play_on(table)
    assert table.wants("Cleo", StandUp()) is None
    assert table.wants("Wim", Sit(2)) is None
    assert table.wants("Ann", NextRound()) is None
    play_on(table)
    for name in ("Cleo", "Wim"):
        guest = table.people[name]
        assert not any(one.disagreed for one in guest.received)
        assert [(one.unseen, one.mismatches) for one in guest.audits] == [((), ())]
