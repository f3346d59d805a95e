# SPDX-License-Identifier: MIT
"""@guvectorize(target='cuda'): one thread for each part of the arrays."""
import functools

import numpy as np

from gridcell import _gridcell
from numba.np.ufunc.layout import parse_layout

from .cudadrv.devices import get_context
from .dispatcher import CUDADispatcher, generated_kernel
from .generated import define, identifier

BLOCK = 128


def _plural(count):
    return f"{count} positional argument" + ("s" if count != 1 else "")


class GUFuncBase:
    """The layout, the signatures, and what a call's arguments are by them."""

    def __init__(self, py_func, signatures, layout):
        self.py_func = py_func
        functools.update_wrapper(self, py_func, updated=())
        self.signature = layout
        self._inputs, self._outputs = parse_layout(layout)
        self.nin, self.nout = len(self._inputs), len(self._outputs)
        for argtypes in signatures:
            if len(argtypes) != self.nin + self.nout:
                raise TypeError(f"the layout {layout!r} does not fit {len(argtypes)} arguments")
        self._versions = [[_gridcell.cuda_dtype(getattr(type, "dtype", type))
                           for type in argtypes] for argtypes in signatures]
        self._names = [f"a{number}" for number in range(self.nin + self.nout)]
        self._parts = ", ".join(
            f"{name}[i:i + 1]" if not dims and hasattr(type, "dtype") else f"{name}[i]"
            for name, dims, type in zip(self._names, self._inputs + self._outputs, signatures[0]))

    @property
    def types(self):
        return ["".join(dtype.char for dtype in version[:self.nin]) + "->"
                + "".join(dtype.char for dtype in version[self.nin:])
                for version in self._versions]

    def _split(self, args, out):
        """(inputs, outputs given) of a call."""
        if len(args) not in (self.nin, self.nin + self.nout):
            raise TypeError(
                f"This gufunc accepts {_plural(self.nin)} (when providing input only) or "
                f"{_plural(self.nin + self.nout)} (when providing input and output). "
                f"Got {_plural(len(args))}.")
        outputs = args[self.nin:]
        if out is not None:
            if outputs:
                raise ValueError("cannot specify argument 'out' as both positional and keyword")
            outputs = out if isinstance(out, tuple) else (out,)
        return args[:self.nin], outputs

    def _choose(self, inputs, fits):
        """The dtypes of the signature of exactly the inputs', else of the first that fits them."""
        for version in self._versions:
            if all(array.dtype == dtype for array, dtype in zip(inputs, version)):
                return version
        for version in self._versions:
            if all(fits(array.dtype, dtype) for array, dtype in zip(inputs, version)):
                return version
        raise TypeError("no matching signature for inputs of dtypes "
                        + ", ".join(str(array.dtype) for array in inputs))

    def _measure(self, inputs):
        """(shape of the loop, shapes of the outputs)."""
        sizes, loops = {}, []
        for number, (array, dims) in enumerate(zip(inputs, self._inputs)):
            split = array.ndim - len(dims)
            if split < 0:
                raise ValueError(f"{self.__name__}: Input operand {number} does not have enough "
                                 f"dimensions (has {array.ndim}, gufunc core with signature "
                                 f"{self.signature} requires {len(dims)})")
            loops.append(array.shape[:split])
            for name, size in zip(dims, array.shape[split:]):
                if sizes.setdefault(name, size) != size:
                    raise ValueError(f"{self.__name__}: Input operand {number} has a mismatch in "
                                     f"its core dimension {name!r} ({size} and {sizes[name]})")
        loop = np.broadcast_shapes(*loops)
        return loop, [loop + tuple(sizes[name] if name in sizes else int(name) for name in dims)
                      for dims in self._outputs]

    @staticmethod
    def _fit_outputs(outputs, shapes):
        """The outputs in the shapes that are filled: these may have ones before theirs."""
        fitting = []
        for array, shape in zip(outputs, shapes):
            ones = len(shape) - array.ndim
            if (1,) * ones + array.shape != shape:
                raise ValueError("output shape mismatch: %s vs. %s" % (array.shape, shape))
            fitting.append(array.reshape(shape) if ones else array)
        return fitting


