# SPDX-License-Identifier: MIT
"""numba.np.unsafe: functions of compiled code that check nothing."""
