# SPDX-License-Identifier: MIT
"""numba.cuda.target: what generators of code for kernels are called with."""
from numba.core.datamodel import default_manager as cuda_data_manager
from numba.core.typing.context import Context as CUDATypingContext
from numba.core.written.context import GeneratorContext as CUDATargetContext
