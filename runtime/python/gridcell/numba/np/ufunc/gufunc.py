# SPDX-License-Identifier: MIT
"""guvectorize: NumPy gufuncs of functions of array parts.

A generated function loops over the first axis of every operand and calls the user's with the parts;
runtime/host/dispatch/py_gufunc.c makes a loop of NumPy of it.
"""
import functools

from gridcell import _gridcell as _extension
from numba.core import caching, errors
from numba.core.compiler_lock import global_compiler_lock
from numba.core.decorators import always_jit, check_mode, compiler_options, parse_signatures
from numba.core.pickling import find_by_name, has_name, name_landing, register_ufuncs
from numba.np.ufunc.compiled_calls import call_function
from numba.np.ufunc.decorators import check_target
from numba.np.ufunc.layout import dimension_numbers, parse_layout
from numba.np.ufunc.object_mode import run_on_parts

_OPTIONS = ("boundscheck", "fastmath", "forceobj", "nopython", "writable_args", "cache", "debug",
            "locals", "error_model")
_TOO_FEW = ("Too few arguments for function '{name}'. Note that the pattern "
            "`out = gufunc(Arg1, Arg2, ..., ArgN)` is not allowed. Use "
            "`gufunc(Arg1, Arg2, ..., ArgN, out) instead.")


def _core(function, options):
    """The user's function, jitted; it divides as NumPy does."""
    if isinstance(function, _extension.CPUDispatcher):
        return function
    unknown = set(options) - set(_OPTIONS)
    if unknown:
        raise KeyError(f"Unrecognized options: {unknown}. "
                       f"Known options are {dict.fromkeys(_OPTIONS).keys()}")
    kept = {name: options[name] for name in ("fastmath", "boundscheck", "debug", "locals", "forceobj")
            if options.get(name) is not None}
    check_mode(options)
    told = compiler_options({"error_model": "numpy", **kept, "nopython": True})
    core = _extension.CPUDispatcher(function, told, kept)
    core._told = told
    if options.get("cache") or caching.wants_all():
        caching.attach(core)
    return core


class _Builder:
    """What loops of one gufunc have in common."""

    def __init__(self, core, layout, identity, writable_args, parallel):
        self.core, self.layout, self.identity = core, layout, identity
        self.parallel = parallel
        self.inputs, self.outputs = parse_layout(layout)
        self.operands = self.inputs + self.outputs
        self.numbers = dimension_numbers(self.operands)
        count = core.__code__.co_argcount
        if count != len(self.operands):
            raise TypeError(f"Signature mismatch: the layout {layout!r} has {len(self.operands)} "
                            f"operands, but function takes {count} arguments")
        self.writable = self._writable(writable_args)

    def _writable(self, args):
        names = self.core.__code__.co_varnames
        positions = [names.index(arg) if isinstance(arg, str) and arg in names else arg
                     for arg in args]
        for position in positions:
            if not isinstance(position, int) or not 0 <= position < len(self.inputs):
                raise ValueError(f"writable_args: {position!r} is not an input of "
                                 f"{self.core.__name__}()")
        return tuple(positions)

    def check(self, types):
        if len(types) != len(self.operands):
            raise TypeError(f"Signature mismatch: {len(types)} argument types given, "
                            f"but function takes {len(self.operands)} arguments")
        for number, (type_, dims) in enumerate(zip(types, self.operands)):
            ndim = getattr(type_, "ndim", 0)
            if ndim != len(dims) and not (ndim == 1 and not dims):
                raise TypeError(
                    f"argument {number} of {self.core.__name__}() is {type_}, but the layout "
                    f"{self.layout!r} gives it {len(dims)} dimension{'s'[:len(dims) != 1]}")
            if not ndim and number >= len(self.inputs):
                raise errors.TypingError(
                    f"argument {number} of {self.core.__name__}() is an output, which the function "
                    f"fills: its type must be {type_}[:], not {type_}")

    def loop(self, types):
        """The compiled loop for the types of all operands."""
        from gridcell.cuda.generated import define, identifier
        self.check(types)
        names = [f"a{number}" for number in range(len(types))]
        parts = ", ".join(
            f"{name}[i:i + 1]" if not dims and hasattr(type_, "ndim") else f"{name}[i]"
            for name, dims, type_ in zip(names, self.operands, types))
        core = self.core
        if core.targetoptions.get("forceobj"):
            written = (*self.writable, *range(len(self.inputs), len(types)))
            core = always_jit(run_on_parts(core.py_func, types, written))
        name = identifier(core.__name__)
        text = (f"def {name}({', '.join(names)}):\n"
                f"    for i in range({names[-1]}.shape[0]):\n"
                f"        core({parts})\n")
        told = compiler_options({"nopython": True})
        kernel = _extension.CPUDispatcher(define(name, text, {"core": core}), told, {})
        caching.share(kernel, self.core)
        dtypes = tuple(getattr(type_, "dtype", type_) for type_ in types)
        return _extension.gufunc_loop(kernel, dtypes, self.numbers, self.parallel)

    def ufunc(self, loops, signatures):
        """The NumPy gufunc of the loops."""
        function = self.core.py_func
        recipe = (self.core, self.layout, self.identity, self.writable, self.parallel,
                  list(signatures))
        return _extension.gufunc(tuple(loops), recipe, function.__name__, function.__doc__,
                                 len(self.inputs), len(self.outputs), self.layout, self.identity,
                                 self.writable)


