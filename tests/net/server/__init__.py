"""Tests of the host's shell, over real sockets."""
