"""Folders visited, the stack of %pushd, and bookmarks."""
import os

import _gridcell_kernel as kernel
from IPython.core.error import UsageError

_stack = []


def _cd(folder):
    kernel.get_ipython().run_line_magic("cd", f'"{folder}"')


def _short(folder):
    home = os.path.expanduser("~")
    return folder.replace(home, "~", 1) if folder.startswith(home + os.sep) else folder


def dhist(line):
    """Prints the folders that %cd went through."""
    visited = kernel.state("directories")
    numbers = line.split()
    if len(numbers) > 2:
        raise UsageError("%dhist takes at most two numbers")
    try:
        numbers = [int(text) for text in numbers]
    except ValueError:
        raise UsageError("%dhist takes numbers") from None
    start, stop = 0, len(visited)
    if len(numbers) == 1:
        start = max(stop - numbers[0], 0)
    elif len(numbers) == 2:
        start, stop = numbers[0], min(numbers[1] + 1, stop)
    print("Directory history (kept in _dh)")
    for index in range(start, stop):
        print(f"{index}: {visited[index]}")


def dirs(line):
    return _stack


def pushd(line):
    """Changes the folder, and remembers this one."""
    here = os.getcwd()
    _cd(os.path.expanduser(line.strip().strip("'\"")))
    _stack.insert(0, _short(here))
    return dirs("")


def popd(line):
    if not _stack:
        raise UsageError("%popd on empty stack")
    top = _stack.pop(0)
    _cd(os.path.expanduser(top))
    print("popd ->", top)


# ---- bookmarks

def _bookmarks():
    from gridcell.ipython.storing import database
    return database().get("bookmarks", {})


def _keep(marks):
    from gridcell.ipython.storing import database
    database()["bookmarks"] = marks


def bookmarked(name, must_exist):
    """The folder of a bookmark, said aloud; None when there is no such bookmark."""
    marks = _bookmarks()
    if name in marks:
        print(f"(bookmark:{name}) -> {marks[name]}")
        return marks[name]
    if must_exist:
        raise UsageError(f"Bookmark '{name}' not found.  Use '%bookmark -l' to see your bookmarks.")
    return None


def matching(pattern):
    """The folder last visited whose path holds the pattern; None: there is none."""
    import re
    for folder in reversed(kernel.state("directories")):
        if re.search(pattern, folder):
            return folder
    return None


def bookmark(line):
    """Names folders across sessions."""
    options, words = [], line.split()
    while words and words[0].startswith("-"):
        options += words.pop(0)[1:]
    marks = _bookmarks()
    if len(options) > 1 or set(options) - set("drl"):
        raise UsageError("%bookmark: incompatible options -" + "".join(options))
    if "d" in options:
        if not words:
            raise UsageError("%bookmark -d: must provide a bookmark to delete")
        if marks.pop(words[0], None) is None:
            raise UsageError(f"%bookmark -d: Can't delete bookmark '{words[0]}'")
    elif "r" in options:
        marks = {}
    elif "l" in options:
        width = max(map(len, marks), default=0)
        print("Current bookmarks:")
        for name in sorted(marks):
            print(f"{name:<{width}} -> {marks[name]}")
        return
    elif not words:
        raise UsageError("%bookmark: You must specify the bookmark name")
    elif len(words) > 2:
        raise UsageError("%bookmark: too many arguments")
    else:
        marks[words[0]] = os.path.expanduser(words[1]) if len(words) == 2 else os.getcwd()
    _keep(marks)
