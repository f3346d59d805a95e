# SPDX-License-Identifier: MIT
"""numba.core.registry: the class of jitted functions, and cpu_target, which leads to what is known of types."""
from gridcell._gridcell import CPUDispatcher


class CPUTarget:
    """The target of functions on the CPU, as programs ask about types and calls."""

    @property
    def typing_context(self):
        """What types calls: resolve_function_type, resolve_value_type, unify_types, can_convert, refresh."""
        from numba.core.typing.context import Context
        return Context()

    @property
    def target_context(self):
        """What says how values are laid out: get_value_type, get_data_type, get_abi_sizeof, refresh."""
        from numba.core.written.context import GeneratorContext
        return GeneratorContext(None)


cpu_target = CPUTarget()


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
