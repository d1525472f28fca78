"""Cards and ways to lie, as values (RULES S3, S4)."""

import copy
import pickle
from typing import cast

import pytest

from engine import rules
from engine.cards import (
    BREAK,
    CARDS,
    DECK,
    GOALS,
    PATH_CARDS,
    PATHS,
    Card,
    CardKind,
    E,
    Goal,
    N,
    Path,
    S,
    Tool,
    W,
    in_order,
    opposite,
)
from engine.mistakes import NotationError
from tests.engine.cases import round_at


@pytest.mark.rule("S3")
def test_there_are_26_ways_to_lie_each_spelt_and_read_back() -> None:
    assert len({path.text for path in PATHS}) == len(PATHS) == 26
    for path in PATHS:
        assert Path.read(path.text) is path
        assert Path.of(path.edges, through=path.through) is path
        assert PATHS[path.index] is path
        assert f"{path} {path!r}" == f"{path.text} <Path {path.text}>"


def test_a_way_to_lie_stays_one_object_when_it_is_copied_or_sent() -> None:
    for path in PATHS:
        assert pickle.loads(pickle.dumps(path)) is path  # noqa: S301 - its own pickle
        assert copy.deepcopy(path) is path


@pytest.mark.parametrize("text", ["", "N", "NN", "WE", "Ne", "NESWN", "x"])
def test_no_card_lies_like_that(text: str) -> None:
    for kind in (Path, Card):
        with pytest.raises(NotationError, match="is written"):
            kind.read(text)
        with pytest.raises(TypeError, match="None is no text"):
            kind.read(cast("str", None))


@pytest.mark.rule("S3", "P1")
def test_a_half_turn_exchanges_opposite_edges() -> None:
    assert [opposite(side) for side in (N, E, S, W)] == [S, W, N, E]
    for edges in range(16):
        assert opposite(opposite(edges)) == edges
    for path in PATHS:
        turned = Path.of(opposite(path.edges), through=path.through)
        assert turned.card is path.card
        assert {path, turned} == set(path.card.ways)


def test_cards_are_spelt_and_read_back_and_come_in_the_order_of_the_rules() -> None:
    for index, card in enumerate(CARDS):
        assert Card.read(card.text) is card
        assert card.index == index
        assert f"{card} {card!r}" == f"{card.text} <Card {card.text}>"
        assert pickle.loads(pickle.dumps(card)) is card  # noqa: S301 - its own pickle
    assert in_order(reversed(DECK)) == DECK


@pytest.mark.rule("S4")
def test_action_cards_tell_their_tools() -> None:
    assert {tool: card.text for tool, card in BREAK.items()} == {
        Tool.PICK: "-P",
        Tool.LANTERN: "-L",
        Tool.CART: "-C",
    }
    repairs = {card.text: "".join(card.repairs) for card in CARDS if card.repairs}
    assert repairs == {text: text[1:] for text in ("+P", "+L", "+C", "+PL", "+PC", "+LC")}
    assert not any(card.breaks or card.repairs for card in CARDS if card.ways)


@pytest.mark.rule("S3", "S4")
def test_every_card_has_the_kind_that_its_text_says() -> None:
    kinds = {
        "EW": CardKind.THROUGH,
        "nesw": CardKind.DEAD_END,
        "-L": CardKind.BREAK,
        "+PC": CardKind.REPAIR,
        "R": CardKind.ROCKFALL,
        "M": CardKind.MAP,
    }
    assert {text: Card.read(text).kind for text in kinds} == kinds
    assert {card.kind for card in CARDS} == set(CardKind)
    assert CARDS[: len(PATH_CARDS)] == PATH_CARDS


@pytest.mark.rule("P2", "A1", "A2", "A3", "A4", "A5")
def test_every_card_can_be_played_somewhere() -> None:
    table = round_at("NESW@1 (NE)/(NESW)/(NW) 1 -,PLC,- NS,NS,NS M mms+m").table
    assert [card for card in CARDS if not rules.plays(table, 0, (card,))] == []


@pytest.mark.rule("S3", "G3")
def test_a_goal_is_told_by_how_it_lies() -> None:
    for goal in GOALS:
        assert all(Goal.lying(way) is goal for way in goal.ways)
        assert repr(goal) == f"<Goal {goal.text}>"
    for text in ("NS", "ne", "nesw"):
        with pytest.raises(KeyError):
            Goal.lying(Path.read(text))
