# SPDX-License-Identifier: MIT
"""numba.cpython.unsafe: functions of compiled code that check nothing."""
