"""Widgets that screens share.

panel   rows of styled text, of which only what changed is drawn
menu    lists to choose a row from
table   tables to choose a row from
text    pages and logs to scroll
form    boxes with the rows of a form: text fields, lists, switches
footer  the status line and the keys
box     lines that lie over a screen until the next key
"""
