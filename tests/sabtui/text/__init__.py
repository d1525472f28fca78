"""Tests of sabtui.text."""
