# SPDX-License-Identifier: MIT
"""numba.experimental: jitclass."""
from numba.experimental.jitclass import jitclass

__all__ = ["jitclass"]
