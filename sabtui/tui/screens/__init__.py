"""Screens outside of a table, one each."""
