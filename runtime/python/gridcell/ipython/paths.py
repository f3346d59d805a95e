"""Lets a stand-in package fall through to the installed one for what it does not provide."""
import os
import sys


def extend_path(path, name):
    """`path`, then the folders of that name along sys.path."""
    found = list(path)
    parts = name.split(".")
    for folder in sys.path:
        candidate = os.path.join(folder, *parts)
        if candidate not in found and os.path.isfile(os.path.join(candidate, "__init__.py")):
            found.append(candidate)
    return found
