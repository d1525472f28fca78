"""Mutation tests with planted faults: check that the tests still catch each of them.

    python -m tools.mutants         try every fault of faults.toml
    python -m tools.mutants K P3    try those whose names begin with one of these

Each fault replaces a short piece of one file, in a copy of this repository, and the tests named
with it must then fail. A fault that they pass has survived. A fault whose piece is missing from the
file, or is there more than once, is stale. Both are errors. A test that hangs is stopped, and
counts as having caught the fault.
"""
