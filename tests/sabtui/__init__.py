"""Tests of sabtui."""
