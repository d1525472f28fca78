"""Tests of `sabtui.tui.screens`."""
