"""Tests of `sabtui.tui.widgets`."""