class GUFunc(GUFuncBase):
    """A generalised ufunc on the device."""
    __module__ = "numba.cuda.vectorizers"

    def __init__(self, py_func, signatures, layout):
        super().__init__(py_func, signatures, layout)
        from gridcell import cuda
        self.max_blocksize = 1 << 30
        text = (f"def {identifier(py_func.__name__)}({', '.join(self._names)}):\n"
                "    i = cuda.grid(1)\n"
                f"    if i < {self._names[-1]}.shape[0]:\n"
                f"        core({self._parts})\n")
        core = self._core = CUDADispatcher(py_func, {"device": True})
        self._recipe = signatures, layout
        self._kernel = generated_kernel(
            define(identifier(py_func.__name__), text, {"cuda": cuda, "core": core}))

    _travels_whole = True

    def __reduce__(self):
        from numba.core.pickling import reduce_device_ufunc
        return reduce_device_ufunc(self)

    def __dask_tokenize__(self):
        from numba.core import tokens
        return tokens.token(self, None, self._core, self._recipe, self.max_blocksize)

    def __call__(self, *args, out=None, stream=0):
        inputs, outputs = ([_as_array(value) for value in values]
                           for values in self._split(args, out))
        version = self._choose(inputs, _converts)
        loop, shapes = self._measure(inputs)
        on_device = any(isinstance(array, _gridcell.DeviceNDArray) for array in inputs)
        if not outputs:
            outputs = [_empty(shape, dtype, on_device, stream)
                       for shape, dtype in zip(shapes, version[self.nin:])]
        self._run(inputs, self._fit_outputs(outputs, shapes), version, loop, stream)
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    def _run(self, inputs, outputs, version, loop, stream):
        count = int(np.prod(loop, dtype=np.int64))
        if count == 0:
            return
        is_emulated = get_context().device.is_emulated
        values = [_placed(array, dtype, loop, len(dims), is_emulated, stream)
                  for array, dtype, dims in zip(inputs, version, self._inputs)]
        results = []
        for array, dtype in zip(outputs, version[self.nin:]):
            is_direct = array.dtype == dtype and array.flags["C_CONTIGUOUS"] and \
                (is_emulated or not isinstance(array, np.ndarray))
            results.append(array if is_direct else _held(array, dtype, stream))
        flat = [_flat(result, count, len(loop)) for result in results]
        threads = min(BLOCK, self.max_blocksize, count)
        self._configured((count + threads - 1) // threads, threads, stream)(*values, *flat)
        for array, result in zip(outputs, results):
            if result is not array:
                array[...] = result.copy_to_host(stream=stream)


    def _configured(self, *configuration):
        """The kernel's launch. One of few blocks warns, as launches of users' kernels do; of copies none warns."""
        self._kernel._is_quiet = False
        try:
            return self._kernel[configuration]
        finally:
            self._kernel._is_quiet = True


def _as_array(value):
    if isinstance(value, (np.ndarray, _gridcell.DeviceNDArray)):
        return value
    if _gridcell.cuda_has_interface(value):
        return _gridcell.cuda_as_array(value)
    return np.asarray(value)


def _empty(shape, dtype, on_device, stream):
    if on_device:
        return _gridcell.cuda_device_array(shape, dtype, None, "C", stream)
    return np.empty(shape, dtype)


def _host(array, stream):
    return array if isinstance(array, np.ndarray) else array.copy_to_host(stream=stream)


def _held(array, dtype, stream):
    """What an array for the result holds, on the device: the function may read it, or leave parts as they are."""
    return _gridcell.cuda_to_device(np.ascontiguousarray(_host(array, stream), dtype), stream)


def _converts(have, want):
    """Whether numbers of one dtype may be given for another: safely, or (as in numba) to what holds fewer of them."""
    return np.can_cast(have, want) or np.can_cast(want, have)


def _converted(array, dtype):
    """The array with another dtype; it must not change integers, nor cut off fractions."""
    converted = array.astype(dtype)
    if dtype.kind in "iu" and not np.can_cast(array.dtype, dtype) and not np.array_equal(converted, array):
        raise TypeError(f"an input holds numbers that {dtype} does not hold, the dtype of the signature: "
                        f"it has the dtype {array.dtype}. Declare the function for that, or convert the input")
    return converted


def _placed(array, dtype, loop, core_ndim, is_emulated, stream):
    """An input with the loop's dimensions made one, of the dtype, where the kernel can read it."""
    core = array.shape[array.ndim - core_ndim:]
    count = int(np.prod(loop, dtype=np.int64))
    if isinstance(array, _gridcell.DeviceNDArray):
        if array.dtype != dtype:
            array = _host(array, stream)
        elif array.shape == loop + core and array.flags["C_CONTIGUOUS"]:
            return _flat(array, count, len(loop))
        else:
            whole = _gridcell.cuda_device_array(loop + core, dtype, None, "C", stream)
            whole.copy_to_device(_gridcell.cuda_broadcast(array, loop + core), stream=stream)
            return _flat(whole, count, len(loop))
    if array.dtype != dtype:
        array = _converted(array, dtype)
    host = np.ascontiguousarray(np.broadcast_to(array, loop + core)).reshape((count, *core))
    return host if is_emulated else _gridcell.cuda_to_device(host, stream)


def _flat(array, count, loop_ndim):
    return array.reshape((count, *array.shape[loop_ndim:]))


def guvectorize(function, signatures, layout, options):
    """The gufunc for target='cuda' of a function with declared signatures."""
    options = dict(options)
    options.pop("identity", None)
    if not options.pop("nopython", True):
        raise TypeError("nopython flag must be True")
    if options.pop("cache", False):
        raise TypeError("caching is not supported")
    if options.pop("writable_args", ()):
        raise TypeError("writable_args are not supported for target='cuda'")
    if options:
        raise TypeError("The following target options are not supported: "
                        + ", ".join(map(repr, options)))
    for signature in signatures:
        if str(signature.return_type or "none") != "none":
            raise TypeError("guvectorized functions cannot return values: signature "
                            f"{signature} specifies {signature.return_type} return type")
    return GUFunc(getattr(function, "py_func", function),
                  [signature.args for signature in signatures], layout)
