"""The plain-text interface: lines in, lines out, for screen readers, dumb terminals and scripts.

    commands    what can be typed at a table: a row for each command, and what it does
    console     standard input and output
    json_table  `--json`: a table in lines of JSON
    lobby       the table in lines: seats, settings, what comes next
    rules       the rules, a page at a time
    table       `PlainTable`, a visit to a table

A visit is one object, which prints what happens and does what is typed.
"""
