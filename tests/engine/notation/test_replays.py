"""A record as steps, with what was said; and a record at a glance."""

from dataclasses import replace
from random import Random

import pytest

from engine import INTERNATIONAL, ITALIA, Edition, Goal, Role, Tool, View, visible_to
from engine.board import GOAL_CELLS
from engine.bots.talk import Bluff, Claim, DigsAgainstUs, DigsForUs, GoldAt, HelpMe, StoneAt, WhoMe
from engine.notation import (
    NotationError,
    ObservedRecord,
    Record,
    Utterance,
    format_record,
    parse_record,
    replay,
)
from engine.notation.record import (
    Replay,
    ReplayStep,
    Truth,
    format_claim,
    format_utterance,
    read_utterance,
    spell_claims,
)
from engine.notation.record_parser import parse_summary
from tests.engine.notation.games import NAMES, RECORDS, forge, play, record_of_seat
from tests.samples import first

TALK = (RECORDS / "talk.sab").read_text(encoding="utf-8")
TEXTS = (
    "hello",
    'so "they" say',
    "a {brace} \\ and \\( more",
    "#00000000",
    "[Seat1]",
    "",
    "é ☃ 傅",
)


def talking(seed: int, players: int) -> Record:
    """Return a game in which something is said before the first move, after the last, and between.

    Both players and watchers talk, some of them under another name than the record's.
    """
    whole, _, _ = play(seed, players, INTERNATIONAL)
    rng = Random(seed)
    record = replace(whole, moves=())
    for moves in whole.moves:
        record = talk_at_random(record.add_round(), rng)
        for move in moves:
            record = talk_at_random(record.add_move(move), rng)
    return record


def talk_at_random(record: Record, rng: Random) -> Record:
    """Return a record in which none to three things were said now."""
    for _ in range(rng.choice([0, 0, 1, 3])):
        seat = rng.choice([None, *range(len(record.names))])
        name = "Ida {} \\" if seat is None or rng.random() < 0.2 else record.names[seat]
        claim = rng.choice([None, *spell_claims(len(record.names)).values()])
        record = record.add_utterance(seat, name, claim, "" if claim else rng.choice(TEXTS))
    return record


@pytest.mark.parametrize("players", first(1, [5, 3, 10], thorough=3))
def test_what_was_said_is_written_where_it_was_said_and_read_back(players: int) -> None:
    record = talking(players, players)
    assert len(record.talk) > 50
    text = format_record(record)
    assert parse_record(text) == record
    assert format_record(parse_record(text)) == text


def test_what_is_no_talk_or_has_no_tag_is_refused() -> None:
    for text in (
        TALK.replace("{1 ", "{remark: 1 "),
        TALK.replace("Round 1", "{1 me}\nRound 1"),
        (RECORDS / "whole.sab").read_text(encoding="utf-8").replace("Round 2", "{2 me}\nRound 2"),
    ):
        with pytest.raises(NotationError):
            parse_record(text)


def test_a_record_has_what_was_said_in_its_place() -> None:
    record = parse_record(TALK)
    assert isinstance(record, Record)
    assert record.talk == (
        Utterance(1, 0, 0, claim=WhoMe()),
        Utterance(1, 1, 1, text="Hello {all}"),
        Utterance(1, 3, None, "Ida", claim=GoldAt((8, 0))),
        Utterance(1, 3, 2, claim=HelpMe(Tool.PICK)),
        Utterance(1, 8, 2, "Wim", claim=Bluff(0)),
    )


@pytest.mark.parametrize("text", ["\x1b[2J", "a\nb", "\u202eevil", "x" * 201])
def test_talk_that_could_steer_a_terminal_is_neither_written_nor_read(text: str) -> None:
    record = parse_record(TALK)
    assert isinstance(record, Record)
    said = Utterance(1, 0, 0, text=text)
    with pytest.raises(ValueError, match="no text for talk"):
        format_record(replace(record, talk=(said,)))
    with pytest.raises(ValueError, match="no text for talk"):
        format_record(replace(record, talk=(replace(said, name=text, text=""),)))
    assert read_utterance(format_utterance(said), (1, 0), 3) is None


def test_talk_after_more_moves_than_were_made_is_not_written() -> None:
    record = parse_record(TALK)
    assert isinstance(record, Record)
    with pytest.raises(ValueError, match="no move of this game goes before"):
        format_record(replace(record, talk=(Utterance(1, 99, 0, text="later"),)))


