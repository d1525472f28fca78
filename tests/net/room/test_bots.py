"""What bots say at a table and are told: when, how often, to all alike, and of no secret."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import msgspec
import pytest
from msgspec.structs import replace as changed

from engine import Break, Map, Phase
from engine.actions import Broke
from engine.board import GOAL_CELLS
from engine.bots import BOTS, Playouts, talk
from engine.bots.claims import MAX_CLAIMS_PER_ROUND, MIN_HARMS, find_harm_doer
from engine.bots.occasions import (
    Blamed,
    Contradicted,
    Harmed,
    Helped,
    Hindered,
    MapUsed,
    Occasion,
)
from engine.bots.talk import DigsAgainstUs, Line, Statement, Talk
from engine.cards import Path, Role, Tool
from engine.edition import EDITIONS
from engine.events import Event, Revealed
from net.protocol.chat import ChatLine, moment, read_claim, table_claim, talk_of
from net.protocol.cleaning import MAX_CHAT_BYTES
from net.protocol.lobby import Absence, ChatRule, Settings, TableClaim, Topic
from net.protocol.lobby_events import BotClaimed, BotSaid
from net.protocol.messages import DiskStatus, StepFrame
from net.protocol.requests import Chat, MakeClaim, Pause, PutBot, Start
from net.room import bots, inputs
from net.room.bots import BotClaimDue, BotClaimRequest, BotMoveRequest, bot_claim
from net.room.broadcast import StepChange
from net.room.room import Room
from net.room.steps import Step
from tests.net.room import twin_tables as twins
from tests.net.room.room_fixture import Guest, Table
from tests.samples import first, first_pairs

NAMES = {2: "Borin", 3: "Dagna", 4: "Eitri"}
SEATS = Settings(seats=5, rounds=1, chat=ChatRule.ALL)
LATE = Settings(seats=5, rounds=1, absent=Absence.BOT, turn_seconds=5)
WHO_ME = TableClaim(Topic.WHO_ME)
STONE = Revealed((8, 0), Path.read("NE"))


def with_bots(settings: Settings = SEATS, seed: int = 0) -> Table:
    """Ann and Ben in a game whose other seats are bots, and Wim who watches."""
    table = Table(settings, Random(seed).randbytes(32))
    table.come_all("Ann", "Ben")
    table.come("Wim", watch=True)
    for seat, name in list(NAMES.items())[: settings.seats - 2]:
        assert table.wants("Ann", PutBot(seat, name, "random")) is None
    assert table.wants("Ann", Start()) is None
    return table


def phase(table: Table) -> Phase | None:
    """What the game waits for."""
    return table.room.state.phase


def play(table: Table, rng: Random) -> None:
    """Whose turn it is makes some move, a bold one if there is one."""
    view = table.game.view(table.game.to_act)
    bold = [move for move in view.legal_moves() if isinstance(move, Map | Break)]
    twins.make(table, rng.choice(bold) if bold else BOTS["random"](view, rng, Playouts(0)))


def claim_due_of(table: Table, kind: type[Occasion], seed: int = 1) -> BotClaimRequest:
    """Play until a bot is to speak on such an occasion; on others they say nothing."""
    rng = Random(seed)
    while True:
        due = table.room.claim_request()
        if due is None:
            assert phase(table) is Phase.PLAY, "there was no such occasion"
            play(table, rng)
        elif isinstance(due.occasion, kind):
            return due
        else:
            make_bot_claim(table, due, None)


def make_bot_claim(table: Table, due: BotClaimDue, claim: TableClaim | None) -> None:
    """A bot claims this, or nothing."""
    table.apply(inputs.make_bot_claim(table.room, table.now, due, claim))


def occasions(table: Table, event: Event, said: Talk) -> list[tuple[int, Occasion]]:
    """Who could speak about an event, and of what, after such talk."""
    state = table.room.state
    change = StepChange(state, Step(), state, (event,))
    return list(bots._list_step_occasions(change, bots.PendingClaims(), said))


def speak(table: Table, due: BotClaimRequest) -> TableClaim | None:
    """The bot says what it has to say."""
    claim = bot_claim(due.view, due.occasion)
    make_bot_claim(table, due, claim)
    return claim


def speak_out(table: Table) -> list[int]:
    """All bots say what they have to say; the seats of those who were asked."""
    seats = []
    while (due := table.room.claim_request()) is not None:
        seats.append(due.seat)
        speak(table, due)
    return seats


def words_told(guest: Guest) -> list[BotClaimed | BotSaid]:
    """All that bots have said, as somebody was told."""
    return [event for event in guest.news if isinstance(event, BotClaimed | BotSaid)]


def blame(table: Table, name: str, seat: int, topic: Topic = Topic.DIGS_AGAINST_US) -> None:
    """Somebody blames a seat."""
    table.wait(3)  # who talks too fast is not heard
    assert table.wants(name, MakeClaim(TableClaim(topic, seat))) is None


def first_claim(table: Table) -> BotClaimRequest:
    """What a bot is to speak of now."""
    due = table.room.claim_request()
    assert due is not None
    return due


def resume_room(table: Table) -> Room:
    """The room as its journal has it."""
    return inputs.resume(table.kept, table.disk, 2, lambda: table.seed, 0.0)


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
        assert words_told(table.people[name]) == [BotClaimed(due.seat, claim)]
        assert table.people[name].held.talk[-1] == line
    assert table.come("Zoe", watch=True).held.talk[-1] == line
    assert table.room.claim_request() is None, "it is said once"


def test_after_every_step_of_a_game_a_table_brought_back_owes_what_it_owed() -> None:
    table, rng = with_bots(seed=3), Random(3)
    while phase(table) is Phase.PLAY:
        if rng.random() < 0.3:
            blame(table, rng.choice(("Ann", "Ben")), rng.randrange(2, 5))
        due = table.room.claim_request()
        if due is not None and rng.random() < 0.7:
            speak(table, due)
        play(table, rng)
        if rng.random() < 0.6:
            continue
        again, owed = resume_room(table), table.room.claims.waiting
        assert again.claims.given == table.room.claims.given
        assert again.claims.waiting[len(again.claims.waiting) - len(owed) :] == owed


def test_what_a_bot_was_not_asked_for_leaves_all_others_waiting() -> None:
    pending = bots.PendingClaims((BotClaimDue(1, 3, MapUsed(0)),))
    assert pending.settle_claim(2) == pending
    assert pending.settle_claim(3).waiting == ()


@pytest.mark.parametrize("topic", [Topic.DIGS_AGAINST_US, Topic.BLUFF])
def test_a_bot_answers_who_blames_it_or_doubts_its_word(topic: Topic) -> None:
    table = with_bots()
    blame(table, "Ben", 3, topic)
    due = first_claim(table)
    assert (due.seat, due.occasion) == (3, Blamed(1))
    claim = speak(table, due)
    assert claim is not None
    assert claim.topic in {Topic.DIGS_AGAINST_US, Topic.DIGS_FOR_US, Topic.WHO_ME}


def test_bots_that_told_the_contrary_of_a_goal_may_call_each_other_liars_once() -> None:
    table = with_bots()
    due = claim_due_of(table, MapUsed)
    assert isinstance(due.occasion, MapUsed)
    goal = due.occasion.goal
    make_bot_claim(table, due, TableClaim(Topic.GOLD_AT, goal))
    blame(table, "Ben", goal, Topic.GOLD_AT)
    blame(table, "Ben", (goal + 1) % 3, Topic.STONE_AT)
    assert table.room.claim_request() is None, "nothing contradicts it"
    blame(table, "Ann", goal, Topic.STONE_AT)
    doubts = first_claim(table)
    assert (doubts.seat, doubts.occasion) == (due.seat, Contradicted(0))
    liar = TableClaim(Topic.BLUFF, 0)
    cell = GOAL_CELLS[goal]
    words = Statement(due.seat, talk.GoldAt(cell), 40), Statement(0, talk.StoneAt(cell), 39)
    said = Talk(words)
    assert bot_claim(doubts.view, doubts.occasion, said) in {liar, None}
    make_bot_claim(table, doubts, liar)
    assert table.room.talk.opinions()[due.seat, 0] is False
    blame(table, "Ann", goal, Topic.STONE_AT)
    assert table.room.claim_request() is None, "it is said once"


def test_a_goal_that_is_turned_up_shows_a_bot_who_has_lied_about_it() -> None:
    table = with_bots()
    blame(table, "Ann", 1, Topic.GOLD_AT)
    blame(table, "Ben", 1, Topic.STONE_AT)
    assert occasions(table, STONE, table.room.talk) == [(2, Contradicted(0))]


def test_a_bot_says_nothing_twice_in_a_round() -> None:
    table = with_bots()
    blame(table, "Ben", 3)
    due = first_claim(table)
    claim = bot_claim(due.view, due.occasion)
    assert claim is not None
    said = Talk((Statement(3, read_claim(claim), 40),))
    assert bot_claim(due.view, due.occasion, said) is None


def test_a_bots_temper_is_its_own_and_lasts_for_the_game_and_a_restart() -> None:
    table = with_bots()
    tempers = [bots.temper_of(table.room.state, seat) for seat in range(5)]
    assert len(set(tempers)) == 5
    claim = claim_due_of(table, MapUsed)
    move = bots_turn(table)
    for due in (claim, move):
        assert due.temper == tempers[due.seat]
    again = resume_room(table)
    assert [bots.temper_of(again.state, seat) for seat in range(5)] == tempers
    other = with_bots(seed=1)
    assert bots.temper_of(other.room.state, 0) != tempers[0]


def test_a_bot_answers_no_watcher_and_not_what_is_of_others() -> None:
    table = with_bots()
    for who, topic, about in (
        ("Ben", Topic.DIGS_FOR_US, 3),
        ("Ben", Topic.HELP_ME, 2),
        ("Ben", Topic.GOLD_AT, 2),
        ("Ben", Topic.DIGS_AGAINST_US, 0),
        ("Wim", Topic.DIGS_AGAINST_US, 3),
    ):
        blame(table, who, about, topic)
        assert table.room.claim_request() is None


def test_a_bot_answers_each_seat_once_a_round_and_few_of_them() -> None:
    table = with_bots()
    for _ in range(3):
        blame(table, "Ben", 3)
    assert 3 in speak_out(table)
    blame(table, "Ben", 3)
    blame(table, "Ben", 3, Topic.BLUFF)
    assert speak_out(table) == []
    blame(table, "Ann", 3)
    for seat in (2, 4):
        blame(table, "Ann", seat)
        due = next(due for due in table.room.claims.waiting if due.seat == seat)
        table.room.claims = replace(table.room.claims, waiting=(due,))
        make_bot_claim(table, due, TableClaim(Topic.DIGS_AGAINST_US, 3))
    answered = [due.occasion for due in table.room.claims.given if due.seat == 3]
    assert Blamed(1) in answered
    assert len(answered) == len(set(answered)) == bots.MAX_ANSWERS_PER_ROUND


def test_a_bot_that_has_said_enough_says_nothing_more_in_that_round() -> None:
    table = with_bots()
    given = tuple(BotClaimDue(1, 3, MapUsed(0)) for _ in range(MAX_CLAIMS_PER_ROUND))
    table.room.claims = bots.PendingClaims(given=given)
    blame(table, "Ben", 3)
    assert table.room.claim_request() is None
    table.room.claims = bots.PendingClaims(given=given[1:])
    blame(table, "Ben", 3)
    assert table.room.claim_request() is not None


def test_no_bot_speaks_for_a_person_or_for_a_free_seat() -> None:
    table, rng = with_bots(LATE), Random(6)
    table.wait(12, "Ben")
    blame(table, "Ann", 1)
    spoken = set()
    while phase(table) is Phase.PLAY:
        if table.name_to_act() == "Ann":
            table.wait(6, "Ben")
        due = table.turn
        bold = [move for move in due.view.legal_moves() if isinstance(move, Map | Break)]
        move = rng.choice(bold) if bold else BOTS["random"](due.view, rng, Playouts(0))
        table.apply(inputs.make_bot_move(table.room, table.now, due, move))
        spoken |= {*speak_out(table)}
    assert spoken == set(NAMES)


def test_nobody_speaks_while_the_game_pauses_the_disk_is_full_or_nobody_is_there() -> None:
    table = with_bots()
    blame(table, "Ben", 3)
    due = first_claim(table)

    def is_quiet() -> bool:
        number = table.room.state.number
        make_bot_claim(table, due, WHO_ME)
        return table.room.claim_request() is None and table.room.state.number == number

    assert table.wants("Ann", Pause(paused=True)) is None
    assert is_quiet()
    assert table.wants("Ann", Pause(paused=False)) is None
    assert first_claim(table) == due
    table.apply(inputs.note_disk(table.room, table.now, DiskStatus.FULL))
    assert is_quiet()
    table.apply(inputs.note_disk(table.room, table.now, DiskStatus.OK))
    assert first_claim(table) == due
    table.wait(12, "Ann", "Ben", "Wim")
    assert is_quiet()
    table.come("Ann")
    assert speak_out(table)[0] == 3


def test_what_is_no_longer_asked_for_or_makes_no_sense_is_dropped() -> None:
    table = with_bots()
    blame(table, "Ben", 3)
    due = first_claim(table)
    number = table.room.state.number
    make_bot_claim(table, replace(due, number=due.number - 1), WHO_ME)
    assert first_claim(table) == due
    make_bot_claim(table, due, TableClaim(Topic.GOLD_AT, 9))
    assert table.room.claim_request() is None
    make_bot_claim(table, due, WHO_ME)
    assert table.room.state.number == number


def test_a_claim_of_a_bot_that_is_not_there_asks_for_a_snapshot() -> None:
    table = with_bots()
    ben = table.people["Ben"]
    last, number = ben.find(StepFrame)[-1], table.room.state.number + 1
    for seat in (0, 9):
        news = (BotClaimed(seat, WHO_ME),)
        frame = changed(last, step=number, yours=0, lobby_events=news, events=())
        assert ben.client.receive(frame).disagreed
        ben.client.lost = False


def test_the_next_bot_that_saw_a_second_harm_may_accuse_its_doer_and_does_so_once() -> None:
    table = with_bots(seed=3)
    due = claim_due_of(table, Harmed, 3)
    assert isinstance(due.occasion, Harmed)
    by = due.occasion.by
    assert by != due.seat
    harms = [event for event in due.view.history if find_harm_doer(event) == by]
    assert len(harms) == MIN_HARMS
    assert not (isinstance(harms[-1], Broke) and harms[-1].target == due.seat)
    make_bot_claim(table, due, TableClaim(Topic.DIGS_AGAINST_US, by))
    rng = Random(3)
    while phase(table) is Phase.PLAY:
        again = [claim for claim in table.room.claims.waiting if claim.occasion == due.occasion]
        assert all(claim.seat != due.seat for claim in again)
        while (other := table.room.claim_request()) is not None:
            make_bot_claim(table, other, None)
        play(table, rng)


def test_a_bot_whose_tool_was_repaired_may_thank_for_it() -> None:
    table = with_bots(seed=3)
    due = claim_due_of(table, Helped, 3)
    assert isinstance(due.occasion, Helped)
    assert speak(table, due) in {None, TableClaim(Topic.DIGS_FOR_US, due.occasion.by)}


# Bots of other packages, which speak with their moves.


def bots_turn(table: Table) -> BotMoveRequest:
    """Play until a bot is to move on its own chair."""
    rng = Random(1)
    while (due := table.room.bot_turn()) is None or due.reason is not None:
        play(table, rng)
    return due


def move(table: Table, due: BotMoveRequest, *said: TableClaim, text: str = "") -> None:
    """The bot makes some move, and says this."""
    made = BOTS["random"](due.view, Random(1), Playouts(0))
    table.apply(inputs.make_bot_move(table.room, table.now, due, made, said, text))


def test_all_at_the_table_hear_what_a_bot_says_with_its_move_and_a_late_one_reads_it() -> None:
    table = with_bots()
    due = bots_turn(table)
    unplayed = due.view.table.unplayed
    claim, text = TableClaim(Topic.DIGS_AGAINST_US, 0), "I dig, Ann does not."
    move(table, due, claim, text=text)
    for name in ("Ann", "Ben", "Wim"):
        told = words_told(table.people[name])
        assert told == [BotClaimed(due.seat, claim), BotSaid(due.seat, text)]
    late = table.come("Zoe", watch=True).held
    line = late.talk[-1]
    assert (line.name, line.seat, line.text) == (NAMES[due.seat], due.seat, text)
    assert (line.when.unplayed, len(late.talk)) == (unplayed, 2), "it was said before the move"
    assert table.room.state.turn > due.turn


def test_the_words_of_bots_and_people_are_told_to_bots_and_come_back_with_the_table() -> None:
    table = with_bots()
    assert table.wants("Ann", Chat("Who has the map?")) is None
    assert table.wants("Wim", Chat("I only watch.")) is None
    due = bots_turn(table)
    assert [line.text for line in due.talk.lines] == ["Who has the map?"]
    move(table, due, TableClaim(Topic.DIGS_AGAINST_US, 0), text="Not I.")
    left = due.view.table.unplayed - 1
    assert table.room.talk.said == (Statement(due.seat, DigsAgainstUs(0), left),)
    assert table.room.talk.lines[1:] == (Line(due.seat, "Not I.", left),)
    again = resume_room(table)
    assert again.talk == table.room.talk
    assert again.claims == table.room.claims
    assert again.state == table.room.state


def test_texts_are_cleaned_and_claims_about_nobody_are_not_made() -> None:
    table = with_bots()
    due = bots_turn(table)
    move(table, due, TableClaim(Topic.DIGS_FOR_US, 9), WHO_ME, text="\x1b[31m" + "gold " * 99)
    claim, line = words_told(table.people["Ben"])
    assert claim == BotClaimed(due.seat, WHO_ME)
    assert isinstance(line, BotSaid)
    assert line.text.startswith("[31mgold gold")
    assert len(line.text.encode()) <= MAX_CHAT_BYTES
    move(table, bots_turn(table), text="\x07\u200b ")
    assert len(words_told(table.people["Ben"])) == 2, "nothing is left of it"


def test_at_a_silent_table_a_bot_claims_and_writes_nothing() -> None:
    table = with_bots(Settings(seats=5, rounds=1, chat=ChatRule.CLAIMS))
    due = bots_turn(table)
    move(table, due, WHO_ME, text="I dig, Ann does not.")
    assert words_told(table.people["Ben"]) == [BotClaimed(due.seat, WHO_ME)]


def test_a_bot_may_say_only_so_much_in_a_round() -> None:
    table = with_bots(Settings(seats=5, rounds=1))
    times = dict.fromkeys(NAMES, 0)
    while phase(table) is Phase.PLAY:
        due = table.room.bot_turn()
        if due is None:
            play(table, Random(1))
        else:
            times[due.seat] += 1
            move(table, due, WHO_ME, WHO_ME, text="Gold!")
    assert min(times.values()) * 3 > bots.MAX_WORDS_PER_ROUND
    said = [event.seat for event in words_told(table.people["Ann"])]
    assert [said.count(seat) for seat in NAMES] == [bots.MAX_WORDS_PER_ROUND] * 3


def test_a_bot_in_a_persons_place_says_nothing() -> None:
    table, rng = with_bots(LATE), Random(2)
    while table.name_to_act() != "Ann":
        play(table, rng)
    table.wait(6)
    due = table.turn
    assert due.reason is not None
    move(table, due, WHO_ME, text="I am Ann.")
    assert not words_told(table.people["Ben"])
    assert table.name_to_act() != "Ann"


# No leak.


def length(value: object) -> int:
    """How many bytes a value takes in a frame."""
    return len(msgspec.msgpack.encode(value))


def perform(
    script: twins.Script, monkeypatch: pytest.MonkeyPatch, seed: int
) -> tuple[Table, list[BotClaimRequest]]:
    """Do all of a script at a table with three bots, who say by chance what all can hear."""
    dealt = lambda _seed, number, *_: script.deals[number - 1]  # noqa: E731 - it is patched in
    monkeypatch.setattr("engine.notation.record.deal", dealt)
    table = with_bots(Settings(seats=5, rounds=script.rounds, edition=script.edition.text))
    people = twins.PEOPLE[:2]
    rng, dues = Random(seed), []
    for number, moves in enumerate(script.moves):
        if number:
            table.ready(*people)
        for made in moves:
            if rng.random() < 0.2:
                blame(table, twins.there(table, rng.choice(people)), rng.randrange(5))
            if rng.random() < 0.02:
                table.crash()
                table.come_all("Ann", "Ben", "Wim")
            twins.make(table, made)
            while rng.random() < 0.8 and (due := table.room.claim_request()) is not None:
                dues.append(due)
                topic = rng.choice((Topic.WHO_ME, Topic.DIGS_AGAINST_US))
                claim = TableClaim(topic, 0 if topic is Topic.WHO_ME else rng.randrange(5))
                make_bot_claim(table, due, claim)
    return table, dues


@pytest.mark.level("broad")
@pytest.mark.rule("K")
@pytest.mark.parametrize("seed", first(1, range(6)))
@pytest.mark.parametrize(
    ("what", "me"), first_pairs(["cards", "dwarves and goals"], [twins.ME, None])
)
def test_when_and_how_long_bots_speak_does_not_hang_on_what_a_seat_never_saw(
    seed: int, what: str, me: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = twins.plan(seed, "greedy", tuple(EDITIONS.values())[seed % len(EDITIONS)])
    if what == "cards":
        other = twins.short_of_the_record(twins.twin_script(script, me, seed))
        script = twins.short_of_the_record(script)
    else:
        _, end = next(twins.games(script))
        script = twins.short_of_the_gold(script)
        other = twins.with_other_dwarves(script, me, end, seed)
    assert other.deals != script.deals
    one, dues = perform(script, monkeypatch, seed)
    two, others = perform(other, monkeypatch, seed)
    twins.same_to(one, two, "Ben" if me is not None else "Wim")
    twins.check_same_lengths(one, two)
    asked = [(due.number, due.seat, due.occasion) for due in dues]
    assert asked
    assert asked == [(due.number, due.seat, due.occasion) for due in others]
    for mine, theirs in zip(dues, others, strict=True):
        assert mine.temper == theirs.temper
        claim, instead = (
            bot_claim(due.view, due.occasion, due.talk, due.temper) for due in (mine, theirs)
        )
        if (claim is None) == (instead is None):
            assert length(claim) == length(instead)
        else:
            assert may_be_silent(mine if claim is None else theirs)


def may_be_silent(due: BotClaimRequest) -> bool:
    """Whether a bot may say nothing now by what it holds or believes, as people do.

    It asks for no repair that it holds, and neither accuses nor thanks against its beliefs. But it
    reports each goal once, and denies once what it is blamed for.
    """
    said = [one.claim for one in due.talk.said if one.seat == due.seat]
    match due.occasion:
        case MapUsed(goal):
            return any(
                claim in said
                for claim in (talk.GoldAt(GOAL_CELLS[goal]), talk.StoneAt(GOAL_CELLS[goal]))
            )
        case Blamed():
            return talk.WhoMe() in said
        case Hindered():
            broken = [
                event.tool
                for event in due.view.history
                if isinstance(event, Broke) and event.target == due.seat
            ]
            return any(broken[-1] in card.repairs for card in due.view.hand)
        case _:
            return True


@pytest.mark.parametrize("claims", [(), (WHO_ME,)])
def test_words_are_as_long_to_everybody(claims: tuple[TableClaim, ...]) -> None:
    table = with_bots()
    move(table, bots_turn(table), *claims, text="So it is.")
    last = [table.people[name].find(StepFrame)[-1] for name in ("Ann", "Ben", "Wim")]
    assert len({length(frame.lobby_events) for frame in last}) == 1


def test_a_claim_is_the_same_to_bots_and_at_the_table_and_as_long_as_any_other() -> None:
    for made, put in (
        (talk.GoldAt((8, -2)), TableClaim(Topic.GOLD_AT, 0)),
        (talk.StoneAt((8, 2)), TableClaim(Topic.STONE_AT, 2)),
        (DigsAgainstUs(4), TableClaim(Topic.DIGS_AGAINST_US, 4)),
        (talk.DigsForUs(3), TableClaim(Topic.DIGS_FOR_US, 3)),
        (talk.HelpMe(Tool.LANTERN), TableClaim(Topic.HELP_ME, 1)),
        (talk.WhoMe(), WHO_ME),
    ):
        assert table_claim(made) == put
    every = [TableClaim(topic, about) for topic in Topic for about in range(10)]
    assert len({length(claim) for claim in every}) == 1
    for claim in every:
        if claim.fits(10):
            assert table_claim(read_claim(claim)) == claim


def test_bots_are_told_all_that_was_said_and_a_table_brought_back_still_knows() -> None:
    table = with_bots()
    due = claim_due_of(table, MapUsed)
    claim = speak(table, due)
    blame(table, "Ann", 4)
    blame(table, "Ann", 4)
    assert table.wants("Wim", MakeClaim(TableClaim(Topic.DIGS_FOR_US, 2))) is None
    assert claim is not None
    left = due.view.table.unplayed
    said = (Statement(due.seat, read_claim(claim), left), Statement(0, DigsAgainstUs(4), left))
    assert table.room.talk == Talk(said)
    due = first_claim(table)
    assert due.talk.said == said
    turned = bot_claim(due.view, due.occasion, due.talk)
    assert turned is not None
    make_bot_claim(table, due, turned)
    told = table.room.talk
    assert bots_turn(table).talk.said[: len(told.said)] == told.said
    assert resume_room(table).talk == table.room.talk
    held = table.people["Ben"].held
    assert held.view is not None
    assert talk_of(held.view, held.talk) == table.room.talk
    later = held.view._replace(score=replace(held.view.score, number=2))
    assert talk_of(later, held.talk) == Talk()


def test_what_a_round_proves_of_who_spoke_is_kept_for_the_game_and_not_beyond() -> None:
    table, rng = with_bots(Settings(seats=5, rounds=2), seed=2), Random(2)
    honest = set()
    while phase(table) is Phase.PLAY:
        due = table.room.claim_request()
        if due is None:
            play(table, rng)
        elif isinstance(due.occasion, MapUsed):
            speak(table, due)
            honest.add((due.seat, due.occasion.goal))
        else:
            make_bot_claim(table, due, None)
    while phase(table) is Phase.GOLD:
        play(table, rng)
    end = table.game.round.table.end
    assert end is not None
    table.ready("Ann", "Ben")
    assert phase(table) is Phase.PLAY
    assert table.room.talk.said == ()
    assert honest
    for seat, record in enumerate(table.room.talk.records):
        told = sum(guest == seat for guest, _ in honest)
        assert sum(map(sum, record)) == told
        assert record.miner.false == 0, "miners tell what they saw"
        assert sum(record.miner) == told * (end.roles[seat] is Role.MINER)
