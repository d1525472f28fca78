"""What a chosen card can do, what the player is about to do with it, and what stands out for it."""

from __future__ import annotations

from dataclasses import replace

from engine.actions import Break, Map, Repair, Rockfall
from engine.board import GOAL_CELLS
from engine.cards import Card, Path, Tool
from engine.moves import Lay
from sabtui.tui.mine.tiles import CellMark
from sabtui.tui.table.selection import Choice, Selection, Target, highlights
from tests.sabtui.cases import DIG, view_of
from tests.sabtui.tui import scenes

NW, NES, DEAD, BREAK, REPAIR, ROCK, MAP = range(7)
"""Places in the hand of `DIG`."""


def way(text: str) -> Path:
    return Path.read(text)


def test_a_path_card_has_a_place_for_each_cell_and_a_way_for_each_way_up() -> None:
    choice = Choice.of(DIG, Card.NES)
    assert {target.place: target.ways for target in choice.targets} == {
        (0, -1): (Lay(way("NES"), (0, -1)), Lay(way("NSW"), (0, -1))),
        (-1, 0): (Lay(way("NES"), (-1, 0)),),
        (0, 1): (Lay(way("NES"), (0, 1)), Lay(way("NSW"), (0, 1))),
        (2, -1): (Lay(way("NES"), (2, -1)), Lay(way("NSW"), (2, -1))),
        (3, 0): (Lay(way("NSW"), (3, 0)),),
    }


def test_places_near_the_gold_come_first_and_other_players_before_oneself() -> None:
    assert Choice.of(DIG, Card.NES).targets[0].place == (3, 0)
    assert [target.place for target in Choice.of(DIG, Card.BREAK_CART).targets] == [1, 2, 0]
    mine = view_of("- ?/?/? 1 P,P,- EW/+P,3,2 0 m??+?")
    assert [target.place for target in Choice.of(mine, Card.REPAIR_PICK).targets] == [0, 1]


def test_a_repair_of_two_tools_has_two_ways_at_one_player() -> None:
    both = view_of("- ?/?/? 1 -,LC,- +LC,3,2 0 m??+?")
    choice = Choice.of(both, Card.REPAIR_LANTERN_CART)
    lantern, cart = (
        Repair(Card.REPAIR_LANTERN_CART, 1, tool) for tool in (Tool.LANTERN, Tool.CART)
    )
    assert choice.targets == (Target(1, (lantern, cart)),)
    assert choice.play_at(1, turned=False) == lantern
    assert choice.play_at(1, turned=True) == cart
    assert choice.play_at(2, turned=False) == Repair(Card.REPAIR_LANTERN_CART, 2, Tool.LANTERN)


def test_what_fits_one_way_alone_lies_that_way_however_it_was_turned() -> None:
    choice = Choice.of(DIG, Card.NES)
    for turned in (False, True):
        assert choice.play_at((3, 0), turned) == Lay(way("NSW"), (3, 0))
        assert choice.other_way((3, 0), turned) == Lay(way("NES"), (3, 0))
    assert choice.play_at((0, 1), turned=False) == Lay(way("NES"), (0, 1))
    assert choice.play_at((0, 1), turned=True) == Lay(way("NSW"), (0, 1))


def test_an_impossible_place_has_its_wish_too() -> None:
    assert Choice.of(DIG, Card.NES).play_at((7, 7), turned=True) == Lay(way("NSW"), (7, 7))
    assert Choice.of(DIG, Card.BREAK_LANTERN).play_at(1, turned=False) == Break(Tool.LANTERN, 1)
    assert Choice.of(DIG, Card.BREAK_LANTERN).play_at((0, 0), turned=False) is None
    assert Choice.of(DIG, Card.ROCKFALL).play_at((0, 0), turned=False) == Rockfall((0, 0))
    assert Choice.of(DIG, Card.MAP).play_at((8, 0), turned=False) == Map((8, 0))
    assert Choice.of(DIG, Card.MAP).play_at(1, turned=False) is None


