# SPDX-License-Identifier: MIT
"""Ufuncs that are compiled for the types they meet."""
from gridcell import _gridcell as _extension


def _check(dispatcher, types):
    expected = dispatcher.__code__.co_argcount
    if len(types) != expected:
        raise TypeError(f"Signature mismatch: {len(types)} argument types given, "
                        f"but function takes {expected} arguments")


def _ufunc(dispatcher, loops, identity):
    function = dispatcher.py_func
    return _extension.ufunc(dispatcher, tuple(loops), function.__name__, function.__doc__,
                            function.__code__.co_argcount, identity)


def as_ufunc(dispatcher, signatures, identity, parallel):
    """The NumPy ufunc with a loop for each signature, in their order."""
    loops = []
    for signature in signatures:
        _check(dispatcher, signature.args)
        for type_ in (*signature.args, signature.return_type):
            if type_ is not None:
                _extension.as_dtype(type_)
        loops.append(_extension.ufunc_loop(
            dispatcher, signature.args, signature.return_type, parallel)[0])
    return _ufunc(dispatcher, loops, identity)


class DUFunc:
    """A ufunc that compiles a loop whenever none takes its arguments."""

    def __init__(self, dispatcher, identity=None, parallel=False):
        self._dispatcher = dispatcher
        self._identity = identity
        self._parallel = parallel
        self._loops = []       # capsules
        self._inputs = []      # for each loop, the dtypes that it takes
        self._accepted = set()  # types of arguments known to have a loop
        self.ufunc = _ufunc(dispatcher, (), identity)
        self.__name__ = dispatcher.__name__
        self.__qualname__ = dispatcher.__qualname__
        self.__doc__ = dispatcher.__doc__
        self.__module__ = dispatcher.__module__
        self.__wrapped__ = dispatcher.py_func

    @property
    def __gridcell_scalar__(self):
        return self._dispatcher

    def __repr__(self):
        return f"<numba._DUFunc {self.__name__!r}>"

    def __reduce__(self):
        return DUFunc, (self._dispatcher, self._identity, self._parallel)

    def _has_loop(self, types):
        import numpy
        dtypes = [_extension.as_dtype(type_) for type_ in types]
        return any(all(numpy.can_cast(have, want, "safe") for have, want in zip(dtypes, inputs))
                   for inputs in self._inputs)

    def _ensure(self, types):
        """Compile for the types unless a loop takes them already."""
        if types in self._accepted:
            return
        if _extension.type_names["pyobject"] in types or not self._has_loop(types):
            self.add(types)
        self._accepted.add(types)

    def add(self, sig):
        """Compile a loop for a signature or a tuple of types."""
        returns = getattr(sig, "return_type", None)
        types = tuple(getattr(sig, "args", sig))
        _check(self._dispatcher, types)
        loop, _ = _extension.ufunc_loop(self._dispatcher, types, returns, self._parallel)
        loops = [*self._loops, loop]
        self.ufunc = _ufunc(self._dispatcher, loops, self._identity)
        self._loops = loops
        self._inputs.append([_extension.as_dtype(type_) for type_ in types])

    def __call__(self, *args, **kws):
        count = self.nin
        if len(args) >= count:
            types = _extension.element_types(*args[:count])
            if types not in self._accepted:
                overriding = [arg for arg in args if hasattr(type(arg), "__array_ufunc__")
                              and not hasattr(arg, "__array_interface__")]
                if not overriding:
                    self._ensure(types)
        return self.ufunc(*args, **kws)

    def _reduced(self, array):
        element = _extension.element_types(array)[0]
        self._ensure((element,) * self.nin)

    def reduce(self, array, *args, **kws):
        self._reduced(array)
        return self.ufunc.reduce(array, *args, **kws)

    def accumulate(self, array, *args, **kws):
        self._reduced(array)
        return self.ufunc.accumulate(array, *args, **kws)

    def reduceat(self, array, *args, **kws):
        self._reduced(array)
        return self.ufunc.reduceat(array, *args, **kws)

    def outer(self, a, b, **kws):
        self._ensure(_extension.element_types(a, b))
        return self.ufunc.outer(a, b, **kws)

    def at(self, a, indices, *b):
        self._ensure(_extension.element_types(a, *b))
        return self.ufunc.at(a, indices, *b)

    @property
    def nin(self):
        return self.ufunc.nin

    @property
    def nout(self):
        return self.ufunc.nout

    @property
    def nargs(self):
        return self.ufunc.nargs

    @property
    def ntypes(self):
        return len(self._loops)

    @property
    def types(self):
        return self.ufunc.types if self._loops else []

    @property
    def identity(self):
        return self.ufunc.identity

    @property
    def signature(self):
        return None
