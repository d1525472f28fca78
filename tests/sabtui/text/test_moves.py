"""Advice in sentences: for each reason one of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.actions import Break, Map, Repair, Rockfall
from engine.board import GOAL_CELLS
from engine.bots import hints
from engine.bots.talk import GoldAt, StoneAt
from engine.cards import Card, Path, Role, Tool
from engine.moves import Discard, KeepGold, Lay, Move
from sabtui.text.moves import believed_words, hint_words
from sabtui.text.names import PlayerNames

CAST = PlayerNames.of(("Ann", "{seat}", "Cleo"), 0)
WHY: list[tuple[hints.HintReason, str]] = [
    (hints.Reaches((8, -2)), "it reaches the north goal"),
    (hints.Nearer(1, 4), "1 card nearer to the gold, 4 more to go"),
    (hints.Nearer(2, 1), "2 cards nearer to the gold, 1 more to go"),
    (hints.OpensWay(), "it opens another way forward"),
    (hints.LeadsAway(), "it leads the miners away from the gold, but most other moves are worse"),
    (hints.Blocks((3, -1)), "it blocks the tunnel there, but most other moves are worse"),
    (hints.Clears((3, -1)), "it removes the dead end there"),
    (hints.CutsOff((3, 1)), "it cuts the tunnel there"),
    (hints.FreesYou(), "no digging while it is broken"),
    (hints.Frees(1, 0.9), "{seat} can dig again, and is most likely a miner"),
    (hints.Frees(2, 0.2), "Cleo can dig again, but may be a saboteur"),
    (hints.Stops(1, 0.7, most=True), "it stops {seat}, the prime suspect"),
    (hints.Stops(2, 0.7, most=False), "it stops Cleo"),
    (hints.Stops(2, 0.3, most=True), "it stops Cleo"),
    (hints.FindsOut((8, 0), 0.5), "it tells whether the gold lies there"),
    (hints.Sheds(Card.MAP), "the card needed least (map)"),
    (hints.Sheds(Card.NESW), "the card needed least (crossing)"),
    (hints.MostNuggets(), "no card on offer has more nuggets"),
]


TO_SABOTEURS: list[tuple[hints.HintReason, str]] = [
    (hints.LeadsAway(), "it leads the miners away from the gold"),
    (hints.Blocks((3, -1)), "it blocks the tunnel there"),
    (hints.Nearer(1, 4), "it makes you look like a miner"),
    (hints.OpensWay(), "it makes you look like a miner"),
    (hints.Stops(2, 0.3, most=True), "it stops Cleo, most likely a miner"),
    (hints.Stops(2, 0.7, most=True), "it stops Cleo"),
]


@pytest.mark.parametrize(
    ("role", "why", "sentence"),
    [
        *((Role.MINER, *row) for row in WHY),
        *((Role.SABOTEUR, *row) for row in TO_SABOTEURS),
    ],
)
def test_a_hint_says_the_move_and_the_reason(
    role: Role, why: hints.HintReason, sentence: str
) -> None:
    hint = hints.Hint(Discard(Card.MAP), why, None)
    assert hint_words(hint, role, CAST) == f"Pass: {sentence}."


@pytest.mark.parametrize(
    ("move", "typed", "words"),
    [
        (Lay(Path.read("NE"), (3, -1)), "NE@3n1", "Bend at 3 east, 1 north"),
        (Break(Tool.CART, 2), "-C>3", "Break Cleo's cart"),
        (Repair(Card.REPAIR_PICK, 0, Tool.PICK), "+P>1", "Repair your pick"),
        (Rockfall((2, 0)), "R@2", "Rockfall at 2 east"),
        (Map((8, 0)), "M@8", "Look at the middle goal in secret"),
        (Discard(Card.MAP), "xM", "Pass"),
        (KeepGold(2), "$2", "2 nuggets"),
    ],
)
def test_a_hints_move_is_in_words_and_spelt_where_typed(move: Move, typed: str, words: str) -> None:
    hint = hints.Hint(move, hints.MostNuggets(), None)
    told = hint_words(hint, Role.MINER, replace(CAST, spelt=True))
    assert told.startswith(words[:4])
    assert told.endswith(f". Type {typed}.")
    assert " east" not in told, "where moves are typed, a place is as it is typed"
    assert hint_words(hint, Role.MINER, CAST).startswith(f"{words}: ")


def test_a_hint_says_whose_word_it_relies_on() -> None:
    south = GOAL_CELLS[2]
    assert believed_words(hints.Believed(2, StoneAt(south), right=False), CAST) == (
        "Cleo says “south goal is stone”."
    )
    assert believed_words(hints.Believed(1, GoldAt(south), right=True), CAST) == (
        "{seat}, who was right before, says “south goal is gold”."
    )
