# SPDX-License-Identifier: MIT
"""numba.core.registry: the class of jitted functions, and cpu_target, which leads to what is known of types."""
from gridcell._gridcell import CPUDispatcher


class CPUTarget:
    """The target of functions on the CPU, as programs ask about types and calls."""

    def __init__(self, target_name="cpu"):
        self._target_name = target_name

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


cpu_target = CPUDispatcher.targetdescr = CPUTarget()


class UniqueDict(dict):
    """A dict whose keys are set once: AssertionError for the second time."""

    def __setitem__(self, key, value):
        if key in self:
            raise AssertionError(f"key already in dictionary: {key!r}")
        super().__setitem__(key, value)


class DelayedRegistry(UniqueDict):
    """A dict whose keys are set once, and whose values may be made when they are first asked for: `ondemand` has
    functions that give these. key_type, value_type: of what class all keys, all values, are, or derive from."""

    def __init__(self, *args, key_type=None, value_type=None, **kwargs):
        self.ondemand, self.key_type, self.value_type = {}, key_type, value_type
        super().__init__(*args, **kwargs)

    def __getitem__(self, item):
        if item in self.ondemand:
            self[item] = self.ondemand.pop(item)()
        return super().__getitem__(item)

    def __setitem__(self, key, value):
        for thing, wanted in ((key, self.key_type), (value, self.value_type)):
            if wanted is not None and not (issubclass(thing, wanted) if isinstance(thing, type) else isinstance(thing, wanted)):
                raise AssertionError(f"{thing!r} is no {wanted.__name__}")
        super().__setitem__(key, value)


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
