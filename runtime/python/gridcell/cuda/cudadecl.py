# SPDX-License-Identifier: MIT
"""numba.cuda.cudadecl: where programs register how calls and attributes in kernels are typed."""
from numba.core.typing.templates import Registry

registry = Registry()
register, register_attr, register_global = registry.register, registry.register_attr, registry.register_global
