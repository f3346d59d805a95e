# SPDX-License-Identifier: MIT
"""Pickling of jitted functions and ufuncs: by name where importing gives them, else whole.

Whole is: the code, its source text (the compiler reads that), defaults, captured variables, the
globals that it names, options and signatures. What lands compiles again there; the same function
pickled twice is one function.
"""
import marshal
import sys
import types as python_types
import weakref

from gridcell import _gridcell as _extension, landing
from numba.core import caching

_known = weakref.WeakValueDictionary()  # identity -> function of this process
_recent = {}                            # those that came last, by identity: the next task may bring them again
_RECENT = 128                           # of them at most
_in_check = set()                       # ids of functions being looked into
_parts = weakref.WeakKeyDictionary()    # function -> its code, and what never changes of a function with that code
_is_passed_on = False                   # whether functions are only carried through this process


class _Module:
    """A module, which pickle does not take."""

    def __init__(self, name):
        self.name = name

    def __reduce__(self):
        import importlib
        return importlib.import_module, (self.name,)


def find_by_name(module, qualname):
    """The object that importing a module gives under a name."""
    import importlib
    found = importlib.import_module(module)
    for part in qualname.split("."):
        found = getattr(found, part)
    return found


def has_name(value, function):
    """Whether importing the module of `function` gives `value` under the function's name."""
    if function.__module__ in ("__main__", "__mp_main__"):
        return False
    found = sys.modules.get(function.__module__)
    if getattr(getattr(found, "__spec__", None), "origin", None) is None:
        return False
    for part in function.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is value


def _identity(value):
    """A name for the function that no other process gives."""
    name = getattr(value, "_identity", None)
    if name is None:
        import uuid
        name = value._identity = uuid.uuid4().hex
        _known[name] = value
    return name


class _Closed:
    """What plain pickle does not take (a lambda), as the bytes that cloudpickle makes of it."""

    def __init__(self, content):
        self.content = content

    def __reduce__(self):
        import pickle
        return pickle.loads, (self.content,)


def _travelling(function, name, value):
    """What stands for a variable of a function in a pickle; PicklingError where it must stay here."""
    if isinstance(value, python_types.ModuleType):
        return _Module(value.__name__)
    if isinstance(value, (int, float, complex, str, bytes, bool, type(None), _extension.CPUDispatcher)) or \
            hasattr(type(value), "_travels_whole"):
        return value  # functions of ours say by themselves what of theirs must stay
    import pickle
    try:
        pickle.dumps(value)
        return value
    except Exception as error:
        failure = error
    try:
        import cloudpickle
        return _Closed(cloudpickle.dumps(value))
    except Exception:
        kind = type(value)
        raise pickle.PicklingError(
            f"{function.__qualname__}() uses {name}, a {kind.__module__}.{kind.__qualname__} that cannot be taken "
            f"to another process ({failure}): make it inside of the function, or give what it holds as an argument"
        ) from failure


def carried(function, values):
    """A dict of variables as it is pickled; modules by their names."""
    return {name: _travelling(function, name, value) for name, value in values.items()}


def _names(code):
    """The globals that code reads: names of attributes alone are none."""
    import dis
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, python_types.CodeType):
            yield from _names(constant)


def captured_by(function):
    """The variables of outer functions that a function refers to, by their names."""
    if not function.__closure__:
        return {}
    values = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__):
        try:
            values[name] = cell.cell_contents
        except ValueError:
            pass  # not assigned yet
    return values


def _parts_of(function):
    """(what makes the bare function, the globals that it names); found once, as each task takes its function along"""
    code = function.__code__
    known = _parts.get(function)
    if known is None or known[0] is not code:
        import linecache
        text = "".join(linecache.getlines(code.co_filename, function.__globals__))
        known = _parts[function] = code, marshal.dumps(code), text, tuple(dict.fromkeys(_names(code)))
    _, content, text, names = known
    return (content, code.co_filename, text, function.__module__, function.__name__, function.__qualname__), names


def names_of(function):
    """The globals that a function names."""
    return _parts_of(function)[1]


def _describe(owner, function):
    """(what makes the bare function, what it refers to)"""
    bare, names = _parts_of(function)
    if id(owner) in _in_check:
        return bare, None
    _in_check.add(id(owner))
    try:
        globals_ = {name: function.__globals__[name] for name in names if name in function.__globals__}
        refers = (carried(function, globals_), carried(function, captured_by(function)), function.__defaults__,
                  function.__kwdefaults__, function.__doc__)
    finally:
        _in_check.discard(id(owner))
    return bare, refers


def _make_function(bare):
    import linecache
    code, file, text, module, name, qualname = bare
    if file not in linecache.cache:
        linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    code = marshal.loads(code)
    namespace = {"__name__": module, "__builtins__": __builtins__}
    cells = tuple(python_types.CellType() for _ in code.co_freevars)
    function = python_types.FunctionType(code, namespace, name, None, cells)
    function.__qualname__ = qualname
    return function


