"""Tests of trust between two ends of a connection."""
