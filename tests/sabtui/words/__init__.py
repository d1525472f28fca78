"""Tests of sabtui.words."""
