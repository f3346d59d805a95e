# SPDX-License-Identifier: MIT
"""@vectorize(target='cuda'): a scalar function over arrays, as generated kernels.

For each signature there is a kernel for arguments that lie flat in memory, scalars being passed by
value, and one for each number of dimensions where shapes or strides differ.
"""
import functools

import numpy as np

from gridcell import _gridcell
from gridcell.warning import warn

from .cudadrv.devices import get_context
from .dispatcher import CUDADispatcher, _block_size, generated_kernel
from .generated import define, identifier, index_lines, index_text
from .landings import fits, landing, places

_NO_MATCH = ("No matching version.  GPU ufunc requires array arguments to have the exact types.  "
             "This behaves like regular ufunc with casting='no'.")
_AMBIGUOUS = ("Failed to resolve ufunc due to ambiguous signature. Too many untyped scalars. Use "
              "numpy dtype object to type tag.")


class Version:
    """The function for one signature."""

    def __init__(self, core, argtypes, return_type):
        self.core = core
        self.argtypes = argtypes
        self.return_type = return_type
        self.dtypes = tuple(_gridcell.cuda_dtype(type) for type in argtypes)
        self.result_dtype = _gridcell.cuda_dtype(return_type)
        self._kernels = {}

    def kernel(self, layouts, ndim):
        """The kernel for arguments of the layouts ('s': scalar, 'C', 'A') and out of the last."""
        known = self._kernels.get((layouts, ndim))
        if known is None:
            known = self._kernels[layouts, ndim] = self._generate(layouts, ndim)
        return known

    def _generate(self, layouts, ndim):
        from gridcell import cuda
        names = [f"a{number}" for number in range(len(self.argtypes))]
        index = "i" if ndim == 1 else index_text(ndim)
        values = [name if layout == "s" else f"{name}[{index}]"
                  for name, layout in zip(names, layouts)]
        split = index_lines(ndim, "        ") if ndim > 1 else ""
        text = (f"def {identifier(self.core.__name__)}({', '.join(names)}, out):\n"
                "    i = cuda.grid(1)\n"
                "    if i < out.size:\n"
                f"{split}"
                f"        out[{index}] = core({', '.join(values)})\n")
        function = define(identifier(self.core.__name__), text, {"cuda": cuda, "core": self.core})
        dispatcher = generated_kernel(function)
        types = [type if layout == "s" else _gridcell.Array(type, ndim, layout, True)
                 for type, layout in zip(self.argtypes, layouts)]
        types.append(_gridcell.Array(self.return_type, ndim, layouts[-1]))
        dispatcher._compile(types)
        dispatcher._can_compile = False
        return dispatcher


def _is_device(obj):
    return isinstance(obj, _gridcell.DeviceNDArray)


class Arguments:
    """The inputs of one call, told apart: device arrays, host arrays, scalars."""

    def __init__(self, args):
        self.values = []
        self.has_device = False
        shapes = []
        for arg in args:
            if type(arg) is np.ndarray or np.isscalar(arg):
                pass
            elif _is_device(arg):
                self.has_device = True
            elif _gridcell.cuda_has_interface(arg):
                arg = _gridcell.cuda_as_array(arg)
                self.has_device = True
            elif not isinstance(arg, np.ndarray):
                arg = np.asarray(arg)
            shape = getattr(arg, "shape", ())
            if isinstance(arg, np.ndarray) and not shape:
                arg = arg[()]
            if shape or _is_device(arg):
                shapes.append(shape)
            self.values.append(arg)
        self.is_scalar = not shapes
        self.shape = (1,) if not shapes else shapes[0]
        if any(shape != self.shape for shape in shapes):
            self.shape = self._broadcast(shapes)

    def _broadcast(self, shapes):
        shape = shapes[0]
        for number, other in enumerate(shapes[1:], 1):
            try:
                shape = np.broadcast_shapes(shape, other)
            except ValueError:
                raise ValueError("failed to broadcast argument #%d" % number) from None
        return shape


_facts = {}  # by device number


def _device_facts():
    """(is emulated, threads of a block) of the device in use."""
    number = _gridcell.cuda_current_device()
    known = _facts.get(number)
    if known is None:
        device = get_context().device
        known = _facts[number] = (device.is_emulated, _block_size(device))
    return known


