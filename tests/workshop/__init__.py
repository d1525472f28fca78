"""Hosts, guests and new hosts that cheat, each by a program that really does it.

`deviations.toml` lists what is tried and what comes of it; each row names its test. The honest
programs are whole sessions, and all they hear comes over real connections.
"""
