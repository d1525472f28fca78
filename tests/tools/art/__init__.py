"""Tests of the pictures' sources."""
