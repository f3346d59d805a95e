# SPDX-License-Identifier: MIT
"""Warnings at the line of the user's code that leads to them, however many of our frames lie between."""
import os
import sys
import warnings

_OURS = os.path.dirname(__file__) + os.sep


def _users_frame():
    frame = sys._getframe(1)
    while frame.f_back and frame.f_code.co_filename.startswith((_OURS, "<frozen ")):
        frame = frame.f_back
    return frame


def warn(text, category, module):
    """`module` is the one that numba warns from: programs filter warnings by it."""
    frame = _users_frame()
    registry = frame.f_globals.setdefault("__warningregistry__", {})
    warnings.warn_explicit(text, category, frame.f_code.co_filename, frame.f_lineno, module, registry)
