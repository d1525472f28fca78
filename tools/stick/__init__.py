"""A folder for laptops without internet: every wheel that Sabtui needs, and how to install them.

`python -m tools.stick FOLDER [PLATFORM...]`. Without a platform it is for all of `PLATFORMS`; for
`here` it is for this machine and this Python alone, which is quick. What is fetched comes from
where pip is told to look, and nothing in the folder says where that was.
"""
