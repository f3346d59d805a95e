# SPDX-License-Identifier: MIT
"""Operators and methods of device arrays: each is a ufunc or reduction on the device.

Dtypes follow NumPy's promotion (a Python number takes the array's kind where it fits). Where one
operand is a host array, it is copied; the result lies on the device.
"""
import functools
import html

import numpy as np

from gridcell import _gridcell

from .generated import define

_BINARY = {
    "add": "a + b", "sub": "a - b", "mul": "a * b", "truediv": "a / b", "floordiv": "a // b",
    "mod": "a % b", "pow": "a ** b", "and": "a & b", "or": "a | b", "xor": "a ^ b",
    "lshift": "a << b", "rshift": "a >> b"}
_COMPARISONS = {"lt": "a < b", "le": "a <= b", "gt": "a > b", "ge": "a >= b", "eq": "a == b",
                "ne": "a != b"}
_UNARY = {"neg": "-a", "pos": "a", "abs": "abs(a)", "invert": "~a"}
_IN_NUMPY = {"truediv": "true_divide", "floordiv": "floor_divide", "sub": "subtract",
             "mul": "multiply", "pow": "power", "mod": "remainder", "and": "bitwise_and",
             "or": "bitwise_or", "xor": "bitwise_xor", "lshift": "left_shift",
             "rshift": "right_shift", "lt": "less", "le": "less_equal", "gt": "greater",
             "ge": "greater_equal", "eq": "equal", "ne": "not_equal", "neg": "negative", "pos": "positive", "abs": "absolute"}
PREVIEW_ITEMS = 6  # at either end, of a row


@functools.cache
def _ufunc(name, expression, parameters, dtypes, result):
    """A cuda ufunc that computes the expression in dtypes, giving the dtype `result`."""
    from numba import vectorize
    types = [_gridcell.from_dtype(dtype) for dtype in dtypes]
    text = f"def {name}_{len(parameters)}({', '.join(parameters)}):\n    return {expression}\n"
    function = define(f"{name}_{len(parameters)}", text, {})
    return vectorize([_gridcell.from_dtype(result)(*types)], target="cuda")(function)


def _is_operand(value):
    return isinstance(value, (_gridcell.DeviceNDArray, np.ndarray, np.generic, int, float, complex)) \
        or _gridcell.cuda_has_interface(value)


def _dtypes(name, operands):
    """(the dtype that each operand has or is converted to, the result's) by NumPy's own rules."""
    samples = [np.empty(0, value.dtype) if hasattr(value, "dtype") and not isinstance(
        value, np.generic) else value for value in operands]
    result = getattr(np, _IN_NUMPY.get(name, name))(*samples).dtype
    arrays = [sample.dtype for sample in samples if isinstance(sample, np.ndarray)]
    common = np.result_type(*samples)
    return tuple(sample.dtype if isinstance(sample, np.ndarray) else common if arrays else
                 np.asarray(sample).dtype for sample in samples), result


def _on_device(value):
    """Another library's array as one of ours; anything else as it is."""
    is_ours = isinstance(value, (_gridcell.DeviceNDArray, np.ndarray, np.generic, int, float, complex))
    return value if is_ours else _gridcell.cuda_as_array(value)


def _apply(name, expression, operands, out=None):
    operands = tuple(map(_on_device, operands))
    dtypes, result = _dtypes(name, operands)
    converted = [value if hasattr(value, "shape") and value.shape != () else dtype.type(value)
                 for value, dtype in zip(operands, dtypes)]
    ufunc = _ufunc(name, expression, ("a", "b")[:len(operands)], dtypes, result)
    if out is None:
        return ufunc(*converted)
    if not np.can_cast(result, out.dtype, "same_kind"):
        raise TypeError(f"the result is {result}, which {out.dtype} does not hold")
    if result == out.dtype:
        return ufunc(*converted, out=out)
    out.copy_to_device(ufunc(*converted).astype(out.dtype))
    return out


def _binary(name, expression):
    def forward(self, other):
        if not _is_operand(other):
            return NotImplemented
        return _apply(name, expression, (self, other))

    def backward(self, other):
        if not _is_operand(other):
            return NotImplemented
        return _apply(name, expression, (other, self))

    def in_place(self, other):
        if not _is_operand(other):
            return NotImplemented
        return _apply(name, expression, (self, other), out=self)

    return forward, backward, in_place


def _unary(name, expression):
    return lambda self: _apply(name, expression, (self,))


def fill(self, value, stream=0):
    """Sets every element to `value` (a number)."""
    self[...] = self.dtype.type(value)