def _fill_function(function, refers):
    globals_, captured, defaults, keyword_defaults, doc = refers
    function.__globals__.update(globals_)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        if name in captured:
            cell.cell_contents = captured[name]
    function.__defaults__ = defaults
    function.__kwdefaults__ = keyword_defaults
    function.__doc__ = doc


def _known_or(identity, make):
    """The object of that identity that this process has, else a new one, still to be filled."""
    known = _known.get(identity)
    if known is None:
        known = _known[identity] = make()
        known._identity = identity
        known._is_whole = False
    _recent.pop(identity, None)
    _recent[identity] = known
    while len(_recent) > _RECENT:
        _recent.pop(next(iter(_recent)), None)
    return known


def _fill_once(made, function, refers):
    """Whether what is made of the function was still without what it refers to, and has it now."""
    if refers is None or getattr(made, "_is_whole", True):
        return False
    made._is_whole = True
    _fill_function(function, refers)
    return True


# --- functions of jit


def _rebuild_dispatcher(identity, bare, told, options):
    def make():
        made = _extension.CPUDispatcher(_make_function(bare), told, options)
        made._told = told
        return made
    return _known_or(identity, make)


def _fill(rebuilt, refers, signatures, is_cached=False):
    """Gives a rebuilt function or kernel what it refers to, once; then its signatures compile."""
    if not _fill_once(rebuilt, rebuilt.py_func, refers):
        return
    if is_cached:
        caching.attach(rebuilt)
    if _is_passed_on:
        rebuilt._waiting = is_cached, list(signatures or ())
        return
    for signature in signatures or ():
        rebuilt.compile(signature)
    if signatures:
        rebuilt.disable_compile()


def compile_when_used():
    """Functions that arrive are only carried on from here, by a scheduler: their signatures stay uncompiled."""
    global _is_passed_on
    _is_passed_on = True


def _fill_dispatcher(dispatcher, state):
    _fill(dispatcher, *state)


def _by_name(compiled):
    """What pickle keeps of a function or kernel that can be imported; None of others."""
    function = compiled.py_func
    if has_name(compiled, function):
        return find_by_name, (function.__module__, function.__qualname__)
    return None


def reduce_dispatcher(dispatcher):
    """What pickle keeps of a function of jit."""
    named = _by_name(dispatcher)
    if named:
        return named
    told = getattr(dispatcher, "_told", None)
    if told is None:
        from numba.core.decorators import compiler_options
        told = compiler_options(dispatcher.targetoptions)
    bare, refers = _describe(dispatcher, dispatcher.py_func)
    signatures = [] if dispatcher._can_compile else dispatcher.nopython_signatures
    is_cached = isinstance(dispatcher._cache, caching.Cache)
    if hasattr(dispatcher, "_waiting"):
        is_cached, signatures = dispatcher._waiting
    made = (_identity(dispatcher), bare, told, dict(dispatcher.targetoptions))
    return _rebuild_dispatcher, made, (refers, signatures, is_cached), None, None, _fill_dispatcher


# --- intrinsics


def _rebuild_intrinsic(identity, bare, prefer_literal):
    from numba.extending import intrinsic
    return _known_or(identity, lambda: intrinsic(_make_function(bare), prefer_literal=prefer_literal))


def _fill_intrinsic(made, refers):
    _fill_once(made, made.function, refers)


def reduce_intrinsic(made):
    """What pickle keeps of an intrinsic."""
    if has_name(made, made.function):
        return find_by_name, (made.__module__, made.__qualname__)
    bare, refers = _describe(made, made.function)
    return _rebuild_intrinsic, (_identity(made), bare, made.prefer_literal), refers, None, None, _fill_intrinsic


# --- stencils


def _rebuild_stencil(identity, bare, mode, options):
    from numba.stencils.stencil import StencilFunc
    return _known_or(identity, lambda: StencilFunc(_make_function(bare), mode, options))


def _fill_stencil(stencil, refers):
    _fill_once(stencil, stencil._kernel, refers)


def reduce_stencil(stencil):
    """What pickle keeps of a stencil."""
    kernel = stencil._kernel
    if has_name(stencil, kernel):
        return find_by_name, (kernel.__module__, kernel.__qualname__)
    bare, refers = _describe(stencil, kernel)
    made = (_identity(stencil), bare, stencil.mode, stencil.options)
    return _rebuild_stencil, made, refers, None, None, _fill_stencil


# --- kernels


def _rebuild_kernel(identity, bare, options):
    from gridcell.cuda.dispatcher import CUDADispatcher
    return _known_or(identity, lambda: CUDADispatcher(_make_function(bare), options))


def _fill_kernel(kernel, state):
    _fill(kernel, *state)


