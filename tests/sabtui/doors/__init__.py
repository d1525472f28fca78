"""Tests of `sabtui.doors`: real screens on real terminals, at a table in this process."""
