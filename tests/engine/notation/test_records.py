"""Records of games and of what a seat heard: as text, read back, replayed, refused if not right."""

from dataclasses import fields, replace
from itertools import accumulate
from pathlib import Path
from random import Random

import pytest

from engine import INTERNATIONAL, ITALIA, Edition, Game, IllegalMove, View, visible_to
from engine.dealing import DRAW_ID_BYTES, SEED_BYTES, SHARE_BYTES, Draw, SeedShare
from engine.events import TurnBegan
from engine.notation import (
    NotationError,
    ObservedRecord,
    Record,
    format_record,
    parse_record,
    replay,
)
from engine.notation.record import Replay, Utterance
from engine.notation.record_parser import MAX_OWN_TAGS, parse_summary
from engine.state import PLAYERS, ROUNDS, Phase
from net.protocol.lobby import MAX_PEOPLE
from tests.engine.notation.games import (
    BOOKS,
    EDITIONS,
    NAMES,
    RECORDS,
    forge,
    play,
    play_rounds,
    record_of_seat,
    write_out,
)
from tests.samples import first, first_pairs, pairs

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


def test_a_move_changes_nothing_else_in_a_record() -> None:
    draw = Draw(bytes(DRAW_ID_BYTES), SeedShare("Ann", bytes(SHARE_BYTES)), ())
    record = replace(
        read(DEALT),
        edition=ITALIA,
        rounds=2,
        youngest=1,
        seed=bytes(SEED_BYTES),
        seeds=(bytes(SEED_BYTES),),
        draws=(draw,),
        talk=(Utterance(1, 0, 0, text="hello"),),
        extra=(("Event", "club night"),),
    )
    *before, now = record.moves
    move = now[0]
    assert all(getattr(record, field.name) != field.default for field in fields(record))
    assert record.add_move(move) == replace(record, moves=(*before, (*now, move)))


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.sab")), ids=lambda path: path.stem)
def test_each_kind_of_record_in_a_file_is_read_written_and_summed_up(path: Path) -> None:
    data = path.read_bytes()
    record, found = parse_record(data), parse_summary(data)
    assert format_record(record).encode() == data
    replayed = Replay.of(record)
    ends = [step.view(replayed.seats[0]).score.nuggets for step in replayed.steps[-1:]]
    assert [found.nuggets] == (ends or [None])
    assert (found.names, found.extra) == (record.names, record.extra)
    assert found.seen == ((record.seat,) if isinstance(record, ObservedRecord) else None)


@pytest.mark.rule("S8")
def test_a_record_tells_what_its_game_was() -> None:
    record = read(WHOLE)
    assert record.names == ("Anna", "Bruno", 'Chi"ara', "Dédé \\", "Eve")
    assert (record.edition.text, record.rounds, record.youngest) == ("italia", 2, 2)
    assert record.extra == (("Place", 'Club "Gold"'),)
    game, events = next(replay(record))
    assert game.to_act == 2
    assert len(events) == 12
    *_steps, (last, _events) = replay(record)
    assert last.score.nuggets == (4, 7, 3, 0, 0)


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


SEEDED = format_record(play_rounds(*(bytes([number]) * 32 for number in range(3))))
"""A game each of whose rounds has a seed of its own."""


