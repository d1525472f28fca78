"""Widgets that screens share.

rows     rows of styled text as values
panel    rows in a fixed area, of which only what changed is repainted
text     pages and logs to scroll
list     a menu of rows
table    a table of rows, with columns
form     boxes with the rows of a form: text fields, lists, switches
footer   the status line and the keys
"""