def test_choosing_a_card_goes_where_it_can_be_played() -> None:
    selection = Selection().choosing(NES, DIG)
    assert (selection.card, selection.place) == (NES, (3, 0))
    assert selection.chosen_move(DIG) == Lay(way("NSW"), (3, 0))
    at_players = selection.choosing(BREAK, DIG)
    assert at_players.place == 2, "Bruno's lantern is broken already"
    assert at_players.choosing(ROCK, DIG).place == (2, 0)


def test_a_card_is_put_down_when_the_hand_or_the_turn_is_another() -> None:
    selection = Selection(cell=(3, 0), card=NES)
    assert selection.follow(DIG, DIG) == selection
    other = DIG._replace(hand=DIG.hand[1:])
    assert selection.follow(DIG, other).card is None
    played_and_drew_the_same = DIG._replace(table=DIG.table._replace(turn=1))
    assert selection.follow(DIG, played_and_drew_the_same).card is None
    assert selection.follow(played_and_drew_the_same, DIG).card == NES, "who thinks ahead keeps it"
    assert selection.follow(DIG, None) == Selection()
    assert Selection(nuggets=2).follow(DIG._replace(offer=(2, 1)), DIG).nuggets is None


def test_a_player_under_the_cursor_stays_there_while_others_move() -> None:
    players = DIG.table.players
    for seat in range(players):
        assert Selection(seat=seat).follow(DIG, DIG._replace(history=())) == Selection(seat=seat)
    assert Selection(seat=players).follow(DIG, DIG).seat is None, "nobody sits there any more"


VIEW = scenes.view()


def test_places_of_a_card_are_marked_whichever_way_up_it_lies_there() -> None:
    for turned in (False, True):
        selection = replace(Selection().choosing(1, VIEW), turned=turned)
        shown = highlights(VIEW, selection)
        choice = selection.choice(VIEW)
        assert choice is not None
        fits = {cell for cell, mark in shown.marks.items() if mark is CellMark.FITS}
        assert fits == {target.place for target in choice.targets}
        assert len(fits) == 4


def test_a_lay_lights_what_it_joins_and_the_stretch_that_it_connects() -> None:
    shown = highlights(VIEW, Selection().choosing(1, VIEW))
    joined = {cell for cell, mark in shown.marks.items() if mark is CellMark.JOINED}
    assert joined == {(3, 0), (4, -1), (4, 1), (3, -1)}
    opened = {
        cell: shown.labels[cell] for cell, mark in shown.marks.items() if mark is CellMark.OPENED
    }
    assert opened == {(3, -2): "^"}, "at the far end of the stretch"


def test_a_goal_that_a_lay_would_reach_is_lit() -> None:
    view = scenes.view("EW@1/EW@2/NESW@3/NESW@4/NESW@5/NESW@6 ?/?/?", "EW/NES/ew/-L/+PC/R")
    shown = highlights(view, Selection().choosing(0, view))
    assert shown.cursor == (7, 0)
    assert (shown.marks[GOAL_CELLS[1]], shown.labels[GOAL_CELLS[1]]) == (CellMark.OPENED, ">")


def test_where_a_card_does_not_fit_nothing_is_lit_but_places() -> None:
    shown = highlights(VIEW, replace(Selection().choosing(1, VIEW), cell=(0, 0)))
    assert shown.ghost is not None
    assert not shown.ghost[1]
    assert not {CellMark.JOINED, CellMark.OPENED} & {*shown.marks.values()}


def test_without_a_card_or_with_one_to_discard_only_the_cursor_stands_out() -> None:
    for selection in (Selection(), replace(Selection().choosing(1, VIEW), discarding=True)):
        shown = highlights(VIEW, selection)
        assert not shown.marks
        assert shown.ghost is None
        assert shown.cursor is not None
        assert shown.new == (4, -1)