class CUDAUFuncDispatcher:
    """A scalar function that is called on arrays and runs on the device."""
    __module__ = "numba.cuda.vectorizers"

    def __init__(self, py_func, signatures):
        self.py_func, self._recipe = py_func, (signatures,)
        functools.update_wrapper(self, py_func, updated=())
        self.max_blocksize = 1 << 30
        self._core = CUDADispatcher(py_func, {"device": True, "forceinline": True})
        self._versions = [Version(self._core, argtypes, return_type)
                          for argtypes, return_type in signatures]
        self.nin = len(signatures[0][0])
        self.nout = 1
        self._exact = {version.dtypes: version for version in reversed(self._versions)}

    _travels_whole = True

    def __reduce__(self):
        from numba.core.pickling import reduce_device_ufunc
        return reduce_device_ufunc(self)

    def __dask_tokenize__(self):
        from numba.core import tokens
        return tokens.token(self, None, self._core, self._recipe, self.max_blocksize)

    @property
    def functions(self):
        return {version.dtypes: (version.result_dtype, version.core)
                for version in self._versions}

    @property
    def types(self):
        return ["".join(dtype.char for dtype in version.dtypes) + "->" + version.result_dtype.char
                for version in self._versions]

    def __repr__(self):
        return f"<numba.cuda.vectorizers.CUDAUFuncDispatcher {self.__name__!r}>"

    # --- which version -----------------------------------------------------------------------

    def _choose(self, arguments):
        dtypes = tuple(getattr(value, "dtype", None) or np.asarray(value).dtype
                       for value in arguments.values)
        exact = self._exact.get(dtypes)
        if exact is not None:
            return exact
        fitting = [version for version in self._versions if all(
            not getattr(value, "shape", ()) and not _is_device(value) or dtype == wanted
            for value, dtype, wanted in zip(arguments.values, dtypes, version.dtypes))]
        if not fitting:
            raise TypeError(_NO_MATCH)
        if len(fitting) > 1:
            raise TypeError(_AMBIGUOUS)
        return fitting[0]

    # --- the call ----------------------------------------------------------------------------

    def __call__(self, *args, stream=0, out=None, **kws):
        if len(args) == self.nin and not kws:
            result = self._call_flat(args, out, stream)
            if result is not None:
                return result
        if kws:
            warn("unrecognized keywords: %s" % ", ".join(sorted(kws)), UserWarning,
                 "numba.cuda.vectorizers")
        if len(args) == self.nin + 1 and out is None:
            *args, out = args
        if len(args) != self.nin:
            raise TypeError(f"{self.__name__}() takes {self.nin} arguments, {len(args)} were given")
        if isinstance(out, tuple):
            out, = out
        arguments = Arguments(args)
        version = self._choose(arguments)
        device = get_context().device
        result = self._result(arguments, version, out, device, stream)
        self._run(arguments, version, result, device, stream)
        return result

    def _call_flat(self, args, out, stream):
        """The frequent case, for speed: exact types, one shape, nothing to move. None: it is not."""
        flat = _gridcell.cuda_flatten(args if out is None else (*args, out))
        if flat is None:
            return None
        dtypes, layouts, values, shape, has_device, has_host = flat
        is_emulated, threads = _device_facts()
        if has_host and (has_device or not is_emulated):
            return None
        if out is None:
            version = self._exact.get(dtypes)
            if version is None:
                return None
            if has_device:
                out = _gridcell.cuda_device_array(shape, version.result_dtype, None, "C", stream)
            else:
                out = np.empty(shape, version.result_dtype)
            values = (*values, out.reshape(-1) if len(shape) > 1 else out)
            layouts += "C"
        else:
            version = self._exact.get(dtypes[:-1])
            if version is None or layouts[-1] != "C" or dtypes[-1] != version.result_dtype:
                return None
        size = out.size
        if size:
            if threads > self.max_blocksize:
                threads = self.max_blocksize
            version.kernel(layouts, 1)[(size + threads - 1) // threads, threads, stream](*values)
        return out

    def _result(self, arguments, version, out, device, stream):
        """The array that the kernel fills: `out`, or a new one where the result belongs."""
        if out is not None:
            if not isinstance(out, np.ndarray):
                out = _gridcell.cuda_as_array(out)
            if out.shape != arguments.shape:
                raise ValueError("output shape mismatch: %s vs. %s" % (out.shape, arguments.shape))
            if out.dtype != version.result_dtype:
                raise TypeError("output dtype mismatch: %s vs. %s"
                                % (out.dtype, version.result_dtype))
            return out
        if arguments.has_device:
            return _gridcell.cuda_device_array(
                arguments.shape, version.result_dtype, None, "C", stream)
        return np.empty(arguments.shape, version.result_dtype)

    def _run(self, arguments, version, result, device, stream):
        if result.size == 0:
            return
        hosts = [value for value in (result, *arguments.values) if isinstance(value, np.ndarray)]
        if not device.is_emulated and isinstance(result, np.ndarray) and fits(hosts):
            with landing(get_context()) as buffer:
                found = iter(places(buffer, hosts))
                target = next(found)
                values = [_copied(value, next(found)) if isinstance(value, np.ndarray) else value
                          for value in arguments.values]
                self._launch(version, values, target, device, stream)
                (stream or get_context()).synchronize()
                result[...] = target
            return
        target = result
        if not device.is_emulated and not _is_device(result):
            target = _gridcell.cuda_device_array(result.shape, result.dtype, None, "C", stream)
        values = [_placed(value, device, stream) for value in arguments.values]
        self._launch(version, values, target, device, stream)
        if target is not result:
            target.copy_to_host(result, stream=stream)
            if stream:
                stream.synchronize()

    def _launch(self, version, values, target, device, stream):
        layouts, values, ndim = _laid_out(values, target)
        threads = min(_block_size(device), self.max_blocksize)
        blocks = (target.size + threads - 1) // threads
        version.kernel(layouts, ndim)[blocks, threads, stream](*values)

    def reduce(self, arg, stream=0):
        """Folds a 1-D array by the (binary) function; gives a host scalar."""
        if self.nin != 2:
            raise TypeError("must be a binary ufunc")
        if arg.ndim != 1:
            raise TypeError("must use 1d array")
        if arg.size == 0:
            raise TypeError("Reduction on an empty array.")
        work = _gridcell.cuda_device_array(arg.shape, arg.dtype, None, "C", stream)
        work.copy_to_device(arg, stream=stream)
        while work.size > 1:
            half = work.size // 2
            rest = work.size - half
            left = work[:half]
            self(left, work[rest:], out=left, stream=stream)
            work = work[:rest]
        return work[0]


def _copied(value, target):
    target[...] = value
    return target


def _placed(value, device, stream):
    """The argument where the kernel can read it: on the emulated device that is anywhere."""
    if device.is_emulated or not isinstance(value, np.ndarray):
        return value
    base = value
    if not (value.flags.c_contiguous or value.flags.f_contiguous):
        base = np.ascontiguousarray(value)
    return _gridcell.cuda_to_device(base, stream)


def _laid_out(values, out):
    """(layouts, arguments, ndim) for the kernel: flat where all arrays are, else broadcast."""
    shape = out.shape
    if all(not getattr(value, "shape", ()) and not _is_device(value)
           or value.shape == shape and value.flags["C_CONTIGUOUS"] for value in (*values, out)):
        layouts = "".join("C" if getattr(value, "shape", ()) else "s" for value in values) + "C"
        return layouts, [value.reshape(-1) if layout == "C" else value
                         for value, layout in zip((*values, out), layouts)], 1
    ndim = max(1, len(shape))
    views = [_broadcast(value, shape or (1,)) for value in (*values, out)]
    layouts = "".join("A" if hasattr(view, "strides") and getattr(view, "shape", ()) else "s"
                      for view in views)
    return layouts, views, ndim


def _broadcast(value, shape):
    """A view of the whole shape, with strides of 0; scalars stay as they are."""
    if isinstance(value, np.ndarray):
        return np.broadcast_to(value, shape) if value.shape != shape else value
    if not _is_device(value):
        return value
    if value.shape == shape:
        return value
    return _gridcell.cuda_broadcast(value, shape)


def vectorize(function, signatures, options):
    """The ufunc for target='cuda' of a scalar function with declared signatures."""
    options = dict(options)
    if options.pop("cache", False):
        raise TypeError("caching is not supported")
    if options.pop("nopython", None) is not None:
        warn("nopython kwarg for cuda target is redundant", RuntimeWarning, "numba.cuda.vectorizers")
    if options:
        raise KeyError("Unrecognized options. cuda vectorize target does not support option: '%s'"
                       % next(iter(options)))
    if not signatures:
        raise TypeError("vectorize(target='cuda') needs signatures")
    function = getattr(function, "py_func", function)
    return CUDAUFuncDispatcher(function, [
        (signature.args, signature.return_type or _returned(function, signature.args))
        for signature in signatures])


def _returned(function, argtypes):
    """What the function gives where the signature does not say."""
    from .compiler import compile_ptx
    return compile_ptx(function, tuple(argtypes), device=True)[1]
