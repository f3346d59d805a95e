# SPDX-License-Identifier: MIT
"""numba.parfors: what the warnings and diagnostics of parallel loops are known by."""
