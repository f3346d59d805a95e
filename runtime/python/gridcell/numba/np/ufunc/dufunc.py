# SPDX-License-Identifier: MIT
"""Ufuncs that are compiled for the types they meet."""
import weakref

from gridcell import _gridcell as _extension
from numba.core.compiler_lock import global_compiler_lock
from numba.core.decorators import always_jit, parse_signatures
from numba.core.pickling import find_by_name, has_name, name_landing, register_ufunc, register_ufuncs
from numba.np.ufunc.object_mode import run_on_items


def _check(dispatcher, types):
    expected = dispatcher.__code__.co_argcount
    if len(types) != expected:
        raise TypeError(f"Signature mismatch: {len(types)} argument types given, "
                        f"but function takes {expected} arguments")


def _tell_of(ufunc, function):
    """Gives a ufunc of NumPy the names and the text of its function, for help(), inspect and doctest."""
    try:
        for name in ("__qualname__", "__doc__", "__module__", "__wrapped__"):
            setattr(ufunc, name, getattr(function, name) if name != "__wrapped__" else function)
    except AttributeError:  # a NumPy whose ufuncs take no attributes
        pass


def _ufunc(dispatcher, loops, identity):
    function = dispatcher.py_func
    return _extension.ufunc(dispatcher, tuple(loops), function.__name__, function.__doc__,
                            function.__code__.co_argcount, identity)


def _compile_loop(dispatcher, types, returns, parallel):
    """The loop of the function, or of one that has the interpreter run it."""
    if dispatcher.targetoptions.get("forceobj"):
        if returns is None:
            raise TypeError("return type must be specified for object mode")
        dispatcher = always_jit(run_on_items(dispatcher.py_func, returns))
    return _extension.ufunc_loop(dispatcher, types, returns, parallel)[0]


def as_ufunc(dispatcher, signatures, identity, parallel):
    """The NumPy ufunc with a loop for each signature, in their order."""
    loops = []
    for signature in signatures:
        _check(dispatcher, signature.args)
        for type_ in (*signature.args, signature.return_type):
            if type_ is not None:
                _extension.as_dtype(type_)
        loops.append(_compile_loop(dispatcher, signature.args, signature.return_type, parallel))
    if hasattr(dispatcher, "_told") and not dispatcher.targetoptions.get("forceobj"):  # the ufunc's own: not a function that jit made
        _extension.ufunc_declare(dispatcher, loops)
    ufunc = _ufunc(dispatcher, loops, identity)
    _tell_of(ufunc, dispatcher.py_func)
    register_ufunc(ufunc, dispatcher, signatures, identity, parallel)
    return ufunc


DUFunc = _extension.DUFunc


def make_dufunc(dispatcher, identity=None, parallel=False):
    """A ufunc that compiles a loop whenever none takes its arguments."""
    self = DUFunc(dispatcher, _ufunc(dispatcher, (), identity))
    dispatcher._dufunc = weakref.ref(self)
    register_ufuncs()
    self._identity = identity
    self._parallel = parallel
    self._loops = []        # capsules
    self._inputs = []       # for each loop, the dtypes that it takes
    self._accepted = set()  # types of arguments known to have a loop
    self._frozen = False    # whether no more loops are compiled
    for name in ("__name__", "__qualname__", "__doc__", "__module__", "__wrapped__"):
        setattr(self, name, getattr(dispatcher, name))
    return self


name_landing(make_dufunc)


def _method(function):
    setattr(DUFunc, function.__name__, function)
    return function


@_method
def __repr__(self):
    return f"<numba._DUFunc {self.__name__!r}>"


@_method
def __reduce__(self):
    if has_name(self, self.__wrapped__):
        return find_by_name, (self.__module__, self.__qualname__)
    return make_dufunc, (self._dispatcher, self._identity, self._parallel)


@_method
def __dask_tokenize__(self):
    from numba.core import tokens
    return tokens.token(self, None, self._dispatcher, self._identity, self._parallel)


