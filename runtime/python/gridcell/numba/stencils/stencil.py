# SPDX-License-Identifier: MIT
"""stencil: a function of a neighbourhood, applied to each place of an array."""
import functools
import types as python_types

from gridcell import _gridcell as _extension
from numba.core.errors import NumbaValueError

_OPTIONS = ("cval", "standard_indexing", "neighborhood")
_TOO_SMALL = ("Secondary stencil array has some dimension smaller the same dimension in the "
              "first stencil input.")


def _text(names, ndim, reach, others, takes_out, has_out, fills, parallel):
    """The loops over the places of an array, as source text."""
    axes = range(ndim)
    first = names[0]
    lines = [f"def stencil({', '.join(names + ['out'] * takes_out)}):"]
    lines += [f"    n{axis} = {first}.shape[{axis}]" for axis in axes]
    for other, is_out in [(name, False) for name in others] + [("out", True)] * has_out:
        smaller = " or ".join(f"{other}.shape[{axis}] < n{axis}" for axis in axes)
        what = "\"The array for the result is smaller than the first stencil input.\"" \
            if is_out else f"{_TOO_SMALL!r}"
        lines += [f"    if {smaller}:", f"        raise ValueError({what})"]
    if has_out:
        lines.append("    result = out")
    else:
        lines.append(f"    result = np.empty(({', '.join(f'n{axis}' for axis in axes)},), dtype)")
    for axis in axes:
        low, high = -reach[axis][0], reach[axis][1]
        lines += [f"    first{axis} = min({low}, n{axis})",
                  f"    last{axis} = max(n{axis} - {high}, first{axis})"]
    if fills:
        for axis in axes:
            before = ":, " * axis
            lines += [f"    result[{before}:first{axis}] = cval",
                      f"    result[{before}last{axis}:] = cval"]
    indent = "    "
    for axis in axes:
        loop = "prange" if parallel and axis == 0 else "range"
        lines.append(f"{indent}for i{axis} in {loop}(first{axis}, last{axis}):")
        indent += "    "
    places = [f"i{axis}" for axis in axes]
    lines += [f"{indent}result[{', '.join(places)}] = kernel({', '.join(names + places)})",
              "    return result", ""]
    return "\n".join(lines)