@pytest.mark.parametrize(
    "comment",
    [
        *("{}", "{me}", "{4 me}", "{0 me}", "{1 gold}", "{1 gold 7}", "{1 bluff 4}", "{1 help X}"),
        *('{1 "Ann"me}', '{1 "a}', '{1 "a\\n"}', "{1 me }", "{ 1 me}", '{"Ida"}', "{1 ME}"),
    ],
)
def test_a_comment_that_is_not_spelt_as_talk_is_none(comment: str) -> None:
    assert read_utterance(comment, (1, 0), 3) is None


def test_every_claim_is_spelt_in_one_way() -> None:
    every = tuple(spell_claims(10).values())
    assert len({format_claim(claim) for claim in every}) == len(every) == 40
    for claim in every:
        said = Utterance(2, 7, 3, claim=claim)
        assert read_utterance(format_utterance(said), (2, 7), 10) == said


def test_a_speaker_has_a_name_only_where_it_is_not_that_of_the_record() -> None:
    record = Record(NAMES[:3], seed=bytes(32)).add_round()
    talk = (
        record.add_utterance(1, NAMES[1], WhoMe())
        .add_utterance(1, "Wim", WhoMe())
        .add_utterance(None, "Ida", None, "Oh")
        .talk
    )
    assert [format_utterance(said) for said in talk] == ["{2 me}", '{2 "Wim" me}', '{"Ida" "Oh"}']


# The views that each seat had, and whether what was said was true.


@pytest.mark.parametrize(
    ("players", "edition"), first(1, [(3, INTERNATIONAL), (7, ITALIA)], thorough=2)
)
def test_each_step_has_the_view_that_each_seat_then_had(players: int, edition: Edition) -> None:
    record, _, told = play(players, players, edition)
    replayed = Replay.of(record)
    assert [step.events for step in replayed.steps] == told
    assert replayed.seats == (None, *range(players))
    for seat in replayed.seats:
        view = View.before(edition, players, record.rounds, seat)
        for step in replayed.steps:
            for event in visible_to(step.events, seat):
                view = view.after(event)
            assert step.view(seat) == view


def test_the_steps_are_the_deals_and_the_moves_in_their_order() -> None:
    record, _, _ = play(7, 4, INTERNATIONAL)
    replayed = Replay.of(record)
    moves = [step.move for step in replayed.steps if step.move is not None]
    assert moves == [move for played in record.moves for move in played]
    assert [step.number for step in replayed.steps] == list(range(len(replayed.steps)))
    assert [step.game for step in replayed.steps] == [game for game, _ in replay(record)]
    deals = [step for step in replayed.steps if step.seat is None]
    assert [(step.round, step.moves) for step in deals] == [(1, 0), (2, 0), (3, 0)]
    last = replayed.steps[-1]
    assert (last.round, last.moves) == (3, len(record.moves[2]))


@pytest.mark.parametrize("seat", [None, 0, 2])
def test_a_seats_own_record_has_the_steps_and_views_of_that_seat(seat: int | None) -> None:
    record, _, told = play(21, 3, ITALIA)
    whole, own = Replay.of(record), Replay.of(record_of_seat(seat, record, told))
    assert own.seats == (seat,)
    assert not own.is_whole
    assert own.steps[-1].view(seat) == whole.steps[-1].view(seat)
    for step, other in zip(own.steps, whole.steps, strict=True):
        assert step.seat == other.seat
        assert step.view(seat).table == other.view(seat).table
        assert step.move in (None, other.move)
        assert step.move == other.move or (step.seat != seat and other.move is not None)
    with pytest.raises(LookupError, match="does not know what seat 2 saw"):
        own.steps[0].view(1)


def test_the_record_of_a_game_not_begun_has_no_steps() -> None:
    assert Replay.of(ObservedRecord(NAMES[:3], None)).steps == ()
    assert Replay.of(Record(NAMES[:3], seed=bytes(32))).steps == ()


def test_what_was_said_is_in_the_step_after_which_it_was_said() -> None:
    record = talking(3, 4)
    steps = Replay.of(record).steps
    assert tuple(said for step in steps for said in step.said) == record.talk
    assert all(said.place == (step.round, step.moves) for step in steps for said in step.said)


DEALT = play(1, 5, INTERNATIONAL, rounds=1, steps=1)[0]


def worth(claim: Claim | None, seat: int | None, *before: Utterance) -> Truth | None:
    """Return the worth of a claim made right after the deal."""
    record = replace(DEALT, talk=before).add_utterance(seat, "Ida", claim, "" if claim else "gold!")
    replayed = Replay.of(record)
    step: ReplayStep = replayed.steps[0]
    return replayed.truth(step, step.said[-1])


