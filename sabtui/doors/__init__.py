"""Doors: a guest without Sabtui plays on the host's computer, from a terminal or a browser.

room           the additions of this room to the core: a door of each kind
program        the program of a door
table_link     what a door may ask its table
limits         how many screens and strangers both doors take at once, and for how long
guests         guests who come back to their seats
guest_screen   a guest's screen, a process of its own on a terminal of its own, or for a page in
               lines of JSON, which runs guest_program; confinement keeps it off the host's computer
fork_server    on Linux, the process from which screens are forked, which runs fork_program
padding        what screens draw, in pieces whose length says little
ssh_door       the SSH door, which lets guests in; ssh_session has their screens, and
               ssh_connection bounds what a client can store here
web_door       the browser door: web_server serves web_page and has the screens (web_screens),
               web_login lets guests in over a sealed web_channel; web_file is what it gives to
               those who would rather play on their own computer

A door is a program beside the table's, started by it. It loads neither screens nor lines: a
guest's screen is a process of its own (`guest_program`), on Linux forked from one that has loaded
all (`fork_program`), and joins the table over loopback like any client. Only modules that begin
with `ssh` or `web` need asyncssh or websockets.
"""
