# SPDX-License-Identifier: MIT
"""What `numbapro.cudalib`, `accelerate.cuda` and `pyculib` were: NVIDIA's libraries for arrays.

Of these, the Fourier transforms are here: cufft.
"""
__version__ = "1.0.0"
