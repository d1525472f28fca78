"""Tests of `sabtui.club`."""
