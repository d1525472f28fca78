"""Tests of `net.takeover`."""
