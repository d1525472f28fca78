"""Whole records: a game as text, read back, replayed, and refused where it is not right."""

from dataclasses import replace
from random import Random

import pytest

from engine.edition import INTERNATIONAL, Edition
from engine.game import Game
from engine.moves import IllegalMove
from engine.notation import (
    LineKind,
    NotationError,
    Record,
    format_record,
    parse_record,
    record_lines,
    replay,
)
from engine.notation.lexer import MAX_TAGS
from engine.state import PLAYERS, Phase
from tests.engine.notation.games import EDITIONS, NAMES, RECORDS, forge, play, write_out
from tests.samples import first_pairs

WHOLE = (RECORDS / "whole.sab").read_text(encoding="utf-8")
BEGUN = (RECORDS / "begun.sab").read_text(encoding="utf-8")
DEALT = (RECORDS / "begun_dealt.sab").read_text(encoding="utf-8")


def read(text: str | bytes) -> Record:
    record = parse_record(text)
    assert isinstance(record, Record)
    return record


@pytest.mark.level("broad")
@pytest.mark.rule("S1", "E-direction", "E-link", "E-dead-table", "E-share", "E-next")
@pytest.mark.parametrize(("players", "edition"), first_pairs(PLAYERS, EDITIONS))
def test_a_whole_game_is_read_back_and_replayed(players: int, edition: Edition) -> None:
    record, game, steps = play(100 + players, players, edition, rounds=2 + players % 2)
    text = format_record(record)
    again = read(text)
    assert again == record
    assert format_record(again) == text
    replayed = list(replay(again))
    assert [events for _, events in replayed] == steps
    assert replayed[-1][0] == game


@pytest.mark.level("broad")
@pytest.mark.parametrize("players", [3, 10])
def test_a_game_cut_short_anywhere_has_a_record(players: int) -> None:
    record, _, _ = play(11, players, INTERNATIONAL, rounds=2)
    short = replace(record, moves=())
    phases: set[Phase] = set()
    game: Game | None = None
    for moves in record.moves:
        game, _ = record.next_step(game)
        short = short.add_round()
        for count, move in enumerate(moves):
            if count % 13 == 0 or game.phase is Phase.GOLD:
                assert read(format_record(short)) == short
                phases.add(game.phase)
            game, _ = game.apply(move)
            short = short.add_move(move)
    assert Phase.PLAY in phases
    assert short == record


@pytest.mark.parametrize("steps", [1, 30, 10_000])
def test_without_a_seed_the_deals_are_written_out(steps: int) -> None:
    record, game, _ = play(5, 4, EDITIONS[2], steps=steps)
    bare = write_out(record)
    text = format_record(bare)
    assert "[Seed" not in text
    again = read(text)
    assert again == bare
    assert list(replay(again))[-1][0] == game


def seeded_game(rounds: int = 3) -> Record:
    """A game each of whose rounds has a seed of its own."""
    rng = Random(5)
    record = Record(NAMES[:3], rounds=rounds).add_round(rng.randbytes(32))
    game, _ = record.next_step(None)
    while game.phase is not Phase.OVER:
        if game.phase is Phase.DEAL:
            record = record.add_round(rng.randbytes(32))
            game, _ = record.next_step(game)
        else:
            move = rng.choice(game.legal_moves())
            game, _ = game.apply(move)
            record = record.add_move(move)
    return record


def test_rounds_dealt_each_from_a_seed_of_its_own_have_a_tag_for_each() -> None:
    record = seeded_game()
    text = format_record(record)
    for number, seed in enumerate(record.seeds, 1):
        assert f'[Seed{number} "{seed.hex()}"]' in text
    assert "[Seed " not in text
    assert read(text) == record
    assert format_record(read(text)) == text


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('[Seed2 "', '[Place "', "the tag Seed2 is missing"),
        ('[Seed3 "', '[Place "', "the tag Seed3 is missing"),
        ('[Seed1 "', '[Seed "', "this tag does not belong in this kind of record"),
        ('[Result "', f'[Seed4 "{"0" * 64}"]\n[Result "', ""),
        ('[Seed3 "', '[Seed3 "0', "a seed is 64 characters 0-9 or a-f"),
    ],
)
def test_a_seed_that_is_missing_or_too_many_is_told(old: str, new: str, problem: str) -> None:
    text = forge(format_record(seeded_game()), old, new)
    if not problem:
        assert read(text).extra[0][0] == "Seed4", "a tag of one's own, as there is no fourth round"
        return
    with pytest.raises(NotationError) as caught:
        parse_record(text)
    assert problem in caught.value.problem


