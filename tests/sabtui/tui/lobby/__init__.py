"""Tests of `sabtui.tui.lobby`."""
