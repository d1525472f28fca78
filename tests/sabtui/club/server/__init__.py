"""Tests of the server of a club."""
