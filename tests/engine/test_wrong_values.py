"""Values that are none: refused where they come in, so that no state and no record holds them."""

from dataclasses import replace
from json import loads
from typing import cast

import pytest

from engine.actions import Break, Broke, Map, Repair, Repaired, Rockfall
from engine.board import EMPTY, MAX_DRAWN
from engine.bots import Playouts, Seconds
from engine.cards import CROSSROADS, Card, Path, Role, Tool
from engine.dealing import check_deal, deal
from engine.edition import INTERNATIONAL, ITALIA, Direction, Edition
from engine.events import Dealt, Drew, DwarfDealt, GoldTaken, Laid, Passed, TurnBegan
from engine.game import Game
from engine.moves import Discard, KeepGold, Lay, Play
from engine.notation import ObservedRecord, Record, parse_record
from engine.state import Table
from engine.tally import Tally
from engine.view import View

# What no type checker would let through.
WRONG = loads("null")
TRUE = loads("true")
TEXT = loads('"EW@1"')
FLOAT = loads("1.0")
EW = Path.read("EW")
DEALT = deal(bytes(32), 1, 3)


def test_a_move_with_a_part_of_another_type_cannot_be_made() -> None:
    for make in (
        lambda: Lay(EW, (TRUE, 0)),
        lambda: Lay(EW, (FLOAT, 0)),
        lambda: Lay(EW, tuple(loads("[1, 0, 0]"))),
        lambda: Lay(EW, TEXT),
        lambda: Lay(EW, WRONG),
        lambda: Lay(WRONG, (1, 0)),
        lambda: Lay(TEXT, (1, 0)),
        lambda: Rockfall(WRONG),
        lambda: Map((FLOAT, 0)),
        lambda: Break(WRONG, 0),
        lambda: Break(Tool.PICK, TEXT),
        lambda: Break(Tool.PICK, TRUE),
        lambda: Repair(TEXT, 0, Tool.PICK),
        lambda: Repair(Card.REPAIR_PICK, WRONG, Tool.PICK),
        lambda: Repair(Card.REPAIR_PICK, 0, TEXT),
        lambda: Discard(TEXT),
        lambda: KeepGold(TRUE),
        lambda: KeepGold(FLOAT),
    ):
        with pytest.raises(TypeError, match="takes a"):
            make()


@pytest.mark.parametrize("move", [WRONG, TEXT, FLOAT])
def test_what_is_no_move_is_refused_by_game_round_and_view_alike(move: Play) -> None:
    game, _ = Game.begin(DEALT)
    view = game.view(game.to_act)
    for refuse in (game.apply, game.round.apply, view.why_not):
        with pytest.raises(TypeError, match=r"is no move; use `game\.read`"):
            refuse(move)


def test_a_choice_of_gold_takes_no_turn() -> None:
    choice = cast("Play", KeepGold(1))
    with pytest.raises(TypeError, match=r"\$1 takes no turn"):
        Game.begin(DEALT)[0].round.apply(choice)


@pytest.mark.parametrize("value", [TRUE, FLOAT, TEXT])
def test_no_other_value_passes_for_a_number(value: int) -> None:
    game, _ = Game.begin(DEALT)
    for refuse in (
        lambda: Game.begin(DEALT, rounds=value),
        lambda: Game.begin(DEALT, youngest=value),
        lambda: View.before(INTERNATIONAL, 3, 3, value),
        lambda: View.before(INTERNATIONAL, 3, value, 0),
        lambda: View.before(INTERNATIONAL, value, 3, 0),
        lambda: Table.bare(INTERNATIONAL, 3, value),
        lambda: game.view(value),
        lambda: deal(bytes(32), value, 3),
        lambda: Game.begin(replace(DEALT, starter=value)),
        lambda: check_deal(replace(DEALT, starter=value), 3, DEALT.gold),
        lambda: Tally.of([], value),
    ):
        with pytest.raises(ValueError, match=r"seat|round|play"):
            refuse()


