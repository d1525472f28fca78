"""The Textual face: an app, its screens and what they share.

A screen knows commands and, where it shows a seat, what is now. It decides no rule: what can be
done it asks of a view, and every sentence comes from `sabtui.text` or from the screen itself.
"""
