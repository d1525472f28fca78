"""Tests of the pictures of cards, as each terminal is sent them."""
