"""The mine as rows of text, from plain values; nothing here is a widget.

tiles       a cell as rows of text, and the window onto the mine
card_tiles  a cell as a drawn card, or painted in blocks
picture     a view, the chosen card and the cursor as rows
"""