def test_a_seed_of_a_round_that_was_not_dealt_is_told() -> None:
    text = format_record(seeded_game(rounds=2))
    with pytest.raises(NotationError) as caught:
        parse_record(forge(text, '[Result "', f'[Seed3 "{"0" * 64}"]\n[Result "'))
    assert "this tag does not belong in this kind of record" in caught.value.problem


def test_a_record_of_a_game_not_begun_holds_its_tags() -> None:
    record = Record(NAMES[:3], seed=bytes(32))
    assert list(replay(record)) == []
    assert read(format_record(record)) == record
    assert record_lines(record)[0] == []


@pytest.mark.parametrize("name", ["whole", "begun", "begun_dealt"])
def test_the_records_in_files_are_read_and_written_alike(name: str) -> None:
    data = (RECORDS / f"{name}.sab").read_bytes()
    assert format_record(read(data)).encode() == data


@pytest.mark.rule("S8")
def test_a_record_tells_what_its_game_was() -> None:
    record = read(WHOLE)
    assert record.names == ("Anna", "Bruno", 'Chi"ara', "Dédé \\", "Eve")
    assert (record.edition.text, record.rounds, record.youngest) == ("italia", 2, 2)
    assert record.extra == (("Place", 'Club "Gold"'),)
    game, events = next(replay(record))
    assert game.to_act == 2
    assert len(events) == 12
    lines, score = record_lines(record)
    assert score.nuggets == (4, 7, 3, 0, 0)
    assert [line.kind for line in lines[-3:]] == [LineKind.WON, LineKind.PAID, LineKind.SHOWN]
    assert lines[1].seats == (2, 1, 0, 4, 3), "turns pass counter-clockwise in Italy"


def test_spacing_and_comments_are_free_and_tags_come_in_any_order() -> None:
    spaced = "\n".join(
        line if line.startswith("[") else "\t" + line.replace(" ", "  {é # [ ]\x07\n} \r\n")
        for line in WHOLE.splitlines()
    )
    assert read(spaced + "\n") == read(WHOLE)
    stretched = WHOLE.replace('[Rounds "2"]', '[ Rounds\t  "2" ]')
    assert read(stretched) == read(WHOLE)
    place = '[Place "Club \\"Gold\\""]'
    moved = forge(forge(WHOLE, place, ""), '[Rounds "2"]', f'{place}\n[Rounds "2"]')
    assert read(moved) == read(WHOLE)


def test_a_move_is_kept_in_the_round_it_was_made_in() -> None:
    record = Record(NAMES[:3], rounds=1, seed=bytes(32)).add_round()
    game, _ = record.next_step(None)
    move = game.legal_moves()[0]
    assert record.add_move(move).moves == ((move,),)


def test_a_record_that_cannot_be_replayed_says_so() -> None:
    record = read(BEGUN)
    with pytest.raises(ValueError, match="round 1 has no seed and no deal for 3 players"):
        format_record(replace(record, seed=None))
    short = write_out(record)
    with pytest.raises(ValueError, match="no deal for 4 players"):
        format_record(replace(short, names=NAMES[:4]))
    with pytest.raises(ValueError, match="no deal is awaited"):
        format_record(record.add_round())
    with pytest.raises(IllegalMove):
        format_record(record.add_move(record.moves[0][2]))


@pytest.mark.parametrize("name", ["a\nb", "\x1b[2J", "\u202eevil", "x" * 201, "\ud800"])
def test_a_name_that_could_steer_a_terminal_is_never_written(name: str) -> None:
    with pytest.raises(ValueError, match="no text for a tag") as caught:
        format_record(Record((name, "b", "c"), seed=bytes(32)))
    assert str(caught.value).isascii()


@pytest.mark.parametrize(
    "extra",
    [
        (("Seed", "x"),),
        (("Seat11", "x"),),
        (("no tag", "x"),),
        (("x" * 33, "x"),),
        (("A", "x"), ("A", "y")),
        tuple((f"T{at}", "x") for at in range(51)),
    ],
    ids=["standard", "seat", "space", "long", "twice", "many"],
)
def test_a_tag_of_ones_own_that_could_not_be_read_is_never_written(
    extra: tuple[tuple[str, str], ...],
) -> None:
    with pytest.raises(ValueError, match=r"of one's own"):
        format_record(Record(NAMES[:3], seed=bytes(32), extra=extra))


