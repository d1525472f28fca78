"""Records of games whose rounds were dealt by all: the shares stand in tags, and are checked."""

from dataclasses import replace
from random import Random

import pytest

from engine.dealing import Draw, SeedShare
from engine.notation import NotationError, Record, format_record, parse_record
from engine.notation.record_parser import MAX_OWN_TAGS
from engine.state import PLAYERS, ROUNDS, Phase
from net.protocol.lobby import MAX_PEOPLE
from tests.engine.notation.games import NAMES, forge

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


def play_game(*sources: Draw | bytes) -> Record:
    """A game with these seeds or draws, one for each round."""
    rng = Random(5)
    record = Record(NAMES[:3], rounds=len(sources)).add_round(sources[0])
    game, _ = record.next_step(None)
    while game.phase is not Phase.OVER:
        if game.phase is Phase.DEAL:
            record = record.add_round(sources[game.score.number])
            game, _ = record.next_step(game)
        else:
            move = rng.choice(game.legal_moves())
            game, _ = game.apply(move)
            record = record.add_move(move)
    return record


def test_the_shares_of_each_round_are_read_back() -> None:
    record = play_game(*DRAWS, bytes(32))
    assert record.seeds == (DRAWS[0].seed, DRAWS[1].seed, bytes(32))
    assert record.draws == (*DRAWS, None)
    text = format_record(record)
    assert parse_record(text) == record
    assert format_record(parse_record(text)) == text
    assert f'[Draw1 "{DRAWS[0].id.hex()}"]' in text
    assert '[Share2_2 "- - Bruno"]' in text
    assert "[Draw3" not in text


TEXT = format_record(play_game(*DRAWS))
FIRST, SECOND = DRAWS
BRUNO = FIRST.others[0]
OTHER = SeedShare("Bruno", b"x" * 32)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (BRUNO.share.hex(), OTHER.share.hex()),
        (FIRST.id.hex(), "0" * 32),
        (" Bruno", " Brunhild"),
        (
            f"{FIRST.commitment(BRUNO).hex()} {BRUNO.share.hex()}",
            f"{FIRST.commitment(OTHER).hex()} {OTHER.share.hex()}",
        ),
        (f"{FIRST.commitment(BRUNO).hex()} {BRUNO.share.hex()}", NOTHING),
        (f"{FIRST.commitment(FIRST.host).hex()} {FIRST.host.share.hex()}", NOTHING),
        ('[Share1_1 "', '[Share1_3 "'),
        ('[Share1_0 "', '[Shared "'),
        ('[Draw1 "', '[Draw3 "'),
        ('[Draw1 "', '[Draw1 "0'),
        (FIRST.host.share.hex(), "z" * 64),
        (f" {FIRST.host.share.hex()} Anna", ""),
    ],
)
def test_shares_that_do_not_fit_are_told(old: str, new: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_record(forge(TEXT, old, new))
    assert caught.value.line is not None


def test_a_name_that_cannot_be_shown_is_not_written_as_a_dealer() -> None:
    record = replace(
        play_game(FIRST), draws=(replace(FIRST, host=SeedShare("\x1b[2J", b"x" * 32)),)
    )
    with pytest.raises(ValueError, match="no text for a tag"):
        format_record(record)


@pytest.mark.parametrize("name", ["Draw1", "Share1_0", "Share3_10"])
def test_a_tag_of_ones_own_cannot_be_named_like_a_share(name: str) -> None:
    with pytest.raises(ValueError, match="no name for a tag"):
        format_record(replace(play_game(FIRST), extra=((name, "x"),)))


def test_a_record_has_room_for_all_whom_a_table_has_in_each_draw() -> None:
    people = [f"P{number:03} {'x' * 60}" for number in range(1 + MAX_PEOPLE)]
    draws = [make_draw(number, *people) for number in range(ROUNDS)]
    record = Record(tuple(people[: PLAYERS[-1]]))
    game = None
    for draw in draws:
        record = record.add_round(draw)
        game, _ = record.next_step(game)
        while game.to_act is not None:
            move = game.legal_moves()[-1]
            game, _ = game.apply(move)
            record = record.add_move(move)
    own = tuple((f"Own{number}", "x" * 200) for number in range(MAX_OWN_TAGS))
    record = replace(record, extra=own).add_utterance(0, record.names[0], text="That was all.")
    assert parse_record(format_record(record)) == record