class StencilFunc:
    """A kernel that is applied to each place of an array: from Python, and compiled code."""

    _numbers = iter(range(1 << 62))

    def __init__(self, kernel, mode, options):
        functools.update_wrapper(self, kernel)
        self._kernel = kernel
        self.mode = mode
        self.options = dict(options)
        self.kws = []
        self.neighborhood = options.get("neighborhood")
        self.id = next(self._numbers)
        self._made = {}
        self.name = kernel.__name__
        self._capsule = _extension.overloaded_source(self, self.name)

    @property
    def __gridcell_source__(self):
        return self._capsule

    def __repr__(self):
        return object.__repr__(self)

    _travels_whole = True

    def __reduce__(self):
        from numba.core.pickling import reduce_stencil
        return reduce_stencil(self)

    def __dask_tokenize__(self):
        from numba.core import tokens
        return tokens.token(self, self._kernel, self.mode, self.options)

    def _standard(self, names):
        wanted = self.options.get("standard_indexing", ())
        wanted = [wanted] if isinstance(wanted, str) else list(wanted)
        if names[0] in wanted:
            raise NumbaValueError("The first argument to a stencil kernel must use relative "
                                  "indexing, not standard indexing.")
        if not set(wanted) <= set(names):
            raise NumbaValueError("Standard indexing requested for an array name not present in "
                                  "the stencil kernel definition.")
        return wanted

    def _reach(self, found, is_known, ndim):
        """The neighborhood: of the option, which the constants may widen, or of these."""
        given = self.options.get("neighborhood")
        if given is None:
            if not is_known:
                raise NumbaValueError("stencil kernel index is not constant, 'neighborhood' "
                                      "option required")
            reach = found
        else:
            reach = [tuple(int(end) for end in pair) for pair in given]
        if len(reach) != ndim or len(found) != ndim:
            raise NumbaValueError(
                f"{len(reach) if len(reach) != ndim else len(found)} dimensional neighborhood "
                f"specified for {ndim} dimensional input array")
        self.neighborhood = [list(pair) for pair in reach]
        return [(min(low, known[0]), max(high, known[1]))
                for (low, high), known in zip(reach, found)]

    def _result(self, kernel, kinds, ndim):
        """The type of what the kernel gives, which becomes the dtype."""
        from numba.core import types
        result = _extension.infer_result(kernel, (*kinds, *[types.int64] * ndim))
        if isinstance(result, types.Array):
            raise NumbaValueError("Stencil kernel must return a scalar and not a numpy array.")
        _extension.as_dtype(result)  # raises for what has no dtype
        cval = _extension.typeof(self.options.get("cval", 0))
        is_wide = isinstance(cval, types.Complex) and not isinstance(result, types.Complex)
        if is_wide or cval == types.unicode_type:
            raise NumbaValueError("cval type does not match stencil return type.")
        return result

    def _make(self, kinds, takes_out, has_out, parallel):
        from numba.core import types
        from numba.core.decorators import always_jit as njit
        from numba.core.dispatcher import prange
        from numba.core.made import make_function
        from numba.stencils.kernel import rewrite
        import numpy as np
        code = self._kernel.__code__
        names = list(code.co_varnames[:code.co_argcount])
        if len(kinds) != len(names):
            raise TypeError("Mismatch number of argument types")
        if not names or not isinstance(kinds[0], types.Array) or not kinds[0].ndim:
            raise NumbaValueError("The first argument to a stencil kernel must be an array.")
        standard = self._standard(names)
        ndim = kinds[0].ndim
        relative = [name for name, kind in zip(names, kinds)
                    if isinstance(kind, types.Array) and name not in standard]
        function, found, is_known = rewrite(self._kernel, relative, ndim)
        for name, kind in zip(names, kinds):
            if name in relative and kind.ndim != ndim:
                raise NumbaValueError(
                    f"'{name}' has {kind.ndim} dimensions, the first argument of the stencil "
                    f"has {ndim}: standard_indexing=(\"{name}\",) indexes it as usual.")
        reach = self._reach(found, is_known, ndim)
        kernel = njit(function)
        result = self._result(kernel, kinds, ndim)
        fills = not has_out or "cval" in self.options
        space = {"np": np, "kernel": kernel, "dtype": result, "prange": prange,
                 "cval": self._filling(result)}
        text = _text(names, ndim, reach, relative[1:], takes_out, has_out, fills, parallel)
        made = make_function(text, "stencil", space, f"stencil {self.name}")
        made.__name__ = made.__qualname__ = self.name
        return njit(parallel=parallel)(made)

    def _filling(self, result):
        import numpy as np
        value = np.asarray(self.options.get("cval", 0))
        return value.astype(_extension.as_dtype(result))[()]

    def choose_call(self, kinds, keywords, parallel=False):
        """The jitted loops for the types of a call; the last types are of its keywords."""
        has_out = "out" in keywords
        split = len(kinds) - len(keywords)
        out = kinds[split + list(keywords).index("out")] if has_out else None
        key = (tuple(kinds[:split]), has_out, has_out and str(out) != "none", bool(parallel))
        if key not in self._made:
            self._made[key] = self._make(*key)
        return self._made[key]

    def __call__(self, *args, **kwargs):
        out = kwargs.get("out")
        kinds = tuple(_extension.typeof(value) for value in args)
        if out is None:
            return self.choose_call(kinds, ())(*args)
        return self.choose_call((*kinds, _extension.typeof(out)), ("out",))(*args, out)


def stencil(func_or_mode="constant", **options):
    """stencil(function)

    Makes of a function of a neighbourhood, whose indices are relative to a place, a function
    of whole arrays.

    function: what is computed for each place. neighborhood=((low, high),...) says how far
    indices reach that are not constant; cval what the result has at the edge, where the
    neighbourhood leaves the array; standard_indexing=("name",) which arrays are indexed as
    usual. Gives an object that is called with the arrays, and out=array for the result; from
    Python and from compiled code, whose parallel=True it follows. Raises NumbaValueError.

    Example:
        import numpy as np

        @stencil
        def mean(a):
            return (a[-1] + a[0] + a[1]) / 3

        assert mean(np.arange(4.0)).tolist() == [0.0, 1.0, 2.0, 0.0]
    """
    mode = func_or_mode if isinstance(func_or_mode, str) else "constant"
    function = None if isinstance(func_or_mode, str) else func_or_mode
    if mode != "constant":
        raise NumbaValueError("Unsupported mode style " + mode)
    for name in options:
        if name not in _OPTIONS:
            raise NumbaValueError("Unknown stencil option " + name)

    def make(kernel):
        kernel = getattr(kernel, "py_func", kernel)
        if not isinstance(kernel, python_types.FunctionType):
            raise TypeError(f"{kernel!r} is not a callable object")
        return StencilFunc(kernel, mode, options)
    return make if function is None else make(function)


stencil.__gridcell_builtin__ = "numba.stencil"
