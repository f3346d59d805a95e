# SPDX-License-Identifier: MIT
"""numba._version"""
from collections import namedtuple

from numba import __version__

_VersionInfo = namedtuple("version_info", "major minor patch short full string tuple git_revision")
version_info = _VersionInfo(0, 68, 0, (0, 68), (0, 68, 0), __version__, ("0", "68", "0"), None)


def get_versions():
    """The version, as versioneer's module tells it."""
    return {"version": __version__, "full-revisionid": None, "dirty": False, "error": None, "date": None}
