"""Screens other than lobby, table and rules, one per module; `pending` and `session` are bases."""
