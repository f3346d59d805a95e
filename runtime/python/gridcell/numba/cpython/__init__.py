# SPDX-License-Identifier: MIT
"""numba.cpython: what compiled code knows of Python's own types."""
