"""Tests of `net.secure`."""
