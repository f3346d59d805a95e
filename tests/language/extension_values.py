# SPDX-License-Identifier: MIT
"""Types for tests of types that programs add, and what their values leave in memory."""
from numba import types
from numba.core import cgutils
from numba.core.runtime import _nrt_python, rtsys
from numba.extending import NativeValue, models, register_model, typeof_impl, unbox


def named_type(name, members=None):
    """A class of types with one type of the name, and a model of the members."""
    kind = type(f"{name}Type", (types.Type,), {"__init__": lambda self: types.Type.__init__(self, name)})
    if members is not None:
        register_model(kind)(lambda dmm, fe_type: models.StructModel(dmm, fe_type, members))
    return kind


def unbox_members(kind, **members):
    """Has values of the class of types come from objects with attributes; members: name -> type, or what gives it of
    the type."""
    @unbox(kind)
    def unbox_parts(typ, obj, c):
        made = cgutils.create_struct_proxy(typ)(c.context, c.builder)
        for name, member in members.items():
            part = c.pyapi.object_getattr_string(obj, name)
            setattr(made, name, c.unbox(member if isinstance(member, types.Type) else member(typ), part).value)
            c.pyapi.decref(part)
        return NativeValue(made._getvalue(), is_error=c.pyapi.c_api_error())


def class_of_values(kind, *names):
    """A class of Python whose objects have these attributes, and the type."""
    def begin(self, *values):
        vars(self).update(zip(names, values, strict=True))
    made = type(kind.__name__.removesuffix("Type"), (), {"__init__": begin})
    typeof_impl.register(made)(lambda val, c: kind())
    return made


def kept_in_memory(call):
    """How many allocations are left of many calls."""
    was_enabled = _nrt_python.memsys_stats_enabled()
    _nrt_python.memsys_enable_stats()
    call()
    before = rtsys.get_allocation_stats()
    for _ in range(50):
        call()
    after = rtsys.get_allocation_stats()
    if not was_enabled:
        _nrt_python.memsys_disable_stats()
    return (after.alloc - before.alloc) - (after.free - before.free)
