"""What bots say at a table, when, how often, and that this tells nothing of what they know."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from msgspec.structs import replace as changed

from engine import Break, Map, Phase
from engine.actions import Broke
from engine.bots import BOTS, Playouts
from engine.bots.claims import MAX_CLAIMS_PER_ROUND, MIN_HARMS, harm_doer
from net.protocol.chat import ChatLine, moment
from net.protocol.lobby import Absence, Settings, TableClaim, Topic
from net.protocol.lobby_events import BotClaimed
from net.protocol.messages import DiskStatus, StepFrame
from net.protocol.requests import MakeClaim, Pause
from net.room import inputs
from net.room.bots import (
    MAX_ANSWERS_PER_ROUND,
    Blamed,
    BotClaimDue,
    Harmed,
    Helped,
    MapUsed,
    PendingClaims,
    bot_claim,
)
from tests.net.room.bot_table import (
    NAMES,
    blames,
    claim_due_of,
    claims_heard,
    play,
    speak,
    with_bots,
)
from tests.net.room.room_fixture import Table


def speak_out(table: Table) -> list[tuple[int, TableClaim | None]]:
    """All bots say what they have to say; by seat what they said."""
    said = []
    while (due := table.room.claim_request()) is not None:
        said.append((due.seat, speak(table, due)))
    return said


def test_a_bot_that_has_looked_at_a_goal_says_so_to_all_and_it_is_talk_like_any_other() -> None:
    table = with_bots()
    due = claim_due_of(table, MapUsed)
    assert isinstance(due.occasion, MapUsed)
    assert due.view.seat == due.seat
    claim = speak(table, due)
    assert claim is not None
    assert claim.topic in {Topic.GOLD_AT, Topic.STONE_AT}
    assert claim.about == due.occasion.goal
    when = moment(due.view.table, due.view.score)
    line = ChatLine(NAMES[due.seat], due.seat, "", claim, when)
    for name in ("Ann", "Ben", "Wim"):
        assert claims_heard(table, name) == [BotClaimed(due.seat, claim)]
        held = table.people[name].held
        assert held.talk[-1] == line
    late = table.come("Zoe", watch=True)
    assert late.held.talk[-1] == line
    assert table.room.claim_request() is None, "it is said once"


def test_after_every_step_of_a_game_a_table_brought_back_owes_what_it_owed() -> None:
    table, rng = with_bots(seed=3), Random(3)
    while table.room.state.phase is Phase.PLAY:
        if rng.random() < 0.3:
            blames(table, rng.choice(("Ann", "Ben")), rng.randrange(2, 5))
        due = table.room.claim_request()
        if due is not None and rng.random() < 0.7:
            claim = bot_claim(due.view, due.occasion)
            table.happen(inputs.make_bot_claim(table.room, table.now, due, claim))
        play(table, rng)
        if rng.random() < 0.6:
            continue
        again = inputs.resume(table.kept, table.disk, 2, lambda: table.seed, 0.0)
        owed = table.room.claims.waiting
        assert again.claims.given == table.room.claims.given
        assert again.claims.waiting[len(again.claims.waiting) - len(owed) :] == owed


def test_what_a_bot_was_not_asked_for_leaves_all_others_waiting() -> None:
    claims = PendingClaims((BotClaimDue(1, 3, MapUsed(0)),))
    assert claims.settle_claim(2, TableClaim(Topic.WHO_ME)) == claims
    assert claims.settle_claim(3, TableClaim(Topic.WHO_ME)).waiting == ()


@pytest.mark.parametrize("topic", [Topic.DIGS_AGAINST_US, Topic.BLUFF])
def test_a_bot_answers_who_blames_it_or_doubts_its_word(topic: Topic) -> None:
    table = with_bots()
    blames(table, "Ben", 3, topic)
    due = table.room.claim_request()
    assert due is not None
    assert (due.seat, due.occasion) == (3, Blamed(1))
    claim = speak(table, due)
    assert claim is not None
    assert claim.topic in {Topic.DIGS_AGAINST_US, Topic.DIGS_FOR_US, Topic.WHO_ME}


@pytest.mark.parametrize(
    ("who", "claim"),
    [
        ("Ben", TableClaim(Topic.DIGS_FOR_US, 3)),
        ("Ben", TableClaim(Topic.HELP_ME, 2)),
        ("Ben", TableClaim(Topic.GOLD_AT, 2)),
        ("Ben", TableClaim(Topic.DIGS_AGAINST_US, 0)),
        ("Wim", TableClaim(Topic.DIGS_AGAINST_US, 3)),
    ],
    ids=str,
)
def test_what_does_not_concern_a_bot_or_comes_from_a_watcher_is_not_answered(
    who: str, claim: TableClaim
) -> None:
    table = with_bots()
    assert table.wants(who, MakeClaim(claim)) is None
    assert table.room.claim_request() is None


def test_a_bot_answers_each_seat_once_a_round_and_few_of_them() -> None:
    table = with_bots()
    for _ in range(3):
        blames(table, "Ben", 3)
    assert [seat for seat, _ in speak_out(table)].count(3) >= 1
    blames(table, "Ben", 3)
    blames(table, "Ben", 3, Topic.BLUFF)
    assert speak_out(table) == []
    blames(table, "Ann", 3)
    for seat in (2, 4):
        blames(table, "Ann", seat)
        due = next(due for due in table.room.claims.waiting if due.seat == seat)
        table.room.claims = replace(table.room.claims, waiting=(due,))
        table.happen(
            inputs.make_bot_claim(table.room, table.now, due, TableClaim(Topic.DIGS_AGAINST_US, 3))
        )
    answered = [due.occasion for due in table.room.claims.given if due.seat == 3]
    assert Blamed(1) in answered
    assert len(answered) == len(set(answered)) == MAX_ANSWERS_PER_ROUND


def test_a_bot_that_has_said_enough_says_nothing_more_in_that_round() -> None:
    table = with_bots()
    given = tuple(BotClaimDue(1, 3, MapUsed(0)) for _ in range(MAX_CLAIMS_PER_ROUND))
    table.room.claims = PendingClaims(given=given)
    blames(table, "Ben", 3)
    assert table.room.claim_request() is None
    table.room.claims = PendingClaims(given=given[1:])
    blames(table, "Ben", 3)
    assert table.room.claim_request() is not None


def test_no_bot_speaks_for_a_person_or_for_a_free_seat() -> None:
    table = with_bots(Settings(seats=5, rounds=1, absent=Absence.BOT, turn_seconds=5))
    rng = Random(6)
    assert table.wants("Ann", Pause(paused=True)) is None
    assert table.wants("Ann", Pause(paused=False)) is None
    table.wait(12, "Ben")
    blames(table, "Ann", 1)
    spoken = set()
    while table.room.state.phase is Phase.PLAY:
        if table.name_to_act() == "Ann":
            table.wait(6, "Ben")
        due = table.turn
        bold = [move for move in due.view.legal_moves() if isinstance(move, Map | Break)]
        move = rng.choice(bold) if bold else BOTS["random"](due.view, rng, Playouts(0))
        table.happen(inputs.make_bot_move(table.room, table.now, due, move))
        spoken |= {seat for seat, _ in speak_out(table)}
    assert spoken == set(NAMES)


def test_nobody_speaks_while_the_game_pauses_the_disk_is_full_or_nobody_is_there() -> None:
    table = with_bots()
    blames(table, "Ben", 3)
    due = table.room.claim_request()
    assert due is not None

    def is_quiet() -> bool:
        number = table.room.state.number
        table.happen(inputs.make_bot_claim(table.room, table.now, due, TableClaim(Topic.WHO_ME)))
        return table.room.claim_request() is None and table.room.state.number == number

    assert table.wants("Ann", Pause(paused=True)) is None
    assert is_quiet()
    assert table.wants("Ann", Pause(paused=False)) is None
    assert table.room.claim_request() is not None
    table.happen(inputs.note_disk(table.room, table.now, DiskStatus.FULL))
    assert is_quiet()
    table.happen(inputs.note_disk(table.room, table.now, DiskStatus.OK))
    assert table.room.claim_request() is not None
    table.wait(12, "Ann", "Ben", "Wim")
    assert is_quiet()
    table.come("Ann")
    assert speak_out(table)[0][0] == 3


def test_what_is_no_longer_asked_for_or_makes_no_sense_is_dropped() -> None:
    table = with_bots()
    blames(table, "Ben", 3)
    due = table.room.claim_request()
    assert due is not None
    number = table.room.state.number
    stale = replace(due, number=due.number - 1)
    table.happen(inputs.make_bot_claim(table.room, table.now, stale, TableClaim(Topic.WHO_ME)))
    assert table.room.claim_request() == due
    table.happen(inputs.make_bot_claim(table.room, table.now, due, TableClaim(Topic.GOLD_AT, 9)))
    assert table.room.state.number == number
    assert table.room.claim_request() is None
    table.happen(inputs.make_bot_claim(table.room, table.now, due, TableClaim(Topic.WHO_ME)))
    assert table.room.state.number == number


def test_a_claim_of_a_bot_that_is_not_there_asks_for_a_snapshot() -> None:
    table = with_bots()
    ben = table.people["Ben"]
    last = ben.numbered[-1]
    assert isinstance(last, StepFrame)
    for seat in (0, 9):
        news = (BotClaimed(seat, TableClaim(Topic.WHO_ME)),)
        frame = changed(
            last, step=table.room.state.number + 1, yours=0, lobby_events=news, events=()
        )
        assert ben.client.receive(frame).disagreed
        ben.client.lost = False


# No leak.


def test_the_next_bot_that_saw_a_second_harm_may_accuse_its_doer_and_does_so_once() -> None:
    table = with_bots(seed=3)
    due = claim_due_of(table, Harmed, 3)
    assert isinstance(due.occasion, Harmed)
    by = due.occasion.by
    assert by != due.seat
    harms = [event for event in due.view.history if harm_doer(event) == by]
    assert len(harms) == MIN_HARMS
    assert not (isinstance(harms[-1], Broke) and harms[-1].target == due.seat)
    table.happen(
        inputs.make_bot_claim(table.room, table.now, due, TableClaim(Topic.DIGS_AGAINST_US, by))
    )
    rng = Random(3)
    while table.room.state.phase is Phase.PLAY:
        again = [one for one in table.room.claims.waiting if one.occasion == due.occasion]
        assert all(one.seat != due.seat for one in again)
        while (other := table.room.claim_request()) is not None:
            table.happen(inputs.make_bot_claim(table.room, table.now, other, None))
        play(table, rng)


def test_a_bot_whose_tool_was_repaired_may_thank_for_it() -> None:
    table = with_bots(seed=3)
    due = claim_due_of(table, Helped, 3)
    assert isinstance(due.occasion, Helped)
    claim = speak(table, due)
    assert claim in {None, TableClaim(Topic.DIGS_FOR_US, due.occasion.by)}
