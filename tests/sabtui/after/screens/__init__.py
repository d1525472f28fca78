"""Tests of `sabtui.after.screens`."""
