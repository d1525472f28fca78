"""The lobby: the screen of a table before its game.

invitation  what a host passes on to friends: code, address, lines for doors
rows        chairs and dwarves, watchers, log lines, the status line
screen      the lobby's screen, and its commands

The host's room decides what is allowed; here the obvious refusals are explained in advance.
"""
