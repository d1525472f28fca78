"""Tests of `sabtui.app`."""
