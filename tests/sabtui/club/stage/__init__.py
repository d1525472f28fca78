"""Tests of `sabtui.club.stage`."""
