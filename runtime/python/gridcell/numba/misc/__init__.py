# SPDX-License-Identifier: MIT
"""numba.misc"""