class GUFunc:
    """A gufunc with loops for its signatures; without signatures, for the types it meets."""

    def __init__(self, py_func, signature, identity=None, cache=None, is_dynamic=False,
                 targetoptions=None, writable_args=(), parallel=False):
        self._builder = _Builder(_core(py_func, targetoptions or {}), signature, identity,
                                 writable_args, parallel)
        self._is_dynamic, self._frozen = is_dynamic, False
        self._loops, self._types = [], []  # in the order in which NumPy tries them
        for name in ("__name__", "__qualname__", "__doc__", "__module__", "__wrapped__"):
            setattr(self, name, getattr(self._builder.core, name))
        self.build_ufunc()
        register_ufuncs()

    def __repr__(self):
        return f"<numba._GUFunc '{self.__name__}'>"

    def __reduce__(self):
        if has_name(self, self.__wrapped__):
            return find_by_name, (self.__module__, self.__qualname__)
        builder = self._builder
        return _rebuild_growing, (builder.core, builder.layout, builder.identity, builder.writable,
                          builder.parallel, self._types, self._is_dynamic, self._frozen)

    def __dask_tokenize__(self):
        from numba.core import tokens
        builder = self._builder
        return tokens.token(self, None, builder.core, builder.layout, builder.identity, builder.writable, builder.parallel,
                            None if self._is_dynamic else self._types)

    # --- loops

    def _fits(self, have, want):
        import numpy as np
        count = len(self._builder.inputs)
        as_dtype = _extension.as_dtype
        return all(np.can_cast(as_dtype(getattr(a, "dtype", a)), as_dtype(getattr(b, "dtype", b)))
                   for a, b in zip(have[:count], want[:count]))

    @global_compiler_lock
    def add(self, fty):
        """Compile a loop for a signature; NumPy tries it before those that its types fit."""
        returns = getattr(fty, "return_type", None)
        if returns not in (None, _extension.type_names["none"]):
            raise errors.TypingError(
                f"a function of guvectorize fills its last arguments: the signature of "
                f"{self.__name__}() must return nothing, not {returns}")
        types = tuple(getattr(fty, "args", fty))
        if types in self._types:
            return
        loop = self._builder.loop(types)
        place = len(self._types)
        if self._is_dynamic:
            place = next((at for at, others in enumerate(self._types)
                          if self._fits(types, others)), place)
        loops, lists = [*self._loops], [*self._types]
        loops.insert(place, loop)
        lists.insert(place, types)
        # first: other threads call it for the types that are listed
        self.ufunc = self._builder.ufunc(loops, lists)
        self._loops, self._types = loops, lists

    def build_ufunc(self):
        self.ufunc = self._builder.ufunc(self._loops, self._types)
        return self

    def disable_compile(self):
        """Call with the loops of now only."""
        self._frozen = True

    def match_signature(self, ewise_types, sig):
        return tuple(getattr(type_, "dtype", type_) for type_ in sig.args) == tuple(ewise_types)

    def _types_of(self, args, out):
        builder = self._builder
        outputs = out if isinstance(out, tuple) else () if out is None else (out,)
        given = (*args, *outputs)
        if len(given) < len(builder.operands):
            raise TypeError(_TOO_FEW.format(name=self.__name__))
        if len(given) > len(builder.operands):
            return None  # NumPy says what is wrong
        types = []
        for number, (element, dims) in enumerate(zip(_extension.element_types(*given),
                                                     builder.operands)):
            ndim = len(dims) if dims or number < len(builder.inputs) else 1
            types.append(element[(slice(None),) * ndim] if ndim else element)
        return tuple(types)

    # --- being called

    def __call__(self, *args, out=None, **kws):
        if out is not None:
            kws["out"] = out
        if not self._frozen and self._is_dynamic:
            types = self._types_of(args, out)
            if types is not None and types not in self._types:
                self.add(types)
        return self.ufunc(*args, **kws)

    def _by_ufunc(self, name, given, args, kws):
        """A method of the ufunc, whose loop for the types of `given` there is then; a layout with dimensions has none."""
        if self._is_dynamic and not self._frozen and not any(self._builder.operands):
            types = self._types_of(given, ())
            if types not in self._types:
                self.add(types)
        return getattr(self.ufunc, name)(*args, **kws)

    def reduce(self, array, *args, **kws):
        return self._by_ufunc("reduce", (array,) * self.nargs, (array, *args), kws)

    def accumulate(self, array, *args, **kws):
        return self._by_ufunc("accumulate", (array,) * self.nargs, (array, *args), kws)

    def reduceat(self, array, indices, *args, **kws):
        return self._by_ufunc("reduceat", (array,) * self.nargs, (array, indices, *args), kws)

    def outer(self, a, b, **kws):
        return self._by_ufunc("outer", (a, b, a), (a, b), kws)

    def at(self, a, indices, *b):
        return self._by_ufunc("at", (a, *b, a), (a, indices, *b), {})

    @functools.cached_property
    def __gridcell_function__(self):
        """What compiled code calls."""
        scalars = [types for types in self._types[:1]]
        return call_function(self._builder, scalars[0] if scalars else None)

    is_dynamic = property(lambda self: self._is_dynamic)
    signature = property(lambda self: self.ufunc.signature)
    nin = property(lambda self: self.ufunc.nin)
    nout = property(lambda self: self.ufunc.nout)
    nargs = property(lambda self: self.ufunc.nargs)
    ntypes = property(lambda self: self.ufunc.ntypes)
    types = property(lambda self: self.ufunc.types)
    identity = property(lambda self: self.ufunc.identity)

    def expected_ndims(self):
        """How many axes of each input and output the function takes, as two tuples."""
        return tuple(tuple(len(dims) for dims in side) for side in (self._builder.inputs, self._builder.outputs))


