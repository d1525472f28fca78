"""`python -m tools.art`: draws and bakes every picture."""

from tools.art.bake import bake

if __name__ == "__main__":
    bake()
