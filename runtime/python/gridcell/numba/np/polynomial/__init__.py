# SPDX-License-Identifier: MIT
"""numba.np.polynomial: polynomials of NumPy in compiled code."""
