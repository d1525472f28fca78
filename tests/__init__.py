"""The tests: a folder for each package, and test_house.py for the project itself."""