@_method
def _has_loop(self, types):
    import numpy
    dtypes = [_extension.as_dtype(type_) for type_ in types]
    return any(all(numpy.can_cast(have, want, "safe") for have, want in zip(dtypes, inputs))
               for inputs in self._inputs)


@_method
def _ensure(self, types):
    """Compile for the types unless a loop takes them already."""
    if types not in self._accepted and not self._frozen:
        self._compile_unless_known(types)


@_method
@global_compiler_lock
def _compile_unless_known(self, types):
    if _extension.type_names["pyobject"] in types or not self._has_loop(types):
        self.add(types)
    self._accepted.add(types)


@_method
@global_compiler_lock
def add(self, sig):
    """Compile a loop for a signature, its text, or a tuple of types."""
    if isinstance(sig, str):
        sig, = parse_signatures([sig])
    returns = getattr(sig, "return_type", None)
    types = tuple(getattr(sig, "args", sig))
    _check(self._dispatcher, types)
    loop = _compile_loop(self._dispatcher, types, returns, self._parallel)
    inputs = [_extension.as_dtype(type_) for type_ in types]
    # NumPy tells loops apart by the kinds of their dtypes: of two units of time, the new one stays
    kept = [i for i, have in enumerate(self._inputs)
            if have == inputs or [d.num for d in have] != [d.num for d in inputs]]
    loops = [*(self._loops[i] for i in kept), loop]
    self.ufunc = _ufunc(self._dispatcher, loops, self._identity)
    self._accepted.clear()
    self._loops = loops
    self._inputs = [*(self._inputs[i] for i in kept), inputs]


@_method
def _give_over(self, *args, **kws):
    """The call, by an argument of a class that takes calls of ufuncs over itself (an array of Dask's)."""
    for value in args:
        take = getattr(type(value), "__array_ufunc__", None)
        if take is not None and not hasattr(value, "__array_interface__") \
                and not hasattr(value, "__cuda_array_interface__"):
            result = take(value, self, "__call__", *args, **kws)
            if result is not NotImplemented:
                return result
    return self.ufunc(*args, **kws)


@_method
def _compile_for_argtys(self, argtys, return_type=None):
    """What programs call to have a loop for the types."""
    self._ensure(tuple(argtys))


@_method
def build_ufunc(self):
    """The NumPy ufunc with the loops so far; none is added after it."""
    self._frozen = True
    return self.ufunc


@_method
def disable_compile(self):
    """From now on, arguments that no loop takes are an error."""
    self._frozen = True


@_method
@global_compiler_lock
def _ensure_reduction(self, element):
    """Compile a loop over one type, which reductions need, unless there is one."""
    import numpy
    have = _extension.as_dtype(element)
    if self._frozen:
        return
    for inputs in self._inputs:
        if all(want == inputs[0] for want in inputs) and numpy.can_cast(have, inputs[0], "safe"):
            return
    self.add((element,) * self.nin)


def _reduction(name):
    def call(self, array, *args, **kws):
        self._ensure_reduction(_extension.element_types(array)[0])
        return getattr(self.ufunc, name)(array, *args, **kws)
    call.__name__ = name
    return _method(call)


for _name in ("reduce", "accumulate", "reduceat"):
    _reduction(_name)


@_method
def outer(self, a, b, **kws):
    self._ensure(_extension.element_types(a, b))
    return self.ufunc.outer(a, b, **kws)


@_method
def at(self, a, indices, *b):
    self._ensure(_extension.element_types(a, *b))
    return self.ufunc.at(a, indices, *b)


def _of_ufunc(name):
    setattr(DUFunc, name, property(lambda self: getattr(self.ufunc, name)))


for _name in ("nin", "nout", "nargs", "identity"):
    _of_ufunc(_name)
DUFunc.ntypes = property(lambda self: len(self._loops))
DUFunc.types = property(lambda self: self.ufunc.types if self._loops else [])
DUFunc.signature = property(lambda self: None)
DUFunc.targetoptions = property(lambda self: {"nopython": True, "boundscheck": None,
                                              **self._dispatcher.targetoptions})
DUFunc.reorderable = property(lambda self: self._identity is not None)


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
