# SPDX-License-Identifier: MIT
"""numba.experimental.jitclass: classes whose objects compiled code makes and changes."""
from numba.experimental.jitclass.decorators import jitclass

__all__ = ["jitclass"]
