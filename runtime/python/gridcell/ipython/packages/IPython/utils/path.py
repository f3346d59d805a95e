"""Paths."""
import glob
import os
import re

from gridcell.ipython.paths import fall_through as _fall_through
from IPython.paths import get_ipython_cache_dir, get_ipython_dir  # noqa: F401

__getattr__ = _fall_through(__name__)


class HomeDirError(Exception):
    """There is no home folder."""


def _writable_dir(path):
    """Whether it is a folder that files can be made in."""
    return os.path.isdir(path) and os.access(path, os.W_OK)


def get_home_dir(require_writable=False):
    """The user's folder; HomeDirError where it has to be writable, and is not."""
    folder = os.path.realpath(os.path.expanduser("~"))
    if require_writable and not _writable_dir(folder):
        raise HomeDirError(f"{folder} is not a writable dir, set $HOME environment variable to override")
    return folder


def expand_path(path):
    """With ~ and variables replaced."""
    return os.path.expandvars(os.path.expanduser(path))


def unescape_glob(text):
    """Without the backslashes that escape wildcards, or a backslash."""
    return re.sub(r"\\([\\*?\[\]!])", r"\1", text)


def shellglob(args):
    """Words with their wildcards replaced by names of files; those that match none stay."""
    found = []
    for word in args:
        found += glob.glob(os.path.expanduser(word)) or [unescape_glob(word)]
    return found


def get_py_filename(name):
    """A file by its name, or that and .py."""
    name = os.path.expanduser(name)
    for candidate in (name, name + ".py"):
        if os.path.isfile(candidate):
            return candidate
    raise OSError(f"File `{name!r}` not found.")


def filefind(filename, path_dirs=None):
    """The first existing file of that name in the folders."""
    folders = ("",) if path_dirs is None else (path_dirs,) if isinstance(path_dirs, str) else path_dirs
    for folder in folders:
        candidate = expand_path(os.path.join(os.getcwd() if folder == "." else folder, filename))
        if os.path.isfile(candidate):
            return os.path.abspath(candidate)
    raise OSError(f"File {filename!r} does not exist in any of the search paths: {path_dirs!r}")


def ensure_dir_exists(path, mode=0o755):
    os.makedirs(path, mode=mode, exist_ok=True)


def get_xdg_dir():
    """XDG_CONFIG_HOME, or its usual place, when it exists."""
    folder = os.environ.get("XDG_CONFIG_HOME") or os.path.join(get_home_dir(), ".config")
    return folder if os.name == "posix" and _writable_dir(folder) else None


def get_xdg_cache_dir():
    """XDG_CACHE_HOME, or its usual place, when it exists."""
    folder = os.environ.get("XDG_CACHE_HOME") or os.path.join(get_home_dir(), ".cache")
    return folder if os.path.isdir(folder) else None
