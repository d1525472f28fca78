"""What every program finds out after a game by itself: at an honest host, and after a move."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from random import Random

import pytest
from msgspec import structs

from engine.actions import Looked
from engine.board import GOAL_CELLS
from engine.cards import DECK, Role
from engine.dealing import deal
from engine.events import Dealt, DwarfDealt, Event, HandDealt, RoundEnded
from engine.game import Game
from engine.state import Phase
from net.client.audit import Audit, MismatchKind, audit
from net.client.draws import NOTHING_DEALT, NoteKind, SeenDraw, find_false_event, read_draw
from net.client.state import ClientState
from net.protocol.lobby import SeedDraw, Settings
from net.protocol.lobby_events import HostSharesShown
from net.protocol.messages import HostMessage, StepFrame
from net.protocol.requests import NextRound, PlayAgain, Sit, Start
from net.room import inputs
from tests.net.client.unfair_table import kinds
from tests.net.room.moved_table import lose_host, move_to
from tests.net.room.room_fixture import Guest, Table, play_on, seat_bots, three_in_game
from tests.samples import first

PLAYERS = ("Ann", "Ben", "Cleo")
PEOPLE = (*PLAYERS, "Wim")
HONEST = Audit(PLAYERS)
THREE = Settings(seats=3, rounds=3)


def next_round(table: Table) -> None:
    assert table.wants("Ann", NextRound()) is None
    play_on(table)


def play_game(rounds: int = 1) -> Table:
    table = three_in_game(Settings(seats=3, rounds=rounds))
    play_on(table)
    for _ in range(rounds - 1):
        next_round(table)
    return table


@pytest.mark.parametrize("rounds", first(1, [1, 3], thorough=2))
def test_every_program_finds_the_game_right_by_itself_and_once(rounds: int) -> None:
    table = play_game(rounds)
    for _ in range(2):
        assert [table.people[name].audits for name in PEOPLE] == [[HONEST]] * 4
        for name in PEOPLE:
            table.ask(table.people[name])


def test_a_game_after_the_game_is_audited_too() -> None:
    table = play_game()
    assert table.wants("Ann", PlayAgain()) is None
    assert table.wants("Ann", Start()) is None
    play_on(table)
    assert table.people["Ben"].audits == [HONEST, HONEST]


@pytest.mark.parametrize("is_alone", [False, True])
def test_a_host_with_bots_dealt_alone_and_a_game_in_one_process_is_not_checked(
    *, is_alone: bool
) -> None:
    table = Table(Settings(seats=3, rounds=1))
    ann = table.come("Ann")
    ann.client.is_alone = is_alone
    seat_bots(table, (1, 2))
    wim = table.come("Wim", watch=True)
    assert table.wants("Ann", Start()) is None
    play_on(table)
    assert wim.audits == [Audit(("Ann",))]
    assert ann.audits == ([] if is_alone else wim.audits)


def test_dealers_at_doors_are_not_named_and_their_own_check_says_where_it_was_made() -> None:
    table = Table(Settings(seats=3, rounds=1))
    table.at_doors = {"Cleo"}
    table.come_all(*PLAYERS)
    table.ready(*PLAYERS)
    assert table.wants("Ann", Start()) is None
    play_on(table)
    assert table.people["Ben"].audits == [Audit(("Ann", "Ben"))]
    assert table.people["Cleo"].audits == [Audit(("Ann", "Ben"), at_door=True)]


def test_somebody_who_was_away_for_a_round_is_named_and_finds_the_rest_right() -> None:
    table = three_in_game(THREE)
    play_on(table)
    inputs.drop_connection(table.room, table.now, table.people["Cleo"].connection)
    table.people["Cleo"].client.end_connection()
    table.wait(10, "Cleo")
    assert table.wants("Ann", NextRound()) is None
    table.come("Cleo")
    play_on(table)
    next_round(table)
    left_out = Audit(PLAYERS, ((2, ("Cleo",)),))
    assert table.people["Ben"].audits == [left_out]
    assert table.people["Cleo"].audits == [left_out]


def test_somebody_who_comes_by_a_snapshot_checks_what_they_saw_and_says_what_they_did_not() -> None:
    table = three_in_game(THREE)
    play_on(table)
    assert table.wants("Ann", NextRound()) is None
    late = table.come("Zoe", watch=True)
    table.people["Ben"].client = ClientState("Ben", mark=late.client.mark)  # started again
    table.come("Ben")
    play_on(table)
    next_round(table)
    assert late.audits == [Audit(PLAYERS, unseen=(1, 2))]
    assert table.people["Ben"].audits == [Audit(PLAYERS, unseen=(1, 2))]


def test_somebody_who_takes_over_a_seat_between_rounds_deals_from_then_on() -> None:
    table = Table(Settings(seats=3, rounds=2))
    table.come_all("Ann", "Ben")
    table.ready("Ann", "Ben")
    seat_bots(table, (2,))
    table.come("Wim", watch=True)
    assert table.wants("Ann", Start()) is None
    play_on(table)
    assert table.wants("Wim", Sit(2)) is None
    next_round(table)
    found = [table.people[name].audits for name in ("Ann", "Ben", "Wim")]
    assert found == [[Audit(("Ann", "Ben", "Wim"))]] * 3


def test_a_host_that_was_killed_and_resumed_is_still_found_honest() -> None:
    table = three_in_game(Settings(seats=3, rounds=2))
    play_on(table, 12)
    table.crash()
    table.come_all(*PEOPLE)
    play_on(table)
    next_round(table)
    assert [table.people[name].audits[-1] for name in PEOPLE] == [HONEST] * 4


def test_what_is_not_over_is_not_audited() -> None:
    table = three_in_game(Settings(seats=3, rounds=1))
    held = table.people["Ben"].held
    assert audit(held) is None
    assert held.deals != NOTHING_DEALT


# Rounds dealt after a table has moved.


def game_moved(rounds: int = 2) -> Table:
    table = three_in_game(Settings(seats=3, rounds=rounds))
    play_on(table, 3, "random")
    lose_host(table)
    there = move_to(table, "Ben")
    fresh = iter(range(1000))
    there.room.seeds = lambda: sha256(b"%d" % next(fresh)).digest()
    there.come_all("Ben", "Cleo", "Ann")
    play_on(there)
    for _ in range(rounds - 1):
        there.ready(*PLAYERS)
        if there.room.state.round < rounds:
            play_on(there)
    return there


@pytest.mark.parametrize(
    ("rounds", "dealers"),
    [(3, ("Ben", "Ann", "Cleo")), (1, ("Ben",))],
    ids=["later rounds", "none after the move"],
)
def test_rounds_dealt_after_a_move_are_checked_and_those_before_are_not(
    rounds: int, dealers: tuple[str, ...]
) -> None:
    there = game_moved(rounds)
    play_on(there)
    for name in PLAYERS:
        (audit,) = there.people[name].audits
        assert (audit.moved, audit.mismatches, audit.unseen) == ((1,), (), ())
        assert audit.dealers == dealers


def test_a_host_that_shows_no_share_to_which_it_had_committed_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there = game_moved()
    shown = {"Ann": [HostSharesShown((b"", bytes(32)))], "Ben": [HostSharesShown((b"", b"short"))]}

    def lie(guest: Guest, message: HostMessage) -> HostMessage:
        if not isinstance(message, StepFrame):
            return message
        true = [event for event in message.lobby_events if not isinstance(event, HostSharesShown)]
        is_end = len(true) < len(message.lobby_events)
        told = [*true, *(shown.get(guest.name, []) if is_end else [])]
        return structs.replace(message, lobby_events=tuple(told))

    monkeypatch.setattr(there, "message_for", lie)
    play_on(there)
    for name in PLAYERS:
        assert kinds(there.people[name]) == [MismatchKind.OTHER_SHARES]


def test_a_host_that_deals_other_cards_than_were_drawn_is_found_out() -> None:
    there = game_moved()
    cleo, held = there.people["Cleo"].client, there.people["Cleo"].held
    assert held.view is not None
    drawn = held.deals.draws[-1]
    assert drawn is not None
    history = tuple(
        replace(event, cards=event.cards[::-1]) if isinstance(event, HandDealt) else event
        for event in held.view.history
    )
    other = held.view._replace(history=history)
    cleo.status = replace(cleo.status, game_state=replace(held, view=other))
    play_on(there)
    (audit,) = there.people["Cleo"].audits
    assert [(mismatch.kind, mismatch.number) for mismatch in audit.mismatches] == [
        (MismatchKind.OTHER_EVENTS, 2)
    ]
    assert kinds(there.people["Ann"]) == []


def test_what_was_seen_to_be_wrong_with_a_later_draw_is_told_at_the_end() -> None:
    there = game_moved(rounds=3)
    play_on(there)
    held = there.people["Ann"].held
    first, second, last = held.deals.draws
    assert second is not None
    alone = replace(second, draw=None, lacks_draw=True)
    missed = replace(held.deals, rounds=(None, None))
    wrong = replace(missed, draws=(first, alone, last)).add_note(NoteKind.FALSE_DRAW, 3)
    wrong = wrong.add_note(NoteKind.REWRITTEN, 1)
    found = audit(replace(held, deals=wrong))
    assert found is not None
    assert [(mismatch.kind, mismatch.number) for mismatch in found.mismatches] == [
        (MismatchKind.NOT_DRAWN, 2),
        (MismatchKind.FALSE_DRAW, 3),
        (MismatchKind.REWRITTEN, 0),
    ]
    fits = audit(replace(held, deals=missed))
    assert fits is not None
    assert fits.mismatches == (), "a round that was missed fits what was seen of it"


def play_alone(seed: bytes) -> Game:
    game, _events = Game.begin(deal(seed, 1, 3), rounds=1)
    rng = Random(0)
    while game.phase is Phase.PLAY:
        game, _events = game.apply(rng.choice(game.legal_moves()))
    return game


@pytest.mark.parametrize("seat", [0, 2, None])
def test_all_that_a_seat_sees_of_a_round_follows_from_its_deal_alone(seat: int | None) -> None:
    events = play_alone(bytes(32)).view(seat).history
    assert find_false_event(deal(bytes(32), 1, 3), events) is None
    assert find_false_event(deal(b"1" * 32, 1, 3), events) is not None


def change(event: Event) -> Event:
    match event:
        case DwarfDealt(to, role):
            return DwarfDealt(to, Role.MINER if role is Role.SABOTEUR else Role.SABOTEUR)
        case HandDealt(to, cards):
            return HandDealt(to, cards[1:])
        case Dealt(to, card):
            return Dealt(to, next(one for one in DECK if one != card))
        case RoundEnded(goals=(north, middle, south)):
            return replace(event, goals=(south, north, middle))
        case _:
            raise AssertionError(event)


@pytest.mark.parametrize("kind", [DwarfDealt, HandDealt, Dealt, RoundEnded])
def test_each_event_has_to_follow_from_the_deal(kind: type[Event]) -> None:
    events = list(play_alone(bytes(32)).view(1).history)
    at = next(at for at, event in enumerate(events) if isinstance(event, kind))
    events[at] = change(events[at])
    assert find_false_event(deal(bytes(32), 1, 3), events) == events[at]


def test_a_card_that_its_seat_was_not_dealt_is_found_out() -> None:
    assert find_false_event(deal(bytes(32), 1, 3), (Looked(0, GOAL_CELLS[0]),) * 7) is not None


def test_a_draw_that_was_not_seen_or_lacks_our_share_proves_nothing() -> None:
    draw = SeedDraw(bytes(16), bytes(16), 1, bytes(32), ())
    assert read_draw(SeenDraw(None, "Ann"), bytes(32)) is None
    assert read_draw(SeenDraw(draw, "Ann", own=b"1" * 32), bytes(32)) is None
