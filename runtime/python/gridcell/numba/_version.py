# SPDX-License-Identifier: MIT
"""numba._version"""
from collections import namedtuple

from gridcell.versions import parts_of as _parts_of
from numba import __version__

_VersionInfo = namedtuple("version_info", "major minor patch short full string tuple git_revision")
_numbers = _parts_of(__version__)[:3]
version_info = _VersionInfo(*_numbers, _numbers[:2], _numbers, __version__, tuple(__version__.split(".")), None)


def get_versions():
    """The version, as versioneer's module tells it."""
    return {"version": __version__, "full-revisionid": None, "dirty": False, "error": None, "date": None}