@pytest.mark.parametrize("players", [-1, 0, 2, 11])
def test_no_table_and_no_tally_has_another_number_of_players(players: int) -> None:
    for refuse in (lambda: Table.bare(INTERNATIONAL, players), lambda: Tally.of([], players)):
        with pytest.raises(ValueError, match="3 to 10 play"):
            refuse()


def test_the_name_of_an_edition_is_no_edition() -> None:
    name = loads('"italia"')
    for refuse in (
        lambda: Game.begin(DEALT, name),
        lambda: View.before(name, 3, 3, 0),
        lambda: Record(("A", "B", "C"), name),
        lambda: ObservedRecord(("A", "B", "C"), None, name),
    ):
        with pytest.raises(TypeError, match=r"'italia' is no edition; use `Edition\.read`"):
            refuse()


def test_an_edition_has_five_rows_of_a_book() -> None:
    with pytest.raises(ValueError, match="no book of rules is called 'mine'"):
        replace(INTERNATIONAL, book="mine")
    with pytest.raises(TypeError, match="not the five rows"):
        replace(ITALIA, link=TEXT)
    with pytest.raises(TypeError, match="'EW@1' is no row"):
        ITALIA.replace(TEXT)
    for read in (Edition.read, parse_record):
        with pytest.raises(TypeError):
            read(WRONG)
    assert ITALIA.replace(Direction.CLOCKWISE).changed == (Direction.CLOCKWISE,)


@pytest.mark.rule("K")
@pytest.mark.parametrize("event", [Dealt(0, Card.MAP), DwarfDealt(0, Role.SABOTEUR)])
def test_a_view_takes_in_nothing_that_another_seat_was_told(event: Dealt | DwarfDealt) -> None:
    game, _ = Game.begin(DEALT)
    for other in (1, 2, None):
        with pytest.raises(ValueError, match="only seat 1 receives this"):
            game.view(other).after(event)
    assert game.view(0).after(event).history[-1] == event


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_a_view_takes_in_nothing_of_a_seat_that_does_not_exist(seat: int) -> None:
    view = Game.begin(DEALT)[0].view(0)
    for event in (
        TurnBegan(seat),
        Drew(seat),
        Passed(seat),
        GoldTaken(seat),
        Laid(seat, EW, (1, 0)),
        Broke(seat, Tool.PICK, 0),
        Broke(0, Tool.PICK, seat),
        Repaired(0, Card.REPAIR_PICK, seat, Tool.PICK),
    ):
        with pytest.raises(ValueError, match="no seat"):
            view.after(event)
    with pytest.raises(TypeError, match="None is no event"):
        view.after(WRONG)


def test_a_card_is_laid_where_none_lies_and_taken_where_one_does() -> None:
    mine = EMPTY.with_card((1, 0), EW)
    for taken in ((0, 0), (1, 0)):
        with pytest.raises(ValueError, match="a card lies on"):
            mine.with_card(taken, EW)
    for empty in ((0, 0), (2, 0), (8, 0)):
        with pytest.raises(ValueError, match="no tunnel lies on"):
            mine.without_card(empty)
    found = mine.with_card((8, 0), CROSSROADS)
    with pytest.raises(ValueError, match="no tunnel lies on"):
        found.without_card((8, 0))


def test_a_drawing_of_the_mine_has_an_end() -> None:
    near = EMPTY.with_card((MAX_DRAWN, 0), EW).with_card((0, -MAX_DRAWN), EW)
    far = near.with_card((1_000_000, 0), EW).with_card((0, 10**9), EW)
    assert far.draw() == near.draw()
    assert str(far) == str(near)
    assert len(far.draw()) < 1000


def test_no_bot_thinks_less_than_nothing_or_for_ever() -> None:
    for make in (
        lambda: Playouts(-1),
        lambda: Playouts(TRUE),
        lambda: Seconds(-1.0),
        lambda: Seconds(float("nan")),
        lambda: Seconds(float("inf")),
    ):
        with pytest.raises(ValueError, match="not"):
            make()
