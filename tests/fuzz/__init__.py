"""Whatever comes from others, spoilt in every way: only errors of ours may come out.

A module for each family of what is read. `make test` tries this many examples of each property;
`test_soak.py` goes on with all of them for as many minutes as SABTUI_FUZZ_MINUTES says.
"""
