"""The lobby: who is at a table before a game, how others come, what the host decides.

invitation  the code, the address and the line for a friend far away
chairs      who sits where, a row each
terms       what the table agrees upon, for the host to change
screen      all of it, over a seat
"""

from sabtui.tui.lobby.screen import LobbyScreen

__all__ = [
    "LobbyScreen",
]
