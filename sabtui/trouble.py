"""What a player's wish can come to grief on: one sentence that says what to do."""

from __future__ import annotations


class Trouble(Exception):
    """A wish cannot be fulfilled; its text is the sentence for the player, in their language."""
