"""The bots' parts, each by itself; whole bots are in tests/engine/test_bots.py."""
