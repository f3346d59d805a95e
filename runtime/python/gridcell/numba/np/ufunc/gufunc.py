# SPDX-License-Identifier: MIT
"""guvectorize: functions of array parts, called over whole arrays.

A gufunc makes the dimensions that its layout does not name into one, and hands a generated kernel
arrays whose first axis is that loop; a subclass says where the kernel runs.
"""
import functools
import re

from gridcell import _gridcell as _extension
from numba.core.pickling import find_by_name, has_name
from numba.np.ufunc.decorators import check_target
from numba.core.decorators import njit, parse_signatures

_SYMBOLS = re.compile(r"\(([^()]*)\)")


def parse_layout(text):
    """The dimension names of "(n,m),(n)->(n)" as two lists of tuples."""
    inputs, arrow, outputs = text.replace(" ", "").partition("->")
    if not arrow:
        raise ValueError(f"the layout {text!r} lacks '->'")
    return tuple([tuple(filter(None, part.split(","))) for part in _SYMBOLS.findall(side)]
                 for side in (inputs, outputs))


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
        self._versions = [[_extension.cuda_dtype(getattr(type, "dtype", type))
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
                f"Got {len(args)}.")
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
        import numpy as np
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
    def _check_outputs(outputs, shapes):
        for array, shape in zip(outputs, shapes):
            if array.shape != shape:
                raise ValueError("output shape mismatch: %s vs. %s" % (array.shape, shape))


class HostGUFunc(GUFuncBase):
    """A gufunc that runs on the calling thread."""

    def __init__(self, py_func, signatures, layout, options):
        super().__init__(py_func, signatures, layout)
        from gridcell.cuda.generated import define, identifier
        text = (f"def {identifier(py_func.__name__)}({', '.join(self._names)}):\n"
                f"    for i in range({self._names[-1]}.shape[0]):\n"
                f"        core({self._parts})\n")
        core = njit(**options)(py_func)
        self._recipe = (core, signatures, layout, options)
        self._kernel = njit(define(identifier(py_func.__name__), text, {"core": core}))

    def __reduce__(self):
        if has_name(self, self.py_func):
            return find_by_name, (self.__module__, self.__qualname__)
        return _rebuild, self._recipe

    def __call__(self, *args, out=None):
        import numpy as np
        inputs, outputs = self._split(args, out)
        inputs = [np.asarray(value) for value in inputs]
        version = self._choose(inputs, lambda have, want: np.can_cast(have, want))
        loop, shapes = self._measure(inputs)
        results = [np.empty(shape, dtype) for shape, dtype in zip(shapes, version[self.nin:])]
        self._check_outputs(outputs, shapes)
        count = int(np.prod(loop, dtype=np.int64))
        flat = []
        for array, dtype, dims in zip(inputs, version, self._inputs):
            core = array.shape[array.ndim - len(dims):]
            whole = np.ascontiguousarray(np.broadcast_to(array, loop + core), dtype)
            flat.append(whole.reshape((count, *core)))
        for given, result in zip(outputs, results):
            result[...] = given
        flat += [result.reshape((count, *result.shape[len(loop):])) for result in results]
        if count:
            self._kernel(*flat)
        for given, result in zip(outputs, results):
            given[...] = result
        results = outputs or [result if result.shape else result[()] for result in results]
        return results[0] if len(results) == 1 else tuple(results)


def _rebuild(core, *recipe):
    return HostGUFunc(core.py_func, *recipe)


def guvectorize(ftylist, signature, target="cpu", identity=None, **kws):
    """Make a gufunc of a function that fills its last arguments.

    ftylist: the types of all arguments, inputs and outputs, as one signature or a list.
    signature: the layout, such as "(m,n),(n,p)->(m,p)".
    """
    target = check_target(target)
    signatures = parse_signatures(ftylist if isinstance(ftylist, list) else [ftylist])

    def wrap(function):
        function = getattr(function, "py_func", function)
        if target == "cuda":
            from gridcell import cuda
            return cuda._guvectorize(function, signatures, signature, identity=identity, **kws)
        options = {name: kws[name] for name in ("fastmath", "boundscheck") if name in kws}
        return HostGUFunc(function, [item.args for item in signatures], signature, options)
    return wrap
