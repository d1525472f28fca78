"""Planted faults: do the tests still catch them?

    make mutants               try every fault of faults.toml
    make mutants FAULTS='K P3' try those whose names begin so

Each fault exchanges a short piece of one file, in a copy of this repository, and the tests named
with it must then fail. One that they pass has survived; one whose piece is no longer there, or is
there more than once, is stale. Either is an error. A test that hangs is stopped, and has caught it.
"""
