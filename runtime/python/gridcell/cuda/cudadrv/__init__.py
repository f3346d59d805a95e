# SPDX-License-Identifier: MIT
"""The driver side of numba.cuda: devices, memory, arrays, streams, errors."""
