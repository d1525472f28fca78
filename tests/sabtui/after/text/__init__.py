"""Tests of `sabtui.after.text`."""