@pytest.mark.parametrize("name", ["a\nb", "\x1b[2J", "\u202eevil", "x" * 201, "\ud800"])
def test_a_name_that_could_steer_a_terminal_is_never_written(name: str) -> None:
    with pytest.raises(ValueError, match="no text for a tag") as caught:
        format_record(Record((name, "b", "c"), seed=bytes(32)))
    assert str(caught.value).isascii()
    dealer = replace(FIRST, host=SeedShare("\x1b[2J", b"x" * 32))
    with pytest.raises(ValueError, match="no text for a tag"):
        format_record(replace(play_rounds(FIRST), draws=(dealer,)))


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
    with pytest.raises(ValueError, match="extra tag"):
        format_record(Record(NAMES[:3], seed=bytes(32), extra=extra))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('[Sabtui "1"]\n', ""),
        ('[Sabtui "1"]', '[Sabtui "2"]'),
        ('[Edition "international"]\n', ""),
        ("international", "atlantis"),
        ("international", "italia+gold"),
        ("international", "italia+adjacent+linked+adjacent"),
        ("international", "italia+adjacent"),
        ("international", "italia+path+linked"),
        ('[Rounds "1"]', '[Rounds "4"]'),
        ('[Rounds "1"]', '[Rounds "1"]\n[Rounds "1"]'),
        ('[Seat3 "Ç"]\n', ""),
        ('[Seat1 "A"]', '[Seat4 "A"]'),
        ('[Seat1 "A"]', '[Seat01 "A"]'),
        ('[Seat3 "Ç"]', "\n".join(f'[Seat{at} "s"]' for at in range(3, 12))),
        ('"Ç"', '"\u202eÇ"'),
        ('"Ç"', '"\x1b]0;x"'),
        ('"Ç"', f'''"{"x" * 201}"'''),
        ('[Seat3 "Ç"]', f"""[Seat3 "Ç"]\n[{"x" * 33} "x"]"""),
        ('[Youngest "1"]', '[Youngest "4"]'),
        ('[Youngest "1"]', '[Seen "x"]'),
        ('[Youngest "1"]', '[Youngest "1"]\n[Seen "1"]'),
        ("e44da7f2", "e44da7"),
        ("e44da7f2", "E44da7f2"),
        ('[Result "*"]\n', ""),
        ('[Result "*"]', '[Result "3 0 0"]'),
        ("Round 1", "round 1"),
        ("Round 1", "Round 2"),
        ("Round 1", 'Round 1\n[Late "tag"]'),
        ("x+PL", "xEW"),
        ("x+PL", "x?"),
        ("x+PL", "x+PL $?"),
        ("x+PL", "$1"),
        ("NW@0s1", "NW@5s1"),
        ("NW@0s1", "WN@0s1"),
        ("Round 1\n", ""),
        ('[Result "*"]', '[Result "*"]\n' + "\n".join(f'[T{at} ""]' for at in range(51))),
        ("End *", "End * *"),
        ("End *", "End 1 2 3"),
        ("End *", "End"),
    ],
    ids=range(39),
)
def test_a_record_that_was_recounted_is_still_refused(old: str, new: str) -> None:
    assert_refused(forge(BEGUN, old, new))


def assert_refused(text: str) -> None:
    """Check that a text is refused, with the line."""
    with pytest.raises(NotationError) as caught:
        parse_record(text)
    assert str(caught.value).startswith(f"line {caught.value.line}, column ")
    assert str(caught.value).isprintable()


@pytest.mark.rule("D5", "F1", "R4")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('[Result "4 7 3 0 0"]', '[Result "4 7 3 0 1"]'),
        ('[Result "4 7 3 0 0"]', '[Result "*"]'),
        ("End 4 7 3 0 0", "End 4 7 3 0 1"),
        ("End 4 7 3 0 0", "End *"),
        ("Won m mmmss", "Won s mmmss"),
        ("mmmss+m", "mmsms+m"),
        ("Gold 5 $2 $1", "Gold 5 $3 $1"),
        ("Gold 5 $2 $1", "Gold 5 $2 $2"),
        ("Gold 5 $2 $1", "Gold 4 $2 $1"),
        ("$1 $3", "$1 $1"),
        ("Paid 3 1,1", "Paid 3 1,0"),
        ("Shown 31", "Shown 22"),
        ("\nEnd 4", "\nRound 3\nEnd 4"),
        ("+PC>4:C", "+P>4:C"),
        ("ESW@-1 NESW@1", "ESW@-1\nNESW@1"),
    ],
    ids=range(15),
)
def test_what_follows_from_the_moves_is_compared(old: str, new: str) -> None:
    with pytest.raises(NotationError, match=r"^line [0-9]+, column 1 of "):
        parse_record(forge(WHOLE, old, new))


