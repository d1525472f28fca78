"""What is measured, and never asserted in tests.

Each module here has a `main()` that prints its figures; `python -m benchmarks` runs them all, and
`python -m benchmarks NAME` the ones named.
"""