def reduce_kernel(kernel):
    """What pickle keeps of a function of cuda.jit; it compiles at its next launch."""
    named = _by_name(kernel)
    if named:
        return named
    bare, refers = _describe(kernel, kernel.py_func)
    made = (_identity(kernel), bare, kernel.targetoptions)
    declared = kernel._waiting[1] if hasattr(kernel, "_waiting") else kernel._declared()
    return _rebuild_kernel, made, (refers, declared), None, None, _fill_kernel


def _rebuild_launch(kernel, grid, block, shared_bytes):
    return kernel[grid, block, 0, shared_bytes]


def reduce_launch(launch):
    """What pickle keeps of kernel[grid, block, ...]."""
    import pickle
    if launch.stream:
        raise pickle.PicklingError(
            f"{launch.dispatcher.py_func.__name__}[...] is bound to {launch.stream}, which no other process "
            "knows: pickle the kernel, and choose grid, block and stream there")
    if launch.pre_launch_callbacks:
        raise pickle.PicklingError(
            "Cannot pickle configured launches with pre-launch callbacks: they are this process's. Pickle the kernel, "
            "and choose grid and block there")
    return _rebuild_launch, (launch.dispatcher, launch.griddim, launch.blockdim, launch.sharedmem)


def _rebuild_device_ufunc(core, kind, recipe, max_blocksize):
    from gridcell.cuda import gufuncs, vectorizers
    made = getattr(gufuncs if kind == "GUFunc" else vectorizers, kind)(core.py_func, *recipe)
    made.max_blocksize = max_blocksize
    return made


def reduce_device_ufunc(ufunc):
    """What pickle keeps of a function of vectorize or guvectorize for target='cuda'."""
    core = ufunc._core
    if has_name(ufunc, core.py_func):
        return find_by_name, (core.py_func.__module__, core.py_func.__qualname__)
    return _rebuild_device_ufunc, (core, type(ufunc).__name__, ufunc._recipe, ufunc.max_blocksize)


# --- ufuncs


def _rebuild_ufunc(dispatcher, signatures, identity, parallel):
    from numba.np.ufunc.dufunc import as_ufunc
    return as_ufunc(dispatcher, signatures, identity, parallel)


def _rebuild_gufunc(core, layout, identity, writable, parallel, types):
    from numba.np.ufunc.gufunc import parallel_gufunc
    return parallel_gufunc(core, layout, identity, types, writable, {})


def _reduce_ufunc(ufunc):
    made = _extension.gufunc_recipe(ufunc)
    if made is not None:
        if has_name(ufunc, made[0].py_func):
            return find_by_name, (made[0].__module__, made[0].__qualname__)
        return _rebuild_gufunc, made
    recipe = recipe_of(ufunc)
    if recipe is None:
        growing = growing_of(ufunc)
        if growing is not None:
            return _itself, (growing,)  # which compiles further loops there
        return ufunc.__name__  # one of NumPy's, or of another library
    dispatcher = recipe[0]
    if has_name(ufunc, dispatcher.py_func):
        return find_by_name, (dispatcher.__module__, dispatcher.__qualname__)
    return _rebuild_ufunc, recipe


def _itself(value):
    return value


def growing_of(ufunc):
    """What compiles further loops, of a ufunc of NumPy that has its loops so far; None of others."""
    known = getattr(_extension.ufunc_scalar(ufunc), "_dufunc", None)
    return known and known()


def recipe_of(ufunc):
    """What a ufunc of ours with a loop for each signature is made of; None of others."""
    dispatcher = _extension.ufunc_scalar(ufunc)
    made = getattr(dispatcher, "_ufuncs", None) or {}
    return (dispatcher, *made[id(ufunc)]) if id(ufunc) in made else None


def register_ufuncs():
    """Has pickle take the NumPy ufuncs that are ours, and Dask know them again."""
    import copyreg
    import numpy
    if copyreg.dispatch_table.get(numpy.ufunc) is not _reduce_ufunc:
        copyreg.pickle(numpy.ufunc, _reduce_ufunc)
    if "dask.tokenize" in sys.modules:
        from numba.core import tokens
        tokens.tell_dask()


def register_ufunc(ufunc, dispatcher, signatures, identity, parallel):
    """Has pickle take a NumPy ufunc of ours; the signatures tell its loops."""
    register_ufuncs()
    if not hasattr(dispatcher, "_ufuncs"):
        dispatcher._ufuncs = {}
    dispatcher._ufuncs[id(ufunc)] = (list(signatures), identity, parallel)


def name_landing(*functions):
    """Has pickles name these functions in a module that any process can import which has gridcell."""
    for function in functions:
        function.__module__ = landing.__name__


name_landing(find_by_name, _rebuild_dispatcher, _fill_dispatcher, _rebuild_intrinsic, _fill_intrinsic, _rebuild_stencil,
             _fill_stencil, _rebuild_kernel, _fill_kernel, _rebuild_launch, _rebuild_device_ufunc, _rebuild_ufunc, _rebuild_gufunc, _itself)
