# SPDX-License-Identifier: MIT
"""Where code of functions may be kept, as classes that programs derive theirs from or put into
CacheImpl._locator_classes: see numba.core.caching."""
import hashlib
import os
import tempfile
import warnings

from numba.core import caching, config
from numba.core.errors import NumbaDeprecationWarning


class _SourceFileLocator(caching._CacheLocator):
    """Base of locators of functions that a file has."""

    def __init__(self, py_func, py_file):
        self._py_file, self._line = py_file, py_func.__code__.co_firstlineno
        self._cache_path = self._folder()

    def _folder(self):
        raise NotImplementedError

    def get_cache_path(self):
        """The folder."""
        return self._cache_path

    def get_source_stamp(self):
        """The hash of the file."""
        with open(self._py_file, "rb") as file:
            return hashlib.sha256(file.read()).digest()

    def get_disambiguator(self):
        """The line that the function begins on."""
        return str(self._line)

    @classmethod
    def from_function(cls, py_func, py_file):
        """A locator, if there is such a file, and its folder can be written."""
        if not os.path.exists(py_file):
            return None
        locator = cls(py_func, py_file)
        try:
            locator.ensure_cache_path()
            tempfile.TemporaryFile(dir=locator.get_cache_path()).close()
        except OSError:
            return None
        return locator


class InTreeCacheLocator(_SourceFileLocator):
    """__pycache__ beside the source."""

    def _folder(self):
        return os.path.join(os.path.dirname(os.path.abspath(self._py_file)), "__pycache__")


class InTreeCacheLocatorFsAgnostic(InTreeCacheLocator):
    """The same, by an older name."""

    def __init__(self, py_func, py_file):
        warnings.warn("InTreeCacheLocatorFsAgnostic is deprecated: InTreeCacheLocator knows files by their content, too",
                      NumbaDeprecationWarning, stacklevel=2)
        super().__init__(py_func, py_file)


class UserProvidedCacheLocator(_SourceFileLocator):
    """The folder of NUMBA_CACHE_DIR; none where that is not set."""

    def _folder(self):
        return os.path.join(config.CACHE_DIR, self.get_suitable_cache_subpath(self._py_file))

    @classmethod
    def from_function(cls, py_func, py_file):
        """A locator, if the folder is set."""
        return super().from_function(py_func, py_file) if config.CACHE_DIR else None


class UserWideCacheLocator(_SourceFileLocator):
    """The user's own folder of caches; none where the user wants none."""

    def _folder(self):
        return os.path.join(caching.home(), "code", self.get_suitable_cache_subpath(self._py_file))

    @classmethod
    def from_function(cls, py_func, py_file):
        """A locator, if there is such a folder."""
        return super().from_function(py_func, py_file) if caching.home() else None


class IPythonCacheLocator(UserWideCacheLocator):
    """The same for functions of cells, which have no file."""

    def __init__(self, py_func, py_file):
        import inspect
        self._source = inspect.getsource(py_func).encode()
        super().__init__(py_func, py_file)

    def get_source_stamp(self):
        """The hash of the function's text."""
        return hashlib.sha256(self._source).hexdigest()

    def get_disambiguator(self):
        """What tells texts apart."""
        return hashlib.sha256(self._source).hexdigest()[:10]

    @classmethod
    def from_function(cls, py_func, py_file):
        """A locator, if the function is one of a cell."""
        is_of_cell = os.path.basename(os.path.dirname(py_file)).startswith("ipykernel_") or py_file.startswith("<ipython-")
        return cls(py_func, py_file) if is_of_cell and caching.home() else None
