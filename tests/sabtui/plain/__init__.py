"""Tests of sabtui.plain."""
