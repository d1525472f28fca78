"""Tests of `sabtui.tui.stage`."""
