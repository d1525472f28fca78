"""Screens outside a table, and what those at a table have in common.

welcome, living  the first screen; its mine that digs itself
join, host       the ways to a table
podium           the winners of an evening
pages            pages of text, help among them
settings         the player's preferences
rules            the rules, page by page
bases            screens that others derive from: with a session, with a form
"""