@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        ('[Sabtui "1"]\n', "", 1, "a record begins with [Sabtui"),
        ('[Sabtui "1"]', '[Sabtui "2"]', 1, "this Sabtui reads version 1 of records; a"),
        ('[Edition "international"]\n', "", 9, "the tag Edition is missing"),
        ("international", "atlantis", 2, "no edition or house rule"),
        ("international", "italia+gold", 2, "no edition or house rule"),
        ("international", "italia+adjacent+linked+adjacent", 2, "no edition or house rule"),
        ("international", "italia+adjacent", 2, "this edition is written italia"),
        ("international", "italia+path+linked", 2, "this edition is written italia+linked+path"),
        ('[Rounds "1"]', '[Rounds "4"]', 3, "a game has 1, 2 or 3 rounds"),
        (
            '[Rounds "1"]',
            '[Rounds "1"]\n[Rounds "1"]',
            4,
            "the tag Rounds appears here for the second time",
        ),
        ('[Seat3 "Ç"]\n', "", 9, "the tag Seat3 is missing"),
        ('[Seat1 "A"]', '[Seat4 "A"]', 4, "3 to 10 players"),
        ('[Seat1 "A"]', '[Seat01 "A"]', 4, "3 to 10 players"),
        (
            '[Seat3 "Ç"]',
            "\n".join(f'[Seat{at} "s"]' for at in range(3, 12)),
            4,
            "3 to 10 players",
        ),
        ('"Ç"', '"\u202eÇ"', 6, "control or format character"),
        ('"Ç"', '"\x1b]0;x"', 6, "control or format character"),
        ('"Ç"', f'"{"x" * 201}"', 6, "at most 200 characters"),
        (
            '[Seat3 "Ç"]',
            f'[Seat3 "Ç"]\n[{"x" * 33} "x"]',
            7,
            "the name of a tag has at most 32 characters",
        ),
        (
            '[Seat3 "Ç"]',
            '[Seat3 "Ç"]\n' + "\n".join(f'[T{at} ""]' for at in range(MAX_TAGS)),
            1 + MAX_TAGS,
            f"at most {MAX_TAGS} tags",
        ),
        ('[Youngest "1"]', '[Youngest "4"]', 7, "this should be - or one of the 3 seats"),
        ('[Youngest "1"]', '[Seen "x"]', 7, "this should be - or one of the 3 seats"),
        (
            '[Youngest "1"]',
            '[Youngest "1"]\n[Seen "1"]',
            7,
            "this tag does not belong in this kind of record",
        ),
        ("e44da7f2", "e44da7", 8, "a seed is 64 characters 0-9 or a-f"),
        ("e44da7f2", "E44da7f2", 8, "a seed is 64 characters 0-9 or a-f"),
        ('[Result "*"]\n', "", 9, "the tag Result is missing"),
        ('[Result "*"]', '[Result "3 0 0"]', 9, 'going by what follows, the result is "*"'),
        ("Round 1", "round 1", 10, "expected Round here"),
        ("Round 1", "Round 2", 10, "expected 1 here"),
        ("Round 1", 'Round 1\n[Late "tag"]', 11, "tags go before the first round"),
        ("x+PL", "xEW", 11, "seat 1 cannot do this now: EW is not in the hand"),
        ("x+PL", "x?", 11, "a turn, but it is not a move that can be made"),
        ("x+PL", "x+PL $?", 11, "a turn, but it is not a move that can be made"),
        ("x+PL", "$1", 11, "seat 1 cannot do this now: no gold card of"),
        ("NW@0s1", "NW@5s1", 11, "seat 3 cannot do this now: no face-up path card lies beside"),
        ("NW@0s1", "WN@0s1", 11, "a path card is written as its open sides, in"),
        ("End *", "End * *", 14, "nothing more belongs here"),
        ("End *", "End 1 2 3", 14, "expected * here"),
        ("End *", "End", 14, "expected more here"),
    ],
    ids=range(38),
)
def test_a_record_that_was_recounted_is_still_refused_where_it_is_wrong(
    old: str, new: str, line: int, problem: str
) -> None:
    with pytest.raises(NotationError) as caught:
        parse_record(forge(BEGUN, old, new))
    assert problem in caught.value.problem
    assert caught.value.line == line
    assert str(caught.value).startswith(f"line {line}, column ")
    assert str(caught.value).isprintable()


