# SPDX-License-Identifier: MIT
"""cfunc: Python functions that C calls."""
import ctypes
import functools

from gridcell import _gridcell as _extension
from numba.core import caching, foreign
from numba.core.decorators import check_function, compiler_options, parse_signature


_lent = {}  # address -> the callback: C code may keep an address for as long as it likes


class CFunc:
    """A Python function compiled for C: an address, for libraries that call back.

    Called from Python it runs the plain function; called from compiled code it is like any
    jitted function, and its exceptions pass. Where C calls it, an exception is written to
    stderr, and C gets zero."""

    def __init__(self, function, signature, options, cache=False):
        check_function(function)
        functools.update_wrapper(self, function)
        self.__qualname__ = function.__qualname__
        self._pyfunc = function
        self._sig = signature
        self._options = options
        self._callback = None
        self.__gridcell_function__ = _extension.CPUDispatcher(
            function, compiler_options({**options, "nopython": True}), options)
        self._cached = cache
        if cache or caching.wants_all():
            self.enable_caching()
        self.compile()

    def __call__(self, *args, **kwargs):
        return self._pyfunc(*args, **kwargs)

    def __repr__(self):
        return f"<Numba C callback {self.__qualname__!r}>"

    def __reduce__(self):
        return CFunc, (self._pyfunc, self._sig, self._options, self._cached)

    def __dask_tokenize__(self):
        from numba.core import tokens
        return tokens.token(self, self._pyfunc, self._sig, self._options)

    def compile(self):
        """Compile for the signature, if that is not done yet."""
        if self._callback is None:
            self._callback = _extension.callback_compile(
                self.__gridcell_function__, self._sig, self)
            self._address, self._native_name = _extension.callback_describe(self._callback)
            # compiled callers take this signature, too
            self.__gridcell_function__.compile(self._sig)
            self.__gridcell_function__.disable_compile()

    @property
    def _numba_type_(self):
        return _extension.FunctionType(self._sig)

    @property
    def address(self):
        """The address of the function, an integer: it stays good when the object is gone."""
        _lent[self._address] = self
        return self._address

    _wrapper_address = address  # the name that programs of numba know

    @property
    def native_name(self):
        """The function's name in machine code."""
        return self._native_name

    @property
    def symbol_name(self):
        """The function's name in machine code."""
        return self._native_name

    @functools.cached_property
    def ctypes(self):
        """The function as an object of ctypes, which SciPy's quad takes, too."""
        params = [foreign.to_ctypes(type_) for type_ in self._sig.args]
        returns = foreign.to_ctypes(self._sig.return_type)
        function = ctypes.CFUNCTYPE(returns, *params)(self._address)
        function.callback = self  # lives as long
        return function

    @property
    def cffi(self):
        """The function as an object of cffi: a void pointer."""
        import cffi
        return cffi.FFI().cast("void *", self.address)

    @property
    def cache_hits(self):
        """How often the code came from a cache."""
        return sum(self.__gridcell_function__.stats.cache_hits.values())

    def enable_caching(self):
        """Keep code that is compiled from now on on disk, as cache=True does."""
        caching.attach(self.__gridcell_function__)

    def inspect_llvm(self):
        """The optimised LLVM IR."""
        return _extension.callback_llvm(self._callback)


def cfunc(sig, locals={}, cache=False, pipeline_class=None, **options):
    """cfunc(signature)

    Compiles a Python function to one that C calls, with numbers and pointers as its arguments
    and result.

    sig: as in 'float64(float64)'. Gives an object with .address and .ctypes. Raises TypeError
    for types that C does not have.

    Example:
        from scipy import integrate

        @cfunc("float64(float64)")
        def half(x):
            return x / 2

        assert abs(integrate.quad(half.ctypes, 0, 2)[0] - 1) < 1e-9
    """
    signature = parse_signature(sig)
    if signature.return_type is None:
        raise TypeError("C callback needs an explicit return type")
    if locals:
        options["locals"] = locals
    return lambda function: CFunc(function, signature, options, cache)


def _view(pointer, shape, dtype, order):
    import numpy as np
    if isinstance(pointer, ctypes.c_void_p):
        if dtype is None:
            raise TypeError("explicit dtype required for void* argument")
        pointed = np.dtype(foreign_dtype(dtype))
    elif isinstance(pointer, ctypes._Pointer):
        pointed = _extension.as_dtype(foreign.from_ctypes(type(pointer)._type_))
        if dtype is not None and np.dtype(foreign_dtype(dtype)) != pointed:
            raise TypeError(f"mismatching dtype '{np.dtype(foreign_dtype(dtype))}' for pointer "
                            f"{pointer}")
    else:
        raise TypeError(f"expected a ctypes pointer, got {pointer}")
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    size = pointed.itemsize
    for extent in shape:
        size *= extent
    address = ctypes.cast(pointer, ctypes.c_void_p).value
    memory = (ctypes.c_char * size).from_address(address)
    return np.ndarray(shape, pointed, memory, order=order)


def foreign_dtype(dtype):
    """What NumPy takes as a dtype: types of ours become theirs."""
    return _extension.as_dtype(dtype) if isinstance(dtype, _extension.Type) else dtype


def carray(ptr, shape, dtype=None):
    """carray(pointer, shape)

    The memory that a pointer of C leads to, as an array in C order: nothing is copied.

    shape: an integer, or a tuple. dtype: needed for a void pointer. Gives an array. Raises
    TypeError for what is no pointer.

    Example:
        import ctypes

        numbers = (ctypes.c_double * 3)(1, 2, 3)
        pointer = ctypes.cast(numbers, ctypes.POINTER(ctypes.c_double))
        assert carray(pointer, 3).sum() == 6
    """
    return _view(ptr, shape, dtype, "C")


def farray(ptr, shape, dtype=None):
    """farray(pointer, shape)

    The memory that a pointer of C leads to, as an array in Fortran's order.

    shape: an integer, or a tuple. dtype: needed for a void pointer. Gives an array. Raises
    TypeError for what is no pointer.

    Example:
        import ctypes

        numbers = (ctypes.c_double * 4)(1, 2, 3, 4)
        pointer = ctypes.cast(numbers, ctypes.POINTER(ctypes.c_double))
        assert farray(pointer, (2, 2))[0, 1] == 3
    """
    return _view(ptr, shape, dtype, "F")


carray.__gridcell_builtin__ = "numba.carray"
farray.__gridcell_builtin__ = "numba.farray"


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
