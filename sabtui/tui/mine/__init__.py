"""The mine as rows of text, from plain values; nothing here is a widget.

tiles     one cell drawn in lines, in ten sizes, and what may lie there
paint     one cell painted in half blocks
cards     one cell as a drawn card, with the cursor and marks over it
window    which cells are visible, how large, and where; signs for cards outside
picture   a view, the chosen card and the cursor as rows
"""
