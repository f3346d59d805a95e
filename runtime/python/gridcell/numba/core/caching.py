# SPDX-License-Identifier: MIT
"""cache=True: in which folders a function's machine code is kept, and what came of it.

What is kept there is found by its content (see compiler/backends/cpu/code_cache.c), so that nothing
here needs to know when a file is out of date.
"""
import itertools
import os
import sys
import weakref
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
    chosen = CacheImpl.folder_of(function)
    if chosen is not None:
        return chosen, own
    if config.CACHE_DIR:
        return os.path.abspath(config.CACHE_DIR), own
    path = os.path.abspath(function.__code__.co_filename)
    if _is_source_file(path):
        return os.path.join(os.path.dirname(path), "__pycache__"), own
    return own,


def wants_all():
    """Whether all functions are to be cached: GRIDCELL_CACHE=all."""
    return os.environ.get("GRIDCELL_CACHE") == "all"


class _CacheLocator:
    """Base of classes that say where code of functions is kept: from_function(function, file) gives one that knows, or
    None; get_cache_path() is the folder. What is kept there is found by its content, whatever the others say."""

    def ensure_cache_path(self):
        """Makes the folder."""
        os.makedirs(self.get_cache_path(), exist_ok=True)

    def get_cache_path(self):
        """The folder."""
        raise NotImplementedError

    def get_source_stamp(self):
        """What changes with the source."""
        raise NotImplementedError

    def get_disambiguator(self):
        """What tells apart functions of one name."""
        raise NotImplementedError

    @classmethod
    def from_function(cls, py_func, py_file):
        """A locator for the function, or None."""
        raise NotImplementedError

    @classmethod
    def get_suitable_cache_subpath(cls, py_file):
        """The name of a folder for what a file has: its own folder's, and what tells folders of that name apart."""
        import hashlib
        path = os.path.dirname(os.path.abspath(py_file))
        return f"{os.path.basename(path)}_{hashlib.sha1(path.encode()).hexdigest()}"


class CacheImpl:
    """Where code is kept: programs put classes below _CacheLocator into `_locator_classes`."""

    _locator_classes = []

    def __init__(self, py_func):
        found = (locator_class.from_function(py_func, py_func.__code__.co_filename)
                 for locator_class in (*self._locator_classes, *_known_locators()))
        self._locator = next(filter(None, found), None)
        if self._locator is None:
            raise RuntimeError(f"cannot cache function {py_func.__qualname__!r}: no locator available for file "
                               f"{py_func.__code__.co_filename!r}")
        stem = os.path.splitext(os.path.basename(py_func.__code__.co_filename))[0]
        self._filename_base = self.get_filename_base(f"{stem}.{py_func.__qualname__}", getattr(sys, "abiflags", ""))

    def get_filename_base(self, fullname, abiflags):
        """What names of files of a function begin with."""
        name = fullname.rpartition(".")[2] if len(fullname) > 60 else fullname
        version = f"py{sys.version_info[0]}{sys.version_info[1]}{abiflags}"
        return f"{name.replace('<', '').replace('>', '')}-{self._locator.get_disambiguator()}.{version}"

    filename_base = property(lambda self: self._filename_base, doc="What names of the function's files begin with.")
    locator = property(lambda self: self._locator, doc="What says where they are.")

    @classmethod
    def folder_of(cls, function):
        """The folder that the first locator says which knows the function; None: none does."""
        named = _known_locators() if config.CACHE_LOCATOR_CLASSES else ()
        for locator_class in (*cls._locator_classes, *named):
            locator = locator_class.from_function(function, function.__code__.co_filename)
            if locator is not None:
                locator.ensure_cache_path()
                return os.fspath(locator.get_cache_path())
        return None


def _known_locators():
    from numba.core import cache_locators as known
    if config.CACHE_LOCATOR_CLASSES:
        return [_locator_of(name.strip()) for name in config.CACHE_LOCATOR_CLASSES.split(",")]
    return known.UserProvidedCacheLocator, known.InTreeCacheLocator, known.UserWideCacheLocator, known.IPythonCacheLocator


def _locator_of(name):
    """The class of locators that NUMBA_CACHE_LOCATOR_CLASSES names: one of numba's, or package.module.Class."""
    import importlib
    from numba.core import cache_locators
    module, _, plain = name.rpartition(".")
    try:
        found = getattr(importlib.import_module(module) if module else cache_locators, plain)
    except (AttributeError, ImportError) as error:
        raise RuntimeError(f"NUMBA_CACHE_LOCATOR_CLASSES names {name!r}, which is no class of locators: {error}") from None
    if not (isinstance(found, type) and issubclass(found, _CacheLocator)):
        raise RuntimeError(f"NUMBA_CACHE_LOCATOR_CLASSES names {name!r}, which does not derive from _CacheLocator")
    return found


