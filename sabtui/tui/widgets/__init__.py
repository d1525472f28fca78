"""Widgets that screens share.

rows     rows of styled text as values
panel    rows in a fixed area, of which only what changed is repainted
text     pages and logs to scroll
list     a menu of rows
form     rows of a form: choices and text fields
footer   the status line and the keys
"""
