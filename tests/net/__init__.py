"""The wire, tested."""
