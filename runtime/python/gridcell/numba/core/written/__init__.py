# SPDX-License-Identifier: MIT
"""Functions that programs write with llvmlite's builder: text.py makes the compiler's of them, context.py is what
their generators are given, helpers.py what they find as numba.core.cgutils."""
