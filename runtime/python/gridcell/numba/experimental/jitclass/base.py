# SPDX-License-Identifier: MIT
"""The class of compiled classes, under the name that numba gives it."""
from numba.experimental.jitclass.boxing import CompiledClass as JitClassType

__all__ = ["JitClassType"]
