# SPDX-License-Identifier: MIT
"""numba.stencils: what @stencil makes."""
