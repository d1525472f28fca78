"""Doors: a guest without Sabtui plays on the host's computer, from a terminal or a browser.

guest_screen   a guest's screen, a process of its own on a terminal of its own

A door is a program beside the table's. It imports neither screens nor lines: a guest's screen is
started as a process (`sabtui.cli.guest`), and joins the table over loopback like any client.
"""
