"""Tests of `net.journal`."""
