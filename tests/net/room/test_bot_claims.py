"""What bots say at a table, on occasions and with moves: when, how often, and to all alike."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import msgspec
import pytest
from msgspec.structs import replace as changed

from engine import Break, Map, Phase
from engine.actions import Broke
from engine.bots import BOTS, Playouts
from engine.bots.claims import MAX_CLAIMS_PER_ROUND, MIN_HARMS, harm_doer
from engine.bots.talk import DigsAgainstUs, Line, Statement
from net.protocol.chat import ChatLine, moment
from net.protocol.lobby import Absence, ChatRule, Settings, TableClaim, Topic
from net.protocol.lobby_events import BotClaimed, BotSaid, LobbyEvent
from net.protocol.messages import DiskStatus, StepFrame
from net.protocol.requests import Chat, MakeClaim, Pause
from net.protocol.text import MAX_CHAT_BYTES
from net.room import inputs
from net.room.bots import (
    MAX_ANSWERS_PER_ROUND,
    MAX_WORDS_PER_ROUND,
    Blamed,
    BotClaimDue,
    BotMoveRequest,
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
    claims,
    claims_heard,
    first_claim,
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
            claims(table, due, claim)
        play(table, rng)
        if rng.random() < 0.6:
            continue
        again = inputs.resume(table.kept, table.disk, 2, lambda: table.seed, 0.0)
        owed = table.room.claims.waiting
        assert again.claims.given == table.room.claims.given
        assert again.claims.waiting[len(again.claims.waiting) - len(owed) :] == owed


def test_what_a_bot_was_not_asked_for_leaves_all_others_waiting() -> None:
    pending = PendingClaims((BotClaimDue(1, 3, MapUsed(0)),))
    assert pending.settle_claim(2, TableClaim(Topic.WHO_ME)) == pending
    assert pending.settle_claim(3, TableClaim(Topic.WHO_ME)).waiting == ()


@pytest.mark.parametrize("topic", [Topic.DIGS_AGAINST_US, Topic.BLUFF])
def test_a_bot_answers_who_blames_it_or_doubts_its_word(topic: Topic) -> None:
    table = with_bots()
    blames(table, "Ben", 3, topic)
    due = first_claim(table)
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
def test_a_bot_answers_no_watcher_and_not_what_is_of_others(who: str, claim: TableClaim) -> None:
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
        claims(table, due, TableClaim(Topic.DIGS_AGAINST_US, 3))
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
    due = first_claim(table)

    def is_quiet() -> bool:
        number = table.room.state.number
        claims(table, due, TableClaim(Topic.WHO_ME))
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
    due = first_claim(table)
    number = table.room.state.number
    stale = replace(due, number=due.number - 1)
    claims(table, stale, TableClaim(Topic.WHO_ME))
    assert table.room.claim_request() == due
    claims(table, due, TableClaim(Topic.GOLD_AT, 9))
    assert table.room.state.number == number
    assert table.room.claim_request() is None
    claims(table, due, TableClaim(Topic.WHO_ME))
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
    claims(table, due, TableClaim(Topic.DIGS_AGAINST_US, by))
    rng = Random(3)
    while table.room.state.phase is Phase.PLAY:
        again = [claim for claim in table.room.claims.waiting if claim.occasion == due.occasion]
        assert all(claim.seat != due.seat for claim in again)
        while (other := table.room.claim_request()) is not None:
            claims(table, other, None)
        play(table, rng)


def test_a_bot_whose_tool_was_repaired_may_thank_for_it() -> None:
    table = with_bots(seed=3)
    due = claim_due_of(table, Helped, 3)
    assert isinstance(due.occasion, Helped)
    claim = speak(table, due)
    assert claim in {None, TableClaim(Topic.DIGS_FOR_US, due.occasion.by)}


WHO_ME = TableClaim(Topic.WHO_ME)


def bots_turn(table: Table) -> BotMoveRequest:
    """Play until a bot is to move on its own chair."""
    rng = Random(1)
    while (due := table.room.bot_turn()) is None or due.reason is not None:
        play(table, rng)
    return due


def move(table: Table, due: BotMoveRequest, *said: TableClaim, text: str = "") -> None:
    """The bot makes some move, and says this."""
    made = BOTS["random"](due.view, Random(1), Playouts(0))
    table.happen(inputs.make_bot_move(table.room, table.now, due, made, said, text))


def words_told(table: Table, name: str) -> list[LobbyEvent]:
    """All that bots have said, as somebody was told."""
    frames = [message for message in table.people[name].got if isinstance(message, StepFrame)]
    news = [event for frame in frames for event in frame.lobby_events]
    return [event for event in news if isinstance(event, BotClaimed | BotSaid)]


def test_all_at_the_table_hear_what_a_bot_says_with_its_move_and_a_late_one_reads_it() -> None:
    table = with_bots()
    due = bots_turn(table)
    unplayed = due.view.table.unplayed
    move(table, due, TableClaim(Topic.DIGS_AGAINST_US, 0), text="I dig, Ann does not.")
    said = [
        BotClaimed(due.seat, TableClaim(Topic.DIGS_AGAINST_US, 0)),
        BotSaid(due.seat, "I dig, Ann does not."),
    ]
    for name in ("Ann", "Ben", "Wim"):
        assert words_told(table, name) == said
    late = table.come("Zoe", watch=True).held
    line = late.talk[-1]
    assert (line.name, line.seat, line.text) == (NAMES[due.seat], due.seat, "I dig, Ann does not.")
    assert (line.when.unplayed, len(late.talk)) == (unplayed, 2), "it was said before the move"
    assert table.room.state.turn > due.turn


def test_the_words_of_bots_and_people_are_told_to_bots_and_come_back_with_the_table() -> None:
    table = with_bots()
    assert table.wants("Ann", Chat("Who has the map?")) is None
    assert table.wants("Wim", Chat("I only watch.")) is None
    due = bots_turn(table)
    assert [line.text for line in due.talk.lines] == ["Who has the map?"]
    move(table, due, TableClaim(Topic.DIGS_AGAINST_US, 0), text="Not I.")
    talk = table.room.talk
    left = due.view.table.unplayed - 1
    assert talk.said == (Statement(due.seat, DigsAgainstUs(0), left),)
    assert talk.lines[1:] == (Line(due.seat, "Not I.", left),)
    again = inputs.resume(table.kept, table.disk, 2, lambda: table.seed, 0.0)
    assert again.talk == talk
    assert again.claims == table.room.claims
    assert again.state == table.room.state


def test_texts_are_cleaned_and_claims_about_nobody_are_not_made() -> None:
    table = with_bots()
    due = bots_turn(table)
    move(table, due, TableClaim(Topic.DIGS_FOR_US, 9), WHO_ME, text="\x1b[31m" + "gold " * 99)
    claim, line = words_told(table, "Ben")
    assert claim == BotClaimed(due.seat, WHO_ME)
    assert isinstance(line, BotSaid)
    assert line.text.startswith("[31mgold gold")
    assert len(line.text.encode()) <= MAX_CHAT_BYTES
    due = bots_turn(table)
    move(table, due, text="\x07\u200b ")
    assert len(words_told(table, "Ben")) == 2, "nothing is left of it"


def test_at_a_silent_table_a_bot_claims_and_writes_nothing() -> None:
    table = with_bots(Settings(seats=5, rounds=1, chat=ChatRule.CLAIMS))
    due = bots_turn(table)
    move(table, due, WHO_ME, text="I dig, Ann does not.")
    assert words_told(table, "Ben") == [BotClaimed(due.seat, WHO_ME)]


def test_a_bot_may_say_only_so_much_in_a_round() -> None:
    table = with_bots(Settings(seats=5, rounds=1))
    times = dict.fromkeys(NAMES, 0)
    while table.room.state.phase is Phase.PLAY:
        due = table.room.bot_turn()
        if due is None:
            play(table, Random(1))
        else:
            times[due.seat] += 1
            move(table, due, WHO_ME, WHO_ME, text="Gold!")
    assert min(times.values()) * 3 > MAX_WORDS_PER_ROUND
    events = words_told(table, "Ann")
    for seat in NAMES:
        words = [
            event
            for event in events
            if isinstance(event, BotClaimed | BotSaid) and event.seat == seat
        ]
        assert len(words) == MAX_WORDS_PER_ROUND


def test_a_bot_in_a_persons_place_says_nothing() -> None:
    table = with_bots(Settings(seats=5, rounds=1, absent=Absence.BOT, turn_seconds=5))
    rng = Random(2)
    while table.name_to_act() != "Ann":
        play(table, rng)
    table.wait(6)
    due = table.turn
    assert due.reason is not None
    move(table, due, WHO_ME, text="I am Ann.")
    assert not words_told(table, "Ben")
    assert table.name_to_act() != "Ann"


@pytest.mark.parametrize("claims", [(), (WHO_ME,)])
def test_words_are_as_long_to_everybody(claims: tuple[TableClaim, ...]) -> None:
    table = with_bots()
    due = bots_turn(table)
    move(table, due, *claims, text="So it is.")
    lengths = {
        len(msgspec.msgpack.encode(frame.lobby_events))
        for name in ("Ann", "Ben", "Wim")
        for frame in [
            [message for message in table.people[name].got if isinstance(message, StepFrame)][-1]
        ]
    }
    assert len(lengths) == 1
