"""Tests of `sabtui.tui.mine`."""
