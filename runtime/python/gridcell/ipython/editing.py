"""%edit: code goes to a file and the front end is asked to open it."""
import inspect
import os
import tempfile

import _gridcell_kernel as kernel
from IPython.core.error import UsageError
from gridcell.ipython import sources

_last = {}


def _new_file(text):
    folder = tempfile.mkdtemp(prefix="ipython_edit_")
    handle, path = tempfile.mkstemp(prefix="ipython_edit_", suffix=".py", dir=folder)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    print("IPython will make a temporary file named:", path)
    return path


def _place_of(value):
    """File and line of a function, class or module; None when it was typed in a cell."""
    try:
        path = inspect.getsourcefile(value)
        _, number = inspect.getsourcelines(value)
    except (TypeError, OSError):
        return None
    return (path, number) if path and os.path.isfile(path) else None


def _target(words, raw):
    name = " ".join(words)
    path = os.path.expanduser(name)
    for candidate in (path, path + ".py"):
        if os.path.isfile(candidate):
            return candidate, None
    value = kernel.state("user_ns").get(name)
    if value is not None and not isinstance(value, (str, sources.Macro)):
        place = _place_of(value)
        if place:
            return place
        return _new_file(sources.find_code(name, search_ns=True)), None
    try:
        return _new_file(sources.find_code(name, raw=raw)), None
    except (ValueError, TypeError):
        if path.endswith(".py"):
            with open(path, "x", encoding="utf-8"):
                pass
            return path, None
        raise


def edit(line):
    """Asks the front end for its editor; the file is run by %run -i afterwards."""
    words, number = line.split(), None
    options = set()
    while words and words[0].startswith("-") and len(words[0]) > 1:
        word = words.pop(0)
        if word == "-n" and words:
            number = int(words.pop(0))
        elif set(word[1:]) <= set("pr"):
            options |= set(word[1:])
        else:
            raise UsageError(f'option {word} not recognized (allowed: "prn:")')
    if "p" in options and _last:
        path, found = _last["place"]
    elif words:
        try:
            path, found = _target(words, "r" in options)
        except (ValueError, TypeError) as error:
            print(error.args[0])
            return
    else:
        path, found = _new_file(""), None
    _last["place"] = path, found
    kernel.add_payload({"source": "edit_magic", "filename": os.path.abspath(path),
                        "line_number": number if number is not None else found})
    print(f"A front end with an editor opens it; run it with: %run -i {path}")
