# SPDX-License-Identifier: MIT
"""numba._version"""
from numba import __version__


def get_versions():
    """The version, as versioneer's module tells it."""
    return {"version": __version__, "full-revisionid": None, "dirty": False, "error": None, "date": None}
