"""The table: one screen for a running game.

model       what the player looks at: window onto the mine, pane, notes (`TableModel`)
selection   the chosen card, the cursor, and what a card can do (`Selection`, `Choice`)
layout      room for each part, for any size of terminal
header, players, hand, results, log, claims   parts as rows of text, from plain values
render      which part shows what at which stage
status      the sentence under the hand: what Enter does, or why it does nothing
actions, host_actions, assist   what players and the host can do; hints and autopilot
commands    the commands with their keys
screen      widgets; keys and clicks turned into actions

Nothing here decides a rule of the game: legal moves and reasons come from the view.
"""

from sabtui.tui.table.screen import TableScreen

__all__ = [
    "TableScreen",
]
