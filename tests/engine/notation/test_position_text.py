"""Positions: a whole round, a seat's view of it, or what lies face up, in one line."""

import re
from collections.abc import Iterator
from pathlib import Path as File

import pytest

from engine import Card, Game, Goal, Lay, Path, Phase, Role, Table
from engine.edition import ARGENTINA, INTERNATIONAL, ITALIA, Edition
from engine.notation import (
    NotationError,
    Position,
    format_position,
    parse_position,
    replay,
)
from tests.engine.notation.games import EDITIONS, play
from tests.samples import first, pairs

DATA = File(__file__).parents[2] / "data" / "positions"

OPEN = "EW@1/NES@2 ?/(NE)/? 1 -,P,- NE/M/-L,3,2 0 m??+?"
"""The example of the notation: the end of a round of three, as seat 1 sees it."""


def lines(name: str) -> Iterator[tuple[str, Edition]]:
    """Read what a data file holds, each line with the edition that holds there."""
    edition = INTERNATIONAL
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("edition: "):
            edition = Edition.read(line.removeprefix("edition: "))
        elif line and not line.startswith("#"):
            yield line, edition


WRITTEN = list(lines("as_written.txt"))
WRONG = list(zip(*[iter(lines("wrong.txt"))] * 2, strict=True))


@pytest.mark.parametrize(("text", "edition"), WRITTEN, ids=[text for text, _ in WRITTEN])
def test_a_position_is_written_as_it_was_read(text: str, edition: Edition) -> None:
    position = parse_position(text, edition)
    assert format_position(position) == text
    assert position.edition == edition
    assert Position.of(position.table) == parse_position(format_position(position.table), edition)


@pytest.mark.parametrize(("wrong", "mark"), WRONG, ids=[wrong[0] for wrong, _ in WRONG])
def test_a_wrong_position_is_refused_where_it_is_wrong(
    wrong: tuple[str, Edition], mark: tuple[str, Edition]
) -> None:
    text, edition = wrong
    caret, problem = mark[0].split("^ ")
    with pytest.raises(NotationError, match=re.escape(problem)) as caught:
        parse_position(text, edition)
    assert (caught.value.text, caught.value.column) == (text, len(caret) + 1)


def test_a_text_too_long_for_a_position_is_refused_unread() -> None:
    with pytest.raises(NotationError, match="at most 4096 characters"):
        parse_position(" " * 4097)


@pytest.mark.rule("K")
def test_a_position_with_gaps_is_a_view_of_the_seat_whose_hand_is_known() -> None:
    position = parse_position(OPEN)
    view = position.view(0)
    assert (view.role, view.peeks) == (Role.MINER, (None, Goal.STONE_NE, None))
    assert view.hand == (Card.NE, Card.BREAK_LANTERN, Card.MAP)
    assert view.table.looks[0] == {(8, 0)}
    assert Lay(Path.read("NE"), (0, 1)) in view.legal_moves()
    assert view.why_not(Lay(Path.read("NE"), (5, 5))) is not None
    assert format_position(view) == format_position(position)


@pytest.mark.rule("K")
def test_a_position_with_gaps_cannot_be_played_on_and_says_what_is_missing() -> None:
    with pytest.raises(ValueError, match="to play on, these must be known") as caught:
        parse_position("EW@1 ?/(NE)/? 1 -,P,- NE,3,0 4 m??+?").round()
    assert str(caught.value).endswith(
        "goal 8n2, goal 8s2, the hand of seat 2, the draw pile, "
        "the dwarf of seat 2, the dwarf of seat 3, the dwarf left over"
    )
    with pytest.raises(ValueError, match="the hand of seat 2 is not known"):
        parse_position(OPEN).view(1)


@pytest.mark.rule("K")
def test_where_everything_is_known_nobody_has_looked_yet() -> None:
    position = parse_position("- (NE)/(NESW)/(NW) 1 -,-,- M,M,- - mms+m")
    for seat in range(3):
        assert position.view(seat).peeks == (None, None, None)
    assert position.view(None).hand == ()
    assert format_position(position.view(1)) == "- ?/?/? 1 -,-,- 1,M,0 0 ?m?+?"
    assert format_position(position.view(None)) == "- ?/?/? 1 -,-,- 1,1,0 0 ???+?"


@pytest.mark.rule("R1", "R4")
def test_the_table_before_the_deal_and_after_the_end_is_nobodys_turn() -> None:
    before = parse_position(format_position(Table.empty(ITALIA, 4)), ITALIA)
    assert before.table == Table.empty(ITALIA, 4)
    assert before.end is None
    after = parse_position("- NESW/(NE)/(NW) - -,-,- M,1,1 9 msm+m")
    assert after.end is not None
    assert after.end.winner is Role.MINER
    assert after.view(0).score.wins == (Role.MINER,)
    assert format_position(after.view(0)) == format_position(after)


@pytest.mark.rule("R2", "R3")
@pytest.mark.parametrize("edition", [INTERNATIONAL, ARGENTINA])
def test_a_round_that_ended_with_empty_hands_is_over_in_every_edition(edition: Edition) -> None:
    text = "- (NE)/(NESW)/(NW) - -,-,- -,-,- - mms+m"
    played = parse_position(text, edition).round()
    assert played.table.end is not None
    assert played.table.end.winner is Role.SABOTEUR
    assert played.legal_moves() == ()
    assert format_position(played) == text


@pytest.mark.level("broad")
@pytest.mark.parametrize(("edition", "players"), first(1, pairs(EDITIONS, (3, 5, 10)), thorough=6))
def test_every_position_of_a_game_is_read_back_and_goes_on_alike(
    edition: Edition, players: int
) -> None:
    record, _, _ = play(players, players, edition, rounds=2)
    for count, (game, _) in enumerate(replay(record)):
        if count % 7 == 0 or game.round.table.end is not None:
            check(game)


def check(game: Game) -> None:
    """Check all the positions of one moment of a game."""
    now, edition = game.round, game.round.table.edition
    position = parse_position(format_position(now), edition)
    again = position.round()
    assert Position.of(again) == position == Position.of(now)
    assert again.legal_moves() == now.legal_moves()
    for move in now.legal_moves()[::5]:
        assert again.apply(move)[1] == now.apply(move)[1], format_position(now)
    for seat in range(now.table.players):
        view = game.view(seat)
        seen = parse_position(format_position(view), edition)
        assert seen == Position.of(view) == Position.of(seen.view(seat))
        assert game.phase is Phase.GOLD or list(seen.view(seat).legal_moves()) == list(
            view.legal_moves()
        )
    watched = parse_position(format_position(game.view(None)), edition)
    assert watched == Position.of(now.table) == Position.of(watched.view(None))
    assert watched.table.board == now.table.board


@pytest.mark.parametrize(
    "text",
    [
        "NEW@2/EW@1 ?/(NE)/? 1 -,LP,- -L/M/NS/NE,3,2 0 m??+?",
        "\tEW@1/NEW@2  ?/(NE)/?\t1 -,PL,- NS/NE/-L/M,3,2 - m??+?\n",
    ],
)
def test_parts_are_read_in_any_order_and_between_any_spaces_and_written_in_one(text: str) -> None:
    written = "EW@1/NEW@2 ?/(NE)/? 1 -,PL,- NS/NE/-L/M,3,2 0 m??+?"
    position, known = parse_position(text), parse_position(written)
    assert position.view(0) == known.view(0)
    assert format_position(position.view(0)) == written
