"""Widgets and rows of text shared by the screens."""
