"""The stage: screens for a projector, which need nobody at the keyboard.

place       what it shows, how that is found, and the code that lets people in
director    which table is shown, and for how long; connections that are lost or over are replaced
table       a table as everybody may see it; the last move, or who is thinking, in large letters
hall        what is shown between games: tables, people, and how to join

A stage watches. It never has a seat, so it holds no hand and no role.
"""
