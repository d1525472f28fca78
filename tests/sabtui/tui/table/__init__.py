"""Tests of `sabtui.tui.table`."""
