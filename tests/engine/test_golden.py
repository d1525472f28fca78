"""Golden data: how many ways positions go on, and whole games, unchanged in all that seats knew."""

import re
from pathlib import Path

import pytest

from engine.notation import format_position
from tests import perft, playthroughs
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


FILES = sorted(playthroughs.FOLDER.glob("*.txt"))


@pytest.mark.level("broad")
@pytest.mark.rule("K", "T1", "T2", "N1", "N2", "F1")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_game_played_again_tells_every_seat_the_same(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    for was, now in zip(text.split("\n\n"), playthroughs.again(text).split("\n\n"), strict=True):
        assert now == was


@pytest.mark.rule("K")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_until_a_round_ends_no_seats_line_names_what_others_hold(file: Path) -> None:
    """Read as text: a seat's line has one hand and one dwarf more than everybody's, its own."""
    for line in file.read_text(encoding="utf-8").splitlines():
        if found := re.match(r"  (\d+) \S+ \S+ \S+ \S+ (\S+) \S+ (\S+) \d", line):
            seat, hands, dwarves = int(found[1]), found[2].split(","), found[3]
            others = [hand for at, hand in enumerate(hands, 1) if at != seat and hands != ["="]]
            assert all(hand.isdigit() for hand in others)
            if dwarves != "=":
                assert [at for at, dwarf in enumerate(dwarves, 1) if dwarf in "ms"] == [seat]


def test_a_play_through_can_be_begun_anew() -> None:
    first = "argentina, 3 players, 1 rounds, seat 3 begins, seed 1"
    moves = playthroughs.Setting.read(first).bots_moves()
    text = playthroughs.write_playthrough(first, moves)
    assert playthroughs.again(text) == text
    assert text.count(" deal\n") == 1
    assert "GameEnded" in text.split("\n\n")[-1]
