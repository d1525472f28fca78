"""The plain-text interface: lines in, lines out, for screen readers, dumb terminals and scripts.

commands  what can be typed at a table: a row for each command, and what it does
console   standard input and output
hall      a club's hall, from which one comes to its tables and back
lobby     the table in lines: seats, settings, what comes next
replay    a finished game watched again, and a position studied
rules     the rules, a page at a time
table     `PlainTable`, a visit to a table: prints what happens, and does what is typed
"""
