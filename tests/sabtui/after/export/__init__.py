"""Tests of what is exported of a game."""