@pytest.mark.rule("S2", "S5", "S7", "N1")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("NE/NESW/nw", "NESW/nw"),
        ("$2231", "$1231"),
        ("$2231", "$4231"),
        ("$2231", "2231"),
        ("smm+m", "smm+?"),
        ("smm+m", "mmm+m"),
        ("- (NESW)/(NW)/(NE) 1", "- (NESW)/(NW)/(NE) 2"),
        ("- (NESW)/(NW)/(NE) 1", "- ?/(NW)/(NE) 1"),
        ("- (NESW)/(NW)/(NE) 1", "NS@3 (NESW)/(NW)/(NE) 1"),
        ("NE/NESW/nw/+PL", "NESW/NE/nw/+PL"),
        ("-,-,- NE", "-,-,-,- -,NE"),
    ],
    ids=range(11),
)
def test_a_deal_that_is_written_out_must_be_one(old: str, new: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_record(forge(DEALT, old, new))
    assert caught.value.line == 9


@pytest.mark.rule("S2")
def test_a_deal_that_nobody_begins_is_none() -> None:
    over = "- (NESW)/(NW)/(NE) - -,-,- -,-,- - smm+m $1"
    old = next(line for line in DEALT.splitlines() if line.startswith("Round"))
    spelt = old.split(" ", 2)[2].rsplit(" #", 1)[0]
    with pytest.raises(NotationError, match="nobody begins this round"):
        parse_record(forge(DEALT, spelt, over))
    with pytest.raises(NotationError, match="no seed and no deal for 3 players"):
        parse_record(forge(DEALT, spelt, "- (NESW)/(NW)/(NE) 1 -,-,-,- M,-,-,- - smmm+m $1"))


def test_what_is_no_text_is_refused_where_it_ends_to_be_one() -> None:
    with pytest.raises(NotationError, match=r"line 6, column 9 of '\[Seat3 \"': what follows"):
        parse_record(BEGUN.encode("latin-1"))


def test_a_text_too_long_for_a_record_is_refused_unread() -> None:
    with pytest.raises(NotationError, match="at most 131072 characters"):
        parse_record(" " * (1 << 17 | 1))


# Games whose rounds were dealt by all: the shares stand in tags, and are checked.

NOTHING = "- -"


def make_draw(number: int, *names: str, without: tuple[str, ...] = ()) -> Draw:
    """The draw of a round by these people, the first of them the host."""
    rng = Random(number)
    host, *others = [SeedShare(name, rng.randbytes(32)) for name in names]
    return Draw(rng.randbytes(16), host, (*others, *map(SeedShare, without)))


DRAWS = (
    make_draw(1, "Anna", "Bruno", "Dédé \\ [x]"),
    make_draw(2, "Anna", "Dédé \\ [x]", without=("Bruno", "傅")),
)


def test_the_shares_of_each_round_are_read_back() -> None:
    record = play_rounds(*DRAWS, bytes(32))
    assert record.seeds == (DRAWS[0].seed, DRAWS[1].seed, bytes(32))
    assert record.draws == (*DRAWS, None)
    text = format_record(record)
    assert parse_record(text) == record
    assert format_record(parse_record(text)) == text
    assert f'[Draw1 "{DRAWS[0].id.hex()}"]' in text
    assert '[Share2_2 "- - Bruno"]' in text
    assert "[Draw3" not in text


DRAWN = format_record(play_rounds(*DRAWS))
FIRST = DRAWS[0]
BRUNO = FIRST.others[0]
OTHER = SeedShare("Bruno", b"x" * 32)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (SEEDED, '[Seed2 "', '[Place "'),
        (SEEDED, '[Seed3 "', '[Place "'),
        (SEEDED, '[Seed1 "', '[Seed "'),
        (SEEDED, '[Seed3 "', '[Seed3 "0'),
        (DRAWN, '[Result "', f'[Seed3 "{"0" * 64}"]\n[Result "'),
        (DRAWN, BRUNO.share.hex(), OTHER.share.hex()),
        (DRAWN, FIRST.id.hex(), "0" * 32),
        (DRAWN, " Bruno", " Brunhild"),
        (
            DRAWN,
            f"{FIRST.commitment(BRUNO).hex()} {BRUNO.share.hex()}",
            f"{FIRST.commitment(OTHER).hex()} {OTHER.share.hex()}",
        ),
        (DRAWN, f"{FIRST.commitment(BRUNO).hex()} {BRUNO.share.hex()}", NOTHING),
        (DRAWN, f"{FIRST.commitment(FIRST.host).hex()} {FIRST.host.share.hex()}", NOTHING),
        (DRAWN, '[Share1_1 "', '[Share1_3 "'),
        (DRAWN, '[Share1_0 "', '[Shared "'),
        (DRAWN, '[Draw1 "', '[Draw3 "'),
        (DRAWN, '[Draw1 "', '[Draw1 "0'),
        (DRAWN, FIRST.host.share.hex(), "z" * 64),
        (DRAWN, f" {FIRST.host.share.hex()} Anna", ""),
    ],
    ids=range(17),
)
def test_seeds_and_shares_that_do_not_fit_are_told(text: str, old: str, new: str) -> None:
    assert_refused(forge(text, old, new))


