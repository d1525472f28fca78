"""Tests of sabtui.table."""
