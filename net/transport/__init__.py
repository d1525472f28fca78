"""Frames over TLS over TCP: the listener, who is let in, and at what rate."""
