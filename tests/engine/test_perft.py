"""How many ways each position of `tests/data/perft.txt` can go on, and that there are no others."""

from copy import deepcopy

import pytest

from engine.board import START
from engine.cards import Tool
from engine.dealing import deal
from engine.notation import format_position
from engine.round import Round
from tests import perft
from tests.oracle.round import OracleRound
from tests.samples import first

pytestmark = pytest.mark.level("broad")

COUNTED = list(perft.read_counts(perft.FILE.read_text(encoding="utf-8")))
SOON_COUNTED = 3000
"""Moves that an entry may take to be counted in every run."""

FEW = [entry for entry in COUNTED if sum(entry.counts[:-1]) < SOON_COUNTED]
MANY = [entry for entry in COUNTED if entry not in FEW]


@pytest.mark.rule("P1", "P2", "P3", "A1", "A2", "A3", "A4", "A5", "T1", "T4", "T5", "R3")
@pytest.mark.parametrize(
    "entry",
    first(len(FEW), FEW + MANY, thorough=len(COUNTED)),
    ids=lambda entry: f"line {entry.line} {entry.edition}",
)
def test_as_many_lines_lead_on_as_were_counted(entry: perft.Counted) -> None:
    counts = tuple(perft.perft(entry.round, depth + 1) for depth in range(len(entry.counts)))
    assert counts == entry.counts, f"{entry.edition}: {entry.position}"


def test_the_positions_are_written_as_the_notation_has_them() -> None:
    for entry in COUNTED:
        assert format_position(entry.round) == entry.position


def test_counting_anew_changes_nothing() -> None:
    text = perft.FILE.read_text(encoding="utf-8")
    some = text.split("\n\n")[-1]
    assert perft.recount(some) == some


def oracle_at(played: Round) -> OracleRound:
    """The oracle's round at the same position."""
    table = played.table
    assert table.turn is not None
    oracle = OracleRound(deal(bytes(32), 1, table.players), table.edition, table.turn)
    oracle.goals = [goal.text for goal in played.goals]
    oracle.hands = [[card.text for card in hand] for hand in played.hands]
    oracle.pile = [card.text for card in played.pile]
    oracle.cards = {cell: path.text for cell, path in table.board.cards.items()}
    hidden = zip(((8, -2), (8, 0), (8, 2)), oracle.goals, strict=True)
    oracle.hidden = {cell: face for cell, face in hidden if cell not in oracle.cards}
    oracle.broken = [{tool.value for tool in Tool.within(bits)} for bits in table.broken]
    assert oracle.cards[START] == "NESW"
    return oracle


def oracle_perft(oracle: OracleRound, depth: int) -> int:
    """Perft, as the oracle has it."""
    if depth == 0:
        return 1
    total = 0
    for move in oracle.legal_moves():
        after = deepcopy(oracle)
        after.play(move)
        total += oracle_perft(after, depth - 1)
    return total


@pytest.mark.level("thorough")  # of the oracle, which plays whole games in each run
@pytest.mark.parametrize(
    "entry", COUNTED, ids=[f"line {entry.line} {entry.edition}" for entry in COUNTED]
)
def test_the_oracle_counts_the_same(entry: perft.Counted) -> None:
    for depth, count in enumerate(entry.counts, 1):
        if count < 200:
            assert oracle_perft(oracle_at(entry.round), depth) == count, entry.position
