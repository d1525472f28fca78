"""Benchmarks: figures that are printed, and never asserted in tests.

Each module has a `main()` that prints its figures. `python -m benchmarks` runs them all, and
`python -m benchmarks NAME` the ones named.
"""
