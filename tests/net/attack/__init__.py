"""Attacks on a host with a game going on at it: the game must not notice."""
