"""A LAN of laptops in network namespaces, and tests of what only a network can show.

`lan.sh` builds it, `lan.py` drives it from a test, `programs.py` has programs for its
laptops. Linux only, and required wherever `unshare -Urn true` works.
"""
