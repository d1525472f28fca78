"""The table: the game on one screen.

choice    what a card can do, and what is wished for at a place
desk      what the player is about to do: card, cursor, what was asked
seen      what the player looks at, and how
layout    how much room each part has
header, seats, hand, gold, endings, claims, log, known    parts as rows, from plain values
drawing   which part shows what at which stage
advice    what a bot would do, laid ready to be done or not
hint      the one sentence that says what Enter would do, or why it cannot be
showing   the widgets, and what came from the host
screen    what keys and clicks do; commands, can, powers    what can be asked, and why not now
"""

from sabtui.tui.table.screen import TableScreen

__all__ = [
    "TableScreen",
]
