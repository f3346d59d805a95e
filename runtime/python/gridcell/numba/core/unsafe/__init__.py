# SPDX-License-Identifier: MIT
"""numba.core.unsafe: operations of compiled code that check nothing."""
