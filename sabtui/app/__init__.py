"""Services that every interface uses; nothing here draws or reads keys.

    autopilot       a bot that plays a person's seat
    credentials     choosing the credentials for joining or rejoining a table
    errors          `UserError`, and one-line complaints on standard error
    launcher        starting a table in a process of its own
    locate          finding a table by name, by address, or on the network
    names           default bot level, and the user's login name
    paths           the log file, and keeping logs off the terminal
    preferences     the player's settings file
    records         saving, listing and showing records of games
    requests        hosting, joining and practising as values
    screen_support  detection of terminals without full-screen mode
    table_process   the program that runs a table
    tables          opening, joining and resuming tables

Rules of the game are in `engine`, tables and connections in `net`.
"""
