"""Tests of the Textual face."""