@pytest.mark.rule("D5", "F1", "R4")
@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        (
            '[Result "4 7 3 0 0"]',
            '[Result "4 7 3 0 1"]',
            11,
            'going by what follows, the result is "',
        ),
        ('[Result "4 7 3 0 0"]', '[Result "*"]', 11, 'going by what follows, the result is "'),
        ("End 4 7 3 0 0", "End 4 7 3 0 1", 43, "expected 0 here"),
        ("End 4 7 3 0 0", "End *", 43, "expected 4 here"),
        ("Won m mmmss", "Won s mmmss", 23, "expected m here"),
        ("mmmss+m", "mmsms+m", 23, "expected mmmss+m here"),
        ("Gold 5 $2 $1", "Gold 5 $3 $1", 24, "expected $2 here"),
        ("Gold 5 $2 $1", "Gold 5 $2 $2", 24, "cannot do this now: no gold card of"),
        ("Gold 5 $2 $1", "Gold 4 $2 $1", 24, "expected 5 here"),
        ("$1 $3", "$1 $1", 24, "expected $3 here"),
        ("Paid 3 1,1", "Paid 3 1,0", 41, "expected 1,1,0,0,0 here"),
        ("Shown 31", "Shown 22", 42, "expected 31,331,21,-,- here"),
        ("\nEnd 4", "\nRound 3\nEnd 4", 43, "expected End here"),
        ("+PC>4:C", "+P>4:C", 17, "is not in the hand"),
        ("ESW@-1 NESW@1", "ESW@-1\nNESW@1", 0, ""),
    ],
    ids=range(15),
)
def test_what_follows_from_the_moves_is_compared(
    old: str, new: str, line: int, problem: str
) -> None:
    text = forge(WHOLE, old, new)
    if not problem:
        assert read(text) == read(WHOLE), "laps may be broken into lines as one likes"
        return
    with pytest.raises(NotationError) as caught:
        parse_record(text)
    assert (caught.value.line, problem in caught.value.problem) == (line, True), caught.value


@pytest.mark.rule("S2", "S5", "S7", "N1")
@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("NE/NESW/nw", "NESW/nw", "this deal is not made from the cards of this game"),
        ("$2231", "$1231", "this deal is not made from the cards of this game"),
        ("$2231", "$4231", "a gold card has 1, 2 or 3 nuggets"),
        ("$2231", "2231", "expected $ here"),
        ("smm+m", "smm+?", "missing: the dwarf left over"),
        ("smm+m", "mmm+m", "there are not that many m among"),
        ("- (NESW)/(NW)/(NE) 1", "- (NESW)/(NW)/(NE) 2", "expected 1 here"),
        ("- (NESW)/(NW)/(NE) 1", "- ?/(NW)/(NE) 1", "missing: goal 8n2"),
        (
            "- (NESW)/(NW)/(NE) 1",
            "NS@3 (NESW)/(NW)/(NE) 1",
            "more NS than the deck has: 4 (S3, S4)",
        ),
        ("NE/NESW/nw/+PL", "NESW/NE/nw/+PL", "NE/NESW/nw/+PL/M/M"),
        ("-,-,- NE", "-,-,-,- -,NE", "dwarves are m, s or ?"),
    ],
    ids=range(11),
)
def test_a_deal_that_is_written_out_must_be_one(old: str, new: str, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_record(forge(DEALT, old, new))
    assert problem in caught.value.problem
    assert caught.value.line == 9


@pytest.mark.rule("S2")
def test_a_deal_that_nobody_begins_is_none() -> None:
    over = "- (NESW)/(NW)/(NE) - -,-,- -,-,- - smm+m $1"
    old = next(line for line in DEALT.splitlines() if line.startswith("Round"))
    spelt = old.split(" ", 2)[2].rsplit(" #", 1)[0]
    with pytest.raises(NotationError, match="missing: who begins"):
        parse_record(forge(DEALT, spelt, over))
    with pytest.raises(NotationError, match="this deal is not made from the cards of this game"):
        parse_record(forge(DEALT, spelt, "- (NESW)/(NW)/(NE) 1 -,-,-,- M,-,-,- - smmm+m $1"))


def test_what_is_no_text_is_refused_where_it_ends_to_be_one() -> None:
    with pytest.raises(NotationError, match=r"line 6, column 9 of '\[Seat3 \"': what follows"):
        parse_record(BEGUN.encode("latin-1"))


def test_a_text_too_long_for_a_record_is_refused_unread() -> None:
    with pytest.raises(NotationError, match="at most 131072 characters"):
        parse_record(" " * (1 << 17 | 1))
