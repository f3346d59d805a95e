# SPDX-License-Identifier: MIT
"""numba.experimental: jitclass, and the module structref."""
from numba.experimental.jitclass import jitclass

__all__ = ["jitclass"]
