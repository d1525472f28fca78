"""Tests of the review of games."""
