"""The lobby: the screen of a table before its game.

rows       chairs, log lines and status, from plain values
company    the dwarves of those who sit
invitation lines that a host passes on to friends, and pages with all of it
commands   what players and the host can do
screen     the lobby's screen

The host's room decides what is allowed; here the obvious refusals are explained in advance.
"""