@pytest.mark.parametrize("name", ["Draw1", "Share1_0", "Share3_10"])
def test_a_tag_of_ones_own_cannot_be_named_like_a_share(name: str) -> None:
    with pytest.raises(ValueError, match="no name for an extra tag"):
        format_record(replace(play_rounds(FIRST), extra=((name, "x"),)))


def test_a_record_has_room_for_all_whom_a_table_has_in_each_draw() -> None:
    people = [f"P{number:03} {'x' * 60}" for number in range(1 + MAX_PEOPLE)]
    draws = [make_draw(number, *people) for number in range(ROUNDS)]
    record = play_rounds(*draws, names=tuple(people[: PLAYERS[-1]]))
    own = tuple((f"Own{number}", "x" * 200) for number in range(MAX_OWN_TAGS))
    record = replace(record, extra=own).add_utterance(0, record.names[0], text="That was all.")
    assert parse_record(format_record(record)) == record


SEAT_2 = (RECORDS / "seat_2.sab").read_text(encoding="utf-8")
WATCHED = (RECORDS / "watched.sab").read_text(encoding="utf-8")


# A seat's own record: what it heard, in text, and back to the same views of the game.


def read_observed(text: str | bytes) -> ObservedRecord:
    record = parse_record(text)
    assert isinstance(record, ObservedRecord)
    return record


@pytest.mark.level("broad")
@pytest.mark.rule("K", "A5", "D4", "D7")
@pytest.mark.parametrize(
    ("players", "edition"), first(1, pairs(PLAYERS, BOOKS), thorough=len(BOOKS))
)
def test_each_seat_and_a_watcher_find_in_their_record_all_that_they_knew(
    edition: Edition, players: int
) -> None:
    record, _, steps = play(200 + players, players, edition)
    games = [game for game, _ in replay(record)]
    for seat in (None, *range(players)):
        seen = record_of_seat(seat, record, steps)
        again = read_observed(format_record(seen))
        assert again == seen
        compare(again, games, [len(visible_to(events, seat)) for events in steps])


def compare(seen: ObservedRecord, games: list[Game], heard: list[int]) -> None:
    """Compare the fold of a record's events with the views of the game, step by step."""
    views = [*accumulate(seen.events, View.after, initial=seen.before())][1:]
    after = 0
    for count, game in zip(heard, games, strict=True):
        after += count
        if game.round.table.end is not None or after % 17 == 0:
            assert views[after - 1] == game.view(seen.seat)


@pytest.mark.rule("K")
def test_a_record_of_nothing_heard_holds_its_tags() -> None:
    record = ObservedRecord(NAMES[:4], 3)
    assert read_observed(format_record(record)) == record


