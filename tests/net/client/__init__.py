"""A player's end of a table."""