def copy(self, stream=0):
    """A new device array with the same contents, in C order."""
    from .api import device_array
    new = device_array(self.shape, self.dtype, stream=stream)
    new.copy_to_device(self, stream=stream)
    return new


def astype(self, dtype):
    """A new device array of the dtype, each element converted."""
    dtype = np.dtype(dtype)
    if dtype == self.dtype:
        return copy(self)
    names = {"b": "bool", "i": "int", "u": "uint"}
    cast = {"b": "a != 0"}.get(dtype.kind, "a")
    return _ufunc("astype_" + names.get(dtype.kind, dtype.name) + dtype.str[1:], cast, ("a",),
                  (self.dtype,), dtype)(self)


def _flat(self):
    """Its elements in one row of memory."""
    if self.is_c_contiguous():
        return self.reshape(self.size)
    return copy(self).reshape(self.size)


@functools.cache
def _reduction(expression):
    from .reduction import Reduce
    return Reduce(define("core", f"def core(a, b):\n    return {expression}\n", {}))


def _refuse_axis(axis, name):
    if axis is not None:
        raise NotImplementedError(f"{name}(axis={axis!r}): device arrays reduce as a whole; copy to "
                                  "the host, or write a kernel, for one axis")


def sum(self, axis=None):
    """The sum of all elements, as a NumPy scalar: int64 or uint64 of integers, else the dtype."""
    _refuse_axis(axis, "sum")
    result = np.zeros(0, self.dtype).sum().dtype
    values = self if self.dtype == result else astype(self, result)
    return result.type(_reduction("a + b")(_flat(values)) if self.size else 0)


def _extreme(self, name, expression):
    if self.size == 0:
        raise ValueError(f"zero-size array to reduction operation {name}imum which has no identity")
    flat = _flat(self)
    return self.dtype.type(_reduction(expression)(flat, init=flat[0]))


def min(self, axis=None):
    """The smallest element; NaN where there is one. ValueError when there is no element."""
    _refuse_axis(axis, "min")
    return _extreme(self, "min", "a if a < b or a != a else b")


def max(self, axis=None):
    """The largest element; NaN where there is one. ValueError when there is no element."""
    _refuse_axis(axis, "max")
    return _extreme(self, "max", "a if a > b or a != a else b")


def mean(self, axis=None):
    """The mean of all elements: float64 of integers, else the dtype. NaN when there is none."""
    _refuse_axis(axis, "mean")
    result = np.zeros(1, self.dtype).mean().dtype
    if self.size == 0:
        return result.type(np.nan)
    total = sum(astype(self, np.float32) if self.dtype == np.float16 else self)
    return result.type(total / self.size)


def iterate(self):
    """Numbers of a 1-D array (copied at once), else views along the first axis."""
    if self.ndim == 1:
        return iter(self.copy_to_host())
    return (self[i] for i in range(len(self)))


def _corner(self):
    """The first and last rows of a large array, on the host, and what str() makes of them."""
    edge = tuple(slice(None) if extent <= 2 * PREVIEW_ITEMS else slice(PREVIEW_ITEMS)
                 for extent in self.shape)
    head = self[edge].copy_to_host() if self.size else self.copy_to_host()
    dots = ", ..." if head.size < self.size else ""
    return np.array2string(head, separator=", ", threshold=1000) + dots


def preview(self):
    """Shape, dtype, size and the first values, as text; copies only what it shows."""
    order = "" if self.is_c_contiguous() else ", not C-contiguous"
    return (f"DeviceNDArray{self.shape} {self.dtype.name}, {self.nbytes} bytes on device{order}\n"
            f"{_corner(self)}")


def _repr_html_(self):
    heading, _, values = preview(self).partition("\n")
    return f"<b>{html.escape(heading)}</b><pre>{html.escape(values)}</pre>"


def install(array):
    """Gives the class its operators and methods."""
    for name, expression in (_BINARY | _COMPARISONS).items():
        forward, backward, in_place = _binary(name, expression)
        setattr(array, f"__{name}__", forward)
        if name in _BINARY:
            setattr(array, f"__r{name}__", backward)
            setattr(array, f"__i{name}__", in_place)
    for name, expression in _UNARY.items():
        setattr(array, f"__{name}__", _unary(name, expression))
    array.__hash__ = object.__hash__
    array.__iter__ = iterate
    array.__float__ = lambda self: float(_one(self))
    array.__int__ = lambda self: int(_one(self))
    array.__bool__ = lambda self: bool(_one(self))
    for method in (fill, copy, astype, sum, min, max, mean, preview, _repr_html_):
        setattr(array, method.__name__, method)


def _one(self):
    if self.size != 1:
        raise TypeError(f"only a device array of one element is a number; this has {self.size}")
    return self.reshape(1)[0]
