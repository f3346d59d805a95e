"""Folders of the user's settings."""
import os
import tempfile


def get_home_dir(require_writable=False):
    return os.path.expanduser("~")


def get_ipython_dir():
    """IPYTHONDIR, or ~/.ipython."""
    return os.environ.get("IPYTHONDIR") or os.path.join(get_home_dir(), ".ipython")


def get_ipython_cache_dir():
    """Where caches are kept; made when it is missing."""
    folder = os.path.join(get_ipython_dir(), "cython") if os.environ.get("IPYTHONDIR") else os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.join(get_home_dir(), ".cache"), "ipython")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError:
        return tempfile.gettempdir()
    return folder


def get_ipython_package_dir():
    import IPython
    return os.path.dirname(IPython.__file__)


def get_ipython_module_path(module_str):
    """The file of a module."""
    import importlib
    return os.path.abspath(importlib.import_module(module_str).__file__)


def locate_profile(profile="default"):
    folder = os.path.join(get_ipython_dir(), "profile_" + profile)
    if not os.path.isdir(folder):
        raise OSError(f"Couldn't find profile {profile!r}")
    return folder
