# SPDX-License-Identifier: MIT
"""numba.cuda.cudaimpl: where programs register the code of calls and attributes in kernels."""
from numba.core.imputils import Registry

registry = Registry("cudaimpl")
lower, lower_attr, lower_constant = registry.lower, registry.lower_getattr, registry.lower_constant
