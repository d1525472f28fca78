"""Tests of `sabtui.cli`."""
