"""Tests of `sabtui.after`."""
