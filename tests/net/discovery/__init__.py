"""Tests of net.discovery: the parts without sockets, then the shells on loopback."""
