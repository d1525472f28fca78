"""The plain-text interface: lines in, lines out, for screen readers, dumb terminals and scripts.

    commands    what can be typed at a table: a row for each command; `PlainTable` runs them
    console     standard input and output
    json_table  `--json`: a table in lines of JSON
    overview    the table in lines: seats, settings, what comes next
    rules_pager the rules, a page at a time
    table       a visit to a table: events are printed, and typed lines wait for their turn

A visit is one object, which prints what happens and runs what is typed.
"""
