"""A club: a hall from which people come to its tables, its nights, and the stage for a projector.

lines    the hall in lines of text
program  the program that runs a club, and what it says in its terminal
room     what this room adds to the core: commands, the visit of a place with a hall, the stage
screens  the hall on a screen, and the page of a night
stage    what a room full of people sees of a club or table, in which order, and on which screens
text     sentences, standings of a night, and their files
visit    a player's way around a club
"""
