"""The lobby: the screen of a table before its game.

invitation lines that a host passes on to friends, and pages with all of it
commands  commands of the lobby, and the invitation that a host passes on
rows      chairs and dwarves, watchers, log lines, the status line
screen    the lobby's screen

The host's room decides what is allowed; here the obvious refusals are explained in advance.
"""
