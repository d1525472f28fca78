"""The lobby: the screen of a table before its game.

rows       chairs, log lines and status, from plain values
invitation lines that a host passes on to friends, and a page with all of them
commands   what players and the host can do
requests   form for the settings
phones     page for guests with a browser, with the QR code of its address
screen     the lobby's screen

The host's room decides what is allowed; here the obvious refusals are explained in advance.
"""
