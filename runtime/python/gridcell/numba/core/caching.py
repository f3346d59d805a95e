# SPDX-License-Identifier: MIT
"""cache=True: in which folders a function's machine code is kept, and what came of it.

What is kept there is found by its content (see compiler/backends/cpu/code_cache.c), so that nothing
here needs to know when a file is out of date.
"""
import os
from collections import Counter

from gridcell.warning import warn
from numba.core import config
from numba.core.errors import NumbaWarning

_warned = set()  # failures that the user was told of


def home():
    """The folder of the user's caches; None: the user wants none, or there is no place."""
    chosen = os.environ.get("GRIDCELL_CACHE_DIR")
    if chosen is not None:
        return chosen or None
    cache = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(cache):
        return os.path.join(cache, "gridcell")
    user = os.environ.get("HOME")
    return os.path.join(user, ".cache", "gridcell") if user else None


def _is_source_file(path):
    """Whether the path is a file of the user's, not a cell or text without a file."""
    return os.path.isfile(path) \
        and not os.path.basename(os.path.dirname(path)).startswith("ipykernel_")


def folders(function):
    """Where code of the function is looked for; the first that can be written gets new code.

    NUMBA_CACHE_DIR, else __pycache__ beside the source; then the user's own cache folder.
    """
    own = home()
    if own is None:
        return ()
    own = os.path.join(own, "code")
    if config.CACHE_DIR:
        return os.path.abspath(config.CACHE_DIR), own
    path = os.path.abspath(function.__code__.co_filename)
    if _is_source_file(path):
        return os.path.join(os.path.dirname(path), "__pycache__"), own
    return own,


def wants_all():
    """Whether all functions are to be cached: GRIDCELL_CACHE=all."""
    return os.environ.get("GRIDCELL_CACHE") == "all"


class Cache:
    """The places of one function's code, and how often they were of use."""

    def __init__(self, function):
        self.folders = folders(function)
        self.hits, self.misses = Counter(), Counter()
        stem = os.path.splitext(os.path.basename(function.__code__.co_filename))[0]
        if self.folders and self.folders[0].endswith("code") and len(self.folders) == 1:
            stem = "cell"  # cells have a file name for each process
        self.name = function.__qualname__
        self.label = f"{stem}.{function.__qualname__.replace('<locals>.', '')}"

    @property
    def path(self):
        return self.folders[0] if self.folders else None

    def note(self, args, is_hit, file, failure):
        """Called for each compilation."""
        (self.hits if is_hit else self.misses)[args] += 1
        if config.DEBUG_CACHE and file:
            print(f"[cache] data {'loaded from' if is_hit else 'saved to'} {file!r}")
        if failure and failure not in _warned:
            _warned.add(failure)
            warn(f"Cannot cache compiled function {self.name!r}: {failure}. It is compiled again "
                 "in each process.", NumbaWarning, "numba.core.caching")


def _keep(dispatcher, cache):
    dispatcher._cache = cache
    dispatcher._cache_in(cache.label, cache.folders, cache.note)


def attach(dispatcher):
    """Have a dispatcher keep its code on disk."""
    _keep(dispatcher, Cache(dispatcher.py_func))


def share(dispatcher, owner):
    """Have a dispatcher of generated code do as the one of the user's function does."""
    cache = getattr(owner, "_cache", None)
    if cache is not None:
        _keep(dispatcher, cache)


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