class Cache:
    """The places of one function's code, and how often they were of use."""

    def __init__(self, function):
        self._dispatchers = weakref.WeakSet()  # whose cache it is
        self.is_enabled, self._function = True, function
        self.folders = folders(function)
        self.hits, self.misses = Counter(), Counter()
        stem = os.path.splitext(os.path.basename(function.__code__.co_filename))[0]
        if self.folders and self.folders[0].endswith("code") and len(self.folders) == 1:
            stem = "cell"  # cells have a file name for each process
        self.name = function.__qualname__
        self.label = f"{stem}.{function.__qualname__.replace('<locals>.', '')}"

    def __repr__(self):
        return f"<{type(self).__name__} of {self.name}>"

    @property
    def path(self):
        return self.folders[0] if self.folders else None

    cache_path = path

    @property
    def _impl(self):
        return CacheImpl(self._function)

    def enable(self):
        """Has code be looked for, and kept, from now on."""
        self._switch(True)

    def disable(self):
        """Has code neither be looked for nor kept from now on."""
        self._switch(False)

    def _switch(self, is_enabled):
        self.is_enabled = is_enabled
        for dispatcher in self._dispatchers:
            set_cache(dispatcher, self)

    def flush(self):
        """Nothing is to be done: code is found by its content, and never out of date."""

    def load_overload(self, sig, target_context):
        """None: the compiler looks for code by itself."""

    def save_overload(self, sig, data):
        """Nothing: the compiler keeps code by itself."""

    def note(self, args, is_hit, file, failure):
        """Called for each compilation."""
        (self.hits if is_hit else self.misses)[args] += 1
        if config.DEBUG_CACHE and file:
            print(f"[cache] data {'loaded from' if is_hit else 'saved to'} {file!r}")
        if failure and failure not in _warned:
            _warned.add(failure)
            warn(f"Cannot cache compiled function {self.name!r}: {failure}. It is compiled again "
                 "in each process.", NumbaWarning, "numba.core.caching")


class NullCache:
    """The cache of a function whose code is not kept; given to one as its `_cache`, it ends that."""

    label, folders, path, cache_path = "", (), None, None

    def __init__(self):
        self.hits, self.misses = Counter(), Counter()

    def note(self, args, is_hit, file, failure):
        """Never called, as there is no place to keep anything."""

    def load_overload(self, sig, target_context):
        """The code for a signature: none."""

    def save_overload(self, sig, data):
        """Keeps nothing."""

    enable = disable = flush = lambda self: None


FunctionCache = Cache


class IndexDataCacheFile:
    """Objects that a program keeps on disk by key: one file each, and an index of them.

    cache_path: the folder. filename_base: what the files' names begin with. source_stamp: what the objects
    are good for; those that were kept under another one are forgotten.
    """

    def __init__(self, cache_path, filename_base, source_stamp):
        self._cache_path, self._source_stamp = cache_path, source_stamp
        self._index_name = f"{filename_base}.nbi"
        self._index_path = os.path.join(cache_path, self._index_name)
        self._data_name_pattern = f"{filename_base}.{{number:d}}.nbc"

    def flush(self):
        """Forget all."""
        self._save_index({})

    def save(self, key, data):
        """Keep an object that can be pickled."""
        names = self._load_index()
        if key not in names:
            taken = set(names.values())
            free = (self._data_name_pattern.format(number=number) for number in itertools.count(1))
            names[key] = next(name for name in free if name not in taken)
        self._write(names[key], data)
        self._save_index(names)

    def load(self, key):
        """The object, or None."""
        name = self._load_index().get(key)
        return None if name is None else self._read(name)

    def _read(self, name):
        import pickle  # here, as it is one third of the time that numba takes to be imported
        try:
            with open(os.path.join(self._cache_path, name), "rb") as file:
                return pickle.load(file)
        except Exception:  # not there, or torn, of which unpickling makes anything
            return None

    def _write(self, name, value):
        import pickle
        import threading
        path = os.path.join(self._cache_path, name)
        whole = f"{path}.{os.getpid()}.{threading.get_ident()}"
        with open(whole, "wb") as file:
            pickle.dump(value, file)
        os.replace(whole, path)

    def _load_index(self):
        index = self._read(self._index_name)
        return dict(index[1]) if index and index[0] == self._source_stamp else {}

    def _save_index(self, names):
        self._write(self._index_name, (self._source_stamp, names))


def attach(dispatcher):
    """Have a dispatcher keep its code on disk."""
    dispatcher._cache = Cache(dispatcher.py_func)


def share(dispatcher, owner):
    """Have a dispatcher of generated code do as the one of the user's function does."""
    cache = getattr(owner, "_cache", None)
    if cache is not None:
        dispatcher._cache = cache


def cache_of(dispatcher):
    """What a dispatcher has as its `_cache`."""
    return getattr(dispatcher, "_kept", None) or NullCache()


def set_cache(dispatcher, cache):
    """Gives a dispatcher its `_cache`: one of this module, or what a program has in place of it, which keeps nothing."""
    dispatcher._kept = cache
    is_ours = isinstance(cache, (Cache, NullCache)) and getattr(cache, "is_enabled", True)
    if isinstance(cache, Cache):
        cache._dispatchers.add(dispatcher)
    dispatcher._cache_in(*(cache.label, cache.folders, cache.note) if is_ours else ("", (), None))


def __getattr__(name):
    if name.endswith(("CacheLocator", "CacheLocatorFsAgnostic")):
        from numba.core import cache_locators
        return getattr(cache_locators, name.removeprefix("_"))
    from gridcell import absent
    absent.refuse_name(__name__, name)
