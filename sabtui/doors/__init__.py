"""Doors: a guest without Sabtui plays on the host's computer, from a terminal or a browser.

guest_screen   a guest's screen, a process of its own on a terminal of its own
guests         who comes back to which seat
table_link     what a door may ask its table
ssh_door       the program of the SSH door; ssh_server is its server, which needs asyncssh

A door is a program beside the table's, started by it. It imports neither screens nor lines: a
guest's screen is started as a process (`sabtui.cli.guest`), and joins the table over loopback like
any client.
"""
