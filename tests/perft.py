"""Perft: how many ways a round can go on from a position, counted to some depth.

`tests/data/perft.txt` holds, for each position, how many lines of this many moves there are, all
cards being known and drawn in their order. A change of any rule of moves changes them, and so
does nothing else. Where a round ends before that depth its line counts no more.

    .venv/bin/python -m tests.perft      count again, and write the file

Do that only after a rule was changed on purpose, and look at every count that came out different.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.edition import Edition
from engine.notation import parse_position
from engine.round import Round

FILE = Path(__file__).parent / "data" / "perft.txt"


@dataclass(frozen=True)
class Counted:
    """A position, the edition it is played in, and the counts for depth 1, 2, 3..."""

    line: int
    position: str
    edition: str
    counts: tuple[int, ...]

    @property
    def round(self) -> Round:
        """The round at that position."""
        return parse_position(self.position, Edition.read(self.edition)).round()


def perft(played: Round, depth: int) -> int:
    """How many lines of this many moves lead on from here."""
    if depth == 0:
        return 1
    moves = played.legal_moves()
    if depth == 1:
        return len(moves)
    return sum(perft(played.apply(move)[0], depth - 1) for move in moves)


def read_counts(text: str) -> Iterator[Counted]:
    """Read the file: a position a line, and below it an edition with its counts a line."""
    position = ""
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        if line.startswith(" "):
            edition, *counts = line.split()
            yield Counted(number, position, edition, tuple(map(int, counts)))
        else:
            position = line


def recount(text: str) -> str:
    """The same file with every count made again, to the depth it had."""
    lines = text.splitlines()
    for entry in read_counts(text):
        played = entry.round
        counts = (str(perft(played, depth)) for depth in range(1, len(entry.counts) + 1))
        lines[entry.line - 1] = f"  {entry.edition:<14} {' '.join(counts)}"
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FILE.write_text(recount(FILE.read_text(encoding="utf-8")), encoding="utf-8")
