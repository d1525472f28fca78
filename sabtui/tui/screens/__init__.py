"""Screens outside a table, and what those at a table have in common.

welcome, living  the first screen; the mine that digs itself on it
join, host       the ways to a table
podium           who has won an evening
pages            pages of text, help among them
settings         the player's preferences
rules            the rules, page by page
bases            screens that others derive from: with a session, with a form
"""