@pytest.mark.rule("K", "T1", "T2", "G1", "G3", "R4", "D4", "D5", "F1")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("RoundBegan 1 3", "RoundBegan 2 3"),
        ("RoundBegan 1 3 6/6/6/6/6", "RoundBegan 1 3 6/6/6/6"),
        ("RoundBegan 1 3 6/6/6/6/6 37", "RoundBegan 1 3 6/6/6/6/6 36"),
        ("RoundBegan 1", "Began 1"),
        ("DwarfDealt 2 m", "DwarfDealt 3 m"),
        ("DwarfDealt 2 m", "DwarfDealt 2 x"),
        ("HandDealt 2 NESW/-C/-C", "HandDealt 2 NESW/NS/-C/-C"),
        ("HandDealt 2 NESW/-C", "HandDealt 2 NS/-C"),
        ("TurnBegan 3", "TurnBegan 6"),
        ("TurnBegan 3", "TurnBegan 2"),
        ("Laid 3 ESW -1", "Laid 3 ESW -2"),
        ("Laid 3 ESW -1", "Laid 3 ESW"),
        ("Laid 3 ESW -1", "Laid 3 ESW -1 -1"),
        ("Passed 4", "Passed 3"),
        ("Dealt 2 NW", "Dealt 2 ES"),
        ("Revealed 8 NW", "Revealed 7 NW"),
        ("Revealed 8 NW", "Revealed 8 NS"),
        ("RoundEnded m m/m/m/s/s", "RoundEnded m m/m/m/s"),
        ("NESW/NW/NE", "NESW/NE/NE"),
        ("SaboteursPaid 3 1/1/0/0/0", "SaboteursPaid 3 1/1/0/0"),
        ("GameEnded 3+1/3+3+1/2+1/-/-", "GameEnded 3+1/3+3+1/2+1/-"),
        ("GameEnded 3+1/3+3+1/2+1/-/-", "GameEnded 3+1/3+2+1/2+1/-/-"),
        ("GameEnded 3+1/3+3+1/2+1/-/-", "GameEnded 4+1/3+3+1/2+1/-/-"),
        ("End 4 7", "End 5 6"),
        ('[Result "4 7', '[Result "5 6'),
        ('[Seen "2"]', '[Seen "1"]'),
        ('[Seen "2"]', '[Seen "6"]'),
        ('[Seen "2"]', '[Seen "2"]\n[Youngest "2"]'),
        ("Dealt 2 NW", "Dealt 2 +PC"),
        ("\nDealt 2 NW", ""),
    ],
    ids=range(30),
)
def test_a_recounted_record_is_refused_where_it_tells_what_cannot_be(old: str, new: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_record(forge(SEAT_2, old, new))
    assert caught.value.line is not None
    assert str(caught.value).isprintable()


@pytest.mark.rule("K", "S4")
def test_a_recounted_record_is_refused_with_a_card_too_few_even_amid_a_round() -> None:
    whole = read_observed(SEAT_2)
    turn = [at for at, event in enumerate(whole.events, 1) if isinstance(event, TurnBegan)][4]
    early = format_record(replace(whole, events=whole.events[:turn], extra=()))
    assert read_observed(early).events == whole.events[:turn]
    with pytest.raises(NotationError, match="the 67 cards"):
        parse_record(forge(early, "6/6/6/6/6 37", "6/6/6/6/6 36"))


@pytest.mark.rule("K")
def test_a_watchers_record_holds_nothing_that_is_secret() -> None:
    for line in SEAT_2.splitlines():
        if line.split()[0] in {"DwarfDealt", "HandDealt", "Dealt", "DiscardedCard", "GoldShown"}:
            told = f"{line.rsplit(' #', 1)[0]}\nTurnBegan 3"
            with pytest.raises(NotationError, match="only seat 2 receives this"):
                parse_record(forge(WATCHED, "TurnBegan 3", told))
