"""Talk in records: written where it was said, read back, and as well guarded as the moves."""

from dataclasses import replace
from random import Random

import pytest

from engine.bots.talk import Bluff, GoldAt, HelpMe, WhoMe
from engine.cards import Tool
from engine.edition import INTERNATIONAL
from engine.notation import NotationError, Record, Utterance, format_record, parse_record
from engine.notation.record import claims, format_claim, format_utterance, read_utterance
from tests.engine.notation.games import NAMES, RECORDS, play
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
        claim = rng.choice([None, *claims(len(record.names))])
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


def test_the_file_of_a_record_with_talk_is_read_and_written_alike() -> None:
    record = parse_record(TALK)
    assert format_record(record) == TALK
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
    every = claims(10)
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
