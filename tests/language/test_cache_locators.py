# SPDX-License-Identifier: MIT
"""numba.core.caching for programs: caches that are switched off, and locators, which say where code is kept."""
import os

import pytest

from numba import njit
from numba.core import caching, config
from numba.core.errors import NumbaDeprecationWarning

SOURCE = "from numba import njit\n\n\n@njit(cache=True)\ndef double(x):\n    return x * 2\n"


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A module in a folder of its own with a function whose code is kept."""
    import importlib.util
    monkeypatch.setenv("GRIDCELL_CACHE_DIR", str(tmp_path / "home"))
    path = tmp_path / "small.py"
    path.write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("small", path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def kept(module):
    folder = os.path.join(os.path.dirname(module.__file__), "__pycache__")
    return [name for name in os.listdir(folder) if "double" in name] if os.path.isdir(folder) else []


def test_a_cache_is_switched_off_and_on(module):
    cache = module.double._cache
    assert isinstance(cache, caching.FunctionCache) and cache.cache_path == cache.folders[0]
    cache.disable()
    assert module.double(1) == 2 and not kept(module)
    cache.enable()
    assert module.double(1.5) == 3.0 and len(kept(module)) == 1
    assert "double" in repr(cache) and cache.load_overload(None, None) is None
    cache.flush()
    assert len(kept(module)) == 1


def test_a_cache_is_given_to_a_function(module):
    plain = njit(module.double.py_func)
    plain._cache = caching.FunctionCache(plain.py_func)
    assert plain(1) == 2 and len(kept(module)) == 1
    plain._cache = caching.NullCache()
    assert plain(1.5) == 3.0 and len(kept(module)) == 1


def test_locators(module, tmp_path, monkeypatch):
    function, file = module.double.py_func, module.__file__
    beside = caching.InTreeCacheLocator.from_function(function, file)
    assert beside.get_cache_path() == str(tmp_path / "__pycache__") and beside.get_disambiguator() == "4"
    stamp = beside.get_source_stamp()
    (tmp_path / "small.py").write_text(SOURCE + "\n")
    assert beside.get_source_stamp() != stamp
    assert caching.UserProvidedCacheLocator.from_function(function, file) is None
    own = caching.UserWideCacheLocator.from_function(function, file)
    assert own.get_cache_path().startswith(str(tmp_path / "home" / "code"))
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "given"))
    given = caching.UserProvidedCacheLocator.from_function(function, file)
    assert os.path.dirname(given.get_cache_path()) == str(tmp_path / "given") and os.path.isdir(given.get_cache_path())
    assert caching.InTreeCacheLocator.from_function(function, str(tmp_path / "nothing.py")) is None
    assert caching.IPythonCacheLocator.from_function(function, file) is None


def test_an_implementation_of_a_programs_own(module, monkeypatch):
    found = caching.CacheImpl(module.double.py_func)
    assert isinstance(found.locator, caching.InTreeCacheLocator) and found.filename_base.startswith("small.double-4.py3")

    class Elsewhere(caching.InTreeCacheLocator):
        def get_disambiguator(self):
            return "mine"
    monkeypatch.setattr(caching.CacheImpl, "_locator_classes", [Elsewhere])
    assert caching.CacheImpl(module.double.py_func).filename_base.startswith("small.double-mine.py3")
    with pytest.raises(RuntimeError, match="cannot cache function '<lambda>': no locator available for file '<text>'"):
        caching.CacheImpl(eval(compile("lambda: 0", "<text>", "eval")))


def test_locators_are_named_by_the_environment(module, monkeypatch):
    monkeypatch.setattr(config, "CACHE_LOCATOR_CLASSES", "UserWideCacheLocator, InTreeCacheLocator")
    cache = caching.FunctionCache(module.double.py_func)
    assert isinstance(cache._impl.locator, caching.UserWideCacheLocator)
    assert cache.folders[0] == cache._impl.locator.get_cache_path()
    monkeypatch.setattr(config, "CACHE_LOCATOR_CLASSES", "numba.core.cache_locators.InTreeCacheLocatorFsAgnostic")
    with pytest.warns(NumbaDeprecationWarning, match="InTreeCacheLocatorFsAgnostic is deprecated"):
        caching.FunctionCache(module.double.py_func)
    for mistaken, text in (("Nowhere", "is no class of locators"), ("numba.nothing.Here", "is no class of locators"),
                           ("numba.njit", "does not derive from _CacheLocator")):
        monkeypatch.setattr(config, "CACHE_LOCATOR_CLASSES", mistaken)
        with pytest.raises(RuntimeError, match=f"NUMBA_CACHE_LOCATOR_CLASSES names '{mistaken}', which {text}"):
            caching.FunctionCache(module.double.py_func)
