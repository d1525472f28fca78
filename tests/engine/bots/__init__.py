"""Bots, whole and in parts."""