def test_a_claim_is_true_false_or_a_lie_of_whoever_knew_better() -> None:
    now = next(replay(DEALT))[0].round
    gold = now.goals.index(Goal.TREASURE)
    stone = GOAL_CELLS[(gold + 1) % 3]
    miner, saboteur = now.roles.index(Role.MINER), now.roles.index(Role.SABOTEUR)
    assert worth(GoldAt(GOAL_CELLS[gold]), 0) is Truth.TRUE
    assert worth(StoneAt(stone), None) is Truth.TRUE
    assert worth(GoldAt(stone), 0) is Truth.FALSE, "nobody has looked yet"
    assert worth(StoneAt(GOAL_CELLS[gold]), None) is Truth.FALSE
    assert worth(DigsAgainstUs(saboteur), miner) is Truth.TRUE
    assert worth(DigsAgainstUs(miner), saboteur) is Truth.FALSE
    assert worth(DigsForUs(saboteur), miner) is Truth.FALSE
    assert worth(DigsForUs(saboteur), saboteur) is Truth.LIE
    assert worth(WhoMe(), miner) is Truth.TRUE
    assert worth(WhoMe(), saboteur) is Truth.LIE
    assert worth(HelpMe(Tool.PICK), miner) is Truth.LIE, "nothing of theirs is broken"
    assert worth(WhoMe(), None) is None
    assert worth(HelpMe(Tool.PICK), None) is None
    assert worth(None, 0) is None, "a text is neither true nor false"
    lie = Utterance(1, 0, saboteur, claim=WhoMe())
    assert worth(Bluff(saboteur), miner, lie) is Truth.TRUE
    assert worth(Bluff(saboteur), miner) is Truth.FALSE
    assert worth(Bluff(miner), None, lie) is Truth.FALSE


def test_somebody_who_has_seen_a_goal_and_says_otherwise_lies() -> None:
    record, _, _ = play(3, 5, INTERNATIONAL, rounds=1)
    found = 0
    for step in Replay.of(record).steps:
        peeks = () if step.seat is None else step.view(step.seat).peeks
        for cell, goal in zip(GOAL_CELLS, peeks, strict=False):
            if goal is not None:
                claim = StoneAt(cell) if goal is Goal.TREASURE else GoldAt(cell)
                said = Utterance(step.round, step.moves, step.seat, claim=claim)
                talked = Replay.of(replace(record, talk=(said,)))
                there = talked.steps[step.number]
                assert talked.truth(there, there.said[0]) is Truth.LIE
                found += 1
    assert found > 10


# A summary: the same facts as playing a record through gives, and the same id for a game.

WHOLE = (RECORDS / "whole.sab").read_text(encoding="utf-8")


@pytest.mark.level("broad")
def test_the_id_of_a_game_is_that_of_its_moves_and_not_of_tags_and_talk() -> None:
    record = talking(2, 3)
    same = [
        replace(record, extra=(("Date", "2026-11-22"), ("Kept", "1"))),
        replace(record, talk=()),
    ]
    other = [
        replace(record, names=("Somebody", *record.names[1:])),
        talking(3, 3),
        replace(record, moves=(*record.moves[:-1], record.moves[-1][:-1]), talk=()),
    ]
    found = parse_summary(format_record(record)).id
    assert {parse_summary(format_record(record)).id for record in same} == {found}
    assert found not in {parse_summary(format_record(record)).id for record in other}
    assert len(found) == 32


def test_a_game_that_is_not_over_has_no_gold_yet() -> None:
    found = parse_summary(format_record(Record(NAMES[:3], seed=bytes(32)).add_round()))
    assert (found.nuggets, found.played) == (None, ())


IMPOSSIBLE_GOLD = ("-1 0 0 0 0", "9999 0 0 0 0", "1 2 3", "\u0661 0 0 0 0")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('[Result "4 7 3 0 0"]', '[Result "4 7 3 0 1"]'),
        ("End 4 7 3 0 0", "End 4 7 3 0"),
        ("Won m mmmss+m", "Won x mmmss+m"),
        ("Won m mmmss+m", "Won m mmms+m"),
        ("Won m mmmss+m", "Won m mmmsx+m"),
        ('[Seat5 "Eve"]', '[Seat6 "Eve"]'),
        *(("4 7 3 0 0", gold) for gold in IMPOSSIBLE_GOLD),
    ],
)
def test_a_summary_of_what_contradicts_itself_or_cannot_be_is_refused(old: str, new: str) -> None:
    text = WHOLE
    for _ in range(WHOLE.count(old)):
        text = forge(text, old, new)
    with pytest.raises(NotationError):
        parse_summary(text)


def test_roles_are_read_by_seat() -> None:
    found = parse_summary(WHOLE)
    assert [round_.winner for round_ in found.played] == [Role.MINER, Role.SABOTEUR]
    assert "".join(found.played[1].roles) == "ssmmm"
