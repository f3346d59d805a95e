# SPDX-License-Identifier: MIT
"""numba.extending.models: kinds of models for the types that a program adds."""
from numba.core import types
from numba.core.datamodel.manager import register_default
from numba.core.extension.registry import EphemeralPointer, Layout

_WIDTHS = {1: types.boolean, 8: types.int8, 16: types.int16, 32: types.int32, 64: types.int64}


def _type_of_llvm(be_type):
    """The type whose values are what llvmlite's type says."""
    from llvmlite import ir
    floats = {ir.HalfType: types.float16, ir.FloatType: types.float32, ir.DoubleType: types.float64}
    if type(be_type) in floats:
        return floats[type(be_type)]
    if isinstance(be_type, ir.PointerType):
        return types.voidptr
    if isinstance(be_type, ir.IntType) and be_type.width in _WIDTHS:
        return _WIDTHS[be_type.width]
    raise TypeError(f"a value cannot be {be_type}: integers of 1, 8, 16, 32 and 64 bits, floats and addresses can; "
                    "a StructModel has several members")


class DataModel:
    """Base of models; `fe_type` is the type that a model is of."""

    def __init__(self, dmm, fe_type):
        self._dmm, self._fe_type = dmm, fe_type

    @property
    def fe_type(self):
        """The type that the model is of."""
        return self._fe_type

    def get_value_type(self):
        """llvmlite's type for the values."""
        from numba.core.written import text
        return text.value_type(self._fe_type)

    get_argument_type = get_return_type = get_value_type

    def get_data_type(self):
        """llvmlite's type for the values in memory."""
        from numba.core.written import text
        return text.data_type(self._fe_type)

    def as_data(self, builder, value):
        """The value as it lies in memory."""
        made = self.get_data_type()
        return value if value.type == made else builder.zext(value, made)

    as_argument = as_return = lambda self, builder, value: value

    def from_data(self, builder, value):
        """The value of what lies in memory."""
        made = self.get_value_type()
        return value if value.type == made else builder.trunc(value, made)

    from_argument = from_return = as_argument

    def load_from_data_pointer(self, builder, ptr, align=None):
        """The value that lies at an address."""
        return self.from_data(builder, builder.load(ptr, align=align))

    def inner_models(self):
        """The models of the members."""
        return []

    def traverse_models(self):
        """The models of the members, and of theirs."""
        return [self._dmm[kind] for kind in self.traverse_types()]

    def traverse_types(self):
        """The type, and those of the members, and of theirs."""
        return [self._fe_type, *(kind for model in self.inner_models() for kind in model.traverse_types())]

    def has_nrt_meminfo(self):
        """Whether the values are themselves memory whose references are counted."""
        from numba.core.written import text
        return not self.inner_models() and text.is_counted(self._fe_type)

    def contains_nrt_meminfo(self):
        """Whether the values hold such memory."""
        return any(model.has_nrt_meminfo() for model in self.traverse_models())

    def __eq__(self, other):
        return type(self) is type(other) and self._fe_type == other._fe_type

    def __hash__(self):
        return hash((type(self), self._fe_type))

    def layout(self):
        """What the compiler knows of the values: a Layout."""
        raise TypeError(f"{type(self).__name__} says nothing of the values: derive it from StructModel, OpaqueModel or "
                        "PrimitiveModel")


class PrimitiveModel(DataModel):
    """Values that are one of llvmlite's type `be_type`."""

    def __init__(self, dmm, fe_type, be_type):
        super().__init__(dmm, fe_type)
        self.be_type = be_type

    def layout(self):
        return Layout(self, ("value",), (_type_of_llvm(self.be_type),), self.be_type)


class OpaqueModel(PrimitiveModel):
    """Values that are an address of which compiled code knows nothing."""

    def __init__(self, dmm, fe_type):
        from llvmlite import ir
        super().__init__(dmm, fe_type, ir.IntType(8).as_pointer())


class PointerModel(OpaqueModel):
    """Values that are the address of a value."""


class IntegerModel(PrimitiveModel):
    """Values that are an integer of the type's bitwidth."""

    def __init__(self, dmm, fe_type):
        from llvmlite import ir
        super().__init__(dmm, fe_type, ir.IntType(fe_type.bitwidth))


class FloatModel(PrimitiveModel):
    """Values that are a float of the type's bitwidth."""

    def __init__(self, dmm, fe_type):
        from llvmlite import ir
        super().__init__(dmm, fe_type, {32: ir.FloatType, 64: ir.DoubleType}[fe_type.bitwidth]())


class BooleanModel(PrimitiveModel):
    """Values that are a truth value."""

    def __init__(self, dmm, fe_type):
        from llvmlite import ir
        super().__init__(dmm, fe_type, ir.IntType(1))


class StructModel(DataModel):
    """Values of members, pairs of name and type, one after another."""

    def __init__(self, dmm, fe_type, members):
        super().__init__(dmm, fe_type)
        self._members = tuple((name, kind) for name, kind in members)

    @property
    def field_count(self):
        """How many members there are."""
        return len(self._members)

    @property
    def _fields(self):
        return tuple(name for name, _ in self._members)

    def get_field_position(self, field):
        """The number of a member by its name; KeyError for a name that is not there."""
        for number, (name, _) in enumerate(self._members):
            if name == field:
                return number
        raise KeyError(f"{type(self).__name__} of {self._fe_type} has no member {field!r}")

    def get_type(self, pos):
        """The type of a member by its number or name."""
        return self._members[self.get_field_position(pos) if isinstance(pos, str) else pos][1]

    def get_model(self, pos):
        """The model of a member by its number or name."""
        return self._dmm[self.get_type(pos)]

    def get(self, builder, val, pos):
        """The member of a value by its number or name."""
        return builder.extract_value(val, self.get_field_position(pos) if isinstance(pos, str) else pos)

    def set(self, builder, stval, val, pos):
        """The value `stval` with another member `val`."""
        return builder.insert_value(stval, val, self.get_field_position(pos) if isinstance(pos, str) else pos)

    def inner_models(self):
        """The models of the members."""
        return [self._dmm[kind] for _, kind in self._members]

    def get_member_fe_type(self, name):
        """The type of a member by its name."""
        return self.get_type(name)

    def layout(self):
        return Layout(self, self._fields, tuple(kind for _, kind in self._members))


class TupleModel(StructModel):
    """Values of the items of the type's `types`."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [(f"f{number}", kind) for number, kind in enumerate(fe_type.types)])


class UniTupleModel(TupleModel):
    """The same for items of one type."""


register_model = register_default


@register_default(EphemeralPointer)
class EphemeralPointerModel(DataModel):
    """Values that are the address of a value of the type's dtype, for as long as the function runs."""

    def layout(self):
        from numba.core.written import text
        dtype = self.fe_type.dtype
        return Layout(self, ("value",), (dtype,), text.data_type(dtype).as_pointer())
