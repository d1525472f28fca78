"""Tests of `net.protocol`."""
