# SPDX-License-Identifier: MIT
"""numba.core.typeconv: how values of one type become those of another."""
import enum


class Conversion(enum.IntEnum):
    """A conversion, the better the lower."""

    exact, promote, safe, unsafe = range(1, 5)
    nil = 99