def _rebuild_growing(core, layout, identity, writable, parallel, types, is_dynamic, is_frozen):
    made = GUFunc(core, layout, identity, None, is_dynamic, None, writable, parallel)
    for item in types:
        made.add(item)
    made._frozen = is_frozen
    return made


name_landing(_rebuild_growing)


def parallel_gufunc(function, layout, identity, signatures, writable, options):
    """The NumPy gufunc whose outer loop runs on several threads."""
    builder = _Builder(_core(function, options), layout, identity, writable, True)
    types = [tuple(getattr(item, "args", item)) for item in signatures]
    register_ufuncs()
    return builder.ufunc([builder.loop(item) for item in types], types)


def guvectorize(*args, **kwargs):
    """Make a gufunc of a function that fills its last arguments.

    guvectorize(signatures, layout): compiled for the signatures (one, or a list) at once;
    guvectorize(layout): for the types of the arrays that it is called with.
    layout: the dimensions of each argument, such as "(m,n),(n,p)->(m,p)".
    target: 'cpu', 'parallel' (several threads) or 'cuda'. writable_args: inputs, by position or
    name, that the function also writes to.
    """
    if len(args) == 1:
        given, layout = [], args[0]
    elif len(args) == 2:
        given, layout = args
    elif "signature" in kwargs and len(args) < 2:
        given, layout = kwargs.pop("ftylist", []), kwargs.pop("signature")
    else:
        raise TypeError("guvectorize() takes one or two positional arguments")
    target = check_target(kwargs.pop("target", "cpu"))
    identity = kwargs.pop("identity", None)
    if identity not in (0, 1, None, "reorderable"):
        raise ValueError(f"Invalid identity value {identity!r}")
    signatures = parse_signatures(list(given) if isinstance(given, (list, tuple)) else [given])

    def wrap(function):
        if target == "cuda":
            from gridcell import cuda
            return cuda._guvectorize(getattr(function, "py_func", function), signatures, layout,
                                     identity=identity, **kwargs)
        writable = kwargs.get("writable_args", ())
        if target == "parallel" and signatures:
            return parallel_gufunc(function, layout, identity, signatures, writable, kwargs)
        made = GUFunc(function, layout, identity, None, not signatures, kwargs, writable,
                      target == "parallel")
        for signature in signatures:
            made.add(signature)
        if signatures:
            made.disable_compile()
        return made
    return wrap


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
